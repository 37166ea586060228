"""The table of closed forms that `raybench verify` computes."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from raybench.files.shared import read_shared
from raybench.verify.cases import (
    CASES,
    SCENES,
    Case,
    IncompleteCase,
    NoSuchCase,
    cases_of_scenes,
    compute_case_outcomes,
    save_scenes,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.scene}: {case.measure}")
def test_every_closed_form_holds(case: Case) -> None:
    (outcome,) = compute_case_outcomes([case])
    assert outcome.is_within_tolerance, (
        f"{outcome.computed} instead of {case.exact}: {outcome.reason}"
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_value_beyond_the_tolerance_does_not_hold(sign: int) -> None:
    (snell,) = cases_of_scenes(["snell"])
    (outcome,) = compute_case_outcomes(
        [replace(snell, exact=snell.exact + sign * 2 * snell.tolerance)]
    )
    assert not outcome.is_within_tolerance
    assert outcome.error == pytest.approx(-sign * 2 * snell.tolerance, rel=1e-3)


def test_an_undefined_measure_does_not_hold_and_has_a_reason() -> None:
    (snell,) = cases_of_scenes(["snell"])
    (outcome,) = compute_case_outcomes([replace(snell, measure="direction(Block)")])
    assert math.isnan(outcome.computed)
    assert not outcome.is_within_tolerance
    assert "No light leaves" in outcome.reason


def test_directions_are_compared_as_angles() -> None:
    (turned,) = cases_of_scenes(["retroreflector"])
    (outcome,) = compute_case_outcomes([replace(turned, exact=turned.exact + 360)])
    assert outcome.is_within_tolerance


def test_a_case_without_a_part_or_a_scene_is_an_error() -> None:
    for wrong in ({"source": ""}, {"scene": "none"}, {"exact": math.nan}, {"tolerance": 0.0}):
        with pytest.raises(IncompleteCase):
            replace(CASES[0], **wrong)


def test_every_scene_belongs_to_a_case() -> None:
    assert {path.name for path in SCENES.iterdir()} == {f"{case.scene}.json" for case in CASES}


def test_the_readme_counts_the_cases() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert f"{len(CASES)} closed forms" in readme


def test_an_unknown_case_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(NoSuchCase, match=r"no case 'snel'.*snell"):
        cases_of_scenes(["snel"])


def test_saved_scenes_are_those_that_were_computed(tmp_path: Path) -> None:
    assert save_scenes(tmp_path, cases_of_scenes(["ball-lens", "brewster"])) == 2
    (outcome,) = compute_case_outcomes(cases_of_scenes(["ball-lens"]))
    assert len(read_shared(tmp_path / "ball-lens.json").document.scene.objects) == 3
    assert outcome.segments == 48
