"""The Python console of a window."""
