"""Study requests as JSON, and the names that complete them."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.measures.bound import bind
from core.study.request import InvalidRequest, StudyRequest
from core.study.terms.completion import measure_names, parameter_names
from core.study.terms.parameter import read_parameter
from tests.core.study.scenes import lens_scene, prism_scene


def test_a_request_is_the_same_after_json() -> None:
    request = StudyRequest("tolerance", vary=("Lens.x±0.1",), limits=("rms(Screen) < 1",), samples=50, seed=3)
    assert StudyRequest.from_json(request.to_json()) == request
    assert "goals" not in request.to_json()


@pytest.mark.parametrize("data", [None, [], {}, {"kind": "guess"}, {"kind": "sweep", "vary": "x"}, {"kind": "sweep", "seed": "1"},
                                  {"kind": "sweep", "vary": [1]}, {"kind": "optimise", "whole_range": 1}])  # fmt: skip
def test_other_json_is_refused(data: Any) -> None:
    with pytest.raises(InvalidRequest):
        StudyRequest.from_json(data)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))
def test_any_json_is_a_request_or_a_specific_error(data: Any) -> None:
    for given_data in (data, {"kind": "sweep", "vary": data}, {"kind": "sweep", "samples": data}):
        with contextlib.suppress(InvalidRequest):
            StudyRequest.from_json(given_data)


def test_the_names_that_complete_a_request_can_be_read() -> None:
    for document in (lens_scene(), prism_scene()):
        for name in parameter_names(document):
            read_parameter(name, document).value_in(document)
        for expression in measure_names(document):
            assert bind(expression, document.scene)
    assert "Lens.focalLength" in parameter_names(lens_scene())
    assert "power(Screen)" in measure_names(lens_scene())
