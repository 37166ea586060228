"""Scenes and documents as immutable values: objects, settings, modules, names, hit testing and
changes.
"""

UNITS = ("nm", "µm", "mm", "cm", "m", "in")
"""The units of lengths that a document can have. They stand here for the command line, which must
not wait for scenes to be imported.
"""
