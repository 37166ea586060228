"""Snapping on the canvas: what the pointer meets, its guides, and the menu of what is met."""
