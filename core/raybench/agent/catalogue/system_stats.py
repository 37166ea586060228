"""``system_stats``: numbers about the last trace, memory, threads and kernels."""

from __future__ import annotations

import os
from importlib import metadata

from typing_extensions import TypedDict

from raybench.agent.call.context import tool_options
from raybench.analysis.context import require_context
from raybench.system.memory import resident_bytes
from raybench.trace.compilation.loading import kernels_ready

MEGABYTE = 1e6


class SystemStats(TypedDict):
    """Times in milliseconds, memory in megabytes of 10^6 bytes; None where the system does not
    report it.
    """

    revision: int
    segments: int
    trace: str
    trace_ms: float
    trace_mb: float
    memory_mb: float | None
    threads: int
    kernels: str
    version: str


@tool_options(
    effect="read", expose="both", asks=lambda a: "how the program is doing", needs="trace?"
)
def system_stats() -> SystemStats:
    """Report on the program: the last trace, memory, threads and kernels.

    In this order: the document's revision; segments, completion, milliseconds and memory of its
    trace; the memory of the whole program; the threads that a trace uses; whether the tracing
    kernels are compiled; the program's version.
    """
    result = require_context().result
    resident = resident_bytes()
    return SystemStats(
        revision=result.revision,
        segments=len(result),
        trace=result.completion.text,
        trace_ms=round(result.milliseconds, 3),
        trace_mb=result.nbytes / MEGABYTE,
        memory_mb=round(resident / MEGABYTE, 1) if resident else None,
        threads=os.cpu_count() or 1,
        kernels="ready" if kernels_ready() else "not compiled yet",
        version=metadata.version("raybench"),
    )
