"""Questions about a scene and its light."""
