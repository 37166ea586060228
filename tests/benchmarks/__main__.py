"""How fast this machine traces, edits, answers and starts: ``python -m tests.benchmarks [--json]
[--quick] [--scenes DIR] [PART...]``, in the folder of a checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from raybench.system.extras import package_version
from raybench.system.process import machine_memory_bytes
from raybench.trace.compilation.kernel_cache import processor_name
from raybench_workbench.commands.terminal import compile_kernels_once

from .editing import editing_table, stopping_table
from .memory import memory_table
from .plain_c import PlainKernel, compiled_kernel
from .questions import questions_table
from .report import FULL, QUICK, Extent, Table
from .start_up import start_up_table
from .studies import studies_table
from .tracing import comparison_table, objects_table, rays_table, synthetic_table
from .window import chat_table, large_scene_table, much_light_table

RECORDED = Path("../shared/oracle/scenes/synthetic")
"""Default folder of recorded scenes."""
PARTS = {
    "speed": "tracing",
    "beside": "tracing beside another engine",
    "objects": "growth with objects",
    "rays": "growth with rays",
    "editing": "edits",
    "stopping": "stopping",
    "memory": "memory",
    "questions": "questions",
    "studies": "studies",
    "chat": "the chat",
    "window": "much light in the window",
    "large_scene": "editing a large scene",
    "start_up": "starting",
}
"""What each part measures, by the key of its table."""


def machine(kernel: PlainKernel | str) -> dict[str, Any]:
    """The hardware and the software versions of the measurement."""
    return {
        "processor": processor_name().partition(":")[2].strip() or platform.machine(),
        "processors": os.cpu_count() or 1,
        "memory_gib": round((machine_memory_bytes() or 0) / 2**30) or None,
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": package_version("numba"),
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


def part_tables(
    extent: Extent, plain: PlainKernel | None, folder: Path | None
) -> dict[str, Callable[[], Table]]:
    """Functions that measure the parts; ``folder`` may contain recorded scenes."""
    return {
        "speed": partial(synthetic_table, extent, plain, folder),
        "beside": partial(comparison_table, extent, folder),
        "objects": partial(objects_table, extent, plain),
        "rays": partial(rays_table, extent, plain),
        "editing": partial(editing_table, extent),
        "stopping": partial(stopping_table, extent),
        "memory": partial(memory_table, extent),
        "questions": partial(questions_table, extent),
        "studies": partial(studies_table, extent),
        "chat": partial(chat_table, extent),
        "window": partial(much_light_table, extent),
        "large_scene": partial(large_scene_table, extent),
        "start_up": partial(start_up_table, extent),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON")
    parser.add_argument("--quick", action="store_true", help="a few small ones, in seconds")
    parser.add_argument("--scenes", type=Path, metavar="DIR", help="folder of recorded scenes")
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"no PART is {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    compile_kernels_once()
    kernel = compiled_kernel()
    facts = machine(kernel)
    if not options.json:
        print(f"{described(facts)}\n", flush=True)
    measure = part_tables(
        QUICK if options.quick else FULL,
        kernel if isinstance(kernel, PlainKernel) else None,
        options.scenes or (RECORDED if RECORDED.is_dir() else None),
    )
    tables = []
    wanted = [part for part in PARTS if part in (options.parts or PARTS)]
    for i, part in enumerate(wanted, 1):
        print(f"measuring {PARTS[part]} ({i} of {len(wanted)})", file=sys.stderr, flush=True)
        table = measure[part]()
        tables.append(table.to_json())
        if not options.json:
            print(f"{table.to_text()}\n", flush=True)
    if options.json:
        print(json.dumps({"machine": facts, "tables": tables}, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
