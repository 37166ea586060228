"""Backends for each protocol: how one is made for an address, what its server speaks, and replies."""

from __future__ import annotations

from collections.abc import Callable

from tests.messages_server import Reply, say, use

from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.any_server import server_backend, text_protocol_backend
from raybench.agent.models.protocol import Backend

KEY = "sk-local-secret-0123456789"
CALL = say('Let me see.\n```json\n{"tool": "scale", "args": {"factor": 2.0}}\n```')
SPOKEN: dict[str, tuple[Callable[[str], Backend], str, tuple[Reply, ...]]] = {
    "Messages": (
        lambda url: AnthropicBackend("m", url, KEY, max_retries=0),
        "messages",
        (say("Two rays."), use("scale", text="So.", factor=1.0)),
    ),
    "chat completions": (
        lambda url: server_backend("m", f"{url}/v1", KEY),
        "chat",
        (say("Two rays."), use("scale", text="So.", factor=1.0), CALL),
    ),
    "text over Messages": (
        lambda url: text_protocol_backend("m", url, KEY),
        "messages",
        (say("Two rays."), CALL),
    ),
    "text over chat completions": (
        lambda url: text_protocol_backend("m", url, KEY),
        "chat",
        (say("Two rays."), CALL),
    ),
}
