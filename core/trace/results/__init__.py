"""What a trace gives: rows in columns, lineage, detectors, images and warnings."""
