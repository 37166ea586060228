"""The chat panel by keyboard and mouse, on a document alone: no main window, no network, no key."""

from __future__ import annotations

import dataclasses
import html
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel
from tests.messages_server import MessagesServer, refuse, say, use
from tests.open_prism import SEGMENTS, TOOLS, prism_session

from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.protocol import Backend
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.ray_filter_tools import ray_filter_tools
from raybench.analysis.answers.sections import Table, answer_sections
from raybench.scene.changes import Delete, Set, SetDocument
from raybench.scene.document import Document
from raybench.session import Session
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.agent.agent import Agent
from raybench_workbench.chat.answer_text import AnswerText
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.chat.help_list import HelpList
from raybench_workbench.chat.result_table import ResultTable
from raybench_workbench.document import Selection, WorkDocument

INSIDE = "find_rays_inside_glass_xml"
Open = Callable[..., ChatDock]
KEY = "sk-ant-secret-9876543210"


@pytest.fixture
def open_dock(qtbot: Any, raybench_app: QApplication) -> Iterator[Open]:
    docks: list[ChatDock] = []

    def open_(
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
        session: Session | None = None,
    ) -> ChatDock:
        dock = ChatDock(
            WorkDocument(session or prism_session()), Selection(), backend=backend, tools=tools
        )
        docks.append(dock)
        qtbot.addWidget(dock)
        dock.resize(300, 600)
        dock.show()
        qtbot.waitExposed(dock)
        dock.activateWindow()
        dock.composer.edit.setFocus()
        dock.agent.start()
        qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
        return dock

    yield open_
    for dock in docks:
        dock.close_agent()


def send(qtbot: Any, dock: ChatDock, text: str, wait: bool = True) -> None:
    qtbot.keyClicks(dock.composer.edit, text)
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    assert dock.busy
    if wait:
        qtbot.waitUntil(lambda: not dock.busy)


def cards(dock: ChatDock) -> list[ToolCard]:
    return dock.findChildren(ToolCard)


def words(dock: ChatDock) -> str:
    """Everything that can be read in the conversation."""
    parts = [label.text() for label in dock.messages.findChildren(QLabel)]
    return "\n".join(
        parts + [text.toPlainText() for text in dock.messages.findChildren(AnswerText)]
    )


def test_a_slash_command_shows_a_card_and_lights_the_rays(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    (card,) = cards(dock)
    assert card.sentence.full_text == "Rays inside Main Prism"
    assert card.mark.kind == "done"
    assert card.time.text().endswith(" ms")
    lit = dock._document.session.view.highlight
    assert lit is not None
    assert lit.rows.tolist() == [2, 4]
    assert "2 rays are inside Main Prism (R1)." in words(dock)
    assert f"Sources: {INSIDE}" in words(dock)
    assert dock.composer.edit.toPlainText() == ""


def test_a_filter_is_set_from_the_conversation_when_the_turn_is_over(
    qtbot: Any, open_dock: Open
) -> None:
    session = prism_session()
    dock = open_dock(tools=(*TOOLS, *ray_filter_tools()), session=session)
    send(qtbot, dock, "Show only rays with a power above 0.5")
    send(qtbot, dock, "/range_filter depth at_most=0")
    assert session.view.description(session.document) == "power > 0.5, depth ≤ 0"
    assert session.result is not None
    shown = session.view.visible_rows(session.result)
    assert shown is not None
    assert shown.tolist() == [0]
    send(qtbot, dock, "Show all rays")
    assert not session.view.has_ray_filter


def test_a_call_that_a_call_makes_stands_under_it(qtbot: Any, open_dock: Open) -> None:
    program = [call("run_program", code="scale(2.0)")]
    shown = tuple(dataclasses.replace(t, expose="both") for t in TOOLS)
    dock = open_dock(ScriptedBackend([program, "Done."]), (*shown, program_tool()))
    send(qtbot, dock, "Compute")
    outer, inner = dock.findChildren(ToolCard)
    assert (outer.started.tool, inner.started.tool, inner.started.within) == (
        "run_program",
        "scale",
        outer.started.id,
    )
    assert inner.mark.mapTo(dock, QPoint(0, 0)).x() > outer.mark.mapTo(dock, QPoint(0, 0)).x()


def test_a_kept_result_says_so_instead_of_a_time(qtbot: Any, open_dock: Open) -> None:
    tool = Tool.new(
        "count", (lambda: 5, {"signature": "() -> :int", "effect": "read", "cache": True})
    )
    dock = open_dock(ScriptedBackend([[call("count", "a"), call("count", "b")], "Five."]), (tool,))
    send(qtbot, dock, "How many?")
    first, second = cards(dock)
    assert first.time.text().endswith(" ms")
    assert second.time.text() == "kept"


def test_a_chip_puts_its_rays_out_and_lights_them_again(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    chip = cards(dock)[0].chip
    assert chip is not None
    assert chip.text() == "R1"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert dock._document.session.view.highlight is None
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert dock._document.session.view.highlight is chip.rays


def test_pointing_at_a_chip_previews_its_rays(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    chip = cards(dock)[0].chip
    assert chip is not None
    at = QPointF(2, 2)
    QApplication.sendEvent(chip, QEnterEvent(at, at, QPointF(chip.mapToGlobal(QPoint(2, 2)))))
    assert dock._selection.hovered is chip.rays
    QApplication.sendEvent(chip, QEvent(QEvent.Type.Leave))
    assert dock._selection.hovered is None


def test_a_chip_rests_while_the_scene_is_another_and_undo_wakes_it(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    chip = cards(dock)[0].chip
    assert chip is not None
    document = dock._document
    document.change(SetDocument(name="other"))
    assert not chip.isEnabled()
    assert "The scene has changed since" in chip.toolTip()
    document.undo()
    assert chip.isEnabled()


def test_a_card_opens_on_arguments_and_a_table_of_the_values(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    (card,) = cards(dock)
    assert card.detail is None
    card.header.setFocus()
    qtbot.keyClick(card.header, Qt.Key.Key_Return)
    assert card.detail is not None
    assert "<ray" not in card.detail.text
    (table,) = card.detail.tables
    cells, revision = table.cells, dock._document.document.revision
    assert [row[cells.headers.index("id")] for row in cells.rows] == [
        f"r{revision}-2",
        f"r{revision}-4",
    ]
    assert cells.numeric_columns[cells.headers.index("length")]
    assert "Main Prism" in card.detail.text
    table.selectRow(1)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert (
        QApplication.clipboard().text().splitlines()[1].split("\t")[cells.headers.index("id")]
        == f"r{revision}-4"
    )
    qtbot.mouseClick(card.header, Qt.MouseButton.LeftButton)
    assert card.detail is None


def test_a_card_shows_the_values_of_a_record_as_fields(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, "/fresnel_xml 1 1.5 0")
    (card,) = cards(dock)
    if card.detail is None:
        card.toggle()
    assert card.detail is not None
    texts = [label.text() for label in card.detail.findChildren(QLabel)]
    assert texts[texts.index("unpolarized") + 1] == "0.04"
    assert "Reflectance" in texts


def test_a_card_is_open_where_no_model_says_the_values(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, "/describe_scene_xml")
    (card,) = cards(dock)
    assert card.detail is not None
    assert "perimeter" in card.detail.text
    (answer,) = dock.messages.findChildren(AnswerText)
    assert answer.toPlainText().startswith("2 objects: Main Prism, Laser.")
    assert "\n" not in answer.toPlainText()


def test_a_wrong_name_is_answered_in_the_conversation(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    send(qtbot, dock, f"/{INSIDE} Nonexistent")
    assert cards(dock)[0].mark.kind == "failed"
    assert "No object named 'Nonexistent'. Named objects: ['Main Prism', 'Laser']" in words(dock)
    assert dock._document.session.view.highlight is None


def test_the_empty_panel_offers_questions_that_are_answered_when_clicked(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    assert dock.messages.questions[0].question == "Which rays are inside Main Prism?"
    assert len(dock.messages.questions) == 3
    button = dock.messages.questions[0]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dock.busy)
    assert "rays are inside Main Prism (R1)." in words(dock)
    assert dock.messages.questions == []


def test_the_offered_questions_follow_the_scene_until_a_message_is_sent(open_dock: Open) -> None:
    dock = open_dock()
    prism = dock._document.scene.objects[0]
    dock._document.change([Set(prism.key, {"name": "Wedge"}), Delete("Laser")])
    assert dock.messages.questions[0].question == "What is the refractive index of Wedge?"


def test_a_question_with_a_very_long_name_is_shortened_but_asked_whole(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    name = " ".join(["Prism & <Wedge>"] * 60)
    dock._document.change(Set(dock._document.scene.objects[0].key, {"name": name}))
    button, other = dock.messages.questions[:2]
    qtbot.waitUntil(lambda: button.isVisible() and button.text() != "")
    assert button.height() < 5 * other.fontMetrics().lineSpacing()
    assert name in html.unescape(button.toolTip())
    with qtbot.waitSignal(dock.messages.asked) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [f"Which rays are inside {name}?"]


def test_the_opening_text_is_read_from_its_beginning_where_there_is_little_room(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    bar = dock.messages.verticalScrollBar()
    dock.messages.setFixedHeight(60)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0
    dock.messages.add_status_line("The tools of the project are available.", "dim")
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)


def test_an_empty_scene_offers_no_questions(open_dock: Open) -> None:
    dock = open_dock(session=Session(Document()))
    assert dock.messages.questions == []
    assert "Open a scene" in words(dock)


def test_a_command_is_completed_and_then_the_name(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    qtbot.keyClicks(edit, "/inside")
    assert dock.composer.offered_completions == (f"/{INSIDE}",)
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.toPlainText() == f"/{INSIDE} "
    qtbot.keyClicks(edit, '"Ma')
    assert dock.composer.offered_completions == ('"Main Prism"',)
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.toPlainText() == f'/{INSIDE} "Main Prism" '
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dock.busy and bool(dock.exchanges))
    assert dock.exchanges[0].turn.outcomes[0].ok


def test_enter_sends_a_command_that_is_written_whole_though_others_contain_it(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    qtbot.keyClicks(edit, "/help")
    assert "/search_help" in dock.composer.offered_completions
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert dock.messages.findChildren(HelpList)


def test_help_is_a_list_that_is_searched_and_writes_the_command(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    qtbot.keyClicks(dock.composer.edit, "/help")
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    (help_list,) = dock.messages.findChildren(HelpList)
    assert len(help_list.names) > 20
    assert dock.exchanges == ()
    qtbot.keyClicks(help_list.search, "inside glass")
    assert INSIDE in help_list.names
    assert len(help_list.names) < 8
    qtbot.keyClicks(help_list.search, " xyzzy")
    assert help_list.names == []
    assert help_list.about.text() == "No command has these words."
    help_list.search.setText("rays")
    first, second, *_ = help_list.names
    qtbot.keyClick(help_list.search, Qt.Key.Key_Down)
    assert f"/{second}" in help_list.about.text()
    qtbot.keyClick(help_list.search, Qt.Key.Key_Up)
    qtbot.keyClick(help_list.search, Qt.Key.Key_Return)
    assert dock.composer.edit.toPlainText() == f"/{first} "
    assert dock.composer.edit.hasFocus()
    dock.ask("/help inside")
    dock.ask("/help fresnel")
    assert [
        shown.names for shown in dock.messages.findChildren(HelpList) if not shown.isHidden()
    ] == [["fresnel_xml"]]


def test_escape_closes_the_completions_and_enter_then_sends(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    qtbot.keyClicks(edit, "what about main pr")
    assert dock.composer.offered_completions[0] == "Main Prism"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert dock.composer.offered_completions == ()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert dock.busy
    qtbot.waitUntil(lambda: not dock.busy)
    assert dock.exchanges[0].question == "what about main pr"


def test_what_is_no_question_is_answered_with_questions_to_choose_from(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    for choose in ("click", "number", "key"):
        dock.ask("why is the prism dark")
        qtbot.waitUntil(lambda: not dock.busy)
        offered = dock.messages.offered
        assert [button.question for button in offered] == list(dock.exchanges[-1].turn.choices)
        assert len(offered) == 3
        assert not dock.exchanges[-1].turn.outcomes, "nothing runs unasked"
        assert offered[1].text().startswith("2.")
        second = offered[1].question
        if choose == "click":
            qtbot.mouseClick(offered[1], Qt.MouseButton.LeftButton)
        elif choose == "number":
            qtbot.keyClicks(edit, "2")
            qtbot.keyClick(edit, Qt.Key.Key_Return)
        else:
            edit.setFocus()
            qtbot.keyClick(edit, Qt.Key.Key_Tab)
            qtbot.keyClick(offered[1], Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not dock.busy)
        assert dock.exchanges[-1].question in (second, "2")
        assert dock.exchanges[-1].turn.outcomes[0].ok
        assert dock.messages.offered == []


def test_questions_that_fit_are_offered_while_one_types(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    qtbot.keyClicks(dock.composer.edit, "which rays are ins")
    question = "Which rays are inside Main Prism?"
    assert question in dock.composer.offered_completions
    dock.composer.list.setCurrentRow(dock.composer.offered_completions.index(question))
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    assert dock.composer.edit.toPlainText() == question
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(dock.exchanges) == 1)
    assert dock.exchanges[0].turn.outcomes[0].ok


def test_shift_enter_breaks_the_line_and_the_editor_grows(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    before = edit.height()
    qtbot.keyClicks(edit, "one")
    qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(edit, "two")
    assert edit.toPlainText() == "one\ntwo"
    assert not dock.busy
    assert edit.height() > before


def test_up_recalls_what_was_written_and_down_comes_back(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    for text in ("first", "second"):
        send(qtbot, dock, text)
    for key, expected in (
        (Qt.Key.Key_Up, "second"),
        (Qt.Key.Key_Up, "first"),
        (Qt.Key.Key_Up, "first"),
        (Qt.Key.Key_Down, "second"),
    ):
        qtbot.keyClick(edit, key)
        assert edit.toPlainText() == expected
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert edit.toPlainText() == ""


def test_send_becomes_stop_and_stop_ends_the_turn(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(
        ScriptedBackend(
            ["one two three four five six seven eight nine ten", "Here again."], pause=0.1
        ),
        TOOLS,
    )
    send(qtbot, dock, "Tell me.", wait=False)
    assert dock.composer.button.text() == "Stop"
    assert dock.composer.note.full_text == "Answering… Esc stops"
    qtbot.waitUntil(lambda: "one" in words(dock))
    qtbot.mouseClick(dock.composer.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dock.busy)
    assert dock.composer.button.text() == "Send"
    assert dock.composer.note.full_text == "Enter sends"
    assert "Stopped." in words(dock)
    assert "ten" not in words(dock)
    send(qtbot, dock, "And now?")
    assert "Here again." in words(dock)


def test_up_leaves_what_is_being_written(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    edit = dock.composer.edit
    send(qtbot, dock, "first")
    qtbot.keyClicks(edit, "a draft")
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert edit.toPlainText() == "a draft"


def test_a_message_sent_during_a_turn_waits_and_is_sent_after_it(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock(ScriptedBackend(["one two three", "four"], pause=0.1), TOOLS)
    send(qtbot, dock, "First.", wait=False)
    assert dock.composer.waiting.isHidden()
    qtbot.keyClicks(dock.composer.edit, "Second.")
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    assert dock.composer.edit.toPlainText() == ""
    assert dock.composer.waiting.full_text == "Next: Second."
    assert dock.composer.waiting.isVisible()
    qtbot.waitUntil(lambda: len(dock.exchanges) == 2)
    assert [e.question for e in dock.exchanges] == ["First.", "Second."]
    assert dock.composer.waiting.isHidden()


def test_a_waiting_message_can_be_taken_back_and_stop_gives_it_back(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock(ScriptedBackend(["one two three four five six"] * 2, pause=0.2), TOOLS)
    send(qtbot, dock, "First.", wait=False)
    edit = dock.composer.edit
    qtbot.keyClicks(edit, "Second.")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.mouseClick(dock.composer.edit_waiting, Qt.MouseButton.LeftButton)
    assert edit.toPlainText() == "Second."
    assert dock.composer.queue == []
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dock.busy)
    assert edit.toPlainText() == "Second."
    assert [e.question for e in dock.exchanges] == ["First."]


def test_escape_stops_a_tool_that_runs(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(ScriptedBackend([[call("slow", seconds=5.0)]]), TOOLS)
    send(qtbot, dock, "Go.", wait=False)
    qtbot.waitUntil(lambda: bool(cards(dock)))
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dock.busy, timeout=1000)
    assert cards(dock)[0].mark.kind == "stopped"


def test_stop_before_the_first_step_ends_the_turn_too(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(ScriptedBackend(["never"] * 20, pause=0.5), TOOLS)
    for _ in range(10):
        dock.ask("Go.")
        dock.stop()
        qtbot.waitUntil(lambda: not dock.busy, timeout=1000)


def test_a_question_waits_for_the_trace_of_the_scene_as_it_stands(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    document = dock._document
    document.change(SetDocument(name="other"))
    send(qtbot, dock, f'/{INSIDE} "Main Prism"', wait=False)
    qtbot.waitUntil(lambda: bool(cards(dock)))
    assert cards(dock)[0].time.text() == "waits for the trace"
    document.store_result(TraceResult.from_segments(SEGMENTS, revision=document.document.revision))
    qtbot.waitUntil(lambda: not dock.busy)
    assert dock.exchanges[0].turn.outcomes[0].ok


def test_a_scene_that_cannot_be_traced_is_an_answer(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    document = dock._document
    document.change(SetDocument(name="other"))
    document.traceFailed.emit("Tracing failed: too hot.")
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    assert "could not be traced. Tracing failed: too hot." in words(dock)


def test_another_error_meanwhile_does_not_end_the_wait_for_the_trace(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    document = dock._document
    document.change(SetDocument(name="other"))
    send(qtbot, dock, f'/{INSIDE} "Main Prism"', wait=False)
    qtbot.waitUntil(
        lambda: bool(cards(dock)) and cards(dock)[0].time.text() == "waits for the trace"
    )
    document.failed.emit("There are no objects to paste. Copy some first.")
    document.store_result(TraceResult.from_segments(SEGMENTS, revision=document.document.revision))
    qtbot.waitUntil(lambda: not dock.busy)
    assert dock.exchanges[0].turn.outcomes[0].ok


def test_what_the_model_writes_is_text_and_never_markup(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(ScriptedBackend(["**Bold** <b>tag</b> <rays count='2'>"]), TOOLS)
    send(qtbot, dock, "<i>Hello</i>")
    (answer,) = dock.messages.findChildren(AnswerText)
    assert answer.toPlainText() == "Bold <b>tag</b> <rays count='2'>"
    assert any(label.text() == "<i>Hello</i>" for label in dock.messages.findChildren(QLabel))


def test_the_view_follows_the_end_only_while_scrolled_to_the_end(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock(
        ScriptedBackend([f"Answer {i}.\n\n" + "line\n\n" * 30 for i in range(3)]), TOOLS
    )
    bar = dock.messages.verticalScrollBar()
    send(qtbot, dock, "One?")
    qtbot.waitUntil(lambda: bar.maximum() > 200 and bar.value() == bar.maximum())
    dock.ask("Two?")
    bar.setValue(10)
    qtbot.waitUntil(lambda: not dock.busy)
    qtbot.wait(50)
    assert bar.value() == 10


def test_opening_another_file_begins_another_conversation(
    qtbot: Any, open_dock: Open, tmp_path: Any
) -> None:
    dock = open_dock()
    send(qtbot, dock, "Hello")
    path = tmp_path / "mirror.json"
    path.write_text(
        '{"version": 5, "objs": [{"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y":'
        " 0}}]}"
    )
    assert dock._document.open(path)
    assert dock.exchanges == ()
    assert dock.messages.questions[0].question == "What are the edges of Mirror 1?"
    assert not [
        f
        for f in dock.messages.findChildren(QFrame)
        if f.property("role") == "user" and f.isVisible()
    ]


def test_a_model_is_connected_by_its_fields_and_answers(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(tools=TOOLS)
    with MessagesServer(
        [
            say("yes"),
            refuse(429, "rate_limit_error"),
            use(INSIDE, glass_name="Main Prism"),
            say("Two of them (R1)."),
        ]
    ) as server:
        strip = dock.strip
        assert strip.state.full_text == "Offline"
        qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
        strip.model.setCurrentText("some-model")
        qtbot.keyClicks(strip.url, server.url)
        qtbot.keyClicks(strip.key, KEY)
        qtbot.keyClick(strip.key, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: dock.agent.backend is not None, timeout=20_000)
        assert strip.form.isHidden()
        assert strip.state.full_text.startswith("some-model at 127.0.0.1")
        send(qtbot, dock, "Which rays are inside?")
        assert "Two of them (R1)." in words(dock)
        assert dock._document.session.view.highlight is not None
        assert "240 tokens" in dock.composer.note.full_text
        assert len(server.requests) == 4
        assert "Trying again" not in words(dock)
        send(qtbot, dock, f'/{INSIDE} "Main Prism"')
        assert len(server.requests) == 4
    assert KEY not in dock.transcript_markdown()
    assert KEY not in words(dock)


def test_a_model_without_tool_use_is_connected_and_its_written_calls_light_rays(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock()
    strip = dock.strip
    call = json.dumps({"tool": INSIDE, "args": {"glass_name": "Main Prism"}})
    with MessagesServer([say("yes"), say(call), say("Two rays.")], form="chat") as server:
        qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
        strip.model.setCurrentText("small-model")
        qtbot.keyClicks(strip.url, f"{server.url}/v1")
        strip.protocol.setFocus()
        qtbot.keyClick(strip.protocol, Qt.Key.Key_Down)
        qtbot.mouseClick(strip.test, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: strip.form.isHidden(), timeout=20_000)
        assert (
            strip.state.full_text
            == f"small-model at {server.url.removeprefix('http://')}, calls as text"
        )
        send(qtbot, dock, "Which rays are inside?")
    assert [card.mark.kind for card in cards(dock)] == ["done"]
    assert "Two rays." in words(dock)
    assert "Sources: find_rays_inside_glass_xml" in words(dock)
    assert '"tool"' not in words(dock)
    assert dock._document.session.view.highlight is not None


def test_a_model_that_cannot_be_reached_is_not_connected(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    with MessagesServer([refuse(401, "authentication_error")]) as server:
        qtbot.mouseClick(dock.strip.button, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(dock.strip.url, server.url)
        qtbot.mouseClick(dock.strip.test, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(dock.strip.result.text()), timeout=20_000)
    assert "asks for a key (401)" in dock.strip.result.text()
    assert dock.agent.backend is None


def test_a_busy_server_is_told_at_once_by_the_connection_test(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    with MessagesServer([refuse(529, "overloaded_error")]) as server:
        qtbot.mouseClick(dock.strip.button, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(dock.strip.url, server.url)
        qtbot.mouseClick(dock.strip.test, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(dock.strip.result.text()), timeout=20_000)
    assert "cannot answer now (overloaded). Test again in" in dock.strip.result.text()
    assert len(server.requests) == 1


def test_an_error_of_the_model_is_a_line_with_the_remedy(qtbot: Any, open_dock: Open) -> None:
    with MessagesServer([say("Half", fault="error")]) as server:
        dock = open_dock(AnthropicBackend("m", server.url, KEY, max_retries=0), TOOLS)
        send(qtbot, dock, "Hello?", wait=False)
        qtbot.waitUntil(lambda: not dock.busy, timeout=20_000)
    assert "broke off: Overloaded. Ask again." in words(dock)
    assert "Half" in words(dock)


def test_another_model_answers_from_the_next_turn_on(qtbot: Any, open_dock: Open) -> None:
    with (
        MessagesServer([say("one two three four five", pause=0.05)]) as first,
        MessagesServer([say("Another.")]) as second,
    ):
        dock = open_dock(AnthropicBackend("m", first.url, KEY))
        send(qtbot, dock, "Count.", wait=False)
        qtbot.waitUntil(
            lambda: "one" in words(dock), timeout=90_000
        )  # the first request loads the client's library
        dock.connect_model(AnthropicBackend("m", second.url, KEY))
        qtbot.waitUntil(lambda: not dock.busy)
        assert (dock.exchanges[-1].turn.answer, dock.exchanges[-1].turn.error) == (
            "one two three four five",
            "",
        )
        send(qtbot, dock, "Again.")
        assert dock.exchanges[-1].turn.answer == "Another."


def test_going_offline_stops_the_turn(qtbot: Any, open_dock: Open) -> None:
    with MessagesServer([say("Half a", fault="stall")]) as server:
        dock = open_dock(AnthropicBackend("m", server.url, KEY))
        send(qtbot, dock, "Count.", wait=False)
        qtbot.waitUntil(lambda: "Half a" in words(dock), timeout=90_000)
        dock.connect_model(None)
        qtbot.waitUntil(lambda: not dock.busy)
        assert dock.exchanges[-1].turn.stopped
        assert server.hung_up.wait(10)


def test_stop_ends_a_stalled_stream(qtbot: Any, open_dock: Open) -> None:
    with MessagesServer([say("Half a", fault="stall")]) as server:
        dock = open_dock(AnthropicBackend("m", server.url, KEY), TOOLS)
        send(qtbot, dock, "Hello?", wait=False)
        qtbot.waitUntil(
            lambda: "Half a" in words(dock), timeout=90_000
        )  # the first request loads the client's library
        qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not dock.busy, timeout=2000)
        assert server.hung_up.wait(2)


def test_an_empty_document_is_no_trouble(qtbot: Any, open_dock: Open) -> None:
    session = Session(Document())
    session.result = TraceResult.from_segments([], revision=session.document.revision)
    dock = open_dock(session=session)
    send(qtbot, dock, "Which rays are unpolarized?")
    assert "No ray has a degree of polarization of 0 to 0.1." in words(dock)


def test_a_new_conversation_begins_where_the_first_did(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock()
    assert dock.strip.renew.isHidden()
    send(qtbot, dock, "Hello")
    qtbot.mouseClick(dock.strip.renew, Qt.MouseButton.LeftButton)
    assert dock.exchanges == ()
    assert len(dock.messages.questions) == 3
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    assert len(dock.exchanges) == 1


def test_page_keys_scroll_the_conversation_from_the_editor(qtbot: Any, open_dock: Open) -> None:
    dock = open_dock(ScriptedBackend(["line\n\n" * 60]), TOOLS)
    bar = dock.messages.verticalScrollBar()
    send(qtbot, dock, "One?")
    qtbot.waitUntil(lambda: bar.maximum() > 200 and bar.value() == bar.maximum())
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_PageUp)
    assert bar.value() < bar.maximum()


def test_an_answer_about_nothing_is_given_at_once_where_nothing_was_traced(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock(session=Session(Document()))
    send(qtbot, dock, "Which rays are unpolarized?")
    assert "No ray has" in words(dock)


def test_the_death_of_the_agent_s_thread_is_reported_and_the_next_question_starts_another(
    qtbot: Any, open_dock: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    dock = open_dock()

    def strike(*_: object) -> None:
        raise KeyboardInterrupt("lightning")

    with monkeypatch.context() as broken:
        broken.setattr(Agent, "_begin_turn", strike)
        dock.ask("Which rays are inside Main Prism?")
        qtbot.waitUntil(lambda: not dock.busy, timeout=10_000)
    assert "The agent has stopped (KeyboardInterrupt: lightning). Ask again" in words(dock)
    dock.ask("Which rays are inside Main Prism?")
    qtbot.waitUntil(lambda: not dock.busy, timeout=20_000)
    assert f"Sources: {INSIDE}" in words(dock)


def test_a_table_of_an_answer_has_no_lines_and_its_columns_stand_apart(qtbot: Any) -> None:
    text = AnswerText()
    qtbot.addWidget(text)
    text.append_text("Orders:\n\n| order | angle |\n|---|---|\n| 0 | 20.7 |\n")
    text.finish()
    (table,) = text.document().rootFrame().childFrames()
    assert table.format().toTableFormat().border() == 0
    assert [
        table.cellAt(row, 1).format().toTableCellFormat().leftPadding() for row in range(2)
    ] == [2 * theme.GRID] * 2


def test_a_fault_of_a_backend_of_ones_own_ends_the_turn_in_a_line(
    qtbot: Any, open_dock: Open
) -> None:
    dock = open_dock(ScriptedBackend([["Half a", KeyError("choices")]]), TOOLS)
    send(qtbot, dock, "Hello?")
    assert "Half a" in words(dock)
    assert "scripted failed: KeyError: 'choices'. Try again, or connect another model." in words(
        dock
    )
    send(qtbot, dock, f'/{INSIDE} "Main Prism"')
    assert "2 rays are inside Main Prism (R1)." in words(dock)


def test_a_wide_line_of_an_answer_wraps(qtbot: Any) -> None:
    text = AnswerText()
    qtbot.addWidget(text)
    text.resize(200, 100)
    text.append_text("A table:\n\n```\n" + "column  " * 20 + "end\n```")
    text.finish()
    text.show()
    code = text.document().lastBlock()
    assert code.text().endswith("end")
    assert code.layout().lineCount() > 2


@pytest.mark.parametrize("word", ["x", "`", "[", "word "])
def test_a_reply_without_an_end_of_line_does_not_hold_the_window_up(
    qtbot: Any, open_dock: Open, word: str
) -> None:
    dock = open_dock(ScriptedBackend([["Half", "Whole"]]), TOOLS)
    send(qtbot, dock, "Hello?")
    *_, text = dock.messages.findChildren(AnswerText)
    text.append_text("\n\n" + word * (60_000 // len(word)))
    begun = time.thread_time()
    text.append_text("end")
    QApplication.processEvents()
    text.finish()
    QApplication.processEvents()
    assert time.thread_time() - begun < 5
    assert text.document().toPlainText().endswith("end")


@pytest.mark.security
def test_names_in_a_copied_table_are_cells_of_a_spreadsheet_and_no_formulas(
    qtbot: Any, raybench_app: QApplication
) -> None:
    cells = (("=1+1", -0.5), ("a\tb\n@c", 2.0))
    table = ResultTable(
        Table("", ("name", "power"), cells, ("", ""), (0, 0)), {}, {}, WorkDocument(), Selection()
    )
    qtbot.addWidget(table)
    table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    QApplication.clipboard().setText("before")
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "before", "no row is selected"
    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().split("\n") == [
        "name\tpower",
        "'=1+1\t-0.5",
        "a b @c\t2",
    ]
    assert table.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
    assert [action.text() for action in table.actions()] == ["Copy"]


def test_an_answer_without_rows_is_a_table_of_its_columns(
    qtbot: Any, raybench_app: QApplication
) -> None:
    (section,) = answer_sections({"columns": ["power", "length"], "row": []})
    assert isinstance(section, Table)
    table = ResultTable(section, {}, {}, WorkDocument(), Selection())
    qtbot.addWidget(table)
    assert (table.model().columnCount(), table.model().rowCount()) == (2, 0)


@pytest.mark.parametrize(
    "reply",
    [
        "1." + " " * 79_000 + "x",
        "```\n" + "\t" * 79_000 + "x",
        "1. " * 26_000 + "x",
        "+ " * 39_000 + "x",
        ("1. " * 7 + "x\n") * 2000,
        "- a\n\n" * 1000,
    ],
)
@pytest.mark.security
def test_a_reply_of_lists_within_lists_or_of_blanks_is_shown_at_once(
    qtbot: Any, reply: str
) -> None:
    text = AnswerText()
    qtbot.addWidget(text)
    text.resize(300, 300)
    begun = time.thread_time()
    text.append_text(reply)
    text.finish()
    text.grab()
    assert time.thread_time() - begun < 10
    assert ("x" if "x" in reply else "a") in text.document().toPlainText()


@pytest.mark.parametrize(("columns", "rows"), [(30, 200), (3000, 1)])
def test_a_reply_of_a_wide_table_is_shown_soon(qtbot: Any, columns: int, rows: int) -> None:
    text = AnswerText()
    qtbot.addWidget(text)
    text.resize(300, 300)
    begun = time.thread_time()
    text.append_text(
        "| a " * columns + "|\n" + "|---" * columns + "|\n" + ("|x7 " * columns + "|\n") * rows
    )
    text.finish()
    text.grab()
    assert time.thread_time() - begun < 5
    assert "x7" in text.document().toPlainText()


@pytest.mark.parametrize("piece", ["| 1 | 2 |\n", "# a\n", "- a\n", "a [b](c) *d*", "> a"])
@pytest.mark.security
def test_a_reply_as_long_as_a_book_is_shown_in_part_and_says_so(qtbot: Any, piece: str) -> None:
    text = AnswerText()
    qtbot.addWidget(text)
    text.resize(300, 300)
    begun = time.thread_time()
    text.append_text("| a | b |\n|---|---|\n")
    for _ in range(40):
        text.append_text(piece * (100_000 // len(piece)))
    text.finish()
    text.grab()
    assert time.thread_time() - begun < 5
    assert (
        text.document()
        .toPlainText()
        .endswith("more letters. Export the conversation to read them.")
    )


def test_what_no_tool_said_goes_back_once_and_is_marked_if_it_stays(
    qtbot: Any, open_dock: Open
) -> None:
    found = call(INSIDE, glass_name="Main Prism")
    wrong, right = "There are 5 rays (R9).", "There are **2** rays (R1)."
    dock = open_dock(
        ScriptedBackend([[found], wrong, right, "5 rays, as I said.", "Still 5 rays."])
    )
    send(qtbot, dock, "How many?")
    line = "A first answer was sent back to the model: no tool said 5; R9 does not exist."
    hidden, shown = dock.messages.findChildren(AnswerText)
    assert (hidden.isVisible(), shown.toPlainText()) == (False, "There are 2 rays (R1).")
    assert line in words(dock)
    assert "Not supported" not in words(dock)
    number = shown.document().find("2").charFormat()
    assert number.toolTip() == f"{INSIDE}: Main Prism (R1)"
    assert number.anchorHref() == "rays:R1"
    assert [part for part in dock.exchanges[-1].parts if isinstance(part, str)] == [right]
    send(qtbot, dock, "Sure?")
    marked = dock.messages.findChildren(AnswerText)[-1]
    assert marked.toPlainText() == "Still 5 rays."
    form = marked.document().find("5").charFormat()
    assert form.underlineStyle() == form.UnderlineStyle.WaveUnderline
    assert form.toolTip() == "No tool said 5"
    assert "Not supported: no tool said 5." in words(dock)
