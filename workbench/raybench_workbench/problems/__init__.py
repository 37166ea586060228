"""The problems of the open scene, for all who show them."""
