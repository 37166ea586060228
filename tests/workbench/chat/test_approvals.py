"""What the agent may do, in the real window: cards, ghosts, one undo step, and a turn that is taken
back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clipped_texts import clipped
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from shiboken6 import isValid
from tests.workbench.prism_window import prism_document
from window_state import select

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.project_code import read_project_code
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.scene.changes import Move, Set
from raybench.scene.names import object_named
from raybench_workbench import theme
from raybench_workbench.chat.cards import ApprovalCard, ToolCard
from raybench_workbench.chat.result_view import PictureView
from raybench_workbench.chat.turns import TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled, widget_picture

LEFT = Qt.MouseButton.LeftButton
CHANGES = [{"set": "Main Prism", "refIndex": 1.7}, {"move": "Screen", "dx": 30}]
Open = Callable[..., MainWindow]


@pytest.fixture
def ask(qtbot: Any, open_window: Any) -> Callable[..., MainWindow]:
    """A window whose scripted model was asked something."""

    def ask_(
        replies: list[Any], profile: str = "ask", tools: tuple[Tool, ...] = (), pause: float = 0.0
    ) -> MainWindow:
        window: MainWindow = open_window(prism_document())
        dock = window.chat_dock
        dock.agent.start()
        qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
        if tools:
            registry = ToolRegistry((*agent_tools(), *tools))

            def offer() -> None:
                dock.agent._current_conversation.registry = registry

            # in the agent's thread, since that may switch to another conversation meanwhile
            dock.agent._thread.post(offer)
        dock.connect_model(ScriptedBackend(replies, pause))
        dock.composer.profile.setCurrentIndex(dock.composer.profile.findData(profile))
        send(qtbot, window, "Do it.")
        return window

    return ask_


def send(qtbot: Any, window: MainWindow, text: str) -> None:
    edit = window.chat_dock.composer.edit
    edit.setFocus()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.chat_dock.busy


def over(qtbot: Any, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=20_000)


def card_of(qtbot: Any, window: MainWindow) -> ApprovalCard:
    """The open card, when it is there."""
    found: list[ApprovalCard] = []

    def there() -> bool:
        found[:] = [c for c in window.chat_dock.messages.findChildren(ApprovalCard) if c.open]
        return bool(found)

    qtbot.waitUntil(there, timeout=20_000)
    return found[-1]


def told(window: MainWindow) -> str:
    """The results that the model was told in the last request."""
    backend = window.chat_dock.agent.backend
    assert isinstance(backend, ScriptedBackend)
    return str(backend.requests[-1][-1]["content"])


def post(text: str) -> str:
    """Post a text."""
    return f"posted {text}"


@pytest.mark.parametrize("pressed", ["once", "always", "deny", "reason"])
def test_the_keyboard_is_in_the_message_field_after_a_card_is_answered_and_a_turn_reverted(
    qtbot: Any, ask: Open, pressed: str
) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done."])
    select(window, "Main Prism")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    dock = window.chat_dock
    assert [chip.text() for chip in dock.context.chips] == ["Main Prism ×"], (
        "there is another place for the focus"
    )
    part = getattr(card_of(qtbot, window), pressed)
    part.setFocus()
    qtbot.keyClick(part, Qt.Key.Key_Return if pressed == "reason" else Qt.Key.Key_Space)
    assert dock.composer.edit.hasFocus()
    over(qtbot, window)
    for edits in dock.messages.findChildren(TurnEdits):
        edits.button.setFocus()
        qtbot.keyClick(edits.button, Qt.Key.Key_Space)
        assert dock.composer.edit.hasFocus()
    dock.composer.profile.setFocus()
    dock.hide()
    assert not dock.composer.edit.hasFocus()


def test_an_edit_is_asked_about_with_values_before_and_after_and_a_ghost(
    qtbot: Any, ask: Open
) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done."])
    card = card_of(qtbot, window)
    before = window.document.document
    assert card.rows == [
        ("Main Prism", ""),
        ("refractive index", "1.5 → 1.7"),
        ("Screen moved by (30, 0) mm", ""),
        ("first end", "(400, 100) → (430, 100) mm"),
        ("second end", "(400, 400) → (430, 400) mm"),
    ]
    assert window.chat_dock.composer.note.full_text == "Waits for your answer"
    edit = window.selection.proposed_edit
    assert edit is not None
    assert edit.before is before
    wait_until_settled(window)
    at = window.canvas.camera.to_screen(object_named(edit.after.scene, "Screen").p1).toPoint()  # type: ignore[attr-defined]
    accent = theme.current_theme().color("accent").rgb()

    def ghostly() -> bool:
        image = widget_picture(window.canvas)
        return any(
            image.pixel(at.x() + dx, at.y() + dy) == accent
            for dx in range(-3, 4)
            for dy in range(4, 60)
        )

    assert ghostly()
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert window.selection.proposed_edit is None
    assert not ghostly() or window.document.document is not before
    assert object_named(window.document.scene, "Main Prism").ref_index == 1.7  # type: ignore[attr-defined]
    assert not card.once.isVisible()
    assert (
        card.outcome.full_text
        == "Allowed: Main Prism: refractive index 1.5 -> 1.7, Screen moved by (30, 0) mm"
    )
    window.document.undo()
    assert window.document.document is before, "one step of the history"


def test_an_open_card_and_its_ghost_follow_what_the_person_does_meanwhile(
    qtbot: Any, ask: Open
) -> None:
    measures = "centre_x(Screen); centre_y(Screen)"
    asked = call("change_scene", changes=[{"move": "Screen", "dx": 30}], measures=measures)
    window = ask([[asked], "Done."])
    card = card_of(qtbot, window)
    window.document.change(Move("Screen", 0, 50))
    assert ("first end", "(400, 150) → (430, 150) mm") in card.rows
    proposed = window.selection.proposed_edit
    assert proposed is not None
    assert proposed.before is window.document.document
    assert object_named(proposed.after.scene, "Screen").p1 == (430, 150)  # type: ignore[attr-defined]
    select(window, "Screen")
    window.actions_by_id["edit.delete"].trigger()
    assert window.selection.proposed_edit is None
    assert card.obstacle.isVisible()
    assert "Screen" in card.obstacle.text()
    assert not card.once.isEnabled()
    window.actions_by_id["edit.undo"].trigger()
    assert not card.obstacle.isVisible()
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert object_named(window.document.scene, "Screen").p1 == (430, 150)  # type: ignore[attr-defined]
    assert card.outcome.full_text == "Allowed: Screen moved by (30, 0) mm"
    assert "centre_x(Screen): 400 -> 430 mm (+30, +7.5 %). centre_y(Screen): 250 -> 300" in told(
        window
    )


def test_names_without_a_space_are_read_whole_in_the_card_and_below_the_answer(
    qtbot: Any, ask: Open
) -> None:
    name = "Plano-convex_lens_of_the_catalogue_2026_coated"
    renamed = [{"set": "Main Prism", "name": name}, {"move": "Screen", "dx": 30}]
    window = ask(
        [
            [
                call("change_scene", changes=renamed),
                call("change_scene", id="c2", changes=[{"move": name, "dx": 5}]),
            ],
            "Done.",
        ]
    )
    for _ in range(2):
        card = card_of(qtbot, window)
        wait_until_settled(window)
        assert clipped(card.body) == []
        qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    wait_until_settled(window)
    (edits,) = window.chat_dock.messages.findChildren(TurnEdits)
    assert name in edits.text.text()
    assert clipped(edits) == []


def test_coordinates_of_many_digits_are_read_whole_in_the_card(qtbot: Any, ask: Open) -> None:
    change = {"move": "Screen", "dx": -1234.56, "dy": -2345.67}
    window = ask([[call("change_scene", changes=[change])], "Done."])
    card = card_of(qtbot, window)
    assert ("first end", "(400, 100) → (-834.56, -2245.67) mm") in card.rows
    wait_until_settled(window)
    assert clipped(card.body) == []
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)


def test_a_change_in_plain_words_without_a_model_is_asked_about_too(
    qtbot: Any, open_window: Any
) -> None:
    window = open_window(prism_document())
    window.chat_dock.agent.start()
    qtbot.waitUntil(lambda: len(window.chat_dock.composer.commands) > 1)
    before = window.document.document
    send(qtbot, window, "rotate the prism by 7 degrees clockwise")
    card = card_of(qtbot, window)
    assert card.rows[0] == ("Main Prism turned by 7° clockwise", "")
    assert window.document.document is before
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert window.document.session.history.undo_text == "Main Prism turned by 7° clockwise"


def test_an_undo_by_the_agent_is_asked_about_with_values_before_and_after(
    qtbot: Any, ask: Open
) -> None:
    window = ask(
        [[call("change_scene", changes=CHANGES[:1]), call("undo_edits", id="c2")], "Done."]
    )
    qtbot.mouseClick(card_of(qtbot, window).once, LEFT)
    card = card_of(qtbot, window)
    assert card.rows == [
        ("Undo: Main Prism: refractive index 1.5 -> 1.7", ""),
        ("refractive index", "1.7 → 1.5"),
    ]
    qtbot.mouseClick(card.deny, LEFT)
    over(qtbot, window)
    assert object_named(window.document.scene, "Main Prism").ref_index == 1.7  # type: ignore[attr-defined]


def test_undo_in_the_empty_message_takes_the_change_back(qtbot: Any, open_window: Any) -> None:
    window = open_window(prism_document())
    path = window.document.scene.objects[1].path
    send(qtbot, window, "turn Main Prism by 5 deg")
    qtbot.mouseClick(card_of(qtbot, window).once, Qt.MouseButton.LeftButton)
    over(qtbot, window)
    edit = window.chat_dock.composer.edit
    edit.setFocus()
    qtbot.keyClicks(edit, "why")
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert edit.toPlainText() == ""
    assert window.document.scene.objects[1].path != path, "what is typed is undone first"
    edit.clear()
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.scene.objects[1].path == path


def test_the_ghost_of_a_question_stays_while_the_call_of_a_program_ends(
    qtbot: Any, ask: Open
) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done."])
    card = card_of(qtbot, window)
    own = window.selection.proposed_edit
    assert own is not None
    of_program = window.chat_dock._new_turn_cards()
    of_program.close_cards()
    assert window.selection.proposed_edit is own
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert window.selection.proposed_edit is None


def test_an_open_card_and_its_ghost_look_as_they_did(qtbot: Any, ask: Open, shots: Any) -> None:
    changes = [{"rotate": "Main Prism", "by": 7}, *CHANGES[:1], {"delete": "Screen"}]
    window = ask(
        [["A denser glass bends the light more.", call("change_scene", changes=changes)], "Done."]
    )
    assert len(card_of(qtbot, window).rows) == 5
    wait_until_settled(window)
    shots(window.chat_dock, "chat-approval")
    shots(window.canvas, "canvas-proposal")
    qtbot.mouseClick(window.chat_dock.composer.button, LEFT)
    over(qtbot, window)


def test_what_is_declined_is_not_done_and_the_model_is_told_why(qtbot: Any, ask: Open) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "I see."])
    before = window.document.document
    card = card_of(qtbot, window)
    qtbot.keyClicks(card.reason, "the glass is ordered")
    qtbot.keyClick(card.reason, Qt.Key.Key_Return)
    over(qtbot, window)
    assert window.document.document is before
    assert "the user declined. The reason given: the glass is ordered" in told(window)
    assert window.selection.proposed_edit is None


def test_a_tool_may_be_allowed_for_a_conversation_and_a_new_one_asks_again(
    qtbot: Any, ask: Open
) -> None:
    edit = [call("change_scene", changes=[{"move": "Screen", "dx": 1}])]
    window = ask([edit, "Done.", edit, "Done.", edit, "Done."])
    qtbot.mouseClick(card_of(qtbot, window).always, LEFT)
    over(qtbot, window)
    send(qtbot, window, "Again.")
    over(qtbot, window)
    assert len(window.document.session.history.done) == 2
    qtbot.mouseClick(window.chat_dock.strip.renew, LEFT)
    send(qtbot, window, "Again.")
    qtbot.mouseClick(card_of(qtbot, window).deny, LEFT)
    over(qtbot, window)
    assert len(window.document.session.history.done) == 2


@pytest.mark.parametrize("effect", ["external", "destructive"])
def test_what_reaches_outside_can_be_allowed_in_the_window_whatever_else_is_automatic(
    qtbot: Any, ask: Open, effect: str
) -> None:
    tool = Tool.new("post", (post, {"effect": effect}))
    window = ask([[call("post", text="hello")], "Done."], "auto", (tool,))
    card = card_of(qtbot, window)
    assert card.rows == [("text", "hello")]
    assert card.title.text().startswith("Run post?")
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert "posted hello" in told(window)


def test_read_only_refuses_and_automatic_edits_without_a_question(qtbot: Any, ask: Open) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "No."], "read-only")
    over(qtbot, window)
    assert "this turn is read-only" in told(window)
    assert window.document.session.history.done == []
    window = ask(
        [
            [
                call("change_scene", "a", changes=CHANGES),
                call("change_scene", "b", changes=CHANGES[1:]),
            ],
            "Done.",
        ],
        "auto",
    )
    over(qtbot, window)
    assert len(window.document.session.history.done) == 1
    assert window.chat_dock.messages.findChildren(ApprovalCard) == []


def test_stop_closes_the_card_and_nothing_is_applied_afterwards(qtbot: Any, ask: Open) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done."])
    card = card_of(qtbot, window)
    qtbot.keyClick(window.chat_dock.composer.edit, Qt.Key.Key_Escape)
    over(qtbot, window)
    assert not card.open
    assert window.selection.proposed_edit is None
    assert window.document.session.history.done == []


def test_an_edit_that_is_under_way_when_stop_is_pressed_is_not_applied(
    qtbot: Any, ask: Open
) -> None:
    """The edit waits in the queue of the window's thread, which is busy with the click on Stop."""
    ready, go = threading.Event(), threading.Event()

    @tool_context
    def late(ctx: ToolContext) -> str:
        """Wait, then edit."""
        ready.set()
        go.wait(10)
        import asyncio

        return str(
            asyncio.run_coroutine_threadsafe(
                ctx.opened.apply([Move("Screen", dx=5)], ctx.turn), ctx.loop
            ).result()
        )  # type: ignore[arg-type]

    tool = Tool.new("late", (late, {"effect": "edit"}))
    window = ask([[call("late")], "Done."], "auto", (tool,))
    qtbot.waitUntil(ready.is_set)
    before = window.document.document
    go.set()
    time.sleep(0.3)  # the window's thread is held: the edit is posted meanwhile
    window.chat_dock.stop()
    over(qtbot, window)
    qtbot.wait(300)
    assert window.document.document is before


@pytest.mark.parametrize("times", [1, 3])
def test_an_edit_that_is_made_as_stop_is_pressed_is_reported_to_the_model(
    qtbot: Any, ask: Open, times: int
) -> None:
    window = ask([[call("change_scene", changes=CHANGES[1:])], "Done.", "I know."], "auto")
    dock = window.chat_dock
    window.document.changed.connect(lambda *_: [dock.stop() for _ in range(times) if dock.busy])
    over(qtbot, window)
    (step,) = window.document.session.history.done
    dock.ask("And now?")
    over(qtbot, window)
    backend = dock.agent.backend
    assert isinstance(backend, ScriptedBackend)
    results = [
        b["content"]
        for m in backend.requests[-1]
        for b in m["content"]
        if b["type"] == "tool_result"
    ]
    assert results == [f"cancelled by the user. These edits were made before: {step.text}."]


def test_a_turn_is_reverted_object_by_object_and_the_model_is_told(qtbot: Any, ask: Open) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done.", "I know."], "auto")
    over(qtbot, window)
    before = window.document.session.history.done[0].before
    window.document.change(Set("Screen", {"p1.x": 500}))
    (edits,) = window.chat_dock.messages.findChildren(TurnEdits)
    assert (
        edits.text.text()
        == "Changed: Main Prism: refractive index 1.5 -> 1.7, Screen moved by (30, 0) mm"
    )
    qtbot.mouseClick(edits.button, LEFT)
    scene = window.document.scene
    assert object_named(scene, "Main Prism") == object_named(before.scene, "Main Prism")
    assert object_named(scene, "Screen").p1.x == 500  # type: ignore[attr-defined]
    assert "Not reverted, since changed in the meantime: Screen." in edits.text.text()
    assert window.document.session.history.undo_text.startswith("Reverted: ")
    window.document.undo()
    assert edits.text.text().startswith("Changed: ")
    assert edits.button.isVisible()
    window.document.redo()
    qtbot.mouseClick(edits.button, LEFT)
    send(qtbot, window, "What now?")
    over(qtbot, window)
    assert "The person took back what you changed: Main Prism" in told(window)
    assert "Changed since your last answer, not by you" in told(window)


def test_a_turn_after_which_nothing_happened_is_reverted_as_undo_does_and_its_view_goes_back(
    qtbot: Any, ask: Open
) -> None:
    calls = [
        call("range_filter", "a", quantity="power", at_least=0.1),
        call("change_scene", "b", changes=CHANGES),
    ]
    window = ask([calls, "Done."], "auto")
    over(qtbot, window)
    session = window.document.session
    assert session.view.has_ray_filter
    before = session.history.done[0].before
    (edits,) = window.chat_dock.messages.findChildren(TurnEdits)
    qtbot.mouseClick(edits.button, LEFT)
    assert window.document.document is before, "its answers are good again"
    assert not session.view.has_ray_filter
    window.document.redo()
    assert object_named(window.document.scene, "Main Prism").ref_index == 1.7  # type: ignore[attr-defined]


def test_undo_by_hand_shows_that_the_turn_is_undone(qtbot: Any, ask: Open) -> None:
    window = ask([[call("change_scene", changes=CHANGES)], "Done."], "auto")
    over(qtbot, window)
    (edits,) = window.chat_dock.messages.findChildren(TurnEdits)
    window.document.undo()
    assert edits.text.text().startswith("Undone: ")
    assert not edits.button.isEnabled()
    window.document.redo()
    assert edits.button.isEnabled()


def test_what_the_person_changed_since_the_model_read_it_is_an_error_that_says_so(
    qtbot: Any, ask: Open
) -> None:
    reply = [call("read_objects", names=["Main Prism"])]
    change = [call("change_scene", changes=[{"set": "Main Prism", "refIndex": 1.7}])]
    window = ask(
        [["Let me look. " * 4, *reply], ["Now then, " * 12, *change], change, "Done."],
        "auto",
        pause=0.05,
    )
    qtbot.waitUntil(
        lambda: (
            (turn := window.chat_dock.turn) is not None
            and bool(turn.cards.calls)
            and "Now" in turn.text
        ),
        timeout=20_000,
    )
    window.document.change(Set("Main Prism", {"refIndex": 1.6}))
    over(qtbot, window)
    outcomes = window.chat_dock.exchanges[-1].turn.outcomes
    assert [o.ok for o in outcomes] == [True, False, True]
    assert (
        "the person has edited these objects since you last read them: 'Main Prism' refractive"
        " index 1.5 -> 1.6" in outcomes[1].text
    )


def _answers(window: MainWindow) -> str:
    from raybench_workbench.chat.answer_text import AnswerText

    return "".join(text.text_so_far for text in window.chat_dock.messages.findChildren(AnswerText))


def test_the_agent_points_at_the_canvas_and_sees_it(qtbot: Any, ask: Open) -> None:
    calls = [
        call("select_objects", "a", names=["Screen"]),
        call("find_rays_inside_glass_xml", "b", glass_name="Main Prism"),
        call("highlight_rays", "c", rays=["R1"]),
        call("zoom_to", "d", names=["Main Prism"]),
        call("look_at_canvas", "e", width=256),
    ]
    window = ask([calls, "There."], "read-only")
    over(qtbot, window)
    outcomes = window.chat_dock.exchanges[-1].turn.outcomes
    assert [o.text for o in outcomes if not o.ok] == []
    screen = object_named(window.document.scene, "Screen")
    assert window.selection.keys == {screen.key}
    view = window.document.session.view
    assert view.highlight is not None
    assert view.highlight.name == "R1"
    assert view.camera is not None
    assert view.camera[0] < 100 < 300 < view.camera[0] + view.camera[2]
    shown = outcomes[-1].picture
    assert shown is not None
    assert shown.png.startswith(b"\x89PNG")
    assert shown.about["highlighted"] == "R1"
    card = window.chat_dock.messages.findChildren(ToolCard)[-1]
    card.toggle()
    assert card.detail is not None
    (seen,) = card.detail.findChildren(PictureView)
    assert seen.pixels.width() == 256
    talk = window.chat_dock.messages
    qtbot.waitUntil(lambda: 0 < seen.width() <= talk.viewport().width())
    inner = talk.widget()
    assert inner is not None
    assert inner.width() <= talk.viewport().width()
    assert '"type": "image"' in told(window).replace("'", '"')


def test_a_project_whose_code_does_not_return_holds_no_conversation(
    qtbot: Any, ask: Open, tmp_path: Path
) -> None:
    (tmp_path / "tools.py").write_text("import time\ntime.sleep(12)\n")
    window = ask(["First.", "Second."])
    over(qtbot, window)
    digest = read_project_code(tmp_path).digest
    window.chat_dock.agent.open_project(tmp_path, digest)
    begun = time.monotonic()
    send(qtbot, window, "Still there?")
    over(qtbot, window)
    assert time.monotonic() - begun < 10
    assert "Second." in _answers(window)


def test_a_card_that_waits_stays_however_many_calls_of_programs_are_shown_meanwhile(
    qtbot: Any, ask: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raybench_workbench.chat.message_list.MAX_GROUPS", 4)
    window = ask([[call("change_scene", changes=CHANGES)], "Done."])
    card, messages = card_of(qtbot, window), window.chat_dock.messages

    def shown_by_others() -> None:
        for i in range(8):
            messages.begin_group_without_question()
            messages.add_status_line(f"Call {i}", "dim")
        qtbot.wait(20)

    shown_by_others()
    assert isValid(card)
    assert "Do it." in [label.text() for label in messages.findChildren(QLabel)]
    qtbot.mouseClick(card.once, LEFT)
    over(qtbot, window)
    assert object_named(window.document.scene, "Main Prism").ref_index == 1.7  # type: ignore[attr-defined]
    shown_by_others()
    assert not isValid(card)
    assert messages.hidden == 1
