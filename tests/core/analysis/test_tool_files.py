"""A tool is one file, which says all that is known of it."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.questions import understanding
from raybench.agent.questions.understanding import understand_sentence
from raybench.agent.tools.tool import tool_named
from raybench.analysis import agentic_tools, tool_registry
from raybench.analysis.tools.discovery import SUBPACKAGES, tools
from raybench.analysis.tools.tool import IncompleteTool
from raybench.kinds.glasses import Glass
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Vertex

FOLDER = Path(agentic_tools.__file__).parent / "tools"
FILE = '''
from raybench.analysis.answers.answer import Answer, Element
from raybench.analysis.context import require_context
from raybench.analysis.tools.tool import AnalysisTool


def count_for_this_test(least: float = 0.0) -> Answer:
    """
    Count the rays of the trace.

    Args:
        least: The least power of a ray that counts.

    Returns:
        Root ray_count.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    count = int((require_context().result.total_power >= least).sum())
    return Answer(Element("ray_count", {"count": count}), f"{count} rays")


TOOL = AnalysisTool(
    function=count_for_this_test,
    asks="number of rays from {least}",
    questions=("How many rays begin?",),
)
'''
DOCUMENT = Document(
    scene=Scene.of([Glass(name="Prism", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20)))])
)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder whose files count among those of the room ``rays``; returns a function that writes
    one and makes the table anew.
    """
    package = import_module("raybench.analysis.tools.rays")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])

    def write(text: str, name: str = "extra") -> Any:
        monkeypatch.delitem(sys.modules, f"raybench.analysis.tools.rays.{name}", raising=False)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return tools.__wrapped__()

    yield write
    for name in [n for n in sys.modules if n.startswith("raybench.analysis.tools.rays.extra")]:
        del sys.modules[name]


def test_every_file_is_a_tool() -> None:
    files = [
        path
        for name in SUBPACKAGES
        for path in (FOLDER / name).glob("*.py")
        if path.name != "__init__.py"
    ]
    assert {path.parent.name for path in FOLDER.glob("*/__init__.py")} == set(SUBPACKAGES)
    assert 10 < len(files) <= len(tools())
    names = set(tools())
    assert names == {t.__name__ for t in tool_registry.TOOLS} <= set(agentic_tools.__all__)
    shipped = {tool.name: tool for tool in agent_tools()}
    assert names <= shipped.keys()
    assert all(
        "XML string with the root " in (wrapper.__doc__ or "") for wrapper in tool_registry.TOOLS
    )
    assert all(
        shipped[name].function is tool.function and shipped[name].effect == "read"
        for name, tool in tools().items()
    )


@pytest.mark.parametrize("name", tools())
def test_a_call_is_described_in_words(name: str) -> None:
    import inspect

    parameters = inspect.signature(tools()[name].function).parameters
    text = tools()[name].question({p: f"<{p}>" for p in parameters})
    assert text
    assert "{" not in text
    shipped = tool_named(agent_tools(), name)
    assert shipped is not None
    assert shipped.question({p: f"<{p}>" for p in parameters}) == text
    assert shipped.question({})


def test_a_new_tool_is_one_file(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = room(FILE)
    assert len(table) == len(tools()) + 1
    tool = table["count_for_this_test_xml"]
    assert tool.question({"least": 0.5}) == "number of rays from 0.5"
    monkeypatch.setattr("raybench.agent.questions.examples.tools", lambda: table)
    fresh = understanding.example_catalogue.__wrapped__()
    monkeypatch.setattr("raybench.agent.questions.understanding.example_catalogue", lambda: fresh)
    found = understand_sentence("How many rays begin?", DOCUMENT)
    assert found is not None
    assert (found.tool, found.arguments) == ("count_for_this_test_xml", {})


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ('    asks="number of rays from {least}",\n', "", "asks"),
        ('asks="number of rays from {least}"', 'asks=""', "extra: TOOL has an empty asks"),
        ('    questions=("How many rays begin?",),\n', "", "questions"),
        (
            'questions=("How many rays begin?",)',
            "questions=()",
            "extra: TOOL has no questions; give one to three",
        ),
        (
            '"How many rays begin?"',
            '"How many rays begin with {most}?"',
            "the questions give most, which count_for_this_test does not take",
        ),
        ("    function=count_for_this_test,\n", "", "function"),
        ("TOOL = AnalysisTool", "TOOL = dict", "extra declares no tool"),
        (
            "        least: The least power of a ray that counts.\n",
            "",
            "extra: the docstring of count_for_this_test lacks least",
        ),
        ("    Returns:\n        Root ray_count.\n", "", "lacks Returns"),
        (
            "least: float = 0.0",
            "least=0.0",
            "extra: count_for_this_test has parameters without a type: least",
        ),
        (
            ") -> Answer:",
            ") -> str:",
            "extra: count_for_this_test does not say that it returns an Answer",
        ),
        (
            "def count_for_this_test",
            "def find_rays_inside_glass",
            "there is a tool find_rays_inside_glass_xml already",
        ),
    ],
)
def test_an_incomplete_file_is_named(room: Any, old: str, new: str, missing: str) -> None:
    assert old in FILE
    text = FILE.replace(old, new)
    if "already" in missing:
        text = text.replace("function=count_for_this_test", "function=find_rays_inside_glass")
    with pytest.raises((IncompleteTool, TypeError), match=missing):
        room(text)


def test_tools_are_imported_when_asked_for() -> None:
    code = """
import sys
import raybench.analysis
from raybench.analysis import context
assert not [m for m in sys.modules if m.startswith("raybench.analysis.tools")]
from raybench.analysis import find_rays_inside_glass_xml, get_agentic_tools, set_context_from_result
assert find_rays_inside_glass_xml is get_agentic_tools()[0]["function"]
try:
    from raybench.analysis import nothing
except ImportError as error:
    assert "nothing" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


QUERIES = ("rays", "paths", "scene", "sql", "profiles")
"""The packages of queries."""


def test_every_query_is_reached() -> None:
    """Names that occur in the tools, the agent, the measures or the window, and in what those names
    define, are reached.
    """
    analysis, root = FOLDER.parent, FOLDER.parents[3]
    defined: dict[str, list[set[str]]] = {}
    queries: dict[str, str] = {}
    reached: set[str] = set()
    files = [*(root / "core").rglob("*.py"), *(root / "workbench").rglob("*.py")]
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        about = file.relative_to(analysis).parts if file.is_relative_to(analysis) else ()
        if about and about[0] in QUERIES:
            for node in tree.body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    defined.setdefault(node.name, []).append(_names(node) - {node.name})
                    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                        queries[node.name] = str(file.relative_to(root))
                else:
                    reached |= (
                        set() if isinstance(node, ast.Import | ast.ImportFrom) else _names(node)
                    )
        else:
            reached |= _names(tree)
    waiting = list(reached)
    while waiting:
        for names in defined.get(waiting.pop(), []):
            waiting += names - reached
            reached |= names
    assert len(queries) > 60
    assert {name: file for name, file in queries.items() if name not in reached} == {}


def _names(tree: ast.AST) -> set[str]:
    """The names and attributes that occur in some code, imports apart."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }
