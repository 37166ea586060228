"""Signatures and JSON schemas of functions, and the validation of values against them."""
