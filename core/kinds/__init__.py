"""The kinds of objects: one row and one file say all that is known of a kind."""
