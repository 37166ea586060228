"""Where compiled kernels are kept: a user cache folder named by everything that could make them stale."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path

import core.formula
import core.optics
import core.trace

READY = "ready"


@cache
def kernel_folder() -> Path:
    """The folder for these kernels, created if missing: named by their sources, Python, numba and the processor.

    Where the user's cache folder cannot be written a temporary folder is used.
    """
    digest = hashlib.sha256()
    for package in (core.trace, core.optics, core.formula):
        folder = Path(package.__path__[0]).resolve()
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    for part in (sys.version, metadata.version("numba"), metadata.version("numpy"), platform.machine(), processor()):
        digest.update(part.encode() + b"\0")
    name = f"kernels-{digest.hexdigest()[:16]}"
    for root in _roots():
        try:
            folder = root / name
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="raybench-"))


def kernels_ready() -> bool:
    """Whether the kernels were compiled before and can be loaded. Cheap: imports no numba."""
    return (kernel_folder() / READY).exists()


def _roots() -> list[Path]:
    import platformdirs

    override = os.environ.get("RAYBENCH_CACHE_DIR")
    chosen = [Path(override)] if override else [Path(platformdirs.user_cache_dir("raybench", appauthor=False))]
    return [*chosen, Path(tempfile.gettempdir()) / "raybench-cache"]


def processor() -> str:
    """What the system calls the processor."""
    try:
        info = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.processor()
    return next((line for line in info.splitlines() if line.startswith(("model name", "CPU part"))), platform.processor())
