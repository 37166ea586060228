"""Measurements: the mouse mode that takes them, their list, and their painting on the canvas and in
figures.
"""
