"""Which package may import which. Imports inside functions count; those under ``if TYPE_CHECKING:``
do not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BELOW = {
    "raybench.formula": (
        "raybench.optics",
        "raybench.shapes",
        "raybench.kinds",
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
    ),
    "raybench.optics": (
        "raybench.formula",
        "raybench.shapes",
        "raybench.kinds",
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
    ),
    "raybench.shapes": (
        "raybench.optics",
        "raybench.kinds",
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
    ),
    "raybench.kinds": (
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
        "raybench.files",
    ),
    "raybench.presets": (
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
        "raybench.files",
    ),
    "raybench.scene": ("raybench.trace", "raybench.analysis", "raybench.agent", "raybench.files"),
    "raybench.trace": ("raybench.analysis", "raybench.agent", "raybench.session"),
    # what the answers of a model are compared with
    "raybench.agent.eval.plain_optics": (
        "raybench.optics",
        "raybench.shapes",
        "raybench.kinds",
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
    ),
    "raybench.schema": (
        "raybench.kinds",
        "raybench.scene",
        "raybench.trace",
        "raybench.analysis",
        "raybench.agent",
    ),
    "raybench.analysis": ("raybench.agent", "raybench.session"),
    "raybench": ("raybench_workbench",),
}
"""Packages, each with those that it must not import."""

Graph = Mapping[str, frozenset[str]]


@cache
def import_graph() -> Graph:
    """The modules of raybench and raybench_workbench, each with those among them that it imports anywhere."""
    files = {
        _module_name(path): path
        for top in ("core", "workbench")
        for path in (ROOT / top).rglob("*.py")
    }
    return {
        name: frozenset(_imported(ast.parse(path.read_text()), files)) - {name}
        for name, path in files.items()
    }


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(tree: ast.AST, known: Iterable[str]) -> Iterator[str]:
    """The known modules that a syntax tree imports. ``from package import module`` imports the
    module, not the package.
    """
    for node in _run_time_nodes(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else node.module for name in whole]
        yield from (name for name in names if name in known)


def _run_time_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.expr):  # without imports
            continue
        if isinstance(child, ast.If) and ast.dump(child.test).find("'TYPE_CHECKING'") > 0:
            for other in child.orelse:
                yield other
                yield from _run_time_nodes(other)
        else:
            yield child
            yield from _run_time_nodes(child)


def circle_in(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The modules of one circle, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found_inside_functions_too_and_not_in_typing() -> None:
    known = ("a", "b")
    there = ast.parse("def f():\n    from b import x")
    typing = ast.parse("if TYPE_CHECKING:\n    import b\nelse:\n    import a")
    assert set(_imported(there, known)) == {"b"}
    assert set(_imported(typing, known)) == {"a"}
    assert circle_in({"a": ["b"], "b": ["a"]}) == ["a", "b", "a"]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert len(import_graph()) > 250
    assert circle_in(import_graph()) == []


@pytest.mark.parametrize("package", BELOW)
def test_imports_go_one_way(package: str) -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imports in import_graph().items()
        for imported in imports
        if _within(module, package) and any(_within(imported, above) for above in BELOW[package])
    ]
    assert wrong == []


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def test_every_package_named_here_exists() -> None:
    named = {package for below, above in BELOW.items() for package in (below, *above)}
    assert {
        name for name in named if not any(_within(module, name) for module in import_graph())
    } == set()


def test_no_test_file_imports_another() -> None:
    """What tests share is in a module of its own: else the other file's tests are imported too, a
    second time and under another name.
    """
    tests = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if path.name not in ("test_rooms.py", "conftest.py")
    ]
    names = {path.stem for path in tests if path.name.startswith("test_")}
    wrong = [
        f"{path.name} imports {module}"
        for path in tests
        for module in re.findall(r"^ *from (\S+) import", path.read_text(), re.MULTILINE)
        if module.rpartition(".")[2] in names
    ]
    assert len(names) > 300
    assert wrong == []
