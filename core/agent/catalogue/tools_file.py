"""Runs a project's ``tools.py`` as a module, with its folder importable."""

from __future__ import annotations

import hashlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from core.errors import RaybenchError

_folders: list[str] = []
"""Folders of the projects that were run, latest first; they are in ``sys.path`` in this order, after all original entries."""
_brought: set[str] = set()
"""Top-level names of the modules imported from these folders."""


class ToolsFileError(RaybenchError):
    """A project's ``tools.py`` failed while it was executed; the message names file and line."""


def run_tools_file(path: Path) -> ModuleType:
    """Run a ``tools.py``; ToolsFileError, naming the line, if that fails.

    Files beside it can be imported, now and while its tools run. Those of a project that was run before make way for files of the same
    name, and files that were changed are read again.
    """
    path = path.resolve()
    name = f"raybench_project_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    _make_way(path.parent)
    sys.modules[name] = module  # dataclasses and type hints look their module up by name
    there = {name.partition(".")[0] for name in sys.modules}
    try:
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ToolsFileError(_in_file(error, path)) from error
    finally:
        _brought.update(_loaded_from(path.parent) - there)
    return module


def _make_way(folder: Path) -> None:
    """Put a folder first among the project folders, and unload modules of other projects that have the same names."""
    beside = {entry.stem for entry in folder.iterdir() if entry.suffix == ".py" or entry.is_dir()} & _brought
    for name in [name for name in sys.modules if name.partition(".")[0] in beside]:
        del sys.modules[name]
    if str(folder) in _folders:
        _folders.remove(str(folder))
        sys.path.remove(str(folder))
    elif str(folder) in sys.path:
        return
    at = sys.path.index(_folders[0]) if _folders else len(sys.path)
    sys.path.insert(at, str(folder))
    _folders.insert(0, str(folder))


def _loaded_from(folder: Path) -> set[str]:
    files = {name.partition(".")[0]: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    return {name for name, file in files.items() if file and Path(file).is_relative_to(folder)}


def _in_file(error: BaseException, path: Path) -> str:
    """An error message with the innermost file and line of the project."""
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError):
        return f"{error.filename or path}, line {error.lineno or 1}: {type(error).__name__}: {error.msg}. Correct it and try again."
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(path.parent)]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(path)
    return f"{where}: {' '.join(what.split())}. Correct it and try again."
