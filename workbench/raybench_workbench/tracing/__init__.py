"""Tracing beside the window."""
