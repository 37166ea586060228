"""The tools of a scene as functions, and their schemas for agent frameworks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from raybench.agent.by_hand import command_line
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.xml_answer import to_xml
from raybench.errors import RaybenchError
from raybench.library.light import Light, Rays, UnknownEntry, html_table

if TYPE_CHECKING:
    from raybench.library.scene import Scene

Format = Literal["anthropic", "openai", "mcp", "langchain"]
T = TypeVar("T")


def run_outside_event_loop(function: Callable[[], T]) -> T:
    """Call a function that runs an event loop. If an event loop is already running, as in a
    notebook, the function is called in another thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return function()
    done: list[T] = []
    failed: list[BaseException] = []

    def run_in_thread() -> None:
        try:
            done.append(function())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run_in_thread, name="raybench")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


@dataclass(frozen=True, eq=False)
class ToolAnswer:
    """The answer of a tool."""

    light: Light | None
    outcome: ToolOutcome

    @cached_property
    def values(self) -> Any:
        """The answer as dicts, lists and numbers."""
        return self.outcome.value

    @cached_property
    def xml(self) -> str:
        """The answer as XML, in the format of the XML tools."""
        answer = self.outcome.answer
        return to_xml(answer) if answer is not None else str(self.outcome.value)

    @property
    def text(self) -> str:
        """The answer as a sentence."""
        return self.outcome.notes or self.outcome.sentence

    @property
    def rays(self) -> Rays | None:
        """The rays of the answer; None if it has none, or if the scene was changed since."""
        found, light = self.outcome.rays, self.light
        if found is None or light is None or found.revision != light.result.revision:
            return None
        return Rays(light, found.rows)

    def __getitem__(self, name: str) -> Any:
        if isinstance(self.values, Mapping) and name not in self.values:
            raise UnknownEntry(name, self.values)
        return self.values[name]

    def __repr__(self) -> str:
        return f"<{self.outcome.tool}: {self.text}>"

    def _repr_html_(self) -> str:
        tables = [f"<p>{escape(self.text)}</p>"]
        for name, rows in self.values.items() if isinstance(self.values, Mapping) else ():
            if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
                titles = list(dict.fromkeys(key for row in rows for key in row))
                tables.append(f"<p><b>{escape(str(name))}</b></p>")
                tables.append(html_table(titles, ([row.get(t) for t in titles] for row in rows)))
        return "".join(tables)


@dataclass(frozen=True)
class SceneTool:
    """A tool of a scene, which is called with the tool's parameters."""

    scene: Scene
    tool: Tool

    @property
    def __name__(self) -> str:
        return self.tool.name

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return self.tool.description or ""

    def __call__(self, *arguments: Any, **named: Any) -> ToolAnswer:
        names = self.tool.parameters.names
        if len(arguments) > len(names):
            raise RaybenchError(f"{self.tool.name} takes {', '.join(names) or 'nothing'}.")
        given = dict(zip(names, arguments, strict=False))
        if twice := given.keys() & named.keys():
            raise RaybenchError(f"{self.tool.name}: {', '.join(twice)} is given twice.")
        scene = self.scene
        light = scene.trace() if self.tool.needs == "trace" else None
        call = run_outside_event_loop(
            lambda: command_line.run_typed_call(scene.session, self.tool, (), given | named)
        )
        return ToolAnswer(light, call)

    def __repr__(self) -> str:
        return f"<tool {self.tool.usage}>"


class Tools:
    """The tools of a scene as attributes, such as ``scene.tools.find_ghosts()``. A call of this
    object returns their schemas.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene.open("example:prism")
        >>> scene.tools.find_rays_inside_glass("Main Prism").rays
        <344 rays>
        >>> round(scene.tools.refractive_index("Main Prism")["critical_angle"], 2)
        41.81
        >>> [tool["function"]["name"] for tool in scene.tools(format="openai")][:2]
        ['aperture_throughput_xml', 'beams_xml']
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    @cached_property
    def _by_name(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in command_line.tools_without_model()}

    def __getattr__(self, name: str) -> SceneTool:
        if name.startswith("__"):
            raise AttributeError(name)
        tool = self._by_name.get(name) or self._by_name.get(f"{name}_xml")
        if tool is None:
            try:
                command_line.tool_without_model(name)
            except RaybenchError as error:
                raise AttributeError(str(error)) from None
        assert tool is not None
        return SceneTool(self._scene, tool)

    def __iter__(self) -> Iterator[SceneTool]:
        return (SceneTool(self._scene, tool) for tool in self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name.removesuffix("_xml") for name in self._by_name)]

    def __call__(self, format: Format = "anthropic") -> list[Any]:
        """The tools in the format of a framework: definitions for the Messages API, for chat
        completions or for the Model Context Protocol; or tools of langchain, if it is installed.
        """
        definitions = [tool.definition for tool in self._by_name.values()]
        if format == "anthropic":
            return definitions
        if format == "openai":
            return [
                {
                    "type": "function",
                    "function": {**_without_keys(d), "parameters": d["input_schema"]},
                }
                for d in definitions
            ]
        if format == "mcp":
            return [{**_without_keys(d), "inputSchema": d["input_schema"]} for d in definitions]
        if format == "langchain":
            try:
                from langchain_core.tools import StructuredTool  # type: ignore[import-not-found]
            except ImportError:
                raise RaybenchError(
                    "langchain-core is not installed. Install it, or take another format."
                ) from None

            return [
                StructuredTool(
                    name=d["name"],
                    description=d.get("description", ""),
                    args_schema=d["input_schema"],
                    func=lambda _tool=tool, **named: _tool(**named).xml,
                )
                for d, tool in zip(definitions, self, strict=True)
            ]
        raise RaybenchError(f"There is no format {format!r}: anthropic, openai, mcp, langchain.")

    def __repr__(self) -> str:
        return f"<{len(self)} tools: {', '.join(sorted(self._by_name))}>"


def _without_keys(definition: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in definition.items() if name != "input_schema"}
