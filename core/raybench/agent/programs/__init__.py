"""Programs that a model writes. They run in a sandbox."""
