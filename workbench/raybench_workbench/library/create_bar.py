"""The tool bar for drawing objects: one button per family of kinds, which draws the kind drawn last
in one click; the library has all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton, QWidget

from raybench.scene.creation import ALL_FAMILIES, FAMILIES, noun_of
from raybench_workbench import theme
from raybench_workbench.library.pictures import icon_of


class CreateBar(QToolBar):
    """``first``: actions before the families. ``actions``: the drawing actions by kind or preset.
    ``menus``: the menus by family.
    """

    def __init__(
        self,
        first: Sequence[QAction],
        actions: Mapping[str, QAction],
        menus: Mapping[str, QMenu],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        self._actions = actions
        self._last = {family: kinds[0] for family, kinds in FAMILIES.items()}
        self._families: dict[str, QAction] = {}
        self.buttons: dict[str, QWidget] = {}
        self.addActions(first)
        for family in ALL_FAMILIES:
            menus[family].aboutToShow.connect(partial(self._paint_menu, family))
        for family in FAMILIES:
            made = self._families[family] = QAction(
                family, self
            )  # so that the menu of what has no room lists it
            made.setMenu(menus[family])
            made.setCheckable(True)
            made.triggered.connect(partial(self._draw, family))
            self.addAction(made)
            button = self.buttons[family] = self.widgetForAction(made)
            theme.set_role(button, "family")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.extension = self.findChild(QToolButton, "qt_toolbar_ext_button")
        self.retheme()

    def _draw(self, family: str) -> None:
        self._actions[self._last[family]].trigger()

    def show_kind(self, kind: str) -> None:
        """Mark the kind that is being drawn; empty for none."""
        for family, kinds in FAMILIES.items():
            if kind in kinds and self._last[family] != kind:
                self._last[family] = kind
                self._paint(family)
            self._families[family].setChecked(kind in kinds)

    def retheme(self) -> None:
        for family in FAMILIES:
            self._paint(family)

    def _paint(self, family: str) -> None:
        kind, made = self._last[family], self._families[family]
        made.setIcon(icon_of(kind, theme.current()))
        made.setToolTip(f"Draw: {noun_of(kind)}. The arrow beside it has more.")
        self.buttons[family].setAccessibleName(f"{family}: draw {noun_of(kind)}")

    def _paint_menu(self, family: str) -> None:
        """Paint the icons when the menu opens: some are curves given by formulas, which are slow to
        parse.
        """
        for kind in ALL_FAMILIES[family]:
            self._actions[kind].setIcon(icon_of(kind, theme.current()))
