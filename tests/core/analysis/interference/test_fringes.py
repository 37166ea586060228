"""Interferometers as users draw them, beside their closed forms (Hecht, chapters 9 and 12)."""

from __future__ import annotations

from math import asin, atan, cos, exp, inf, pi, radians, sin, sqrt, tan

import numpy as np
import pytest

from raybench.analysis.interference.jones import jones_amplitudes
from raybench.analysis.interference.surface_phases import phases_at_starts
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.light import Light
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.polarizing_elements import Polarizer, Rotator, WavePlate
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.scene.coatings import SUBSTRATE_INDEX, Film, FilmStack
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace

NM = 540e-6
"""The wavelength in mm of light without a wavelength."""


def document(*objects, density=10.0, mode="default", colours=False, **about):
    settings = Settings(ray_mode_density=density, color_mode=mode, simulate_colors=colours)
    return Document(scene=Scene.of(objects, settings), **about)


def fringes(*objects, at="Screen", **about):
    traced = document(*objects, **about)
    light = Light.from_document(traced, trace(traced))
    index = next(i for i, o in enumerate(traced.scene.optical) if o.name == at)
    return light.fringes(index)


def beam(x, y, width, angle, **about):
    """A beam about a centre, ``angle`` radians below the direction to the right."""
    dx, dy = cos(angle) * width / 2, sin(angle) * width / 2
    return Beam(p1=Point(x + dy, y - dx), p2=Point(x - dy, y + dx), **about)


def screen(x, low, high):
    return Detector(name="Screen", p1=Point(x, low), p2=Point(x, high))


def block(left, top, right, bottom, n=1.5, slope=0.0, **about):
    """A plate of glass, whose lower side falls to the right by ``slope``."""
    low = slope * (right - left) / 2
    corners = (left, top), (right, top), (right, bottom + low), (left, bottom - low)
    path = tuple(Vertex(*c) for c in corners)
    return Glass(path=path, ref_index=n, cauchy_b=0.0, **about)


def interferometer(tilt=0.0, difference=0.0, **about):
    """Mach and Zehnder's, with a mirror turned by ``tilt`` degrees."""
    half, turned = 30 * sqrt(2), pi / 4 + radians(tilt)
    c, s = half * cos(turned), half * sin(turned)
    return (
        Beam(name="Laser", p1=Point(-60, -5), p2=Point(-60, 5), **about),
        BeamSplitter(name="Entrance", p1=Point(0, -30), p2=Point(60, 30)),
        Mirror(name="Right", p1=Point(230 - c + difference, -s), p2=Point(230 + c + difference, s)),
        Mirror(name="Lower", p1=Point(0, 170), p2=Point(60, 230)),
        BeamSplitter(name="Exit", p1=Point(200, 170), p2=Point(260, 230)),
        Detector(name="A", p1=Point(330, 180), p2=Point(330, 220)),
        Detector(name="B", p1=Point(210, 290), p2=Point(250, 290)),
    )


@pytest.mark.quick
def test_two_beams_have_the_spacing_and_contrast_of_their_angle_and_powers():
    angle = radians(0.1)
    beams = [
        beam(0, 0, 4, sign * angle, brightness=power, coherence_group="laser")
        for sign, power in ((1, 0.5), (-1, 0.125))
    ]
    found = fringes(*beams, screen(50, -1, 1))
    assert found.spacing == pytest.approx(NM / (2 * sin(angle)), rel=1e-6)
    assert found.contrast == pytest.approx(2 * sqrt(0.25) / 1.25, rel=1e-6)
    assert found.incoherent == pytest.approx(0.625 / cos(angle), rel=1e-3)
    apart = [beam(0, 0, 4, sign * angle) for sign in (1, -1)]
    assert "coherence group" in fringes(*apart, screen(50, -1, 1)).reason


def test_two_slits():
    slits = [
        AngleSource(p1=Point(0, y), p2=Point(1, y), emis_angle=2, coherence_group="slits")
        for y in (-0.25, 0.25)
    ]
    found = fringes(*slits, screen(1000, -5, 5), density=100.0)
    assert found.spacing == pytest.approx(NM * 1000 / 0.5, rel=3e-5)
    assert found.contrast == pytest.approx(1, abs=1e-6)
    assert np.abs(found.bright - 5).min() == pytest.approx(0, abs=1e-4), "bright in the middle"


def test_a_mirror_at_grazing_incidence_is_dark_at_its_edge():
    source = AngleSource(p1=Point(0, -0.2), p2=Point(1, -0.2), emis_angle=1)
    mirror = Mirror(p1=Point(20, 0), p2=Point(480, 0))
    found = fringes(source, mirror, screen(500, 0, -2), density=100.0)
    half = NM * 500 / (2 * 0.2) / 2
    assert found.bright[:3] == pytest.approx([half, 3 * half, 5 * half], rel=2e-5)
    glass = block(20, 0, 480, 300, slope=0.2)  # what goes in does not come back alongside
    seen = fringes(source, glass, screen(500, 0, -2), density=100.0, mode="linear")
    assert seen.bright[:3] == pytest.approx([half, 3 * half, 5 * half], rel=3e-4)


def test_a_biprism_has_the_fringes_of_its_two_images():
    angle, n = radians(0.5), 1.5
    source = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=2)
    corners = (100, -10), (100 + 10 * tan(angle), 0), (100, 10)
    prism = Glass(path=tuple(Vertex(*c) for c in corners), ref_index=n, cauchy_b=0.0)
    found = fringes(source, prism, screen(600, -1, 1), density=100.0)
    # for paraxial rays the images are a (n - 1) α above and below the source
    assert found.spacing == pytest.approx(NM * 600 / (2 * 100 * (n - 1) * angle), rel=2e-3)
    assert found.contrast == pytest.approx(1, abs=1e-3)


def test_what_one_port_loses_the_other_gains():
    for place in np.linspace(0, NM / 2, 5):
        both = [fringes(*interferometer(difference=place), at=port).power for port in "AB"]
        # the way by this mirror is longer by its displacement
        assert both[0] == pytest.approx(5 * cos(pi * place / NM) ** 2, abs=5e-3)
        assert sum(both) == pytest.approx(5, abs=1e-2)
    tilted = [fringes(*interferometer(0.005), at=port) for port in "AB"]
    for found in tilted:
        assert found.spacing == pytest.approx(NM / sin(radians(0.01)), rel=1e-6)
    assert sum(found.power for found in tilted) == pytest.approx(5, rel=1e-5)


@pytest.mark.parametrize("length", [3.0, 12.0])
def test_contrast_falls_with_the_difference_of_the_arms(length):
    t = radians(0.02)
    dx, dy = 15 * sin(t), 15 * cos(t)
    found = fringes(
        beam(-60, 0, 8, 0, coherence_length=length),
        BeamSplitter(p1=Point(-15, 15), p2=Point(15, -15)),
        Mirror(p1=Point(-15, -80), p2=Point(15, -80)),
        Mirror(p1=Point(83 + dx, -dy), p2=Point(83 - dx, dy)),
        Detector(name="Screen", p1=Point(-20, 60), p2=Point(20, 60)),
    )
    assert found.spacing == pytest.approx(NM / sin(2 * t), rel=1e-5)
    assert found.contrast == pytest.approx(exp(-((6 / length) ** 2)), rel=2e-3)


@pytest.mark.parametrize("angle", [10.0, 10.1, 9.95])
def test_all_reflections_in_a_plate_interfere(angle):
    """Airy's formula, of as many reflections as are traced (Born & Wolf, section 7.6.1)."""
    i = radians(angle)
    r = asin(sin(i) / 1.5)
    light = beam(-20 * sin(i), -50, 40, pi / 2 - i)
    found = fringes(
        light,
        block(-20, 0, 20, 3),
        Detector(name="Screen", p1=Point(-1, 30), p2=Point(1, 30)),
        mode="linear",
    )
    r_s, r_p = (sin(r - i) / sin(r + i)) ** 2, (tan(i - r) / tan(i + r)) ** 2
    phase = 2 * pi / NM * 1.5 * 3 * cos(r)
    airy = sum(1 / (1 + 4 * R / (1 - R) ** 2 * sin(phase) ** 2) for R in (r_s, r_p)) / 2
    assert found.power == pytest.approx(airy * cos(i), rel=5e-3)


@pytest.mark.parametrize("mode", ["default", "linear"])
def test_newton_s_rings(mode):
    radius, gap = 5000.0, NM / 2
    at = [(-6, -6), (6, -6), (6, -gap - 36 / 2 / radius), (0, -gap), (-6, -gap - 36 / 2 / radius)]
    corners = [Vertex(x, y, arc=x == 0) for x, y in at]
    found = fringes(
        Beam(p1=Point(5, -20), p2=Point(-5, -20), coherence_length=0.3),
        Glass(path=tuple(corners), ref_index=1.5, cauchy_b=0.0),
        block(-20, 0, 20, 30, n=1.6),
        Detector(name="Screen", p1=Point(-5, -7), p2=Point(5, -7)),
        density=30.0,
        mode=mode,
    )
    rings = found.bright[found.bright > 5] - 5
    assert rings[:3] == pytest.approx([sqrt((m + 0.5) * NM * radius) for m in range(3)], rel=4e-3)


def test_the_orders_of_a_grating_interfere_at_half_its_spacing():
    orders = {"custom_brightness": True, "brightnesses": (0.0, 0.5, 0.5), "line_density": 500.0}
    found = fringes(
        Beam(p1=Point(-20, -2), p2=Point(-20, 2)),
        DiffractionGrating(p1=Point(0, -5), p2=Point(0, 5), **orders),
        screen(1, -0.05, 0.05),
        density=200.0,
        mode="linear",
    )
    assert found.spacing == pytest.approx(1e-3, rel=1e-6)
    assert found.contrast == pytest.approx(1, rel=1e-6)


def test_a_collimated_source_has_the_fringes_of_a_beam():
    def of(*sources):
        return fringes(*sources, *interferometer(0.005)[1:], at="A").bright

    lamp = AngleSource(p1=Point(-160, 0), p2=Point(-150, 0), emis_angle=8)
    lens = IdealLens(p1=Point(-60, -5.3), p2=Point(-60, 5.3), focal_length=100)
    plane = of(Beam(p1=Point(-60, -5), p2=Point(-60, 5)))
    assert of(lamp, lens) == pytest.approx(plane, abs=2e-3)


@pytest.mark.parametrize("width", [0.02, 0.2, 0.4])
def test_a_wide_source_loses_contrast(width):
    """Each of its points is a source of its own (Born & Wolf, section 10.4.2)."""
    t = radians(0.05)
    dx, dy = 15 * sin(t), 15 * cos(t)
    y = width / 2
    found = fringes(
        Beam(p1=Point(-60, -y), p2=Point(-60, y), emis_angle=4, brightness=100),
        BeamSplitter(p1=Point(-15, 15), p2=Point(15, -15)),
        Mirror(p1=Point(-15, -80), p2=Point(15, -80)),
        Mirror(p1=Point(80 + dx, -dy), p2=Point(80 - dx, dy)),
        Detector(name="Screen", p1=Point(-3, 60), p2=Point(3, 60)),
        density=60.0,
        mode="linear",
    )
    # the mirror is half-way, so that fringes move by as much as the point that makes them
    assert found.spacing == pytest.approx(NM / t, rel=1e-4)
    assert found.contrast == pytest.approx(np.sinc(width * t / NM), abs=5e-3)


def test_behind_a_focus_a_wave_is_a_quarter_of_a_period_ahead():
    first, second = (
        AngleSource(p1=Point(x, 0), p2=Point(x + 1, 0), emis_angle=8, coherence_group="one")
        for x in (-100, 100)
    )
    relay = IdealLens(p1=Point(0, -20), p2=Point(0, 20), focal_length=50)
    found = fringes(first, relay, second, screen(300, -3, 3), density=20.0)
    # both waves leave the place of the image, one of them after a path of 200
    ratio = found.irradiance / found.incoherent
    assert ratio == pytest.approx(1 + cos(2 * pi * 200 / NM - pi / 2), rel=1e-3)


def test_a_film_shifts_the_phase():
    """A film of the index of air lets the surface below it lie deeper."""

    def power(index, deeper):
        objects = interferometer(difference=deeper * sqrt(2))
        film = FilmStack((Film(index=index, thickness=100.0),))
        coatings = {objects[2].key: {0: film}}
        return fringes(*objects, at="A", coatings=coatings, mode="linear", colours=True).power

    assert power(1.0, 0.0) == pytest.approx(power(SUBSTRATE_INDEX, 100e-6), rel=1e-3)
    assert abs(power(1.0, 0.0) - power(SUBSTRATE_INDEX, 0.0)) > 0.1


def test_total_reflections_in_a_rhomb_delay_s_and_p_apart():
    """Fresnel's rhomb (Born & Wolf, section 1.5.4): the phase of p less that of s."""
    n, angle = 1.51, radians(54.6167)
    prism = block(0, 0, 100, 50, n=n)
    ray = SingleRay(name="Ray", p1=Point(20, 10), p2=Point(20 + sin(angle), 10 - cos(angle)))
    result = trace(document(ray, prism, mode="linear"))
    (row,) = np.flatnonzero(result.interaction == Interaction.TIR)[:1]
    ((s, p),) = phases_at_starts(result, np.array([row]), {})
    half = cos(angle) * sqrt(sin(angle) ** 2 - 1 / n**2) / sin(angle) ** 2
    assert (s - p) % (2 * pi) == pytest.approx(2 * atan(half), abs=1e-6)
    assert 2 * atan(half) == pytest.approx(pi / 4, abs=1e-4)


def test_rays_that_are_too_far_apart_for_the_fringes_are_refused():
    def objects(density):
        near = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=60, coherence_group="one")
        plane = Beam(p1=Point(0, -20), p2=Point(0, 20), coherence_group="one")
        return document(near, plane, screen(40, -0.5, 15), density=density)

    few, many = objects(0.2), objects(4.0)
    (refused,) = measure_values("fringe_contrast(Screen)", few, trace(few))
    assert "too far apart" in refused.reason
    assert "times as many" in refused.reason
    (read,) = measure_values("fringe_contrast(Screen)", many, trace(many))
    assert read.defined
    ray = document(SingleRay(name="Ray", p1=Point(0, 0), p2=Point(1, 0)), screen(9, -1, 1))
    (alone,) = measure_values("coherent_power(Screen)", ray, trace(ray))
    assert "'Ray' is one ray" in alone.reason


def cavity(reflectance, cutoff, depth=inf):
    """A cavity of two beam splitters at a maximum of its transmission, of power 4."""
    length, share = NM * 2500.25, 1 - reflectance
    objects = (
        Beam(p1=Point(-5, -2), p2=Point(-5, 2), brightness=1),
        BeamSplitter(p1=Point(0, -5), p2=Point(0, 5), trans_ratio=share),
        BeamSplitter(p1=Point(length, -5), p2=Point(length, 5), trans_ratio=share),
        screen(10, -4, 4),
    )
    settings = Settings(
        ray_mode_density=2.0,
        color_mode="linear",
        numerical_tolerances={"rayPowerCutoff": cutoff},
        max_ray_depth=depth,
    )
    made = Document(scene=Scene.of(objects, settings))
    (power,) = measure_values("coherent_power(Screen)", made, trace(made))
    return power


def test_a_cavity_transmits_all_light_of_its_maximum_or_the_measure_says_what_is_missing():
    all_waves = cavity(0.95, 1e-9)
    assert all_waves.value == pytest.approx(4, rel=1e-3)
    assert not all_waves.note
    few, larger = "choose a smaller rayPowerCutoff", "raise the largest depth"
    cases = (0.9, 1e-6, inf, few), (0.98, 1e-6, inf, few), (0.9, 1e-9, 30, larger)
    for reflectance, cutoff, depth, remedy in cases:
        strong_waves = cavity(reflectance, cutoff, depth)
        missing = float(strong_waves.note.split()[2])
        assert missing == pytest.approx(100 * (1 - strong_waves.value / 4), rel=0.05)
        assert remedy in strong_waves.note


def test_a_random_source_forms_no_wavefront():
    beams = [
        beam(0, 0, 4, sign * radians(0.03), name=name, random=random, coherence_group="one")
        for sign, name, random in ((1, "A", True), (-1, "B", False))
    ]
    traced = document(*beams, screen(50, -1, 1))
    spacing, power = measure_values(
        "fringe_spacing(Screen); coherent_power(Screen)", traced, trace(traced)
    )
    remedy = "The rays of 'A' are random, so that they have no neighbours and form no wavefront"
    assert remedy in spacing.reason
    assert remedy in power.note
    alone = document(beams[0], screen(50, -1, 1))
    (refused,) = measure_values("coherent_power(Screen)", alone, trace(alone))
    assert remedy in refused.reason


@pytest.mark.parametrize(
    ("polarization", "axes", "analyzer", "contrast"),
    [
        ("unpolarized", (0, 90), None, None),
        ("unpolarized", (45, -45), None, None),
        ("unpolarized", (45, -45), 0, None),
        ("unpolarized", (30, 30), None, 1),
        ("linear", (45, -45), None, None),
        ("linear", (45, -45), 0, 1),
    ],
)
def test_the_laws_of_fresnel_and_arago(polarization, axes, analyzer, contrast):
    """Perpendicular components interfere only if they come from one polarized light and are brought
    to one direction again (Hecht, section 9.1).
    """
    angle = radians(0.1)
    objects = []
    for sign, axis in zip((1, -1), axes, strict=True):
        light = beam(
            0, 5 * sign, 4, -sign * angle, coherence_group="one", polarization=polarization
        )
        plate = Polarizer(p1=Point(5, 5 * sign - 4), p2=Point(5, 5 * sign + 4), axis=axis)
        objects += [light, plate]
    x = 5 / tan(angle)
    if analyzer is not None:
        objects.append(Polarizer(p1=Point(x - 50, -9), p2=Point(x - 50, 9), axis=analyzer))
    found = fringes(*objects, screen(x, -1, 1), mode="linear")
    if contrast is None:
        assert np.abs(found.irradiance - found.incoherent).max() < 1e-9
    else:
        assert found.contrast == pytest.approx(contrast, abs=1e-4)


def test_the_amplitudes_of_polarized_light_have_the_powers_of_the_trace():
    objects = (
        beam(0, 0, 4, 0.1, polarization="linear", polarization_angle=20, polarization_degree=0.7),
        WavePlate(p1=Point(5, -9), p2=Point(5, 9), fast_axis=30, retardance=0.2),
        block(10, -9, 30, 9),
        Rotator(p1=Point(40, -9), p2=Point(40, 15), rotation=25),
        BeamSplitter(p1=Point(50, -9), p2=Point(60, 15)),
        Polarizer(p1=Point(70, -20), p2=Point(70, 20), axis=50, leakage=0.1),
        Mirror(p1=Point(80, -20), p2=Point(85, 30)),
    )
    result = trace(document(*objects, mode="linear"))
    rows = np.arange(len(result))
    steps = np.flatnonzero(result.parent >= 0)
    phases = np.zeros((len(result), 2))
    phases[steps] = phases_at_starts(result, steps, {})
    modes = jones_amplitudes(result, rows, phases).reshape(-1, 2, 2)
    assert (np.abs(modes) ** 2).sum(axis=1) == pytest.approx(result.end_power, abs=1e-12)
    coherence = 2 * (modes[..., 0] * modes[..., 1].conj()).sum(axis=1)
    assert coherence.real == pytest.approx(result.end_stokes[:, 0], abs=1e-12)
    assert coherence.imag == pytest.approx(result.end_stokes[:, 1], abs=1e-12)
