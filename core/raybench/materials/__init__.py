"""Optical materials: dispersion formulas, a catalogue of glasses and other media, and fits of
Cauchy's formula.
"""
