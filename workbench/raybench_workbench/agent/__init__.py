"""The agent beside the window: its thread, and the open document as it sees it."""
