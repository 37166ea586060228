"""Measurements: the tools that take them by mouse, their list, and how they are painted on the
canvas and in figures.
"""
