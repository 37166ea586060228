"""The tools: strings and numbers in, XML out."""
