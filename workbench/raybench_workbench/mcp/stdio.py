"""A server on standard input and output, which carry nothing but the protocol."""

from __future__ import annotations

import os
import sys
from typing import IO, Any, BinaryIO, cast

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

LONGEST = 4 * 1024 * 1024
"""Bytes of one message, as many as over HTTP: JSON may take thirty times as much memory."""


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends. What the program prints meanwhile goes to standard error."""
    async with stdio_server(anyio.wrap_file(cast("IO[str]", _Messages(_standard_input())))) as (
        read,
        write,
    ):
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        try:
            await server.run(read, write, server.create_initialization_options())
        finally:
            sys.stdout.flush()  # while standard output is standard error still


def _standard_input() -> BinaryIO:
    """Standard input for the protocol alone: what the program reads or starts meanwhile finds it
    empty.
    """
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(own, "rb", closefd=False)  # the thread that reads may outlive the server


class _Messages:
    """The lines of a stream, of which one that is too long is left out."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> str:
        line = self._stream.readline(LONGEST)
        if len(line) < LONGEST or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(LONGEST)
        print(
            f"A message of more than {LONGEST:,} bytes was left out.", file=sys.stderr, flush=True
        )
        return "\n"
