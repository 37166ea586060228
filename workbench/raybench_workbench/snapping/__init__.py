"""Snapping on the canvas: what the pointer meets, and its guides."""
