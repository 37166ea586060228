"""What the rows of the kinds are made of: the row itself, and functions that several kinds share."""
