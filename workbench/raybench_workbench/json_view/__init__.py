"""The dock that shows the scene as JSON text, which can be edited while the canvas follows."""
