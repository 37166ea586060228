"""Scenes and documents as immutable values: objects, settings, modules, names, hit testing and
changes.
"""
