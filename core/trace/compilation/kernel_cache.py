"""Where compiled kernels are kept: a user cache folder named by everything that could make them stale."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from functools import cache
from importlib import metadata
from pathlib import Path

import core

READY = "ready"
KERNELS = "kernels-"
FIRST = ("core.trace.kernels.loop", "core.trace.tables.bvh", "core.raster.lines")
"""The modules that hold the kernels; what these import makes kernels too."""
HASHED = ("core.trace.", "core.optics.", "core.formula.", "core.raster.", "core.kinds.primitives.")
"""The packages and modules whose code and constants become part of kernels; of others they take nothing but values given to them."""
KEPT_FOLDERS = 6
STALE = 14 * 86_400
"""Seconds after which a folder that was not used goes, where there are more than `KEPT_FOLDERS` newer ones."""
_IMPORT = re.compile(r"^(?:from (core[\w.]*) import (\([^)]*\)|[^\n]*)|import (core[\w.]*))", re.MULTILINE)


@cache
def kernel_folder() -> Path:
    """The folder for these kernels, created if missing: named by their sources, Python, numba and the processor.

    Where the user's cache folder cannot be written a temporary folder is used.
    """
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    for part in (sys.version, metadata.version("numba"), metadata.version("numpy"), platform.machine(), processor()):
        digest.update(part.encode() + b"\0")
    name = f"{KERNELS}{digest.hexdigest()[:16]}"
    for root in _roots():
        try:
            folder = root / name
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="raybench-"))


def kernel_sources() -> tuple[Path, ...]:
    """The files that kernels are made of, in order of their modules' names: those with kernels, and what they import at their tops."""
    found: dict[str, Path] = {}
    todo = list(FIRST)
    while todo:
        name = todo.pop()
        path = _file_of(name)
        if name in found or path is None or not f"{name}.".startswith(HASHED):
            continue
        found[name] = path
        for origin, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
            todo.append(origin or plain)
            todo += [f"{origin}.{word}" for word in re.findall(r"\w+", names)] if origin else []
    return tuple(found[name] for name in sorted(found))


def kernels_ready() -> bool:
    """Whether the kernels were compiled before and can be loaded. Cheap: imports no numba."""
    return (kernel_folder() / READY).exists()


def note_use() -> None:
    """Note that the kernels are complete and used now; old ones that nobody used for long are removed."""
    folder = kernel_folder()
    try:
        (folder / READY).touch()
    except OSError:  # it was made by somebody else: then the note is theirs to make
        return
    others = [f for f in folder.parent.glob(f"{KERNELS}*") if f != folder and f.is_dir()]
    others.sort(key=_last_use, reverse=True)
    for old in others[KEPT_FOLDERS - 1 :]:
        if time.time() - _last_use(old) > STALE:
            shutil.rmtree(old, ignore_errors=True)


def _last_use(folder: Path) -> float:
    """When a kernel folder was used last, in seconds since 1970: one that never became ready, when it was made."""
    try:
        ready = folder / READY
        return (ready if ready.exists() else folder).stat().st_mtime
    except OSError:
        return 0.0


def _file_of(module: str) -> Path | None:
    """The source of a module of this program, None for what is none."""
    path = Path(core.__path__[0]).joinpath(*module.split(".")[1:])
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


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
