"""Every formula of the recorded scenes is parsed and has values."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from formula_programs import run_program

from raybench.formula import (
    Scope,
    compile_program,
    derivative,
    evaluate_formula,
    execute_statements,
    inline_names_and_calls,
    parse_latex,
    split_range,
    to_latex,
)  # fmt: skip
from raybench.formula.tree import distinct_nodes

ORACLE = Path(__file__).parents[4] / "shared" / "oracle" / "scenes"
pytestmark = pytest.mark.skipif(
    not ORACLE.is_dir(), reason="the recorded scenes in ../shared/oracle are not here"
)
EQUATIONS = (
    "eqn",
    "eqn1",
    "eqn2",
    "eqnX",
    "eqnY",
    "eqnTheta",
    "eqnP",
    "refIndexFn",
    "absorptionFn",
)
SAMPLES = (0.37, -0.21, 0.9, 3.0, 470.0)


def scenes() -> Iterator[dict[str, Any]]:
    for path in sorted(ORACLE.rglob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """All strings in a value of JSON, with their keys."""
    if isinstance(value, str):
        yield key, value
    for k, v in value.items() if isinstance(value, dict) else []:
        yield from strings(v, k)
    for v in value if isinstance(value, list) else []:
        yield from strings(v, key)


def is_finite_somewhere(tree: Any) -> bool:
    names = sorted({node.name for node in distinct_nodes(tree) if node.op == "variable"})
    program = compile_program([tree, *(derivative(tree, n) for n in names)], names)
    return any(
        all(map(math.isfinite, run_program(program, dict.fromkeys(names, s)))) for s in SAMPLES
    )


def test_equations_are_read_differentiated_and_finite_somewhere() -> None:
    found = {
        text
        for scene in scenes()
        for key, text in strings(scene)
        if key in EQUATIONS and "`" not in text
    }
    assert len(found) > 40
    for text in found:
        tree = parse_latex(text)
        assert is_finite_somewhere(tree), text
        assert parse_latex(to_latex(tree)) == tree


def test_modules_run_and_their_templates_have_values() -> None:
    count = 0
    for scene in scenes():
        for definition in scene.get("modules", {}).values():
            scope = Scope(random=lambda: 0.5)
            for i in range(1, definition.get("numPoints", 0) + 1):
                scope = scope.with_more_values({f"x_{i}": 40.0 * i, f"y_{i}": 25.0 * i * i})
            for text in definition.get("params", []):
                name, parts = split_range(text)
                scope = scope.with_more_values(
                    {name: evaluate_formula(parts[-1] if len(parts) == 4 else parts[0], scope)}
                )
            scope = execute_statements("\n".join(definition.get("vars", [])), scope)
            loops = [text for key, text in strings(definition.get("objs", [])) if key == "for"]
            for text in loops:
                name, parts = split_range(text)
                assert all(math.isfinite(evaluate_formula(p, scope)) for p in parts)
                scope = scope.with_more_values({name: evaluate_formula(parts[0], scope)})
            for _, text in strings(definition.get("objs", [])):
                if text.startswith("``"):
                    tree = inline_names_and_calls(text.strip("`"), scope)
                    assert is_finite_somewhere(tree), text
                    assert parse_latex(to_latex(tree)) == tree
                    count += 1
                elif text.startswith("`"):
                    assert math.isfinite(evaluate_formula(text.strip("`"), scope)), text
                    count += 1
    assert count > 60
