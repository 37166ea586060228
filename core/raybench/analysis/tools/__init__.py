"""The analysis tools: queries on the active scene and its trace, a file for each or for a few of
one subject.

A file declares each tool as an `AnalysisTool`: the function, its description for users and example
questions. `discovery` discovers all files in these packages, so that adding a tool means adding its
file.
"""
