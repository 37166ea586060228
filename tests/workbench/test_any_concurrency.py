"""Programs over MCP, turns of a model, the person's mouse, Stop, undo and redo on one window,
interleaved at random: what was reported as made was made once, what was refused was not; all undone
it is the first document, all redone the last; no thread remains.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation
from prism_window import prism_document
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from quiet import nothing_raised_or_printed

from raybench.agent.models.protocol import Backend, FinishedBlock, ReplyEnd, StreamEvent, TextDelta
from raybench.agent.models.scripted import call
from raybench.agent.tools.tool import Tool
from raybench.scene.changes import Set
from raybench.shapes.point import Point
from raybench_workbench.chat.cards import ApprovalCard
from raybench_workbench.chat.turns import TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.mcp.address import ServerAddress
from raybench_workbench.shot import wait_until, wait_until_settled

SESSIONS, ACTIONS = (60, 120) if os.environ.get("RAYBENCH_LONG") else (2, 30)
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
MADE = "These edits were made before"
pytestmark = pytest.mark.long


class Marks:
    """Edits that each add an object of a name of their own, what their callers were answered, and
    what was in the document.
    """

    def __init__(self, window: MainWindow) -> None:
        self._document, self._lock, self._number = window.document, threading.Lock(), 0
        self.made: set[str] = set()
        self.refused: set[str] = set()
        self.seen: set[str] = set()
        self.of_turn: set[str] = set()
        self.stopped: set[str] = set()
        """What a turn had asked for and was not made when the person stopped it."""
        window.document.changed.connect(self.look)

    def look(self, *_: object) -> None:
        self.seen |= marks_in(self._document.document.scene.objects)

    def edits(self, chance: Random) -> tuple[str, list[dict[str, Any]]]:
        """A name that no other edit has, and changes that add an object of this name, some of which
        are refused as a whole.
        """
        with self._lock:
            self._number += 1
            name = f"Mark-{self._number:04}"
        x = 300.0 + 7 * (self._number % 40)
        changes: list[dict[str, Any]] = [
            {
                "add": {
                    "type": "Blocker",
                    "name": name,
                    "p1": {"x": x, "y": 400},
                    "p2": {"x": x, "y": 410},
                }
            },
            {"rotate": "Main Prism", "by": chance.choice((-3, 1, 4))},
            {"move": "Screen", "dx": chance.choice((-5, 5)), "dy": 0},
        ]
        chance.shuffle(changes)
        if chance.random() < 0.15:
            changes.append({"set": "Nobody", "refIndex": 2})
        return name, changes

    def answered(self, name: str, error: bool, answer: str) -> None:
        """An edit was answered, perhaps by an error after it was made, as where the person has
        stopped the call.
        """
        (self.refused if error and MADE not in answer else self.made).add(name)


def marks_in(objects: Sequence[Any]) -> set[str]:
    counts = Counter(o.title[:9] for o in objects if o.title.startswith("Mark-"))
    assert not counts or max(counts.values()) == 1, counts
    return set(counts)


class AnyModel(Backend):
    """A model that talks, asks and edits at random, and notes what its edits were answered."""

    name = "any"

    def __init__(self, chance: Random, marks: Marks) -> None:
        self._chance, self._marks, self._calls, self._steps = chance, marks, dict[str, str](), 0

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncIterator[StreamEvent]:
        chance = self._chance
        for block in messages[-1]["content"] if isinstance(messages[-1]["content"], list) else ():
            if block["type"] == "tool_result" and (
                name := self._calls.pop(block["tool_use_id"], "")
            ):
                self._marks.answered(name, bool(block.get("is_error")), str(block["content"]))
        for _ in range(chance.randint(0, 4)):
            await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 0.05)))
            yield TextDelta("word ")
        calls = chance.choice((0, 1, 1, 2))
        yield FinishedBlock({"type": "text", "text": "word"})
        for _ in range(calls):
            self._steps += 1
            identity = f"call_{self._steps}"
            if chance.random() < 0.7:
                name, changes = self._marks.edits(chance)
                self._calls[identity] = name
                self._marks.of_turn.add(name)
                yield FinishedBlock(call("change_scene", identity, changes=changes))
            else:
                tool, arguments = chance.choice(READING)
                yield FinishedBlock(call(tool, identity, **arguments))
        yield ReplyEnd("tool_use" if calls else "end_turn")


READING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("losses_xml", {}),
    ("measure_xml", {"measures": "power(Screen)"}),
    ("undo_edits", {}),
    ("who_lights_what_xml", {}),
)


def program(
    where: ServerAddress, chance: Random, marks: Marks, stopped: threading.Event
) -> Future[None]:
    """A program that edits and asks until it is stopped or its connection ends."""
    future: Future[None] = Future()

    async def work() -> None:
        async with (
            httpx2.AsyncClient(headers=where.headers, trust_env=False, timeout=60) as http,
            Client(
                streamable_http_client(where.url, http_client=http),
                client_info=Implementation(name="other", version="1"),
            ) as client,
        ):
            while not stopped.is_set():
                await asyncio.sleep(chance.choice((0.0, 0.02, 0.1)))
                if chance.random() < 0.6:
                    name, changes = marks.edits(chance)
                    found = await client.call_tool("change_scene", {"changes": changes})
                    marks.answered(name, found.is_error, str(found.content))
                else:
                    tool, arguments = chance.choice(READING)
                    await client.call_tool(tool, arguments)

    def run() -> None:
        with contextlib.suppress(BaseException):  # the window closed the connection
            asyncio.run(work())
        future.set_result(None)

    threading.Thread(target=run, daemon=True, name="program").start()
    return future


class Person:
    """A person who does one thing after the other at the window."""

    def __init__(self, window: MainWindow, chance: Random, marks: Marks) -> None:
        self.window, self.chance, self.marks, self.did = window, chance, marks, list[str]()
        self._at: QPointF | None = None

    def act(self) -> None:
        ways = (
            self.ask,
            self.stop,
            self.mouse,
            self.mouse,
            self.mouse,
            self.undo,
            self.redo,
            self.card,
            self.card,
            self.profile,
        )
        way = self.chance.choice((*ways, self.edit, self.wait, self.wait, self.revert, self.escape))
        self.did.append(f"{way.__name__} {way()}")
        for _ in range(self.chance.randint(0, 3)):
            QApplication.processEvents()

    def ask(self) -> None:
        if not self.window.chat_dock.busy:
            self.window.chat_dock.ask(
                self.chance.choice(("Do something", "And again", "Which rays?"))
            )

    def stop(self) -> None:
        if self.window.chat_dock.busy and self.chance.random() < 0.6:
            self.window.chat_dock.stop()
            self.marks.stopped |= self.marks.of_turn - self.marks.seen

    def mouse(self) -> str:
        """Press on the prism, move it, or release it."""
        canvas = self.window.canvas
        if self._at is None:
            prism = next(
                (o for o in self.window.document.scene.objects if o.name == "Main Prism"), None
            )
            if prism is None:
                return "no prism"
            middle = [sum(v) / 3 for v in zip(*((p.x, p.y) for p in prism.path[:3]), strict=True)]  # type: ignore[attr-defined]
            self._at = canvas.camera.to_screen(Point(*middle))
            QTest.mousePress(canvas, LEFT, NONE, self._at.toPoint())
            return "press"
        if self.chance.random() < 0.3:
            return self.release()
        self._at += QPointF(self.chance.randint(-12, 12), self.chance.randint(-12, 12))
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove,
            self._at,
            canvas.mapToGlobal(self._at),
            Qt.MouseButton.NoButton,
            LEFT,
            NONE,
        )
        QApplication.sendEvent(canvas, event)
        return "move"

    def release(self) -> str:
        if self._at is not None:
            QTest.mouseRelease(self.window.canvas, LEFT, NONE, self._at.toPoint())
            self._at = None
        return "release"

    def escape(self) -> None:
        if self.chance.random() < 0.3:
            QTest.keyClick(self.window.canvas, Qt.Key.Key_Escape)

    def undo(self) -> None:
        for _ in range(self.chance.choice((1, 1, 4))):
            self.window.actions_by_id["edit.undo"].trigger()

    def redo(self) -> None:
        for _ in range(self.chance.choice((1, 1, 4))):
            self.window.actions_by_id["edit.redo"].trigger()

    def edit(self) -> str:
        return self.window.document.apply_or_refuse(
            Set("Main Prism", {"refIndex": self.chance.choice((1.4, 1.5, 1.6))})
        )

    def card(self, answer: bool | None = None) -> str:
        """Answer a card that waits."""
        cards = [c for c in self.window.chat_dock.messages.findChildren(ApprovalCard) if c.open]
        for card in cards[:1]:
            button = (
                card.once
                if (answer if answer is not None else self.chance.random() < 0.7)
                else card.deny
            )
            QTest.mouseClick(button, LEFT)
        return f"{len(cards)}"

    def profile(self) -> str:
        box = self.window.chat_dock.composer.profile
        name = self.chance.choice(("auto", "auto", "ask"))
        if (index := box.findData(name)) >= 0:
            box.setCurrentIndex(index)
        return name

    def revert(self) -> str:
        cards = self.window.chat_dock.messages.findChildren(TurnEdits)
        if cards and self.chance.random() < 0.3:
            QTest.mouseClick(self.chance.choice(cards).button, LEFT)
        return f"{len(cards)}"

    def wait(self) -> None:
        end = time.monotonic() + self.chance.choice((0.01, 0.05, 0.2))
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("number", range(SESSIONS))
def test_whoever_edits_meanwhile_each_edit_is_made_once_or_refused_and_all_can_be_undone(
    number: int,
    open_window: Callable[..., MainWindow],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    chance = Random(f"concurrency {os.environ.get('RAYBENCH_SEED', '')} {number}")
    threads = set(threading.enumerate())
    window = open_window(prism_document())
    document, dock = window.document, window.chat_dock
    wait_until(lambda: dock.agent.registry is not None and len(dock.composer.commands) > 1, 60)
    first, marks, stopped = document.document, Marks(window), threading.Event()
    person = Person(window, chance, marks)
    dock.connect_model(AnyModel(Random(chance.random()), marks))
    dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("auto"))
    window.actions_by_id["mcp.allow"].trigger()
    wait_until(lambda: dock.programs.address is not None, 60)
    assert dock.programs.address is not None
    programs = [
        program(dock.programs.address, Random(chance.random()), marks, stopped) for _ in range(2)
    ]
    with nothing_raised_or_printed(person.did) as check:
        for _ in range(ACTIONS):
            person.act()
            check()
        stopped.set()
        person.release()
        if chance.random() < 0.5:
            window.actions_by_id["mcp.allow"].trigger()
        end = time.monotonic() + 60
        while (dock.busy or not all(p.done() for p in programs)) and time.monotonic() < end:
            person.card(answer=True)
            person.wait()
        assert not dock.busy
        assert all(p.done() for p in programs)
        person.escape()
        wait_until_settled(window, 60)
        assert document.gesture is None
        marks.look()
        assert marks.made <= marks.seen, marks.made - marks.seen
        assert not marks.refused & marks.seen
        assert not marks.stopped & marks.seen
        last, undone, added = (
            document.document,
            len(document.session.history.undone),
            Counter[str](),
        )
        while document.session.history.done:
            after = marks_in(document.scene.objects)
            document.undo()
            added.update(after - marks_in(document.scene.objects))
        assert document.document is first
        assert not added or max(added.values()) == 1
        while len(document.session.history.undone) > undone:
            document.redo()
        assert document.document is last
        wait_until_settled(window, 60)
        check()
        document.session.discard()
        window.close()
        wait_until(
            lambda: (
                not {t for t in threading.enumerate() if t.is_alive()}
                - threads
                - {threading.main_thread()}
            ),
            30,
        )
        check()
    assert capfd.readouterr().err == ""
