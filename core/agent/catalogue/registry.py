"""Everything that can be called by name: what is built in, and what a project folder adds."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from core.agent.catalogue.tools_file import TOOLS, ToolsFileError, run_tools_file
from core.agent.catalogue.trust import Trust, Untrusted
from core.agent.project_code import read_project_code
from core.agent.tools.exposure import InvalidExposure, InvalidName, check_exposure, check_name, check_tools
from core.agent.tools.parameters import InvalidSignature
from core.agent.tools.tool import InvalidTool, Tool
from core.agent.workers.worker_file import Worker, WorkerFileError, parse_worker, read_worker
from core.errors import RaybenchError

Kind = Literal["builtin", "code", "worker"]


class AmbiguousTools(RaybenchError):
    """One name for several tools; lists all such names."""


class ToolNotFound(RaybenchError, FileNotFoundError):
    """No tool has this name; the text says where it was looked for, and what is near."""


@dataclass(frozen=True, eq=False)
class Found:
    """A tool where it was found. ``tool`` is its record, without one for a function that no model could call; ``problem`` says why.

    ``handler`` is what does the work: a function, or a `Worker`.
    """

    name: str
    kind: Kind
    handler: Callable[..., Any] | Worker | None
    source_path: Path | None = None
    tool: Tool | None = None
    problem: str = ""

    @property
    def place(self) -> str:
        """Where it is defined, for a person: ``tools.py::main``, ``main.worker``."""
        if self.kind == "code":
            return f"tools.py::{self.name}"
        if self.source_path is None:
            return f"{self.name} (built in)"
        return self.source_path.name if self.source_path.stem == self.name else f"{self.name}/{self.source_path.name}"


class ToolRegistry:
    """The tools that are built in, and those of a project folder: the public functions of its ``tools.py``, and its ``*.worker`` files.

    A folder's code runs once, when the first tool is looked for, and only if ``trust`` says so.
    """

    def __init__(self, builtin: Iterable[Tool] = (), folder: Path | None = None, trust: Trust = lambda code: False) -> None:
        self.folder = folder
        self._builtin = tuple(builtin)
        check_tools(self._builtin)
        self._trust = trust
        self._failed = ("", "")

    @cached_property
    def found(self) -> Mapping[str, Found]:
        """All tools by name. Raises AmbiguousTools, InvalidProject, ToolsFileError or WorkerFileError if the folder cannot be read.

        Where the folder's code is not trusted, its workers are here alone.
        """
        everything = [Found(t.name, "builtin", t.function, tool=t) for t in self._builtin]
        everything += [_as_found(w, None) for w in shipped_workers()]
        if self.folder is not None:
            everything += [*self._functions(self.folder), *_workers(self.folder)]
        return _by_name(everything)

    @cached_property
    def problem(self) -> str:
        """What of the folder is left out, and how to have it; empty if nothing is."""
        if self.folder is None or not (self.folder / TOOLS).is_file() or self._module is not None:
            return ""
        return f"{self.folder / TOOLS} was not run, for the folder is not trusted. Trust it, or give --trust."

    def find_tool(self, name: str) -> Found:
        """The tool of this name; ToolNotFound names those near it. What is wrong with the folder is raised whatever the name."""
        found = self.found
        if name in found:
            return found[name]
        near = difflib.get_close_matches(name, found, 3, 0.5)
        there = sorted(f.name for f in found.values() if self.folder is None or f.kind == "code" or f.source_path is not None)
        hint = f"Did you mean {', '.join(near)}?" if near else f"Tools{' there' if self.folder else ''}: {', '.join(there) or '(none)'}."
        if self.problem:
            hint = self.problem if not near else f"{self.problem} {hint}"
        looked = f" There is no tools.py::{name} and no {name}.worker in {self.folder}." if self.folder is not None else ""
        raise ToolNotFound(f"Tool not found: {name}.{looked} {hint}")

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The records of all tools that a model could be given: in the order of the built-in ones, then by name."""
        from core.agent.programs.program_tool import with_program_only

        return with_program_only(found.tool for found in self.found.values() if found.tool is not None)

    @cached_property
    def _module(self) -> ModuleType | None:
        """The folder's ``tools.py``, run; None where there is none or it is not trusted. What failed is run again once it was changed."""
        if self.folder is None or not (self.folder / TOOLS).is_file():
            return None
        code = read_project_code(self.folder)
        content, error = self._failed
        if error and content == code.digest:
            raise ToolsFileError(error)
        if not self._trust(code):
            return None
        try:
            return run_tools_file(code)
        except ToolsFileError as failed:
            self._failed = (code.digest, str(failed))
            raise

    def _functions(self, folder: Path) -> list[Found]:
        module = self._module
        if module is None:
            return []
        path = folder / TOOLS
        return [
            _code(name, function, path)
            for name, function in vars(module).items()
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
        ]


def shipped_workers() -> tuple[Worker, ...]:
    """The workers that Raybench brings."""
    there = [f for f in files("resources").joinpath("workers").iterdir() if f.name.endswith(".worker")]
    texts = sorted((f.name.removesuffix(".worker"), f.read_text(encoding="utf-8")) for f in there)
    return tuple(parse_worker(text, name, f"{name}.worker") for name, text in texts)


def _workers(folder: Path) -> list[Found]:
    paths = [(p.stem, p) for p in sorted(folder.glob("*.worker"))] + [(p.parent.name, p) for p in sorted(folder.glob("*/worker.worker"))]
    return [_as_found(read_worker(path, name), path) for name, path in paths if not name.startswith((".", "_"))]


def _as_found(worker: Worker, path: Path | None) -> Found:
    from core.agent.workers.worker import worker_tool

    tool = worker_tool(worker)
    try:
        check_name(tool)
    except InvalidName as error:
        raise WorkerFileError(f"{path or worker.name}: {error} Rename the file.") from None
    return Found(worker.name, "worker", worker, path, tool)


def _code(name: str, function: Callable[..., Any], path: Path) -> Found:
    try:
        tool = Tool.new(name, (function, dict(getattr(function, "tool_options", {}))))
        check_name(tool)
        check_exposure(tool)
    except (InvalidName, InvalidSignature) as error:
        return Found(name, "code", function, path, None, f"{path}: {error} Other tools can call it, a model cannot.")
    except (InvalidTool, InvalidExposure) as error:
        raise ToolsFileError(f"{path}: {error}") from None
    return Found(name, "code", function, path, tool)


def _by_name(everything: list[Found]) -> Mapping[str, Found]:
    groups: dict[str, list[Found]] = {}
    for found in everything:
        groups.setdefault(found.name.replace("-", "_"), []).append(found)
    if clashes := [" and ".join(f.place for f in group) for _, group in sorted(groups.items()) if len(group) > 1]:
        raise AmbiguousTools(f"Ambiguous tools: {'; '.join(clashes)} both exist. Rename one of each.")
    builtin = [f for f in everything if f.kind == "builtin"]
    return {f.name: f for f in (*builtin, *sorted((f for f in everything if f.kind != "builtin"), key=lambda f: f.name))}


__all__ = ["AmbiguousTools", "Found", "ToolNotFound", "ToolRegistry", "ToolsFileError", "Untrusted", "WorkerFileError", "run_tools_file"]
