"""A trace as an SQL database that accepts bounded queries."""
