"""The compiled functions that follow rays through tables."""
