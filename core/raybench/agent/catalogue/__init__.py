"""The catalogue of tools: built-in ones and those of a trusted project folder."""
