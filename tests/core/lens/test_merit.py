from collections.abc import Callable

import numpy as np
import pytest
from tests.core.lens.lenses import CROWN, FLINT, MIXED, TRIPLET

from raybench.lens.aberrations import spot
from raybench.lens.glass import AIR
from raybench.lens.merit import (
    InvalidMerit,
    Merit,
    Operand,
    Pickup,
    Variable,
    get_quantity,
    improve,
)
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Aperture, ApertureKind, Field, Prescription, Surface
from raybench.lens.sequential import trace_fan, trace_fields

DOUBLET = Prescription(
    (Surface(60.0, 6.0, CROWN), Surface(-60.0, 3.0, FLINT), Surface(-200.0, 95.0)),
    aperture=Aperture(ApertureKind.PUPIL, 20.0),
    fields=(Field(0.0),),
)
CURVATURES = tuple(Variable(i, "curvature", -0.06, 0.06) for i in range(3))


def test_rays_of_all_fields_are_those_of_each_fan() -> None:
    pupil = np.linspace(-1, 1, 5)
    together = trace_fields(MIXED, pupil, clipped=False)
    heights = together.y[-1].reshape(len(MIXED.fields), len(MIXED.wavelengths), 5)
    for i, field in enumerate(MIXED.fields):
        for j, wave in enumerate(MIXED.wavelengths):
            fan = trace_fan(MIXED, field, wave.value, pupil, clipped=False)
            assert heights[i, j] == pytest.approx(fan.y[-1], abs=1e-12)


def test_doublet_becomes_an_achromat_of_its_focal_length() -> None:
    merit = Merit(
        (Operand("focal length", 100.0, 1.0), Operand("ray heights", weight=100.0)),
        CURVATURES,
        is_refocused=True,
    )
    found = improve(DOUBLET, merit)
    first = first_order(found.system)
    assert first.focal_length == pytest.approx(100.0, abs=0.02)
    shifts = [first_order(found.system, w.value).image for w in DOUBLET.wavelengths]
    assert np.ptp(shifts) < 0.4 * np.ptp(
        [first_order(DOUBLET, w.value).image for w in DOUBLET.wavelengths]
    )
    assert found.merit < found.first_merit / 20
    assert list(found.history) == sorted(found.history, reverse=True)


def test_spoilt_triplet_recovers_its_spot() -> None:
    poor = TRIPLET
    for i, change in enumerate((1.03, 0.7, 1.02, 0.98, 1.2, 1.03)):
        poor = poor.with_surface(i, radius=poor.surfaces[i].radius * change)
    merit = Merit(
        (Operand("focal length", 50.0, 1.0), Operand("ray heights", weight=1000.0)),
        (
            *(Variable(i, "curvature", -0.1, 0.1) for i in range(6)),
            Variable(5, "thickness", 30.0, 50.0),
        ),
    )
    found = improve(poor, merit)
    before = np.mean([spot(TRIPLET, f).rms for f in TRIPLET.fields])
    assert np.mean([spot(found.system, f).rms for f in TRIPLET.fields]) < 1.05 * before


def test_bounds_and_links_are_kept() -> None:
    merit = Merit(
        (Operand("focal length", 20.0),),
        (Variable(0, "curvature", 0.0, 0.02),),
        (Pickup(1, "curvature", 0, -1.0),),
    )
    lens = Prescription((Surface(80.0, 5.0, CROWN), Surface(-80.0, 60.0)))
    found = improve(lens, merit)
    assert get_quantity(found.system, 0, "curvature") == pytest.approx(0.02)
    assert found.system.surfaces[1].radius == pytest.approx(-50.0)


def test_edge_thickness_is_held_by_a_bound() -> None:
    lens = Prescription(
        (Surface(60.0, 3.0, CROWN, 12.0), Surface(-60.0, 60.0, AIR, 12.0)),
        aperture=Aperture(ApertureKind.PUPIL, 10.0),
    )
    merit = Merit(
        (
            Operand("focal length", 40.0, 0.01),
            Operand("edge thickness", weight=10.0, at=0, least=1.0),
        ),
        (Variable(0, "curvature"), Variable(1, "curvature"), Variable(0, "thickness", 2.0, 9.0)),
    )
    found = improve(lens, merit)
    edge = merit.operands[1].residuals(found.system)
    assert first_order(found.system).focal_length == pytest.approx(40.0, abs=0.1)
    assert abs(edge[0]) < 0.05


def test_asphere_removes_spherical_aberration() -> None:
    lens = Prescription(
        (Surface(25.0, 6.0, CROWN), Surface(thickness=35.0)),
        aperture=Aperture(ApertureKind.PUPIL, 16.0),
        wavelengths=(TRIPLET.wavelengths[0],),
    )
    merit = Merit(
        (Operand("ray heights"),),
        (Variable(0, "conic", -3, 1), Variable(0, "aspheric 6"), Variable(1, "thickness", 20, 60)),
    )
    found = improve(lens, merit)
    assert spot(found.system, Field(0.0)).rms < 1e-5


def test_stopped_search_keeps_the_best_so_far() -> None:
    merit = Merit((Operand("focal length", 100.0),), CURVATURES)
    seen: list[float] = []
    found = improve(
        DOUBLET, merit, stop=lambda: len(seen) >= 1, progress=lambda value, _: seen.append(value)
    )
    assert len(seen) == 1
    assert found.merit == seen[0] < found.first_merit


@pytest.mark.parametrize(
    ("merit", "message"),
    [
        (lambda: Merit((Operand("length"),), ()), "at least one variable"),
        (lambda: Merit((Operand("length", weight=0.0),), CURVATURES), "weight above 0"),
        (lambda: Merit((Operand("length", weight=-1.0),), CURVATURES), "negative"),
        (lambda: Merit((Operand("beauty"),), CURVATURES), "no operand 'beauty'"),
        (lambda: Merit((Operand("ray heights", at=7),), CURVATURES), "no number 7"),
        (lambda: Merit((Operand("length"),), (Variable(9, "curvature"),)), "no surface of the"),
        (lambda: Merit((Operand("length"),), (Variable(0, "colour"),)), "no colour"),
        (lambda: Merit((Operand("length"),), (Variable(0, "thickness", 3, 2),)), "above its upper"),
    ],
)
def test_impossible_merits_are_refused(merit: Callable[[], Merit], message: str) -> None:
    with pytest.raises(InvalidMerit, match=message):
        improve(DOUBLET, merit())
