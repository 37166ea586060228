"""The tool bar for drawing objects: one button per family of kinds, which shows the kind drawn last and has a menu of all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton, QWidget

from core.scene.creation import FAMILIES
from workbench import theme
from workbench.canvas.icons import kind_icon


class CreateBar(QToolBar):
    """``actions``: the drawing actions by kind. ``menus``: the menus by family."""

    def __init__(self, arrow: QAction, actions: Mapping[str, QAction], menus: Mapping[str, QMenu], parent: QWidget) -> None:
        super().__init__(parent)
        self.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        self._actions, self._menus = actions, menus
        self._last = {family: kinds[0] for family, kinds in FAMILIES.items()}
        self.buttons: dict[str, QToolButton] = {}
        self.addAction(arrow)
        for family in FAMILIES:
            button = QToolButton(self)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
            button.setMenu(menus[family])
            button.setCheckable(True)
            theme.set_role(button, "family")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._draw, family))
            menus[family].aboutToShow.connect(partial(self._paint_menu, family))
            self.addWidget(button)
            self.buttons[family] = button
        self.retheme()

    def _draw(self, family: str) -> None:
        self._actions[self._last[family]].trigger()

    def show_kind(self, kind: str) -> None:
        """Mark the kind that is being drawn; empty for none."""
        for family, kinds in FAMILIES.items():
            if kind in kinds and self._last[family] != kind:
                self._last[family] = kind
                self._paint(family)
            self.buttons[family].setChecked(kind in kinds)

    def retheme(self) -> None:
        for family in FAMILIES:
            self._paint(family)

    def _paint(self, family: str) -> None:
        kind, button = self._last[family], self.buttons[family]
        button.setIcon(kind_icon(kind, theme.current()))
        name = self._actions[kind].text()
        button.setToolTip(f"Draw: {name.lower()}. The arrow beside it has more.")
        button.setAccessibleName(f"{family}: draw {name.lower()}")

    def _paint_menu(self, family: str) -> None:
        """Paint the icons when the menu opens: some are curves given by formulas, which are slow to parse."""
        for kind in FAMILIES[family]:
            self._actions[kind].setIcon(kind_icon(kind, theme.current()))
