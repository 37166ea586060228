"""The parts of the main window: its layout, docks, menus and tabs."""
