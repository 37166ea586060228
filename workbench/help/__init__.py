"""Finding one's way: the palette of actions, the sheet of keys, the guides, and what the program says of itself."""
