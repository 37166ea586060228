"""A reply of the Messages API while it is received: checks what the SDK accepts unchecked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from raybench.agent.models.protocol import (
    BackendError,
    Block,
    End,
    Finished,
    StreamEvent,
    Text,
    Usage,
)
from raybench.agent.models.server import MOST_ARGUMENTS, check_letters

REQUIRED = {"tool_use": ("id", "name"), "_tool_result": ("tool_use_id",), "text": ("text",)}
"""The fields of a content block that have to be texts, by the end of its type."""


class Reply:
    """The state of a reply while it is received."""

    def __init__(self, host: str) -> None:
        self.ended = False
        self._host = host
        self._letters = 0
        """The length of the texts so far."""
        self._arguments = ""
        """The JSON of the current call's arguments so far."""
        self._calls = set[str]()

    def read(self, event: Any) -> Iterator[StreamEvent]:
        """The stream events for an event of the SDK. Raises BackendError for arguments that are not
        JSON, or a missing or repeated id.
        """
        if event.type == "text":
            self._letters += len(event.text)
            check_letters(self._host, self._letters)
            yield Text(event.text)
        elif event.type == "content_block_start":
            self._arguments = ""
        elif event.type == "input_json":
            self._arguments += event.partial_json
            check_letters(self._host, len(self._arguments), MOST_ARGUMENTS)
        elif event.type == "content_block_stop":
            if event.content_block.type == "tool_use":
                self._check_id(event.content_block)
                if self._arguments:
                    self._check_arguments(event.content_block.name)
            yield Finished(self._block(event.content_block))
        elif event.type == "message_stop":
            self.ended = True
            yield End(
                event.message.stop_reason or "end_turn",
                _usage(event.message.usage),
                _detail(event.message),
            )

    def _block(self, block: Any) -> Block:
        """A content block as JSON. Raises BackendError if its type or a text that its type requires
        is missing.
        """
        plain = plain_block(block)
        kind = plain.get("type")
        required = (
            next((names for ending, names in REQUIRED.items() if kind.endswith(ending)), ())
            if isinstance(kind, str)
            else ("type",)
        )
        if missing := [name for name in required if not isinstance(plain.get(name), str)]:
            raise BackendError(
                f"{self._host} sent a part of a reply without a valid {' and '.join(missing)}. Ask"
                " again."
            )
        return plain

    def _check_id(self, call: Any) -> None:
        """Results are sent back by call id: the server would refuse every later request of a
        conversation with a repeated id.
        """
        if not call.id or not isinstance(call.id, str) or call.id in self._calls:
            raise BackendError(
                f"{self._host} sent a call of {call.name} without a unique id. It was not run. Ask"
                " again."
            )
        self._calls.add(call.id)

    def _check_arguments(self, tool: str) -> None:
        try:
            json.loads(self._arguments)
        except (ValueError, RecursionError):
            raise BackendError(
                f"{self._host} sent a call of {tool} whose arguments are not JSON. It was not run."
                " Ask again."
            ) from None


def plain_block(block: Any) -> Block:
    """A content block of the SDK as JSON, as it is sent back and saved."""
    plain: Block = block.model_dump(mode="json", exclude_none=True, warnings=False)
    return (
        {"type": "text", "text": plain.get("text")}
        if plain.get("type") == "text" and not plain.get("citations")
        else plain
    )


def _usage(usage: Any) -> Usage:
    names = (
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
    )
    return Usage(*(getattr(usage, name, 0) or 0 for name in names))


def _detail(message: Any) -> str:
    details = getattr(message, "stop_details", None)
    return str(getattr(details, "explanation", "") or "") if details else ""
