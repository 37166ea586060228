"""Answers of tools, written as XML or as plain text."""
