"""The agent of a window: its thread, and its access to the open document."""
