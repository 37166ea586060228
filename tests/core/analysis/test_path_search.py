"""Path patterns: what they say, and the light they find."""

from __future__ import annotations

import dataclasses
import os
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_light import random_light

from raybench.analysis.paths import path_search
from raybench.analysis.paths.path_pattern import InvalidPattern, quoted_name, read_pattern
from raybench.analysis.paths.path_search import END_WORDS, find_paths
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, SingleRay, Source
from raybench.scene.labels import labelled_edges
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

SCENES = 1000 if os.environ.get("RAYBENCH_LONG") else 15
pytestmark = pytest.mark.long


def prism_and_screen() -> tuple[Scene, TraceResult]:
    """A ray through a plate, upwards at a mirror in 45°, onto a screen and into a dump."""
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0.0), name="Laser"),
            Glass(
                path=(Vertex(10, -5), Vertex(20, -5), Vertex(20, 5), Vertex(10, 5)),
                name="Plate",
                partial_reflect=False,
            ),
            Mirror(p1=Point(25, 5), p2=Point(35, -5), name="Fold > 1"),
            Detector(p1=Point(25, -20), p2=Point(35, -20), name="Screen"),
            Blocker(p1=Point(25, -30), p2=Point(35, -30), name="Dump"),
        ]
    )
    return scene, trace(scene, revision=3)


def test_each_surface_is_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene, result = prism_and_screen()
    searched: list[object] = []
    ends_on = path_search.rows_ending_on_edges

    def counted(*args: Any) -> Any:
        searched.append(args)
        return ends_on(*args)

    monkeypatch.setattr(path_search, "rows_ending_on_edges", counted)
    assert (
        path_search.hint_for_passed_steps(
            result, scene, " > ".join(["Plate", "*", "Dump", "*"] * 20 + ["Screen"]), lambda _: {}
        )
        is None
    )
    assert len(searched) <= 6, "three surfaces, with gaps and without"


@pytest.mark.parametrize(
    ("pattern", "ends", "rows"),
    [
        ("Laser > Plate", [0], [0]),
        ("Laser > Plate:W > Plate:E", [1], [0, 1]),
        ("Plate:W (refract) > Plate:East Edge", [1], [0, 1]),
        ("Plate:E (refract)", [2], [1, 2]),
        ("Plate:E (reflect)", [], []),
        ("Plate:1", [1], [1]),
        ('Laser > * > "Fold > 1" (reflect) > Screen', [3], [0, 1, 2, 3]),
        ("* > Screen", [3], [0, 1, 2, 3]),
        ("Screen (detect) > Dump (absorbed)", [4], [3, 4]),
        ("Laser > ? > ? > ?", [2], [0, 1, 2]),
        ("Pl*:* > Pl?te:?", [1], [0, 1]),
        ("Plate:W|Plate:E", [0, 1], [0, 1]),
        ("Laser -> Plate → Plate", [1], [0, 1]),
        ("Laser > *", [4], [0, 1, 2, 3, 4]),
        ("Laser", [0], [0]),
        ("Screen > * > Laser?", None, None),
        ("Dump > Screen", [], []),
        ("Laser > Screen", [], []),
    ],
)
def test_patterns_find_their_light(
    pattern: str, ends: list[int] | None, rows: list[int] | None
) -> None:
    scene, result = prism_and_screen()
    if ends is None:
        with pytest.raises(InvalidPattern, match="nothing is named 'Laser\\?'"):
            find_paths(result, scene, pattern)
        return
    found = find_paths(result, scene, pattern)
    assert (found.ends.tolist(), found.rows.tolist()) == (ends, rows)
    assert found.ray_set.revision == 3


def test_light_that_meets_nothing_escapes() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Laser"),
            Mirror(p1=Point(9, -5), p2=Point(19, 5), name="Fold"),
        ]
    )
    result = trace(scene)
    assert find_paths(result, scene, "Laser > Fold > escape").ends.tolist() == [1]
    assert find_paths(result, scene, "Laser > escape").ends.tolist() == []


@pytest.mark.parametrize(
    ("pattern", "character", "words"),
    [
        ("", 1, "expected a name"),
        ("Laser >", 8, "too early"),
        ("Laser > > Plate", 9, "unexpected '>'"),
        (
            "Laser > Plat",
            9,
            (
                "nothing is named 'Plat'; known names: ['Plate', 'Laser', 'Fold > 1', 'Screen',"
                " 'Dump']"
            ),
        ),
        ("Laser > Plate:Q", 15, "No edge matching 'Q'. Available labels: ['N', 'E', 'S', 'W']"),
        ("Laser > Plate:Q*", 15, "no edge is called 'Q*'; known edges: ['N', 'E', 'S', 'W']"),
        ("Plate > Laser", 9, "'Laser' is a source"),
        (
            "Plate (bounce)",
            8,
            "nothing that happens is called 'bounce'; known words: ['reflect', 'refract', 'tir'",
        ),
        ("Plate (tir", 11, "expected ')' or '|'"),
        ('Laser > "Plate', 9, "is not closed"),
        ("Laser > * (tir) > Plate", 9, "any number of surfaces"),
        ("Laser > Plate:E:W", 16, "unexpected ':'"),
        (" > ".join(["?"] * 120), 401, "120 steps"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(pattern: str, character: int, words: str) -> None:
    scene, result = prism_and_screen()
    with pytest.raises(InvalidPattern) as caught:
        find_paths(result, scene, pattern)
    text = str(caught.value)
    assert f"character {character}:" in text
    assert words in text
    assert "▸" in text
    assert "\n" not in text


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_name_can_be_quoted(name: str) -> None:
    (step,) = read_pattern(quoted_name(name))
    assert [(p.name.text, p.name.wild, p.edge) for p in step.places] == [(name, False, None)]


@given(st.text(alphabet=list("ab >|:()\"'*?-→\\"), max_size=30))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(InvalidPattern):
        read_pattern(text)


def row_of_things(
    *things: SceneObject, laser: SceneObject | None = None
) -> tuple[Scene, TraceResult]:
    """A ray to the right along y = 0, from x = 0, or another source, and what it meets."""
    scene = Scene.of([laser or SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Laser"), *things])
    return scene, trace(scene, revision=3)


def upright(kind: type[SceneObject], x: float, name: str, **more: object) -> SceneObject:
    return kind(p1=Point(x, -5), p2=Point(x, 5), name=name, **more)


def stop(x: float, name: str) -> Aperture:
    return Aperture(p1=Point(x, -5), p3=Point(x, -1), p4=Point(x, 1), p2=Point(x, 5), name=name)


def slab(x: float, name: str, **more: object) -> Glass:
    corners = ((x, -5), (x + 10, -5), (x + 10, 5), (x, 5))
    return Glass(path=tuple(Vertex(*p) for p in corners), name=name, partial_reflect=False, **more)


@pytest.mark.parametrize(
    ("pattern", "ends", "rows"),
    [
        ("Laser > Iris (through) > Screen", [0], [0]),
        ("Laser > Iris (through) > Filter (through) > Screen", [0], [0]),
        ("Laser > Filter (through) > Iris (through) > Screen", [], []),
        ("Laser > * > Filter (through) > Dump", [], []),
        ("Laser > * > Filter (through) > * > Dump", [2], [0, 1, 2]),
        ("Laser > Screen (through) > Lens (through) > Far (through)", [2], [0, 1, 2]),
        ("Iris (through)", [0], [0]),
        ("Far (through) > *", [2], [2]),
        ("Laser > Iris > Screen", [], []),
        ("Laser > * > Dump > *", [2], [0, 1, 2]),
        ("* > Dump (absorbed) > *", [2], [0, 1, 2]),
        ("* > Dump (through) > *", [], []),
        ("Far (through) > Dump", [2], [2]),
    ],
)
def test_light_passes_openings(pattern: str, ends: list[int], rows: list[int]) -> None:
    inactive = {"filter": True, "wavelength": 400.0, "bandwidth": 5.0}
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0), wavelength=600, name="Laser"),
            stop(10, "Iris"),
            upright(Blocker, 20, "Filter", **inactive),
            upright(Detector, 30, "Screen"),
            upright(IdealLens, 40, "Lens", focal_length=100),
            stop(50, "Far"),
            upright(Blocker, 60, "Dump"),
        ],
        Settings(simulate_colors=True),
    )
    found = find_paths(trace(scene), scene, pattern)
    assert (found.ends.tolist(), found.rows.tolist()) == (ends, rows)


def test_light_passes_a_whole_body() -> None:
    corners = ((20, -5), (30, 5), (20, 5))
    prism = Glass(
        path=tuple(Vertex(*p) for p in corners), ref_index=1.5, partial_reflect=False, name="Prism"
    )
    below, behind = (
        Blocker(p1=Point(15, 20), p2=Point(35, 20), name="Below"),
        upright(Blocker, 50, "Behind"),
    )
    scene, result = row_of_things(prism, below, behind)
    for pattern in (
        "Laser > Prism (through) > Below",
        "Laser > Prism:W (through) > Prism:NE (tir) > Prism:S (through) > Below",
    ):
        found = find_paths(result, scene, pattern)
        assert (found.ends.tolist(), found.rows.tolist()) == ([3], [0, 1, 2, 3])
        assert result.lineage.tir_count[3] == 1
    assert len(find_paths(result, scene, "Laser > Prism (through) > Behind")) == 0
    assert len(find_paths(result, scene, "Laser > Prism (through) > * > Below")) == 1


def test_reflected_light_has_not_passed() -> None:
    scene, result = row_of_things(
        dataclasses.replace(slab(20, "Plate", ref_index=1.5), partial_reflect=True),
        upright(Blocker, 50, "Dump"),
    )
    through = find_paths(result, scene, "Laser > Plate (through) > *")
    assert set(result.hit[through.ends].tolist()) >= {2}
    assert not (result.lineage.generation[through.ends] == 1).any()
    first = find_paths(result, scene, "Laser > Plate:W (reflect) > *").ends
    assert len(first)
    assert not set(first.tolist()) & set(through.ends.tolist())


def test_a_shared_edge_has_both_names() -> None:
    scene, result = row_of_things(
        slab(20, "Left", ref_index=1.5),
        slab(30, "Right", ref_index=1.7),
        upright(Blocker, 50, "Dump"),
    )
    told = {scene.optical[i].title for i in result.hit.tolist()}
    assert told == {"Left", "Right", "Dump"}
    for shared in ("Left:E", "Right:W", "Left", "Right", "R*:W", "Left:E|Right:W"):
        assert find_paths(
            result, scene, f"Laser > Left:W > {shared} > Right:E > Dump"
        ).ends.tolist() == [3], shared
    assert (
        len(find_paths(result, scene, "Left:E (refract) > Right:E"))
        == len(find_paths(result, scene, "Right:W (refract) > Right:E"))
        == 1
    )
    assert len(find_paths(result, scene, "Laser > Left:W > Left:N")) == 0


def test_one_side_of_a_face_can_be_asked_for() -> None:
    back = SingleRay(p1=Point(40, 0), p2=Point(39, 0), name="Back")
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Laser"),
            back,
            upright(Detector, 20, "Screen"),
        ]
    )
    result = trace(scene)
    for label, sources in (
        ("W", ["Laser"]),
        ("E", ["Back"]),
        ("Face", ["Laser", "Back"]),
        ("West Edge", ["Laser"]),
        ("0", ["Laser", "Back"]),
    ):
        found = find_paths(result, scene, f"* > Screen:{label}")
        assert [result.object_names[result.source[i]] for i in found.ends.tolist()] == sources
    bowl = ArcMirror(p1=Point(60, -30), p2=Point(60, 30), p3=Point(90, 0), name="Bowl")
    scene, result = row_of_things(
        bowl, laser=SingleRay(p1=Point(40, 25), p2=Point(41, 25), name="Laser")
    )
    assert find_paths(result, scene, "Laser > Bowl:W").ends.tolist() == [0]
    assert find_paths(result, scene, "Laser > Bowl:E").ends.tolist() == []


def test_orders_and_splitter_sides() -> None:
    grating = upright(
        DiffractionGrating,
        20,
        "Grating",
        line_density=300,
        custom_brightness=True,
        brightnesses=(0.5, 0.25, 0.25),
    )
    scene, result = row_of_things(grating)
    for order in (-1, 0, 1):
        (end,) = find_paths(result, scene, f"Laser > Grating (diffract {order:+d})").ends
        assert result.order[end] == order
    assert len(find_paths(result, scene, "Laser > Grating (diffract -1|diffract 1)")) == 2
    assert len(find_paths(result, scene, "Laser > Grating (through) > escape")) == 3
    splitter = BeamSplitter(p1=Point(15, 5), p2=Point(25, -5), trans_ratio=0.3, name="Splitter")
    scene, result = row_of_things(
        splitter,
        upright(Blocker, 40, "Ahead"),
        Blocker(p1=Point(10, -20), p2=Point(30, -20), name="Up"),
    )
    for pattern, name in (
        ("split transmitted", "Ahead"),
        ("split reflected", "Up"),
        ("through", "Ahead"),
    ):
        (end,) = find_paths(result, scene, f"Laser > Splitter ({pattern}) > ?").ends
        assert scene.optical[result.hit[end]].title == name


Plain = tuple[set[str] | str, str | None, str | None]
"""A step for the plain matcher: "*", "?", or names; an edge's index; a word."""


def plain_ends(scene: Scene, result: TraceResult, steps: list[Plain]) -> tuple[set[int], set[int]]:
    """The segments a pattern ends with and all on its ways, by trying every path from every place
    on it.
    """
    titles = [o.title for o in scene.optical]
    ways = {i.name.lower() for i in Interaction}
    ends, on_way = set(), set()

    def fits(row: int, step: Plain) -> bool:
        names, edge, _ = step
        if names == "?":
            return bool(result.hit[row] >= 0)
        there = titles[result.hit[row]] if result.hit[row] >= 0 else None
        return there in names and (edge is None or int(edge) == result.edge[row])

    def after(way: list[int], k: int, i: int) -> list[int]:
        """Where a match that arrives at step ``i`` with way[k] can end, as places on the way; each
        noted with what it passes.
        """
        word = steps[i][2]
        found = []
        if i == len(steps) - 1:
            if word is None or (word in END_WORDS and result.status[way[k]] == END_WORDS[word]):
                found.append(k)
            if (
                word in ways
                and k + 1 < len(way)
                and result.segments[way[k + 1]].interaction == word
            ):
                found.append(k + 1)
            return found
        if i == len(steps) - 2 and steps[-1][0] == "*" and k == len(way) - 1:  # no surface follows
            return (
                [k]
                if word is None or (word in END_WORDS and result.status[way[k]] == END_WORDS[word])
                else []
            )
        if k + 1 >= len(way) or (
            word is not None and result.segments[way[k + 1]].interaction != word
        ):
            return []
        return onwards(way, k + 1, i + 1)

    def onwards(way: list[int], k: int, i: int) -> list[int]:
        """Where a match can end whose light goes on with way[k] and has step ``i`` before it."""
        if steps[i][0] == "*":
            if i == len(steps) - 1:
                return [len(way) - 1]
            return [e for j in range(k, len(way)) for e in onwards(way, j, i + 1)]
        return after(way, k, i) if fits(way[k], steps[i]) else []

    for leaf in result.lineage.leaves().tolist():
        way = result.lineage.path(leaf)
        names = steps[0][0]
        starts: list[tuple[int, list[int]]] = []
        if names == "*":
            starts.append((0, onwards(way, 0, 0)))
        elif isinstance(names, set) and titles[result.source[way[0]]] in names and len(steps) == 1:
            starts.append((0, [0]))
        elif isinstance(names, set) and titles[result.source[way[0]]] in names:
            starts.append((0, onwards(way, 0, 1)))
        if names != "*":
            starts += [(k, after(way, k, 0)) for k in range(len(way)) if fits(way[k], steps[0])]
        for k, found in starts:
            for e in found:
                ends.add(way[e])
                on_way.update(way[k : e + 1])
    return ends, on_way


@pytest.mark.parametrize("number", range(SCENES))
def test_random_patterns_find_what_trying_every_path_finds(number: int) -> None:
    rng = np.random.default_rng([11, number])
    scene, result = random_light(rng)
    surfaces = [o for o in scene.optical if not isinstance(o, Source)]
    sources = [o for o in scene.optical if isinstance(o, Source)]
    for _ in range(12):
        steps: list[Plain] = []
        for i in range(int(rng.integers(1, 5))):
            kind = rng.random()
            if i == 0 and kind < 0.5:
                steps.append(({str(rng.choice([o.title for o in sources]))}, None, None))
            elif kind < 0.2 and not (steps and steps[-1][0] == "*"):
                steps.append(("*", None, None))
            else:
                obj = surfaces[int(rng.integers(len(surfaces)))]
                edges = labelled_edges(obj)
                edge = (
                    str(edges[int(rng.integers(len(edges)))].index) if rng.random() < 0.4 else None
                )
                word = (
                    str(rng.choice(["reflect", "refract", "tir", "split", "absorbed", "truncated"]))
                    if rng.random() < 0.4
                    else None
                )
                steps.append(("?", None, word) if rng.random() < 0.2 else ({obj.title}, edge, word))
        text = " > ".join(
            (names if isinstance(names, str) else next(iter(names)))
            + (f":{edge}" if edge else "")
            + (f" ({word})" if word else "")
            for names, edge, word in steps
        )
        found = find_paths(result, scene, text)
        ends, on_way = plain_ends(scene, result, steps)
        assert set(found.ends.tolist()) == ends, text
        assert set(found.rows.tolist()) == on_way, text


def test_a_beam_through_a_ball_is_found_fast() -> None:
    """Steps are taken on all rows at once: a long pattern over many rows takes a fraction of a
    second.
    """
    scene = Scene.of(
        [
            Beam(p1=Point(-50, -8), p2=Point(-50, 8), name="Beam"),
            CircleGlass(p1=Point(0, 0), p2=Point(10, 0), name="Ball"),
        ]
    )
    result = trace(
        scene.with_settings(ray_mode_density=20.0, color_mode="linear"), max_segments=20_000
    )
    assert (
        len(find_paths(result, scene, "Beam > Ball (refract) > Ball (reflect) > * > escape")) > 100
    )
    assert (result.status == Status.ESCAPED).any()


def test_a_pattern_may_hold_very_long_names() -> None:
    screen = Blocker(p1=Point(10, -5), p2=Point(10, 5), name='"\\' * 5_000)
    scene = Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="L"), screen])
    assert len(find_paths(trace(scene), scene, f"L > {quoted_name(screen.name)}")) == 1


def test_names_match_exactly_and_edges_loosely() -> None:
    scene, result = prism_and_screen()
    assert find_paths(result, scene, "Laser > Plate:w > Plate:east edge").ends.tolist() == [1]
    assert find_paths(result, scene, "Laser > Pl*:w > Pl*:e > Fold*").ends.tolist() == [2]
    with pytest.raises(
        InvalidPattern, match=r"nothing is named 'PLATE'; known names: \['Plate', 'Laser'"
    ):
        find_paths(result, scene, "Laser > PLATE")
