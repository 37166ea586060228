"""Snapping of a point to targets near the pointer. `targets.SNAPS` lists the kinds of targets;
`snap.nearest_snap` finds the nearest target.
"""
