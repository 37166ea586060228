"""Ray paths: path patterns, the search for matching paths, and groups of paths that meet the same
surfaces.
"""
