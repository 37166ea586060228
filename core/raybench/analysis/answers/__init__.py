"""Answers of tools, and their rendering as XML and plain text."""
