"""Tools for focus, detectors and measures."""
