"""Conversations as Markdown."""

from __future__ import annotations

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import Exchange, transcript_markdown

TURNED = ToolOutcome("change_scene", {"by": 7}, "Done", True, None, 2.0, "Rotate Prism", "", "")


def passages(exchange: Exchange) -> list[str]:
    return transcript_markdown([exchange]).split("\n\n")[2:]


def test_texts_and_calls_are_in_their_order() -> None:
    turn = TurnFinished("It is turned.", outcomes=(TURNED, TURNED))
    said = passages(Exchange("Turn it.", turn, ("I turn ", "it.", TURNED, TURNED, "It is turned.")))
    call = "- ✓ Rotate Prism (2.0 ms) `change_scene(by=7)`"
    assert said == ["I turn it.", f"{call}\n{call}", "It is turned.", "Sources: change_scene\n"]


def test_what_was_found_without_an_answer_comes_before_the_error() -> None:
    turn = TurnFinished("Found so far:\n- Done", outcomes=(TURNED,), error="No answer.")
    said = passages(Exchange("Turn it.", turn, ("I turn it.", TURNED)))
    assert said[0] == "I turn it."
    assert said[2:] == ["Found so far:\n- Done", "Sources: change_scene", "**No answer.**\n"]


def test_an_answer_alone_is_there_once() -> None:
    assert passages(Exchange("Turn it.", TurnFinished("Done."))) == ["Done.\n"]
    assert passages(Exchange("Turn it.", TurnFinished("Do", stopped=True), ("Do",))) == [
        "Do",
        "*Stopped.*\n",
    ]
