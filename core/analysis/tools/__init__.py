"""The tools: questions about the active scene and its light, one file each.

A file declares ``TOOL``, an `AnalysisTool`: the function that answers, its words for people and its offline phrases. `catalogue`
finds all files in these rooms, so that adding a tool is adding its file.
"""
