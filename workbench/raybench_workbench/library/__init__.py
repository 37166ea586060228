"""The library: pictures of all kinds and presets to choose and to drag out, the form of a preset,
and the buttons of the families.
"""
