"""Checks the answers of a language model against the results of the tools in its conversation."""
