"""The style sheet, where Qt's own look would stand out: tables with a selected row, and two scroll
bars.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QTableWidget

from raybench_workbench import theme


@pytest.fixture(params=theme.THEMES)
def table(request: pytest.FixtureRequest, raybench_app: QApplication) -> Iterator[QTableWidget]:
    """A table that is larger than its widget, in each theme."""
    theme.apply_theme(raybench_app, request.param)
    table = QTableWidget(20, 4)
    table.setHorizontalHeaderLabels(
        ["Prism.refIndex", "share(Screen)", "power(Screen)", "rms(Screen)"]
    )
    table.resize(240, 160)
    table.show()
    raybench_app.processEvents()
    yield table
    table.deleteLater()
    theme.apply_theme(raybench_app, "dark")


def test_headings_stay_as_they_are_when_a_row_is_selected(
    table: QTableWidget, raybench_app: QApplication
) -> None:
    header = table.horizontalHeader()
    before = header.grab().toImage()
    table.selectRow(3)
    raybench_app.processEvents()
    assert header.grab().toImage() == before


def test_the_corner_between_two_scroll_bars_is_plain(table: QTableWidget) -> None:
    across, down = table.horizontalScrollBar(), table.verticalScrollBar()
    assert across.isVisible()
    assert down.isVisible()
    left, top = down.parentWidget().x(), across.parentWidget().y()
    corner = table.grab().toImage().copy(left, top, table.width() - left, table.height() - top)
    assert len(_colors(corner)) == 1


def _colors(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_the_system_theme_follows_the_desktop(window, monkeypatch) -> None:
    app, changed = QApplication.instance(), QApplication.styleHints().colorSchemeChanged
    window.actions_by_id["theme.system"].trigger()
    for light, name in ((True, "light"), (False, "dark")):
        monkeypatch.setattr(theme, "is_desktop_light", lambda _, light=light: light)
        changed.emit(Qt.ColorScheme.Light if light else Qt.ColorScheme.Dark)
        assert theme.current_theme().name == name
    assert window.actions_by_id["theme.system"].isChecked()
    window.actions_by_id["theme.paper"].trigger()
    changed.emit(Qt.ColorScheme.Dark)
    assert theme.current_theme().name == "paper"
    theme.apply_theme(app, "dark")
