"""Ray paths: path patterns, searching for them, and grouping of paths by the surfaces they meet."""
