"""What is found in a project's ``tools.py``, and what is refused, with its reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.core.agent.project import context, registry, run, worker, write

from raybench.agent.call.context import ToolFailed
from raybench.agent.catalogue.project_code import ToolsFileError
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import InvalidTool, Tool
from raybench.agent.workers.worker import Worker
from raybench.errors import HIDDEN

STATE = '''
from raybench.agent.context import tool_context, tool_options
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter
from raybench.agent.view_tools.ray_filter_tools import RangeFilterTool
from raybench.agent.workers.llm_tool import LLMTool


class StrongTool(StateTool):
    name = "only_strong"
    description = """Show only strong rays.

    Args:
        at_least: The power.
    """

    def _run(self, at_least: float = 0.5) -> dict:
        return {"must": [{"key": "power", "range": {"gte": at_least}}]}

    def apply_to_state(self, state: ViewDraft, at_least: float = 0.5) -> str:
        merge_filter(state, self._run(at_least))
        return f"At least {at_least:g}."
'''


def test_every_form_of_a_tool_is_found(tmp_path: Path) -> None:
    tools = (
        STATE
        + "def plain(a: int) -> int:\n    return a\n\nname_it = LLMTool('Name {{about}}', '(about"
        " :string) -> :string', 'Name it.')\nmade = Tool.new('halved', (lambda x: x / 2,"
        " {'signature': '(x :float) -> :float', 'effect': 'read'}))\nagain = made\ndef inner(x:"
        " float) -> float:\n    return -x\n\nouter = Tool.new('negative', (inner, {'effect':"
        " 'read'}))\n_hidden = Tool.new('hidden', inner)\n"
    )
    found = registry(write(tmp_path, tools=tools), builtin=())
    own = {name: f for name, f in found.tools_by_name.items() if f.source_path is not None}
    assert sorted(own) == [
        "halved",
        "name_it",
        "negative",
        "only_strong",
        "plain",
    ]  # no imported class, no helper, nothing twice
    assert found.problems == ()
    assert own["name_it"].tool.type == "llm"  # type: ignore[union-attr]
    assert own["only_strong"].tool.signature == "(at_least :float?) -> :string"  # type: ignore[union-attr]
    assert own["only_strong"].tool.effect == "read"  # type: ignore[union-attr]
    assert (
        own["only_strong"].tool.input_schema["properties"]["at_least"]["description"]
        == "The power."
    )  # type: ignore[union-attr]
    ctx, _ = context(tmp_path, ["a name"])
    assert run(ctx.call_tool("halved", 3.0)) == 1.5
    assert run(ctx.call_tool("negative", 3.0)) == -3.0
    assert run(ctx.call_tool("name_it", "a lens")) == "a name"
    assert run(ctx.call_tool("only_strong", 0.9)).startswith("At least 0.9. ")
    assert len(ctx.state.ray_filter.must) == 1


@pytest.mark.parametrize(
    "made", ["strong = StrongTool()", "strong = Tool.new('only_strong', StrongTool())"]
)
def test_a_state_tool_is_listed_once(made: str, tmp_path: Path) -> None:
    ctx, _ = context(write(tmp_path, tools=STATE + made + "\n"))
    assert [f.name for f in ctx.registry.tools_by_name.values() if f.source_path] == ["only_strong"]
    assert run(ctx.call_tool("only_strong", 0.9)).startswith("At least 0.9. ")


def test_a_state_tool_may_take_the_context(tmp_path: Path) -> None:
    more = STATE + "\n    def __init__(self, ctx) -> None:\n        self.unit = ctx.document.unit\n"
    more = more.replace("At least {at_least:g}.", "At least {at_least:g} in {self.unit}.")
    ctx, _ = context(write(tmp_path, tools=more))
    assert run(ctx.call_tool("only_strong", 0.9)).startswith("At least 0.9 in mm. ")


BAD = {
    "def bad(x: 'Nowhere') -> int:\n    return 1\n": (
        "the type hint of 'x', Nowhere, cannot be resolved"
    ),
    "@tool_options(effect='odd')\ndef bad(x: int) -> int:\n    return 1\n": (
        "bad: 'effect' must be 'read', 'edit'"
    ),
    "@tool_options(check='odd')\ndef bad(x: int) -> int:\n    return 1\n": (
        "bad: 'check' must be 'enabled', 'warn_only'"
    ),
    "@tool_options(expose='odd')\ndef bad(x: int) -> int:\n    return 1\n": (
        "bad: expose 'odd' is not one of"
    ),
    "def bad(ctx: 'ToolContext') -> int:\n    return 1\n": "Write @tool_context above it",
    "bad = LLMTool('{{x}}', '() -> :string')\n": "bad: its prompt holds {{x}}",
    "bad = LLMTool('x', 'odd')\n": "bad: its signature has a parse error",
    (
        "class Bad(StateTool):\n    name = 'bad'\n    description = 'Bad.'\n\n    def _run(self):\n"
        "        pass\n\n    def aply_to_state(self, state):\n        pass\n"
    ): "the state tool Bad has no method apply_to_state. Rename aply_to_state to apply_to_state.",
    "class Bad(StateTool):\n    name = 'bad'\n    def apply_to_state(self, state): pass\n": (
        "the state tool Bad has no method _run. Write def _run(self, …)."
    ),
    (
        "class Bad(StrongTool):\n    name = 'bad'\n    def apply_to_state(self, at_least: float):\n"
        "        return ''\n"
    ): "the state tool Bad takes no state. Write def apply_to_state(self, state, …).",
    "bad = Tool.new('bad', (lambda a, b=1: a, '(a :int, c :int) -> :int'))\n": (
        "bad: its signature (a :int, c :int) -> :int does not fit its function, which takes a, b."
        " Give both the same names."
    ),
    "def _one(a: str): ...\n\nbad = Tool.new('bad', (_one, '(b :string) -> :any'))\n": (
        "bad: its signature (b :string) -> :any does not fit its function, which takes a."
    ),
    "def bad(ctx, input: str) -> str:\n    return input\n": (
        "bad takes a ToolContext as 'ctx'. Write @tool_context above it."
    ),
    "@tool_options(efect='read')\ndef bad() -> int:\n    return 1\n": (
        "tools.py::bad: there is no option 'efect'. Did you mean effect?"
    ),
    "class Bad(StrongTool):\n    name = 'bad'\n    description = None\n": (
        "the state tool Bad has no description"
    ),
    "class Bad(StrongTool):\n    name = 'bad'\n    def __init__(self, a, b):\n        pass\n": (
        "the state tool Bad is made of 2 values"
    ),
    "class Odd:\n    def as_tool(self, name):\n        return 1 / 0\n\nbad = Odd()\n": (
        "bad cannot be a tool: ZeroDivisionError"
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_an_invalid_tool_hinders_no_other(bad: str, tmp_path: Path) -> None:
    ctx, _ = context(
        write(tmp_path, tools=STATE + bad + "\ndef good(a: int) -> int:\n    return a\n")
    )
    (problem,) = ctx.registry.problems
    assert "tools.py:" in problem
    assert BAD[bad] in problem
    assert run(ctx.call_tool("good", 1)) == 1
    assert run(ctx.call_tool("only_strong", 0.9)).startswith("At least")


def test_an_invalid_worker_hinders_no_other(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools="def good(a: int) -> int:\n    return a\n",
        judge="---\nmodle: x\n---\nDo.\n",
    )
    ctx, _ = context(tmp_path)
    (problem,) = ctx.registry.problems
    assert problem.startswith(f"{tmp_path / 'judge.worker'}: the front matter has modle.")
    assert run(ctx.call_tool("good", 1)) == 1


def test_a_worker_may_be_kept_and_private(tmp_path: Path) -> None:
    tools = (
        "from raybench.agent.context import tool_context\n\n@tool_context(effect='read',"
        " calls=['judge'])\nasync def main(ctx, input: str) -> list:\n    return [await"
        " ctx.call_tool('judge', input), await ctx.call_tool('judge',"
        " input)]\n\n@tool_context(effect='read')\nasync def other(ctx) -> str:\n    return await"
        " ctx.call_tool('judge', 'x')\n"
    )
    write(
        tmp_path,
        tools=tools,
        judge=worker(description="Judges.", cache="true", visibility="private"),
    )
    ctx, _ = context(tmp_path, ["good", "never"])
    found = ctx.registry.find_tool("judge")
    assert isinstance(found.handler, Worker)
    assert found.tool is not None
    assert (found.tool.cache, found.tool.private) == (True, True)
    assert "judge" not in [t.name for t in exposed_tools(ctx.registry.tools, "native")]
    assert run(ctx.call_tool("main", "x")) == ["good", "good"]  # asked once
    with pytest.raises(
        ToolFailed, match="It is private, and other does not name it among its calls"
    ):
        run(ctx.call_tool("other"))


@pytest.mark.parametrize(
    ("key", "value"),
    [("cache", "3"), ("cache", "'yes'"), ("visibility", "hidden"), ("visibility", "[a]")],
)
def test_cache_and_visibility_of_workers_are_checked(key: str, value: str, tmp_path: Path) -> None:
    write(tmp_path, judge=worker(description="Judges.", **{key: value}))
    (problem,) = registry(tmp_path).problems
    assert f"'{key}' must be a boolean" in problem or "must be 'public' or 'private'" in problem


def test_a_function_needs_one_decorator_at_most(tmp_path: Path) -> None:
    tools = (
        "from raybench.agent.context import tool_context, tool_options\n\n"
        "def plain(a: int) -> int:\n    return a\n\n"
        "@tool_options(effect='read')\ndef reads(a: int) -> int:\n    return a\n\n"
        "@tool_context(effect='edit', timeout_s=3)\nasync def edits(ctx, dx: float) -> str:\n"
        "    await ctx.apply([{'move': 'Laser', 'dx': dx, 'dy': 0}])\n    return 'moved'\n"
    )
    ctx, _ = context(write(tmp_path, tools=tools))
    native = {t.name: t for t in exposed_tools(ctx.registry.tools, "native")}
    assert [native[n].effect for n in ("plain", "reads", "edits")] == ["external", "read", "edit"]
    assert {"plain", "reads", "edits"} <= {
        t.name for t in exposed_tools(ctx.registry.tools, "program")
    }
    assert native["edits"].timeout_s == 3
    assert native["edits"].signature == "(dx :float) -> :string"
    assert run(ctx.call_tool("edits", 5.0)) == "moved"
    assert run(ctx.run(program_tool(), {"code": "plain(2) + reads(3)"})).text == "5"


def test_a_result_is_checked_in_the_stated_mode(
    tmp_path: Path,
) -> None:
    modes = ("enabled", "warn_only", "disabled")
    bodies = "\n".join(
        f"@tool_options(effect='read', check={m!r})\ndef {m}() -> int:\n    return 'text'\n"
        for m in modes
    )
    typed = (
        "from typing_extensions import TypedDict\nfrom raybench.agent.context import"
        " tool_options\n\nclass Row(TypedDict):\n    x: float\n\n@tool_options(effect='read',"
        " check='strict')\ndef strict() -> Row:\n    return {'x': 1.0, 'y':"
        " 2}\n\n@tool_options(effect='read')\ndef open_() -> Row:\n    return {'x': float('nan'),"
        " 'y': 2}\n\ndef unhinted():\n    return {1, 2}\n\n"
    )
    ctx, _ = context(write(tmp_path, tools=typed + bodies))
    with pytest.raises(
        ToolFailed,
        match=(
            r"^enabled returned a value that does not fit its signature \(\) -> :int: expected int,"
            r" got string\.$"
        ),
    ):
        run(ctx.call_tool("enabled"))
    with pytest.raises(ToolFailed, match=r"strict returned .*: y: no such field\.$"):
        run(ctx.call_tool("strict"))
    assert run(ctx.call_tool("warn_only")) == run(ctx.call_tool("disabled")) == "text"
    assert run(ctx.call_tool("open_"))["y"] == 2
    assert run(ctx.call_tool("unhinted"))
    tool = ctx.registry.find_tool("warn_only").tool
    assert tool is not None
    assert (
        "warn_only returned a value that does not fit its signature"
        in run(ctx.run(tool, {})).model_text
    )


def test_unknown_names_in_an_input_are_told(tmp_path: Path) -> None:
    ctx, _ = context(
        write(tmp_path, tools="def plain(a: int, b: int = 2) -> int:\n    return a + b\n")
    )
    assert run(ctx.call_tool("plain", {"a": 4})) == 6
    with pytest.raises(ToolFailed, match="plain takes no c; it takes a, b"):
        run(ctx.call_tool("plain", {"a": 4, "c": 1}))


def test_options_of_a_state_tool_are_stated_on_its_class(tmp_path: Path) -> None:
    tools = STATE.replace("class Strong", "@tool_options(visibility='private')\nclass Strong")
    ctx, _ = context(write(tmp_path, tools=tools))
    (found,) = (f for f in ctx.registry.tools_by_name.values() if f.source_path)
    assert found.tool is not None
    assert (found.tool.private, found.tool.effect, found.tool.in_order) == (True, "read", True)


def test_a_base_class_of_state_tools_is_neither_a_tool_nor_a_problem(tmp_path: Path) -> None:
    base = STATE.replace("class StrongTool(StateTool)", "class Base(StateTool)").replace(
        "    def apply_to_state", "class StrongTool(Base):\n    def apply_to_state"
    )
    found = registry(write(tmp_path, tools=base))
    assert found.problems == ()
    assert [f.handler.__name__ for f in found.tools_by_name.values() if f.source_path] == [  # type: ignore[union-attr]
        "StrongTool"
    ]


def test_a_state_tool_is_a_tool_form() -> None:
    from raybench.agent.view_tools.ray_filter_tools import ClearFilterTool

    assert Tool.new("show_all", ClearFilterTool()).name == "show_all"
    hidden = Tool.new("show_all", (ClearFilterTool(), {"visibility": "private", "timeout_s": 3}))
    assert (hidden.name, hidden.private, hidden.limited) == ("show_all", True, True)
    with pytest.raises(
        InvalidTool, match=r"is a class\. Give an object of it, ClearFilterTool\(\)"
    ):
        Tool.new("show_all", (ClearFilterTool, {"visibility": "private"}))
    with pytest.raises(InvalidTool):
        Tool.new("show_all", (ClearFilterTool(), "skip"))


@pytest.mark.parametrize(
    "odd",
    [
        (
            "from dataclasses import dataclass\n\n@dataclass\nclass Limits:\n    low: float ="
            " 0.0\n\nLIMITS = Limits()"
        ),
        "class Sly:\n    def __getattr__(self, name): raise RuntimeError(name)\n\nSLY = Sly()",
        "def late(a: \"globals().setdefault('more', 1) and int\") -> int: ...",
        (
            "class Mute(ValueError):\n    def __str__(self): raise KeyError\n\n"
            "class Odd:\n    def __repr__(self): raise Mute\n\ndef f(a=Odd()): ..."
        ),
    ],
    ids=["not hashable", "refuses attributes", "adds names", "error without words"],
)
def test_odd_module_contents_hide_no_tools(tmp_path: Path, odd: str) -> None:
    found = registry(write(tmp_path, tools=f"{odd}\n\ndef main() -> int:\n    return 1\n"))
    assert found.find_tool("main").tool is not None
    assert all("\n" not in problem for problem in found.problems)


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
def test_a_folder_with_an_odd_name_runs(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "caf\udce9\x1b[2J"
    folder.mkdir()
    write(
        folder,
        tools="def main() -> int:\n    return 1\n\ndef other(*rest): ...\n",
        bad="no front matter",
    )
    found = registry(folder)
    assert found.find_tool("main").tool is not None
    assert len(found.problems) == 2
    assert not any(HIDDEN.search(problem) for problem in found.problems)
    write(folder, tools="raise ValueError('x' * 100_000 + '\\x1b[2J')\n")
    with pytest.raises(ToolsFileError) as caught:
        registry(folder).find_tool("main")
    assert not HIDDEN.search(str(caught.value))
    assert len(str(caught.value)) < 1_000
