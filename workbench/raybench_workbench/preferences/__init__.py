"""Preferences of the person: the table of what can be chosen, and the dialog that shows it."""
