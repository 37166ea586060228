"""A scene as text that is edited: its layout with the place of each object, faults at their place, the changes an edit makes."""
