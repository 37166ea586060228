"""A scene as text that is edited: its layout with the place of each object, reading with faults at their place, and the changes it makes."""
