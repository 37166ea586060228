"""Renderings of answers: XML and plain text."""
