"""A trace as an SQL database, with bounded queries."""
