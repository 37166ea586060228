"""The tool record, the objects that can become tools, and the check of arguments and results."""
