"""Exact pictures of the chat in its states, with what each means."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication
from tests.workbench.prism_window import prism_document

from raybench.agent.models.protocol import StreamEvent, TextDelta
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.scene.changes import Set
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.chat.turns import StaleNote, TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled

LEFT = Qt.MouseButton.LeftButton
INSIDE = call("find_rays_inside_glass_xml", glass_name="Main Prism")
READ = call("measure_xml", measures="power(Screen); rays(Screen); rms(Screen)")
ANSWER = (
    "**Some** rays run inside the prism (R1). By $n_1\\sin\\theta_1 = n_2\\sin\\theta_2$ the base"
    " reflects them:\n\n- face W: a little\n- face S: all"
)


@pytest.fixture
def window(open_window: Any, qtbot: Any) -> MainWindow:
    window: MainWindow = open_window(prism_document())
    window.chat_dock.agent.start()
    qtbot.waitUntil(lambda: len(window.chat_dock.composer.commands) > 1)
    return window


def say(
    qtbot: Any, window: MainWindow, text: str, replies: Sequence[Any] = (), profile: str = "auto"
) -> ChatDock:
    dock = window.chat_dock
    if replies:
        dock.connect_model(ScriptedBackend(replies))
    dock.composer.profile.setCurrentIndex(dock.composer.profile.findData(profile))
    dock.composer.edit.setFocus()
    qtbot.keyClicks(dock.composer.edit, text)
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    return dock


def at_rest(qtbot: Any, window: MainWindow) -> None:
    """Wait for the end of the turn; the cards then show one time of all."""
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=30_000)
    wait_until_settled(window)
    for card in window.chat_dock.findChildren(ToolCard):
        card.time.setText("1.0 ms")


class Unfinished(ScriptedBackend):
    """Says the beginning of an answer, and then nothing more."""

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncIterator[StreamEvent]:
        for piece in ("The light enters ", "the prism at its west face, ", "where $n_1"):
            yield TextDelta(piece)
        await asyncio.Event().wait()


def test_without_a_model(window: MainWindow, shots: Any) -> None:
    dock = window.chat_dock
    assert dock.strip.state.full_text == "Offline"
    assert not dock.context.isVisible()
    assert len(dock.messages.questions) == 3
    shots(dock, "chat-offline")


def test_the_form_that_connects_a_model(window: MainWindow, shots: Any) -> None:
    dock = window.chat_dock
    window.actions_by_id["chat.connect"].trigger()
    assert dock.strip.form.isVisible()
    assert dock.strip.model.hasFocus()
    dock.strip.model.lineEdit().clearFocus()  # type: ignore[union-attr]
    shots(dock, "chat-connect")


def test_while_it_streams(qtbot: Any, window: MainWindow, shots: Any) -> None:
    window.selection.set({window.document.scene.objects[1].key})
    window.chat_dock.connect_model(Unfinished([]))
    dock = say(qtbot, window, "Where does the light enter?")
    qtbot.waitUntil(
        lambda: (
            dock.messages._answer is not None and dock.messages._answer.text_so_far.endswith("$n_1")
        )
    )
    assert dock.composer.button.text() == "Stop"
    assert [chip.text() for chip in dock.context.chips] == ["Main Prism ×"]
    shots(dock, "chat-streaming")
    qtbot.mouseClick(dock.composer.button, LEFT)
    qtbot.waitUntil(lambda: not dock.busy)


def test_an_open_card_and_an_answer_with_a_formula(
    qtbot: Any, window: MainWindow, shots: Any
) -> None:
    dock = say(qtbot, window, "What runs inside the prism?", [[READ], ANSWER])
    at_rest(qtbot, window)
    (card,) = dock.findChildren(ToolCard)
    qtbot.mouseClick(card.header, LEFT)
    assert card.detail is not None
    assert card.detail.tables
    qtbot.waitUntil(lambda: card.detail is not None and card.detail.height() > 100)
    at_rest(qtbot, window)
    shots(dock, "chat-open-card")


def test_the_rays_of_a_chip_under_the_pointer(qtbot: Any, window: MainWindow, shots: Any) -> None:
    dock = say(qtbot, window, "What runs inside the prism?", [[INSIDE], "These."])
    at_rest(qtbot, window)
    window.document.highlight(None)
    (card,) = dock.findChildren(ToolCard)
    assert card.chip is not None
    middle = QPointF(card.chip.rect().center())
    QApplication.sendEvent(
        card.chip, QEnterEvent(middle, middle, QPointF(card.chip.mapToGlobal(middle.toPoint())))
    )
    assert window.selection.hovered is card.chip.rays
    assert window.canvas.rays.highlighted_rows().tolist() == card.chip.rays.rows.tolist()
    wait_until_settled(window)
    shots(window.canvas, "canvas-chip-hover")
    QApplication.sendEvent(card.chip, QEvent(QEvent.Type.Leave))
    assert window.selection.hovered is None


def test_an_answer_about_another_state(qtbot: Any, window: MainWindow, shots: Any) -> None:
    dock = say(qtbot, window, "What runs inside the prism?", [[INSIDE], ANSWER])
    at_rest(qtbot, window)
    window.document.apply(Set("Main Prism", {"refIndex": 1.6}))
    wait_until_settled(window)
    assert [note.isVisible() for note in dock.findChildren(StaleNote)] == [True]
    (card,) = dock.findChildren(ToolCard)
    assert card.chip is not None
    assert not card.chip.isEnabled()
    shots(dock, "chat-stale")
    window.document.undo()
    assert [note.isVisible() for note in dock.findChildren(StaleNote)] == [False]
    assert card.chip.isEnabled()


def test_a_turn_that_was_taken_back(qtbot: Any, window: MainWindow, shots: Any) -> None:
    changes = [{"rotate": "Main Prism", "by": 7}, {"move": "Screen", "dx": 30}]
    dock = say(qtbot, window, "Turn the prism.", [[call("change_scene", changes=changes)], "Done."])
    at_rest(qtbot, window)
    window.document.apply(Set("Screen", {"name": "Camera"}))
    (edits,) = dock.findChildren(TurnEdits)
    qtbot.mouseClick(edits.button, LEFT)
    wait_until_settled(window)
    assert edits.text.text().startswith(
        "Reverted: Main Prism turned by 7° counter-clockwise, Screen moved by (30, 0) mm."
    )
    assert "Not reverted, since changed" in edits.text.text()
    shots(dock, "chat-reverted")
