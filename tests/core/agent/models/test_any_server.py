"""Servers that answer wrongly in any way: cut, late, of another length, compressed or not, with
rubbish between events, redirected, or with an error. Each is an answer or an error in one short
line, after which the turn can be repeated and the conversation is valid.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import socket
import threading
import time
from typing import Any, Self

import pytest
from tests.core.agent.models.protocols_spoken import KEY, SPOKEN
from tests.core.agent.turn.valid_history import assert_valid
from tests.messages_server import SERVICES, _completion_events, _events, say
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import TurnFinished
from raybench.agent.turn.conversation import Conversation
from raybench.errors import RaybenchError

COUNT = 400 if os.environ.get("RAYBENCH_LONG") else 15
SLOWEST = 30.0
"""Seconds that a turn may take, retries included."""
MOST_WORDS = 600
ODD_KEYS = (
    "key",
    "k\ny",
    "k\0y",
    "schlüssel",
    "k" * 100_000,
    " ",
    "\u202e",
    "\ud800",
    "a b",
    "b'key'",
)
RUBBISH = (
    b"\0\xff\xfe\n\n",
    b"data: {\n\n",
    b"event: x\n",
    b": x\n\n" * 50,
    b"data: null\n\n",
    b"<html>\n\n",
    b"\r\r\n",
)
ERRORS: tuple[Any, ...] = (
    {"type": "error", "error": {"type": "api_error", "message": "no " * 5}}, {}, [], "no", {"error": "x"}, {"error": {"message": 5}},
)  # fmt: skip
NO_HTTP = (b"", b"\r\n\r\n", b"HTTP/9.9 200\r\n\r\n", b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\n" * 3)
pytestmark = pytest.mark.long


class RawServer:
    """Answers each request for a service with the next bytes, the second half of which is late; the
    last answer is repeated.
    """

    def __init__(self, form: str, answers: list[tuple[bytes, float]]) -> None:
        self.form, self.answers, self._socket = (
            form,
            answers,
            socket.create_server(("127.0.0.1", 0)),
        )
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.settimeout(20)
            request = b""
            while b"\r\n\r\n" not in request:
                if not (piece := connection.recv(1 << 16)):
                    return
                request += piece
            head, _, body = request.partition(b"\r\n\r\n")
            length = next(
                (
                    int(line.split(b":")[1])
                    for line in head.lower().split(b"\r\n")
                    if line.startswith(b"content-length")
                ),
                0,
            )
            while len(body) < length:
                body += connection.recv(1 << 16)
            if SERVICES[self.form].encode() not in head.split(b"\r\n")[0]:
                connection.sendall(http("404 Not Found", b'{"error": {"message": "not found"}}'))
                return
            answer, pause = self.answers[min(self.connections, len(self.answers) - 1)]
            self.connections += 1
            middle = len(answer) // 2
            connection.sendall(answer[:middle])
            time.sleep(pause)
            connection.sendall(answer[middle:])


def events_of(form: str) -> list[bytes]:
    reply = say("Two rays.")
    if form == "messages":
        return [
            f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in _events(reply, "m")
        ]
    return [
        f"data: {e if isinstance(e, str) else json.dumps(e)}\n\n".encode()
        for e in _completion_events(reply, "m")
    ]


def http(status: str, body: bytes, *headers: str, length: int | None = None) -> bytes:
    lines = (
        f"HTTP/1.1 {status}",
        *headers,
        f"content-length: {len(body) if length is None else length}",
        "connection: close",
        "",
        "",
    )
    return "\r\n".join(lines).encode() + body


def right(form: str) -> bytes:
    return http("200 OK", b"".join(events_of(form)), "content-type: text/event-stream")


def wrong(form: str, chance: random.Random) -> bytes:
    """An answer with one fault, or rarely none."""
    events, kind = events_of(form), "content-type: text/event-stream"
    body = b"".join(events)
    match chance.randrange(9):
        case 0:
            return right(form)[: chance.randrange(len(right(form)) + 1)]
        case 1:
            return http(
                "200 OK",
                body,
                kind,
                length=chance.choice((0, len(body) // 2, len(body) - 1, len(body) + 100)),
            )
        case 2:
            rubbish = chance.choice(RUBBISH)
            return http(
                "200 OK",
                b"".join(
                    e for pair in zip(events, [rubbish] * len(events), strict=True) for e in pair
                ),
                kind,
            )
        case 3:
            at = chance.randrange(len(events))
            return http(
                "200 OK",
                b"".join([*events[:at], b"data: " + b"x" * 3_000_000 + b"\n\n", *events[at:]]),
                kind,
            )
        case 4:
            status = f"{chance.choice((429, 529, 500, 503, 401, 403, 404, 413, 418))} No"
            after = chance.choice(
                (
                    (),
                    ("retry-after: 0",),
                    ("retry-after: soon",),
                    ("retry-after: -5",),
                    ("retry-after: 0.01",),
                )
            )
            return http(
                status,
                chance.choice(
                    (
                        json.dumps(chance.choice(ERRORS)).encode(),
                        b"<html>no</html>",
                        b"",
                        b"\xff\xfe",
                    )
                ),
                *after,
            )
        case 5:
            where = chance.choice(
                ("http://127.0.0.1:9/", "/elsewhere", "file:///etc/passwd", "", "http://[", "//x")
            )
            return http(
                chance.choice(("301 Moved", "302 Found", "307 Temporary", "308 Permanent")),
                b"",
                f"location: {where}",
            )
        case 6:
            packed = gzip.compress(body)
            packed = chance.choice(
                (packed, packed[: len(packed) // 2], body, packed[:20] + b"\0\0\0" + packed[23:])
            )
            return http(
                "200 OK",
                packed,
                kind,
                "content-encoding:"
                f" {chance.choice(('gzip', 'gzip', 'deflate', 'br', 'zstd', 'x'))}",
            )
        case 7:
            return chance.choice((*NO_HTTP, chance.randbytes(100)))
        case _:
            chunks = (
                b"".join(f"{len(e):x}\r\n".encode() + e + b"\r\n" for e in events) + b"0\r\n\r\n"
            )
            chunks = chance.choice(
                (
                    chunks,
                    chunks.replace(b"\r\n", b"\n"),
                    b"zz\r\n" + chunks,
                    b"ffffffff\r\n" + body,
                    chunks[:-5],
                )
            )
            return (
                f"HTTP/1.1 200 OK\r\n{kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode() + chunks
            )


@pytest.mark.parametrize("spoken", SPOKEN)
def test_whatever_a_server_answers_is_one_line_and_the_turn_can_be_repeated(
    spoken: str, capfd: pytest.CaptureFixture[str]
) -> None:
    make, form, _ = SPOKEN[spoken]
    chance = random.Random(f"{spoken} {os.environ.get('RAYBENCH_SEED', '')}")
    outcomes = {"answer": 0, "error": 0}
    for number in range(COUNT):
        answer = wrong(form, chance)
        pause = chance.choice((0.0, 0.0, 0.0, 0.05))
        repeated = chance.choice(
            (1, 4)
        )  # the server is back for the next try, or only for the next turn

        async def turns(url: str, server: RawServer) -> tuple[TurnFinished, TurnFinished]:
            talk = Conversation(open_prism(), make(url), TOOLS)
            try:
                first = await talk.say("Which?")
                assert_valid(talk.history)
                server.answers, server.connections = [(right(form), 0.0)], 0
                second = await talk.say("And now?")
                assert_valid(talk.history)
            finally:
                await talk.close()
            return first, second

        begun = time.monotonic()
        with RawServer(form, [(answer, pause)] * repeated + [(right(form), 0.0)]) as server:
            try:
                first, second = asyncio.run(turns(server.url, server))
            except RaybenchError as error:
                raise AssertionError(f"{number}: {answer[:300]!r}") from error
        where = f"{number}: {answer[:400]!r}: {first.error!r} {first.answer!r}"
        assert time.monotonic() - begun < SLOWEST, where
        assert len(first.error.splitlines()) <= 1, where
        assert len(first.error) <= MOST_WORDS, where
        assert KEY not in first.error, where
        assert first.error or first.answer.strip() == "Two rays.", where
        assert (second.error, second.answer.strip()) == ("", "Two rays."), (where, second.error)
        outcomes["error" if first.error else "answer"] += 1
    assert min(outcomes.values()) > 0
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("key", ODD_KEYS, ids=lambda key: ascii(key[:20]))
@pytest.mark.parametrize("spoken", SPOKEN)
def test_a_key_that_is_none_is_one_line_without_it(
    spoken: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, form, _ = SPOKEN[spoken]
    monkeypatch.setitem(make.__globals__, "KEY", key)
    with RawServer(form, [(right(form), 0.0)]) as server:
        try:
            said = asyncio.run(Conversation(open_prism(), make(server.url), TOOLS).say("Which?"))
        except RaybenchError as error:
            said = TurnFinished("", error=str(error))
    assert len(said.error.splitlines()) <= 1
    assert len(said.error) <= MOST_WORDS
    assert said.answer.strip() == "Two rays." or said.error
    assert key == "key" or not key.strip() or key not in said.error
