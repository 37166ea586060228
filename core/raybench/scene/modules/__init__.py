"""Modules: parametric templates of objects, and the expansion of their instances to objects."""
