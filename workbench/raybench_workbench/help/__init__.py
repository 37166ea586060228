"""The palette of actions, the sheet of keys, the guides, the welcome page and About."""
