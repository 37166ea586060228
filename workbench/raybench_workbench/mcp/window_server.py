"""Lets other programs use the tools on the open document, while the user allows it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.approval import ApprovalRequest, Decision, Profile
from raybench.agent.call.events import TurnEvent, without_traces
from raybench.agent.call.outcome import ToolOutcome, failed_outcome
from raybench.agent.call.scope import run_in_thread
from raybench.agent.turn.conversation import ClientCalls
from raybench.errors import RaybenchError
from raybench_workbench.agent.agent import Agent, Question
from raybench_workbench.agent.window_document import WindowDocument
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.mcp import ABOUT, MISSING_PACKAGE, WINDOW
from raybench_workbench.mcp.address import ServerAddress, publish_address

if TYPE_CHECKING:
    from raybench.agent.catalogue.registry import ToolRegistry
    from raybench_workbench.agent.actions import AgentActions
    from raybench_workbench.mcp.protocol_server import HttpServer
    from raybench_workbench.mcp.server import RunningCall, ToolServer

log = logging.getLogger(__name__)


class WindowServer(QObject):
    """A server in the agent's thread that the window controls. It is off until `allow_connections`
    is called; each time it gets a new access token.
    """

    stateChanged = Signal()
    """`allowed` or `address` changed."""
    failed = Signal(str)
    """The server could not be started or ended with an error, given as text."""
    began = Signal(int, str, str)
    """A call began: its number, the name of the program, and the merge key of its edits."""
    happened = Signal(int, object)
    """A call's number and one of its `TurnEvent`s."""
    asked = Signal(int, object)
    """A call's number and a `Question`, for which the call waits."""
    ended = Signal(int)
    """The number of a call that ended."""

    _served = Signal(int, object)
    """Which time the server was allowed, and the address where it accepts connections now; None
    when it has ended.
    """

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        agent: Agent,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.allowed = False
        self.address: ServerAddress | None = None
        self.profile: Profile = "ask"
        """What programs may do without asking, from the next call on."""
        self._agent = agent
        self._opened = WindowDocument(self, document, selection)
        self._numbers = itertools.count(1)
        self._calls: ClientCalls | None = None
        self._server: ToolServer | None = None
        self._http: HttpServer | None = None
        self._file: Path | None = None
        self._times = 0
        """How often `allow_connections` has started a server: one that was stopped may end after
        the next has started.
        """
        self._served.connect(self._record_serving)
        document.opened.connect(self.stop_calls)
        agent.toolsReady.connect(self._tools_changed)

    def offer_actions(self, actions: AgentActions) -> None:
        """Let other programs run these actions of the window."""
        self._opened.actions = actions

    def allow_connections(self, on: bool) -> None:
        """Let programs connect or, if ``on`` is False, stop all their calls and close all
        connections. Unfinished calls change nothing.
        """
        if on == self.allowed:
            return
        self.allowed = on
        if on:
            self._times += 1
            self._agent.run_coroutine(partial(self._serve, self._times))
        else:
            self._withdraw_address()
            self.stop_calls()
            if self._http is not None:
                self._http.stop()
        self.stateChanged.emit()

    def stop_calls(self) -> None:
        """Stop all calls of other programs; unfinished calls change nothing."""
        self._opened.open_turns = frozenset()
        if self._server is not None:
            self._agent.run_coroutine(self._stop_calls)

    def _tools_changed(self, _tools: object) -> None:
        """Notify other programs that the list of tools has changed, because a project was opened or
        another model was connected.
        """
        if self._server is not None:
            self._agent.run_coroutine(self._server.notify_tools_changed)

    def add_note(self, text: str) -> None:
        """Add a note about the user's actions to the next result that each program receives."""
        self._run_with_calls(lambda calls: calls.add_note(text))

    def revoke_permissions(self) -> None:
        """Forget which calls the user has allowed to other programs in this conversation."""
        self._run_with_calls(ClientCalls.revoke_permissions)

    def _run_with_calls(self, use_calls: Callable[[ClientCalls], None]) -> None:
        async def work() -> None:
            if self._calls is not None:
                use_calls(self._calls)

        if self._times:  # a program may have connected
            self._agent.run_coroutine(work)

    def close(self) -> None:
        """Stop the server because the window closes. Programs no longer find the window; the
        agent's thread closes the connections when it ends.
        """
        self.allow_connections(False)

    def _record_serving(self, time: int, address: ServerAddress | None) -> None:
        """Record that the server has started with this address, or has ended if it is None."""
        if time != self._times:
            return
        if address is not None and self.allowed:
            self.address = address
            try:
                self._file = publish_address(address)
            except (RaybenchError, OSError) as error:
                self.failed.emit(f"raybench mcp --attach will not find this window: {error}.")
        elif address is None:
            self._withdraw_address()
            self.allowed = False
        self.stateChanged.emit()

    def _withdraw_address(self) -> None:
        self.address = None
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.unlink()
            self._file = None

    # --- in the agent's thread

    async def _serve(self, time: int) -> None:
        http: HttpServer | None = None
        try:
            _, http = made = await run_in_thread(self._new_server)
            if time == self._times and self.allowed:
                self._server, self._http = made
                await http.serve(partial(self._served.emit, time, http.address))
        except ModuleNotFoundError as error:
            self.failed.emit(MISSING_PACKAGE if error.name == "mcp" else str(error))
        except Exception as error:
            log.exception("the server for other programs failed")
            self.failed.emit(
                f"The server for other programs has ended ({type(error).__name__}: {error})."
            )
        finally:
            if http is not None:
                http.close()
            if http is self._http:
                self._server = self._http = None
            with contextlib.suppress(RuntimeError):  # the window is gone
                self._served.emit(time, None)

    def _new_server(self) -> tuple[ToolServer, HttpServer]:
        """Make a new server. Importing its packages takes about a second."""
        from raybench_workbench.mcp.protocol_server import HttpServer
        from raybench_workbench.mcp.server import ToolServer

        calls = self._calls = ClientCalls(
            self._opened, self._tool_registry, backend=lambda: self._agent.backend
        )
        server = ToolServer(lambda: calls.tools, self._run_call, ABOUT + WINDOW, self._opened)
        return server, HttpServer(server.protocol)

    def _tool_registry(self) -> ToolRegistry:
        registry = self._agent.registry
        assert registry is not None
        return registry

    async def _stop_calls(self) -> None:
        if self._server is not None:
            self._server.stop()

    async def _run_call(self, call: RunningCall) -> ToolOutcome:
        assert self._calls is not None
        number = next(self._numbers)
        key = f"window {id(self)}, call {number}"
        self._opened.open_turns |= {key}
        if not self.allowed:
            self._opened.open_turns = frozenset()
            return failed_outcome(
                call.tool,
                call.arguments,
                "The person does not let programs connect any more.",
            )

        async def ask(request: ApprovalRequest) -> Decision:
            call.set_progress_words(f"Waits for the person in the window: {request.title}")
            future: Future[Decision] = Future()
            self.asked.emit(number, Question(request, future))
            return await asyncio.wrap_future(future)

        def emit(event: TurnEvent) -> None:
            call.record_event(event)
            self.happened.emit(number, without_traces(event))

        self.began.emit(number, call.client, key)
        try:
            return await self._calls.call(
                call.tool,
                call.arguments,
                profile=self.profile,
                ask=ask,
                emit=emit,
                key=key,
            )
        finally:
            self._opened.open_turns -= {key}
            with contextlib.suppress(RuntimeError):  # the window is gone
                self.ended.emit(number)
