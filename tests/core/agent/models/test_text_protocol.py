"""Models without tool use, which write their calls, against a server with
either form.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.agent.turn.valid_history import assert_valid
from tests.messages_server import MessagesServer, Reply, refuse, say
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import ToolFinished, TurnEvent, TurnFinished
from raybench.agent.models.any_server import text_protocol_backend
from raybench.agent.models.calls_in_text import StreamedReply
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import Backend, BackendError, TextDelta, Usage
from raybench.agent.models.text_protocol import (
    MOST_CONTEXT_CHARACTERS,
    MOST_SUMMARY_CHARACTERS,
    CallText,
    TextBackend,
    call_fault,
    parse_call,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import text_block

KEY = "sk-local-secret-0123456789"
FORMS = pytest.mark.parametrize("form", ["messages", "chat"])


def written(tool: str, **arguments: Any) -> Reply:
    """A call as a model writes it."""
    return say(json.dumps({"tool": tool, "args": arguments}))


INSIDE = written("find_rays_inside_glass_xml", glass_name="Main Prism")


def talk(
    replies: Sequence[Reply],
    form: str = "chat",
    *,
    questions: Sequence[str] = ("Which rays are inside?",),
    tools: tuple[Tool, ...] = TOOLS,
    stop_at: str = "",
    max_steps: int = 8,
    granted: Sequence[str] = (),
) -> tuple[list[TurnFinished], MessagesServer, list[TurnEvent], Conversation]:
    events: list[TurnEvent] = []

    def hear(event: TurnEvent) -> None:
        events.append(event)
        if (
            stop_at
            and isinstance(event, TextDelta)
            and "".join(e.text for e in events if isinstance(e, TextDelta)) == stop_at
        ):
            task = asyncio.current_task()
            assert task
            task.cancel()

    with MessagesServer(replies, form=form) as server:

        async def go() -> tuple[list[TurnFinished], Conversation]:
            backend = text_protocol_backend("some-model", server.url, KEY)
            conversation = Conversation(
                open_prism(), backend, tools, max_steps=max_steps, granted=granted
            )
            turns = []
            for question in questions:
                turns.append(await asyncio.create_task(conversation.say(question, hear)))
                assert_valid(conversation.history)
            await conversation.close()
            return turns, conversation

        turns, conversation = asyncio.run(go())
        if stop_at:
            assert server.hung_up.wait(2)
    assert KEY not in json.dumps(conversation.history) + json.dumps(server.requests) + repr(turns)
    return turns, server, events, conversation


def prompt(server: MessagesServer, step: int = -1) -> str:
    """The text that the model was asked with in a step."""
    content = server.requests[step]["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[0]["text"])


def system(server: MessagesServer, step: int = -1) -> str:
    request = server.requests[step]
    return str(request["system"] if "system" in request else request["messages"][0]["content"])


@FORMS
def test_a_result_is_a_line_of_the_prompt(
    form: str,
) -> None:
    (turn,), server, events, conversation = talk([INSIDE, say("Two rays are inside.")], form)
    assert turn.answer == "Two rays are inside."
    assert turn.tools_used == ("find_rays_inside_glass_xml",)
    assert (
        "".join(e.text for e in events if isinstance(e, TextDelta)) == "Two rays are inside."
    )  # the call is not shown as text
    first, second = prompt(server, 0), prompt(server, 1)
    assert "tools" not in server.requests[0]  # they are in the text
    assert "scale(factor :float" in system(server, 0)
    assert "such as: find_rays_inside_glass_xml" in system(server, 0)  # on demand
    assert first.startswith("User: Which rays are inside?\n\nContext: [The scene now")
    assert first.endswith(
        "Step 1 of 5. Reply with one JSON object that calls a tool, or with your answer in plain"
        " text."
    )
    assert (
        "Tool 1 [find_rays_inside_glass_xml]: 2 rays are inside Main Prism (R1). | rays: count 2 |"
        " ray | id interaction " in second
    )
    assert "Step 2 of 5." in second
    assert turn.usage == Usage(200, 40)
    assert [o.rays.name for o in turn.outcomes if o.rays] == ["R1"]
    assert KEY in json.dumps(server.headers)
    assert conversation.history[-1]["role"] == "assistant"


def test_earlier_questions_and_answers_are_sent() -> None:
    _, server, _, _ = talk(
        [INSIDE, say("Two."), say("As I said, two.")], questions=["How many?", "Sure?"]
    )
    lines = prompt(server)
    assert (
        lines.index("User: How many?")
        < lines.index("Tool 1 [find")
        < lines.index("You: Two.")
        < lines.index("User: Sure?")
    )
    assert "Step 1 of 5." in lines


@pytest.mark.parametrize(
    "reply",
    [
        "Two rays.",
        "42",
        '"hello"',
        "{}",
        "[]",
        "null",
        "[1, 2]",
        "The index is $n = \\frac{1}{2}$ {a}.",
        "`x`",
        "[source:scale] It is 3.",
        "1 < 2",
    ],
)
def test_any_other_reply_is_the_answer(reply: str) -> None:
    (turn,), server, _, _ = talk([say(reply)], questions=["Is it 42, 1, 2, 3, or two rays?"])
    assert (turn.answer, turn.error, len(server.requests)) == (reply, "", 1)


@pytest.mark.parametrize(
    "fence",
    [
        "```json\n{}\n```",
        "```\n{}\n```",
        "\n {} \n",
        '<think>I could {{}} or {{"tool": 1}}.</think>\n{}',
    ],
)
def test_a_fence_around_a_call_is_accepted(fence: str) -> None:
    call = json.dumps({"tool": "scale", "args": {"factor": 2.0}})
    text = (
        fence.replace("{{", "\0")
        .replace("}}", "\1")
        .replace("{}", call)
        .replace("\0", "{")
        .replace("\1", "}")
    )
    (turn,), server, events, _ = talk([say(text), say("It is 2.")])
    assert turn.answer == "It is 2."
    assert len(server.requests) == 2
    assert not any(
        "tool" in e.text or "think" in e.text for e in events if isinstance(e, TextDelta)
    )


@FORMS
@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ('{"tool": "scale"}', "Payload must have exactly 'tool' and 'args' keys"),
        ('{"tool": "scale", "args": {"factor": "2"}}', "factor must be float"),
        ('{"tool": "scale", "args": {"factor": true}}', "factor must be float"),
        ('{"tool": "scale", "args": {}}', "Missing required arg 'factor'"),
        ('{"tool": "scale", "args": []}', "'args' must be an object"),
        ('{"tool": 5, "args": {}}', "'tool' must be a string"),
        ('{"tool": "foo", "args": {}}', "Unknown tool 'foo'"),
        ('[{"tool": "scale", "args": {"factor": 2.0}}]', "Payload must be an object"),
        ('{"tool": "scale", "args": {"factor": 2.0}', "Payload must be JSON"),
        ('I will look: {"tool": "scale", "args": {"factor": 2.0}}', "Payload must stand alone"),
    ],
)
def test_an_invalid_call_is_corrected_once(form: str, wrong: str, error: str) -> None:
    (turn,), server, events, conversation = talk(
        [say(wrong), written("scale", factor=2.0), say("It is 2.")], form
    )
    assert '"tool"' not in "".join(
        e.text for e in events if isinstance(e, TextDelta)
    )  # no call is shown, not even among words
    asked = prompt(server, 1)
    assert f"the call is not valid: {error}" in asked
    assert wrong[wrong.index("{" if wrong[0] != "[" else "[") :] in asked
    assert "User:" not in asked  # the correction is asked for by itself
    assert turn.answer.endswith("It is 2.")
    assert [o.ok for o in turn.outcomes] == [True]
    assert "Step 2 of 5" in prompt(server, 2)  # a correction is no step
    assert turn.usage == Usage(300, 60)
    assert_valid(conversation.history)


@FORMS
def test_a_second_invalid_call_is_rejected(form: str) -> None:
    wrong = written("scale", factor="2")
    (turn,), server, _, _ = talk([wrong, wrong], form)
    assert (turn.answer, len(server.requests)) == ("Tool call rejected: factor must be float.", 2)
    (turn,), server, _, _ = talk([wrong, written("scale", factor=2.0), wrong, say("never")], form)
    assert (turn.answer, len(server.requests)) == (
        "Tool call rejected: factor must be float.",
        3,
    )
    (turn,), server, _, _ = talk([wrong, say("I cannot.")], form)
    assert turn.answer == "Tool call failed to validate: I cannot."
    # the next question has a correction of its own
    replies = [
        wrong,
        written("scale", factor=2.0),
        say("2."),
        wrong,
        written("scale", factor=3.0),
        say("3."),
    ]
    turns, _, _, _ = talk(replies, form, questions=["a", "b"])
    assert [t.answer for t in turns] == ["2.", "3."]


def test_a_failed_tool_is_a_line() -> None:
    (turn,), server, _, _ = talk([written("broken"), written("scale", factor=1.0), say("Done.")])
    assert "Tool 1 [broken]: broken failed: KeyError: 'missing'" in prompt(server, 1)
    assert "Tool 2 [scale]: x=1" in prompt(server, 2)
    assert turn.answer == "Done."
    assert turn.tools_used == ("broken", "scale")


def test_after_five_calls_the_model_must_answer() -> None:
    (turn,), server, _, _ = talk(
        [written("scale", factor=float(i)) for i in range(5)]
        + [say("The last is 4 [source:scale].")]
    )
    assert len(server.requests) == 6
    assert "Step 5 of 5" in prompt(server, 4)
    assert "Tool 5 [scale]: x=4" in prompt(server)
    assert prompt(server).endswith("Cite a tool that you rest on as [source:NAME].")
    assert turn.answer == "The last is 4 [source:scale]."


def test_endless_calls_end_with_the_findings() -> None:
    (turn,), server, _, _ = talk([INSIDE])
    assert len(server.requests) == 6
    assert len(turn.outcomes) == 5
    assert turn.answer.startswith("Found so far:\n- 2 rays are inside Main Prism (R1).\n")
    assert (
        turn.error
        == "The model did not answer within 5 steps. Ask a narrower question, or say “go on”."
    )
    (turn,), server, _, _ = talk([INSIDE], max_steps=3)
    assert len(server.requests) == 3


@FORMS
def test_a_silent_model_is_asked_to_answer(form: str) -> None:
    (turn,), server, _, _ = talk([say(""), say("Two.")], form)
    assert (turn.answer, len(server.requests)) == ("Two.", 2)
    assert "Answer now in plain text" in prompt(server)


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ("a\n  b", "a b"),
        ("", "tool completed"),
        (None, "null"),
        (["a", "b"], "a | b"),
        ([{"x": i} for i in range(5)], '{"x": 0} | {"x": 1} | {"x": 2} | … 2 more of 5'),
        (["y" * 300], "y" * 198 + " …"),
    ],
)
def test_a_result_shows_its_first_items(result: Any, line: str) -> None:
    tool = Tool.new("tool", (lambda: result, {"effect": "read"}))
    _, server, _, _ = talk([written("tool"), say("Yes.")], tools=(tool,))
    assert f"\n\nTool 1 [tool]: {line}\n\n" in prompt(server)


def test_a_line_has_at_most_900_characters() -> None:
    def long() -> str:
        """A long result."""
        return "word " * 2000

    _, server, _, conversation = talk(
        [written("long"), say("Long.")], tools=(Tool.new("long", (long, {"effect": "read"})),)
    )
    line = next(line for line in prompt(server).split("\n\n") if line.startswith("Tool 1"))
    assert len(line) == len("Tool 1 [long]: ") + MOST_SUMMARY_CHARACTERS
    (result,) = conversation.history[2]["content"]
    assert len(result["content"]) == MOST_SUMMARY_CHARACTERS


def test_a_timeout_is_a_line() -> None:
    def endless() -> str:
        """Take long."""
        time.sleep(1)
        return "late"

    tool = Tool.new("endless", (endless, {"effect": "read", "timeout_s": 0.05}))
    _, server, _, _ = talk([written("endless"), say("It takes too long.")], tools=(tool,))
    assert "Tool 1 [endless]: endless failed: timed out after 0.05 s." in prompt(server)


def test_long_context_is_cut() -> None:
    assert MOST_CONTEXT_CHARACTERS == 2000
    backend = TextBackend(inner := Recorder("yes"))
    blocks = [text_block("x" * 5000), text_block("why?")]

    async def go() -> None:
        async for _ in backend.stream_turn("", [{"role": "user", "content": blocks}], TOOLS):
            pass

    asyncio.run(go())
    assert inner.requests[0].startswith("User: why?\n\nContext: x")
    assert (
        inner.requests[0].count("x") == MOST_CONTEXT_CHARACTERS - 2 + 2
    )  # and two in the words of the step
    assert "…" in inner.requests[0]


class Recorder(Backend):
    """A model that always says the same."""

    name = "recorder"

    def __init__(self, text: str) -> None:
        self.text, self.requests = text, list[str]()

    async def stream_turn(self, system: str, messages: Any, tools: Any) -> Any:
        from raybench.agent.models.protocol import FinishedBlock, ReplyEnd

        assert tools == ()
        self.requests.append(messages[0]["content"][0]["text"])
        yield TextDelta(self.text)
        yield FinishedBlock(text_block(self.text))
        yield ReplyEnd()


@FORMS
@pytest.mark.parametrize("fault", ["cut", "end"])
def test_a_reply_that_breaks_off_is_no_call(form: str, fault: str) -> None:
    call = json.dumps({"tool": "scale", "args": {"factor": 2.0}})
    (turn,), _, _, _ = talk([say(call, fault=fault)], form)
    assert "broke off" in turn.error
    assert turn.outcomes == ()


@pytest.mark.long
def test_a_cut_connection_leaves_a_readable_line() -> None:
    whole = sum(len(part) for part in _stream_of("Two."))
    ended = 0
    step = 7 if os.environ.get("RAYBENCH_LONG") else 37
    for at in range(0, whole, step):
        (turn,), _, _, conversation = talk([say("Two.", cut_after=at)])
        ended += turn.error == ""
        assert turn.error == "" or ("broke off" in turn.error and "\n" not in turn.error), at
        assert turn.answer in ("", "Two."), at
        assert_valid(conversation.history)
    assert ended < whole / step / 2  # only what comes after the end may be missing


def _stream_of(text: str) -> list[str]:
    from tests.messages_server import _completion_events

    return [
        f"data: {e if isinstance(e, str) else json.dumps(e)}\n\n"
        for e in _completion_events(say(text), "some-model")
    ]


@FORMS
def test_stop_leaves_a_valid_history(form: str) -> None:
    (turn,), _, _, conversation = talk(
        [say(" ".join(["Light"] * 200), pause=0.02)], form, stop_at="Light Light"
    )
    assert turn.stopped
    assert turn.error == ""
    assert_valid(conversation.history)


def test_stop_ends_a_blocking_tool() -> None:
    entered = threading.Event()

    def wait() -> str:
        """Wait."""
        entered.set()
        time.sleep(5)
        return "late"

    async def go(url: str) -> tuple[TurnFinished, float]:
        tool = Tool.new("wait", (wait, {"effect": "read"}))
        conversation = Conversation(open_prism(), text_protocol_backend("m", url), (tool,))
        task = asyncio.create_task(conversation.say("Go."))
        while not entered.is_set():
            await asyncio.sleep(0.01)
        start = time.monotonic()
        task.cancel()
        turn = await task
        await conversation.close()
        assert_valid(conversation.history)
        return turn, time.monotonic() - start

    with MessagesServer([written("wait")], form="chat") as server:
        turn, took = asyncio.run(go(server.url))
    assert turn.stopped
    assert turn.tools_used == ("wait",)
    assert took < 2


@FORMS
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (refuse(401, "authentication_error"), "refused the key (401)"),
        (refuse(400, "invalid_request_error", "bad"), "refused the request (400): bad"),
        (refuse(429, "rate_limit_error"), "limits the rate of requests (429)"),
        (refuse(500, "api_error"), "has a fault (500)"),
        (refuse(529, "overloaded_error"), "overloaded (529)"),
        (refuse(404, "not_found_error"), "(404)"),
        (say("Two", fault="error"), "Overloaded"),
        (say("Two", stop_reason="max_tokens"), "cut off at its length limit"),
        (Reply(page=b"<html>hello</html>"), ""),
    ],
)
def test_failures_are_one_line_with_a_remedy(form: str, reply: Reply, words: str) -> None:
    if form == "chat":
        reply = Reply(**{**reply.__dict__, "stop_reason": "length" if reply.stop_reason else ""})
        words = "the model crashed" if reply.fault == "error" else words
    (turn,), _, _, _ = talk([reply], form)
    assert words in turn.error
    assert turn.error.count("\n") == 0
    assert turn.error
    assert turn.outcomes == ()


@FORMS
def test_a_busy_server_is_asked_again(form: str) -> None:
    (turn,), server, _, _ = talk(
        [refuse(429, "rate_limit_error"), refuse(500, "api_error"), say("Yes.")], form
    )
    assert (turn.answer, len(server.requests)) == ("Yes.", 3)


def test_a_truncated_call_is_not_run() -> None:
    (turn,), _, _, _ = talk(
        [say('{"tool": "scale", "args": {"factor": 2.0}}', stop_reason="length")]
    )
    assert turn.outcomes == ()
    assert "cut off at its length limit" in turn.error


def test_two_megabytes_of_text_are_an_answer() -> None:
    (turn,), _, _, _ = talk([say("light {x} " * 200_000, whole=True)])
    assert len(turn.answer) == 2_000_000 - 1
    (turn,), _, _, _ = talk([say('{"tool": "' + "x" * 2_000_000, whole=True), say("No.")])
    assert turn.answer == "Tool call failed to validate: No."


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": 3}',
        '```json\n[{"name": "Prism", "n": 1.5}]\n```',
        '{"rays": [1, 2]',
        "{'answer': 3}",
    ],
)
def test_other_json_is_the_answer(reply: str) -> None:
    (turn,), server, _, _ = talk([say(reply)], questions=["Is it 42, 1, 1.5, 2, 3, or two rays?"])
    assert (turn.answer, turn.error, len(server.requests)) == (reply, "", 1)


@pytest.mark.parametrize(
    "reply",
    ['{"function": "scale", "args": {}}', '[{"tool": "scale", "args": {}}]', "{'tool': 'scale'}"],
)
def test_json_like_a_call_is_corrected(reply: str) -> None:
    (turn,), server, _, _ = talk(
        [say(reply), say('{"tool": "scale", "args": {"factor": 2.0}}'), say("Done.")]
    )
    assert (turn.answer.partition("\n")[0], len(server.requests), len(turn.outcomes)) == (
        "Done.",
        3,
        1,
    )


@FORMS
def test_lone_surrogates_do_not_end_a_conversation(
    form: str,
) -> None:
    turns, server, _, _ = talk(
        [say("a \ud83d"), say("b")], form, questions=("\udcff", "\ud83d\ude00")
    )
    assert [(turn.answer, turn.error) for turn in turns] == [("a \ud83d", ""), ("b", "")]
    assert "You: a \ufffd" in prompt(server)
    assert "User: \U0001f600" in prompt(server)


def test_a_stream_has_only_the_servers_lines() -> None:
    said = "one\u2028two\x85three\x0cfour"
    events = [
        {"choices": [{"delta": {"content": said}}]},
        {"choices": [{"delta": {}, "finish_reason": "stop"}]},
    ]
    for end in ("\n", "\r\n", "\r"):
        page = "".join(
            f"data: {json.dumps(event, ensure_ascii=False)}{end}{end}" for event in events
        ).encode()
        (turn,), _, _, _ = talk(
            [Reply(page=page, headers=(("content-type", "text/event-stream"),))]
        )
        assert (turn.answer, turn.error) == (said, "")


def test_a_server_need_not_stream() -> None:
    (turn,), _, _, _ = talk([say("Yes.", whole=True)])
    assert (turn.answer, turn.usage) == ("Yes.", Usage(100, 20))

    async def go(url: str) -> list[Any]:
        backend = ChatBackend("", url)
        found = [
            e
            async for e in backend.stream_turn(
                "", [{"role": "user", "content": [text_block("?")]}], ()
            )
        ]
        await backend.close()
        return found

    with MessagesServer([say("Yes.")], form="chat") as server:
        asyncio.run(go(server.url))
        assert server.requests[0]["model"] == "first-model"


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_an_address_may_be_written_in_several_ways(path: str) -> None:
    with MessagesServer([say("Yes.")], form="chat") as server:
        assert _answer(server.url + path) == "Yes."
    if "chat" not in path:
        with MessagesServer([say("Yes.")], form="messages") as server:
            assert _answer(server.url + path) == "Yes."


@pytest.mark.parametrize(("path", "form"), [("/v1", "messages"), ("", "chat")])
def test_a_server_on_this_computer_gets_no_providers_key(
    monkeypatch: pytest.MonkeyPatch, path: str, form: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-messages")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-chat")
    with MessagesServer([say("Yes.")], form=form) as server:  # what is tried first is not there
        assert _answer(server.url + path) == "Yes."
    assert not {"authorization", "x-api-key"} & {*server.headers[-1]}


def test_no_connection_to_a_missing_service_remains() -> None:
    gc.collect()
    with (
        MessagesServer([say("Yes.")], form="chat") as server,
        warnings.catch_warnings(record=True) as reported,
    ):
        warnings.simplefilter("always", ResourceWarning)
        assert _answer(server.url) == "Yes."
        gc.collect()
    assert [str(each.message) for each in reported if "unclosed" in str(each.message)] == []


def _answer(url: str) -> str:
    async def go() -> str:
        conversation = Conversation(open_prism(), text_protocol_backend("m", url), TOOLS)
        turn = await conversation.say("Yes?")
        await conversation.close()
        return turn.answer or turn.error

    return asyncio.run(go())


def test_a_silent_server_and_no_server_are_told() -> None:
    async def go(backend: ChatBackend) -> str:
        with pytest.raises(BackendError) as caught:
            async for _ in backend.stream_turn(
                "", [{"role": "user", "content": [text_block("?")]}], ()
            ):
                pass
        await backend.close()
        return str(caught.value)

    for fault in ("silent", "stall"):
        with MessagesServer([say("Two", fault=fault)], form="chat") as server:
            assert "sent nothing of a reply for 0.3 s" in asyncio.run(
                go(ChatBackend("m", server.url, timeout=0.3))
            )
    assert "cannot be reached" in asyncio.run(
        go(ChatBackend("m", "http://127.0.0.1:9", max_retries=0))
    )
    assert "is not the address" in asyncio.run(go(ChatBackend("m", "localhost")))
    assert "not encrypted" in asyncio.run(go(ChatBackend("m", "http://example.invalid/v1", "key")))


def test_edits_need_approval_as_they_do_elsewhere() -> None:
    def paint(color: str) -> str:
        """Paint."""
        return color

    tool = Tool.new("paint", paint)
    (turn,), server, _, _ = talk([written("paint", color="red"), say("No.")], tools=(tool,))
    refusal = (
        "it has side effects (external); this turn is read-only. The profile ask asks about it"
        " (--profile on the command line)."
    )
    assert f"paint failed: paint was not run: {refusal}" in prompt(server)
    assert turn.tools_used == ()
    (turn,), _, events, _ = talk(
        [written("paint", color="red"), say("Yes.")], tools=(tool,), granted=["paint"]
    )
    assert [e.outcome.result for e in events if isinstance(e, ToolFinished)] == ["red"]


def test_each_source_is_named_once() -> None:
    calls = [
        written("scale", factor=1.0),
        written("scale", factor=2.0),
        INSIDE,
        written("broken"),
        say("Done."),
    ]
    (turn,), _, events, _ = talk(calls)
    assert turn.answer == "Done."
    assert turn.tools_used == ("scale", "find_rays_inside_glass_xml", "broken")
    assert [e.outcome for e in events if isinstance(e, ToolFinished)] == list(turn.outcomes)
    assert [(o.tool, o.ok) for o in turn.outcomes] == [
        ("scale", True),
        ("scale", True),
        ("find_rays_inside_glass_xml", True),
        ("broken", False),
    ]


def test_unknown_arguments_are_dropped_and_named() -> None:
    _, server, _, _ = talk([written("scale", factor=2.0, color="red"), say("2.")])
    assert "Tool 1 [scale]: Ignored unknown arguments: color. | x=2" in prompt(server)


@given(st.text(st.sampled_from('{}[]"`:,atol <>think/\n\\js0'), max_size=60), st.integers(1, 7))
def test_no_text_of_a_model_is_lost(text: str, size: int) -> None:
    screen = StreamedReply()
    shown = "".join(screen.add_piece(text[i : i + size]) for i in range(0, len(text), size))
    assert shown == screen.displayable_text
    assert "<think>" in text or screen.text == text.lstrip() or screen.text.strip() == text.strip()
    call = parse_call(screen.text)
    assert call is None or isinstance(call, CallText)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=8,
    )
)
def test_any_json_is_answer_or_fault(value: Any) -> None:
    call = parse_call(json.dumps(value))
    if call is not None:
        fault = call.fault or call_fault(call.payload, TOOLS)
        assert fault
        assert "\n" not in fault
