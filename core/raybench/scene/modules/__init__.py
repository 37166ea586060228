"""Modules: parametric templates of objects. An instance of a module is expanded to objects."""
