"""The cache of compiled kernels: a private folder. Its name is a hash of everything on which the
machine code depends.
"""

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
from pathlib import Path

import raybench
from raybench.system.extras import package_version
from raybench.system.files import DamagedFile, NotPrivate, private_folder, read_checked, user_folder
from raybench.system.interrupt import unfinished

READY = "machine-code"
"""The file with the machine code of all kernels. Its modification time is that of the last use."""
KERNELS = "kernels-"
ROOM = 8 << 20
"""Free bytes required before kernels are compiled into a folder: more than the machine code and all
that is kept until it is complete.
"""
FIRST = (
    "raybench.trace.kernels.loop",
    "raybench.trace.tables.bvh",
    "raybench.raster.lines",
    "raybench.trace.compilation.atomic",
    "raybench.trace.compilation.numba_code",
    "raybench.trace.compilation.vector_lanes",
)
"""The modules from which all kernels are imported, directly or indirectly, and those that only the
compiler imports.
"""
HASHED = (
    "raybench.trace.",
    "raybench.optics.",
    "raybench.formula.",
    "raybench.raster.",
    "raybench.kinds.primitives.",
)
"""Prefixes of the modules whose code and constants are compiled into kernels; other modules only
pass arguments to them.
"""
KEPT_FOLDERS = 6
STALE = 14 * 86_400
"""Seconds without use after which a folder is deleted, if there are `KEPT_FOLDERS` newer ones."""
UNCOMPILED = "they stay uncompiled, and tracing is slow"
_IMPORT = re.compile(
    r"^(?:from (raybench[\w.]*) import (\([^)]*\)|[^\n]*)|import (raybench[\w.]*))", re.MULTILINE
)
_problem = ""


@cache
def kernel_folder() -> Path | None:
    """The folder for the current kernels, which is created if it is missing. Its name is a hash of
    the sources, Python, numba and the processor.

    It is in the user's cache folder, or in ``RAYBENCH_CACHE_DIR`` if that is set. If that is not
    private or not writable, it is a temporary folder, deleted at exit; None if that fails too;
    `kernel_problem` gives the reason.
    """
    digest = hashlib.sha256()
    for source in kernel_sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    for part in (
        sys.version,
        package_version("numba"),
        package_version("numpy"),
        platform.machine(),
        processor_name(),
    ):
        digest.update(part.encode() + b"\0")
    name = f"{KERNELS}{digest.hexdigest()[:16]}"
    root = user_folder("cache")
    try:
        return _usable_folder(root / name)
    except NotPrivate as error:
        why = f"{error}"
    except OSError as error:
        why = f"{error.filename or root}: {error.strerror}"
    try:
        folder = _usable_folder(_temporary_root() / name)
    except (OSError, NotPrivate):
        record_kernels_not_stored(why, UNCOMPILED)
        return None
    record_kernels_not_stored(why)
    return folder


def kernel_problem() -> str:
    """Why kernels run uncompiled or are compiled again at every start, in one line with the remedy.
    Empty if neither is the case.
    """
    return _problem


def record_kernel_problem(text: str) -> None:
    """Record a problem with the kernels, which `kernel_problem` then returns."""
    global _problem
    _problem = text


def record_kernels_not_stored(why: str, consequence: str = "every start compiles them") -> None:
    """Record why kernels cannot be stored."""
    record_kernel_problem(
        f"Compiled kernels cannot be kept, so {consequence}: {why}. RAYBENCH_CACHE_DIR can name"
        " another folder."
    )


def record_folder_not_written(folder: Path) -> None:
    """Record why nothing could be written to the kernel folder, which was writable before."""
    try:
        _usable_folder(folder)
    except (OSError, NotPrivate) as error:
        record_kernels_not_stored(
            f"{folder}: {error.strerror}" if isinstance(error, OSError) else f"{error}", UNCOMPILED
        )
    else:
        record_kernels_not_stored(f"{folder}: the compiler has written nothing there", UNCOMPILED)


def _usable_folder(folder: Path) -> Path:
    """Create or check a private folder. It must have enough free space for kernels. Raises
    NotPrivate or OSError.
    """
    folder = private_folder(folder)
    if not (folder / READY).exists():
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            left = ROOM
            while left:  # a write to an almost full disk is a short one, and the next fails
                left -= probe.write(bytes(left))
    return folder


def _temporary_root() -> Path:
    root = Path(tempfile.mkdtemp(prefix="raybench-"))
    unfinished.add(str(root))
    here = os.getpid()
    atexit.register(
        lambda: shutil.rmtree(root, ignore_errors=True) if os.getpid() == here else None
    )
    return root


def kernel_sources() -> tuple[Path, ...]:
    """The source files of all kernels, sorted by module name: `FIRST`, and recursively the modules
    that they import at module level.

    Of a package from which only modules are imported, such as `raybench.formula`, these are
    sources, and what else it imports is not.
    """
    found: dict[str, Path] = {}
    todo = list(FIRST)
    while todo:
        name = todo.pop()
        if name in found or not f"{name}.".startswith(HASHED):
            continue
        if (path := _module_source_file(name)) is None:
            continue
        found[name] = path
        for origin, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
            inside = [f"{origin}.{name}" for name in re.findall(r"(\w+)(?: as \w+)?", names)]
            todo += [
                name if _module_source_file(name) is not None else origin
                for name in inside
                if f"{name}.".startswith(HASHED)
            ] or [plain]
    return tuple(found[name] for name in sorted(found))


def are_kernels_stored() -> bool:
    """Whether all kernels are in the cache and undamaged. This is fast, since only half a megabyte
    is read.
    """
    return stored_machine_code() is not None


def stored_machine_code() -> bytes | None:
    """The stored machine code of all kernels. None if there is none, or if it is damaged or could
    have been written by others.
    """
    folder = kernel_folder()
    try:
        return None if folder is None else read_checked(folder / READY)
    except (OSError, DamagedFile):
        return None


def record_folder_use() -> None:
    """Record that the current kernel folder is used now, and delete folders that were not used for
    a long time.
    """
    folder = kernel_folder()
    if folder is None:
        return
    try:
        (folder / READY).touch()
    except OSError as error:
        record_kernels_not_stored(f"{folder / READY}: {error.strerror}")
        return
    others = [f for f in folder.parent.glob(f"{KERNELS}*") if f != folder and f.is_dir()]
    others.sort(key=_last_use_time, reverse=True)
    for old in others[KEPT_FOLDERS - 1 :]:
        if time.time() - _last_use_time(old) > STALE:
            shutil.rmtree(old, ignore_errors=True)


def _last_use_time(folder: Path) -> float:
    """The time at which a kernel folder was last used, in seconds since 1970. For a folder that was
    never completed, the time of its creation.
    """
    try:
        ready = folder / READY
        return (ready if ready.exists() else folder).stat().st_mtime
    except OSError:
        return 0.0


def _module_source_file(module: str) -> Path | None:
    """The source file of a module of `raybench`; None if there is none."""
    path = os.path.join(raybench.__path__[0], *module.split(".")[1:])
    files = (f"{path}.py", os.path.join(path, "__init__.py"))
    return next((Path(file) for file in files if os.path.isfile(file)), None)


def processor_name() -> str:
    """The model name of the processor, as the system reports it."""
    try:
        info = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.processor()
    return next(
        (line for line in info.splitlines() if line.startswith(("model name", "CPU part"))),
        platform.processor(),
    )
