"""Scenes as the flat arrays that kernels read: pieces of objects, their assembly, and the
bounding-volume hierarchy.
"""
