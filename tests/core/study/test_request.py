"""Study requests as JSON, and the names that complete them."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import lens_scene, prism_scene

from raybench.analysis.measures.bound import bind_measures
from raybench.scene.parameters.numbers import parameter_names
from raybench.scene.parameters.parameter import read_parameter
from raybench.study.request import InvalidRequest, StudyRequest, convert_request
from raybench.study.terms.parameter import measure_names, relative_value_notes


def test_a_request_is_the_same_after_json() -> None:
    request = StudyRequest(
        "tolerance", vary=("Lens.x±0.1",), limits=("rms(Screen) < 1",), samples=50, seed=3
    )
    assert StudyRequest.from_json(request.to_json()) == request
    assert "goals" not in request.to_json()


@pytest.mark.parametrize("data", [None, [], {}, {"kind": "guess"}, {"kind": "sweep", "vary": "x"}, {"kind": "sweep", "seed": "1"},
                                  {"kind": "sweep", "vary": [1]}, {"kind": "optimise", "whole_range": 1},
                                  {"kind": "tolerance", "samples": 1},
                                  {"kind": "tolerance", "seed": -1}, {"kind": "tolerance", "seed": 2**31},
                                  {"kind": "sweep", "measures": ["power(Screen)"] * 201}])  # fmt: skip
def test_other_json_is_refused(data: Any) -> None:
    with pytest.raises(InvalidRequest):
        StudyRequest.from_json(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
    )
)
def test_any_json_is_a_request_or_a_specific_error(data: Any) -> None:
    for given_data in (data, {"kind": "sweep", "vary": data}, {"kind": "sweep", "samples": data}):
        with contextlib.suppress(InvalidRequest):
            StudyRequest.from_json(given_data)


def test_the_names_that_complete_a_request_can_be_read() -> None:
    for document in (lens_scene(), prism_scene()):
        for name in parameter_names(document):
            read_parameter(name, document).value_in_document(document)
        for expression in measure_names(document):
            assert bind_measures(expression, document)
    assert "Lens.focalLength" in parameter_names(lens_scene())
    assert "power(Screen)" in measure_names(lens_scene())


def test_a_request_becomes_one_of_another_kind() -> None:
    document = lens_scene()
    sweep = StudyRequest(
        "sweep", vary=("Lens.x=0..1cm:5", "Lens.focalLength=90,110,100"), measures=("rms(Screen)",)
    )
    optimum = convert_request(sweep, "optimise", document)
    assert optimum.vary == ("Lens.x=0..10", "Lens.focalLength=90..110")
    assert optimum.measures == sweep.measures
    tolerance = convert_request(
        dataclasses.replace(optimum, goals=("least rms(Screen)",)), "tolerance", document
    )
    assert tolerance.vary == ("Lens.x±0.5", "Lens.focalLength±1")
    assert tolerance.goals == ()
    assert convert_request(tolerance, "sweep", document).vary == (
        "Lens.x=-5..5:41",
        "Lens.focalLength=90..110:41",
    )


def test_a_narrow_range_far_from_zero_is_the_same_for_another_kind() -> None:
    document = lens_scene()
    sweep = StudyRequest(
        "sweep", vary=("Lens.p1.x=100000.25..100000.75:11",), measures=("rms(Screen)",)
    )
    assert convert_request(sweep, "optimise", document).vary == ("Lens.p1.x=100000.25..100000.75",)
    third = StudyRequest("sweep", vary=("Lens.x=0.1..0.3:3",), measures=("rms(Screen)",))
    assert convert_request(third, "optimise", document).vary == ("Lens.x=0.1..0.3",)


def test_a_request_of_another_kind_measures_what_its_goals_were_about() -> None:
    optimum = StudyRequest(
        "optimise", vary=("Lens.x=-5..5",), goals=("least rms(Screen)", "power(Screen) > 0.1")
    )
    assert convert_request(optimum, "sweep", lens_scene()).measures == (
        "rms(Screen)",
        "power(Screen)",
    )


def test_a_text_that_cannot_be_read_stays_in_a_request_of_another_kind() -> None:
    sweep = StudyRequest("sweep", vary=("Nothing.x=1..2", "half a word"))
    assert convert_request(sweep, "optimise", lens_scene()).vary == sweep.vary
    assert (
        convert_request(StudyRequest("optimise", goals=("what?",)), "sweep", lens_scene()).measures
        == ()
    )


def test_motions_are_said_to_be_motions() -> None:
    document = lens_scene()
    parameters = [
        read_parameter(text, document) for text in ("Lens.x", "Lens.focalLength", "Lens.angle")
    ]
    assert relative_value_notes(parameters) == [
        "Lens.x is how far it is moved, Lens.angle is how far it is turned from where it stands."
    ]
    assert relative_value_notes(parameters[1:2]) == []
