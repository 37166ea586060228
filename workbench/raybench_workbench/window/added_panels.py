"""Panels of other packages. A package declares a panel as an entry point of the group
``raybench.panels``: a title, and a function that makes the widget for a main window.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from raybench.system.plugins import load_plugins

PANELS: dict[str, Callable[[Any], QWidget]] = {}
"""The functions by the titles of their docks."""
load_plugins("panels", PANELS.__setitem__)
