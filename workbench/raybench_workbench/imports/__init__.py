"""The dialog that imports a drawing into the open scene."""
