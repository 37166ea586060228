import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.core.lens.lenses import CROWN, FLINT, MIXED, TRIPLET

from raybench.errors import RaybenchError
from raybench.lens.aberrations import spot
from raybench.lens.clearance import edge_thicknesses
from raybench.lens.design import Configuration, LensDesign, Pickup, Solve, SolveKind, Variable
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.merit import improve, merit_value
from raybench.lens.operands import Operand
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Aperture, ApertureKind, Field, Prescription, Surface
from raybench.lens.sequential import trace_fan, trace_fields

DOUBLET = Prescription(
    (Surface(60.0, 6.0, CROWN), Surface(-60.0, 3.0, FLINT), Surface(-200.0, 95.0)),
    aperture=Aperture(ApertureKind.PUPIL, 20.0),
    fields=(Field(0.0),),
)
CURVATURES = tuple(Variable(f"c{i}", -0.06, 0.06) for i in (1, 2, 3))


def test_rays_of_all_fields_are_those_of_each_fan() -> None:
    pupil = np.linspace(-1, 1, 5)
    together = trace_fields(MIXED, pupil, clipped=False)
    heights = together.y[-1].reshape(len(MIXED.fields), len(MIXED.wavelengths), 5)
    for i, field in enumerate(MIXED.fields):
        for j, wave in enumerate(MIXED.wavelengths):
            fan = trace_fan(MIXED, field, wave.value, pupil, clipped=False)
            assert heights[i, j] == pytest.approx(fan.y[-1], abs=1e-12)


def test_doublet_becomes_an_achromat_of_its_focal_length() -> None:
    design = LensDesign(
        DOUBLET,
        solves=(Solve("t3", SolveKind.FOCUS),),
        operands=(Operand("focal length", 100.0, 1.0), Operand("ray heights", weight=100.0)),
        variables=CURVATURES,
    )
    found = improve(design)
    first = first_order(found.design.system)
    assert first.focal_length == pytest.approx(100.0, abs=0.02)
    shifts = [first_order(found.design.system, w.value).image for w in DOUBLET.wavelengths]
    assert np.ptp(shifts) < 0.4 * np.ptp(
        [first_order(DOUBLET, w.value).image for w in DOUBLET.wavelengths]
    )
    assert found.merit < found.first_merit / 20
    assert list(found.history) == sorted(found.history, reverse=True)


def test_spoilt_triplet_recovers_its_spot() -> None:
    poor = TRIPLET
    for i, change in enumerate((1.03, 0.7, 1.02, 0.98, 1.2, 1.03)):
        poor = poor.with_surface(i, radius=poor.surfaces[i].radius * change)
    design = LensDesign(
        poor,
        operands=(Operand("focal length", 50.0, 1.0), Operand("ray heights", weight=1000.0)),
        variables=(
            *(Variable(f"c{i}", -0.1, 0.1) for i in range(1, 7)),
            Variable("t6", 30.0, 50.0),
        ),
    )
    found = improve(design).design.system
    before = np.mean([spot(TRIPLET, f).rms for f in TRIPLET.fields])
    assert np.mean([spot(found, f).rms for f in TRIPLET.fields]) < 1.05 * before


def test_bounds_and_links_are_kept() -> None:
    design = LensDesign(
        Prescription((Surface(80.0, 5.0, CROWN), Surface(-80.0, 60.0))),
        pickups=(Pickup("c2", "c1", -1.0),),
        operands=(Operand("focal length", 20.0),),
        variables=(Variable("c1", 0.0, 0.02),),
    )
    found = improve(design).design.system
    assert found.surfaces[0].curvature == pytest.approx(0.02)
    assert found.surfaces[1].radius == pytest.approx(-50.0)


def test_edge_thickness_is_held_by_a_bound() -> None:
    lens = Prescription(
        (Surface(60.0, 3.0, CROWN, 12.0), Surface(-60.0, 60.0, AIR, 12.0)),
        aperture=Aperture(ApertureKind.PUPIL, 10.0),
    )
    design = LensDesign(
        lens,
        operands=(
            Operand("focal length", 40.0, 0.01),
            Operand("edge thickness", weight=10.0, at=1, least=1.0),
        ),
        variables=(Variable("c1"), Variable("c2"), Variable("t1", 2.0, 9.0)),
    )
    found = improve(design).design.system
    assert first_order(found).focal_length == pytest.approx(40.0, abs=0.1)
    assert edge_thicknesses(found)[0] > 0.95


def test_asphere_removes_spherical_aberration() -> None:
    lens = Prescription(
        (Surface(25.0, 6.0, CROWN), Surface(thickness=35.0)),
        aperture=Aperture(ApertureKind.PUPIL, 16.0),
        wavelengths=(TRIPLET.wavelengths[0],),
    )
    design = LensDesign(
        lens,
        operands=(Operand("ray heights"),),
        variables=(Variable("k1", -3, 1), Variable("a1_6"), Variable("t2", 20, 60)),
    )
    assert spot(improve(design).design.system, Field(0.0)).rms < 1e-5


def test_stopped_search_keeps_the_best_so_far() -> None:
    design = LensDesign(DOUBLET, operands=(Operand("focal length", 100.0),), variables=CURVATURES)
    seen: list[float] = []
    found = improve(
        design, stop=lambda: len(seen) >= 1, progress=lambda found: seen.append(found.merit)
    )
    assert len(seen) == 1
    assert found.merit == seen[0] < found.first_merit


LENGTH = (Operand("total length"),)
DESIGN = LensDesign(DOUBLET, operands=LENGTH, variables=CURVATURES)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda: replace(DESIGN, variables=()), "at least one variable"),
        (
            lambda: replace(DESIGN, operands=(Operand("total length", weight=0.0),)),
            "weight above 0",
        ),
        (lambda: replace(DESIGN, operands=(Operand("total length", weight=-1.0),)), "negative"),
        (lambda: replace(DESIGN, operands=(Operand("beauty"),)), "no operand 'beauty'"),
        (lambda: replace(DESIGN, operands=(Operand("ray heights", at=7),)), "no number 7"),
        (lambda: replace(DESIGN, variables=(Variable("c9"),)), "no parameter 'c9'"),
        (lambda: replace(DESIGN, variables=(Variable("t1", 3, 2),)), "above its upper"),
    ],
)
def test_impossible_merits_are_refused(changed: Callable[[], LensDesign], message: str) -> None:
    with pytest.raises(RaybenchError, match=message):
        improve(changed())


def test_a_zoom_has_its_spacings_in_configurations() -> None:
    # two thin lenses of powers p and q, d apart: 1/f = p + q - d p q
    glass = ModelGlass(1.5)
    rows = [Surface(50.0, 0.0, glass), Surface(math.inf, 40.0), Surface(100.0, 0.0, glass)]
    design = LensDesign(
        Prescription((*rows, Surface(thickness=50.0))),
        solves=(Solve("t4", SolveKind.FOCUS),),
        configurations=(Configuration((("t2", 40.0),)), Configuration((("t2", 40.0),), weight=2.0)),
        operands=(
            Operand("focal length", 80.0, configuration=1),
            Operand("focal length", 90.0, configuration=2),
        ),
        variables=(Variable("t2_1", 0.0, 200.0), Variable("t2_2", 0.0, 200.0)),
    )
    assert merit_value(design) == pytest.approx(
        math.sqrt(((76.923 - 80) ** 2 + 2 * (76.923 - 90) ** 2) / 3), rel=1e-4
    )
    found = improve(design)
    spacings = [system.surfaces[1].thickness for system in found.design.systems]
    p, q = 1 / 100, 1 / 200
    assert spacings == pytest.approx([(p + q - 1 / f) / (p * q) for f in (80, 90)])
    assert found.design.systems[1].surfaces[3].thickness == pytest.approx(
        first_order(found.design.systems[1]).image
    )
