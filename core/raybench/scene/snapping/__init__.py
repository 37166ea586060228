"""Snapping: the places near the pointer that a point is drawn to. `table.SNAPS` lists what they can
be; `snap.met` finds the nearest.
"""
