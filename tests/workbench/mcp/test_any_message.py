"""`raybench mcp` with messages of every shape on its standard input: it answers what is a request,
once, and goes on after all else.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.workbench.prism_window import prism_document

from raybench.files.document_file import save_document

ROOT = str(Path(__file__).parents[3])
COUNT = 400 if os.environ.get("RAYBENCH_LONG") else 12
PATIENCE = 25.0
"""Seconds of the clock within which a server answers though a machine is busy."""
MOST_MEMORY = 700e6
STATEMENT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What a client that keeps no session states with each request."""


class Peer:
    """The other end of the standard streams of a server."""

    def __init__(self, scene: Path, errors: Path, sessions: bool) -> None:
        self.errors = errors
        self.sessions = sessions
        self._ids = itertools.count(1)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "raybench_workbench", "mcp", str(scene)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors.open("wb"),
            env={**os.environ},
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, *lines: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # `answers` tells that it ended
            self.process.stdin.write(b"".join(line + b"\n" for line in lines))
            self.process.stdin.flush()

    def request(self, method: str, **params: Any) -> tuple[int, bytes]:
        """The number and the line of a request that is as it should be."""
        number = next(self._ids)
        return (
            number,
            json.dumps(
                {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            ).encode(),
        )

    def answers(self, until: set[int]) -> dict[int, list[dict[str, Any]]]:
        """The answers that come until each of these requests has one, and whatever else comes with
        them.
        """
        found: dict[int, list[dict[str, Any]]] = {number: [] for number in until}
        while not all(found[number] for number in until):
            line = self._lines.get(timeout=PATIENCE)
            assert line, f"the server has ended: {self.errors.read_text(errors='replace')[-2000:]}"
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if (
                "method" not in message
                and isinstance(message.get("id"), int)
                and message["id"] in until
            ):
                found[message["id"]].append(message)
        return found

    def memory(self) -> float:
        """Most memory that it had, in bytes."""
        (kilobytes,) = re.findall(
            r"VmHWM:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text()
        )
        return float(kilobytes) * 1024


@pytest.fixture(params=["legacy", "auto"])
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Peer]:
    """A server about the prism, after the handshake of its protocol; at the end it must not have
    complained, and end with its input.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("The memory of another process is read from /proc.")
    scene = tmp_path / "prism.json"
    save_document(prism_document(), scene)
    peer = Peer(scene, tmp_path / "errors", request.param == "legacy")
    try:
        if peer.sessions:
            about = {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }
            number, line = peer.request("initialize", **about)
            peer.send(line, b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        else:
            number, line = peer.request("server/discover", _meta=STATEMENT)
            peer.send(line)
        assert "result" in peer.answers({number})[number][0]
        yield peer
        assert peer.memory() < MOST_MEMORY
        assert peer.process.stdin is not None
        peer.process.stdin.close()
        assert peer.process.wait(PATIENCE) == 0
        assert "Traceback" not in peer.errors.read_text(errors="replace")
    finally:
        peer.process.kill()
        peer.process.wait()


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.just("9" * 5000)
    | st.just(10**400),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
names = st.sampled_from(
    [
        "measure_xml",
        "change_scene",
        "find_paths_xml",
        "query_rays_xml",
        "what_if",
        "sweep",
        "look_at_canvas",
        "undo_edits",
        "",
    ]
)
arguments = st.dictionaries(
    st.sampled_from(["measures", "changes", "axes", "path", "sql", "names", "glass_name", ""]),
    json_values,
    max_size=3,
)
methods = st.sampled_from(
    [
        *(
            "initialize",
            "ping",
            "tools/list",
            "server/discover",
            "subscriptions/listen",
            "resources/list",
            "resources/read",
            "prompts/get",
        ),
        *(
            "logging/setLevel",
            "completion/complete",
            "notifications/cancelled",
            "notifications/progress",
            "notifications/initialized",
        ),
        *(
            "notifications/roots/list_changed",
            "sampling/createMessage",
            "elicitation/create",
            "rpc.discover",
            "",
            "\x00",
            "tools/call/",
        ),
    ]
)
calls = st.fixed_dictionaries({"name": names, "arguments": arguments})
requests = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={
        "id": st.integers(10**6, 10**6 + 9) | st.text(max_size=3) | json_values,
        "method": methods | st.just("tools/call") | json_values,
        "params": (
            calls
            | st.fixed_dictionaries({"requestId": st.integers(10**6, 10**6 + 9) | json_values})
            | json_values
        ),
        "result": json_values,
        "error": json_values,
    },
)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A line that is a message, nearly one, or none."""
    message = draw(requests | st.lists(requests, max_size=3) | json_values)
    line = json.dumps(message).encode()
    match draw(st.integers(0, 9)):
        case 0:
            return draw(st.binary(max_size=60)).replace(b"\n", b"")
        case 1:
            return line[: draw(st.integers(0, len(line)))]
        case 2:
            deep = draw(st.sampled_from([50, 5_000, 200_000]))
            return (
                b'{"jsonrpc": "2.0", "id": 1000001, "method": "tools/call", "params": '
                + b"[" * deep
                + b"]" * deep
                + b"}"
            )
        case 3:
            return line + draw(
                st.sampled_from([b"\r", b" ", b"\x00", b"\xff", line, b"//", b"\xef\xbb\xbf"])
            )
        case 4:
            return b'{"id": 1000002, ' + line[1:]  # a key that stands twice
        case _:
            return line


@pytest.mark.long
@pytest.mark.security
def test_requests_among_messages_of_any_shape_are_answered_once(peer: Peer) -> None:
    stated = {} if peer.sessions else {"_meta": STATEMENT}

    @settings(
        max_examples=COUNT, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None,
        derandomize="RAYBENCH_SEED" not in os.environ,
    )  # fmt: skip
    @given(st.lists(lines(), max_size=12))
    def attack(disturbing: list[bytes]) -> None:
        wanted = [
            peer.request(
                "tools/call", name="measure_xml", arguments={"measures": "power(Screen)"}, **stated
            ),
            peer.request(
                "tools/call",
                name="find_rays_inside_glass_xml",
                arguments={"glass_name": "Nobody"},
                **stated,
            ),
            peer.request("tools/list", **stated),
        ]
        halves = disturbing[::2], disturbing[1::2]
        peer.send(wanted[0][1], *halves[0], wanted[1][1], *halves[1], wanted[2][1])
        found = peer.answers({number for number, _ in wanted})
        right, wrong, listed = (found[number] for number, _ in wanted)
        assert [len(a) for a in (right, wrong, listed)] == [1, 1, 1]
        assert not right[0]["result"].get("isError")
        assert wrong[0]["result"]["isError"]
        assert len(listed[0]["result"]["tools"]) > 20

    attack()


@pytest.mark.parametrize("peer", ["auto"], indirect=True)
@pytest.mark.security
def test_a_message_that_is_too_long_is_left_out_and_takes_no_memory(peer: Peer) -> None:
    for piece, size in itertools.product((b"[", b"[],", b'"\\u0000"'), (4_000_000, 200_000_000)):
        begin = (
            b'{"jsonrpc": "2.0", "id": 1000001, "method": "tools/call", "params": {"name": ""},'
            b' "arguments": {"a": ['
        )
        assert peer.process.stdin is not None
        peer.process.stdin.write(begin)
        for _ in range(size // 1_000_000):
            peer.process.stdin.write(piece * (1_000_000 // len(piece)))
        number, line = peer.request("tools/list", _meta=STATEMENT)
        peer.send(b"0]}}", line)
        assert "result" in peer.answers({number})[number][0]
    assert peer.errors.read_text().count("was left out") == 3
