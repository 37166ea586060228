"""Tables of answers in the conversation, by mouse and keys: bars, rays of rows, other rows, the
questions that follow, and measures that are pinned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from tests.workbench.prism_window import prism_document

from raybench.analysis.measures.bound import measure_values
from raybench.files.document_file import load_document, save_document
from raybench.scene.changes import Delete, Move, Set
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.chat.result_table import VISIBLE_ROWS, ResultTable
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled

Open = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton


def ask(qtbot: Any, window: MainWindow, question: str) -> ToolCard:
    dock: ChatDock = window.chat_dock
    dock.agent.start()
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    dock.ask(question)
    qtbot.waitUntil(lambda: not dock.busy)
    QApplication.processEvents()
    return dock.findChildren(ToolCard)[-1]


def middle_of_row(table: ResultTable, row: int) -> QPoint:
    return table.visualRect(table.model().index(row, table.cells.bar_column or 0)).center()


def test_a_row_previews_and_lights_its_rays(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    card = ask(qtbot, window, "Where is the light lost?")
    assert card.detail is None, "the table is enough"
    assert card.compared is not None
    (table,) = card.compared.tables
    assert table.cells.bars[0] == 1.0
    assert list(table.cells.bars) == sorted(table.cells.bars, reverse=True)
    bars = table.cells.bar_column
    assert bars is not None
    assert table.short_text(0, bars).endswith(" %")
    result = window.document.session.fresh_result
    assert result is not None
    kinds = [row[0] for row in table.cells.cells]
    row = kinds.index("escaped")
    after = result.object_names.index(table.cells.cells[row][1])
    gone = np.flatnonzero(result.escaped & (result.parent >= 0))
    gone = gone[result.hit[result.parent[gone]] == after]
    QTest.mouseMove(table.viewport(), middle_of_row(table, row))
    assert window.selection.hovered is not None
    assert window.selection.hovered.rows.tolist() == gone.tolist()
    qtbot.mouseClick(table.viewport(), LEFT, pos=middle_of_row(table, row))
    lit = window.document.session.view.highlight
    assert lit is not None
    assert lit.rows.tolist() == gone.tolist()
    assert table.is_row_highlighted(row)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert window.document.session.view.highlight is None
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert table.is_row_highlighted(1)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().splitlines()[0] == "kind\tobject\tpower\tshare"
    window.document.change(Move("Lamp", dy=1))
    qtbot.mouseClick(table.viewport(), LEFT, pos=middle_of_row(table, row))
    assert not table.is_row_highlighted(row), "of an earlier scene"


def test_the_other_rows_unfold(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document(ray_mode_density=1.0))
    card = ask(qtbot, window, "/rank_paths_by_energy_xml top_n=12")
    assert card.compared is not None
    table = card.compared.tables[0]
    assert len(table.cells.rows) > VISIBLE_ROWS
    height = table.height()
    more = next(b for b in card.compared.findChildren(QPushButton) if b.text().endswith(" more"))
    assert more.text() == f"{len(table.cells.rows) - VISIBLE_ROWS} more"
    qtbot.mouseClick(more, LEFT)
    assert table.height() > height
    assert not more.isVisible()


def test_a_question_that_follows_is_asked_by_a_click(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    ask(qtbot, window, "Which rays reach Screen?")
    dock: ChatDock = window.chat_dock
    buttons = dock.messages.following
    assert 1 <= len(buttons) <= 3
    assert all("Screen" in button.question for button in buttons)
    assert "Which rays reach Screen?" not in [button.question for button in buttons]
    question = buttons[0].question
    qtbot.mouseClick(buttons[0], LEFT)
    qtbot.waitUntil(lambda: not dock.busy)
    assert [exchange.question for exchange in dock.exchanges][-1] == question
    assert dock.findChildren(ToolCard)[-1].outcome is not None
    assert buttons[0] not in dock.messages.following


def test_a_pinned_measure_follows_every_edit(qtbot: Any, open_window: Open, tmp_path: Any) -> None:
    window = open_window(prism_document())
    document = window.document
    card = ask(qtbot, window, "How much power reaches Screen?")
    assert card.pin is not None
    qtbot.mouseClick(card.pin, LEFT)
    qtbot.waitUntil(lambda: "power(Screen)" in document.document.measurements)
    (pinned,) = document.document.measurements.values()
    assert pinned.reference is not None

    def drawn() -> Any:
        wait_until_settled(window)
        now = document.document, document.result
        return window.canvas.measured.drawn_measurements(*now)["power(Screen)"]

    assert drawn().value == pytest.approx(pinned.reference)
    assert drawn().at == pytest.approx((400, 250)), "beside its object"
    document.change(Move("Screen", dy=150))
    drawn()
    now = measure_values("power(Screen)", document.document, document.session.result)[0].value
    assert drawn().value == now != pytest.approx(pinned.reference)
    document.change(Set("Screen", {"name": "Camera"}))
    assert drawn().measured.expression == "power(Camera)", "it follows a new name"
    (row,) = window.measurements._tree_items()
    assert row.text(0).startswith("power(Camera)")
    part = 100 * (now - pinned.reference) / pinned.reference
    assert row.text(1).endswith(f"\n{part:+.3g} %"), "since it was pinned"
    save_document(document.document, tmp_path / "pinned.raybench")
    (read,) = load_document(tmp_path / "pinned.raybench").measurements.values()
    assert (read.text, read.reference) == (pinned.text, pinned.reference)
    document.change(Delete("Camera"))
    assert drawn().text == "power undefined"
    assert "deleted" in window.measurements._tree_items()[0].toolTip(0)
    for _ in range(4):
        document.undo()
    assert not document.document.measurements, "pinning is a step of the history"
