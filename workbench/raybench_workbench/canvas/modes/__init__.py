"""What the mouse and the keys do on the canvas: a mode for each way of working."""
