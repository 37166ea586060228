"""The server that lists the tools and runs their calls, for any transport."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import mcp_types
from mcp.server import Server
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CancelledNotificationParams,
    ContentBlock,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    ImageContent,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    RequestId,
    TextContent,
    ToolAnnotations,
)

from raybench.agent.call.approval import ApprovalRequest, Ask, Decision
from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted, TurnEvent
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools.offer import listed_tools, offered_definition
from raybench.agent.tools.tool import Tool
from raybench.errors import elide_text
from raybench.schema.json_values import json_text
from raybench_workbench.mcp.protocol_server import Context, ProtocolServer, ToolListNotifier
from raybench_workbench.mcp.resources import reading_handlers, resource_reader

MOST_LINES, MOST_CHARACTERS = 20, 200
"""Lines of a question, and characters of each."""
ONCE, ALWAYS, NO = "allow once", "allow until the client disconnects", "decline"
PROGRESS_SECONDS = 1.0
"""Seconds between two notifications of progress, unless something happens."""
RETURN_SECONDS = 600.0
"""Seconds for which a call waits for the client to return."""


def make_approval_form(request: ApprovalRequest) -> ElicitRequestFormParams:
    """The form with which a client asks its user for approval: the change, the values before and
    after it, and three possible answers.
    """
    if request.edit is not None:
        lines = ["Change the scene?", *request.edit.lines]
    else:
        lines = [f"Run {request.tool.name} ({request.tool.effect})?"]
        lines += [f"  {name} = {json_text(value)}" for name, value in request.arguments.items()]
    shown = [elide_text(line, MOST_CHARACTERS) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"and {len(lines) - MOST_LINES} more lines")
    properties = {
        "answer": {"type": "string", "title": "Answer", "enum": [ONCE, ALWAYS, NO]},
        "reason": {
            "type": "string",
            "title": "Reason",
            "description": "Why not? The model is given the reason.",
        },
    }
    return ElicitRequestFormParams(
        message="\n".join(shown),
        requested_schema={"type": "object", "properties": properties, "required": ["answer"]},
    )


def decision_from_form(result: ElicitResult) -> Decision:
    """The user's decision from the answered form. Only an accepted form with one of the two
    approving answers approves the call.
    """
    content = result.content or {}
    answer, reason = content.get("answer"), str(content.get("reason") or "")
    if result.action != "accept" or answer not in (ONCE, ALWAYS):
        return Decision(False, reason=reason)
    return Decision(True, always=answer == ALWAYS)


def tool_for_client(tool: Tool) -> mcp_types.Tool:
    """The description of a tool for clients; its annotations state the effects of a call."""
    about = offered_definition(tool)
    hints = ToolAnnotations(
        read_only_hint=tool.effect == "read",
        destructive_hint=tool.effect == "destructive",
        open_world_hint=tool.effect == "external",
    )
    return mcp_types.Tool(
        name=about["name"],
        description=about.get("description"),
        input_schema=about["input_schema"],
        annotations=hints,
    )


def call_result(outcome: ToolOutcome) -> CallToolResult:
    """The result of a call for the client: the text for a model, a picture if there is one, and the
    values unless the call failed.
    """
    content: list[ContentBlock] = [TextContent(text=outcome.model_text)]
    if outcome.picture is not None:
        content.append(
            ImageContent(data=base64.b64encode(outcome.picture.png).decode(), mime_type="image/png")
        )
    return CallToolResult(
        content=content,
        structured_content=outcome.json_result if outcome.ok else None,
        is_error=not outcome.ok,
    )


def error_result(text: str) -> CallToolResult:
    """The result that reports an error as text for the client's model."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


class RunningCall:
    """A running tool call of the client named ``client``, and the task that runs it. The task
    continues while the client's user is asked, over one or several requests.

    ``run`` makes the call. It reports events to `record_event`, and asks the client's user by
    ``ask``, which is None if the client cannot ask.
    """

    def __init__(
        self, client: str, tool: str, arguments: Mapping[str, Any], run: Run, elicits: bool
    ) -> None:
        self.client, self.tool, self.arguments = client, tool, arguments
        self.ask: Ask | None = self._ask_client if elicits else None
        self.questions: asyncio.Queue[tuple[ApprovalRequest, asyncio.Future[Decision]]] = (
            asyncio.Queue()
        )
        self.request_ids: set[RequestId | None] = set()
        """The ids of the client's requests that began and continued it."""
        self.answer: asyncio.Future[Decision] | None = None
        """The answer that the call waits for."""
        self.edits = ""
        """A sentence on the edits that the call made before it was stopped or failed; empty without
        any.
        """
        self._begun = asyncio.get_running_loop().time()
        self._words = tool
        self._so_far = ""
        """The work done so far, in words."""
        self._done = 0.0
        self._news = asyncio.Event()
        self.task = asyncio.ensure_future(run(self))

    async def next_question(self) -> ApprovalRequest | None:
        """The next question to the client's user; None when the call has ended."""
        asked = asyncio.ensure_future(self.questions.get())
        try:
            await asyncio.wait({asked, self.task}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return None
            request, self.answer = asked.result()
            return request
        finally:
            asked.cancel()

    def decide(self, decision: Decision) -> None:
        """Answer the question that was asked last."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(decision)

    async def report_progress(self, session: ServerSession) -> None:
        """Notify the client of each event, and once a second while the call runs, until cancelled.

        Progress is the time in seconds, since the protocol requires a growing number. The total is
        the expected time, once the tool reports a fraction of its work.
        """
        loop, last = asyncio.get_running_loop(), -1.0
        while True:
            last = max(loop.time() - self._begun, last + 1e-3)
            words = ": ".join(filter(None, [self._words, self._so_far]))
            await session.report_progress(
                round(last, 3), round(last / self._done, 3) if self._done else None, words
            )
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), PROGRESS_SECONDS)

    async def _ask_client(self, request: ApprovalRequest) -> Decision:
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self.questions.put_nowait((request, answer))
        self.set_progress_words(f"Waits for approval: {request.title}")
        return await answer

    def record_event(self, event: TurnEvent) -> None:
        """Record an event of the call."""
        if isinstance(event, ToolStarted):
            self._so_far = ""
            self.set_progress_words(event.sentence)
        elif isinstance(event, ToolProgress):
            self._done = max(self._done, event.done or 0.0)
            self._so_far = event.words
            self._news.set()
        elif isinstance(event, ToolFinished):
            self.edits = event.outcome.edits

    def set_progress_words(self, words: str) -> None:
        """Set the text that is reported to the client as the progress of the call."""
        self._words = words
        self._news.set()


Run = Callable[[RunningCall], Awaitable[ToolOutcome]]
"""Makes a call."""


class SuspendedCalls(dict[str, RunningCall]):
    """Calls that wait for an answer of the client's user, by the token that the client got. A call
    is stopped if the client does not return in time.
    """

    def suspend(self, call: RunningCall) -> str:
        """Suspend a call; returns the token with which the client resumes it."""
        token = secrets.token_urlsafe()
        self[token] = call
        asyncio.get_running_loop().call_later(RETURN_SECONDS, self.stop_suspended, token)
        return token

    def resume(self, token: str, tool: str) -> RunningCall | None:
        """Resume the call with this token; None if it has ended or is a call of another tool."""
        call = self.get(token)
        if call is None or call.task.done() or call.tool != tool:
            return None
        return self.pop(token)

    def stop_suspended(self, token: str) -> None:
        """Stop the call with this token if it is still suspended."""
        if token in self:
            self.pop(token).task.cancel()


class ToolServer:
    """Offers tools to clients, and the resources of the ``opened`` document. ``run`` runs a call.
    If a call needs approval and the server has no user of its own, the client is asked to ask its
    user.
    """

    def __init__(
        self,
        tools: Callable[[], tuple[Tool, ...]],
        run: Run,
        instructions: str,
        opened: OpenDocument,
    ) -> None:
        self._tools, self._run = tools, run
        self._changes = ToolListNotifier()
        self._calls: set[RunningCall] = set()

        async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
            self._changes.add_session(context.session)
            return ListToolsResult(
                tools=[tool_for_client(tool) for tool in listed_tools(self._tools())]
            )

        @contextlib.asynccontextmanager
        async def connection(_: Server[Any]) -> AsyncIterator[SuspendedCalls]:
            suspended = SuspendedCalls()
            try:
                yield suspended
            finally:
                for token in tuple(suspended):
                    suspended.stop_suspended(token)

        async def cancel_call(context: Context, params: CancelledNotificationParams) -> None:
            # a call that waits for the client's next request, which will not come, ends
            suspended: SuspendedCalls = context.lifespan_context
            for token, call in tuple(suspended.items()):
                if params.request_id in call.request_ids:
                    suspended.stop_suspended(token)

        self.protocol = ProtocolServer(
            instructions,
            list_tools,
            self._call_tool,
            self._changes,
            connection,
            **reading_handlers(resource_reader(opened)),
        )
        self.protocol.add_notification_handler(
            "notifications/cancelled", CancelledNotificationParams, cancel_call
        )

    def stop(self) -> None:
        """Stop all running calls."""
        for call in self._calls:
            call.task.cancel()

    async def notify_tools_changed(self) -> None:
        """Notify the clients that the list of tools has changed."""
        await self._changes.notify_clients()

    async def _call_tool(
        self, context: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        if params.request_state is None:
            call: RunningCall | None = self._start_call(context, params)
        else:  # the client returns with the answer to a question
            call = context.lifespan_context.resume(params.request_state, params.name)
        if call is None:
            return error_result(
                "This call has ended: its answer came too late. Call the tool again."
            )
        if params.request_state is not None:
            given = (params.input_responses or {}).get("approval")
            call.decide(
                decision_from_form(given) if isinstance(given, ElicitResult) else Decision(False)
            )
        call.request_ids.add(context.request_id)
        reporting = asyncio.ensure_future(call.report_progress(context.session))
        suspended = False
        try:
            while (request := await call.next_question()) is not None:
                asked = make_approval_form(request)
                if not context.session.can_send_request:
                    # suspended until the client returns: in this protocol it cannot be asked
                    suspended = True
                    return InputRequiredResult(
                        input_requests={"approval": ElicitRequest(params=asked)},
                        request_state=context.lifespan_context.suspend(call),
                    )
                try:
                    answer = await context.session.elicit_form(
                        asked.message, asked.requested_schema, context.request_id
                    )
                except MCPError as error:
                    call.decide(Decision(False, reason=str(error)))
                else:
                    call.decide(decision_from_form(answer))
            if call.task.cancelled():
                return error_result(
                    f"{params.name} was stopped by the person. {call.edits}".rstrip()
                )
            return call_result(call.task.result())
        finally:
            reporting.cancel()
            if not suspended:
                call.task.cancel()  # without effect if it has ended: then the client has not cancelled it

    def _start_call(self, context: Context, params: CallToolRequestParams) -> RunningCall:
        about, can = context.session.client_params, context.session.client_capabilities
        form = can.elicitation if can is not None else None
        elicits = form is not None and (form.form is not None or form.url is None)
        client = about.client_info.name if about else ""
        call = RunningCall(client, params.name, params.arguments or {}, self._run, elicits)
        self._calls.add(call)
        call.task.add_done_callback(lambda _: self._calls.discard(call))
        return call
