import dataclasses
import math

import numpy as np
import pytest
from tests.core.lens.lenses import RELAY, TRIPLET

from raybench.lens.aberrations import (
    best_focus,
    chief_height,
    diffraction_mtf,
    distortion,
    field_curvature,
    geometric_line_spread,
    geometric_mtf,
    opd_fan,
    pupil_section,
    spot,
    spot_through_focus,
    unvignetted_fraction,
    wavefront,
)
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Aperture, ApertureKind, Field, Prescription, Surface
from raybench.lens.seidel import seidel_sums

D = 587.5618e-6
PARABOLA = Prescription(
    (Surface(-200.0, -100.0, AIR, conic=-1.0, is_mirror=True),),
    aperture=Aperture(ApertureKind.PUPIL, 20.0),
)
SMALL = dataclasses.replace(
    TRIPLET.with_surface(5, thickness=first_order(TRIPLET).image),
    aperture=Aperture(ApertureKind.PUPIL, 2.0),
    fields=(Field(0.5),),
)
"""A small aperture and field, where the third order is all there is."""


def test_wavefront_of_a_small_field_is_that_of_the_seidel_sums() -> None:
    sums = seidel_sums(SMALL)
    pupil, on_axis = opd_fan(SMALL, Field(0.0))
    assert on_axis[-1] * D == pytest.approx(sums.spherical.sum() / 8, rel=0.01)
    pupil, off_axis = opd_fan(SMALL, Field(0.5))
    fit = np.polynomial.polynomial.polyfit(pupil, off_axis, 6) * D
    assert fit[3] == pytest.approx(sums.coma.sum() / 2, rel=0.01)
    assert fit[2] == pytest.approx((3 * sums.astigmatism + sums.petzval).sum() / 4, rel=0.01)
    invariant = first_order(SMALL).invariant
    assert abs(distortion(SMALL, Field(0.5))) == pytest.approx(
        abs(sums.distortion.sum() / (2 * invariant)), rel=0.01
    )


def test_asphere_adds_its_fourth_order_to_the_sums() -> None:
    bent = SMALL.with_surface(1, aspheric=(0.0, 4e-5), conic=300.0)
    _, w = opd_fan(bent, Field(0.0))
    assert w[-1] * D == pytest.approx(seidel_sums(bent).spherical.sum() / 8, rel=0.01)


def test_field_curvature_starts_as_the_seidel_sums_say() -> None:
    sums, first = seidel_sums(SMALL), first_order(SMALL)
    tangential, sagittal = field_curvature(SMALL, Field(0.5))
    edge = first.image_na**2
    assert tangential == pytest.approx(
        -(3 * sums.astigmatism + sums.petzval).sum() / edge / 2, rel=0.02
    )
    assert sagittal == pytest.approx(-(sums.astigmatism + sums.petzval).sum() / edge / 2, rel=0.02)


def test_perfect_mirror_has_no_wavefront_error_and_the_slits_modulation() -> None:
    front = wavefront(PARABOLA, Field(0.0))
    assert front.rms < 1e-9
    assert front.strehl == pytest.approx(1.0)
    sine = np.sin(2 * np.arctan(10 / 200))  # of the marginal ray of a parabola
    cutoff = 2 * sine / D
    nu = np.linspace(0, 1.2, 13) * cutoff
    assert diffraction_mtf(PARABOLA, Field(0.0), nu) == pytest.approx(
        np.clip(1 - nu / cutoff, 0, None), abs=1e-6
    )


def test_line_image_of_a_perfect_mirror_is_that_of_a_slit() -> None:
    section = pupil_section(PARABOLA, Field(0.0))
    y = np.linspace(-4, 4, 17) / section.cutoff
    assert section.line_spread(y) == pytest.approx(
        section.cutoff * np.sinc(y * section.cutoff) ** 2, abs=1e-3 * section.cutoff
    )


@pytest.mark.parametrize("system", [TRIPLET, PARABOLA])
def test_refocused_pupil_is_that_of_a_moved_image(system: Prescription) -> None:
    nu, last, field = np.array([5.0, 20.0, 40.0]), len(system.surfaces) - 1, system.fields[-1]
    moved = system.with_surface(last, thickness=system.surfaces[last].thickness + 0.05)
    refocused = pupil_section(system, field).with_defocus(0.05)
    assert refocused.modulation(nu) == pytest.approx(diffraction_mtf(moved, field, nu), abs=0.01)


def test_line_images_of_rays_and_of_waves_have_one_area_and_place() -> None:
    one = dataclasses.replace(TRIPLET, wavelengths=TRIPLET.wavelengths[:1])
    edges = np.linspace(-0.3, 0.3, 4001)
    y, step = (edges[1:] + edges[:-1]) / 2, edges[1] - edges[0]
    rays = geometric_line_spread(one, Field(14.0), edges)
    waves = pupil_section(one, Field(14.0)).line_spread(y)
    assert rays.sum() * step == pytest.approx(1.0)
    assert waves.sum() * step == pytest.approx(1.0, abs=0.005)
    assert (y * waves).sum() * step == pytest.approx((y * rays).sum() * step, abs=1e-4)


def test_spot_through_focus_is_least_at_the_best_focus() -> None:
    field = Field(14.0)
    best = best_focus(TRIPLET, field)
    through = spot_through_focus(TRIPLET, field, np.array([best - 0.1, best, best + 0.1]))
    assert through == pytest.approx(
        [spot(TRIPLET, field, defocus=best + d).rms for d in (-0.1, 0.0, 0.1)]
    )
    assert through[1] == through.min()


def test_best_focus_has_the_least_spot_of_all_wavelengths() -> None:
    coloured = Prescription(
        (Surface(math.inf, 20.0), Surface(50.0, 8.0, ModelGlass(1.7, 25.0)), Surface(-50.0, 30.0)),
        aperture=Aperture(ApertureKind.PUPIL, 6.0),
        fields=(Field(15.0),),
    )
    for system in (TRIPLET, coloured):
        field = system.fields[-1]
        shift = best_focus(system, field)
        least, *others = (spot(system, field, defocus=shift + d).rms for d in (0.0, -0.01, 0.01))
        assert least < min(others)


def test_geometric_modulation_falls_from_one_as_the_spot_blurs() -> None:
    nu = np.array([0.0, 0.2, 5.0])
    contrast = geometric_mtf(TRIPLET, Field(0.0), nu)
    assert contrast[0] == pytest.approx(1.0)
    width = spot(TRIPLET, Field(0.0), count=2001).rms
    assert 1 - contrast[1] == pytest.approx(2 * (np.pi * 0.2 * width) ** 2, rel=0.01)
    assert contrast[2] < 1


def test_near_object_is_imaged_with_its_magnification() -> None:
    height = chief_height(RELAY, Field(0.01), RELAY.primary_wavelength)
    image = first_order(RELAY).image
    focused = RELAY.with_surface(5, thickness=image)
    height = chief_height(focused, Field(0.01), RELAY.primary_wavelength)
    assert height == pytest.approx(0.01 * first_order(RELAY).magnification, rel=1e-4)


def test_vignetting_is_the_open_part_of_the_pupil() -> None:
    assert unvignetted_fraction(TRIPLET, Field(20.0)) == 1.0
    half = TRIPLET.with_surface(0, semi_diameter=2.5)
    assert unvignetted_fraction(half, Field(0.0)) == pytest.approx(0.5, abs=0.01)
