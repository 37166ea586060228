"""The panels around the canvas."""
