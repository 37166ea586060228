"""Questions about a scene: edges, interfaces, media."""
