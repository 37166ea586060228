"""Colours of wavelengths."""

from __future__ import annotations

import numpy as np
import pytest

from core.optics.colour import wavelength_to_rgb


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
    assert wavelength_to_rgb(540.0, red=400.0, violet=700.0) == pytest.approx((0, 1, 0)), "a reversed spectrum is not stretched"


def test_many_wavelengths_at_once():
    assert wavelength_to_rgb(np.array([[540.0, 620.0]])).tolist() == [[[0, 1, 0], [1, 0, 0]]]
