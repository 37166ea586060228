"""Analysis of the geometry of a scene: edges, interfaces and media."""
