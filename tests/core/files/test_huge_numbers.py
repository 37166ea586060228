"""Whole numbers that no float holds, and long texts in their place, wherever a document has a
number: refused in a short line.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from raybench.errors import RaybenchError
from raybench.files.document_file import document_from_json
from raybench.files.scene_json import parse_json

HUGE = 10**400
RAY = {"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 0}}
GLASS = {
    "name": "G", "family": "glass", "source": "book", "formula": "cauchy", "coefficients": [1.5], "range": [0.3, 2], "extinction": [],
    "refIndex": 1.5, "cauchyB": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    "annotation",
    [
        {"background": {"file": "a.png", "x": HUGE}},
        {"views": {"V": {"x": HUGE, "y": 0, "width": 9, "height": 9}}},
        {"measurements": {"M": {"kind": "incidence", "pins": [{"x": HUGE, "y": 0}]}}},
        {"materials": {"0": GLASS | {"refIndex": HUGE}}},
        {"materials": {"0": GLASS | {"coefficients": [HUGE]}}},
        {"materials": {"0": GLASS | {"cauchyB": "a" * 9_000}}},
        {"edgeLabels": {"0": {"a" * 9_000: "front"}}},
        {"views": {"a" * 9_000: {"x": "b" * 9_000}}},
        {"disabled": [HUGE]},
        {"raybench": HUGE},
        {"scene": {"version": HUGE, "objs": []}},
        {"scene": {"version": 5, "objs": [], "rayModeDensity": HUGE}},
    ],
    ids=lambda annotation: json.dumps(annotation)[:60],
)
@pytest.mark.security
def test_what_is_no_number_is_refused_in_a_short_line(annotation: dict[str, Any]) -> None:
    document = {"raybench": 1, "scene": {"version": 5, "objs": [RAY]}, **annotation}
    with pytest.raises(RaybenchError) as caught:
        parse_json(json.dumps(document), document_from_json)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 1_000
