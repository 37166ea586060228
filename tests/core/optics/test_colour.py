"""Colours of wavelengths."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.optics.colour import wavelength_to_rgb

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("nm", "rgb"),
    [
        (420, (0.5, 0, 1)), (460, (0, 0, 1)), (480, (0, 0.5, 1)), (500, (0, 1, 1)), (540, (0, 1, 0)), (580, (1, 1, 0)), (620, (1, 0, 0)),
        (660, (0.5, 0, 0)), (400, (0.25, 0, 0.5)), (379, (0, 0, 0)), (701, (0, 0, 0)),
    ],
)  # fmt: skip
def test_spectral_colours(nm, rgb):
    assert wavelength_to_rgb(nm) == pytest.approx(rgb)


def test_the_red_and_violet_of_a_scene_scale_the_spectrum():
    assert wavelength_to_rgb(1240.0, red=1240.0, violet=840.0) == pytest.approx((1, 0, 0))
    assert wavelength_to_rgb(840.0, red=1240.0, violet=840.0) == pytest.approx((0.5, 0, 1))
    assert wavelength_to_rgb(1080.0, red=1240.0, violet=840.0) == pytest.approx((0, 1, 0))
    assert wavelength_to_rgb(540.0, red=400.0, violet=700.0) == pytest.approx((0, 1, 0)), (
        "a reversed spectrum is not stretched"
    )


def test_many_wavelengths_at_once():
    assert wavelength_to_rgb(np.array([[540.0, 620.0]])).tolist() == [[[0, 1, 0], [1, 0, 0]]]


def by_the_formula(nm, red, violet):
    """The colour of a wavelength as the format defines it, between break points that move with the
    scene's red and violet.
    """

    def at(default):
        return violet + (default - 420) * (red - violet) / 200 if red > violet else default

    uv, violet_at, blue, cyan, green, yellow, red_at, infrared = (
        at(x) for x in (380, 420, 460, 500, 540, 580, 620, 700)
    )
    if uv <= nm < violet_at:
        return tuple(c * (nm - uv) / (violet_at - uv) for c in (0.5, 0, 1))
    if violet_at <= nm < blue:
        return 0.5 * (blue - nm) / (blue - violet_at), 0, 1
    if blue <= nm < cyan:
        return 0, (nm - blue) / (cyan - blue), 1
    if cyan <= nm < green:
        return 0, 1, (green - nm) / (green - cyan)
    if green <= nm < yellow:
        return (nm - green) / (yellow - green), 1, 0
    if yellow <= nm < red_at:
        return 1, (red_at - nm) / (red_at - yellow), 0
    if red_at <= nm <= infrared:
        return (infrared - nm) / (infrared - red_at), 0, 0
    return 0, 0, 0


@pytest.mark.parametrize(
    ("red", "violet"), [(620.0, 420.0), (1240.0, 840.0), (650.0, 400.0), (400.0, 700.0)]
)
def test_the_colours_of_81_wavelengths_are_those_of_the_format(red, violet):
    waves = np.linspace(360.0, 1360.0 if red > 1000 else 760.0, 81)
    want = [by_the_formula(nm, red, violet) for nm in waves.tolist()]
    assert wavelength_to_rgb(waves, red=red, violet=violet) == pytest.approx(
        np.array(want), abs=1e-12
    )
