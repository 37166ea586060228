"""Files from outside reach the running program, and what else connects to it does no harm."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from raybench_workbench.running_program import FileReceiver, socket_name

pytestmark = pytest.mark.security
posix = pytest.mark.skipif(os.name != "posix", reason="the socket is a file")


@pytest.fixture
def outside(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FileReceiver]:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "s"))
    files = FileReceiver()
    assert files.listen()
    yield files
    files.close()


CLIENT = """
import sys
from raybench_workbench import running_program
running_program.ANSWER_MS = int(sys.argv[2])
sys.exit(not running_program.hand_over_file(sys.argv[1]))
"""


def asked(qtbot: Any, source: str, patience: int = 20_000, **places: str) -> bool:
    """Hand a file over from another program."""
    words = [sys.executable, "-c", CLIENT, source, str(patience)]
    with subprocess.Popen(words, env={**os.environ, **places}) as process:
        qtbot.waitUntil(lambda: process.poll() is not None)
    return process.returncode == 0


def test_a_file_is_taken_over_with_its_whole_path(
    outside: FileReceiver, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bänch.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    for source, path in (("bänch.json", str(tmp_path / "bänch.json")), ("example:prism",) * 2):
        with qtbot.waitSignal(outside.requested) as taken:
            assert asked(qtbot, source)
        assert taken.args == [path]
    assert not asked(qtbot, "bänch.json", WAYLAND_DISPLAY="another")
    second = FileReceiver()
    assert not second.listen(), "the first one goes on"
    outside.close()
    assert not asked(qtbot, "bänch.json")


@posix
def test_a_program_that_was_killed_leaves_a_socket_that_the_next_one_replaces(
    outside: FileReceiver, qtbot: Any
) -> None:
    outside.close()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(socket_name())
    assert not asked(qtbot, "bench.json")
    assert outside.listen()
    with qtbot.waitSignal(outside.requested):
        assert asked(qtbot, "bench.json")


@posix
def test_a_bad_peer_opens_nothing_and_holds_nobody_up(outside: FileReceiver, qtbot: Any) -> None:
    taken: list[str] = []
    outside.requested.connect(taken.append)
    peers = []
    for said in (
        b"",
        b"x" * 200_000,
        b'{"open": 7}\n',
        b"[" * 9000 + b"\n",
        b'{"open": "a',
        b"\0\n",
    ):
        peers.append(socket.socket(socket.AF_UNIX))
        peers[-1].settimeout(20)
        peers[-1].connect(socket_name())
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(_say, peers[-1], said)
            qtbot.waitUntil(sent.done)
    with ThreadPoolExecutor(1) as pool:
        ends = [pool.submit(_rest, peer) for peer in peers]
        qtbot.waitUntil(lambda: all(end.done() for end in ends))
    assert [end.result() for end in ends] == [b""] * len(peers)
    assert taken == []
    with qtbot.waitSignal(outside.requested):
        assert asked(qtbot, "bench.json")
    with socket.socket(socket.AF_UNIX) as silent:
        outside.close()
        silent.bind(socket_name())
        silent.listen()
        assert not asked(qtbot, "bench.json", 50), "a program that never answers"


def _say(peer: socket.socket, what: bytes) -> None:
    with contextlib.suppress(OSError):
        peer.sendall(what)


def _rest(peer: socket.socket) -> bytes:
    try:
        with peer:
            return peer.recv(99)
    except ConnectionError:
        return b""
