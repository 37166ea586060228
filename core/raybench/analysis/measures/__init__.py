"""Measures: scalar quantities with a unit that are evaluated on a trace. One table of measures, one
grammar.
"""
