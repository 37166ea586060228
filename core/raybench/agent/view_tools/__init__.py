"""Tools that select which rays are shown."""
