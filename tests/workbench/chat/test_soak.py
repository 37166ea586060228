"""Many turns in the window: with tools, edits, stops and edits taken back."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from tests.workbench.prism_window import prism_document

from raybench.agent.models.protocol import StreamEvent
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.scene.changes import Move, Set
from raybench_workbench.chat.turns import TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.long
FULL = bool(os.environ.get("RAYBENCH_LONG"))
TURNS = int(os.environ.get("SOAK", "500")) if FULL else 15
WARM = TURNS // 5
"""Turns after which memory is measured first."""
MOST_GROWTH = 1.2
STATUS = Path("/proc/self/statm")
INSIDE = call("find_rays_inside_glass_xml", glass_name="Main Prism")
TEXT = (
    "The light is **refracted** twice, by $n_1\\sin\\theta_1 = n_2\\sin\\theta_2$ (R1):\n\n- once"
    " at W\n- once at E\n\n" * 3
)


class Forgetful(ScriptedBackend):
    """Keeps none of the messages that it received: their copies would grow with the square of the
    turns.
    """

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncIterator[StreamEvent]:
        async for event in super().stream_turn(system, (), tools):
            yield event


def turn_of(i: int) -> list[Any]:
    """The replies of a turn."""
    edits = [
        {"rotate": "Main Prism", "by": 1 + i % 7},
        {"move": "Screen", "dx": 1 if i % 2 else -1},
    ]
    tried = call("what_if", changes=edits, measures="power(Screen); rays(Screen)")
    kinds: list[list[Any]] = [
        [[INSIDE], TEXT],
        [
            [call("change_scene", changes=edits)],
            [call("measure_xml", measures="power(Screen)", id="c2")],
            "Done.",
        ],
        [[tried, call("who_lights_what_xml", id="c2")], TEXT],
        [
            [call("change_scene", changes=edits)],
            [INSIDE],
            [call("change_scene", changes={"move": "Screen", "dy": 1}, id="c3")],
            "Done.",
        ],
        [
            [call("change_scene", changes={"set": "Nothing", "refIndex": 2})],
            [call("undo_edits", id="c2")],
            "That cannot be.",
        ],
    ]
    return kinds[i % len(kinds)]


def resident() -> int:
    """The memory of the process in bytes."""
    gc.collect()
    return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not STATUS.exists(), reason="the memory of a process is read from /proc")
def test_turns_leave_no_thread_and_little_memory_and_undo_takes_all_back(
    qtbot: Any, open_window: Any
) -> None:
    window: MainWindow = open_window(prism_document())
    dock, document = window.chat_dock, window.document
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    first = document.document
    dock.connect_model(Forgetful([reply for i in range(TURNS) for reply in turn_of(i)]))
    dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("auto"))
    threads, warm = 0, 0
    for i in range(TURNS):
        dock.ask(f"Turn {i}")
        qtbot.waitUntil(lambda: not dock.busy, timeout=60_000)
        assert not dock.exchanges[-1].turn.error, dock.exchanges[-1].turn.error
        if i % 3 == 0:
            document.apply([Move("Lamp", dy=0.5), Set("Screen", {"name": "Screen"})])
        if i % 5 == 3:
            qtbot.mouseClick(
                dock.messages.findChildren(TurnEdits)[-1].button, Qt.MouseButton.LeftButton
            )
        if i == WARM:
            wait_until_settled(window)
            threads, warm = threading.active_count(), resident()
    wait_until_settled(window)
    assert len(dock.exchanges) == TURNS
    grown = resident() / warm
    print(f"{TURNS} turns: memory x {grown:.3f}, {warm / 2**20:.0f} MiB after {WARM} turns")
    assert grown < MOST_GROWTH
    qtbot.waitUntil(lambda: threading.active_count() <= threads, timeout=10_000)
    while document.session.history.done:
        document.undo()
    assert document.document is first
