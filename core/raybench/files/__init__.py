"""Reading and writing files: scenes, documents, recovery files and traces."""
