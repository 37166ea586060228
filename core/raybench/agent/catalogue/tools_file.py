"""Runs a project's ``tools.py`` as a module, with its folder importable."""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from raybench.agent.catalogue.project_code import ProjectCode
from raybench.agent.catalogue.project_import import importable
from raybench.errors import ForeignError, error_text

TOOLS = "tools.py"


class ToolsFileError(ForeignError):
    """A project's ``tools.py`` failed while it was executed; the message names file and line."""


def run_tools_file(code: ProjectCode) -> ModuleType:
    """Run a project's ``tools.py``; ToolsFileError, naming the line, if that fails.

    The project's other modules can be imported, now and while its tools run, as they were read with
    it. They replace modules of the same name of a project that was run before.
    """
    path = code.folder / TOOLS
    name = f"raybench_project_{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    importable(code)
    sys.modules[name] = module  # dataclasses and type hints look their module up by name
    try:
        exec(compile(code.files[TOOLS], str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ToolsFileError(_in_file(error, path)) from error
    return module


def _in_file(error: BaseException, path: Path) -> str:
    """An error message with the innermost file and line of the project."""
    what = error_text(error)
    if isinstance(error, SyntaxError):
        return (
            f"{error.filename or path}, line {error.lineno or 1}: {type(error).__name__}:"
            f" {error.msg}. Correct it and try again."
        )
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if Path(f.filename).is_relative_to(path.parent)
    ]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(path)
    return f"{where}: {' '.join(what.split()).rstrip('.')}. Correct it and try again."
