"""The panel of all numbers in a scene: a table with their links, and sliders."""
