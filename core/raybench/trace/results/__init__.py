"""The result of a trace: rows in columns, lineage, detector readings, images and warnings."""
