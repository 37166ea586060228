"""Snapping: the places near the pointer that a point is drawn to. `targets.SNAPS` lists what they can
be; `snap.nearest_snap` finds the nearest.
"""
