"""The tools themselves: strings and numbers in, XML out, one family a file."""
