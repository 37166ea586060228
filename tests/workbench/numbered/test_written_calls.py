"""Strict calls and bounded turns of models without tool use (SEED2), by ``raybench ask --protocol
text`` with a project's tools.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from typing import Any

import pytest
from tests.messages_server import MessagesServer, Reply, say
from tests.workbench.numbered.conftest import Commands

TOOLS = '''
import time

_given = []


@tool_options(effect="read")
def search(query: str, most: int = 5, scale: float = 1.0, whole: bool = False, about: dict | None = None, tags: list | None = None) -> str:
    """Search."""
    _given.append((query, most, scale, whole, about, tags))
    return json_of(_given[-1])


def json_of(values) -> str:
    import json
    return json.dumps(values)


@tool_options(effect="read")
def fail() -> str:
    """Fail."""
    raise ValueError("no index")


@tool_options(effect="read", timeout_s=0.2)
def slow() -> str:
    """Take long."""
    time.sleep(2)
    return "late"


@tool_options(effect="read")
def long() -> list[str]:
    """Tell much."""
    return ["word " * 300] * 50


@tool_options(effect="read")
def sleep() -> str:
    """Block."""
    time.sleep(60)
    return "late"
'''


def written(tool: str, **args: Any) -> str:
    return json.dumps({"tool": tool, "args": args})


class Asked:
    """A question to a model that gives these replies: what the command told, and the texts that the
    model was asked with.
    """

    def __init__(self, commands: Commands, *replies: str, question: str = "What is there?") -> None:
        commands.project(TOOLS)
        with MessagesServer([say(text) for text in replies], form="chat") as server:
            given = ["--protocol", "text", "--base-url", server.url, "--json"]
            status, out, err = commands("ask", str(commands.scene), question, *given)
        assert status == 0, err
        self.told = json.loads(out)
        self.prompts = [str(request["messages"][-1]["content"]) for request in server.requests]
        self.system = str(server.requests[0]["messages"][0]["content"])

    @property
    def results(self) -> list[tuple[bool, str]]:
        return [(call["ok"], call["result"]) for call in self.told["tool_calls"]]


def test_seed2_1_and_14_what_a_tool_takes_is_told_in_the_text(commands: Commands) -> None:
    asked = Asked(commands, "Nothing.")
    for name in ("search_help(query :string", "look_at_canvas(", ", system_stats, "):
        assert name in asked.system
    assert (
        "search(query :string, most :int?, scale :float?, whole :bool?, about :map?, tags [:any]?)"
        in asked.system
    )


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (f"[{written('search', query='a')}]", "Payload must be an object"),
        ('{"tool": "search"}', "exactly 'tool' and 'args' keys"),
        ('{"tool": "search", "args": {}, "why": 1}', "exactly 'tool' and 'args' keys"),
        ('{"tool": 5, "args": {}}', "'tool' must be a string"),
        (written("serch"), "Unknown tool 'serch'"),
        ('{"tool": "search", "args": [1]}', "'args' must be an object"),
        (written("search", query=5), "query must be string"),
        (written("search", query="a", most="5"), "most must be int"),
        (written("search", query="a", most=True), "most must be int"),
        (written("search", query="a", most=20.5), "most must be int"),
        (written("search", query="a", scale=True), "scale must be float"),
        (written("search", query="a", whole=1), "whole must be bool"),
        (written("search", query="a", most=None), "most must be int"),
        (written("search", query="a", about=[1]), "about must be object"),
        (written("search", query="a", tags={}), "tags must be array"),
        (written("search"), "Missing required arg 'query'"),
    ],
)
def test_seed2_2_to_10_14_and_25_an_invalid_call_is_corrected_once(
    reply: str, fault: str, commands: Commands
) -> None:
    asked = Asked(commands, reply, written("search", query="a"), "Done.")
    assert fault in asked.prompts[1]
    assert "User:" not in asked.prompts[1]  # by itself, without the conversation
    assert asked.told["answer"] == "Done."
    assert "Step 2 of 5" in asked.prompts[2]  # a correction is no step
    again = Asked(commands, reply, reply)
    assert again.told["answer"].startswith("Tool call rejected: ")
    assert fault in again.told["answer"]


def test_seed2_10_to_13_defaults_are_filled_in_unknown_arguments_dropped_and_values_as_they_are(
    commands: Commands,
) -> None:
    asked = Asked(commands, written("search", query="", most=-3, scale=4, colour="red"), "Done.")
    ((ok, result),) = asked.results
    assert ok
    assert json.loads(result.splitlines()[0]) == ["", -3, 4.0, False, None, None]
    assert "colour" in asked.prompts[1]


def test_seed2_15_16_to_19_21_and_26_what_a_tool_gave_is_a_line_of_the_next_step(
    commands: Commands,
) -> None:
    asked = Asked(
        commands,
        written("fail"),
        written("slow"),
        written("long"),
        written("system_stats"),
        "Done.",
    )
    lines = [line for line in asked.prompts[-1].splitlines() if line.startswith("Tool ")]
    assert lines[0] == "Tool 1 [fail]: fail failed: no index"
    assert lines[1] == "Tool 2 [slow]: slow failed: timed out after 0.2 s."
    assert lines[2].startswith("Tool 3 [long]: ")
    assert lines[2].endswith(" | … 47 more of 50")  # the first three items
    assert len(lines[2]) <= len("Tool 3 [long]: ") + 900
    assert lines[3].startswith("Tool 4 [system_stats]: ")
    assert [ok for ok, _ in asked.results] == [False, False, True, True]
    assert asked.told["sources"] == ["long", "system_stats"]


@pytest.mark.parametrize("answer", ["42", '"hello"', "{}", "null", "Two: {not json}"])
def test_seed2_23_and_24_what_is_no_call_is_the_answer(answer: str, commands: Commands) -> None:
    assert Asked(commands, answer).told["answer"] == answer


def test_seed2_23_to_25_a_fence_around_a_call_is_no_fault_and_words_around_it_are(
    commands: Commands,
) -> None:
    call = written("search", query="a")
    assert Asked(commands, f"```json\n{call}\n```", "Done.").told["tools_used"] == ["search"]
    asked = Asked(commands, f"I will look: {call}", call, "Done.")
    assert "Payload must stand alone" in asked.prompts[1]
    assert asked.told["tools_used"] == ["search"]
    assert (
        "Tool call failed to validate: No idea."
        in Asked(commands, f"I will look: {call}", "No idea.").told["answer"]
    )


def test_seed2_22_27_28_and_30_five_steps_then_an_answer_with_each_source_once(
    commands: Commands,
) -> None:
    asked = Asked(
        commands,
        *[written("search", query=str(i)) for i in range(5)],
        "Gathered.",
        question="Much?",
    )
    assert ["User: Much?" in p for p in asked.prompts] == [True] * 6
    assert [f"Step {i} of 5" in asked.prompts[i - 1] for i in range(1, 6)] == [True] * 5
    assert "of 5" not in asked.prompts[5].splitlines()[-1]
    assert asked.told["answer"] == "Gathered."
    assert asked.told["sources"] == ["search"]
    assert asked.told["tools_used"] == ["search"]
    assert [c["arguments"]["query"] for c in asked.told["tool_calls"]] == list("01234")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_seed2_20_and_29_ctrl_c_ends_a_turn_at_once_though_a_tool_blocks(
    commands: Commands,
) -> None:
    commands.project(TOOLS)
    with MessagesServer([say(written("sleep")), Reply()], form="chat") as server:
        threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        try:
            status = commands(
                "ask", str(commands.scene), "Go.", "--protocol", "text", "--base-url", server.url
            )[0]
        except KeyboardInterrupt:
            status = 130
    assert status != 0
    assert time.monotonic() - began < 20
