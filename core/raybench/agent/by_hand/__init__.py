"""Tool calls by a person: slash commands, the command line, and project runs."""
