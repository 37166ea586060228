"""Dialogs that ask for one value: what is refused stays to be mended, with the reason below it."""
