"""Where compiled kernels are kept: a private cache folder named by everything that could make them stale."""

from __future__ import annotations

import atexit
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
from core.checked_file import DamagedFile, read_checked, write_checked
from core.private_folder import NotPrivate, private_folder

READY = "ready"
"""The file that lists the kernels of a folder once all are there. It was last changed when the folder was last used."""
KERNELS = "kernels-"
ROOM = 8 << 20
"""Free bytes that a folder needs before kernels are compiled for it: twice what they take."""
FIRST = ("core.trace.kernels.loop", "core.trace.tables.bvh", "core.raster.lines")
"""The modules that hold the kernels; what these import makes kernels too."""
HASHED = ("core.trace.", "core.optics.", "core.formula.", "core.raster.", "core.kinds.primitives.")
"""The packages and modules whose code and constants become part of kernels; of others they take nothing but values given to them."""
KEPT_FOLDERS = 6
STALE = 14 * 86_400
"""Seconds after which a folder that was not used goes, where there are more than `KEPT_FOLDERS` newer ones."""
_IMPORT = re.compile(r"^(?:from (core[\w.]*) import (\([^)]*\)|[^\n]*)|import (core[\w.]*))", re.MULTILINE)
_expected: set[str] = set()
_problem = ""


@cache
def kernel_folder() -> Path | None:
    """The folder for these kernels, created if missing: named by their sources, Python, numba and the processor.

    It lies in the user's cache folder, or in the one that ``RAYBENCH_CACHE_DIR`` names. Where that is not private or cannot be written
    it is a temporary one that is removed at exit, and without even that None; `cache_problem` says why.
    """
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    for part in (sys.version, metadata.version("numba"), metadata.version("numpy"), platform.machine(), processor()):
        digest.update(part.encode() + b"\0")
    name = f"{KERNELS}{digest.hexdigest()[:16]}"
    root = cache_root()
    try:
        return _usable(root / name)
    except NotPrivate as error:
        note_problem(f"{error}")
    except OSError as error:
        note_problem(f"{error.filename or root}: {error.strerror}")
    try:
        return _usable(_temporary_root() / name)
    except (OSError, NotPrivate):
        return None


def cache_problem() -> str:
    """Why compiled kernels cannot be kept for the next start, in one line with the remedy; empty where they can."""
    return _problem


def note_kernel(name: str) -> None:
    """Note that the program has a kernel, which is kept in a file of this name."""
    _expected.add(name)


def note_problem(why: str) -> None:
    """Note that kernels cannot be kept."""
    global _problem
    _problem = f"Compiled kernels cannot be kept, so every start compiles them: {why}. RAYBENCH_CACHE_DIR can name another folder."


def _usable(folder: Path) -> Path:
    """A private folder that kernels fit into; NotPrivate or OSError where it is none."""
    folder = private_folder(folder)
    if not (folder / READY).exists():
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            probe.write(bytes(ROOM))
    return folder


def _temporary_root() -> Path:
    root = Path(tempfile.mkdtemp(prefix="raybench-"))
    here = os.getpid()
    atexit.register(lambda: shutil.rmtree(root, ignore_errors=True) if os.getpid() == here else None)
    return root


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
    """Whether the kernels were compiled before and are undamaged. Cheap: imports no numba, and reads a few megabytes."""
    folder = kernel_folder()
    if folder is None:
        return False
    try:
        names = read_checked(folder / READY).decode().split()
        return bool([read_checked(folder / name) for name in names])
    except (OSError, DamagedFile):
        return False


def note_use() -> None:
    """Note that the kernels are complete and used now; old ones that nobody used for long are removed."""
    folder = kernel_folder()
    if folder is None or cache_problem():
        return
    if not _expected or not all((folder / name).exists() for name in _expected):  # numba was told to compile nothing, for example
        return
    try:
        names = "\n".join(sorted(_expected)).encode()
        if not _lists(folder, names):
            write_checked(folder / READY, names)
        (folder / READY).touch()
    except OSError as error:
        note_problem(f"{folder / READY}: {error.strerror}")
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


def _lists(folder: Path, names: bytes) -> bool:
    """Whether a folder's list of kernels is there and says this."""
    try:
        return read_checked(folder / READY) == names
    except (OSError, DamagedFile):
        return False


def cache_root() -> Path:
    """The folder in which kernels are kept from one start to the next."""
    import platformdirs

    override = os.environ.get("RAYBENCH_CACHE_DIR")
    return Path(override) if override else Path(platformdirs.user_cache_dir("raybench", appauthor=False))


def processor() -> str:
    """What the system calls the processor."""
    try:
        info = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.processor()
    return next((line for line in info.splitlines() if line.startswith(("model name", "CPU part"))), platform.processor())
