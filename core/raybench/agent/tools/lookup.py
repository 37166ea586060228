"""A tool together with where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from raybench.agent.tools.tool import Tool, ToolForm
from raybench.errors import ForeignError, one_line

Kind = Literal["builtin", "code", "worker"]


class ToolNotFound(ForeignError, FileNotFoundError):
    """No tool has this name; the text lists where it was searched and similar names."""

    LONGEST = 2_000


@dataclass(frozen=True, eq=False)
class FoundTool:
    """A tool with its place of definition. ``tool`` is its record; None for a function that no
    model can call, for the reason ``problem``.

    ``handler`` is what does the work: a function, or a worker.
    """

    name: str
    kind: Kind
    handler: Callable[..., Any] | ToolForm | None
    source_path: Path | None = None
    tool: Tool | None = None
    problem: str = ""
    callable: bool = True
    """Whether other tools can call it."""

    @property
    def place(self) -> str:
        """Where it is defined, for a person: ``tools.py::main``, ``main.worker``."""
        if self.kind == "code":
            return f"tools.py::{self.name}"
        if self.source_path is None:
            return f"{self.name} (built in)"
        return one_line(
            self.source_path.name
            if self.source_path.stem == self.name
            else f"{self.name}/{self.source_path.name}"
        )
