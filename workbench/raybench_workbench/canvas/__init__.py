"""The canvas: paints rays and objects, and edits objects with the mouse and the keyboard."""
