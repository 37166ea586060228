"""Analysis of a scene's geometry: edges, interfaces, media."""
