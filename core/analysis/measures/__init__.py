"""Measures: numbers with a unit that a trace gives, by one table and one grammar."""
