"""The analysis tools: queries on the active scene and its trace, one file each.

A file declares ``TOOL``, an `AnalysisTool`: the function, its description for users and its offline
phrases. `discovery` discovers all files in these packages, so that adding a tool means adding its
file.
"""
