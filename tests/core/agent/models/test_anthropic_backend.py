"""The real SDK, talking to a scripted Messages server on loopback."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from collections.abc import Sequence
from typing import Any

import pytest
from tests.core.agent.turn.valid_history import INSIDE, assert_valid
from tests.messages_server import MessagesServer, Reply, _events, refuse, say, use
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import TurnEvent, TurnFinished
from raybench.agent.call.outcome import PngImage
from raybench.agent.models import server as model_server
from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.any_server import configured_backend, text_protocol_backend
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import BackendError, TextDelta, Usage
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.transcript import Exchange, transcript_markdown

KEY = "sk-ant-secret-0123456789"


def talk(
    replies: Sequence[Reply],
    *,
    questions: Sequence[str] = ("Which rays are inside?",),
    stop_at: str = "",
    retries: int = 0,
    key: str = KEY,
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

    with MessagesServer(replies) as server:

        async def go() -> tuple[list[TurnFinished], Conversation]:
            backend = AnthropicBackend("some-model", server.url, key, max_retries=retries)
            conversation = Conversation(open_prism(), backend, TOOLS)
            turns = []
            for question in questions:
                task = asyncio.create_task(conversation.say(question, hear))
                turns.append(await task)
                assert_valid(conversation.history)
            await conversation.close()
            return turns, conversation

        turns, conversation = asyncio.run(go())
        if stop_at:
            assert server.hung_up.wait(2)
    assert KEY not in transcript_markdown(Exchange("q", t) for t in turns)
    assert KEY not in json.dumps(conversation.history)
    assert KEY not in json.dumps(server.requests)
    return turns, server, events, conversation


def test_text_is_streamed_piece_by_piece() -> None:
    (turn,), server, events, _ = talk(
        [say("Two rays are inside.")], questions=["Are two rays inside?"]
    )
    assert [e.text for e in events if isinstance(e, TextDelta)] == [
        "Two",
        " rays",
        " are",
        " inside.",
    ]
    assert turn.answer == "Two rays are inside."
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (100, 20)
    request = server.requests[0]
    assert request["model"] == "some-model"
    assert request["stream"] is True
    assert request["system"].startswith("You help an engineer at an optical bench")
    assert "temperature" not in request
    assert "cache_control" not in request
    assert KEY in json.dumps(server.headers[0])


def test_what_all_requests_share_is_the_same_in_each_and_cached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AnthropicBackend, "is_own_host", True)
    replies = [use(INSIDE, glass_name="Main Prism"), say("Two."), say("Yes.")]
    _, server, _, _ = talk(replies, questions=["How many?", "Sure?"])
    shared = {json.dumps([r["tools"], r["system"], r["cache_control"]]) for r in server.requests}
    assert len(shared) == 1
    (system,) = server.requests[0]["system"]
    assert system["cache_control"] == server.requests[0]["cache_control"] == {"type": "ephemeral"}


def test_the_scene_precedes_the_question_once_per_revision() -> None:
    _, server, _, _ = talk([say("Yes.")], questions=["First?", "Second?"])
    scene, question = server.requests[0]["messages"][0]["content"]
    assert (
        "'Main Prism' (Glass, path (-30, 20) (30, 20) (0, -20), refractive index 1.5, edges S"
        " NE NW)" in scene["text"]
    )
    assert question["text"] == "First?"
    assert server.requests[1]["messages"][-1]["content"] == [{"type": "text", "text": "Second?"}]


def test_a_tool_round_trip_pairs_call_and_result() -> None:
    (turn,), server, _, _ = talk(
        [use(INSIDE, "toolu_9", text="Looking.", glass_name="Main Prism"), say("Two (R1).")]
    )
    advertised = {t["name"]: t for t in server.requests[0]["tools"]}
    assert INSIDE not in advertised  # it is on demand, and called by its name all the same
    assert INSIDE in advertised["call_tool"]["description"]
    assert advertised["scale"]["input_schema"]["required"] == ["factor"]
    assert advertised["scale"]["input_schema"]["additionalProperties"] is False
    _, reply, results = server.requests[1]["messages"]
    assert [b["type"] for b in reply["content"]] == ["text", "tool_use"]
    assert reply["content"][1]["id"] == "toolu_9"
    (result,) = results["content"]
    assert (result["type"], result["tool_use_id"]) == ("tool_result", "toolu_9")
    assert result["content"].startswith("2 rays are inside Main Prism (R1).")
    assert turn.answer == "Two (R1)."
    assert turn.usage.input_tokens == 200


def test_two_tools_in_a_reply_are_answered_together() -> None:
    both = Reply(
        (
            {"type": "tool_use", "id": "a", "name": INSIDE, "input": {"glass_name": "Main Prism"}},
            {"type": "tool_use", "id": "b", "name": "scale", "input": {"factor": "two"}},
        )
    )
    (turn,), server, _, _ = talk([both, say("Done.")])
    results = server.requests[1]["messages"][-1]["content"]
    assert [(b["tool_use_id"], b.get("is_error")) for b in results] == [("a", None), ("b", True)]
    assert "'factor' must be a number" in results[1]["content"]
    assert len(turn.outcomes) == 2


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            refuse(401, "authentication_error", f"invalid x-api-key {KEY}"),
            "refused the key (401). Enter another one.",
        ),
        (
            refuse(404, "not_found_error", "model: some-model"),
            "does not know the model “some-model”",
        ),
        (refuse(429, "rate_limit_error"), "limits the rate of requests (429): no. Wait a little"),
        (refuse(529, "overloaded_error"), "is overloaded (529): no. Wait a little"),
        (refuse(500, "api_error"), "has a fault (500)"),
        (
            refuse(400, "invalid_request_error", f"bad {KEY} field"),
            "refused the request (400): bad … field.",
        ),
        (say("Half", fault="error"), "broke off: Overloaded. Ask again."),
        (say("Half", fault="cut"), "The connection to 127.0.0.1"),
    ],
)
def test_a_failure_is_one_line_with_a_remedy(reply: Reply, message: str) -> None:
    (turn,), _, _, _ = talk([reply])
    assert message in turn.error
    assert "\n" not in turn.error
    assert KEY not in turn.error
    assert turn.answer == ("Half" if reply.fault else "")


def test_a_failure_that_passes_is_tried_again() -> None:
    (turn,), server, _, _ = talk(
        [refuse(429, "rate_limit_error"), refuse(529, "overloaded_error"), say("Now.")], retries=2
    )
    assert turn.answer == "Now."
    assert len(server.requests) == 3


def test_a_long_wait_is_left_to_the_person() -> None:
    later = Reply(
        ({"type": "rate_limit_error", "message": "Slow down."},),
        status=429,
        headers=(("retry-after", "300"),),
    )
    (turn,), server, _, _ = talk([later], retries=2)
    assert "(429): Slow down. Ask again in 300 s." in turn.error
    assert len(server.requests) == 1


def test_after_a_failure_the_conversation_goes_on() -> None:
    turns, server, _, _ = talk(
        [say("Half", fault="cut"), say("Whole.")], questions=["One?", "Two?"]
    )
    assert turns[1].answer == "Whole."
    assert [m["role"] for m in server.requests[1]["messages"]] == ["user", "assistant", "user"]


def test_a_call_that_is_cut_runs_nothing() -> None:
    reply = Reply(
        use(INSIDE, text="Looking.", glass_name="Main Prism").blocks, fault="cut_in_block"
    )
    (turn,), _, _, conversation = talk([reply])
    assert turn.outcomes == ()
    assert turn.error
    assert [b["type"] for b in conversation.history[-1]["content"]] == ["text"]


def test_stop_ends_a_stalled_stream_at_once() -> None:
    (turn,), _, _, conversation = talk([say("Half a", fault="stall")], stop_at="Half a")
    assert turn.stopped
    assert turn.answer == "Half a"
    assert conversation.history[-1]["content"] == [{"type": "text", "text": "Half a"}]


@pytest.mark.parametrize("raw", ['{"factor": nope}', '{"factor": 0.5, "lab'])
def test_arguments_that_are_no_json_are_answered(raw: str) -> None:
    (turn,), server, _, _ = talk(
        [Reply(use("scale", factor=1).blocks, raw_input=raw), say("Done.")]
    )
    (result,) = server.requests[1]["messages"][-1]["content"]
    assert (result["is_error"], turn.answer) == (True, "Done.")
    assert "the arguments must be an object, got" in result["content"]


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("max_tokens", "cut off at its length limit"),
        ("refusal", "declined to answer"),
        ("model_context_window_exceeded", "too long"),
    ],
)
@pytest.mark.security
def test_no_tool_of_a_cut_reply_is_run(reason: str, message: str) -> None:
    reply = use(INSIDE, text="I will", glass_name="Main Prism")
    (turn,), _, _, conversation = talk([Reply(reply.blocks, stop_reason=reason)])
    assert message in turn.error
    assert turn.outcomes == ()
    kept = [block["text"] for block in conversation.history[-1]["content"]]
    assert (kept == ["I will"]) == (reason != "refusal")


def test_without_a_key_nothing_is_sent() -> None:
    assert configured_backend() is None

    async def go() -> TurnFinished:
        return await Conversation(open_prism(), AnthropicBackend(), TOOLS).say("Hello?")

    assert "No API key for Anthropic. Set ANTHROPIC_API_KEY" in asyncio.run(go()).error


def test_a_server_elsewhere_needs_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with MessagesServer([say("Hello.")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend: Any = configured_backend()
        assert backend is not None

        async def go() -> TurnFinished:
            conversation = Conversation(open_prism(), backend, TOOLS)
            turn = await conversation.say("Hello?")
            await conversation.close()
            return turn

        assert asyncio.run(go()).answer == "Hello."


def test_an_address_where_nobody_listens_is_reported() -> None:
    backend = AnthropicBackend("m", "http://127.0.0.1:9", "k", max_retries=0)

    async def go() -> TurnFinished:
        return await Conversation(open_prism(), backend, TOOLS).say("Hello?")

    assert (
        asyncio.run(go()).error
        == "127.0.0.1:9 cannot be reached. Start the model's server, or correct the address."
    )


def test_an_address_that_is_none_is_reported() -> None:
    backend = AnthropicBackend("m", "nonsense", "k", max_retries=0)

    async def go() -> TurnFinished:
        return await Conversation(open_prism(), backend, TOOLS).say("Hello?")

    assert "“nonsense” is not the address" in asyncio.run(go()).error


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            say("There are exactly 12 rays, of which", fault="end"),
            "broke off before the end of its reply. Ask again.",
        ),
        (
            Reply(page=b"<html><body>Welcome to the network. Please log in.</body></html>"),
            "sent text/html instead of a reply. Check the address.",
        ),
        (
            refuse(307, "redirect", "moved", ("location", "http://127.0.0.1:9/v1/messages")),
            "redirects to another address (307)",
        ),
        (say("x", headers=(("content-encoding", "gzip"),)), "sent a compressed reply"),
        (say("x", fault="endless"), "sent more than 4 MB in one reply"),
        (
            Reply(
                page=(
                    b'event: content_block_stop\ndata: {"type": "content_block_stop", "index":'
                    b" 0}\n\n"
                )
            ),
            "sent a reply that cannot be read",
        ),
    ],
)
@pytest.mark.security
def test_an_incomplete_reply_is_an_error(
    reply: Reply, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_server, "MOST_BYTES", 4 << 20)
    (turn,), server, _, _ = talk([reply])
    assert said in turn.error
    assert "\n" not in turn.error
    assert turn.outcomes == ()
    assert len(server.requests) == 1, "the conversation goes to no other address"


def test_usage_may_be_missing() -> None:
    (turn,), _, _, _ = talk([say("Yes.", extra={"usage": None})])
    assert (turn.answer, turn.error) == ("Yes.", "")


@pytest.mark.parametrize("form", ["messages", "chat"])
@pytest.mark.parametrize("fault", ["silent", "stall", "flood"])
@pytest.mark.security
def test_only_content_ends_a_silence(fault: str, form: str) -> None:
    with MessagesServer([say("Half a", fault=fault)], form=form) as server:

        async def go() -> TurnFinished:
            kind = AnthropicBackend if form == "messages" else ChatBackend
            backend = kind("m", server.url, KEY, timeout=0.5)
            conversation = Conversation(open_prism(), backend, TOOLS)
            try:
                return await conversation.say("Hello?")
            finally:
                await conversation.close()

        begun = time.monotonic()
        turn = asyncio.run(go())
        assert "sent nothing of a reply for 0.5 s" in turn.error
        assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "http://user:secret@[::1", "ftp://host", "http://host:99999", "http:// host"],
)
def test_an_invalid_address_is_shown_without_credentials(url: str) -> None:
    async def go() -> TurnFinished:
        return await Conversation(open_prism(), AnthropicBackend("m", url, "k"), TOOLS).say(
            "Hello?"
        )

    error = asyncio.run(go()).error
    assert "is not the address of a server" in error
    assert "secret" not in error


@pytest.mark.security
def test_credentials_in_an_address_are_not_shown() -> None:
    backend = AnthropicBackend("m", "http://user:secret@127.0.0.1:8080/v1", "")
    assert backend.host == "127.0.0.1:8080"
    assert "secret" not in repr(backend)


@pytest.mark.security
def test_a_key_is_not_sent_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    given = AnthropicBackend("m", "http://192.0.2.1:8080", KEY)
    with pytest.raises(BackendError, match="not encrypted"):
        given.key_to_send()
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    for address, sent in (("http://192.0.2.1", ""), ("https://192.0.2.1", KEY)):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        assert AnthropicBackend("m").key_to_send() == sent


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1.example.com",
        "127.example.com",
        "localhost.example.com",
        "0127.0.0.1",
        "[fe80::1]",
    ],
)
@pytest.mark.security
def test_a_name_that_resembles_localhost_is_remote(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BackendError, match="not encrypted"):
        AnthropicBackend("m", f"http://{name}:8080", KEY).key_to_send()
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert AnthropicBackend("m", f"http://{name}:8080").key_to_send() == ""


@pytest.mark.parametrize("form", ["messages", "chat"])
@pytest.mark.security
def test_a_local_server_needs_no_proxy(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would read the key, which may go there unencrypted."""
    with (
        MessagesServer([say("From a proxy.")], form=form) as proxy,
        MessagesServer([say("From here.")], form=form) as server,
    ):
        for name in ("http_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        backend = (
            AnthropicBackend("m", server.url, KEY)
            if form == "messages"
            else text_protocol_backend("m", server.url, KEY)
        )

        async def go() -> TurnFinished:
            conversation = Conversation(open_prism(), backend, TOOLS)
            turn = await conversation.say("Where are you?")
            await conversation.close()
            return turn

        assert asyncio.run(go()).answer == "From here."
        assert (proxy.requests, len(server.requests)) == ([], 1)


@pytest.mark.parametrize("form", ["messages", "chat"])
@pytest.mark.parametrize(
    "page",
    [
        b"data: " + b"[" * 3_000_000,
        b"data: 1\n" * 150_000,
        b"data: {}\n\n" + b"\r\n" * 9 + b"data: " + b"x" * 2_100_000,
        b"\n" * 150_000,
        b": still here\n\n" * 60_000,
        b'event: ping\ndata: {"type": "ping"}\n\n' * 40_000,
    ],
    ids=["an array", "lines", "a text", "empty lines", "comments", "pings"],
)
@pytest.mark.security
def test_one_event_is_bounded(page: bytes, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read at once takes thirty times as much memory, and what carries nothing takes time."""
    monkeypatch.setattr(model_server, "MOST_UNPARSED_BYTES", 2 << 20)
    with MessagesServer(
        [Reply(page=page, headers=(("content-type", "text/event-stream"),))], form=form
    ) as server:
        backend = (
            AnthropicBackend("m", server.url, max_retries=0)
            if form == "messages"
            else text_protocol_backend("m", server.url)
        )

        async def go() -> TurnFinished:
            conversation = Conversation(open_prism(), backend, TOOLS)
            turn = await conversation.say("Hello?")
            await conversation.close()
            return turn

        begun = time.process_time()
        error = asyncio.run(go()).error
    assert ("sent more than" in error and "at once" in error) or (
        form == "chat" and ("cannot be read" in error or "broke off" in error)
    )
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    "reply",
    [
        say("word " * 30_000),
        Reply(use("scale", factor=0.5).blocks, raw_input='{"factor": ' + "1" * 3_000 + "}"),
    ],
)
@pytest.mark.security
def test_a_reply_without_an_end_is_given_up(reply: Reply, monkeypatch: pytest.MonkeyPatch) -> None:
    check = AnthropicBackend.check_reply_length
    monkeypatch.setattr(
        AnthropicBackend,
        "check_reply_length",
        lambda backend, count, most=100_000: check(backend, count, min(most, 2_000)),
    )
    (turn,), _, _, _ = talk([reply])
    assert turn.error.endswith("sent more than 2,000 letters in one reply. Ask for less.")
    assert turn.outcomes == ()


@pytest.mark.parametrize("key", [KEY, ""])
@pytest.mark.security
def test_a_token_of_the_environment_goes_nowhere(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key the library itself leaves it out."""
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "tok-secret-777")
    (turn,), server, _, _ = talk([say("Yes.")], key=key)
    assert turn.answer == "Yes."
    assert "tok-secret-777" not in json.dumps(server.headers)


def test_the_last_request_forbids_calls() -> None:
    replies = [use("scale", factor=1.0)] * 7 + [say("It is 1.")]
    (turn,), server, _, _ = talk(replies)
    assert turn.answer == "It is 1."
    assert [r.get("tool_choice") for r in server.requests] == [None] * 7 + [{"type": "none"}]
    assert server.requests[-1]["tools"] == server.requests[0]["tools"]


def test_the_cost_is_told_where_it_is_known() -> None:
    (turn,), _, _, _ = talk([say("Yes.")])
    assert turn.cost is None
    own = AnthropicBackend("claude-sonnet-5-5", "", KEY)
    assert own.cost(Usage(1_000_000, 100_000, 1_000_000, 0)) == pytest.approx(2 + 1 + 0.2)
    assert AnthropicBackend("some-model", "", KEY).cost(Usage(1, 1)) is None


def test_the_providers_search_needs_permission(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loopback server plays Anthropic's own, which alone has the search."""
    monkeypatch.setattr(AnthropicBackend, "is_own_host", True)
    searched = Reply(
        (
            {
                "type": "server_tool_use",
                "id": "srvtoolu_1",
                "name": "web_search",
                "input": {"query": "N-BK7"},
            },
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srvtoolu_1",
                "content": [
                    {
                        "type": "web_search_result",
                        "title": "Glass",
                        "url": "https://example.org",
                        "encrypted_content": "x",
                    }
                ],
            },
        ),
        stop_reason="pause_turn",
    )
    with MessagesServer([say("No."), searched, say("It is a crown glass.")]) as server:

        async def go() -> list[TurnFinished]:
            conversation = Conversation(open_prism(), AnthropicBackend("m", server.url, KEY), TOOLS)
            first = await conversation.say("What is N-BK7?")
            conversation.granted.add("web_search")
            return [first, await conversation.say("Look it up.")]

        first, second = asyncio.run(go())
    names = [[tool["name"] for tool in request["tools"]] for request in server.requests]
    assert "web_search" not in names[0]
    assert server.requests[1]["tools"][-1] == {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": 5,
    }
    assert server.requests[2]["messages"][-1]["role"] == "assistant", (
        "the server goes on where it paused"
    )
    assert second.answer == "It is a crown glass."
    assert second.outcomes[0].sentence == "Web search: N-BK7"
    assert second.outcomes[0].value == [{"title": "Glass", "url": "https://example.org"}]
    assert first.outcomes == ()


def test_a_picture_is_sent_once_as_an_image() -> None:
    png = b"\x89PNG\r\n\x1a\n..."

    def look() -> PngImage:
        """Look."""
        return PngImage(png, {"picture": "3 pixels wide"})

    tool = Tool.new("look", (look, {"effect": "read", "signature": "() -> :any"}))
    with MessagesServer([use("look"), say("I see."), say("Yes.")]) as server:

        async def go() -> None:
            conversation = Conversation(
                open_prism(), AnthropicBackend("m", server.url, KEY), (tool,)
            )
            await conversation.say("Look.")
            await conversation.say("And?")

        asyncio.run(go())
    (result,) = server.requests[1]["messages"][-1]["content"]
    words, image = result["content"]
    assert "3 pixels wide" in words["text"]
    assert base64.b64decode(image["source"]["data"]) == png
    assert image["source"]["media_type"] == "image/png"
    assert "base64" not in json.dumps(server.requests[2])
    assert "a picture that you have seen" in json.dumps(server.requests[2])


@pytest.mark.security
def test_an_answer_cut_anywhere_is_incomplete() -> None:
    reply = use("scale", text="Let me see.", factor=1.0)
    data = b"".join(
        f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in _events(reply, "m")
    )
    whole = data.rindex(b"event: message_stop")
    cuts = [*range(1, whole, 1 if os.environ.get("RAYBENCH_LONG") else 41), whole]
    with MessagesServer([Reply(page=data[:n]) for n in cuts]) as server:

        async def go() -> list[TurnFinished]:
            backend = AnthropicBackend("m", server.url, KEY, max_retries=0)
            turns = [await Conversation(open_prism(), backend, TOOLS).say("Scale?") for _ in cuts]
            await backend.close()
            return turns

        turns = asyncio.run(go())
    assert [turn.outcomes for turn in turns] == [()] * len(cuts), "nothing is run"
    assert all(turn.error and "\n" not in turn.error for turn in turns)


@pytest.mark.filterwarnings("error::UserWarning")  # nothing is written to a terminal
@pytest.mark.parametrize(
    ("block", "missing"),
    [
        ({"type": {"text": 1}, "text": "x"}, "type"),
        ({"type": "text", "text": {}}, "text"),
        ({"type": "server_tool_use", "id": ["a"], "name": None, "input": {}}, "id and name"),
        ({"type": "web_search_tool_result", "tool_use_id": {}, "content": []}, "tool_use_id"),
    ],
)
def test_a_malformed_block_is_an_error(block: dict[str, Any], missing: str) -> None:
    events = list(_events(say("Whole."), "m"))
    begin = {"type": "content_block_start", "index": 0, "content_block": block}
    page = b"".join(
        f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode()
        for e in (events[0], begin, {"type": "content_block_stop", "index": 0}, *events[-2:])
    )
    turns, _, _, conversation = talk([Reply(page=page), say("Again.")], questions=["One?", "Two?"])
    assert f"sent a part of a reply without a valid {missing}. Ask again." in turns[0].error
    assert turns[1].answer == "Again."
    assert_valid(conversation.history)


@pytest.mark.security
def test_two_calls_with_one_id_get_their_own() -> None:
    call = {"type": "tool_use", "id": "a", "name": "scale", "input": {"factor": 2.0}}
    (turn,), server, _, _ = talk([Reply((call, call)), say("Whole.")])
    results = server.requests[1]["messages"][-1]["content"]
    assert (len(turn.outcomes), len({b["tool_use_id"] for b in results})) == (2, 2)


def test_arguments_that_are_no_object_are_reported(
    capfd: pytest.CaptureFixture[str],
) -> None:
    calls = Reply(
        ({"type": "tool_use", "id": "a", "name": "scale", "input": {}},), raw_input='["2.0"]'
    )
    (turn,), server, _, _ = talk([calls, say("Whole.")])
    assert turn.answer == "Whole."
    _, reply, results = server.requests[1]["messages"]
    assert reply["content"][0]["input"] == {}
    assert results["content"][0]["is_error"]
    assert 'the arguments must be an object, got ["2.0"]' in results["content"][0]["content"]
    assert capfd.readouterr().err == ""


def test_a_blank_result_is_told_in_words() -> None:
    tool = Tool.new("blank", (lambda: " \n", {"effect": "read", "signature": "() -> :string"}))
    with MessagesServer([use("blank"), say("Nothing.")]) as server:

        async def go() -> None:
            conversation = Conversation(
                open_prism(), AnthropicBackend("m", server.url, KEY), (tool,), max_steps=2
            )
            await conversation.say("What?")
            await conversation.close()

        asyncio.run(go())
    ((words, _note),) = [
        block["content"] for block in server.requests[1]["messages"][-1]["content"]
    ]
    assert words["text"] == "(empty)"


SEARCH = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "N-BK7"},
}
LOOKING = {"type": "text", "text": "I look."}
FOUND = [
    {
        "type": "web_search_result",
        "title": "Glass",
        "url": "https://example.org",
        "encrypted_content": "x",
    }
]


@pytest.mark.parametrize(
    "replies",
    [
        [Reply((LOOKING, SEARCH), fault="cut")],
        [Reply((LOOKING, SEARCH), stop_reason="max_tokens")],
        [Reply((SEARCH,), stop_reason="pause_turn"), refuse(400, "invalid_request_error")],
        [
            Reply((LOOKING, SEARCH), stop_reason="pause_turn"),
            Reply(({"type": "text", "text": "And"},), fault="cut"),
        ],
    ],
)
def test_an_unanswered_search_is_not_sent_back(replies: Sequence[Reply]) -> None:
    turns, server, _, _ = talk([*replies, say("Whole.")], questions=["One?", "Two?"])
    assert turns[0].error
    assert turns[1].answer == "Whole."
    assert "server_tool_use" not in json.dumps(server.requests[-1])


def test_a_stopped_search_is_not_sent_back() -> None:
    turns, _, _, conversation = talk([Reply((SEARCH, LOOKING), fault="stall")], stop_at="I look.")
    assert turns[0].stopped
    assert [block["type"] for block in conversation.history[-1]["content"]] == ["text"]


def test_an_answer_includes_the_text_before_a_pause() -> None:
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": FOUND}
    replies = [
        Reply((LOOKING, SEARCH), stop_reason="pause_turn"),
        Reply((result, {"type": "text", "text": " It is a crown glass."})),
    ]
    (turn,), _, _, conversation = talk(replies)
    assert turn.answer == "I look. It is a crown glass."
    assert [message["role"] for message in conversation.history] == ["user", "assistant"]


def test_two_megabytes_of_text_are_an_answer() -> None:
    (turn,), _, _, conversation = talk([say(" ".join(["x" * 999] * 2_000))])
    assert len(turn.answer) == 2_000_000 - 1
    assert not turn.error
    assert len(json.dumps(conversation.history)) > 2_000_000


def test_a_server_without_pictures_gets_words() -> None:
    def look() -> PngImage:
        """Look."""
        return PngImage(b"\x89PNG", {"picture": "a small one"})

    def with_image(request: dict[str, Any]) -> bool:
        return '"type": "image"' in json.dumps(request["messages"])

    tools = (Tool.new("look", (look, {"effect": "read"})),)
    blind = refuse(400, "invalid_request_error", "this model takes no images")
    with MessagesServer(
        [use("look"), blind, say("I see words."), use("look", "toolu_2"), say("Again.")]
    ) as server:

        async def go() -> tuple[TurnFinished, TurnFinished]:
            conversation = Conversation(
                open_prism(), AnthropicBackend("some-model", server.url, KEY, max_retries=0), tools
            )
            turns = await conversation.say("Look."), await conversation.say("Look again.")
            await conversation.close()
            return turns

        first, second = asyncio.run(go())
    assert first.answer.startswith("I see words.")
    assert second.answer.startswith("Again.")
    assert [with_image(request) for request in server.requests] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert "does not take" in json.dumps(server.requests[2]["messages"])
    assert "a small one" in json.dumps(server.requests[2]["messages"])


def test_another_refusal_is_reported_as_it_was() -> None:
    def look() -> PngImage:
        """Look."""
        return PngImage(b"\x89PNG", {})

    tools = (Tool.new("look", (look, {"effect": "read"})),)
    refusals = [
        refuse(400, "invalid_request_error", "the first reason"),
        refuse(400, "invalid_request_error", "the second"),
    ]
    with MessagesServer([use("look"), *refusals]) as server:

        async def go() -> TurnFinished:
            conversation = Conversation(
                open_prism(), AnthropicBackend("some-model", server.url, KEY, max_retries=0), tools
            )
            turn = await conversation.say("Look.")
            await conversation.close()
            return turn

        assert "the first reason" in asyncio.run(go()).error
