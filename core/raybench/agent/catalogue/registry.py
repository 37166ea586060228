"""The registry of tools: built-in tools, and functions and workers of a project folder."""

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from types import ModuleType

from raybench.agent.catalogue.builtin import REPLACEABLE
from raybench.agent.catalogue.project_code import (
    TOOLS_FILE,
    InvalidProject,
    ToolsFileError,
    Trust,
    read_project_code,
    run_tools_file,
)
from raybench.agent.catalogue.project_tools import project_tools
from raybench.agent.programs.program_tool import with_program_tools_described
from raybench.agent.tools.exposure import InvalidName, check_name, check_tools
from raybench.agent.tools.tool import (
    OPTIONS,
    FoundTool,
    Tool,
    ToolNotFound,
    python_identifier,
)
from raybench.agent.workers.worker import Worker, unusable_tools, worker_tool
from raybench.agent.workers.worker_file import WorkerFileError, parse_worker, read_worker
from raybench.errors import ForeignError, elide_text, in_quotes

MOST_WORKERS = 200
"""Maximum number of a project's workers, each of which takes up to a tenth of a second to read."""


class AmbiguousTools(ForeignError):
    """Several tools have the same name. The message lists these names."""

    LONGEST = 2_000


class ToolRegistry:
    """The built-in tools, the shipped workers, and the tools of a project folder: public tools in
    its ``tools.py``, and its ``*.worker`` files.

    The folder's code runs once, at the first look-up, and only if ``trust`` returns true for the
    folder.
    """

    def __init__(
        self,
        builtin: Iterable[Tool] = (),
        folder: Path | None = None,
        trust: Trust = lambda code: False,
    ) -> None:
        self.folder = folder
        self._builtin = tuple(builtin)
        check_tools(self._builtin)
        self._trust = trust
        self._failed = ("", "")

    @cached_property
    def tools_by_name(self) -> Mapping[str, FoundTool]:
        """All tools by name; only the workers of a folder whose code is not trusted. Raises
        AmbiguousTools for a repeated name, and InvalidProject or ToolsFileError if the folder
        cannot be read.
        """
        own: list[FoundTool] = []
        if self.folder is not None:
            if self._project_module:
                own += project_tools(self._project_module, self.folder / TOOLS_FILE)
            own += _project_workers(self.folder)
        taken = {python_identifier(found.name) for found in own}
        builtin = [
            t
            for t in self._builtin
            if not (t.name in REPLACEABLE and python_identifier(t.name) in taken)
        ]
        shipped = [FoundTool(t.name, "builtin", t.function, tool=t) for t in builtin]
        return _tools_by_name(
            [*shipped, *(_make_found_worker(w, None) for w in shipped_workers()), *own]
        )

    @cached_property
    def untrusted_message(self) -> str:
        """A message that the folder's code was not run because it is not trusted; else empty."""
        if (
            self.folder is None
            or not (self.folder / TOOLS_FILE).is_file()
            or self._project_module is not None
        ):
            return ""
        return (
            f"{self.folder / TOOLS_FILE} was not run, for the folder is not trusted. Open it again"
            " and trust it, or give --trust."
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems in the folder, each with a remedy: code that was not run, invalid tools,
        unknown options, and tools that a worker lists but cannot use.
        """
        texts = [self.untrusted_message, *(found.problem for found in self.tools_by_name.values())]
        for found in self.tools_by_name.values():
            for name in found.tool.ignored if found.tool is not None else ():
                near = difflib.get_close_matches(name, OPTIONS, 1)
                hint = f"Did you mean {near[0]}?" if near else f"Options: {', '.join(OPTIONS)}."
                texts.append(f"{found.place}: there is no option {in_quotes(name, 40)}. {hint}")
        for found in () if self.untrusted_message else self.tools_by_name.values():
            if isinstance(found.handler, Worker) and found.source_path is not None:
                missing = unusable_tools(found.handler, self.tools)
                texts += [f"{found.place}: {problem}" for problem in missing]
        return tuple(elide_text(text, ForeignError.LONGEST) for text in texts if text)

    def find_tool(self, name: str) -> FoundTool:
        """The tool with this name. Raises ToolNotFound, which suggests similar names, or the error
        of the folder if it cannot be read.
        """
        found = self.tools_by_name
        if name in found:
            if found[name].kind == "worker" and found[name].problem:
                raise WorkerFileError(found[name].problem)
            return found[name]
        near = difflib.get_close_matches(name, found, 3, 0.5)
        own = sorted(
            f.name
            for f in found.values()
            if self.folder is None or f.kind == "code" or f.source_path is not None
        )
        texts = [f"Tool not found: {name}."]
        if self.untrusted_message:  # the tool may be in code that was not run
            texts.append(self.untrusted_message)
        elif self.folder is not None:
            folder = self.folder.resolve()
            texts.append(f"There is no tools.py::{name} and no {name}.worker in {folder}.")
        if near:
            texts.append(f"Did you mean {', '.join(near)}?")
        elif not self.untrusted_message:
            there = " there" if self.folder else ""
            texts.append(f"Tools{there}: {', '.join(own) or '(none)'}.")
        raise ToolNotFound(" ".join(texts))

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools that a model can call: the built-in tools in their order, then the others by
        name.
        """
        return self.select_tools(lambda tool: True)

    def select_tools(self, allows: Callable[[Tool], bool]) -> tuple[Tool, ...]:
        """The tools for which ``allows`` returns true, in order, for a model that has only these
        tools.
        """
        found = (found.tool for found in self.tools_by_name.values())
        return with_program_tools_described(t for t in found if t is not None and allows(t))

    @cached_property
    def _project_module(self) -> ModuleType | None:
        """The module of the project's ``tools.py``; None if there is no such file or it is not
        trusted. A file that failed runs again only after it has changed.
        """
        if self.folder is None or not (self.folder / TOOLS_FILE).is_file():
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


def shipped_workers() -> tuple[Worker, ...]:
    """The workers that ship with Raybench."""
    shipped = [
        f
        for f in files("raybench_resources").joinpath("workers").iterdir()
        if f.name.endswith(".worker")
    ]
    texts = sorted((f.name.removesuffix(".worker"), f.read_text(encoding="utf-8")) for f in shipped)
    return tuple(parse_worker(text, name, f"{name}.worker") for name, text in texts)


def is_project(folder: Path) -> bool:
    """Whether a folder holds ``tools.py`` or a worker. Raises OSError if it cannot be read."""
    return (folder / TOOLS_FILE).is_file() or bool(_worker_paths(folder))


def _worker_paths(folder: Path) -> list[tuple[str, Path]]:
    return [(p.stem, p) for p in sorted(folder.glob("*.worker"))] + [
        (p.parent.name, p) for p in sorted(folder.glob("*/worker.worker"))
    ]


def _project_workers(folder: Path) -> list[FoundTool]:
    """The workers of a project folder. An invalid worker has the reason as its ``problem``."""
    paths = _worker_paths(folder)
    if len(paths) > MOST_WORKERS:
        raise InvalidProject(
            f"{folder} holds {len(paths)} workers; at most {MOST_WORKERS} are read. Remove some."
        )
    found: list[FoundTool] = []
    for name, path in paths:
        if name.startswith((".", "_")):
            continue
        try:
            found.append(_make_found_worker(read_worker(path, name), path))
        except WorkerFileError as error:
            found.append(FoundTool(name, "worker", None, path, None, str(error), callable=False))
    return found


def _make_found_worker(worker: Worker, path: Path | None) -> FoundTool:
    tool = worker_tool(worker)
    if path is None:
        tool = dataclasses.replace(tool, offered="on demand")
    try:
        check_name(tool)
    except InvalidName as error:
        raise WorkerFileError(f"{path or worker.name}: {error} Rename the file.") from None
    return FoundTool(worker.name, "worker", worker, path, tool)


def _tools_by_name(everything: list[FoundTool]) -> Mapping[str, FoundTool]:
    groups: dict[str, list[FoundTool]] = {}
    for found in everything:
        groups.setdefault(python_identifier(found.name), []).append(found)
    clashes = [
        " and ".join(f.place for f in group)
        for _, group in sorted(groups.items())
        if len(group) > 1
    ]
    if clashes:
        fixed = any("(built in)" in clash for clash in clashes)
        remedy = f"Rename one of each{'; a built-in tool keeps its name' * fixed}."
        raise AmbiguousTools(f"Ambiguous tools: {'; '.join(clashes)} both exist. {remedy}")
    others = [f for f in everything if f.kind != "builtin"]
    ordered = [f for f in everything if f.kind == "builtin"] + sorted(others, key=lambda f: f.name)
    return {f.name: f for f in ordered}
