"""The list of the scene's objects: its model, how a row is painted, the mouse on the rows, and the
search above them.
"""
