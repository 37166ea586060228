"""Work in threads beside the window."""
