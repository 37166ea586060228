"""Studies: the effect of changes of a document on measures."""
