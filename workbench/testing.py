"""The pytest plugin of the project: exact pictures of windows."""
