"""Figures from the window: the dialog that asks what to write, and printing."""

MIN_SIDE, MAX_SIDE = 16, 16384
"""Limits of the width and the height of a picture, in pixels."""
