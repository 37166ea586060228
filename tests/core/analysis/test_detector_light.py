"""What meets a detector, against its own reading and closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from raybench.analysis.rays.detector_light import InvalidBins, light_at_detector
from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace

SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), irrad_map=True, bin_size=10, name="Screen")


def test_the_light_adds_up_to_the_detectors_own_reading() -> None:
    scene = Scene.of([SCREEN, PointSource(x=0, y=7, brightness=0.8)], Settings(ray_mode_density=2))
    result = trace(scene)
    light = light_at_detector(result, 0, SCREEN)
    (reading,) = result.detectors
    assert light.signed == pytest.approx(reading.power)
    assert light.irradiance.signed * 10 == pytest.approx(reading.bins)
    assert light.spectrum.sum() == pytest.approx(light.power)
    assert light.angles.power.sum() == pytest.approx(light.power)
    assert light.irradiance.rays.sum() == light.angles.rays.sum() == len(light.rows)


def test_inverse_distance_law() -> None:
    # in a plane a point source's light thins out as cos(θ)/r; rays are spaced evenly, so the error
    # is far below its estimate
    scene = Scene.of([SCREEN, PointSource(x=0, y=0, brightness=1)], Settings(ray_mode_density=20))
    light = light_at_detector(trace(scene), 0, SCREEN, bins=10)
    total = light.irradiance.power.sum() * 10
    edges = np.arctan(np.linspace(-50, 50, 11) / 100)
    share = np.diff(edges) / (edges[-1] - edges[0])
    off = np.abs(light.irradiance.power * 10 - total * share)
    assert (off <= light.irradiance.error * 10).all()
    assert off.max() < 0.01 * total


def test_sign_and_angle_of_the_normal() -> None:
    rising = SingleRay(p1=Point(0, 0), p2=Point(100, -math.tan(math.radians(12)) * 100))
    back = SingleRay(p1=Point(200, 5), p2=Point(150, 5))
    for ray, sign, low in ((rising, 1, 10), (back, -1, None)):
        light = light_at_detector(trace(Scene.of([SCREEN, ray])), 0, SCREEN)
        assert light.normal == (1, 0)
        assert (light.power, np.sign(light.signed)) == (1, sign)
        assert (light.angles.power.sum(), light.angles.signed.sum()) == (1, sign)
        (k,) = np.flatnonzero(light.angles.rays)
        # going up to the right is a positive angle; going straight back is 180°
        assert light.angles.edges[k] == (low if low is not None else light.angles.edges[k])
        if low is None:
            assert k in (0, len(light.angles.rays) - 1)
        assert light.error == pytest.approx(light.power)


def test_the_spectrum_has_a_line_for_each_wavelength() -> None:
    beams = [
        Beam(p1=Point(0, -20), p2=Point(0, 20), wavelength=w, brightness=0.3)
        for w in (450.0, 633.0)
    ]
    light = light_at_detector(
        trace(Scene.of([SCREEN, *beams], Settings(simulate_colors=True))), 0, SCREEN
    )
    assert light.wavelengths.tolist() == [450, 633]
    assert light.spectrum[0] == pytest.approx(light.spectrum[1])
    assert light.spectrum[0] > 0
    dark = light_at_detector(trace(Scene.of([SCREEN])), 0, SCREEN)
    assert (len(dark.wavelengths), dark.power, dark.irradiance.power.sum()) == (0, 0, 0)


def test_a_detector_without_length_sees_nothing() -> None:
    dot = Detector(p1=Point(100, 0), p2=Point(100, 0))
    light = light_at_detector(trace(Scene.of([dot, PointSource(x=0, y=0)])), 0, dot)
    assert (light.power, len(light.rows), len(light.irradiance.power), light.normal) == (
        0,
        0,
        0,
        (0, 0),
    )


@pytest.mark.parametrize("bins", [-1, 1.5, True, 20_000])
def test_bins_that_are_none_are_refused(bins: int) -> None:
    with pytest.raises(InvalidBins, match="bins is"):
        light_at_detector(trace(Scene.of([SCREEN])), 0, SCREEN, bins)


def test_billions_of_bins_make_no_map() -> None:
    screen = replace(SCREEN, bin_size=2e-9)
    result = trace(Scene.of([screen, PointSource(x=0, y=7)]))
    assert len(light_at_detector(result, 0, screen).irradiance.power) == 20
    assert result.detectors[0].bins is None


def test_normal_light_is_in_one_bin() -> None:
    # a beam and a detector that stand at the same odd angle: their computed angle is 1e-15 degrees
    # or so, of either sign
    c, s = math.cos(0.3), math.sin(0.3)
    beam = Beam(p1=Point(20 * s, -20 * c), p2=Point(-20 * s, 20 * c))
    tilted = Detector(
        p1=Point(90 * c + 50 * s, 90 * s - 50 * c), p2=Point(90 * c - 50 * s, 90 * s + 50 * c)
    )
    light = light_at_detector(
        trace(Scene.of([tilted, beam], Settings(ray_mode_density=2))), 0, tilted
    )
    assert np.flatnonzero(light.angles.rays).tolist() == [18]
    assert light.angles.edges[18] == 0
