"""Calls by a person: slash commands, the command line, project runs."""
