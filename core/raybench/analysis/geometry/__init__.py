"""Exact plane geometry on arrays: intersections, containment, distances, overlap of curves."""
