"""The panel of a scene's numbers: a table with links, and sliders."""
