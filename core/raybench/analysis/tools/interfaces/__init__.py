"""Tools for reflection and refraction at interfaces."""
