"""The READMEs name only modules, functions, columns and files that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READMES = sorted(
    str(path.relative_to(ROOT))
    for path in (
        ROOT / "README.md",
        *(
            page
            for top in ("core", "workbench", "tests")
            for page in (ROOT / top).rglob("README.md")
        ),
    )
    if path.parent.name != "picture_tests"  # its files are those of another program's project
)
ENDINGS = ("py", "md", "json", "xsd", "toml", "c", "png", "worker")
NOT_HERE = {
    *(
        "tools.py",
        "tour.png",
        "tour.md",
        "screenshots-failed/",
    ),  # in a user's project, or written by a command
    *(
        "rag_search",
        "web_search",
        "generate_image",
        "creation_defaults",
    ),  # of the described tool systems, and left out
}
"""Names in READMEs that are not of this tree."""
OTHER_PACKAGES = {"importlib", "numpy", "shapely", "pydantic"}

Members = dict[str, "Members"]
"""Names defined in a module or class; those in a class are below its name."""


@cache
def modules() -> dict[str, Members]:
    """The names that each module of the tree defines, by the module's dotted name; a package by its
    ``__init__``.
    """
    files = (
        path
        for top in ("core", "workbench", "tests", "resources")
        for path in (ROOT / top).rglob("*.py")
    )
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): _defined(
            ast.parse(path.read_text())
        )
        for path in files
    }


def _defined(tree: ast.AST) -> Members:
    """The functions, classes, constants, fields and imported names of a module or class, and the
    attributes that its methods set.
    """
    names: Members = {}
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names[node.name] = {}
            if isinstance(tree, ast.ClassDef):
                names |= {
                    n.attr: {}
                    for n in ast.walk(node)
                    if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
                }
        elif isinstance(node, ast.ClassDef):
            names[node.name] = _defined(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name): {} for alias in node.names}
        elif isinstance(node, ast.If):
            names |= _defined(node)
        else:
            names |= {
                n.id: {}
                for n in ast.walk(node)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
    return names


def is_defined(name: str) -> bool:
    """Whether a dotted name is the end of a module's name, or that and what the module defines, or
    a class and what it defines.

    ``run.emission`` stands for every module whose name ends with it, ``session.apply`` for
    `Session.apply` too.
    """
    parts = name.split(".")
    instance = parts[0].title()
    for module, members in modules().items():
        for k in range(len(parts), 0, -1):
            if f".{module.removesuffix('.__init__')}".endswith("." + ".".join(parts[:k])) and _has(
                members, parts[k:]
            ):
                return True
        if any(
            members.get(kind) and _has(members, [kind, *parts[1:]]) for kind in (parts[0], instance)
        ):
            return True
    return False


def is_wrapper(name: str) -> bool:
    """Whether a dotted name is that of a tool for scripts: these are made from the tools'
    functions.
    """
    return (
        name.startswith("raybench.analysis.")
        and name.endswith("_xml")
        and name.rpartition(".")[2].removesuffix("_xml") in words()
    )


def _has(members: Members, names: list[str]) -> bool:
    for name in names:
        if name not in members:
            return False
        members = members[name]
    return True


@cache
def words() -> frozenset[str]:
    """Every identifier in the Python files of the tree: names, attributes, parameters, and texts
    that are identifiers.
    """
    found: set[str] = set()
    for top in ("core", "workbench", "tests", "resources"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text() if path != Path(__file__) else "")):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
                found |= {value for _, value in ast.iter_fields(node) if isinstance(value, str)}
                if isinstance(node, ast.ImportFrom):
                    found |= set((node.module or "").split("."))
    return frozenset(found | {path.stem for path in (ROOT / "core").rglob("*.py")})


@cache
def file_names() -> frozenset[str]:
    """The names of all files, without their folders: a page may name a file beside one that it
    names in full.
    """
    return frozenset(
        path.name
        for top in ("core", "workbench", "tests", "resources")
        for path in (ROOT / top).rglob("*.*")
    )


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```|^(?: {4}[^\n]*\n)+", "", text, flags=re.DOTALL | re.MULTILINE)


def quoted(text: str) -> list[str]:
    """What stands between backticks in the prose of a page."""
    return re.findall(r"`([^`]+)`", prose(text))


def wrong_in(text: str, folder: Path) -> Iterator[str]:
    """What a page in a folder names that does not exist: paths, dotted names and single
    identifiers.
    """
    for name in (name for name in quoted(text) if name not in NOT_HERE):
        bare = re.sub(r"\(.*\)$", "", name).removesuffix("/")
        if re.fullmatch(rf"[\w./-]*(/|\w\.({'|'.join(ENDINGS)}))", name):
            if (
                not any((base / name).exists() for base in (ROOT, folder))
                and name not in file_names()
            ):
                yield name
        elif re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", bare):
            if bare.split(".")[0] not in OTHER_PACKAGES and not is_defined(bare):
                yield name
        elif (
            re.fullmatch(r"[A-Za-z]\w*_\w+|[A-Z][a-z]+[A-Z]\w*|[A-Z]{4,}", bare)
            and bare.removesuffix("_xml") not in words()
        ):
            yield name
    for module, imported in re.findall(
        r"^ *from ((?:core|workbench)[\w.]*) import ([\w, ]+)", text, flags=re.MULTILINE
    ):
        names = (f"{module}.{name.strip()}" for name in imported.split(","))
        yield from (name for name in names if not is_defined(name) and not is_wrapper(name))


@pytest.mark.parametrize("readme", READMES)
def test_what_a_readme_names_exists(readme: str) -> None:
    path = ROOT / readme
    assert list(wrong_in(path.read_text(), path.parent)) == []


@pytest.mark.parametrize("readme", ["core/README.md", "workbench/README.md"])
def test_a_page_names_every_package_and_module_beside_it(readme: str) -> None:
    folder, named = (
        (ROOT / readme).parent,
        {name.rpartition("/")[2] or name for name in quoted((ROOT / readme).read_text())},
    )
    packages = {f"{path.name}/" for path in folder.iterdir() if (path / "__init__.py").exists()}
    modules_there = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    assert (packages | modules_there) - named == set()


def test_what_does_not_exist_is_found() -> None:
    page = """
`core/raybench/gone.py`, `gone.py`, `trace.trace.gone`, `Session.gone`, `session.gone`, `gone_away`, `gone/`, `core/raybench/session.py`, `trace.trace.trace`,
`Session.apply`, `session.Session.history`, `run.emission`, `fresh_result`, `kinds/`

```python
from raybench.trace.trace import trace, gone
```
"""
    wrong = [
        "core/raybench/gone.py",
        "gone.py",
        "trace.trace.gone",
        "Session.gone",
        "session.gone",
        "gone_away",
        "gone/",
        "raybench.trace.trace.gone",
    ]
    assert list(wrong_in(page, ROOT / "core")) == wrong
