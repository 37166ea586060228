"""Changes the program in one place at a time, at random, and says which changes no test notices.

``python tests/mutants.py 50 --seed 7`` takes 50 places in `PACKAGES`, changes each in a copy of the
tree, and runs the tests that execute the changed line there. Which these are is recorded first, by
one run of `TESTS`, and kept in ``.mutants``. Delete it when tests have changed: a test that is gone
ends like one that the change keeps from being collected. It needs Python 3.12, which knows the
places inside f-strings, and pytest-cov.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("core/raybench/optics", "core/raybench/analysis", "core/raybench/study")
TESTS = (
    *(
        "tests/core/optics",
        "tests/core/analysis",
        "tests/core/study",
        "tests/core/agent/models",
        "tests/core/verify",
        "tests/physics",
    ),
    *("tests/workbench/measuring", "tests/workbench/plots"),
)
COPIED = ("core", "workbench", "resources", "tests", "pyproject.toml", "README.md")
RECORD = ROOT / ".mutants"
SECONDS = 100
"""Processor time after which tests are taken to have no end."""
MOST_TESTS = 16
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Div,
        ast.Div: ast.Mult,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
    },
    **{
        ast.Lt: ast.LtE,
        ast.LtE: ast.Lt,
        ast.Gt: ast.GtE,
        ast.GtE: ast.Gt,
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
    },
    **{
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
        ast.And: ast.Or,
        ast.Or: ast.And,
    },
}
"""What takes the place of an operator."""


@dataclass(frozen=True)
class Mutant:
    """A change of one place: its file below `ROOT`, the lines and columns (in bytes) from start to
    end, and what is put there.
    """

    file: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    def changed(self, source: bytes) -> bytes:
        return (
            source[: _at(source, self.start)] + self.text.encode() + source[_at(source, self.end) :]
        )

    def original(self, source: bytes) -> str:
        return source[_at(source, self.start) : _at(source, self.end)].decode()


def _at(source: bytes, place: tuple[int, int]) -> int:
    return sum(map(len, source.splitlines(keepends=True)[: place[0] - 1])) + place[1]


def replacement(node: ast.AST) -> ast.AST | None:
    """What a node is changed into; None if it is left alone."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float()):
            return ast.Constant(node.value + 1)
        case ast.BinOp(op=op) if type(op) in OTHER:
            return ast.BinOp(node.left, OTHER[type(op)](), node.right)
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            return ast.Compare(node.left, [OTHER[type(op)]()], node.comparators)
        case ast.BoolOp():
            return ast.BoolOp(OTHER[type(node.op)](), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return node.operand
        case ast.Return(value=ast.expr()) if not (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            return ast.Return(ast.Constant(None))
        case ast.Break() | ast.Continue() | ast.Expr(value=ast.Call()):
            return ast.Pass()
        case _:
            return None


def mutants(file: Path) -> Iterator[Mutant]:
    """All changes of a file; what is computed at import (types, tables of names) is left alone but
    for the bodies of functions.
    """
    functions = [
        n
        for n in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    seen = set()
    for statement in (s for function in functions for s in function.body):
        for node in ast.walk(statement):
            new = replacement(node)
            if new is None and isinstance(parent := node, ast.If | ast.IfExp | ast.While):
                node, new = parent.test, ast.UnaryOp(ast.Not(), parent.test)
            if (
                new is None
                or (node.lineno, node.col_offset, node.end_col_offset, type(new)) in seen
            ):
                continue
            seen.add((node.lineno, node.col_offset, node.end_col_offset, type(new)))
            text, end = ast.unparse(new), (node.end_lineno, node.end_col_offset)
            whole = f"({text})" if isinstance(new, ast.expr) else text
            yield Mutant(
                file.relative_to(ROOT).as_posix(), (node.lineno, node.col_offset), end, whole
            )


def record() -> None:
    """Run `TESTS` once, and keep which test executes which line."""
    options = [f"--cov={package}" for package in PACKAGES]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--cov-context=test",
        "--cov-report=",
        *options,
        *TESTS,
    ]
    subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "COVERAGE_FILE": str(RECORD), "COVERAGE_CORE": "ctrace"},
        check=False,
    )


def tests_of(mutant: Mutant) -> list[str]:
    """The tests that execute a line of the change."""
    from coverage import CoverageData

    data = CoverageData(str(RECORD))
    data.read()
    lines = data.contexts_by_lineno(str(ROOT / mutant.file))
    contexts = {c for n in range(mutant.start[0], mutant.end[0] + 1) for c in lines.get(n, ()) if c}
    return sorted({context.rpartition("|")[0] for context in contexts})


def verdict(mutant: Mutant, tree: Path) -> str:
    """What the tests in a copy of the tree say of the change."""
    tests = tests_of(mutant)
    if not tests:
        return "no test runs it"
    chosen = random.Random(0).sample(tests, min(MOST_TESTS, len(tests)))
    file = tree / mutant.file
    source = file.read_bytes()
    file.write_bytes(mutant.changed(source))
    python = [sys.executable, "-m"]
    command = [*python, "pytest", "-q", "-x", "-p", "no:cacheprovider", *chosen]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    if mutant.file.startswith(
        "core/raybench/optics/"
    ):  # it is compiled into kernels again, which does not count
        subprocess.run(
            [*python, "raybench.trace.compilation.compile_kernels"],
            cwd=tree,
            env=environment,
            capture_output=True,
        )
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=True,
            timeout=10 * SECONDS,
            preexec_fn=limit,
        )
    except subprocess.TimeoutExpired:
        return "killed: no end"
    finally:
        file.write_bytes(source)
    match done.returncode:
        case 0:
            return f"survived {len(chosen)} of {len(tests)} tests"
        case 1:
            return "killed"
        case code if code < 0:
            return "killed: no end"
        case _:
            return "killed: tests not found or not collected"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int, help="how many places")
    parser.add_argument("--seed", type=int, default=0, help="of the choice")
    given = parser.parse_args()
    if not RECORD.exists():
        record()
    every = [
        mutant
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
        for mutant in mutants(file)
    ]
    print(f"{given.count} of {len(every)} places, seed {given.seed}")
    with tempfile.TemporaryDirectory(prefix="raybench-mutants-") as folder:
        for name in COPIED:
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(
                ROOT / name, Path(folder, name)
            )
        for mutant in random.Random(given.seed).sample(every, given.count):
            original = " ".join(mutant.original((ROOT / mutant.file).read_bytes()).split())
            what = f"{mutant.file}:{mutant.start[0]}: {original} -> {mutant.text}"
            print(f"{verdict(mutant, Path(folder))}\t{what}", flush=True)


if __name__ == "__main__":
    main()
