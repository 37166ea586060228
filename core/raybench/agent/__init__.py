"""The agent: tools as records, the loop that calls them, and the models behind it."""
