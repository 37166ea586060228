"""What-if: measures before and after changes, by closed forms, and the document left as it is."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import (
    Add,
    ChangeRefused,
    Delete,
    Disable,
    Group,
    Move,
    Rotate,
    Set,
    SetDocument,
)
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.study.what_if import (
    AFTER,
    BEFORE,
    WhatIf,
    comparable_limit,
    compare_measures,
    what_if,
)
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.trace import trace

MEASURED = "rms(Screen, Laser); vergence(Lens, Laser); power(Screen)"


def bench() -> Document:
    """A beam of 20 units, a lens with f = 100 at x = 100, a mirror above, a screen at x = 180."""
    objects = [
        {
            "type": "Beam",
            "name": "Laser",
            "p1": {"x": 0, "y": 40},
            "p2": {"x": 0, "y": 60},
            "brightness": 0.5,
        },
        {
            "type": "IdealLens",
            "name": "Lens",
            "p1": {"x": 100, "y": 0},
            "p2": {"x": 100, "y": 100},
            "focalLength": 100,
        },
        {
            "type": "Detector",
            "name": "Screen",
            "p1": {"x": 180, "y": 0},
            "p2": {"x": 180, "y": 100},
        },
        {
            "type": "SingleRay",
            "name": "Pointer",
            "p1": {"x": 0, "y": 200},
            "p2": {"x": 10, "y": 200},
        },
        {"type": "Mirror", "name": "Fold", "p1": {"x": 100, "y": 190}, "p2": {"x": 100, "y": 210}},
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects, "rayModeDensity": 2}))


def tried(document: Document, measures: str, *changes: object) -> WhatIf:
    result = trace(document)
    return what_if(document, result, changes, measures)  # type: ignore[arg-type]


def test_a_lens_of_another_focal_length_scales_the_spot() -> None:
    """At a distance d behind a lens of focal length f a beam is |1 - d / f| times as wide."""
    document = bench()
    (rms,) = tried(document, "rms(Screen, Laser)", Set("Lens", {"focalLength": 50})).differences
    ratio = abs(1 - 80 / 50) / abs(1 - 80 / 100)
    assert rms.after.value == pytest.approx(ratio * rms.before.value)
    assert rms.change == pytest.approx((ratio - 1) * rms.before.value)
    assert (
        str(rms) == f"rms(Screen, Laser): {rms.before.value:.6g} -> {rms.after.value:.6g} mm"
        f" (+{rms.change:.6g}, +200 %)"
    )


def test_a_mirror_turned_by_7_degrees_turns_its_light_by_14() -> None:
    (direction,) = tried(bench(), "direction(Fold, Pointer)", Rotate("Fold", 7)).differences
    turned = (direction.after.value - direction.before.value + 180) % 360 - 180
    assert turned == pytest.approx(14)


def test_people_read_degrees_as_a_sign() -> None:
    turned = tried(bench(), "direction(Fold, Pointer)", Rotate("Fold", 7)).differences[0]
    assert str(turned) == "direction(Fold, Pointer): 180 -> -166° (+14)"
    assert (turned.after.number, str(turned.after)) == (
        "-166°",
        "-166 deg = direction(Fold, Pointer)",
    )


def test_a_direction_that_is_minus_180_as_it_is_read_is_180() -> None:
    turned = tried(bench(), "direction(Fold, Pointer)", Rotate("Fold", 1e-5)).differences[0]
    assert -180 < turned.after.value < -179.9999
    assert str(turned) == "direction(Fold, Pointer): 180 -> 180° (+2e-05)"


def test_a_partial_trace_is_compared_with_one_of_the_same_limit() -> None:
    document = bench()
    partial = trace(document, max_segments=10)
    found = what_if(document, partial, (Set("Pointer", {"name": "Dot"}),), "rays(Screen)")
    (rays,) = found.differences
    assert found.result.segment_count == len(partial) == 10
    assert rays.change == 0
    assert comparable_limit(partial) == 10
    assert comparable_limit(trace(document)) == DEFAULT_LIMIT


def test_what_was_measured_in_another_unit_is_told_in_that_of_the_later_document() -> None:
    document = bench()
    (rms, vergence, power), centimetres = (
        tried(document, MEASURED, SetDocument(unit="cm")).differences,
        replace(document, unit="cm"),
    )
    assert rms.before.unit == vergence.before.unit.removeprefix("1/") == "cm"
    assert (rms.before.value, vergence.before.value) == pytest.approx((rms.after.value / 10, 0.1))
    assert rms.change == pytest.approx(0.9 * rms.after.value)
    assert power.change == 0
    traced = trace(document), trace(centimetres)
    assert [str(d) for d in compare_measures(document, centimetres, traced, MEASURED)] == [
        str(d) for d in (rms, vergence, power)
    ]


def test_several_changes_are_tried_together_and_named() -> None:
    outcome = tried(
        bench(), "power(Screen); rms(Screen)", Move("Screen", dx=20), Disable("Pointer")
    )
    assert outcome.words == "Screen moved by (20, 0) mm, Pointer disabled: light passes"
    power, rms = outcome.differences
    assert power.change == pytest.approx(0)
    assert rms.after.value == pytest.approx(0, abs=1e-9), "in the focus"


def test_the_document_stays_as_it_is_and_the_copy_has_a_revision_of_its_own() -> None:
    document = bench()
    before = (document.scene, document.revision)
    outcome = tried(document, "power(Screen)", Delete("Lens"))
    assert (document.scene, document.revision) == before
    assert outcome.document.revision != document.revision
    assert outcome.result.revision == outcome.document.revision


def test_the_copy_is_traced_without_rows_that_no_measure_reads() -> None:
    kept, whole = (
        tried(bench(), measure, Move("Screen", dx=20)).result
        for measure in ("power(Screen)", "path_power(Laser > * > Screen)")
    )
    assert len(kept) < kept.segment_count == len(whole)


def test_a_measure_that_becomes_undefined_says_why() -> None:
    (centroid,) = tried(bench(), "centroid(Screen)", Disable("Laser")).differences
    assert math.isnan(centroid.change)
    assert "undefined" in str(centroid)
    assert centroid.after.reason


def test_what_a_change_makes_or_takes_away_is_measured() -> None:
    twin = {
        "type": "Detector",
        "name": "Twin",
        "p1": {"x": 150, "y": -99},
        "p2": {"x": 150, "y": 99},
    }
    made, both, gone = tried(
        bench(),
        "power(Twin); rays(Pair); power(Screen)",
        Add(twin),
        Group(("Lens", "Twin"), as_="Pair"),
        Delete("Screen"),
    ).differences
    assert (made.before.reason, gone.after.reason) == (BEFORE, AFTER)
    assert made.after.value > 0
    assert gone.before.value > 0
    assert not both.before.defined
    assert both.after.defined


def test_without_a_change_nothing_is_tried() -> None:
    with pytest.raises(ChangeRefused, match=r"the list holds no changes\. Give one, such as"):
        tried(bench(), "power(Screen)")


@pytest.mark.parametrize(
    ("measures", "change", "error"),
    [
        ("powr(Screen)", Move("Lens", dx=1), InvalidMeasure),
        ("power(Screan)", Move("Lens", dx=1), UnknownName),
        ("power(Screen)", Move("Lense", dx=1), ChangeRefused),
        ("power(Screen)", Set("Lens", {"focalLength": "long"}), ChangeRefused),
    ],
)
def test_what_cannot_be_tried_is_one_specific_line(
    measures: str, change: object, error: type[Exception]
) -> None:
    with pytest.raises(error) as raised:
        tried(bench(), measures, change)
    assert "\n" not in str(raised.value)
