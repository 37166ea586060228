"""Figures from the window: the dialog that asks what to write, and printing."""

SMALLEST, LARGEST = 16, 16384
"""Limits of the width and the height of a picture, in pixels."""
