"""A server on standard input and output, which carry nothing but the protocol."""

from __future__ import annotations

from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends. What the program prints meanwhile goes to standard error."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
