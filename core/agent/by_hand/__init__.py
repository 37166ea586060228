"""Tools that a person calls: slash commands, the command line, project runs."""
