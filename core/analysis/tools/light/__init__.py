"""Questions about where light comes together and where it arrives."""
