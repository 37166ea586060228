"""The server: lists the tools and runs their calls, whatever the transport."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CancelledNotificationParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from raybench.agent.call.approval import Decision
from raybench.agent.tools.tool import Tool
from raybench_workbench.mcp.elicitation import decision, question
from raybench_workbench.mcp.protocol_server import Context, ProtocolServer, ToolChanges
from raybench_workbench.mcp.results import call_result, error_result, listed_tool
from raybench_workbench.mcp.running_call import CallRequest, Run, RunningCall
from raybench_workbench.mcp.suspended_calls import SuspendedCalls


class ToolServer:
    """Serves tools. ``run`` makes a call; where it asks for approval and the server has no user of
    its own, the client asks its user.
    """

    def __init__(self, tools: Callable[[], tuple[Tool, ...]], run: Run, instructions: str) -> None:
        self._tools, self._run = tools, run
        self._changes = ToolChanges()
        self._calls: set[RunningCall] = set()
        self.protocol = ProtocolServer(
            instructions, self._list, self._call, self._changes, _connection
        )
        self.protocol.add_notification_handler(
            "notifications/cancelled", CancelledNotificationParams, _cancelled
        )

    def stop(self) -> None:
        """Stop all calls."""
        for call in self._calls:
            call.stop()

    async def notify_tools_changed(self) -> None:
        """Notify the clients that the list of tools has changed."""
        await self._changes.notify()

    async def _list(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        self._changes.add(context.session)
        return ListToolsResult(tools=[listed_tool(tool) for tool in self._tools()])

    async def _call(
        self, context: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        call = (
            _resumed(context, params)
            if params.request_state is not None
            else self._started(context, params)
        )
        if call is None:
            return error_result(
                "This call has ended: its answer came too late. Call the tool again."
            )
        call.request_ids.add(context.request_id)
        reporting = asyncio.ensure_future(call.report_progress(context.session))
        suspended = False
        try:
            while (request := await call.next_question()) is not None:
                asked = question(request)
                if not context.session.can_send_request:
                    suspended = True
                    return _suspend(context, call, asked)
                call.decide(await _answer(context, asked))
            if call.task.cancelled():
                return error_result(
                    f"{params.name} was stopped by the person. {call.edits}".rstrip()
                )
            return call_result(call.task.result())
        finally:
            reporting.cancel()
            if not suspended:
                call.stop()  # without effect if it has ended: then the client has not cancelled it

    def _started(self, context: Context, params: CallToolRequestParams) -> RunningCall:
        about, can = context.session.client_params, context.session.client_capabilities
        form = can.elicitation if can is not None else None
        elicits = form is not None and (form.form is not None or form.url is None)
        call = RunningCall(
            CallRequest(
                about.client_info.name if about else "", params.name, params.arguments or {}
            ),
            self._run,
            elicits,
        )
        self._calls.add(call)
        call.task.add_done_callback(lambda _: self._calls.discard(call))
        return call


@contextlib.asynccontextmanager
async def _connection(server: Server[Any]) -> AsyncIterator[SuspendedCalls]:
    """The suspended calls of a connection, which end with it."""
    suspended = SuspendedCalls()
    try:
        yield suspended
    finally:
        suspended.stop()


async def _cancelled(context: Context, params: CancelledNotificationParams) -> None:
    """The client has cancelled a request: a call that waits for the client's next one, which will
    not come, ends.
    """
    context.lifespan_context.cancel(params.request_id)


def _suspend(
    context: Context, call: RunningCall, asked: ElicitRequestFormParams
) -> InputRequiredResult:
    """Suspend a call until the client returns with the answer, in the protocol in which a server
    cannot send requests.
    """
    token = context.lifespan_context.add(call)
    return InputRequiredResult(
        input_requests={"approval": ElicitRequest(params=asked)}, request_state=token
    )


def _resumed(context: Context, params: CallToolRequestParams) -> RunningCall | None:
    call: RunningCall | None = context.lifespan_context.taken(
        params.request_state or "", params.name
    )
    if call is not None:
        answer = (params.input_responses or {}).get("approval")
        call.decide(decision(answer) if isinstance(answer, ElicitResult) else Decision(False))
    return call


async def _answer(context: Context, asked: ElicitRequestFormParams) -> Decision:
    try:
        answer = await context.session.elicit_form(
            asked.message, asked.requested_schema, context.request_id
        )
    except MCPError as error:
        return Decision(False, reason=str(error))
    return decision(answer)
