"""The analysis tools: queries on the active scene and its trace.

A file declares one or a few tools of the same subject, each as an `AnalysisTool`: function,
description for users and example questions. `discovery` imports all files in these packages, so to
add a tool, add a file.
"""
