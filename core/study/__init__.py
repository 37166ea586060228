"""Studies: what happens to measures if parts of a document are changed."""
