"""The inspector: the picked ray and the light at the selected object."""
