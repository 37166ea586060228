"""Workers: instructions for a model as a tool."""
