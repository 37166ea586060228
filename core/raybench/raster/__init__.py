"""Rasterisation: drawing lines into images of linear light."""
