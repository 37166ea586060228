"""Whatever objects are called and people ask: what is exported stays data for the program that
opens it.
"""

from __future__ import annotations

import ast
import csv
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import Exchange, Transcript, transcript_script
from raybench.files.csv_text import without_spreadsheet_formula
from raybench.files.rays_export import export_rays
from raybench.kinds.blockers import Blocker
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.study.table import SUFFIXES, Table, save_table
from raybench.trace.trace import trace

EXAMPLES = 1_000 if os.environ.get("RAYBENCH_LONG") else 60
HOSTILE = (
    *(
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "=1\n=2",
        '"=1"',
        "a,=1",
        ";=1",
    ),
    *(
        '"""\nimport os\n"""',
        "'''",
        "\\",
        "\\'''",
        "{0}",
        "%s",
        "# coding: utf-7",
        "\x00",
        "\ud800",
        "\u2028x",
        "a\rimport os",
        "\x0cimport os",
    ),
    *("<script>alert(1)</script>", "]]>", "<!--", "&lol;", "&#0;", "\ufffe", "x" * 3_000),
)
NAMES = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=30),
    st.builds("{}{}".format, st.sampled_from(HOSTILE), st.text(max_size=9)),
)
thoroughly = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.long
@thoroughly
@given(NAMES, NAMES)
@pytest.mark.security
def test_names_in_exported_rays(lamp: str, wall: str) -> None:
    ray, blocker = (
        SingleRay(p1=Point(0, 0), p2=Point(9, 0), name=lamp),
        Blocker(p1=Point(50, -9), p2=Point(50, 9), name=wall),
    )
    document = Document(scene=Scene.of([ray, blocker]))
    result = trace(document.scene)
    with TemporaryDirectory() as folder:
        for suffix in (".csv", ".xml", ".npz"):
            export_rays(Path(folder, f"rays{suffix}"), document, result, None)
        with Path(folder, "rays.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) == 1 + len(result)
        for row in rows:
            assert len(row) == len(rows[0])
            assert not any(is_formula(cell) for cell in row)
        assert len(ElementTree.parse(Path(folder, "rays.xml")).findall(".//ray")) == len(result)


@pytest.mark.long
@thoroughly
@given(
    st.lists(NAMES, min_size=1, max_size=3),
    st.lists(st.lists(st.floats(), min_size=3, max_size=3), max_size=3),
    NAMES,
)
@pytest.mark.security
def test_names_in_the_headings_of_a_study(
    names: list[str], values: list[list[float]], note: str
) -> None:
    """And any numbers, which all three forms of a table give back."""
    numbers = np.array(values, np.float64).reshape(-1, 3)[:, : len(names)]
    table = Table(tuple(names), ("mm", "", "°")[: len(names)], numbers, 1, note=note)
    with TemporaryDirectory() as folder:
        for suffix in SUFFIXES:
            save_table(table, Path(folder, f"study{suffix}"))
        with Path(folder, "study.csv").open(encoding="utf-8", newline="") as file:
            headings, *rows = csv.reader(file)
        written = json.loads(
            Path(folder, "study.json").read_text(encoding="utf-8"), parse_constant=no_json
        )
        with np.load(Path(folder, "study.npz"), allow_pickle=False) as file:
            kept, about = file["rows"], json.loads(str(file["meta"]))
    assert len(headings) == len(names)
    assert not any(is_formula(cell) for cell in headings)
    assert np.array_equal(
        [[float(cell or "nan") for cell in row] for row in rows], numbers.tolist(), equal_nan=True
    )
    assert np.array_equal(
        np.array(written["rows"], np.float64).reshape(numbers.shape), numbers, equal_nan=True
    )
    assert np.array_equal(kept, numbers, equal_nan=True)
    assert len(written["columns"]) == len(about["columns"]) == len(names)


@pytest.mark.long
@thoroughly
@given(NAMES, NAMES, NAMES)
@example('""" + exit() + """', "Slit", "None.")
@example('"', "Slit", "None.")
@example("Is it in C:\\new\\u, or \\N{here}? \\", "Slit", "None.")
@pytest.mark.security
def test_names_and_questions_in_a_script(question: str, name: str, sentence: str) -> None:
    """The script has the statements of its calls and no others; what came from outside is in
    comments and constants.
    """
    document = Document(scene=Scene.of([Blocker(p1=Point(50, -9), p2=Point(50, 9), name=name)]))
    outcome = ToolOutcome("find_rays", {"glass_name": name}, {}, True, None, 1.0, sentence, "", "")
    exchange = Exchange(
        question,
        TurnFinished("Yes.", (outcome,)),
        (outcome,),
        document,
        document,
    )
    transcript = Transcript((exchange,))
    body = ast.parse(
        transcript_script(transcript.exchanges, transcript.title, document).encode("utf-8")
    ).body
    assert [type(statement) for statement in body] == [
        ast.Expr,
        ast.ImportFrom,
        ast.Assign,
        ast.Assign,
        ast.Expr,
        ast.Expr,
    ]
    assert isinstance(body[0], ast.Expr)
    assert isinstance(body[0].value, ast.Constant)
    assert isinstance(body[3], ast.Assign)
    assert json.loads(ast.literal_eval(body[3].value))
    called = [
        node.func
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    ]
    assert sorted(ast.unparse(function) for function in called) == [
        "Replay",
        "print",
        "replay.call",
        "replay.turn",
    ]


def no_json(constant: str) -> float:
    raise AssertionError(f"{constant} is no JSON")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet may calculate a cell: it begins as formulas do, and is no number."""
    try:
        float(cell)
    except ValueError:
        return cell.strip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    return False


def test_what_a_spreadsheet_would_calculate_is_marked_as_text_and_numbers_are_not() -> None:
    assert [without_spreadsheet_formula(t) for t in ("=1+1", "-1+A1", "@x", "-1.5e-3", "+7", "Lens = 1", "")] == [
        "'=1+1", "'-1+A1", "'@x", "-1.5e-3", "+7", "Lens = 1", "",
    ]  # fmt: skip
