"""Scenes and documents as immutable values: objects, settings, modules, names, hit testing and
changes.
"""

LENGTH_UNITS = ("nm", "µm", "mm", "cm", "m", "in")
"""The units of lengths that a document can have."""
RELATIVE = "relative"
POWER_UNITS = (RELATIVE, "W", "mW", "µW", "lm")
"""The units of powers that a document can have. In lm, sources are given in W, and what is read is
weighted by the eye's sensitivity. They stand here for the command line, which must
not wait for scenes to be imported.
"""
