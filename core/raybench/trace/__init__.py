"""Tracing: compiling a scene to flat tables, tracing rays through them, and the result as columns."""
