"""Modules in the window: made of a selection, inserted, broken up, imported; the parts of an
instance with their values.
"""
