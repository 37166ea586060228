"""Shapes of the plane: points, lines, arcs and curves, with their exact lengths, areas and extents."""
