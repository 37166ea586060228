"""Measures: scalar quantities with a unit that are computed from a trace."""
