"""What the view modes draw: images at the positions of the lens and mirror equations, extensions,
and what an observer sees.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from raybench.files.scene_json import load_scene
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import GlassBody
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.kinds import KINDS
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Observer
from raybench.shapes.point import Point
from raybench.trace.codes import Flag, Interaction
from raybench.trace.results import images
from raybench.trace.results.images import ImageMarks, LineRole, PointRole, image_marks_in_view_mode
from raybench.trace.results.result import ESCAPE_LENGTH, TraceResult
from raybench.trace.run.emission import initial_rays
from raybench.trace.trace import trace

ORACLE = Path(__file__).parents[4] / "shared" / "oracle"


def as_processed(scene: Scene, result: TraceResult) -> TraceResult:
    """The result with its gap and sweep flags recomputed row by row from their definition."""
    gap_at_source = initial_rays(scene).gap
    before, after, sweep = (
        np.zeros(len(result), bool),
        np.zeros(len(result), bool),
        np.zeros(len(result), int),
    )
    first = np.zeros(len(result), bool)
    for row, (parent, how, hit) in enumerate(
        zip(result.parent.tolist(), result.interaction, result.hit, strict=True)
    ):
        if parent < 0:
            before[row] = gap_at_source[result.source_ray[row]]
        else:
            turned = not np.allclose(*(_direction(result, r) for r in (row, parent)))
            at_glass = isinstance(scene.optical[result.hit[parent]], GlassBody)
            assert how not in (
                Interaction.CUSTOM,
                Interaction.GRIN,
            ), "whether these go on as the same ray is not in the rows"
            another = how == Interaction.DIFFRACT or (how == Interaction.REFLECT and at_glass)
            through = how == Interaction.SPLIT and not turned
            sweep[row] = sweep[parent] + (0 if another or through else 1)
            before[row] = how == Interaction.DIFFRACT or (after[parent] and not through)
        first[row] = row == 0 or sweep[row] != sweep[row - 1]
        after[row] = before[row] or hit != (-1 if first[row] else result.hit[row - 1])
    flags = (
        result.flags & ~np.uint16(Flag.GAP | Flag.FIRST)
        | np.where(before, Flag.GAP, 0)
        | np.where(first, Flag.FIRST, 0)
    )
    return dataclasses.replace(result, flags=flags.astype(np.uint16))


def _direction(result: TraceResult, row: int) -> Any:
    d = result.p2[row] - result.p1[row]
    return d / np.hypot(*d)


def marks(*objects: SceneObject, **settings: Any) -> ImageMarks:
    scene = Scene.of(objects).with_settings(**{"image_mode_density": 0.5, **settings})
    return image_marks_in_view_mode(trace(scene), scene.settings)


def fan(x: float, y: float, to: tuple[float, float], angle: float = 20) -> AngleSource:
    return AngleSource(p1=Point(x, y), p2=Point(*to), emis_angle=angle)


def lens(x: float, focal_length: float) -> IdealLens:
    return IdealLens(p1=Point(x, -80), p2=Point(x, 80), focal_length=focal_length)


def images_away_from(m: ImageMarks, x: float, y: float) -> Any:
    return np.hypot(m.points.at[:, 0] - x, m.points.at[:, 1] - y) > 1


@pytest.mark.parametrize(
    ("distance", "focal_length", "role"),
    [
        (200, 50, PointRole.REAL),
        (75, 50, PointRole.REAL),
        (25, 50, PointRole.VIRTUAL),
        (100, -50, PointRole.VIRTUAL),
    ],
)
def test_a_lens_forms_its_image_where_the_lens_equation_says(
    distance: float, focal_length: float, role: PointRole
) -> None:
    m = marks(fan(0, 10, (distance, 0)), lens(distance, focal_length), mode="images")
    image = 1 / (1 / focal_length - 1 / distance)
    formed = images_away_from(m, 0, 10)
    assert formed.sum() > 10
    assert_allclose(
        m.points.at[formed],
        np.broadcast_to([distance + image, -10 * image / distance], (formed.sum(), 2)),
        atol=1e-9,
    )
    assert set(m.points.role[formed]) == {role}
    assert set(m.points.role[~formed]) == {
        PointRole.VIRTUAL
    }  # the source itself, from which light spreads
    assert len(m.lines) == 0


def test_a_plane_mirror_shows_the_source_as_far_behind_it() -> None:
    m = marks(fan(0, 30, (100, 20)), Mirror(p1=Point(100, -80), p2=Point(100, 80)), mode="images")
    formed = images_away_from(m, 0, 30)
    assert formed.sum() > 10
    assert_allclose(m.points.at[formed], np.broadcast_to([200, 30], (formed.sum(), 2)), atol=1e-9)
    assert set(m.points.role[formed]) == {PointRole.VIRTUAL}


def test_an_image_behind_a_deflecting_surface_is_a_virtual_object() -> None:
    m = marks(
        fan(0, 0, (1, 0)),
        lens(200, 50),
        Blocker(p1=Point(250, -80), p2=Point(250, 80)),
        mode="images",
    )
    formed = images_away_from(m, 0, 0)
    assert_allclose(
        m.points.at[formed], np.broadcast_to([200 + 200 / 3, 0], (formed.sum(), 2)), atol=1e-9
    )
    assert set(m.points.role[formed]) == {PointRole.VIRTUAL_OBJECT}


def test_an_image_carries_power_and_wavelength_of_its_ray() -> None:
    m = marks(fan(0, 0, (1, 0)), lens(200, 50), mode="images")
    assert_allclose(m.points.power, m.points.power[0])
    assert np.isnan(m.points.wavelength).all()
    coloured = marks(fan(0, 0, (1, 0)), lens(200, 50), mode="images", simulate_colors=True)
    assert_allclose(coloured.points.power, m.points.power / 2)
    assert set(coloured.points.wavelength) == {540}


def crossing(
    *at: tuple[float, float], gap: tuple[int, ...] = (), first: tuple[int, ...] = (0,)
) -> TraceResult:
    """Rays whose neighbours in turn meet at some points: each goes from the point before through
    its own point.
    """
    segments = []
    for (x0, y0), (x1, y1) in pairwise(at):
        segments.append(
            {
                "p1": (x0 - 3 * (x1 - x0), y0 - 3 * (y1 - y0)),
                "p2": (x1, y1),
                "brightness_s": 1,
                "brightness_p": 1,
                "escaped": True,
            }
        )
    result = TraceResult.from_segments(segments)
    flags = np.zeros(len(result), np.uint16)
    flags[list(gap)] |= np.uint16(Flag.GAP)
    flags[list(first)] |= np.uint16(Flag.FIRST)
    return dataclasses.replace(result, flags=flags)


ZIGZAG = [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, 2.0), (4.0, 0.0), (5.0, 2.0)]
"""Five rays, of which each meets the next at a corner, about 2.2 from the corner before."""


def image_rows(result: TraceResult, **settings: Any) -> list[int]:
    return image_marks_in_view_mode(
        result, Scene().with_settings(mode="images", **settings).settings
    ).points.row.tolist()


def test_neighbouring_pairs_with_close_intersections_form_an_image() -> None:
    result = crossing(*ZIGZAG)
    m = image_marks_in_view_mode(result, Scene().with_settings(mode="images").settings)
    assert m.points.row.tolist() == [2, 3, 4]
    assert_allclose(m.points.at, ZIGZAG[2:5], atol=1e-12)
    assert image_rows(result, length_scale=0.1) == []
    assert image_rows(crossing(*((5 * x, 5 * y) for x, y in ZIGZAG))) == []


def test_a_gap_separates_rays_but_the_preceding_intersection_still_counts() -> None:
    # the pairs (0, 1) and (3, 4) remain, and meet 3.6 apart
    assert image_rows(crossing(*ZIGZAG, gap=(2, 3))) == [4]
    assert image_rows(crossing(*ZIGZAG, gap=(2, 3)), length_scale=0.7) == []


def test_a_sweep_has_no_neighbours_before_it() -> None:
    """Neither the first ray nor the first pair."""
    assert image_rows(crossing(*ZIGZAG, first=(0, 3))) == [2]
    assert image_rows(crossing(*ZIGZAG, first=(0, 2))) == [4]


def test_rays_parallel_but_for_rounding_form_no_image() -> None:
    turns = [0.0, 1e-14, 2e-14, 3e-14]
    rays = [
        {"p1": (0, y), "p2": (9, y + 9 * s), "brightness_s": 1, "brightness_p": 1, "escaped": True}
        for y, s in enumerate(turns)
    ]
    assert image_rows(TraceResult.from_segments(rays), length_scale=1e15) == []


def seen(result: TraceResult, eye: Observer | None, **settings: Any) -> ImageMarks:
    return image_marks_in_view_mode(
        result, Scene().with_settings(mode="observer", observer=eye, **settings).settings
    )


def test_an_observer_sees_the_mirror_image_along_lines_of_sight_to_it() -> None:
    eye = Observer(Point(20, -40), 8)
    m = marks(
        fan(0, 30, (100, 0), 60),
        Mirror(p1=Point(100, -80), p2=Point(100, 80)),
        mode="observer",
        observer=eye,
        image_mode_density=4,
    )
    assert len(m.points) > 3
    assert_allclose(m.points.at, np.broadcast_to([200, 30], m.points.at.shape), atol=1e-8)
    assert set(m.points.role) == {PointRole.VIRTUAL}
    assert set(m.lines.role) == {LineRole.OBSERVED}
    assert not m.lines.endless.any()
    assert_allclose(np.hypot(m.lines.ends[:, 0] - 20, m.lines.ends[:, 1] + 40), 8)
    assert_allclose(m.lines.ends[:, 2:], m.points.at)
    toward = np.array([-180.0, -70.0]) / np.hypot(180, 70)
    assert (((m.lines.ends[:, :2] - [20, -40]) @ toward) < 0).all(), (
        "light enters on the side it comes from"
    )


def test_an_observer_sees_parallel_light_as_coming_from_infinity() -> None:
    beam = Beam(p1=Point(0, -10), p2=Point(0, 10), brightness=1)
    m = marks(beam, mode="observer", observer=Observer(Point(100, 0), 5))
    assert len(m.points) == 0
    assert len(m.lines) > 2
    assert m.lines.endless.all()
    assert_allclose(m.lines.ends[:, 0], 100 - np.sqrt(25 - m.lines.ends[:, 1] ** 2))
    assert_allclose(
        m.lines.ends[:, 2:] - m.lines.ends[:, :2],
        np.broadcast_to([-ESCAPE_LENGTH, 0], (len(m.lines), 2)),
        atol=1e-6,
    )


def test_an_observer_in_converging_light_sees_no_image() -> None:
    m = marks(
        fan(0, 0, (1, 0)),
        lens(200, 50),
        mode="observer",
        observer=Observer(Point(230, 0), 3),
        image_mode_density=4,
    )
    assert len(m.lines) > 3
    assert m.lines.endless.all()
    assert len(m.points) == 0


def test_an_observer_sees_no_ray_that_ends_before_or_passes_by() -> None:
    beam = Beam(p1=Point(0, -10), p2=Point(0, 10), brightness=1)
    wall = Blocker(p1=Point(90, -80), p2=Point(90, 80))
    assert len(marks(beam, wall, mode="observer", observer=Observer(Point(100, 0), 5)).lines) == 0
    assert len(marks(beam, mode="observer", observer=Observer(Point(100, 60), 5)).lines) == 0
    assert len(marks(beam, mode="observer", observer=Observer(Point(-100, 0), 5)).lines) == 0
    assert len(marks(beam, mode="observer").lines) == 0


def test_an_observer_needs_two_pairs_in_a_row() -> None:
    rays = [
        {"p1": (0, y), "p2": (9, y), "brightness_s": 1, "brightness_p": 1, "escaped": True}
        for y in range(7)
    ]
    parallel = TraceResult.from_segments(rays)
    eye = Observer(Point(50, 3), 10)
    assert seen(parallel, eye).lines.row.tolist() == [2, 3, 4, 5, 6]
    for flag in (Flag.GAP, Flag.FIRST):
        flags = parallel.flags.copy()
        flags[3] |= np.uint16(flag)
        assert seen(dataclasses.replace(parallel, flags=flags), eye).lines.row.tolist() == [2, 5, 6]


def test_deflected_rays_are_extended_in_both_directions() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            Mirror(p1=Point(90, 10), p2=Point(110, -10)),
            Mirror(p1=Point(110, -110), p2=Point(90, -90)),
        ]
    )
    result = trace(scene)
    assert len(result) == 3
    m = image_marks_in_view_mode(result, scene.with_settings(mode="extended").settings)
    got = [
        (int(r), LineRole(role).name, bool(e))
        for r, role, e in zip(m.lines.row, m.lines.role, m.lines.endless, strict=True)
    ]
    assert got == [
        (0, "RAY", False),
        (1, "RAY", False),
        (1, "EXTENSION", True),
        (1, "FORWARD", True),
        (2, "RAY", True),
        (2, "EXTENSION", True),
    ]
    assert_allclose(m.lines.ends[2], [100, 0, 100, ESCAPE_LENGTH], atol=1e-6)
    assert_allclose(m.lines.ends[3], [100, -100, 100, -100 - ESCAPE_LENGTH], atol=1e-6)
    plain = image_marks_in_view_mode(result, scene.settings)
    assert_allclose(plain.lines.ends, np.hstack([result.p1, result.p2]))
    assert plain.lines.endless.tolist() == [False, False, True]
    assert set(plain.lines.role) == {LineRole.RAY}


@pytest.mark.parametrize("mode", ["rays", "extended", "images", "observer"])
def test_an_empty_scene_draws_nothing(mode: str) -> None:
    m = marks(mode=mode, observer=Observer(Point(0, 0), 5))
    assert (len(m.points), len(m.lines)) == (0, 0)


POINT_WORDS = {
    PointRole.REAL: "realImage",
    PointRole.VIRTUAL: "virtualImage",
    PointRole.VIRTUAL_OBJECT: "virtualObject",
}
LINE_WORDS = {
    LineRole.RAY: "ray",
    LineRole.EXTENSION: "extendedRay",
    LineRole.FORWARD: "forwardExtendedRay",
    LineRole.OBSERVED: "observedRay",
}


def drawn(m: ImageMarks, coloured: bool) -> Counter[str]:
    """The marks counted as the recordings count them."""

    def word(w: str) -> str:
        return "color" + w[0].upper() + w[1:] if coloured else w

    out = Counter("point:" + word(POINT_WORDS[PointRole(r)]) for r in m.points.role)
    ends = zip(m.lines.role, m.lines.endless, strict=True)
    return out + Counter(
        ("ray:" if e else "segment:") + word(LINE_WORDS[LineRole(r)]) for r, e in ends
    )


def recorded() -> list[str]:
    if not ORACLE.is_dir():
        return []
    out = []
    for name, head in json.loads((ORACLE / "expected/index.json").read_text()).items():
        if (
            head["mode"] != "rays"
            and set(head["types"]) <= set(KINDS)
            and head.get("drawn")
            and not head.get("approximate_in_reference")
        ):
            out.append(name)
    return sorted(out)


@pytest.mark.skipif(
    not ORACLE.is_dir(), reason="the recorded results in ../shared/oracle are not here"
)
@pytest.mark.parametrize("name", recorded())
def test_a_recorded_scene_draws_its_recorded_marks(name: str) -> None:
    scene = load_scene(ORACLE / f"scenes/{name}.json")
    result = trace(scene)
    m = image_marks_in_view_mode(result, scene.settings)
    got = drawn(m, scene.settings.simulate_colors)
    want = Counter(json.loads((ORACLE / "expected/index.json").read_text())[name]["drawn"])
    # an image at the very start of its ray is real or virtual in the recordings as rounding has it
    d = m.points.at - result.p1[m.points.row]
    at_start = int((np.hypot(d[:, 0], d[:, 1]) < 1e-6).sum())
    real, virtual = (
        ("point:colorRealImage", "point:colorVirtualImage")
        if scene.settings.simulate_colors
        else ("point:realImage", "point:virtualImage")
    )
    moved = want[real] - got[real]
    assert 0 <= moved <= at_start
    assert got + Counter({real: moved}) == want + Counter({virtual: moved})


@pytest.mark.parametrize(
    "name",
    [
        "gallery/broken-pencil",
        "rules/observer-prism",
        "rules/gap-sources",
        "rules/splitter-chain",
        "rules/grating-slit",
    ],
)
def test_the_trace_marks_gaps_and_sweeps_as_they_are_defined(name: str) -> None:
    if not ORACLE.is_dir():
        pytest.skip("the recorded results in ../shared/oracle are not here")
    scene = load_scene(ORACLE / f"scenes/{name}.json")
    result = trace(scene)
    again = as_processed(scene, result)
    assert ((result.flags & Flag.FIRST) == (again.flags & Flag.FIRST)).all()
    assert ((result.flags & Flag.GAP) == (again.flags & Flag.GAP)).all()


def test_paths_of_more_points_than_can_be_drawn_are_drawn_by_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disc = CircleGrinGlass(
        p1=Point(0, 0), p2=Point(20, 0), ref_index_fn="1.5-0.0005*(x^2+y^2)", origin=Point(0, 0)
    )
    scene = Scene.of([Beam(p1=Point(-60, -30), p2=Point(-60, 30)), disc])
    result = trace(scene)
    every = image_marks_in_view_mode(result, scene.settings).lines
    monkeypatch.setattr(images, "MOST_POINTS", len(result.polyline) // 3)
    fewer = image_marks_in_view_mode(result, scene.settings).lines
    assert len(result) < len(fewer) < len(every) / 2
    assert set(fewer.row) == set(every.row)
    ends = {row: every.ends[every.row == row][-1, 2:].tolist() for row in set(every.row)}
    assert all(fewer.ends[fewer.row == row][-1, 2:].tolist() == end for row, end in ends.items())
