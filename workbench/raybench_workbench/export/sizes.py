"""Limits of the width and the height of a picture."""

SMALLEST, LARGEST = 16, 16384
"""In pixels."""
