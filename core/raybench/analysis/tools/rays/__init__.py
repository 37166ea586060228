"""Tools that find rays by position and by properties of their light."""
