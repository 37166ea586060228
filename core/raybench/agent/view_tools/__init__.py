"""Tools that choose which rays are shown."""
