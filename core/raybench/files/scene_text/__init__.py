"""A scene as editable text: its layout with the position of each object, faults with their
positions, the changes of an edit.
"""
