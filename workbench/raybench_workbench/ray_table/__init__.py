"""The ray table: its rows, its header, and the panel around them."""
