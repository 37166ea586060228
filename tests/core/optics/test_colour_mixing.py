"""Accumulation of light in pixels, and the displayed colours."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from raybench.optics.colour import (
    MIXINGS,
    clipped_rgba,
    default_mode_light,
    default_mode_rgba,
    intensity_rgba,
    linear_ray_light,
    linear_rgba,
    ray_intensity,
    reinhard_rgba,
)
from raybench.scene.settings import COLOR_MODES

pytestmark = pytest.mark.quick


def test_a_ray_adds_light_in_proportion_to_its_power_and_keeps_its_hue() -> None:
    light = linear_ray_light([(1, 0.5, 0), (1, 0.5, 0), (0, 0, 0.5), (0, 0, 0)], [1, 3, 2, 5])
    assert_allclose(light, [(1, 0.5**2.2, 0), (3, 3 * 0.5**2.2, 0), (0, 0, 1), (0, 0, 0)])
    assert_allclose(linear_rgba(light[0]), (1, 0.5, 0, 1))
    assert_allclose(ray_intensity([(1, 0.5, 0), (0, 0, 0.5)], [3, 2]), [3, 1])


@pytest.mark.parametrize("show", [linear_rgba, clipped_rgba])
def test_faint_light_is_shown_by_the_screens_gamma_and_as_opaque_as_bright(show: object) -> None:
    assert_allclose(
        show([0.25, 0.1, 0]), (0.25 ** (1 / 2.2), 0.1 ** (1 / 2.2), 0, 0.25 ** (1 / 2.2))
    )  # type: ignore[operator]


def test_bright_light_keeps_its_hue_or_turns_white() -> None:
    assert_allclose(linear_rgba([4, 2, 0]), (1, 0.5 ** (1 / 2.2), 0, 1))
    assert_allclose(clipped_rgba([4, 2, 0]), (1, 1, 0, 1))


def test_the_default_mode_adds_plain_colours_and_keeps_their_hue_where_it_is_bright() -> None:
    light = default_mode_light([(1, 0.5, 0), (0, 0, 1)], [2, 0.5])
    assert_allclose(light, [(2, 1, 0), (0, 0, 0.5)])
    assert_allclose(default_mode_rgba(light), [(1, 0.5, 0, 1), (0, 0, 0.5, 0.5)])


def test_reinhard_never_reaches_white_and_keeps_hues() -> None:
    grey = reinhard_rgba(np.array([[1.0], [9.0], [1e6]]) * np.ones(3))
    assert_allclose(grey[:, 0] ** 2.2, [0.5, 0.9, 1 / (1 + 1e-6)])
    assert_allclose(grey[:, 3], 1)
    orange = reinhard_rgba([0.4, 0.1, 0])
    assert_allclose((orange[0] / orange[1]) ** 2.2, 4)
    assert_allclose(orange[0] ** 2.2, 0.4 / (1 + 0.2126 * 0.4 + 0.7152 * 0.1))


def test_intensities_have_one_colour_per_decade() -> None:
    got = intensity_rgba([1e9, 100, 10, 1, 0.1, 0.01, 1e-3, 1e-4, 1e-7, 0])
    want = [
        (1, 0, 0),
        (1, 0, 0),
        (1, 0.5, 0),
        (1, 1, 0),
        (0, 1, 0),
        (0, 1, 1),
        (0, 0, 1),
        (0.3, 0, 0.3),
        (0, 0, 0),
        (0, 0, 0),
    ]
    assert_allclose(got[:, :3], 0.8 * np.array(want), atol=1e-12)
    assert_allclose(got[:, 3], [1] * 8 + [0] * 2, atol=1e-12)
    assert_allclose(intensity_rgba(10**-0.5)[:3], (0.4, 0.8, 0), atol=1e-12)


@pytest.mark.parametrize("mode", MIXINGS)
def test_every_mode_shows_a_picture_and_darkness_is_transparent(mode: str) -> None:
    picture = np.zeros((4, 5) if mode == "colorizedIntensity" else (4, 5, 3))
    assert_allclose(MIXINGS[mode].displayed_color(picture), np.zeros((4, 5, 4)))
    assert tuple(MIXINGS) == COLOR_MODES


@pytest.mark.parametrize("mode", MIXINGS)
def test_negative_light_takes_away_what_is_there_and_no_more(mode: str) -> None:
    sums = (
        np.array([-3.0, -0.2, 0.7])
        if mode == "colorizedIntensity"
        else np.array([[-3, -1, -2], [-3, 0.4, 0.2], [0.5, -1, 0.1]])
    )
    assert_allclose(
        MIXINGS[mode].displayed_color(sums), MIXINGS[mode].displayed_color(np.maximum(sums, 0))
    )
    assert_allclose(MIXINGS[mode].displayed_color(sums)[0], np.zeros(4))
    assert MIXINGS[mode].displayed_color(sums).min() >= 0
