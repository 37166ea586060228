"""Curves given by formulas, compared with the values of the formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from raybench.formula import FormulaError
from raybench.formula.tree import distinct_nodes
from raybench.kinds.aspects.outlines import signed_area
from raybench.kinds.curved_glasses import CustomGlass, ParamGlass
from raybench.kinds.mirrors import CustomMirror, ParamMirror
from raybench.kinds.outline import object_edges, object_fault
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.shapes import formula_curve
from raybench.shapes.bezier import Chain
from raybench.shapes.formula_curve import CurveError, graph_cubics, parametric_curve
from raybench.shapes.point import Point

SHARES = np.linspace(0, 1, 21)


def along(cubics: np.ndarray) -> np.ndarray:
    """Points on all pieces, (n, 21, 2)."""
    v = 1 - SHARES
    weights = np.stack([v**3, 3 * v * v * SHARES, 3 * v * SHARES**2, SHARES**3], axis=1)
    return np.einsum("ki,nij->nkj", weights, cubics)


@pytest.mark.parametrize(
    ("equation", "truth"),
    [
        ("0", lambda x: 0 * x),
        ("0.5x^3-x", lambda x: 0.5 * x**3 - x),
        ("\\sqrt{1-x^2}", lambda x: np.sqrt(np.maximum(0, 1 - x * x))),
        ("e^{-x^2}\\cdot\\sin\\left(9x\\right)", lambda x: np.exp(-x * x) * np.sin(9 * x)),
        ("\\frac{1}{2+x}", lambda x: 1 / (2 + x)),
    ],
)
def test_a_graph_is_approximated_from_end_to_end(equation: str, truth: object) -> None:
    cubics = graph_cubics(equation)
    np.testing.assert_allclose(cubics[0, 0, 0], -1, atol=1e-15)
    np.testing.assert_allclose(cubics[-1, 3, 0], 1, atol=1e-15)
    np.testing.assert_array_equal(cubics[1:, 0], cubics[:-1, 3])
    points = along(cubics).reshape(-1, 2)
    if "sqrt" in equation:  # steep at its ends: measured across the circle
        np.testing.assert_allclose(np.hypot(points[:, 0], points[:, 1]), 1, atol=1e-10)
    else:
        np.testing.assert_allclose(points[:, 1], truth(points[:, 0]), atol=1e-10)  # type: ignore[operator]


def test_a_graph_ends_where_its_formula_is_undefined() -> None:
    cubics = graph_cubics("\\sqrt{0.25-x^2}")
    assert cubics[0, 0, 0] == pytest.approx(-0.5, abs=1e-14)
    assert cubics[-1, 3, 0] == pytest.approx(0.5, abs=1e-14)
    radius = np.hypot(*along(cubics).reshape(-1, 2).T)
    np.testing.assert_allclose(radius, 0.5, atol=1e-9)


@pytest.mark.parametrize(
    ("equation", "at", "low", "high"),
    [
        ("\\operatorname{sgn}\\left(x\\right)", 0.0, -1.0, 1.0),  # a value of its own at the jump
        ("x/\\left|x\\right|", 0.0, -1.0, 1.0),  # none
        ("\\operatorname{floor}\\left(x+0.3\\right)", -0.3, -1.0, 0.0),
        ("\\arctan\\left(\\frac{1}{x-0.1}\\right)", 0.1, -math.pi / 2, math.pi / 2),
    ],
)
def test_a_jump_is_a_wall(equation: str, at: float, low: float, high: float) -> None:
    cubics = graph_cubics(equation)
    np.testing.assert_allclose(cubics[1:, 0], cubics[:-1, 3], atol=1e-9)
    wall = cubics[
        (np.ptp(cubics[:, :, 1], axis=1) > 0.1) & (np.ptp(cubics[:, :, 0], axis=1) < 1e-8)
    ]
    wall = wall[np.abs(wall[:, 0, 0] - at) < 0.1]  # floor jumps once more
    np.testing.assert_allclose(wall[:, :, 0], at, atol=2e-9)
    np.testing.assert_allclose([wall[:, :, 1].min(), wall[:, :, 1].max()], [low, high], atol=1e-6)


def test_a_staircase_has_a_wall_at_each_step() -> None:
    cubics = graph_cubics("\\operatorname{floor}\\left(2x\\right)")
    np.testing.assert_allclose(cubics[1:, 0], cubics[:-1, 3], atol=1e-9)
    steep = cubics[np.ptp(cubics[:, :, 1], axis=1) > 0.1]
    assert sorted({round(x, 8) for x in steep[:, :, 0].ravel().tolist()}) == [-0.5, 0.0, 0.5, 1.0]


def test_a_range_without_values_and_a_pole_are_gaps() -> None:
    for equation in (
        "\\sqrt{x^2-0.25}",
        "\\operatorname{sgn}\\left(x\\right)\\left|x\\right|^{-0.3333}",
    ):
        cubics = graph_cubics(equation)
        assert (np.abs(cubics[1:, 0] - cubics[:-1, 3]).max(axis=1) > 0.5).sum() == 1


def test_a_parametric_circle_is_round_to_a_billionth() -> None:
    cubics = parametric_curve(
        "50\\cdot\\cos\\left(t\\right)", "50\\cdot\\sin\\left(t\\right)", 0.0, 2 * math.pi
    ).cubics
    np.testing.assert_allclose(np.hypot(*along(cubics).reshape(-1, 2).T), 50, atol=1e-9)
    assert Chain(cubics).length == pytest.approx(100 * math.pi)
    assert abs(Chain(cubics).area) == pytest.approx(2500 * math.pi)


def test_the_midpoint_of_any_number_of_cubics_is_on_the_curve() -> None:
    x = np.linspace(0.0, 90.0, 10)
    cubics = np.stack([np.column_stack([x, 0.01 * (x - 45) ** 2])[i : i + 4] for i in (0, 3, 6)])
    for count in (1, 2, 3):
        chain = Chain(cubics[:count])
        assert chain.midpoint == chain.at(0.5)


@pytest.mark.parametrize("equation", ["x+", "y", "\\foo{x}", "1/x", "\\ln\\left(-2\\right)"])
def test_a_formula_without_a_curve_is_a_named_error(equation: str) -> None:
    with pytest.raises((FormulaError, CurveError)) as caught:
        graph_cubics(equation)
    assert "\n" not in str(caught.value)


@pytest.mark.security
def test_a_sum_of_thousands_of_waves_is_refused_before_it_takes_minutes_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Measured in operations: an operation takes some nanoseconds."""
    operations = 0
    evaluate = formula_curve.evaluate_arrays

    def counted(roots: Any, values: Any) -> Any:
        nonlocal operations
        operations += len(next(iter(values.values()))) * sum(1 for _ in distinct_nodes(*roots))
        return evaluate(roots, values)

    monkeypatch.setattr(formula_curve, "evaluate_arrays", counted)
    monkeypatch.setattr(formula_curve, "LARGEST_WORK", 20_000_000, raising=False)
    equation = "+".join(rf"\sin\left({i}x\right)" for i in range(1, 150))
    with pytest.raises(
        CurveError, match=r"the curve has too many bends for a formula of \d+ operations"
    ):
        graph_cubics(equation)
    assert 0 < operations < 25_000_000
    spent = operations
    mirror = CustomMirror(p1=Point(0, 0), p2=Point(100, 0), eqn=equation)
    for _ in range(2):
        assert "too many bends" in str(object_fault(mirror))
    assert operations == spent
    with pytest.raises(CurveError, match="needs more than"):
        graph_cubics(r"\sin\left(1000000x\right)")
    spent = operations
    with pytest.raises(CurveError, match="needs more than"):
        graph_cubics(r"\sin\left(1000000x\right)")
    assert operations == spent


def test_positive_y_of_a_graph_is_to_the_left_of_its_chord() -> None:
    (edge,) = object_edges(
        CustomMirror(p1=Point(0, 0), p2=Point(100, 0), eqn="0.5\\cdot\\left(1-x^2\\right)")
    )
    assert edge.shape.midpoint == pytest.approx((50, -25))
    (edge,) = object_edges(
        CustomMirror(p1=Point(0, 0), p2=Point(0, 100), eqn="0.5\\cdot\\left(1-x^2\\right)")
    )
    assert edge.shape.midpoint == pytest.approx((25, 50))


def test_a_glass_between_graphs_is_closed_by_straight_sides() -> None:
    lens = CustomGlass(p1=Point(0, 0), p2=Point(20, 0), eqn1="-0.1", eqn2="0.1+0.2x^2")
    edges = object_edges(lens)
    assert [e.index for e in edges] == [0, 2, 1, 3]
    for edge, following in zip(edges, (*edges[1:], edges[0]), strict=True):
        assert math.dist(edge.shape.b, following.shape.a) < 1e-12
    assert abs(signed_area(edges)) == pytest.approx(10 * 10 * (0.2 * 2 + 0.2 * 2 / 3))
    meeting = CustomGlass(p1=Point(0, 0), p2=Point(20, 0), eqn1="0", eqn2="\\sqrt{1-x^2}")
    assert [e.index for e in object_edges(meeting)] == [0, 1]
    assert abs(signed_area(object_edges(meeting))) == pytest.approx(math.pi * 50)


def test_an_object_with_an_invalid_formula_has_no_outline_and_is_reported() -> None:
    broken = [
        CustomMirror(p1=Point(0, 0), p2=Point(9, 0), eqn="x+", name="A"),
        CustomGlass(p1=Point(0, 0), p2=Point(9, 0), eqn2="\\sin", name="B"),
        ParamMirror(pieces=[{"eqnX": "t", "eqnY": "t", "tMin": 2, "tMax": 1}], name="C"),
        ParamGlass(pieces=[{"eqnX": "t"}], name="D"),
    ]
    scene = Scene.of(broken)
    texts = [p.text for p in find_scene_problems(scene)]
    for obj in broken:
        assert object_edges(obj) == ()
        assert object_fault(obj)
        assert any(f"'{obj.name}'" in t for t in texts)
    assert object_fault(CustomMirror(p1=Point(0, 0), p2=Point(9, 0))) == ""
