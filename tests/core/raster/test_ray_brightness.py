"""The brightness of a scene in pixels, beside closed forms."""

import numpy as np
import pytest

import raybench as rb
from raybench.library.objects import InvalidArgument


def test_a_beam_is_as_bright_as_its_power_in_a_pixel() -> None:
    """The beam is 10 wide, of 40 pixels; a horizontal ray adds its power to each column once."""
    scene = rb.Scene(
        rb.Beam("Beam", width=10, at=(-30, 0), brightness=0.5),
        ray_mode_density=0.2,
        color_mode="linear",
    )
    power = float(scene.trace().rays.power.sum())
    refined = scene.brightness((0, -10, 20, 10), 80, error=0.005)
    assert refined.error <= 0.005
    assert refined.light.shape == (80, 80, 3)
    green = refined.light[..., 1]
    assert green.sum(axis=0) == pytest.approx(np.full(80, power), rel=1e-4)
    inside = green[25:55]
    assert inside == pytest.approx(np.full(inside.shape, power / 40), rel=0.03)
    assert not green[:15].any()


def test_single_rays_have_no_more_light_to_show() -> None:
    scene = rb.Scene(rb.SingleRay("Ray", at=(0, 0)))
    with pytest.raises(InvalidArgument, match="all draws"):
        scene.brightness()
