"""The lens merit panel: the targets of a lens, its variables, and the searches for a better lens."""
