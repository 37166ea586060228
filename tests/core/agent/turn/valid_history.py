"""What holds of any history of messages that is sent to a model."""

from __future__ import annotations

import json

from raybench.agent.models.protocol import Message

INSIDE = "find_rays_inside_glass_xml"


def assert_valid(history: list[Message]) -> None:
    """Roles alternate, nothing is empty, and each call is answered in the very next message,
    results first, a server's own beside it.
    """
    json.dumps(history)
    for i, message in enumerate(history):
        assert message["role"] == ("user", "assistant")[i % 2]
        assert message["content"]
        assert all(b["text"].strip() for b in message["content"] if b["type"] == "text")
        assert all(
            isinstance(b["input"], dict) for b in message["content"] if b["type"] == "tool_use"
        )
        searches = [b["id"] for b in message["content"] if b["type"] == "server_tool_use"]
        assert [
            b["tool_use_id"] for b in message["content"] if b["type"] == "web_search_tool_result"
        ] == searches
        calls = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        after = history[i + 1]["content"] if i + 1 < len(history) else []
        assert [b["tool_use_id"] for b in after if b["type"] == "tool_result"] == calls
        kinds = [b["type"] for b in after]
        assert "tool_result" not in kinds[len(calls) :]
