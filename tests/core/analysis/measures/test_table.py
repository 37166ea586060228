"""The table of measures: complete rows, values with units, and measures bound once for many traces."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from raybench.analysis.measures.bound import BoundMeasure, bind_measures, measure_values
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    IncompleteMeasure,
    Measure,
    Measured,
    Parameter,
    Role,
    Unit,
    select_no_rays,
)
from raybench.analysis.measures.table import FAMILIES, MEASURES
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import AddPreset
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")
BEAM = Beam(p1=Point(-50, -10), p2=Point(-50, 10), brightness=0.4, name="Laser")
OBJECT, SOURCE = Parameter("object", Role.SURFACE), Parameter("source", Role.SOURCE, optional=True)


def good(light: Light, index: int, source: int | None = None) -> float:
    """What it is."""
    return 1.0


def helpless(light: Light, index: int, source: int | None = None) -> float:
    return 1.0


def declared(function: Callable[..., float] = good, **others: Any) -> Measure:
    fields = {
        "unit": Unit.ONE,
        "quantity": "goodness of {object}",
        "questions": ("goodness of {object}",),
        "parameters": (OBJECT, SOURCE),
        "rays": select_no_rays,
    }
    return Measure(function, **{**fields, **others})


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ({"function": helpless}, "has no help"),
        ({"parameters": (OBJECT,)}, "not those of its function"),
        ({"parameters": (OBJECT, replace(SOURCE, optional=False))}, "not those of its function"),
        ({"parameters": (SOURCE, OBJECT)}, "after an optional one"),
        ({"parameters": (OBJECT, replace(SOURCE, name="object"))}, "two parameters of one name"),
        ({"questions": ()}, "has no questions"),
        ({"questions": ("How good is {thing}?",)}, "slots that are not parameters"),
        ({"rays": None}, "has no rays"),
    ],
)
def test_an_incomplete_row_is_an_error(others: dict[str, Any], says: str) -> None:
    assert declared().usage == "good(object, source?)"
    with pytest.raises(IncompleteMeasure, match=says):
        declared(**others)


def test_every_measure_has_one_family() -> None:
    assert sum(map(len, FAMILIES.values())) == len(MEASURES)
    contract = (
        "power share rays centroid rms width absorbed escaped path_power direction divergence"
        " deviation focus image_distance magnification total_reflections emitted"
    )
    assert set(contract.split()) <= set(MEASURES)


def document(*more: SingleRay | Mirror | Aperture, unit: str = "mm") -> Document:
    return Document(
        scene=Scene.of([SCREEN, BEAM, *more]).with_settings(
            color_mode="linear", ray_mode_density=1
        ),
        unit=unit,
    )


def test_a_value_is_written_with_its_unit_first() -> None:
    inches = document(unit="in")
    found = measure_values(
        "power(Screen); width( 'Screen' ); rays(Screen); share(Screen, Laser)",
        inches,
        trace(inches.scene),
    )
    assert [str(m) for m in found] == [
        "8 relative power = power(Screen)", "20 in = width(Screen)", "20 = rays(Screen)", "1 = share(Screen, Laser)",
    ]  # fmt: skip
    assert [m.unit for m in found] == ["relative power", "in", "", ""]
    assert (
        str(Measured(math.nan, "mm", "rms(Screen)", "No light."))
        == "undefined = rms(Screen): No light."
    )


def test_noise_of_rounding_is_zero() -> None:
    # three tenths less three times a tenth is not 0 in binary numbers
    middle = replace(SCREEN, p1=Point(100, 0.1 * 3), p2=Point(100, 50))
    ray = SingleRay(p1=Point(-90, 0.3), p2=Point(-80, 0.3), name="Ray")
    scene = Document(scene=Scene.of([middle, ray]))
    centroid, deviation = measure_values(
        "centroid(Screen); deviation(Screen)", scene, trace(scene.scene)
    )
    assert (centroid.value, deviation.value) == (0.0, 0.0)
    assert 0.1 * 3 != 0.3


def test_very_weak_light_is_no_noise() -> None:
    faint = SingleRay(p1=Point(-90, 40), p2=Point(-80, 40), brightness=1e-15, name="Faint")
    doc = document(faint)
    power, share, emitted = measure_values(
        "power(Screen, Faint); share(Screen, Faint); emitted(Faint)", doc, trace(doc.scene)
    )
    assert (power.value, share.value, emitted.value) == (1e-15, 1.0, 1e-15)


def test_a_bound_measure_follows_its_objects_through_edits() -> None:
    before = document()
    power, centroid = bind_measures("power(Screen); centroid(Screen, Laser)", before)
    moved = before.with_scene(
        before.scene.with_objects(
            [Mirror(p1=Point(0, 500), p2=Point(9, 500)), *map(_moved, before.scene.objects)]
        )
    )
    for doc, middle in ((before, 50.0), (moved, 40.0)):
        light = Light.from_document(doc, trace(doc.scene))
        assert power.evaluate(light).value == pytest.approx(8)
        assert centroid.evaluate(light).value == pytest.approx(middle)
    gone = before.with_scene(before.scene.with_objects(before.scene.objects[1:]))
    with pytest.raises(
        UnknownName, match=r"power\(Screen\) refers to an object that is no longer in the scene"
    ):
        power.evaluate(Light.from_document(gone, trace(gone.scene)))


def _moved(obj: object) -> Detector | Beam:
    assert isinstance(obj, Detector | Beam)
    return (
        replace(obj, p1=Point(100, -40), p2=Point(100, 60), name="Renamed")
        if isinstance(obj, Detector)
        else obj
    )


def test_rows_that_were_recorded_elsewhere_are_measured_alike() -> None:
    doc = document()
    result = trace(doc.scene)
    rows = [
        {
            "p1": s.p1,
            "p2": s.p2,
            "brightness_s": s.brightness_s,
            "brightness_p": s.brightness_p,
            "parent": s.parent,
            "escaped": s.escaped,
        }
        for s in result.segments
    ]
    recorded = TraceResult.from_segments(rows)
    text = "power(Screen); rms(Screen); share(Screen, Laser); signed_power(Screen); escaped(Laser)"
    here, there = measure_values(text, doc, result), measure_values(text, doc, recorded)
    assert [m.value for m in there] == pytest.approx([m.value for m in here])


def test_every_measure_has_a_value_or_a_reason() -> None:
    mirror = Mirror(p1=Point(150, -20), p2=Point(180, 20), name="Mirror")
    ray = SingleRay(p1=Point(0, -60), p2=Point(1, -60), name="Ray")
    stop = Aperture(
        p1=Point(50, -30), p2=Point(50, 30), p3=Point(50, -5), p4=Point(50, 5), name="Iris"
    )
    session = Session(document(mirror, ray, stop))
    session.apply([AddPreset("CentredLens", {}, Point(0, 500), as_="Objective")])
    doc = session.document
    texts = []
    for m in MEASURES.values():
        for surface in ("Screen", "Mirror"):
            first = {Role.PATTERN: "Laser > *", Role.DETECTOR: "Screen", Role.SOURCE: "Laser", Role.APERTURE: "Iris",
                     Role.EDGE: f"{surface}:Face", Role.ORDER: "1", Role.LENS: "Objective", Role.NUMBER: "1", Role.SEIDEL: "coma"}  # fmt: skip
            names = [first.get(p.role, surface) for p in m.parameters]
            texts += [
                f"{m.name}({', '.join(names[:n])})"
                for n in range(sum(not p.optional for p in m.parameters), len(names) + 1)
            ]
    texts = list(dict.fromkeys(texts))
    for found in measure_values(texts, doc, trace(doc.scene)) + measure_values(
        texts, doc, trace(doc.scene.with_objects(doc.scene.objects), disabled={BEAM.key})
    ):
        assert found.defined != bool(found.reason), found
    light = Light.from_document(doc, trace(doc.scene))
    for bound in bind_measures(texts, doc):
        assert isinstance(bound, BoundMeasure)
        rows, value = bound.measured_rows(light), bound.evaluate(light).value
        assert (rows is None) is (bound.measure.rays is select_no_rays), bound.expression
        if rows is not None:
            assert ((rows >= 0) & (rows < len(light.result))).all(), bound.expression
            assert len(rows) or not value or math.isnan(value), (
                bound.expression
            )  # a value that is not 0 is that of some rays
        assert bound.quantity(light), bound.expression
