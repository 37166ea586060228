"""Studies: the effect on measures of changes of a document."""
