"""The catalogue of tools: built-in tools, and tools of a trusted project folder."""
