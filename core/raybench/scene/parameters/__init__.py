"""Parameters: the numbers and choices of a document by name, and links between numbers."""
