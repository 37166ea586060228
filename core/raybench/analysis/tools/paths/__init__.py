"""Tools for ray paths: the surfaces that light meets."""
