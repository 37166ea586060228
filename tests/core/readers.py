"""Every reader of what others wrote, with inputs that it reads, and the bounds that hold for any
input.
"""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from raybench.agent.models.text_protocol import parse_call
from raybench.agent.workers.worker_file import parse_worker
from raybench.analysis import agentic_tools as tools
from raybench.analysis.measures.grammar import read_measures
from raybench.analysis.paths.path_pattern import read_pattern
from raybench.errors import RaybenchError
from raybench.files.document_file import document_from_json, load_document
from raybench.files.drawings.dxf import read_dxf
from raybench.files.drawings.svg import read_svg
from raybench.files.shared import link_from_scene, read_pasted_text, scene_json_from_link
from raybench.formula.latex import parse_latex
from raybench.formula.mathjs import parse_statements
from raybench.scene.changes.transaction import apply_changes
from raybench.scene.changes.written import changes_from_json
from raybench.scene.parameters.link import read_link
from raybench.scene.parameters.parameter import read_parameter
from raybench.schema.signature import parse_signature
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_deviation, read_sweep_axis
from raybench.trace.trace import trace

SLOWEST = 3.0
"""Seconds of the processor that one input may take."""
MOST_MEMORY = 600e6
MOST_WORDS = 3_000
EXAMPLE = Path(__file__).parents[2] / "resources" / "raybench_resources" / "scenes" / "prism.json"
DOCUMENT = load_document(EXAMPLE)
SCENE_TEXT = EXAMPLE.read_text()
WORKER = """---
description: Judges a table of the light in each glass.
tools: find_rays_*
effects: read
signature: "(question :string, table [{glass :string, power :float}]) -> {verdict :string}"
attachments: {max_count: 2, suffixes: [.csv]}
---
Answer the question from the table.
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="80mm" viewBox="0 0 80 60"><defs><g id="a"><circle r="4"/></g></defs>
<style>.b{fill:none}</style><path class="b" d="M0 0 A 30 30 0 0 1 0 40 C 1 2 3 4 5 6 Q 9 9 0 0 z"/><use href="#a" x="3"/>
<rect width="9" height="3" transform="rotate(30) scale(2)"/><polygon points="0,0 9,0 9,9"/></svg>"""
DXF = """0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC 0 SECTION 2 ENTITIES 0 CIRCLE 8 0 10 1.0 20 2.0 40 3.0
0 ARC 8 0 10 1.0 20 2.0 40 3.0 50 0.0 51 90.0 0 LINE 8 0 10 0.0 20 0.0 11 9.0 21 0.0 0 ENDSEC 0 EOF""".replace(
    " ", "\n"
)
READERS: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "link": (scene_json_from_link, (link_from_scene(DOCUMENT.scene),)),
    "pasted": (
        read_pasted_text,
        (
            f"See:\n```json\n{SCENE_TEXT}\n```",
            '{"type": "Mirror", "p1": {"x": 1, "y": 2}, /* a */ "p2": {"x": 3, "y": 4},}',
        ),
    ),
    "document": (
        lambda text: document_from_json(_json(text)),
        (SCENE_TEXT, '{"raybench": 1, "unit": "cm", "scene": ' + SCENE_TEXT + "}"),
    ),
    "changes": (
        lambda text: apply_changes(changes_from_json(_json(text), DOCUMENT), DOCUMENT),
        (
            (
                '[{"move": "Main Prism", "dx": 3, "dy": "4 mm"}, {"set": "Main Prism", "refIndex":'
                ' 1.5}, {"delete": "Screen"}]'
            ),
            '[{"duplicate": "Main Prism", "as": "B"}, {"rotate": "B", "by": "5 deg"}]',
            '[{"add": {"type": "Blocker", "p1": {"x": 0, "y": 1}, "p2": {"x": 3, "y": 4}}}]',
        ),
    ),
    "sql": (
        lambda text: ET.fromstring(tools.query_rays_xml(text)),
        (
            (
                "SELECT object, count(*) AS n, sum(power) FROM rays WHERE depth > 1 GROUP BY object"
                " ORDER BY n DESC LIMIT 5"
            ),
            (
                "WITH RECURSIVE up(id) AS (SELECT 3 UNION SELECT parent FROM rays JOIN up USING"
                " (id)) SELECT * FROM up"
            ),
            (
                "SELECT r.id FROM rays r JOIN crossings c ON c.row = r.row WHERE c.angle BETWEEN 1"
                " AND 2e1 AND r.object LIKE 'Main%'"
            ),
        ),
    ),
    "path pattern": (
        read_pattern,
        (
            "Laser > Prism:N > Prism:E (tir) > * > Screen",
            "'a > b':1 (diffract -1) > Iris (through) > ?",
        ),
    ),
    "find paths": (
        lambda text: tools.find_paths_xml(text),
        ("Lamp > * > Main Prism > Screen", "* > Main Prism (tir) > *"),
    ),
    "LaTeX": (
        parse_latex,
        (
            r"\frac{1}{\sqrt{x^2+1}} + \sin\left(2\pi x\right) - |t|",
            r"\max(x, \ln t) \cdot e^{-x^{2}} - \operatorname{sign}(\theta_0)",
        ),
    ),
    "math.js": (
        parse_statements,
        (
            "a = 2; f(x) = a * x^2 + max(x, 3) ? 1 : 0; f(2)",
            "sin(2 pi t) - log(x, 10) >= 3 and not (y == 2)",
        ),
    ),
    "measure": (
        read_measures,
        (
            "power(Screen) / power(Lamp); rms('Main Prism:N')",
            "deviation(Main Prism, Lamp) + 3 * power(Screen)",
        ),
    ),
    "parameter": (
        lambda text: read_parameter(text, DOCUMENT),
        ("Main Prism.angle", "'Main Prism'.path[2].x", "Screen.p1.x"),
    ),
    "axis": (
        lambda text: read_sweep_axis(text, DOCUMENT),
        ("Main Prism.angle=-20..20:81", "Screen.x=1,2,3e1,-4"),
    ),
    "goal": (
        lambda text: read_goals([text], DOCUMENT),
        ("least rms(Screen)", "2 * power(Screen) = 0.5 ± 0.1", "least |rms(Screen)|"),
    ),
    "link of parameters": (
        lambda text: read_link(text, DOCUMENT),
        ("Screen.x = 2 * Main Prism.angle + 3",),
    ),
    "deviation": (
        lambda text: read_deviation(text, DOCUMENT),
        ("Main Prism.x±0.1", "Screen.angle ± 2 deg normal"),
    ),
    "signature": (
        parse_signature,
        (
            "(a :string, b [{c :float, d :int?}]) -> {e :boolean}",
            "(a [:string?], b :datetime) -> [{id :int}]",
        ),
    ),
    "worker": (lambda text: parse_worker(text, "judge", "judge.worker"), (WORKER,)),
    "written call": (
        parse_call,
        (
            (
                'Let me see.\n```json\n{"tool": "measure", "args": {"expression":'
                ' "power(Screen)"}}\n```'
            ),
        ),
    ),
    "SVG": (lambda text: read_svg(text.encode("utf-8", "replace")), (SVG,)),
    "DXF": (lambda text: read_dxf(text.encode("utf-8", "replace")), (DXF,)),
}


def _json(text: str) -> Any:
    """JSON as a program has it after its own reader; what that refuses is not for ours."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RaybenchError("not JSON") from None


@pytest.fixture(autouse=True)
def scene() -> Iterator[None]:
    tools.set_context_from_result(DOCUMENT.scene, trace(DOCUMENT.scene))
    yield
    tools.clear_context()


def read_or_refused(read: Callable[[str], Any], text: str) -> bool:
    """Whether an input is read; else it is refused in few words. Either takes no time."""
    begun, words = time.thread_time(), ""
    try:
        read(text)
    except RaybenchError as error:
        words = str(error) or "without a word"
    assert len(words) < MOST_WORDS, text
    assert words != "without a word", text
    assert time.thread_time() - begun < SLOWEST, text
    return not words
