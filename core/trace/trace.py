"""Tracing a scene: `trace` is the one way from a scene to its light."""
