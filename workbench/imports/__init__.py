"""Dialogs that bring something from a file into the open scene: drawings, and definitions of modules."""
