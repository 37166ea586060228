"""The compiled functions that trace rays through the tables of a scene."""
