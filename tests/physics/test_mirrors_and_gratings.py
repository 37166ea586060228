"""Mirrors and gratings against the textbook."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.kinds.glasses import Glass, PlaneGlass
from raybench.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, IdealMirror, Mirror, ParabolicMirror
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import NO_ORDER, Interaction
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick


def crossing(p: np.ndarray, q: np.ndarray, x: float) -> float:
    """Where the line through p and q has this x."""
    return float(p[1] + (q[1] - p[1]) / (q[0] - p[0]) * (x - p[0]))


@pytest.mark.parametrize("height", [-30.0, -3.0, 5.0, 29.0])
def test_a_parabola_sends_light_along_its_axis_to_its_focus(height: float) -> None:
    f, half = 25.0, 40.0
    rim = half**2 / (4 * f)
    mirror = ParabolicMirror(p1=Point(-rim, -half), p2=Point(-rim, half), p3=Point(0, 0))
    result = trace(Scene.of([SingleRay(p1=Point(-100, height), p2=Point(-99, height)), mirror]))
    assert result.hit[0] == 1
    assert crossing(result.p1[1], result.p2[1], -f) == pytest.approx(0, abs=1e-9)


def test_light_from_the_centre_of_an_arc_comes_back_to_it() -> None:
    mirror = ArcMirror(p1=Point(30, -40), p2=Point(30, 40), p3=Point(50, 0))
    for angle in np.radians([-45, -10, 0, 33]):
        result = trace(
            Scene.of(
                [SingleRay(p1=Point(0, 0), p2=Point(math.cos(angle), math.sin(angle))), mirror]
            )
        )
        assert np.hypot(*result.p2[0]) == pytest.approx(50)
        d = result.p2[1] - result.p1[1]
        np.testing.assert_allclose(
            d / np.hypot(*d), [-math.cos(angle), -math.sin(angle)], atol=1e-12
        )


def test_between_concentric_mirrors_light_keeps_its_distance_from_their_centre() -> None:
    """Each reflection keeps the impact parameter; between whole circles the place of reflection
    goes round by equal angles.
    """
    outer, inner, impact = 50.0, 20.0, 7.0
    mirrors = []
    for r in (outer, inner):
        for side in (1, -1):
            mirrors.append(ArcMirror(p1=Point(0, -r), p2=Point(0, r), p3=Point(side * r, 0)))
    ray = SingleRay(p1=Point(30, impact), p2=Point(31, impact))
    result = trace(Scene.of([ray, *mirrors]), max_segments=400)
    d = result.p2 - result.p1
    distance = (result.p1[:, 0] * d[:, 1] - result.p1[:, 1] * d[:, 0]) / np.hypot(*d.T)
    np.testing.assert_allclose(distance, distance[0], atol=1e-9)
    assert abs(distance[0]) == pytest.approx(impact)
    np.testing.assert_allclose(
        np.hypot(*result.p2.T), np.where(np.arange(400) % 2 == 0, outer, inner), atol=1e-9
    )
    turns = np.diff(np.unwrap(np.arctan2(result.p2[:, 1], result.p2[:, 0])))
    np.testing.assert_allclose(
        np.abs(turns), math.asin(impact / inner) - math.asin(impact / outer), atol=1e-9
    )


def test_light_through_the_common_centre_of_two_mirrors_goes_to_and_fro() -> None:
    left = ArcMirror(p1=Point(-30, -40), p2=Point(-30, 40), p3=Point(-50, 0))
    right = ArcMirror(p1=Point(48, -14), p2=Point(48, 14), p3=Point(50, 0))
    result = trace(
        Scene.of([SingleRay(p1=Point(0, 0), p2=Point(10, 2)), left, right]), max_segments=100
    )
    np.testing.assert_allclose(result.p2[2::2], np.broadcast_to(result.p2[0], (49, 2)), atol=1e-9)
    np.testing.assert_allclose(result.p2[1::2], np.broadcast_to(result.p2[1], (50, 2)), atol=1e-9)


def test_two_mirrors_at_an_angle_turn_light_by_twice_that() -> None:
    a = math.radians(50)
    mirrors = [
        Mirror(p1=Point(0, 0), p2=Point(500, 0)),
        Mirror(p1=Point(0, 0), p2=Point(500 * math.cos(a), -500 * math.sin(a))),
    ]
    ray = SingleRay(p1=Point(300, -60), p2=Point(290, -40))
    result = trace(Scene.of([ray, *mirrors]))
    first, last = result.p2[0] - result.p1[0], result.p2[2] - result.p1[2]
    turn = math.atan2(last[1], last[0]) - math.atan2(first[1], first[0])
    assert math.cos(turn) == pytest.approx(math.cos(2 * a))


def test_an_ideal_mirror_images_a_point() -> None:
    f, s, height = 40.0, 100.0, 7.0
    mirror = IdealMirror(p1=Point(0, -300), p2=Point(0, 300), focal_length=f)
    at = -s * f / (s - f)
    for target in (-250.0, 10.0, 90.0):
        result = trace(Scene.of([SingleRay(p1=Point(-s, height), p2=Point(0, target)), mirror]))
        assert crossing(result.p1[1], result.p2[1], at) == pytest.approx(
            -height * f / (s - f), abs=1e-9
        )


@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0])
def test_a_beam_splitter_divides_the_power(ratio: float) -> None:
    splitter = BeamSplitter(p1=Point(10, -10), p2=Point(30, 10), trans_ratio=ratio)
    result = trace(Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0)), splitter]))
    split = np.flatnonzero(result.interaction == Interaction.SPLIT)
    through = {bool(result.p2[r, 0] > 1000): result.total_power[r] for r in split}
    assert through.get(True, 0.0) == pytest.approx(ratio)
    assert through.get(False, 0.0) == pytest.approx(1 - ratio)
    assert result.ledger.imbalance == pytest.approx(0)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("angle", [0.0, 25.0, -40.0])
def test_a_grating_sends_its_orders_by_the_grating_equation(angle: float, mirrored: bool) -> None:
    lines, wavelength, a = 600.0, 633.0, math.radians(angle)
    grating = DiffractionGrating(
        p1=Point(0, -50),
        p2=Point(0, 50),
        line_density=lines,
        mirrored=mirrored,
        custom_brightness=True,
        brightnesses=(0.4,) * 9,
    )
    ray = SingleRay(p1=Point(-math.cos(a), -math.sin(a)), p2=Point(0, 0), wavelength=wavelength)
    result = trace(Scene.of([ray, grating], Settings(simulate_colors=True)))
    out = result.p2[1:] - result.p1[1:]
    sines = out[:, 1] / np.hypot(out[:, 0], out[:, 1])
    per_order = wavelength * 1e-6 * lines
    orders = (sines - math.sin(a)) / per_order
    np.testing.assert_allclose(orders, np.round(orders), atol=1e-6)
    wanted = [m for m in range(-4, 5) if abs(math.sin(a) + m * per_order) <= 1]
    assert sorted(np.round(orders).astype(int).tolist()) == wanted
    assert result.order[0] == NO_ORDER
    assert result.order[1:].tolist() == np.round(orders).astype(int).tolist(), (
        "positive orders are turned to the right"
    )
    assert (np.sign(out[:, 0]) == (-1 if mirrored else 1)).all()
    ledger = result.ledger
    assert ledger.gained == pytest.approx(0.4 * len(wanted) - 1)
    assert ledger.imbalance == pytest.approx(0, abs=1e-12)


def test_light_keeps_the_order_of_its_last_grating() -> None:
    first = DiffractionGrating(p1=Point(0, -50), p2=Point(0, 50), line_density=300, slit_ratio=0.3)
    glass = Glass(
        path=tuple(Vertex(*p) for p in ((20, -50), (30, -50), (30, 50), (20, 50))), ref_index=1.5
    )
    second = DiffractionGrating(
        p1=Point(60, -90),
        p2=Point(60, 90),
        line_density=100,
        custom_brightness=True,
        brightnesses=(0, 0, 0.5),
    )
    result = trace(Scene.of([SingleRay(p1=Point(-1, 0), p2=Point(0, 0)), first, glass, second]))
    after_first = {
        (d, m)
        for d, m in zip(result.depth.tolist(), result.order.tolist(), strict=True)
        if 1 <= d <= 3
    }
    assert after_first >= {(d, m) for d in (1, 2, 3) for m in (-1, 0, 1)}, (
        "through both faces of the glass"
    )
    ends = result.interaction == Interaction.DIFFRACT
    at_second = ends & (result.p1[:, 0] > 59)
    assert at_second.any()
    assert set(result.order[at_second].tolist()) == {-1}
    for row in np.flatnonzero(~ends & (result.parent >= 0)).tolist():
        assert result.order[row] == result.order[result.parent[row]]


def test_slits_share_the_power_as_their_sinc() -> None:
    ratio = 0.3
    grating = DiffractionGrating(
        p1=Point(0, -50), p2=Point(0, 50), line_density=300, slit_ratio=ratio
    )
    result = trace(
        Scene.of(
            [SingleRay(p1=Point(-1, 0), p2=Point(0, 0), wavelength=500), grating],
            Settings(simulate_colors=True),
        )
    )
    d = result.p2[1:] - result.p1[1:]
    orders = np.round(d[:, 1] / np.hypot(d[:, 0], d[:, 1]) / (500e-6 * 300))
    want = ratio**2 * np.sinc(orders * ratio) ** 2
    np.testing.assert_allclose(result.total_power[1:], want, rtol=1e-9)
    assert set(orders) >= {-1.0, 0.0, 1.0}


def test_a_rowland_spectrograph_focuses_an_order_on_its_circle() -> None:
    """Source, grating vertex and focus lie on a circle of half the grating's radius (Born & Wolf,
    section 8.6.1).
    """
    radius, lines, wavelength = 1000.0, 600.0, 500.0
    a = math.radians(20)
    source = (-radius * math.cos(a) * math.cos(a), -radius * math.cos(a) * math.sin(a))
    b = math.asin(wavelength * 1e-6 * lines - math.sin(a))
    half = math.radians(0.05)
    ends = [Point(-radius * (1 - math.cos(t)), radius * math.sin(t)) for t in (-half, half)]
    grating = ConcaveDiffractionGrating(
        p1=ends[0],
        p2=ends[1],
        p3=Point(0, 0),
        line_density=lines,
        custom_brightness=True,
        brightnesses=(0, 1, 1),
    )
    foci = []
    rays = []
    for t in (-0.6 * half, 0.6 * half):
        at = Point(-radius * (1 - math.cos(t)), radius * math.sin(t))
        result = trace(
            Scene.of(
                [SingleRay(p1=Point(*source), p2=at, wavelength=wavelength), grating],
                Settings(simulate_colors=True),
            )
        )
        for row in range(1, len(result)):
            d = result.p2[row] - result.p1[row]
            if abs(math.atan2(d[1], -d[0]) + b) < 0.01 or abs(math.atan2(d[1], -d[0]) - b) < 0.01:
                rays.append((result.p1[row], d / np.hypot(*d)))
    assert len(rays) == 2
    (p, u), (q, v) = rays
    s = np.linalg.solve(np.column_stack([u, -v]), q - p)[0]
    foci = p + s * u
    centre = np.array([-radius / 2, 0.0])
    assert np.hypot(*(foci - centre)) == pytest.approx(radius / 2, rel=2e-3)


@pytest.mark.parametrize(("angle", "order"), [(20.0, 1), (35.0, 1), (-12.0, -1)])
def test_neighbouring_rays_of_a_concave_grating_meet_on_the_rowland_circle(
    angle: float, order: int
) -> None:
    """The focus of each order lies R cos(angle of diffraction) from the vertex, as nearly as the
    rays lie near it.
    """
    radius, lines, wavelength = 1000.0, 600.0, 500.0
    a = math.radians(angle)
    source = Point(-radius * math.cos(a) * math.cos(a), -radius * math.cos(a) * math.sin(a))
    ends = [Point(-radius * (1 - math.cos(t)), radius * math.sin(t)) for t in (-0.02, 0.02)]
    grating = ConcaveDiffractionGrating(
        p1=ends[0],
        p2=ends[1],
        p3=Point(0, 0),
        line_density=lines,
        custom_brightness=True,
        brightnesses=(0, 1, 1),
    )
    off = []
    for t in (1e-4, 1e-5):
        lines_out = []
        for u in (-t, t):
            at = Point(-radius * (1 - math.cos(u)), radius * math.sin(u))
            result = trace(
                Scene.of(
                    [SingleRay(p1=source, p2=at, wavelength=wavelength), grating],
                    Settings(simulate_colors=True),
                )
            )
            out = (result.p2 - result.p1)[1:] / np.hypot(*(result.p2 - result.p1)[1:].T)[:, None]
            sines = out[:, 1] - math.sin(
                a
            )  # near the vertex the normal is along x; the difference is m λ / g
            row = int(
                np.argmin(
                    np.abs(np.abs(sines) - wavelength * 1e-6 * lines) + (np.sign(sines) != order)
                )
            )
            lines_out.append((result.p1[1 + row], out[row]))
        (p, u1), (q, u2) = lines_out
        focus = p + np.linalg.solve(np.column_stack([u1, -u2]), q - p)[0] * u1
        b = math.asin(order * wavelength * 1e-6 * lines + math.sin(a))
        off.append(
            math.dist(focus, (-radius * math.cos(b) ** 2, radius * math.cos(b) * math.sin(b)))
        )
        assert abs(math.dist(focus, (-radius / 2, 0)) - radius / 2) < 30 * radius * t
    assert off[1] < 0.2 * off[0] + 1e-6
    assert off[1] < 1e-5 * radius


def test_a_half_plane_of_glass_begins_at_its_line() -> None:
    glass = PlaneGlass(p1=Point(0, 10), p2=Point(1, 10), ref_index=1.5, partial_reflect=False)
    a = math.radians(30)
    result = trace(Scene.of([SingleRay(p1=Point(0, 0), p2=Point(math.tan(a), 1)), glass]))
    d = result.p2[1] - result.p1[1]
    assert d[0] / np.hypot(*d) == pytest.approx(math.sin(a) / 1.5)
    assert result.p2[0].tolist() == pytest.approx([10 * math.tan(a), 10])


@pytest.mark.parametrize(
    "definition",
    [
        ("DR1R2", {"d": 8.0, "r1": 120.0, "r2": -90.0}),
        ("DFfdBfd", {"d": 8.0, "ffd": 100.0, "bfd": 98.0}),
    ],
)
def test_a_thick_lens_has_the_focal_distance_of_the_lensmaker(
    definition: tuple[str, dict[str, float]],
) -> None:
    """1/f = (n - 1)(1/R1 - 1/R2 + (n - 1) d / (n R1 R2)); bfd = f (1 - (n - 1) d / (n R1)) (Hecht,
    section 6.1).
    """
    how, params = definition
    n = 1.5
    lens = SphericalLens(
        p1=Point(0, -20),
        p2=Point(0, 20),
        def_by=how,
        params=params,
        ref_index=n,
        partial_reflect=False,
    )
    result = trace(Scene.of([SingleRay(p1=Point(-50, 1e-4), p2=Point(-49, 1e-4)), lens]))
    p, d = result.p1[2], result.p2[2] - result.p1[2]
    focus = p[0] - p[1] / d[1] * d[0]
    if how == "DFfdBfd":
        wanted = params["bfd"]
    else:
        r1, r2, t = params["r1"], params["r2"], params["d"]
        f = 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * t / (n * r1 * r2)))
        wanted = f * (1 - (n - 1) * t / (n * r1))
    assert abs(focus - params["d"] / 2 * math.copysign(1, d[0])) == pytest.approx(wanted, rel=1e-6)
