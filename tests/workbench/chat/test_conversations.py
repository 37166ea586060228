"""Conversations in the window: kept in a list, written beside the user's data, restored with the
document, exported.
"""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import json
import re
import weakref
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu
from tests.workbench.prism_window import prism_document

from raybench.agent.by_hand.replay import Replay
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.models.protocol import BackendError, RetryNotice, StreamEvent
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.turn.project_notes import NOTES_REMOVED
from raybench.files.document_file import save_document
from raybench.scene.changes import Set, SetSettings
from raybench.scene.names import object_named
from raybench_workbench.chat.answer_text import AnswerText
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.chat.turns import LOST_TEXT, OUTDATED_TEXT, TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled

INSIDE = "Which rays are inside Main Prism?"
Open = Callable[..., MainWindow]


def ready(qtbot: Any, window: MainWindow) -> ChatDock:
    dock = window.chat_dock
    dock.agent.start()
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    return dock


def say(qtbot: Any, dock: ChatDock, text: str) -> None:
    count = len(dock.exchanges)
    dock.composer.edit.setFocus()
    qtbot.keyClicks(dock.composer.edit, text)
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dock.busy and len(dock.exchanges) > count, timeout=60_000)


def words(dock: ChatDock) -> str:
    parts = [
        label.text()
        for label in dock.messages.findChildren(QLabel)
        if label.isVisibleTo(dock.messages)
    ]
    return "\n".join(
        parts + [text.toPlainText() for text in dock.messages.findChildren(AnswerText)]
    )


def numbers(outcome: ToolOutcome) -> Any:
    """The values of a result without revisions, which count the edits of a run."""
    return json.loads(
        re.sub(
            r"\br\d+-", "r-", re.sub(r'"revision": \d+', '"revision": 0', json.dumps(outcome.value))
        )
    )


def choose(dock: ChatDock, title: str) -> None:
    dock.conversations.list.aboutToShow.emit()
    next(
        action for action in dock.conversations.list.actions() if action.text().endswith(title)
    ).trigger()


@pytest.mark.parametrize("by", ["mouse", "key", "menu"])
def test_retry_goes_on_after_the_edits_that_were_made(
    by: str, qtbot: Any, open_window: Open
) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    first = window.document.document
    move = call("change_scene", changes={"move": "Screen", "dx": 5})
    backend = ScriptedBackend(
        [["I move it. ", move], [BackendError("It broke off.")], "It is 5 mm further right.", "So."]
    )
    dock.connect_model(backend)
    dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("auto"))
    say(qtbot, dock, "Move the screen")
    moved = window.document.document
    assert "It broke off." in words(dock)
    button = dock.messages.retry
    assert button is not None
    if by == "mouse":
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    elif by == "key":
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
    else:
        window.actions_by_id["chat.retry"].trigger()
    qtbot.waitUntil(lambda: not dock.busy)
    assert window.document.document is moved, "the edit is not repeated"
    (exchange,) = dock.exchanges
    assert not exchange.turn.error
    assert "".join(p for p in exchange.parts if isinstance(p, str)).startswith("I move it. It is")
    assert [o.tool for o in exchange.turn.outcomes] == ["change_scene"]
    assert "It broke off." not in words(dock)
    assert dock.messages.retry is None
    shown = [c for c in dock.messages.findChildren(ToolCard) if c.isVisibleTo(dock.messages)]
    assert len(shown) == 1
    results = [b["type"] for b in backend.requests[-1][-1]["content"]]
    assert results == ["tool_result"], "nothing is asked again"
    window.document.undo()
    assert window.document.document is first
    say(qtbot, dock, "And now?")
    assert len(dock.exchanges) == 2


def test_only_a_model_goes_on(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    backend = ScriptedBackend([["It holds ", BackendError("It broke off.")], "twelve."])
    dock.connect_model(backend)
    say(qtbot, dock, "How many rays?")
    button = dock.messages.retry
    assert button is not None
    dock.connect_model(None)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    window.actions_by_id["chat.retry"].trigger()
    assert not dock.busy
    assert not button.isEnabled()
    dock.connect_model(backend)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dock.busy and not dock.exchanges[0].turn.error)


class Busy(ScriptedBackend):
    """A server that is busy until the turn is stopped."""

    async def stream_turn(self, *_: Any) -> AsyncIterator[StreamEvent]:
        yield RetryNotice(2.0, "overloaded")
        await asyncio.Event().wait()


def test_the_seconds_until_the_next_attempt_are_counted_and_stop_ends_them(
    qtbot: Any, open_window: Open
) -> None:
    dock = ready(qtbot, open_window(prism_document()))
    dock.connect_model(Busy([]))
    dock.ask("Hello?")
    qtbot.waitUntil(lambda: dock.turn is not None and dock.turn.countdown is not None)
    assert dock.turn is not None
    line = dock.turn.countdown
    assert line is not None
    shown = [line.text()]
    for _ in range(2):
        line.timer.timeout.emit()
        shown.append(line.text())
    seconds = [f"Trying again in {left} s (overloaded) …" for left in (2, 1)]
    assert shown == [*seconds, "Trying again (overloaded) …"]
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dock.busy)
    assert "Trying again" not in words(dock)
    assert dock.exchanges[0].turn.stopped


def export(dock: ChatDock, title: str) -> None:
    dock.conversations.exports.aboutToShow.emit()
    next(
        action for action in dock.conversations.exports.actions() if action.text() == title
    ).trigger()


def test_new_keeps_the_conversation_and_puts_its_rays_out(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    assert window.document.session.view.highlight is not None
    qtbot.mouseClick(dock.strip.renew, Qt.MouseButton.LeftButton)
    assert window.document.session.view.highlight is None
    assert len(dock.messages.questions) == 3
    assert dock.exchanges == ()
    say(qtbot, dock, "Which rays escape?")
    choose(dock, INSIDE)
    assert [exchange.question for exchange in dock.exchanges] == [INSIDE]
    assert "inside Main Prism (R1)." in words(dock)
    chip = dock.messages.findChildren(ToolCard)[0].chip
    assert chip is not None
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert window.document.session.view.highlight is chip.rays
    choose(dock, "Which rays escape?")
    assert [exchange.question for exchange in dock.exchanges] == ["Which rays escape?"]


def test_new_during_the_first_turn_is_a_new_conversation(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    backend = ScriptedBackend(["one " * 50, "Two."], pause=0.05)
    dock.connect_model(backend)
    dock.ask("Count!")
    qtbot.waitUntil(lambda: "one" in words(dock), timeout=20_000)
    dock.start_over()
    assert dock.exchanges == ()
    assert "Count!" not in words(dock)
    say(qtbot, dock, "And?")
    assert "Count!" not in str(backend.requests[-1])
    choose(dock, "Count!")
    assert [exchange.question for exchange in dock.exchanges] == ["Count!"]


def test_the_first_conversation_of_a_document_is_continued_with_all_that_its_model_knows(
    qtbot: Any, open_window: Open
) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    backend = ScriptedBackend(
        [
            [call("find_rays_inside_glass_xml", glass_name="Main Prism")],
            "These.",
            "Other.",
            "Those.",
        ]
    )
    dock.connect_model(backend)
    say(qtbot, dock, "Which?")
    dock.start_over()
    say(qtbot, dock, "Else?")
    choose(dock, "Which?")
    say(qtbot, dock, "Sure?")
    assert [
        block["type"] for message in backend.requests[-1] for block in message["content"]
    ].count("tool_result") == 1


def test_new_during_a_turn_keeps_what_was_said_so_far(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    dock.ask(INSIDE)
    dock.start_over()
    assert not dock.busy
    choose(dock, INSIDE)
    assert dock.exchanges[0].turn.stopped
    assert "Stopped." in words(dock)


def test_an_answer_about_another_state_says_so_until_an_undo(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    assert OUTDATED_TEXT not in words(dock)
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    assert OUTDATED_TEXT in words(dock)
    window.document.undo()
    assert OUTDATED_TEXT not in words(dock)
    chip = dock.messages.findChildren(ToolCard)[0].chip
    assert chip is not None
    assert chip.isEnabled()


def test_a_conversation_is_restored_with_its_document(
    qtbot: Any, open_window: Open, tmp_path: Path
) -> None:
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    first = open_window(path)
    dock = ready(qtbot, first)
    say(qtbot, dock, INSIDE)
    rows = dock.exchanges[0].turn.outcomes[0].rays
    assert rows is not None
    first.close()
    again = open_window(path)
    dock = ready(qtbot, again)
    qtbot.waitUntil(lambda: len(dock.exchanges) == 1, timeout=10_000)
    assert "inside Main Prism (R1)." in words(dock)
    assert LOST_TEXT not in words(dock)
    assert again.document.session.view.highlight is None
    (card,) = dock.messages.findChildren(ToolCard)
    assert card.chip is not None
    qtbot.mouseClick(card.chip, Qt.MouseButton.LeftButton)
    lit = again.document.session.view.highlight
    assert lit is not None
    assert lit.rows.tolist() == rows.rows.tolist()
    card.toggle()
    assert card.detail is not None
    assert len(card.detail.tables[0].cells.rows) == len(rows)
    say(qtbot, dock, "Which rays escape?")
    assert "(R2)" in words(dock)
    dock.composer.edit.setFocus()
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Up)
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Up)
    assert dock.composer.edit.toPlainText() == INSIDE


@pytest.mark.parametrize("other", ["scene", "version"])
def test_a_restored_answer_about_another_scene_or_by_another_version_says_so(
    other: str, qtbot: Any, open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    first = open_window(path)
    say(qtbot, ready(qtbot, first), INSIDE)
    first.close()
    if other == "scene":
        save_document(prism_document(ray_mode_density=0.3), path)
    else:
        monkeypatch.setattr(
            "raybench.agent.turn.transcript.metadata",
            SimpleNamespace(version=lambda name: "another"),
        )
    dock = ready(qtbot, open_window(path))
    qtbot.waitUntil(lambda: len(dock.exchanges) == 1, timeout=10_000)
    assert LOST_TEXT in words(dock)
    chip = dock.messages.findChildren(ToolCard)[0].chip
    assert chip is not None
    assert not chip.isEnabled()


def test_a_conversation_is_written_while_it_goes_on_and_moves_with_save_as(
    qtbot: Any, open_window: Open, tmp_path: Path
) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    folder = tmp_path / "conversations"
    qtbot.waitUntil(
        lambda: '"answer": "' in "".join(f.read_text() for f in folder.glob("untitled/*.jsonl")),
        timeout=10_000,
    )
    (file,) = folder.glob("untitled/*.jsonl")
    qtbot.waitUntil(
        lambda: json.loads(file.read_text().splitlines()[1])["tools_used"] != [], timeout=10_000
    )
    assert window.document.save(tmp_path / "named.raybench")
    qtbot.waitUntil(lambda: not file.exists(), timeout=10_000)
    (moved,) = folder.glob("*/*.jsonl")
    assert json.loads(moved.read_text().splitlines()[0])["scene"] == str(
        tmp_path / "named.raybench"
    )


def test_a_damaged_transcript_is_left_out(qtbot: Any, open_window: Open, tmp_path: Path) -> None:
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    first = open_window(path)
    say(qtbot, ready(qtbot, first), INSIDE)
    first.close()
    (good,) = (tmp_path / "conversations").glob("*/*.jsonl")
    for number, text in enumerate(("", "[]", '{"version": 2}', '{"version": 1}', "{\n")):
        (good.parent / f"bad{number}.jsonl").write_text(text)
    dock = ready(qtbot, open_window(path))
    qtbot.waitUntil(lambda: len(dock.exchanges) == 1, timeout=10_000)
    assert len(dock.conversations.entries) == 1


def test_a_conversation_is_saved_as_markdown_and_json(
    qtbot: Any, open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dock = ready(qtbot, open_window(prism_document()))
    say(qtbot, dock, INSIDE)
    for name in ("talk", "talk.json"):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, n=name: (str(tmp_path / n), "")
        )
        export(dock, "Save as…")
    assert f"> {INSIDE}" in (tmp_path / "talk.md").read_text()
    (exchange,) = json.loads((tmp_path / "talk.json").read_text())["exchanges"]
    assert exchange["question"] == INSIDE
    call, _answer = exchange["parts"]
    assert call["tool"] == "find_rays_inside_glass_xml"
    assert call["result"]["count"] == len(call["rays"]["rows"]) > 0


def test_the_python_that_is_copied_gives_the_same_numbers(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    say(qtbot, dock, INSIDE)
    say(qtbot, dock, "/check_energy_conservation_xml")
    prism = next(o for o in window.document.scene.objects if o.name == "Main Prism")
    window.document.change(Set(prism.key, {"name": "Wedge's \\ '''"}))
    say(qtbot, dock, "/describe_scene_xml")
    export(dock, "Copy as Python")
    text = QApplication.clipboard().text()
    names: dict[str, Any] = {}
    exec(compile(text, "copied.py", "exec"), names)
    replay = names["replay"]
    assert isinstance(replay, Replay)
    live = [outcome for exchange in dock.exchanges for outcome in exchange.turn.outcomes]
    assert text.count("SCENE_") == 6
    assert len(live) == len(replay.outcomes) == 4
    for shown, run in zip(live, replay.outcomes, strict=True):
        assert numbers(run) == numbers(shown)


def test_what_is_selected_and_lit_is_told_unless_its_chip_is_clicked_away(
    qtbot: Any, open_window: Open
) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    prism, screen = window.document.scene.objects[1:3]
    window.selection.set({prism.key, screen.key})
    assert not dock.context.isVisible(), "nobody is there to tell it to"
    backend = ScriptedBackend(["One.", "Two.", "Three."])
    dock.connect_model(backend)
    assert [chip.text() for chip in dock.context.chips] == ["Main Prism ×", "Screen ×"]
    qtbot.mouseClick(dock.context.chips[1], Qt.MouseButton.LeftButton)
    assert [chip.text() for chip in dock.context.chips] == ["Main Prism ×"]
    say(qtbot, dock, "What is this?")
    assert "[Selected on the canvas: 'Main Prism'.]" in [
        block["text"] for block in backend.requests[-1][-1]["content"]
    ]
    window.selection.set({screen.key})
    assert [chip.text() for chip in dock.context.chips] == ["Screen ×"], (
        "another selection is told again"
    )
    window.selection.clear()
    say(qtbot, dock, '/find_rays_inside_glass_xml "Main Prism"')
    assert [chip.text() for chip in dock.context.chips] == ["R1 ×"]
    say(qtbot, dock, "And these?")
    told = [
        block["text"] for block in backend.requests[-1][-1]["content"] if block["type"] == "text"
    ]
    assert any(
        re.fullmatch(r"\[Lit on the canvas: R1 \(\d+ rays: rays inside Main Prism\)\.\]", text)
        for text in told
    ), told
    window.document.apply(Set("Screen", {"name": "Camera"}))
    assert not dock.context.isVisible(), "rays of another state are not lit any more"


def test_the_notes_beside_a_scene_have_a_chip_that_leaves_them_out(
    qtbot: Any, open_window: Open, tmp_path: Path
) -> None:
    path, notes = tmp_path / "prism.raybench", tmp_path / "RAYBENCH.md"
    save_document(prism_document(), path)
    notes.write_text("The screen is a camera.")
    window = open_window(path)
    dock = ready(qtbot, window)
    backend = ScriptedBackend(["One.", "Two.", "Three."])
    dock.connect_model(backend)
    qtbot.waitUntil(lambda: [chip.text() for chip in dock.context.chips] == ["RAYBENCH.md ×"])
    say(qtbot, dock, "Well?")
    assert "| The screen is a camera." in str(backend.requests[-1])
    qtbot.mouseClick(dock.context.chips[0], Qt.MouseButton.LeftButton)
    say(qtbot, dock, "And?")
    assert NOTES_REMOVED in str(backend.requests[-1])
    notes.write_text("The screen is a wall.")
    window.canvas.setFocus()
    dock.composer.edit.setFocus()
    qtbot.waitUntil(lambda: bool(dock.context.chips))
    say(qtbot, dock, "Now?")
    assert "| The screen is a wall." in str(backend.requests[-1])


def test_a_double_click_on_a_chip_zooms_to_its_rays(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    (card,) = dock.findChildren(ToolCard)
    assert card.chip is not None
    assert window.document.session.view.camera is None
    qtbot.mouseClick(card.chip, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(card.chip, Qt.MouseButton.LeftButton)
    x, y, width, height = window.document.session.view.camera or (0, 0, 0, 0)
    assert x < 100 < x + width
    assert y < 280 < y + height
    assert width < 300
    assert card.chip.is_highlighted
    window.document.set_view(dataclasses.replace(window.document.session.view, camera=None))
    card.chip.setFocus()
    qtbot.keyClick(card.chip, Qt.Key.Key_Z)
    assert window.document.session.view.camera is not None


def test_what_can_be_done_with_a_conversation_is_in_the_menu_and_the_palette(
    qtbot: Any, open_window: Open
) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    actions = window.actions_by_id
    assert not actions["chat.new"].isEnabled()
    say(qtbot, dock, INSIDE)
    QApplication.clipboard().clear()
    actions["chat.copy_markdown"].trigger()
    assert QApplication.clipboard().text().count(INSIDE)
    actions["chat.copy_python"].trigger()
    assert "find_rays_inside_glass_xml" in QApplication.clipboard().text()
    actions["chat.new"].trigger()
    assert dock.exchanges == ()
    menu = QMenu()
    dock.conversations.fill_conversation_menu(menu)
    assert [action.text().endswith(INSIDE) for action in menu.actions()] == [True]


def test_a_server_is_chosen_and_the_form_says_where_the_key_lives(
    qtbot: Any, open_window: Open
) -> None:
    strip = ready(qtbot, open_window(prism_document())).strip
    strip.open_form()
    assert strip.server.currentText() == "Anthropic"
    assert "set ANTHROPIC_API_KEY" in strip.key_place.text()
    strip.server.setFocus()
    qtbot.keyClick(strip.server, Qt.Key.Key_Down)
    assert strip.url.text() == "http://localhost:11434/v1"
    assert strip.key_place.text() == "A server on this computer needs no key."
    strip.url.setText("https://models.example.org")
    assert strip.server.currentText() == "Another address"
    assert "until the program ends" in strip.key_place.text()


def shown_questions(dock: ChatDock) -> list[str]:
    """The questions that stand in the conversation, from above."""
    found = [
        w
        for w in dock.messages.findChildren(QLabel)
        if re.fullmatch(r"/read_objects \d", w.text()) and w.isVisibleTo(dock.messages)
    ]
    return [w.text()[-1] for w in sorted(found, key=lambda w: w.mapTo(dock.messages, w.pos()).y())]


def test_a_long_conversation_shows_its_end_and_earlier_questions_on_demand(
    qtbot: Any, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("message_list.MAX_GROUPS", "message_list.PAGE_SIZE", "dock.PAGE_SIZE"):
        monkeypatch.setattr(f"raybench_workbench.chat.{name}", 2)
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    first = open_window(path)
    dock = ready(qtbot, first)
    for i in range(5):
        dock.ask(f"/read_objects {i}")
        qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    assert shown_questions(dock) == ["3", "4"]
    assert dock.messages.earlier.text() == "Show earlier questions (3)"
    for shown, hidden in ((["1", "2", "3", "4"], 1), (["0", "1", "2", "3", "4"], 0)):
        qtbot.waitUntil(lambda: dock.messages.earlier.isVisibleTo(dock.messages))
        qtbot.mouseClick(dock.messages.earlier, Qt.MouseButton.LeftButton)
        assert dock.messages.hidden == hidden
        qtbot.waitUntil(lambda shown=shown: shown_questions(dock) == shown)  # type: ignore[misc]
    assert not dock.messages.earlier.isVisibleTo(dock.messages)
    dock.ask("/read_objects 5")
    qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    assert shown_questions(dock) == ["4", "5"]
    first.close()
    again = ready(qtbot, open_window(path))
    qtbot.waitUntil(lambda: len(again.exchanges) == 6, timeout=10_000)
    assert shown_questions(again) == ["4", "5"]
    assert again.messages.hidden == 4


def test_the_view_stays_where_it_is_when_earlier_questions_are_shown(
    qtbot: Any, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raybench_workbench.chat.message_list.MAX_GROUPS", 4)
    dock = ready(qtbot, open_window(prism_document()))
    dock.connect_model(ScriptedBackend(["Answer.\n\n" + "line\n\n" * 8] * 8))
    for i in range(8):
        dock.ask(f"/read_objects {i}" if i == 7 else f"Question {i}")
        qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    bar = dock.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 300 and bar.value() == bar.maximum())
    dock.messages.scroll_pages(-20)
    label = next(w for w in dock.messages.findChildren(QLabel) if w.text() == "Question 4")
    at = label.mapTo(dock.messages, label.rect().topLeft()).y()
    longest = bar.maximum()
    qtbot.mouseClick(dock.messages.earlier, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.maximum() > longest + 300)
    qtbot.wait(50)
    moved = abs(label.mapTo(dock.messages, label.rect().topLeft()).y() - at)
    assert moved <= dock.messages.earlier.height() + 20  # the button may go


def test_a_turn_that_is_shown_again_can_be_taken_back(
    qtbot: Any, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raybench_workbench.chat.message_list.MAX_GROUPS", 1)
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    before = window.document.document
    dock.ask('/change_scene [{"move": "Screen", "dy": 1}]')
    qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    assert window.document.document is not before
    say(qtbot, dock, INSIDE)
    qtbot.waitUntil(
        lambda: (
            not [e for e in dock.messages.findChildren(TurnEdits) if e.isVisibleTo(dock.messages)]
        )
    )
    qtbot.mouseClick(dock.messages.earlier, Qt.MouseButton.LeftButton)
    (edits,) = (e for e in dock.messages.findChildren(TurnEdits) if e.isVisibleTo(dock.messages))
    qtbot.mouseClick(edits.button, Qt.MouseButton.LeftButton)
    assert window.document.document is before


def test_a_conversation_keeps_no_trace_of_an_earlier_scene(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    traced = weakref.ref(window.document.session.result)
    assert traced() is not None
    for density in (0.2, 0.3, 0.4):  # the results of the last three revisions are kept
        window.document.change(SetSettings({"rayModeDensity": density}))
        wait_until_settled(window)
        say(qtbot, dock, INSIDE)
    gc.collect()
    assert traced() is None
    card = dock.messages.findChildren(ToolCard)[0]
    card.toggle()
    assert card.detail is not None
    rays = dock.exchanges[0].turn.outcomes[0].rays
    assert rays is not None
    assert len(card.detail.tables[0].cells.rows) == len(rays)


def test_a_restored_answer_is_about_its_scene_after_the_next_start_too(
    qtbot: Any, open_window: Open, tmp_path: Path
) -> None:
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    first = open_window(path)
    say(qtbot, ready(qtbot, first), INSIDE)
    first.close()
    for _ in range(2):
        window = open_window(path)
        dock = ready(qtbot, window)
        qtbot.waitUntil(lambda dock=dock: len(dock.exchanges) >= 1, timeout=10_000)  # type: ignore[misc]
        assert LOST_TEXT not in words(dock)
        say(qtbot, dock, "Which rays escape?")  # so that the conversation is written again
        window.close()


def place_of(text: AnswerText, address: str) -> QPoint:
    """A place in the viewport where a link is."""
    shown = text.viewport().rect()
    places = (QPoint(x, y) for y in range(3, shown.height(), 6) for x in range(3, shown.width(), 4))
    return next(place for place in places if QUrl(text.anchorAt(place)) == QUrl(address))


def linked(text: AnswerText) -> set[str]:
    found, block = set(), text.document().begin()
    while block.isValid():
        for part in block.textFormats():
            if part.format.isAnchor():
                found.add(block.text()[part.start : part.start + part.length])
        block = block.next()
    return found


def test_names_in_an_answer_show_what_they_mean(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    rays = (
        "Inside it: R1, not R2 or R11. The Main Prism bends it; Main Prisms and Lamps do not."
        " [Elsewhere](file:///etc)"
    )
    dock.connect_model(
        ScriptedBackend([[call("find_rays_inside_glass_xml", glass_name="Main Prism")], rays])
    )
    dock.ask("Where?")
    qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    window.document.highlight(None)
    (text,) = dock.messages.findChildren(AnswerText)
    assert linked(text) == {"R1", "Main Prism", "Elsewhere"}
    found = window.document.session.answers["R1"]
    qtbot.wait(50)
    qtbot.mouseMove(text.viewport(), place_of(text, "rays:R1"))
    qtbot.waitUntil(lambda: window.selection.hovered is found)
    qtbot.mouseMove(text.viewport(), QPoint(1, text.height() - 2))
    qtbot.waitUntil(lambda: window.selection.hovered is None)
    camera = window.document.session.view.camera
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place_of(text, "rays:R1"))
    assert window.document.session.view.highlight is found
    assert window.document.session.view.camera == camera
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place_of(text, "rays:R1"))
    assert window.document.session.view.camera != camera
    prism = object_named(window.document.scene, "Main Prism")
    qtbot.mouseMove(text.viewport(), place_of(text, "object:Main%20Prism"))
    qtbot.waitUntil(lambda: window.canvas.hovered == prism.key)
    qtbot.mouseMove(text.viewport(), QPoint(1, text.height() - 2))
    qtbot.waitUntil(lambda: window.canvas.hovered is None)
    camera = window.document.session.view.camera
    for _ in range(2):
        assert window.document.session.view.camera == camera
        qtbot.mouseClick(
            text.viewport(), Qt.MouseButton.LeftButton, pos=place_of(text, "object:Main%20Prism")
        )
        assert window.selection.keys == {prism.key}
    assert window.document.session.view.camera != camera
    window.document.highlight(None)
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place_of(text, "rays:R1"))
    assert window.document.session.view.highlight is None, "its rays are of an earlier trace"


def test_a_name_of_any_characters_is_a_link(qtbot: Any, open_window: Open) -> None:
    window = open_window(prism_document())
    window.document.change(Set("Screen", {"name": "50% / #2?"}))
    dock = ready(qtbot, window)
    dock.connect_model(ScriptedBackend(["It meets 50% / #2? at last."]))
    dock.ask("Where?")
    qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
    (text,) = dock.messages.findChildren(AnswerText)
    assert linked(text) == {"50% / #2?"}
    qtbot.wait(50)
    place = next(QPoint(x, 8) for x in range(3, text.width()) if text.anchorAt(QPoint(x, 8)))
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.selection.keys == {object_named(window.document.scene, "50% / #2?").key}


def test_a_conversation_that_cannot_be_kept_is_told_once(
    qtbot: Any, open_window: Open, tmp_path: Path
) -> None:
    (tmp_path / "conversations").write_text("no folder")
    window = open_window(prism_document())
    dock = ready(qtbot, window)
    say(qtbot, dock, INSIDE)
    line = window.messages.error
    qtbot.waitUntil(line.isVisible)
    assert line.label.full_text.startswith("The conversation is not kept for the next start: ")
    assert str(tmp_path / "conversations") in line.label.full_text
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    say(qtbot, dock, INSIDE)
    assert not line.isVisible()
