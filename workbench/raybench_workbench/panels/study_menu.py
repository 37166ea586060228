"""The entries of a number's context menu that start a study."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu


def add_studies(menu: QMenu, request: Callable[[str, str], object], parameter: str) -> None:
    """Add the studies that vary a number to its context menu."""
    from raybench.study.request import KINDS  # imports scipy, which the first window does not need

    menu.addSeparator()
    for kind in KINDS:
        menu.addAction(f"{kind.capitalize()}…", partial(request, kind, parameter))
