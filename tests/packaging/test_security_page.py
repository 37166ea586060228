"""SECURITY.md names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(
        r"`(tests/[\w/]+\.py)::(test_\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    )
    assert len(named) > 50
    missing = [f"{path}::{name}" for path, name in named if name not in _tests_in(ROOT / path)]
    assert not missing


def test_every_threat_has_a_test() -> None:
    rows = re.findall(
        r"^\| (.+?) \| (.+) \|$", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.M
    )
    assert len(rows) > 30
    for threat, tests in rows:
        assert threat == "threat" or "::test_" in tests, threat


def _tests_in(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.is_file() else ()
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
