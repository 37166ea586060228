"""The open window's tools for other programs: allowed by the person, shown, asked about, undone;
with a token, on loopback only.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.workbench.prism_window import prism_document

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.scripted import ScriptedBackend
from raybench.agent.tools.tool import Tool
from raybench.scene.changes import Set
from raybench.scene.names import object_named
from raybench_workbench.chat.cards import ApprovalCard, ToolCard
from raybench_workbench.chat.turns import TurnEdits
from raybench_workbench.main_window import MainWindow
from raybench_workbench.mcp import attach
from raybench_workbench.mcp.address import (
    ServerAddress,
    address_folder,
    publish_address,
    published_addresses,
)

LEFT = Qt.MouseButton.LeftButton
ROOT = str(Path(__file__).parents[3])
SET = [{"set": "Main Prism", "refIndex": 1.7}]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}
Work = Callable[[Client], Awaitable[Any]]


@tool_context
async def endless(ctx: ToolContext) -> str:
    """Never end, and edit then."""
    while not ctx.cancelled:
        await asyncio.sleep(0.01)
    await ctx.apply(SET)
    return "never"


@tool_context
async def edit_and_wait(ctx: ToolContext) -> str:
    """Edit, and never end."""
    await ctx.apply(SET)
    while not ctx.cancelled:
        await asyncio.sleep(0.01)
    return "never"


OF_TEST = tuple(
    Tool.new(function.__name__, (function, {"effect": "edit", "timeout_s": 60}))
    for function in (endless, edit_and_wait)
)


@pytest.fixture
def window(
    qtbot: Any, open_window: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """A window about the prism whose person has let programs connect, by the menu."""
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    opened: MainWindow = open_window(prism_document())
    opened.chat_dock.agent.start()
    qtbot.waitUntil(lambda: opened.chat_dock.agent.registry is not None)
    agent = opened.chat_dock.agent
    given = Future[None]()

    async def give() -> None:
        """In the agent's thread, after what the window has posted there."""
        assert agent._conversation is not None
        agent._conversation.registry = ToolRegistry((*agent_tools(), *OF_TEST))
        given.set_result(None)

    agent.run_coroutine(give)
    qtbot.waitUntil(given.done, timeout=30_000)
    assert not opened.chat_dock.programs.allowed
    assert not opened.status.programs.isVisible()
    allow(qtbot, opened)
    return opened


def allow(qtbot: Any, window: MainWindow) -> None:
    window.actions_by_id["mcp.allow"].trigger()
    qtbot.waitUntil(lambda: window.chat_dock.programs.address is not None, timeout=30_000)


def address(window: MainWindow) -> ServerAddress:
    found = window.chat_dock.programs.address
    assert found is not None
    return found


def profile(window: MainWindow, name: str) -> None:
    box = window.chat_dock.composer.profile
    box.setCurrentIndex(box.findData(name))


def started(work: Awaitable[Any]) -> Future[Any]:
    """Run a program's part in a thread of its own, as another process would."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(asyncio.run(work))  # type: ignore[arg-type]
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def program(
    where: ServerAddress, work: Work, mode: str = "auto", name: str = "bench-mate"
) -> Future[Any]:
    """A program that connects to the window by HTTP."""

    async def main() -> Any:
        async with (
            httpx2.AsyncClient(headers=where.headers, trust_env=False, timeout=60) as http,
            Client(
                streamable_http_client(where.url, http_client=http),
                mode=mode,
                client_info=Implementation(name=name, version="1"),
            ) as client,
        ):
            return await work(client)

    return started(main())


def bridge(work: Work, mode: str = "auto") -> Future[Any]:
    """A program that starts `raybench mcp --attach`."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "raybench_workbench", "mcp", "--attach"],
        env={**os.environ},
    )

    async def main() -> Any:
        async with Client(stdio_client(parameters, errlog=sys.__stderr__), mode=mode) as client:
            return await work(client)

    return started(main())


def over(qtbot: Any, future: Future[Any]) -> Any:
    qtbot.waitUntil(future.done, timeout=60_000)
    return future.result()


def card_of(qtbot: Any, window: MainWindow) -> ApprovalCard:
    """The open card, when it is there."""
    qtbot.waitUntil(
        lambda: any(c.open for c in window.chat_dock.messages.findChildren(ApprovalCard)),
        timeout=20_000,
    )
    return next(c for c in window.chat_dock.messages.findChildren(ApprovalCard) if c.open)


def text(result: CallToolResult) -> str:
    return getattr(result.content[0], "text", "")


def index(window: MainWindow) -> float:
    return object_named(window.document.scene, "Main Prism").ref_index  # type: ignore[attr-defined, no-any-return]


def lines(window: MainWindow) -> list[str]:
    from PySide6.QtWidgets import QLabel

    return [
        label.text() for label in window.chat_dock.messages.findChildren(QLabel) if label.text()
    ]


async def change(client: Client) -> CallToolResult:
    return await client.call_tool("change_scene", {"changes": SET})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_answers_to_a_program_light_up(qtbot: Any, window: MainWindow, mode: str) -> None:
    async def work(client: Client) -> CallToolResult:
        assert len((await client.list_tools()).tools) > 25
        return await client.call_tool("find_rays_inside_glass_xml", {"glass_name": "Main Prism"})

    result = over(qtbot, program(address(window), work, mode))
    assert not result.is_error
    qtbot.waitUntil(
        lambda: window.document.session.view.highlight is not None
    )  # the window shows it in its own thread
    lit = window.document.session.view.highlight
    assert lit is not None
    assert result.structured_content["rays"] == {
        "name": "R1",
        "count": len(lit),
        "revision": lit.revision,
    }
    assert "bench-mate, connected over MCP:" in lines(window)
    (card,) = window.chat_dock.messages.findChildren(ToolCard)
    assert card.outcome is not None
    assert card.chip is not None


def test_an_edit_is_approved_on_a_card(qtbot: Any, window: MainWindow) -> None:
    told: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def work(client: Client) -> list[str]:
        done = await client.call_tool(
            "change_scene",
            {"changes": [*SET, {"move": "Screen", "dx": 30}]},
            progress_callback=progress,
        )
        measured = await client.call_tool("measure_xml", {"measures": "power(Screen)"})
        return [text(done), text(measured)]

    before = window.document.document
    future = program(address(window), work)
    card = card_of(qtbot, window)
    assert card.rows[:2] == [("Main Prism", ""), ("refractive index", "1.5 → 1.7")]
    assert window.selection.proposed_edit is not None
    assert window.document.document is before
    qtbot.waitUntil(
        lambda: any((m or "").startswith("Waits for the person in the window") for m in told)
    )
    qtbot.mouseClick(card.once, LEFT)
    done, measured = over(qtbot, future)
    assert done.startswith("Done: ")
    assert f'revision="{window.document.document.revision}"' in measured
    assert window.selection.proposed_edit is None
    assert index(window) == 1.7
    assert len(window.document.session.history.done) == 1
    shown = window.chat_dock.messages.findChildren
    # one about the call without edits may still wait for its deletion
    qtbot.waitUntil(lambda: len(shown(TurnEdits)) == 1)
    assert shown(TurnEdits)[0].button.text() == "Revert this call"
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.document is before


def test_a_program_is_told_why_not(qtbot: Any, window: MainWindow) -> None:
    future = program(address(window), change)
    card = card_of(qtbot, window)
    qtbot.keyClicks(card.reason, "the glass is bought")
    qtbot.mouseClick(card.deny, LEFT)
    result = over(qtbot, future)
    assert result.is_error
    assert "The reason given: the glass is bought" in text(result)
    assert index(window) == 1.5


@pytest.mark.parametrize(("name", "done"), [("read-only", False), ("auto", True)])
@pytest.mark.security
def test_the_profile_of_the_chat_holds_for_programs(
    qtbot: Any, window: MainWindow, name: str, done: bool
) -> None:
    profile(window, name)
    result = over(qtbot, program(address(window), change))
    assert result.is_error is not done
    assert index(window) == (1.7 if done else 1.5)


def test_each_call_is_a_step(qtbot: Any, window: MainWindow) -> None:
    profile(window, "auto")

    async def edits(client: Client) -> None:
        for value in (1.6, 1.7):
            await client.call_tool(
                "change_scene", {"changes": [{"set": "Main Prism", "refIndex": value}]}
            )

    async def undo(client: Client) -> CallToolResult:
        return await client.call_tool("undo_edits", {})

    over(qtbot, program(address(window), edits))
    assert len(window.document.session.history.done) == 2
    qtbot.waitUntil(lambda: len(window.chat_dock.messages.findChildren(TurnEdits)) == 2)
    last = window.chat_dock.messages.findChildren(TurnEdits)[-1]
    qtbot.mouseClick(last.button, LEFT)
    assert index(window) == 1.6
    window.document.change(Set("Screen", {"name": "Wall"}))
    refused = over(qtbot, program(address(window), undo))
    assert refused.is_error
    assert "[The person took back what you changed: " in text(refused)
    assert "Screen" in text(refused)


@pytest.mark.security
def test_switching_off_stops_what_runs_and_applies_nothing(qtbot: Any, window: MainWindow) -> None:
    profile(window, "auto")
    where = address(window)

    future = program(where, lambda client: client.call_tool("endless", {}))
    qtbot.waitUntil(
        lambda: future.done() or bool(window.chat_dock.messages.findChildren(ToolCard)),
        timeout=60_000,
    )
    assert not future.done(), future.result()
    window.actions_by_id["mcp.allow"].trigger()
    assert not window.status.programs.isVisible()
    result = over(qtbot, future)
    assert result.is_error
    assert text(result) == "endless was stopped by the person."
    assert index(window) == 1.5
    assert not window.document.session.history.done
    try:
        answer = over(qtbot, started(post(where, where.headers)))
    except httpx2.TransportError:
        pass
    else:
        assert answer.status_code == 401
    assert published_addresses() == []
    allow(qtbot, window)
    assert address(window).token != where.token
    assert not over(
        qtbot, program(address(window), lambda client: client.call_tool("system_stats", {}))
    ).is_error


def test_a_stopped_program_is_told_its_changes(qtbot: Any, window: MainWindow) -> None:
    profile(window, "auto")
    future = program(address(window), lambda client: client.call_tool("edit_and_wait", {}))
    qtbot.waitUntil(lambda: index(window) == 1.7, timeout=60_000)
    window.actions_by_id["mcp.allow"].trigger()
    result = over(qtbot, future)
    assert result.is_error
    assert text(result).startswith(
        "edit_and_wait was stopped by the person. These edits were made before: "
    )
    assert index(window) == 1.7


async def post(where: ServerAddress, headers: dict[str, Any], version: str = "") -> httpx2.Response:
    about = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    about |= {"mcp-protocol-version": version} if version else {}
    async with httpx2.AsyncClient(trust_env=False, timeout=20) as http:
        return await http.post(where.url, json=INITIALIZE, headers={**about, **headers})


ANSWERED: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 200),
    ({"Authorization": ""}, 401),
    ({"Authorization": "Bearer guessed"}, 401),
    ({"Authorization": "Bearer é".encode()}, 401),
    ({"Host": "attacker.example:8000"}, 421),
    ({"Host": "127.0.0.1"}, 421),
    ({"Origin": "http://attacker.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Host": "attacker.example", "Authorization": ""}, 401),
)
"""Headers of a request besides the right ones, and the status of the response."""


@pytest.mark.parametrize("version", ["", "2026-07-28"])
@pytest.mark.security
def test_a_token_is_needed_and_no_origin(qtbot: Any, window: MainWindow, version: str) -> None:
    where = address(window)
    for headers, status in ANSWERED:
        response = over(qtbot, started(post(where, {**where.headers, **headers}, version)))
        if status == 200 and version:
            assert response.status_code not in (401, 403, 421)
        else:
            assert response.status_code == status, headers
        assert where.token not in response.text


@pytest.mark.security
def test_the_address_is_on_loopback_and_private(window: MainWindow) -> None:
    assert address(window).url.startswith("http://127.0.0.1:")
    ((path, found),) = published_addresses()
    assert found == address(window)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(address_folder().stat().st_mode) == 0o700
    assert address(window).token not in repr(address(window))


def test_configurations_can_be_copied(window: MainWindow) -> None:
    assert window.status.programs.isVisible()
    assert window.status.programs.text() == "programs may connect"
    assert window.actions_by_id["mcp.allow"].isChecked()
    clipboard = QApplication.clipboard()
    window.actions_by_id["mcp.copy"].trigger()
    assert json.loads(clipboard.text()) == {
        "mcpServers": {"raybench": {"command": "raybench", "args": ["mcp", "--attach"]}}
    }
    window.actions_by_id["mcp.copy_address"].trigger()
    copied = json.loads(clipboard.text())["mcpServers"]["raybench"]
    assert (copied["url"], copied["headers"]) == (address(window).url, address(window).headers)


def test_a_new_conversation_answers_open_questions_with_no(qtbot: Any, window: MainWindow) -> None:
    future = program(address(window), change)
    card_of(qtbot, window)
    window.chat_dock.start_over()
    result = over(qtbot, future)
    assert result.is_error
    assert "the person did not answer" in text(result)
    assert window.selection.proposed_edit is None


def test_a_new_conversation_asks_again(qtbot: Any, window: MainWindow) -> None:
    future = program(address(window), change)
    qtbot.mouseClick(card_of(qtbot, window).always, LEFT)
    assert not over(qtbot, future).is_error
    assert not over(qtbot, program(address(window), change)).is_error
    window.chat_dock.start_over()
    future = program(address(window), change)
    qtbot.mouseClick(card_of(qtbot, window).deny, LEFT)
    assert over(qtbot, future).is_error


def test_another_document_stops_calls(qtbot: Any, window: MainWindow) -> None:
    future = program(address(window), change)
    card_of(qtbot, window)
    window.document.new()
    assert over(qtbot, future).is_error
    assert not window.document.session.history.done


# --- the bridge


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_bridge_passes_calls_on(qtbot: Any, window: MainWindow, mode: str) -> None:
    told: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def work(client: Client) -> CallToolResult:
        assert "endless" in {
            tool.name for tool in (await client.list_tools()).tools
        }  # the window's, not those that ship
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2.0):
                await client.call_tool("endless", {}, progress_callback=progress)
        return await client.call_tool(
            "find_rays_inside_glass_xml", {"glass_name": "Main Prism"}, progress_callback=progress
        )

    profile(window, "auto")
    result = over(qtbot, bridge(work, mode))
    assert result.structured_content["rays"]["count"] > 0
    assert "Endless" in told
    cards = window.chat_dock.messages.findChildren(ToolCard)
    qtbot.waitUntil(lambda: cards[0].time.text() == "stopped")
    assert index(window) == 1.5
    assert window.document.session.view.highlight is not None


def test_a_closed_window_is_an_error(qtbot: Any, window: MainWindow) -> None:
    profile(window, "auto")
    closing: list[float] = []

    async def work(client: Client) -> list[tuple[str, float, bool]]:
        found = []
        for name in ("endless", "system_stats"):
            start = time.monotonic()
            result = await client.call_tool(name, {})
            found.append(
                (
                    text(result),
                    time.monotonic() - (closing[0] if name == "endless" else start),
                    result.is_error,
                )
            )
        return found

    future = bridge(work)
    qtbot.waitUntil(lambda: bool(window.chat_dock.messages.findChildren(ToolCard)), timeout=30_000)
    closing.append(time.monotonic())
    window.close()
    (lost, first, failed), (closed, second, failed_too) = over(qtbot, future)
    assert failed
    assert failed_too
    assert "window was closed" in lost or "stopped by the person" in lost
    assert "No window lets programs connect" in closed
    assert "File > Model Context Protocol > Let programs connect" in closed
    assert first < 30  # the tool itself never ends; about 0.2 s
    assert second < 30


def test_the_bridge_forgets_dead_windows(
    qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    dead = publish_address(ServerAddress("http://127.0.0.1:9/mcp", "token"))
    (address_folder() / "broken.json").write_text("{")

    async def work(client: Client) -> CallToolResult:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"measure_xml", "change_scene", "look_at_canvas"} <= tools
        start = time.monotonic()
        result = await client.call_tool("system_stats", {})
        assert time.monotonic() - start < 20  # without waiting for an answer that never comes
        return result

    result = over(qtbot, bridge(work))
    assert result.is_error
    assert "No window lets programs connect" in text(result)
    assert not dead.exists()


def test_the_bridge_waits_for_a_busy_window(
    qtbot: Any, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = attach._connect_client

    @asynccontextmanager
    async def late(*arguments: Any) -> AsyncIterator[Client]:
        await asyncio.sleep(1.2)
        async with connected(*arguments) as client:
            yield client

    monkeypatch.setattr(attach, "_connect_client", late)

    async def listed() -> set[str]:
        async with Client(attach.Bridge().protocol) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert "endless" in over(qtbot, started(listed()))


def test_the_bridge_keeps_files_of_slow_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))

    async def late(*_: Any) -> None:
        await asyncio.sleep(1.0)

    monkeypatch.setattr(asyncio, "open_connection", late)
    monkeypatch.setattr(attach, "CONNECT_SECONDS", 0.1)
    slow = publish_address(ServerAddress("http://127.0.0.1:9/mcp", "token"))
    assert asyncio.run(attach._latest_window_address()) is None
    assert slow.exists()


def test_a_window_that_is_stuck_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr(attach, "LONGEST_SILENCE", 0.5)
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as stuck:  # it accepts connections and answers nothing
        publish_address(ServerAddress(f"http://127.0.0.1:{stuck.getsockname()[1]}/mcp", "token"))

        async def main() -> CallToolResult:
            async with Client(attach.Bridge().protocol) as client:
                assert len((await client.list_tools()).tools) > 25
                return await client.call_tool("system_stats", {})

        result = asyncio.run(main())
    assert result.is_error
    assert "The window does not respond" in text(result)


@pytest.mark.security
def test_a_file_that_others_can_write_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    path = publish_address(ServerAddress("http://127.0.0.1:9/mcp", "token"))
    assert [found for found, _ in published_addresses()] == [path]
    path.chmod(0o666)
    assert published_addresses() == []


def test_a_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    path = publish_address(ServerAddress("http://127.0.0.1:9/mcp", "before"))
    assert publish_address(ServerAddress("http://127.0.0.1:9/mcp", "token")) == path
    assert [found.token for _, found in published_addresses()] == ["token"]
    path.unlink()
    path.symlink_to(other := tmp_path / "other")
    other.write_text("theirs")
    publish_address(ServerAddress("http://127.0.0.1:9/mcp", "token"))
    assert other.read_text() == "theirs"
    assert not path.is_symlink()


def test_the_bridge_tells_of_other_tools(qtbot: Any, window: MainWindow) -> None:
    told: list[str] = []
    listed = threading.Event()

    async def hear(message: Any) -> None:
        told.append(message.method)

    async def work() -> None:
        async with Client(attach.Bridge().protocol, mode="auto", message_handler=hear) as client:
            await client.list_tools()
            async with client.listen(tools_list_changed=True):
                await asyncio.sleep(1.0)  # the bridge listens to the window itself then
                listed.set()
                async with asyncio.timeout(20):
                    while len(told) < 2:
                        await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(work()), daemon=True)
    thread.start()
    qtbot.waitUntil(listed.is_set, timeout=20_000)
    window.chat_dock.connect_model(ScriptedBackend(["Yes."]))
    qtbot.waitUntil(lambda: len(told) >= 1, timeout=10_000)
    window.chat_dock.programs.allow_connections(False)
    qtbot.waitUntil(lambda: not thread.is_alive(), timeout=20_000)
    assert set(told) == {"notifications/tools/list_changed"}
