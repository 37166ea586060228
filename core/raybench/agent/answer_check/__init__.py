"""Checks the answers of a model against what the tools of its conversation returned."""
