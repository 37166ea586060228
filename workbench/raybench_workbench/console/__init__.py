"""The Python console of a window, in which code can use the open scene."""
