"""A turn in the conversation: while it runs, what it shows beside its text, and once it is over."""
