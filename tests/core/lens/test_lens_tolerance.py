from dataclasses import replace

import numpy as np
import pytest
from tests.core.lens.lenses import TRIPLET

from raybench.lens.aberrations import spot
from raybench.lens.design import Configuration, LensDesign, Pickup, Solve, SolveKind
from raybench.lens.glass import ModelGlass
from raybench.lens.operands import Operand
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    InvalidPrescription,
    Prescription,
    Surface,
)
from raybench.lens.tolerance import (
    PRECISION,
    LensDeviation,
    tolerance_lens,
    usual_deviations,
    with_changes,
)

N, R = 1.5, 50.0
PLANO = LensDesign(
    Prescription(
        (Surface(R, 1.0, ModelGlass(N)), Surface(thickness=R / (N - 1) - 1 / N)),
        aperture=Aperture(ApertureKind.PUPIL, 2.0),
    )
)
FOCAL = Operand("focal length", least=99.9, most=100.1)


def test_focal_length_of_a_thin_lens_follows_radius_and_index() -> None:
    by_radius, by_index = LensDeviation("r1", 0.05), LensDeviation("n1", 0.001)
    found = tolerance_lens(PLANO, (by_radius, by_index), limits=(FOCAL,), samples=400)
    assert found.names == ("merit", "focal length")
    low, high = found.low[:, 1] - 100, found.high[:, 1] - 100
    # f = r / (n - 1)
    assert high == pytest.approx([0.05 / (N - 1), -0.001 * R / (N - 1) ** 2], rel=0.01)
    assert low == pytest.approx(-high, rel=0.01)
    rss = np.hypot(*high)
    assert found.root_sum_square[1] == pytest.approx(rss, rel=0.01)
    assert found.samples[:, 1].std() == pytest.approx(rss / np.sqrt(3), rel=0.1)
    # of the sum of two uniform deviations of ±0.1 and ±0.2, half is within ±0.1
    share = found.yields[-1]
    assert share.interval[0] < 0.5 < share.interval[1]
    again = tolerance_lens(PLANO, (by_radius, by_index), limits=(FOCAL,), samples=400)
    assert (again.samples == found.samples).all()


def test_a_compensator_refocuses_each_sample() -> None:
    deviations = usual_deviations(LensDesign(TRIPLET), PRECISION)
    limits = (Operand("rms spot", at=1, most=0.01),)
    study = {
        adjusted: tolerance_lens(
            LensDesign(TRIPLET), deviations, limits=limits, compensators=adjusted, samples=20
        )
        for adjusted in ((), ("t6",))
    }
    fixed, refocused = study[()], study[("t6",)]
    assert refocused.samples[:, 0].mean() < 0.8 * fixed.samples[:, 0].mean()
    assert (refocused.samples[:, 0] <= fixed.samples[:, 0] + 1e-12).all()
    assert np.ptp(refocused.adjusted[:, 0]) > 0.05
    assert fixed.nominal[1] == pytest.approx(spot(TRIPLET, TRIPLET.fields[0]).rms)


def test_surfaces_deviate_each_on_their_own_and_in_all_configurations() -> None:
    design = LensDesign(
        TRIPLET,
        pickups=(Pickup("c6", "c1", -1.0),),
        solves=(Solve("t6", SolveKind.FOCUS),),
        configurations=(Configuration((("t2", 6.0),)), Configuration((("t2", 7.0),))),
    )
    focused = [system.surfaces[5].thickness for system in design.systems]
    found = tolerance_lens(design, (LensDeviation("r1", 0.02),), samples=2)
    assert found.nominal[0] > 0
    plain = with_changes(replace(design, pickups=(), solves=()), {"t2": 0.5, "r1": 0.1})
    assert [s.surfaces[1].thickness for s in plain.systems] == [6.5, 7.5]
    assert plain.system.surfaces[5].radius == design.system.surfaces[5].radius
    assert focused[0] != focused[1]
    with pytest.raises(InvalidPrescription, match="no parameter 'r9'"):
        tolerance_lens(design, (LensDeviation("r9", 0.1),))
