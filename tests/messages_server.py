"""A Messages server on loopback that answers from a script, for the real SDK to talk to. It also
speaks chat completions.

with MessagesServer([say("hello"), use("find", glass_name="P")]) as server:
    AnthropicBackend("m", server.url, "key")
with MessagesServer([say("hello")], form="chat") as server:
    ChatBackend("m", server.url)
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer of the server. ``blocks``: texts and tool uses; ``raw_inputs`` replaces the JSON
    of tool arguments.

    ``status`` other than 200 answers with an error. ``fault`` after the blocks: ``error`` sends an
    error event, ``cut`` closes the connection, ``end`` ends the reply cleanly before its last
    event, ``stall`` sends nothing but pings until the server closes, ``flood`` nothing but empty
    events, ``silent`` not even an answer,
    ``endless`` sends bytes without an end, ``cut_in_block`` cuts before the last block is closed.
    ``page`` is sent instead of events. ``cut_after`` cuts the connection after so many bytes of the
    events. ``whole`` answers without a stream (chat only).
    """

    blocks: tuple[dict[str, Any], ...] = ()
    stop_reason: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    fault: str = ""
    raw_input: str | None = None
    page: bytes = b""
    pause: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)
    cut_after: int | None = None
    whole: bool = False


def say(text: str, **more: Any) -> Reply:
    return Reply(({"type": "text", "text": text},), **more)


def use(name: str, id: str = "toolu_1", *, text: str = "", **arguments: Any) -> Reply:
    words = ({"type": "text", "text": text},) if text else ()
    return Reply((*words, {"type": "tool_use", "id": id, "name": name, "input": arguments}))


def refuse(status: int, kind: str, message: str = "no", *headers: tuple[str, str]) -> Reply:
    return Reply(
        ({"type": kind, "message": message},),
        status=status,
        headers=(("retry-after-ms", "1"), *headers),
    )


SERVICES = {"messages": "/v1/messages", "chat": "/v1/chat/completions"}


class MessagesServer:
    """``requests`` are the bodies received and ``headers`` their headers, in order; ``url`` is the
    base address.

    ``form`` is what it speaks: ``messages`` or ``chat``. A request for another service is refused
    and does not count.
    """

    def __init__(self, replies: Sequence[Reply], form: str = "messages") -> None:
        self.replies = list(replies)
        self.form = form
        self.models = ["first-model", "second-model"]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.listing_headers: list[dict[str, str]] = []
        self.closed = threading.Event()
        self.hung_up = threading.Event()
        """Set when a client left in the middle of a reply."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if server.form == "chat" and self.path != SERVICES["chat"]:
                    self._json(404, {"error": {"message": "not found"}}, ())
                    return
                server.requests.append(body)
                server.headers.append({k.lower(): v for k, v in self.headers.items()})
                reply = server.replies[min(len(server.requests), len(server.replies)) - 1]
                if self.path.split("?")[0] != SERVICES[server.form]:
                    reply = refuse(404, "not_found_error")
                try:
                    self._error(reply) if reply.status != 200 else self._answer(reply, body)
                except (BrokenPipeError, ConnectionResetError):
                    server.hung_up.set()
                    self.close_connection = True

            def do_GET(self) -> None:
                server.listing_headers.append({k.lower(): v for k, v in self.headers.items()})
                there = self.path == "/v1/models" and server.form == "chat"
                self._json(
                    *((200, {"data": [{"id": m} for m in server.models]}) if there else (404, {})),
                    (),
                )

            def _error(self, reply: Reply) -> None:
                self._json(reply.status, {"type": "error", "error": reply.blocks[0]}, reply.headers)

            def _answer(self, reply: Reply, body: dict[str, Any]) -> None:
                if server.form == "chat" and reply.whole:
                    self._json(200, _completion(reply, body["model"]), ())
                    return
                if not body.get("stream"):
                    self._json(200, _message(reply, body["model"], reply.blocks), ())
                    return
                if reply.fault == "silent":
                    server.closed.wait(60)
                    return
                self.send_response(200)
                self.send_header(
                    "content-type", "text/html" if reply.page[:1] == b"<" else "text/event-stream"
                )
                for name, text in reply.headers:
                    self.send_header(name, text)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                if reply.page:
                    self._chunk(reply.page)
                while reply.fault == "endless" and not server.closed.is_set():
                    self._chunk(b"x" * (1 << 20))
                sent = 0
                for event in () if reply.page else self._lines(reply, body["model"]):
                    time.sleep(reply.pause)
                    event = event if reply.cut_after is None else event[: reply.cut_after - sent]
                    sent += len(event)
                    if event:
                        self._chunk(event)
                if reply.fault.startswith("cut") or reply.cut_after is not None:
                    self.close_connection = True
                    self.connection.shutdown(2)
                    return
                while reply.fault == "stall" and not server.closed.wait(0.02):
                    self._chunk(
                        b'event: ping\ndata: {"type": "ping"}\n\n'
                        if server.form == "messages"
                        else b": ping\n\n"
                    )
                while reply.fault == "flood" and not server.closed.is_set():
                    self._chunk(
                        b'event: message_delta\ndata: {"type": "message_delta", "delta": {}}\n\n'
                        if server.form == "messages"
                        else b'data: {"choices": [{"delta": {"content": ""}}]}\n\n'
                    )
                if not server.closed.is_set():
                    self.wfile.write(b"0\r\n\r\n")

            def _lines(self, reply: Reply, model: str) -> Iterator[bytes]:
                if server.form == "messages":
                    return (
                        f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode()
                        for e in _events(reply, model)
                    )
                return (
                    f"data: {e if isinstance(e, str) else json.dumps(e)}\n\n".encode()
                    for e in _completion_events(reply, model)
                )

            def _chunk(self, data: bytes) -> None:
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()

            def _json(self, status: int, value: Any, headers: Sequence[tuple[str, str]]) -> None:
                data = json.dumps(value).encode()
                self.send_response(status)
                for name, text in (
                    ("content-type", "application/json"),
                    ("content-length", str(len(data))),
                    *headers,
                ):
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Print errors of the server, of which a client that leaves is none."""
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, client_address)

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> MessagesServer:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()


def _message(reply: Reply, model: str, blocks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    calls = any(b["type"] == "tool_use" for b in reply.blocks)
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": list(blocks),
        "stop_reason": reply.stop_reason or ("tool_use" if calls else "end_turn"), "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20}, **reply.extra,
    }  # fmt: skip


def _events(reply: Reply, model: str) -> Iterator[dict[str, Any]]:
    start = {
        **_message(reply, model, ()),
        "stop_reason": None,
        "usage": {"input_tokens": 100, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": start}
    for i, block in enumerate(reply.blocks):
        if block["type"] == "text":
            yield {
                "type": "content_block_start",
                "index": i,
                "content_block": {"type": "text", "text": ""},
            }
            for n, word in enumerate(block["text"].split(" ")):
                text = word if n == 0 else f" {word}"
                yield {
                    "type": "content_block_delta",
                    "index": i,
                    "delta": {"type": "text_delta", "text": text},
                }
        elif "input" not in block:
            yield {"type": "content_block_start", "index": i, "content_block": block}
        else:
            yield {
                "type": "content_block_start",
                "index": i,
                "content_block": {**block, "input": {}},
            }
            arguments = json.dumps(block["input"]) if reply.raw_input is None else reply.raw_input
            for at in range(0, len(arguments), 7):
                delta = {"type": "input_json_delta", "partial_json": arguments[at : at + 7]}
                yield {"type": "content_block_delta", "index": i, "delta": delta}
        if reply.fault == "cut_in_block" and i == len(reply.blocks) - 1:
            return
        yield {"type": "content_block_stop", "index": i}
    if reply.fault == "error":
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    if reply.fault in ("error", "cut", "end", "stall", "flood"):
        return
    last = _message(reply, model, ())
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": last["stop_reason"], "stop_sequence": None, **reply.extra},
        "usage": {"output_tokens": 20},
    }
    yield {"type": "message_stop"}


def _completion(reply: Reply, model: str) -> dict[str, Any]:
    text = "".join(block["text"] for block in reply.blocks)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": reply.stop_reason or "stop",
    }
    return {
        "id": "c",
        "object": "chat.completion",
        "model": model,
        "choices": [choice],
        "usage": _USED,
    }


_USED = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def _completion_events(reply: Reply, model: str) -> Iterator[dict[str, Any] | str]:
    def part(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "c", "object": "chat.completion.chunk", "model": model, "choices": [choice]}

    yield part({"role": "assistant", "content": ""})
    calls = [b for b in reply.blocks if b["type"] == "tool_use"]
    for i, call in enumerate(calls):
        arguments = json.dumps(call["input"]) if reply.raw_input is None else reply.raw_input
        head = {"index": i, "id": call["id"], "type": "function"}
        yield part({"tool_calls": [{**head, "function": {"name": call["name"], "arguments": ""}}]})
        for at in range(0, len(arguments), 7):
            piece = {"index": i, "function": {"arguments": arguments[at : at + 7]}}
            yield part({"tool_calls": [piece]})
    for block in (b for b in reply.blocks if b["type"] == "text"):
        for n, word in enumerate(block["text"].split(" ")):
            yield part({"content": word if n == 0 else f" {word}"})
    if reply.fault == "error":
        yield {"error": {"message": "the model crashed", "type": "server_error"}}
    if reply.fault in ("error", "cut", "end", "stall", "flood"):
        return
    yield part({}, reply.stop_reason or ("tool_calls" if calls else "stop"))
    yield {
        "id": "c",
        "object": "chat.completion.chunk",
        "model": model,
        "choices": [],
        "usage": _USED,
    }
    yield "[DONE]"
