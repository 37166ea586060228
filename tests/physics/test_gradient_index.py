"""Gradient-index media against closed forms (Born & Wolf, section 4.2; Gomez-Reino et al.,
Gradient-Index Optics, chapter 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from raybench.files.scene_json import scene_from_json
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick

NOTHING_REFLECTED = {"partialReflect": False}


def lit(objects: list[dict[str, Any]], **settings: Any) -> TraceResult:
    result = trace(scene_from_json({"version": 5, "objs": objects, **settings}))
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-9)
    return result


def ray(x: float, y: float, angle: float = 0.0, **more: Any) -> dict[str, Any]:
    """A ray of power 1 from (x, y), at an angle (rad) from the right towards down."""
    return {
        "type": "SingleRay",
        "p1": {"x": x, "y": y},
        "p2": {"x": x + math.cos(angle), "y": y + math.sin(angle)},
        **more,
    }


def ball(index: str, radius: float = 100.0, **more: Any) -> dict[str, Any]:
    rim = {"x": radius, "y": 0}
    return {
        "type": "CircleGrinGlass",
        "p1": {"x": 0, "y": 0},
        "p2": rim,
        "refIndexFn": index,
        **NOTHING_REFLECTED,
        **more,
    }


def slab(
    index: str, left: float = 0, right: float = 1000, half: float = 60, **more: Any
) -> dict[str, Any]:
    path = [
        {"x": x, "y": y} for x, y in ((left, -half), (right, -half), (right, half), (left, half))
    ]
    return {"type": "GrinGlass", "path": path, "refIndexFn": index, **NOTHING_REFLECTED, **more}


def curved(result: TraceResult) -> np.ndarray:
    return np.flatnonzero(result.points[:, 1])


def line_of(result: TraceResult, row: int) -> np.ndarray:
    first, count = result.points[row]
    return result.polyline[first : first + count]


def direction(result: TraceResult, row: int) -> np.ndarray:
    d = result.p2[row] - result.p1[row]
    return d / np.hypot(*d)


@pytest.mark.parametrize("size", [1.0, 100.0])
def test_a_luneburg_lens_brings_all_parallel_rays_to_one_point_of_its_rim(size: float) -> None:
    index = rf"\sqrt{{2-\frac{{x^2+y^2}}{{{size}^2}}}}"
    result = lit(
        [*(ray(-2 * size, y * size) for y in np.linspace(-0.97, 0.97, 41)), ball(index, size)]
    )
    rows = curved(result)
    assert len(rows) == 41
    np.testing.assert_allclose(
        result.p2[rows], np.broadcast_to([size, 0], (41, 2)), atol=1e-9 * size
    )


def test_rays_in_maxwells_fish_eye_are_circles_through_the_opposite_point() -> None:
    result = lit(
        [
            *(ray(-100 + 1e-9, 0, a) for a in np.linspace(-1.2, 1.2, 9)),
            ball(r"\frac{2}{1+\frac{x^2+y^2}{100^2}}"),
        ]
    )
    for row, angle in zip(curved(result), np.linspace(-1.2, 1.2, 9), strict=True):
        np.testing.assert_allclose(result.p2[row], [100, 0], atol=1e-6)
        # a circle through (-100, 0) and (100, 0) that starts at the angle has its centre at (0,
        # -100 cot)
        if angle != 0:
            centre, radius = -100 / math.tan(angle), 100 / abs(math.sin(angle))
            points = line_of(result, row)
            np.testing.assert_allclose(
                np.hypot(points[:, 0], points[:, 1] - centre), radius, atol=1e-5
            )


def test_light_from_the_centre_of_a_body_whose_index_is_written_with_the_distance_goes_straight() -> (
    None
):
    for index in (
        r"\frac{2}{1+\left(\frac{\sqrt{x^2+y^2}}{100}\right)^2}",
        r"\sqrt{2-\left(\frac{\sqrt{x^2+y^2}}{100}\right)^2}",
    ):
        result = lit([ray(0, 0, 0.5), ball(index)])
        np.testing.assert_allclose(
            result.p2[0], [100 * math.cos(0.5), 100 * math.sin(0.5)], atol=1e-9
        )
        assert result.status.tolist() == [Status.CONTINUED, Status.ESCAPED]


@pytest.mark.parametrize(
    "element",
    [
        {"type": "CustomSurface", "outRays": [{"eqnTheta": r"\theta_0", "eqnP": "P_0"}]},
        {
            "type": "CustomSurface",
            "outRays": [
                {"eqnTheta": r"\pi-\theta_0", "eqnP": "0.1P_0"},
                {"eqnTheta": r"\theta_0", "eqnP": "P_0"},
            ],
        },
        {"type": "BeamSplitter", "transRatio": 0.5},
        {
            "type": "DiffractionGrating",
            "lineDensity": 1,
            "customBrightness": True,
            "brightnesses": [1],
        },
    ],
)
def test_light_that_an_element_on_the_surface_of_a_body_sends_in_bends_there(
    element: dict[str, Any],
) -> None:
    element = element | {"p1": {"x": 0, "y": -30}, "p2": {"x": 0, "y": 30}}
    bare, behind = (
        lit([ray(-20, 10), slab(r"1.5\cdot\sqrt{1-0.0004y^2}", 0, 100), *more])
        for more in ([], [element])
    )
    (inside,) = curved(behind)
    np.testing.assert_allclose(line_of(behind, inside), line_of(bare, curved(bare)[0]), atol=1e-9)


def test_a_ray_inside_the_fish_eye_closes_its_circle() -> None:
    body = ball(r"\frac{2}{1+\frac{x^2+y^2}{100^2}}", 400)
    cut = {"type": "Blocker", "p1": {"x": 60, "y": 0}, "p2": {"x": 40, "y": 0}}
    result = lit([ray(50, 0, math.pi / 2), body, cut])
    # it starts on the blocker, goes round and comes back to where it began
    np.testing.assert_allclose(result.p2[0], [50, 0], atol=1e-7)
    assert result.hit[0] == 2
    centre = (50 - 200) / 2  # the other vertex of the orbit is 100²/50 on the other side
    np.testing.assert_allclose(np.hypot(*(line_of(result, 0) - [centre, 0]).T), 125, atol=1e-4)
    assert result.length[0] == pytest.approx(2 * math.pi * 125, rel=1e-4)


def test_a_parabolic_rod_bends_rays_to_sinusoids_of_one_period() -> None:
    # n² = n0² (1 - g² y²): y = A sin(g x / cos(angle at the axis)) exactly; meridional rays of the
    # square-law medium
    g, n0 = 0.01, 1.5
    for angle in (0.05, 0.2, 0.4):
        period = 2 * math.pi * math.cos(angle) / g
        wall = {
            "type": "Blocker",
            "p1": {"x": 1.25 * period, "y": -80},
            "p2": {"x": 1.25 * period, "y": 80},
        }
        result = lit([ray(0, 0, angle), slab(rf"{n0}\cdot\sqrt{{1-{g}^2y^2}}", -10, 1e4, 70), wall])
        amplitude = math.sin(angle) / g
        np.testing.assert_allclose(
            result.p2[0], [1.25 * period, amplitude], atol=1e-8 * amplitude + 1e-9
        )
        points = line_of(result, 0)
        np.testing.assert_allclose(
            points[:, 1], amplitude * np.sin(2 * math.pi * points[:, 0] / period), atol=1e-4
        )


def test_the_period_of_a_parabolic_rod_is_exact() -> None:
    g, n0 = 0.01, 1.5
    for angle in (0.05, 0.2, 0.4):
        period = 2 * math.pi * math.cos(angle) / g
        # where the ray crosses the axis for the fourth time, at its steepest, its place tells the
        # period
        axis = {
            "type": "Blocker",
            "p1": {"x": 1.9 * period, "y": 0},
            "p2": {"x": 2.1 * period, "y": 0},
        }
        result = lit([ray(0, 0, angle), slab(rf"{n0}\cdot\sqrt{{1-{g}^2y^2}}", -10, 1e4, 70), axis])
        assert result.hit[0] == 2
        assert result.p2[0][0] / 2 == pytest.approx(period, rel=1e-8)


@pytest.mark.parametrize(
    ("index", "n"),
    [
        (r"1+0.3\cdot e^{-\frac{y}{40}}", lambda y: 1 + 0.3 * math.exp(-y / 40)),
        (r"1.1+0.2\cdot\cos\left(\frac{y}{60}\right)", lambda y: 1.1 + 0.2 * math.cos(y / 60)),
        (r"\frac{1.4}{1+0.002y}", lambda y: 1.4 / (1 + 0.002 * y)),
    ],
)
def test_a_mirage_follows_the_integral_of_its_profile(
    index: str, n: Callable[[float], float]
) -> None:
    """n cos θ stays what it is (Bouguer), so x = 2 ∫ c dy / √(n² - c²) to the turn and back."""
    angle = 0.35
    c = n(0.0) * math.cos(angle)
    turn = brentq(lambda y: n(y) - c, 0.0, 150.0, xtol=1e-13)
    # y = turn (1 - u²) takes the pole of the integrand at the turn away
    half, _ = quad(
        lambda u: 2 * turn * u * c / math.sqrt(n(turn * (1 - u * u)) ** 2 - c * c),
        0.0,
        1.0,
        epsabs=1e-12,
        epsrel=1e-12,
    )
    back = {"type": "Blocker", "p1": {"x": half, "y": 0}, "p2": {"x": 3 * half, "y": 0}}
    result = lit([ray(0, 0, angle), slab(index, -50, 5000, 200), back])
    np.testing.assert_allclose(result.p2[0], [2 * half, 0], rtol=1e-8, atol=1e-7)
    assert line_of(result, 0)[:, 1].max() == pytest.approx(turn, rel=1e-3)


def test_a_mirage_turns_where_snells_law_says_and_comes_back_at_the_same_angle() -> None:
    # n² falls linearly with height below: parabolas, x = 2 n0² sin cos / slope² until it is at y =
    # 0 again
    a, angle = 0.002, 0.3
    result = lit(
        [
            ray(0, 0, angle),
            slab(rf"\sqrt{{1.44-{a}y}}", -50, 5000, 400),
            {"type": "Blocker", "p1": {"x": -10, "y": 0}, "p2": {"x": 4000, "y": 0}},
        ]
    )
    reach = 4 * 1.44 * math.sin(angle) * math.cos(angle) / a
    np.testing.assert_allclose(result.p2[0], [reach, 0], atol=1e-7)


def test_a_body_of_one_index_acts_as_glass_does() -> None:
    path = [{"x": x, "y": y} for x, y in ((0, 0), (60, 0), (30, -50))]
    scenes = [
        lit([ray(-30, -10 - k, 0.1), {"type": kind, "path": path, **own}], colorMode="linear")
        for k in range(3)
        for kind, own in (("Glass", {"refIndex": 1.6}), ("GrinGlass", {"refIndexFn": "1.6"}))
    ]
    for plain, graded in zip(scenes[::2], scenes[1::2], strict=True):
        assert len(plain) == len(graded)
        np.testing.assert_allclose(graded.p2[~graded.escaped], plain.p2[~plain.escaped], atol=1e-9)
        np.testing.assert_allclose(graded.power, plain.power, atol=1e-12)


def test_overlapping_bodies_are_one_body_with_the_product_of_their_indices() -> None:
    first, second = r"1.1+0.1\cos\left(0.1y\right)", r"1.2+0.1\sin\left(0.1x\right)"
    product = rf"\left({first}\right)\left({second}\right)"
    rays = [ray(-20, y, 0.05) for y in (-15.0, 3.0, 12.0)]
    two = lit([*rays, slab(first, 0, 100, 30), slab(second, 0, 100, 30)])
    one = lit([*rays, slab(product, 0, 100, 30)])
    np.testing.assert_allclose(two.p2, one.p2, atol=1e-8)
    np.testing.assert_allclose(two.power, one.power, atol=1e-12)


def test_glass_within_a_medium_refracts_by_its_own_ratio_and_does_not_bend_in_its_volume() -> None:
    alone = lit(
        [
            ray(-20, 5),
            slab("1.3", 0, 100, 30),
            {
                "type": "Glass",
                "refIndex": 1.5,
                "path": [{"x": x, "y": y} for x, y in ((30, -20), (70, -10), (50, 20))],
            },
        ]
    )
    plain = [
        {
            "type": "Glass",
            "refIndex": 1.3,
            "path": [{"x": x, "y": y} for x, y in ((0, -30), (100, -30), (100, 30), (0, 30))],
        }
    ]
    glass = lit(
        [
            ray(-20, 5),
            plain[0] | NOTHING_REFLECTED,
            {
                "type": "Glass",
                "refIndex": 1.5,
                "path": [{"x": x, "y": y} for x, y in ((30, -20), (70, -10), (50, 20))],
            },
        ]
    )
    np.testing.assert_allclose(alone.p2[~alone.escaped], glass.p2[~glass.escaped], atol=1e-9)


def test_absorption_takes_power_along_the_path_and_is_on_the_ledger() -> None:
    result = lit([ray(-20, 0), slab("1.5", 0, 100, absorptionFn=r"0.0002\cdot x")])
    loss = math.exp(-0.0001 * 100**2)
    assert result.power[1].sum() == pytest.approx(1, abs=1e-12)
    assert result.power[2].sum() == pytest.approx(loss, rel=1e-9)
    assert result.ledger.absorbed == pytest.approx(1 - loss, rel=1e-9)
    stopped = lit(
        [
            ray(-20, 0),
            slab("1.5", 0, 100, absorptionFn="0.01"),
            {"type": "Blocker", "p1": {"x": 50, "y": -5}, "p2": {"x": 50, "y": 5}},
        ]
    )
    assert stopped.ledger.absorbed == pytest.approx(1, rel=1e-9)


def test_the_index_may_depend_on_the_wavelength_in_nm() -> None:
    objects = [
        *(ray(-20, 5, 0.4, wavelength=w) for w in (450, 650)),
        slab(r"1.5+\frac{0.02}{\left(0.001\lambda\right)^2}", 0, 100),
    ]
    result = lit(objects, simulateColors=True)
    for row, w in zip(curved(result), (450, 650), strict=True):
        n = 1.5 + 0.02 / (w / 1000) ** 2
        assert direction(result, row)[1] == pytest.approx(math.sin(0.4) / n, abs=1e-10)


@pytest.mark.parametrize(
    "index",
    [
        r"\sqrt{-1}",
        r"\frac{1}{x-50}",
        "0",
        r"\ln\left(x-50\right)",
        r"\frac{1}{\left(x-50\right)^2}",
        r"\left(1-\frac{x}{50}\right)^{-40}",
        "e^{x^3}",
    ],
)
def test_an_index_without_a_value_stops_the_light_there_and_says_so(index: str) -> None:
    result = lit([ray(-20, 3.0), slab(index, 0, 100, name="Rod")])
    assert result.status[-1] == Status.ILL_DEFINED
    assert np.isfinite(result.p2).all()
    (warning,) = result.warnings
    assert (
        f"first at ({result.p2[-1][0]:.6g}, 3) on 'Rod', where its index has no value that light"
        " can have" in warning.text
    )


@pytest.mark.parametrize("index", [r"\frac{-x^3}{10^{308}}", r"x\cdot 10^{200}"])
def test_an_index_whose_square_no_number_holds_is_none(index: str) -> None:
    result = lit([ray(20, 3.0, 0.3), slab(index, 0, 100, name="Rod")])
    assert result.status.tolist() == [Status.ILL_DEFINED]
    assert "'Rod', where its index has no value that light can have" in result.warnings[0].text


def test_a_broken_formula_leaves_a_body_that_light_passes_and_a_warning() -> None:
    result = lit([ray(-20, 0), slab("1+(", name="Rod")])
    assert len(result) == 1
    (warning,) = result.warnings
    assert "'Rod'" in warning.text
    assert "refIndexFn" in warning.text


def test_the_same_rows_for_any_number_of_threads() -> None:
    source = {"type": "PointSource", "x": -150, "y": 10, "brightness": 1}
    scene = scene_from_json(
        {
            "version": 5,
            "objs": [source, ball(r"1+e^{-\frac{x^2+y^2}{50^2}}", partialReflect=True)],
            "rayModeDensity": 25,
        }
    )
    one, two = trace(scene, threads=1), trace(scene, threads=2)
    assert len(one) > 9000
    for name in ("p1", "p2", "power", "hit", "parent", "points", "polyline"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
