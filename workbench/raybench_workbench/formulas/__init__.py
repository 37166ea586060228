"""Formulas as they are written by hand: fractions, roots and powers."""
