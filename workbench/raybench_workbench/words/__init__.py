"""How texts and numbers are written in the window."""
