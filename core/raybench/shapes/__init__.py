"""Plane geometry: points, lines, arcs and curves, with their lengths and areas."""
