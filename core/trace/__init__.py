"""Tracing: a scene compiled to flat tables, rays followed through them, and the result as columns."""
