"""The bridge: a server on standard input and output that offers the tools of an open window."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from mcp_types.version import LATEST_MODERN_VERSION

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.offer import listed_tools, tools_for_model
from raybench_workbench.mcp import ABOUT, WINDOW
from raybench_workbench.mcp.address import ServerAddress, published_addresses
from raybench_workbench.mcp.protocol_server import NAME, Context, ProtocolServer, ToolListNotifier
from raybench_workbench.mcp.resources import SCENE_RESOURCES, read_guide, reading_handlers
from raybench_workbench.mcp.server import PROGRESS_SECONDS, error_result, tool_for_client

CONNECT_SECONDS = 0.8
"""Seconds within which a window must accept a connection."""
LISTING_SECONDS = 5.0
"""Seconds within which an open window must list its tools: it may be tracing, while a client waits.
"""
WATCH_SECONDS = 1.0
"""Seconds between two looks whether a window has opened."""
LONGEST_SILENCE = 10.0
"""Seconds without a sign of life after which a window counts as stuck."""
CLOSED = (
    "No window lets programs connect. Open Raybench on the scene, choose File > Model Context"
    " Protocol > Let programs connect there, and call the tool again."
)
LOST = (
    "The window was closed, or does not let programs connect any more, before the call ended. What"
    " it had changed so far is kept there."
)
SILENT = (
    "The window does not respond. The person there may have to close it. What the call has changed"
    " so far, if anything, is kept there."
)


class Bridge:
    """Forwards calls to the window that last allowed programs to connect. Without such a window,
    every call fails at once.
    """

    def __init__(self) -> None:
        self._changes = ToolListNotifier()
        self._watching: asyncio.Task[None] | None = None
        self.protocol = ProtocolServer(
            ABOUT + WINDOW,
            self._list_tools,
            self._call_tool,
            self._changes,
            **reading_handlers(self._read_resource),
        )

    async def _watch_windows(self, known: ServerAddress | None) -> None:
        """Notify the client when a window opens or closes, and when a window's tools change."""
        while True:
            address = await _latest_window_address()
            if address != known:
                known = address
                await self._changes.notify_clients()
            if address is not None:
                with contextlib.suppress(
                    Exception
                ):  # the window has closed: the next round finds out
                    async with (
                        _connect_client(address, _bridge_info()) as window,
                        window.listen(tools_list_changed=True) as changes,
                    ):
                        async for _ in changes:
                            await self._changes.notify_clients()
            await asyncio.sleep(WATCH_SECONDS)

    async def _list_tools(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """The tools of the window. Without a window, the built-in tools, since some clients ask
        only once.
        """
        self._changes.add_session(context.session)
        listed = None
        address = await _latest_window_address()
        if address is not None:
            with contextlib.suppress(Exception):
                async with (
                    asyncio.timeout(LISTING_SECONDS),
                    _connect_client(address, _client_info(context)) as window,
                ):
                    listed = await window.list_tools()
        if (
            self._watching is None
        ):  # a window that did not list its tools in time is announced when it does
            self._watching = asyncio.ensure_future(
                self._watch_windows(address if listed is not None else None)
            )
        if listed is not None:
            return listed
        tools = exposed_tools(ToolRegistry(agent_tools()).tools, "native")
        without_model = tuple(tool for tool in tools if tool.type == "native")
        offered = listed_tools(tools_for_model(without_model, window=True))
        return ListToolsResult(tools=[tool_for_client(tool) for tool in offered])

    async def _read_resource(
        self, context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """Read a guide from this process, or a resource of the scene from the window."""
        if params.uri not in {resource.uri for resource in SCENE_RESOURCES}:
            return read_guide(params.uri)
        address = await _latest_window_address()
        if address is None:
            raise MCPError(INVALID_PARAMS, CLOSED)
        async with _connect_client(address, _client_info(context)) as window:
            return await window.read_resource(params.uri)

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        address = await _latest_window_address()
        if address is None:
            return error_result(CLOSED)
        heard = time.monotonic()
        """When the window last reported: it does every second while a call runs, even while it
        waits for its user.
        """

        async def report(progress: float, total: float | None, message: str | None) -> None:
            nonlocal heard
            heard = time.monotonic()
            await context.session.report_progress(progress, total, message)

        async def forward() -> CallToolResult:
            async with _connect_client(address, _client_info(context)) as window:
                return await window.call_tool(
                    params.name, params.arguments, progress_callback=report
                )

        call = asyncio.ensure_future(forward())
        try:
            while not call.done():
                if time.monotonic() - heard > LONGEST_SILENCE:
                    return error_result(SILENT)
                await asyncio.wait({call}, timeout=PROGRESS_SECONDS)
            return call.result()
        except Exception as error:  # whatever a connection that is cut in the middle raises
            try:
                await _check_connection(address)
            except OSError:
                return error_result(LOST)
            return error_result(f"The window answered with an error: {_innermost_reason(error)}")
        finally:
            call.cancel()


def _client_info(context: Context) -> Implementation:
    """The client's name and version, which the window shows to its user."""
    about = context.session.client_params
    return about.client_info if about is not None else _bridge_info()


def _bridge_info() -> Implementation:
    return Implementation(name=NAME, version=metadata.version("raybench"))


@asynccontextmanager
async def _connect_client(
    address: ServerAddress, client_info: Implementation
) -> AsyncIterator[Client]:
    timeout = httpx2.Timeout(
        None, connect=CONNECT_SECONDS
    )  # a call waits for a person and for traces
    async with (
        httpx2.AsyncClient(headers=address.headers, timeout=timeout, trust_env=False) as http,
        Client(
            streamable_http_client(address.url, http_client=http),
            mode=LATEST_MODERN_VERSION,
            client_info=client_info,
            cache=None,
        ) as window,
    ):
        yield window


async def _latest_window_address() -> ServerAddress | None:
    """The address of the window that last allowed programs to connect. The address files of closed
    windows are removed.
    """
    for path, address in published_addresses():
        try:
            await _check_connection(address)
        except ConnectionRefusedError:
            with contextlib.suppress(OSError):
                path.unlink()
        except OSError:
            continue  # not in time: it may still be there
        else:
            return address
    return None


async def _check_connection(address: ServerAddress) -> None:
    """Check that a window accepts connections, by opening and closing one. This works even while
    the window is busy. Raises OSError.
    """
    url = httpx2.URL(address.url)
    async with asyncio.timeout(CONNECT_SECONDS):
        _, writer = await asyncio.open_connection(url.host, url.port)
    writer.close()


def _innermost_reason(error: BaseException) -> str:
    """The message of the innermost cause of an error, on one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".rstrip(": ")
