"""The history of the document as a list of what was done."""
