"""The parts of the main window: its layout, its docks, its menus, and what it shows where."""
