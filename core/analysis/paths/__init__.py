"""Paths of light: patterns, their search, and grouping by the surfaces that they meet."""
