"""Every reader of what others wrote, on inputs that are grown from its grammar: a value or its own
error in few words, soon, small.
"""

from __future__ import annotations

import os
import random
import resource
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from tests import grammars
from tests.core.readers import MOST_MEMORY, READERS, read_or_refused, scene
from tests.grammars import Grammar, grown

from raybench.analysis import agentic_tools as tools
from raybench.formula import (
    FormulaError,
    Scope,
    compile_program,
    derivative,
    execute_statements,
    parse_latex,
    to_latex,
)

__all__ = ["scene"]  # a fixture
COUNT = 4_000 if os.environ.get("RAYBENCH_LONG") else 40


def _latex(text: str) -> None:
    """Everything that is done with a formula: its derivative, its text, its program."""
    formula = parse_latex(text)
    try:
        parse_latex(to_latex(formula))
    except FormulaError as error:
        if "too many brackets" not in str(error) and "make it shorter" not in str(
            error
        ):  # a long quotient is nested fractions
            raise AssertionError(text) from error
    compile_program([derivative(formula, "x")], ("x",))


GRAMMARS: dict[str, tuple[Grammar, Callable[[str], Any]]] = {
    "LaTeX": (grammars.LATEX, _latex),
    "math.js": (
        grammars.MATHJS,
        lambda text: execute_statements(text, Scope({"x": 2.0, "a": 3.0})),
    ),
    "path pattern": (grammars.PATTERN, READERS["path pattern"][0]),
    "find paths": (grammars.PATTERN, READERS["find paths"][0]),
    "measures": (grammars.MEASURE, lambda text: ET.fromstring(tools.measure_xml(text))),
    "parameter": (grammars.PARAMETER, READERS["parameter"][0]),
    "axis": (grammars.AXIS, READERS["axis"][0]),
    "goal": (grammars.GOAL, READERS["goal"][0]),
    "link of parameters": (grammars.LINK, READERS["link of parameters"][0]),
    "deviation": (grammars.DEVIATION, READERS["deviation"][0]),
    "signature": (grammars.SIGNATURE, READERS["signature"][0]),
    "worker": (grammars.WORKER, READERS["worker"][0]),
    "SVG": (grammars.SVG, READERS["SVG"][0]),
    "DXF": (grammars.DXF, READERS["DXF"][0]),
    "SQL": (grammars.SQL, READERS["sql"][0]),
}


@pytest.mark.long
@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.security
def test_a_grown_input_is_read_or_refused_in_few_words_soon_and_small(name: str) -> None:
    grammar, read = GRAMMARS[name]
    chance = random.Random(f"{name} {os.environ.get('RAYBENCH_SEED', '')}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = sum(read_or_refused(read, grown(grammar, chance)) for _ in range(COUNT))
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < MOST_MEMORY
    assert taken > COUNT / 100, "some inputs are right"
