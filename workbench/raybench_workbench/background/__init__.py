"""The picture behind a scene, and the dialog that chooses it."""
