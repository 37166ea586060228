"""Tools that describe the scene."""
