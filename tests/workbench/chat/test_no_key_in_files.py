"""A key that was typed or set in the environment is in no file, log, output or transcript."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from tests.messages_server import MessagesServer, refuse, say, use
from tests.workbench.prism_window import prism_document

from raybench.files.document_file import save_document
from raybench.system.files import user_folder

KEY = "sk-ant-secret-0123456789abcdef"
INSIDE = "find_rays_inside_glass_xml"


def written_in(folder: Path) -> bytes:
    """All that is in the files of a folder."""
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_key_typed_in_the_window_is_in_no_file_and_no_log(
    qtbot: Any,
    open_window: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    caplog.set_level(logging.DEBUG)
    window = open_window(prism_document())
    assert window.document.save(tmp_path / "scene.raybench")
    dock = window.chat_dock
    replies = [
        say("yes"),
        use(INSIDE, glass_name="Main Prism"),
        say("Two of them (R1)."),
        refuse(401, f"invalid key {KEY}"),
    ]
    with MessagesServer(replies) as server:
        strip = dock.strip
        qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
        strip.model.setCurrentText("some-model")
        qtbot.keyClicks(strip.url, server.url)
        qtbot.keyClicks(strip.key, KEY)
        qtbot.keyClick(strip.key, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: dock.agent.backend is not None)
        for question in ("Which rays are inside?", "And now?"):
            qtbot.keyClicks(dock.composer.edit, question)
            qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
            qtbot.waitUntil(lambda: not dock.busy)
        assert any(KEY in str(headers) for headers in server.headers), "it is used"
    assert window.document.save(tmp_path / "scene.raybench")
    qtbot.waitUntil(lambda: b"Two of them" in written_in(tmp_path))
    window.close()
    assert KEY.encode() not in written_in(tmp_path)
    assert KEY not in caplog.text
    assert KEY not in dock.transcript_markdown()


def test_a_key_of_the_environment_is_in_no_output_and_no_file_of_a_command(tmp_path: Path) -> None:
    save_document(prism_document(), tmp_path / "scene.raybench")
    with MessagesServer(
        [
            use(INSIDE, glass_name="Main Prism"),
            say("Two of them (R1)."),
            refuse(401, f"invalid key {KEY}"),
        ]
    ) as server:
        environment = {
            **os.environ,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": server.url,
            "RAYBENCH_STATE_DIR": str(tmp_path / "state"),
            "RAYBENCH_CACHE_DIR": str(user_folder("cache")),  # with the compiled kernels
            "HOME": str(tmp_path),
        }
        command = [
            sys.executable,
            "-m",
            "raybench_workbench",
            "ask",
            str(tmp_path / "scene.raybench"),
            "Which rays are inside?",
        ]
        outputs = b""
        for extra in (["--json", "--save", str(tmp_path / "out.raybench")], ["--debug"]):
            done = subprocess.run(
                [*command, *extra], capture_output=True, env=environment, timeout=300, check=False
            )
            outputs += done.stdout + done.stderr
        assert len(server.headers) == 3
    assert b"Two of them" in outputs
    assert b"401" in outputs or b"invalid" in outputs
    assert KEY.encode() not in outputs
    assert KEY.encode() not in written_in(tmp_path)
