"""The whole benchmark: the order of measurements, and the description of the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from raybench.benchmark.chat import chat_table
from raybench.benchmark.comparison import comparison_table
from raybench.benchmark.editing import editing_table, stopping_table
from raybench.benchmark.extent import Extent
from raybench.benchmark.large_scene import large_scene_table
from raybench.benchmark.memory import memory_table
from raybench.benchmark.plain_c import PlainKernel, compiled_kernel
from raybench.benchmark.questions import questions_table
from raybench.benchmark.start_up import start_up_table
from raybench.benchmark.studies import studies_table
from raybench.benchmark.table import Table
from raybench.benchmark.tracing import objects_table, rays_table, synthetic_table
from raybench.benchmark.window import window_table
from raybench.system.extras import version_of
from raybench.system.memory import machine_bytes
from raybench.trace.compilation.kernel_cache import processor


def machine(kernel: PlainKernel | str) -> dict[str, Any]:
    """The hardware and the software versions of the measurement."""
    return {
        "processor": processor().partition(":")[2].strip() or platform.machine(),
        "processors": os.cpu_count() or 1,
        "memory_gib": round((machine_bytes() or 0) / 2**30) or None,
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": version_of("numba"),
        "numpy": metadata.version("numpy"),
        "raybench": metadata.version("raybench"),
        "plain_c": kernel if isinstance(kernel, str) else kernel.compiler,
    }


def described(facts: dict[str, Any]) -> str:
    """A description of the machine in two lines."""
    memory = f", {facts['memory_gib']} GiB" if facts["memory_gib"] else ""
    return (
        f"{facts['processors']} processors ({facts['processor']}){memory},"
        f" {facts['system']}\nRaybench {facts['raybench']}, Python {facts['python']}, numba"
        f" {facts['numba']}, numpy {facts['numpy']}; plain C: {facts['plain_c']}"
    )


def measured(
    extent: Extent, kernel: PlainKernel | str, folder: Path | None, progress: Callable[[str], None]
) -> Iterator[Table]:
    """The tables one after the other. ``folder`` may contain recorded scenes; ``progress`` is
    called with what is being measured.
    """
    plain = kernel if isinstance(kernel, PlainKernel) else None
    steps: tuple[tuple[str, Callable[[], Table]], ...] = (
        ("tracing", lambda: synthetic_table(extent, plain, folder)),
        ("tracing beside another engine", lambda: comparison_table(extent, folder)),
        ("growth with objects", lambda: objects_table(extent, plain)),
        ("growth with rays", lambda: rays_table(extent, plain)),
        ("edits", lambda: editing_table(extent)),
        ("stopping", lambda: stopping_table(extent)),
        ("memory", lambda: memory_table(extent)),
        ("questions", lambda: questions_table(extent)),
        ("studies", lambda: studies_table(extent)),
        ("the chat", lambda: chat_table(extent)),
        ("much light in the window", lambda: window_table(extent)),
        ("editing a large scene", lambda: large_scene_table(extent)),
        ("starting", lambda: start_up_table(extent)),
    )
    for i, (name, step) in enumerate(steps, 1):
        progress(f"measuring {name} ({i} of {len(steps)})")
        yield step()


def benchmark(
    extent: Extent,
    folder: Path | None,
    progress: Callable[[str], None],
    output: Callable[[str], None],
) -> dict[str, Any]:
    """Measure everything; ``output`` is called with each finished table as text. Returns all tables
    for JSON.
    """
    kernel = compiled_kernel()
    facts = machine(kernel)
    output(described(facts))
    tables = []
    for table in measured(extent, kernel, folder, progress):
        output(table.to_text())
        tables.append(table.to_json())
    return {"machine": facts, "tables": tables}
