"""Reading and writing files: scenes, documents and results."""
