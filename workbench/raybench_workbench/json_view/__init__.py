"""The scene as JSON text in a dock: read and written while it is edited, in step with the canvas."""
