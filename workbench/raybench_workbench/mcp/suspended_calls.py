"""The calls of a connection that are suspended until the client returns with its user's answer."""

from __future__ import annotations

import asyncio
import secrets

from mcp_types import RequestId

from raybench_workbench.mcp.running_call import RunningCall

PATIENCE = 600.0
"""Seconds for which a call waits for the client to return."""


class SuspendedCalls:
    """Suspended calls, by the token that the client was given. They are stopped when the client
    does not return in time.
    """

    def __init__(self) -> None:
        self._calls: dict[str, RunningCall] = {}

    def add(self, call: RunningCall) -> str:
        """Suspend a call; returns its token."""
        token = secrets.token_urlsafe()
        self._calls[token] = call
        asyncio.get_running_loop().call_later(PATIENCE, self._give_up, token)
        return token

    def taken(self, token: str, tool: str) -> RunningCall | None:
        """The call of this token, which is not suspended any more; None if it has ended, or is not
        a call of this tool.
        """
        call = self._calls.get(token)
        if call is None or call.task.done() or call.requested.tool != tool:
            return None
        del self._calls[token]
        return call

    def cancel(self, request: RequestId | None) -> None:
        """Stop the call that this request of the client began or continued, if it is suspended."""
        for token in [token for token, call in self._calls.items() if request in call.request_ids]:
            self._give_up(token)

    def stop(self) -> None:
        """Stop all of them."""
        for token in tuple(self._calls):
            self._give_up(token)

    def _give_up(self, token: str) -> None:
        call = self._calls.pop(token, None)
        if call is not None:
            call.stop()
