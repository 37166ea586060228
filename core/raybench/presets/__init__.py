"""Presets: lenses, prisms and small systems as objects of a scene, made from a few data such as a
focal length. See README.md.
"""
