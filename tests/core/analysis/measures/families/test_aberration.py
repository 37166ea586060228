"""Measures of the aberrations of a lens system of the scene."""

import dataclasses

import pytest
from tests.core.lens.lenses import TRIPLET

from raybench.analysis.measures.bound import bind_measures, measure_values
from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.lens.aberrations import spot
from raybench.lens.opening import lens_document
from raybench.lens.prescription import Field
from raybench.lens.report import report_lens
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.session import Session
from raybench.trace.trace import trace

ONE = (
    "rms_spot", "ray_aberration", "distortion", "tangential_focus", "sagittal_focus",
    "lateral_colour", "vignetting",
)  # fmt: skip
"""Measures of a lens at a field."""


@pytest.fixture(scope="module")
def document() -> Document:
    return lens_document(TRIPLET, "Triplet")


def values(document: Document, *measures: str) -> list[float]:
    result = trace(document.scene, revision=document.revision)
    return [found.value for found in measure_values(measures, document, result)]


def test_measures_are_those_of_the_report(document: Document) -> None:
    report = report_lens(TRIPLET, 20.0)
    for field in report.fields:
        expected = [
            field.rms_spot, field.transverse, field.distortion, field.tangential, field.sagittal,
            field.lateral_colour, 1 - field.open_pupil, field.rms_wavefront, field.mtf,
        ]  # fmt: skip
        asked = [f"{name}(Triplet, {field.field:g})" for name in (*ONE, "wavefront_error")]
        asked.append(f"mtf(Triplet, 20, {field.field:g})")
        assert values(document, *asked) == pytest.approx(expected, abs=1e-12)
    coma = report.seidel.coma
    assert values(
        document, "axial_colour(Triplet)", "seidel(Triplet, coma)", "seidel(Triplet, coma, 2)"
    ) == pytest.approx([report.axial_colour, coma.sum(), coma[1]])


def test_without_a_field_the_farthest_is_measured(document: Document) -> None:
    farthest, given = values(document, "rms_spot(Triplet)", "rms_spot(Triplet, 20)")
    assert farthest == given


def test_measures_follow_the_lens_and_its_unit(document: Document) -> None:
    session = Session(document)
    session.apply([Set("Triplet", {"r6": -18.0})])
    changed = TRIPLET.with_surface(5, radius=-18.0)
    assert values(session.document, "rms_spot(Triplet)") == [spot(changed, Field(20.0)).rms]
    inches = dataclasses.replace(document, unit="in")
    (waves,) = values(document, "wavefront_error(Triplet, 0)")
    assert values(inches, "wavefront_error(Triplet, 0)")[0] == pytest.approx(25.4 * waves)


def test_field_without_light_is_undefined(document: Document) -> None:
    (found,) = measure_values("rms_spot(Triplet, 60)", document, trace(document.scene))
    assert not found.defined
    assert "No light of the field 60" in found.reason


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("rms_spot(Tripelt)", UnknownName, "Triplet"),
        ("rms_spot(Triplet, wide)", InvalidMeasure, "a number"),
        ("seidel(Triplet, comma)", InvalidMeasure, "spherical, coma"),
    ],
)
def test_wrong_argument_is_refused(
    document: Document, text: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        bind_measures(text, document)
