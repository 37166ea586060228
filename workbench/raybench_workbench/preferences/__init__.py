"""The user's preferences: the table of preferences, and the dialog that shows it."""
