import math
from dataclasses import replace

import numpy as np
import pytest
from tests.core.lens.lenses import MIXED, TRIPLET

from raybench.lens.aberrations import distortion
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.paraxial import first_order, marginal_and_chief_rays
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Surface,
)
from raybench.lens.sequential import trace_fan


def test_thick_lens_has_the_focal_length_of_the_lensmaker() -> None:
    n, r1, r2, d = 1.5, 40.0, -60.0, 8.0
    lens = Prescription((Surface(r1, d, ModelGlass(n)), Surface(r2)))
    first = first_order(lens, 587.6)
    power = (n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2))
    assert first.focal_length == pytest.approx(1 / power)
    assert first.back_focus == pytest.approx((1 - (n - 1) * d / (n * r1)) / power)
    assert first.rear_principal == pytest.approx(first.back_focus - 1 / power)


def test_two_mirrors_of_a_cassegrain() -> None:
    f1, gap, r2 = 100.0, 60.0, -120.0
    lens = Prescription(
        (
            Surface(-2 * f1, -gap, AIR, is_mirror=True, conic=-1.0),
            Surface(r2, 100.0, AIR, is_mirror=True),
        )
    )
    f2 = r2 / 2  # a convex secondary
    expected = f1 * f2 / (f1 + f2 - gap)
    assert first_order(lens).focal_length == pytest.approx(expected)
    assert first_order(lens).focal_length > 0


def test_image_of_a_near_object_obeys_the_lens_equation() -> None:
    thin = Prescription(
        (Surface(50.0, 0.0, ModelGlass(1.5)), Surface(-50.0)),
        aperture=Aperture(ApertureKind.OBJECT_NA, 0.05),
        object_distance=75.0,
        field_kind=FieldKind.OBJECT_HEIGHT,
        fields=(Field(4.0),),
    )
    first = first_order(thin)
    assert first.image == pytest.approx(1 / (1 / 50 - 1 / 75))
    assert first.magnification == pytest.approx(-2.0)
    assert first.entrance_diameter == pytest.approx(2 * 75 * math.tan(math.asin(0.05)))
    _, chief = marginal_and_chief_rays(thin)
    assert chief.y[-1] + first.image * chief.u[-1] == pytest.approx(-8.0)


def test_pupils_are_the_images_of_the_stop() -> None:
    marginal, chief = marginal_and_chief_rays(TRIPLET)
    first = first_order(TRIPLET)
    assert chief.y[TRIPLET.stop] == pytest.approx(0.0, abs=1e-12)
    assert chief.y[-1] + first.exit_pupil * chief.u[-1] == pytest.approx(0.0, abs=1e-12)
    assert abs(marginal.y[TRIPLET.stop]) == pytest.approx(first.stop_semi_diameter)
    assert first.exit_diameter / first.entrance_diameter == pytest.approx(
        first.invariant / (abs(chief.u[-1]) * first.entrance_diameter / 2)
    )


def test_telecentric_object_space_is_aimed_by_angle() -> None:
    lens = Prescription(
        (
            Surface(thickness=1.5, glass=ModelGlass(1.5)),
            Surface(-50.0, 100.0),
            Surface(thickness=100.0),
        ),
        stop=2,
        aperture=Aperture(ApertureKind.OBJECT_NA, 0.05),
        object_distance=99.0,
        field_kind=FieldKind.OBJECT_HEIGHT,
        fields=(Field(2.0),),
    )
    first = first_order(lens)
    assert math.isinf(first.entrance_pupil)
    fan = trace_fan(lens, Field(2.0), 587.56, np.array([-1.0, 0.0, 1.0]))
    assert fan.y[0, 1] == pytest.approx(2.0)
    assert fan.y[0, 2] - 2 == pytest.approx(99 * math.tan(math.asin(0.05)))
    assert fan.y[2] == pytest.approx([-5.0, 0.0, 5.0], abs=0.1)
    assert first.invariant == pytest.approx(-2 * first.object_slope)
    assert distortion(lens, Field(2.0)) == pytest.approx(0.0, abs=0.01)
    with pytest.raises(InvalidPrescription, match="at infinity"):
        first_order(replace(lens, aperture=Aperture(ApertureKind.PUPIL, 5.0)))


def test_invariant_of_an_image_height_in_glass_is_that_of_its_rays() -> None:
    lens = Prescription(
        (Surface(50.0, 150.0, ModelGlass(1.5)),),
        field_kind=FieldKind.IMAGE_HEIGHT,
        fields=(Field(5.0),),
    )
    marginal, chief = marginal_and_chief_rays(lens)
    expected = chief.u[0] * marginal.y[0] - marginal.u[0] * chief.y[0]
    assert first_order(lens).invariant == pytest.approx(expected)


def test_f_number_gives_the_diameter_of_the_pupil() -> None:
    first = first_order(MIXED)
    assert first.entrance_diameter == pytest.approx(abs(first.focal_length) / 8)
