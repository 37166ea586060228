"""Questions about what is in the scene."""
