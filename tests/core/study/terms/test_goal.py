"""Goals: their grammar, and the merit they make."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import lens_scene

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.study.terms.goal import INFEASIBLE, Goal, InvalidGoal, merit, read_goals, read_limits


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("least rms(Screen)", Goal("rms(Screen)", "least")),
        ("minimize rms(Screen) weight 2", Goal("rms(Screen)", "least", weight=2)),
        ("most power(Screen)", Goal("power(Screen)", "most")),
        ("centroid(Screen) = -3", Goal("centroid(Screen)", "=", -3)),
        ("width(Screen)<3", Goal("width(Screen)", "<", 3)),
        ("width(Screen) ≤ 3 µm", Goal("width(Screen)", "<", 0.003)),
        ("power(Screen, Lamp) >= 0.5", Goal("power(Screen, Lamp)", ">", 0.5)),
        ("direction(Lens) = 0.1 rad weight 4", Goal("direction(Lens)", "=", math.degrees(0.1), 4)),
        ("power(Screen) / power(Lens) > 0.5", Goal("power(Screen) / power(Lens)", ">", 0.5)),
        ("rms(Screen) - width(Screen) = -1 mm", Goal("rms(Screen) - width(Screen)", "=", -1)),
        (
            'path_power("Lamp > * > Screen") > 0.5',
            Goal('path_power("Lamp > * > Screen")', ">", 0.5),
        ),
    ],
)
def test_goals_are_read(text: str, goal: Goal) -> None:
    found = read_goals([text], lens_scene())[0]
    assert (found.wanted, found.weight) == (goal.wanted, goal.weight)
    assert found.value == pytest.approx(goal.value)
    assert read_goals([str(found)], lens_scene())[0].value == pytest.approx(found.value)


@pytest.mark.parametrize(
    ("text", "size"),
    [("least deviation(Lens)", True), ("maximise magnification(Lens)", True), ("least direction(Lens)", False),
     ("most -deviation(Lens)", False), ("deviation(Lens) = 3", False), ("|deviation(Lens)| = 3", True), ("least |direction(Lens)|", True)],
)  # fmt: skip
def test_the_least_of_what_has_a_sense_is_that_of_its_size(text: str, size: bool) -> None:
    (goal,) = read_goals([text], lens_scene())
    assert goal.size == size
    assert read_goals([str(goal)], lens_scene()) == (goal,)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rms(Screen)", "is not a goal"), ("least", "is not a goal"), ("rms(Screen) = ", "must be a number"),
        ("rms(Screen) = x", "must be a number"),
        ("rms(Screen) = 3 s", "is in 's'"), ("least rms(Screen) weight 0", "A weight is a number above 0"),
        ("rms(Screen) = 3..2", "which is not above 3"), ("rms(Screen) = 3±0", "not above"),
        ("rms(Screen) = 3 ± 1 % weight 2", "takes no weight"),
        ("rms(Screen) < 3 weight 2", "takes no weight"), ("rms(Screen) = 1e999", "too large"),
        ("0.1<rms(Screen) < 0.2", "begins with a number. Write the measure first, and a range as in 'focus"),
        ("1e-1 mm ≤ rms(Screen)", "begins with"),
        ("rms(Screen) = 1e200", r"a number of at most 1e\+50, not 1e\+200"), ("rms(Screen) < -1e300", "at most"),
        ("rms(Screen) = 1 weight 1e300", r"at most 1e\+50"),
    ],
)  # fmt: skip
def test_what_is_no_goal_is_told_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InvalidGoal, match=says) as raised:
        read_goals([text], lens_scene())[0]
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("= 99..101", 99, 101),
        ("= 100 ± 1 %", 99, 101),
        ("= -100±1%", -101, -99),
        ("= 10 cm +- 1 mm", 99, 101),
        ("=100+/-1", 99, 101),
    ],
)
def test_a_range_is_two_constraints(text: str, low: float, high: float) -> None:
    assert read_limits([f"focus(Lens) {text}"], lens_scene()) == (
        Goal("focus(Lens)", ">", low),
        Goal("focus(Lens)", "<", high),
    )


def test_a_limit_has_to_hold() -> None:
    assert read_limits(["rms(Screen) < 0.2"], lens_scene())[0].is_constraint
    for text in ("rms(Screen) = 0.2", "least rms(Screen)", "rms(Screen)"):
        with pytest.raises(
            InvalidGoal, match=r"is not a limit\. Write such as 'rms\(Screen\) < 0\.2'"
        ):
            read_limits([text], lens_scene())


def test_an_infeasible_point_is_worse_than_any_feasible_one_and_an_undefined_one_worst() -> None:
    goals = [Goal("a", "least"), Goal("b", "<", 1)]
    feasible, near, far = (
        merit(goals, [Measured(a, "", "a"), Measured(b, "", "b")])
        for a, b in ((1e9, 1), (0, 1.5), (-1e9, 3))
    )
    assert (
        feasible
        < INFEASIBLE
        < near
        < far
        < merit(goals, [Measured(math.nan, "", "a", "no light"), Measured(0, "", "b")])
    )


def test_the_merit_of_a_measure_beyond_any_square_is_infinite() -> None:
    assert merit([Goal("a", "=", 1.0)], [Measured(-1e200, "", "a")]) == math.inf


@given(st.text(max_size=40))
def test_any_text_is_a_goal_or_a_specific_error(text: str) -> None:
    for written in (text, f"least {text}", f"rms(Screen) = {text}", f"rms(Screen) {text}"):
        with contextlib.suppress(RaybenchError):
            read_goals([written], lens_scene())[0]
