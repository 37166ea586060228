"""Tools for the power balance and for counting rays."""
