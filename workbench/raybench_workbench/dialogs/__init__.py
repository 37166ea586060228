"""Dialogs that ask for one value; a refused value stays to be corrected, with the reason below it."""
