"""The lens merit panel: what a lens should become, what may change, and the searches for it."""
