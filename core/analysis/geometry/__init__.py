"""Exact plane geometry on arrays: crossings, containment, distances, coincidence."""
