"""Figures from the window: the dialog that asks what to write, and the job that writes it."""
