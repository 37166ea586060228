"""The real SDK for chat completions with native tools, against a server on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.core.agent.turn.valid_history import INSIDE, assert_valid
from tests.messages_server import MessagesServer, Reply, _events, refuse, say, use
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import Emit, TurnEvent, TurnFinished
from raybench.agent.call.outcome import PngImage
from raybench.agent.models.any_server import server_backend
from raybench.agent.models.calls_in_text import UNREADABLE, StreamedReply
from raybench.agent.models.chat import ONLY_THOUGHTS
from raybench.agent.models.protocol import PICTURES_TOO_LARGE, RetryNotice, TextDelta, Usage
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import text_block

CALL = {"glass_name": "Main Prism"}
J = json.dumps
FORMS = {
    "JSON": J({"tool": INSIDE, "args": CALL}),
    "words and a fence": f"I look.\n\n```json\n{J({'name': INSIDE, 'arguments': CALL})}\n```\n",
    "after thoughts": f"Which?\n</think>\n\n{J({'name': INSIDE, 'arguments': CALL})}",
    "hermes": f"<tool_call>\n{J({'name': INSIDE, 'arguments': CALL})}\n</tool_call>",
    "hermes with parameters": f"<tool_call>{J({'name': INSIDE, 'parameters': CALL})}",
    "arguments as text": J({"name": INSIDE, "arguments": J(CALL)}),
    "as in the API": J([{"type": "function", "function": {"name": INSIDE, "arguments": CALL}}]),
    "a comma too many": f'{{"tool": "{INSIDE}", "args": {{"glass_name": "Main Prism",}}}}',
    "single quotes": f"{{'tool': '{INSIDE}', 'args': {{'glass_name': 'Main Prism'}}}}",
    "smart quotes": f"{{“tool”: “{INSIDE}”, “args”: {{“glass_name”: “Main Prism”}}}}",
    "GLM": (
        f"<tool_call>{INSIDE}\n<arg_key>glass_name</arg_key>\n<arg_value>Main Prism</arg_value>\n"
        "</tool_call>"
    ),
    "a function tag": f"<function={INSIDE}>{J(CALL)}</function>",
    "parameter tags": (
        f"<tool_call>\n<function={INSIDE}>\n<parameter=glass_name>\nMain Prism\n</parameter>\n"
        "</function>\n</tool_call>"
    ),
    "harmony": (
        f"<|channel|>commentary to=functions.{INSIDE} <|constrain|>json<|message|>{J(CALL)}<|call|>"
    ),
    "Python": f'```tool_code\nprint({INSIDE}(glass_name="Main Prism"))\n```',
    "Mistral": f"[TOOL_CALLS] [{J({'name': INSIDE, 'arguments': CALL})}]",
}


def talk(
    replies: Sequence[Reply],
    *,
    questions: Sequence[str] = ("Which rays are inside?",),
    tools: tuple[Tool, ...] = TOOLS,
    form: str = "chat",
    hear: Emit = lambda event: None,
) -> tuple[list[TurnFinished], MessagesServer, str, Conversation]:
    """The turns, the server, the text that was shown, and the conversation."""
    events: list[TurnEvent] = []

    def emit(event: TurnEvent) -> None:
        events.append(event)
        hear(event)

    with MessagesServer(replies, form=form) as server:

        async def go() -> tuple[list[TurnFinished], Conversation]:
            path = "/v1" if form == "chat" else ""
            conversation = Conversation(open_prism(), server_backend("m", server.url + path), tools)
            turns = []
            for question in questions:
                turns.append(await conversation.say(question, emit))
                assert_valid(conversation.history)
            await conversation.close()
            return turns, conversation

        turns, conversation = asyncio.run(go())
    shown = "".join(e.text for e in events if isinstance(e, TextDelta))
    return turns, server, shown, conversation


@pytest.mark.parametrize("form", FORMS)
def test_a_call_in_text_is_run(form: str) -> None:
    (turn,), server, shown, _ = talk([say(FORMS[form]), say("Two.")])
    assert [(o.tool, o.ok) for o in turn.outcomes] == [(INSIDE, True)]
    assert (turn.answer, turn.error) == ("Two.", "")
    assert INSIDE not in shown
    *_, call, result = server.requests[1]["messages"]
    assert call["tool_calls"][0]["function"] == {"name": INSIDE, "arguments": J(CALL)}
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]


def test_two_calls_in_text_are_run() -> None:
    both = "\n".join(J({"tool": "scale", "args": {"factor": f}}) for f in (1.0, 2.0))
    (turn,), _, _, _ = talk([say(both), say("Done.")])
    assert [o.ok for o in turn.outcomes] == [True, True]


@pytest.mark.parametrize(
    "wrong",
    [
        f"<tool_call>{INSIDE}(",
        f'{{"tool": "{INSIDE}", "args": {{"glass_name": ',
        f"{J({'tool': 'scale', 'args': {}})} would scale it.",
        "```tool_code\nscale(factor={1})\n```",
        "```tool_code\nscale(factor={[1]: 2})\n```",
        '{"tool": "scale", "args": {"factor": NaN}}',
    ],
)
def test_an_unreadable_call_is_asked_again_once(wrong: str) -> None:
    (turn,), server, shown, _ = talk([say(wrong), use(INSIDE, **CALL), say("Two.")])
    assert "cannot be read" in server.requests[1]["messages"][-1]["content"]
    assert (shown, turn.error, turn.usage) == ("Two.", "", Usage(300, 60))
    (turn,), server, shown, _ = talk([say(wrong)])
    words = wrong if wrong.endswith("would scale it.") else ""
    assert (shown, turn.answer, len(server.requests)) == (words, words, 2)
    assert turn.error == ("" if words else UNREADABLE)


@pytest.mark.parametrize(
    "answer",
    [
        '{"name": "Main Prism", "parameters": {"n": 1.5}}',
        '```json\n[{"name": "Main Prism"}]\n```',
        "It is 1 < 2, and `scale` takes {x}.",
        f"Write {J({'tool': 'scale', 'args': {'factor': 2.0}})}",
        "Write <tool_call>scale</tool_call>",
        f"So:\n{J({'tool': 'foo', 'args': {}})}",
        "[1] is the first ray.",
        "The states <|0> and <function=> are no calls.",
        '{"answer": 3}',
    ],
)
def test_other_text_is_the_answer(answer: str) -> None:
    (turn,), _, shown, _ = talk([say(answer)], questions=["Which of 1, 1.5, 2 and 3?"])
    assert (turn.answer, shown, turn.outcomes) == (answer, answer, ())


def test_parallel_calls_are_answered_one_by_one() -> None:
    blocks = tuple(use("scale", id, factor=f).blocks[0] for id, f in (("a", 1.0), ("a", "two")))
    (turn,), server, _, _ = talk([Reply(blocks), say("Done.")])
    *_, call, first, second = server.requests[1]["messages"]
    ids = [c["id"] for c in call["tool_calls"]]
    assert len({*ids}) == 2  # the server's were the same
    assert [m["tool_call_id"] for m in (first, second)] == ids
    assert [o.ok for o in turn.outcomes] == [True, False]
    assert "tool_choice" not in server.requests[0]
    assert server.requests[0]["tools"][0]["type"] == "function"


@pytest.mark.parametrize("wrong", ['{"factor": nope}', '{"factor": NaN}', '{"factor": 1e999}'])
def test_arguments_that_are_no_json_are_answered(wrong: str) -> None:
    (turn,), server, _, _ = talk(
        [Reply(use("scale", factor=1).blocks, raw_input=wrong), say("Done.")]
    )
    assert turn.answer == "Done."
    assert "arguments must be an object" in server.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("form", ["chat", "messages"])
@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/gemma:latest does not support tools"),
        (404, "No endpoints found that support tool use."),
        (422, "tools: extra fields not permitted"),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_a_server_without_tools_is_asked_in_text(status: int, message: str, form: str) -> None:
    refusal = refuse(status, "invalid_request_error", message)
    turns, server, _, _ = talk(
        [refusal, say(FORMS["JSON"]), say("Two."), say("Yes.")],
        questions=["How many?", "Sure?"],
        form=form,
    )
    assert [t.answer for t in turns] == ["Two.", "Yes."]
    assert ["tools" in r for r in server.requests] == [True, False, False, False]


def test_a_strict_schema_is_offered_until_refused() -> None:
    refusal = refuse(400, "invalid_request_error", "Invalid schema for strict functions")
    _, server, _, _ = talk([refusal, say("Yes.")])
    marked = [any("strict" in t["function"] for t in r["tools"]) for r in server.requests]
    assert marked == [True, False]


@pytest.mark.parametrize(
    ("form", "said", "limits"),
    [
        ("chat", "'max_tokens' is too large: 8192. Context length: 4096.", [8192, None]),
        ("messages", "max_tokens: 8192 > 4096, the most for gpt-4-0613", [8192, 4096]),
        ("messages", "max_tokens is too large", [8192, 2048]),
    ],
)
def test_a_refused_limit_is_lowered(form: str, said: str, limits: list[int | None]) -> None:
    refusal = refuse(400, "invalid_request_error", said)
    turns, server, _, _ = talk([refusal, say("Yes.")], questions=("One?", "Two?"), form=form)
    assert [t.answer for t in turns] == ["Yes.", "Yes."]
    assert [r.get("max_tokens") for r in server.requests] == [*limits, limits[-1]]


@pytest.mark.parametrize("refused", [False, True])
def test_a_picture_follows_the_results(refused: bool) -> None:
    look = Tool.new("look", (lambda: PngImage(b"png", "a lens"), {"effect": "read"}))
    refusals = [refuse(400, "invalid_request_error", "image input")] if refused else []
    (turn,), server, _, _ = talk([use("look"), *refusals, say("A lens.")], tools=(look,))
    assert turn.answer == "A lens."
    first, last = server.requests[1]["messages"][-2:], server.requests[-1]["messages"][-1]
    assert [m["role"] for m in first] == ["tool", "user"]
    assert first[1]["content"][1]["image_url"]["url"] == "data:image/png;base64,cG5n"
    assert (last["role"] == "tool") == refused
    faults = [refuse(500, "server_error")] * 2  # which pass
    _, server, _, _ = talk([use("look"), *faults, say("A lens.")], tools=(look,))
    assert server.requests[-1] == server.requests[1]


@pytest.mark.parametrize(
    ("reason", "words"),
    [("length", "cut off at its length limit"), ("content_filter", "declined to answer")],
)
def test_no_call_of_a_cut_reply_is_run(reason: str, words: str) -> None:
    (turn,), _, _, _ = talk([Reply(use(INSIDE, **CALL).blocks, stop_reason=reason)])
    assert words in turn.error
    assert turn.outcomes == ()


def test_words_of_a_cut_reply_are_shown() -> None:
    words = f"{J({'tool': 'scale', 'args': {}})} would scale it, and then the"
    (turn,), _, shown, _ = talk([say(words, stop_reason="length")])
    assert (turn.answer, shown) == (words, words)
    assert "cut off at its length limit" in turn.error
    (turn,), _, shown, _ = talk([say('I look.\n<tool_call>{"na', stop_reason="length")])
    assert (turn.answer, shown) == ("I look.", "I look.\n")


@pytest.mark.parametrize("fault", ["cut", "end"])
def test_a_call_of_a_broken_reply_is_not_run(fault: str) -> None:
    (turn,), _, shown, _ = talk([say(FORMS["hermes"], fault=fault)])
    assert "broke off" in turn.error
    assert (shown, turn.outcomes) == ("", ())


@pytest.mark.parametrize("left_out", ["content", "usage", "message"])
def test_a_proxy_may_leave_fields_out(left_out: str) -> None:
    events: list[dict[str, Any]] = list(_events(use(INSIDE, **CALL), "m"))
    if left_out == "message":
        del events[0]
    else:
        del events[0]["message"][left_out]
        events[-2]["usage"] = None
    page = "".join(f"event: {e['type']}\ndata: {J(e)}\n\n" for e in events).encode()
    reply = Reply(page=page, headers=(("content-type", "text/event-stream"),))
    (turn,), _, _, _ = talk([reply, say("Two.")], form="messages")
    assert (turn.answer, turn.error) == ("Two.", "")


def test_an_overload_before_any_text_is_retried() -> None:
    events: list[TurnEvent] = []
    (turn,), server, _, _ = talk(
        [Reply(fault="error"), say("Two.")], form="messages", hear=events.append
    )
    assert (turn.answer, len(server.requests)) == ("Two.", 2)
    assert events[0] == RetryNotice(0.01, "overloaded")
    (turn,), server, _, _ = talk([say("Tw", fault="error")], form="messages")
    assert ("Overloaded" in turn.error, len(server.requests)) == (True, 1)


@pytest.mark.parametrize("form", ["chat", "messages"])
def test_odd_names_and_ids_are_sent_otherwise(form: str) -> None:
    (turn,), server, _, conversation = talk(
        [use("no such tool!", "a b"), use(INSIDE, "", **CALL), say("Two.")], form=form
    )
    assert (turn.error, [o.ok for o in turn.outcomes]) == ("", [False, True])
    sent = [b for m in conversation.history for b in m["content"] if b["type"] == "tool_use"]
    assert [b["name"] for b in sent] == ["unknown", INSIDE]
    assert all(b["id"].isalnum() for b in sent)
    assert "no such tool!" in J(server.requests[1]["messages"][-1])


@pytest.mark.parametrize(
    "message", ["Failed to parse tool call: not supported", "context length: tools not supported"]
)
def test_other_refusals_keep_the_tools(message: str) -> None:
    (turn,), server, _, _ = talk([refuse(400, "invalid_request_error", message)])
    assert turn.error
    assert all("tools" in r for r in server.requests)


def test_chunks_of_other_servers_are_read() -> None:
    def chunk(reason: str | None = None, **delta: Any) -> dict[str, Any]:
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    def call(factor: float) -> dict[str, Any]:
        function = {"name": "scale", "arguments": J({"factor": factor})}
        return chunk(tool_calls=[{"index": 0, "id": "", "function": function}])

    def page(*chunks: dict[str, Any]) -> Reply:
        lines = "".join(f"data: {J(c)}\n\n" for c in chunks)
        return Reply(page=lines.encode(), headers=(("content-type", "text/event-stream"),))

    calls = page({"choices": None}, {"id": "c"}, call(1.0), call(2.0), chunk("tool_calls"))
    (turn,), _, _, _ = talk([calls, say("Done.")])
    assert (turn.error, [o.ok for o in turn.outcomes]) == ("", [True, True])
    (turn,), _, _, _ = talk([page(chunk(content="Tw"), chunk("error"))])
    assert "broke off: it reported an error. Ask again." in turn.error


def chunk(reason: str | None = None, **delta: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return f"data: {J({'choices': [choice]})}\n\n"


def test_a_reply_of_thoughts_alone_is_told() -> None:
    page = (chunk(reasoning_content="Hm.") + chunk("stop")).encode()
    (turn,), _, _, _ = talk([Reply(page=page)])
    assert turn.error == ONLY_THOUGHTS


def test_what_a_server_refuses_is_learned_once_for_each_model() -> None:
    refusal = refuse(400, "invalid_request_error", "max_tokens is too large")
    with MessagesServer([refusal, say("Yes.")], form="chat") as server:

        async def go() -> None:
            backend = server_backend("m", f"{server.url}/v1")
            for _ in range(2):
                copy = backend.for_model("n")
                message = {"role": "user", "content": [text_block("Yes?")]}
                async for _event in copy.stream_turn("", [message], ()):
                    pass
            await backend.close()

        asyncio.run(go())
    assert ["max_tokens" in r for r in server.requests] == [True, False, False]


def test_a_request_too_large_with_a_picture_teaches_nothing() -> None:
    look = Tool.new("look", (lambda: PngImage(b"png", "a lens"), {"effect": "read"}))
    replies = [use("look"), refuse(413, "request_too_large"), say("A lens.")]
    again = [use("look", "toolu_2"), say("A lens.")]
    _, server, _, _ = talk([*replies, *again], tools=(look,), questions=("What?", "And now?"))
    assert ["base64" in J(r) for r in server.requests] == [False, True, False, False, True]
    _, _, _, talked = talk(replies, tools=(look,))
    assert talked.backend.reason_without_pictures == PICTURES_TOO_LARGE


def test_a_server_gets_back_what_belongs_to_its_calls() -> None:
    function = {"name": "scale", "arguments": J({"factor": 1.0})}
    signed = {"google": {"thought_signature": "xyz"}}
    call = {"index": 0, "id": "a", "function": function, "extra_content": signed}
    page = "".join(
        [
            *(chunk(reasoning_content=thought) for thought in ("I must ", "scale.")),
            chunk(tool_calls=[call]),
            chunk("tool_calls"),
        ]
    ).encode()
    (turn, _), server, shown, conversation = talk(
        [Reply(page=page), say("Done."), say("Yes.")], questions=("Scale.", "Done?")
    )
    assert (turn.error, shown) == ("", "Done.Yes.")
    sent = server.requests[1]["messages"][-2]
    assert sent["reasoning_content"] == "I must scale."
    assert sent["tool_calls"][0]["extra_content"] == signed
    assert "xyz" not in J(conversation.history)
    assert not any(part in J(server.requests[2]) for part in ("I must scale.", "xyz")), "a new turn"
    refusal = refuse(400, "invalid_request_error", "reasoning_content must be passed back")
    _, server, _, _ = talk([use("scale", factor=1.0), refusal, say("Done.")])
    assert server.requests[2]["messages"][-2]["reasoning_content"] == ""


def test_a_call_of_the_api_replaces_those_in_text() -> None:
    both = Reply((*say(FORMS["JSON"]).blocks, *use("scale", factor=1.0).blocks))
    (turn,), _, _, _ = talk([both, say("Done.")])
    assert [o.tool for o in turn.outcomes] == ["scale"]


def test_a_start_is_shown_once() -> None:
    (turn,), _, shown, _ = talk([say("I look.\n<tool_call>scale(</tool_call> It is a word.")])
    assert shown == turn.answer == "I look.\n<tool_call>scale(</tool_call> It is a word."


def test_json_that_is_no_call_streams_on() -> None:
    received = StreamedReply()
    pieces = ('{"answer": ', "3} is", " it.", '{"tool": "x"')
    assert [received.add_piece(p) for p in pieces] == ["", '{"answer": 3} is', " it.", ""]
