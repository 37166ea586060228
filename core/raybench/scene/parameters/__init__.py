"""Parameters: the numbers and choices of a document by their names, and links between numbers."""
