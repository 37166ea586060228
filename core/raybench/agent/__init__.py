"""The agent: tools, the loop that calls them, and the language models that use them."""
