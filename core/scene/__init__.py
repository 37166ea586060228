"""The scene: an immutable value made of objects and settings."""
