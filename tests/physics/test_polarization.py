"""The polarization of light: closed forms of elements, reflections and coatings, and what holds in
any scene.
"""

from __future__ import annotations

import cmath
import math
from random import Random

import numpy as np
import pytest
from tests.physics.random_scenes import bench

from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.energy import PowerChangeCause, audit_energy
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.polarizing_elements import Polarizer, PolarizingSplitter, Rotator, WavePlate
from raybench.kinds.sources import SingleRay
from raybench.materials.dispersion import LINE_D
from raybench.optics.laws import reflected_phase
from raybench.optics.polarization import polarization_ellipse
from raybench.optics.thin_films import film_stack_coherences, film_stack_fractions
from raybench.scene.changes import Coat, FinishEdge, apply_changes
from raybench.scene.coatings import coating_from_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction, Status
from raybench.trace.run import generations
from raybench.trace.trace import load_kernels, trace

LINEAR = Settings(color_mode="linear")


def across(kind, x, **about):
    """An element across the x axis whose angles are those of light to the right."""
    return kind(p1=Point(x, -10), p2=Point(x, 10), **about)


def ray(azimuth=None, **about):
    linear = {} if azimuth is None else {"polarization": "linear", "polarization_angle": azimuth}
    return SingleRay(**{"p1": Point(0, 0), "p2": Point(1, 0), **linear, **about})


def light(*objects, settings=LINEAR, **about):
    return trace(Scene.of(objects, settings), **about)


def stokes(result, row=-1):
    s, p = result.power[row]
    return np.array([s + p, s - p, *result.stokes[row]])


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0, 70.0, 90.0, 135.0])
def test_malus(angle):
    result = light(ray(30.0), across(Polarizer, 10, axis=30 + angle, leakage=1e-4))
    passed = math.cos(math.radians(angle)) ** 2
    assert result.total_power[-1] == pytest.approx(passed + 1e-4 * (1 - passed), rel=1e-12)
    assert result.ledger.absorbed == pytest.approx(1 - result.total_power[-1], rel=1e-12)


def test_a_polarizer_between_crossed_ones():
    crossed = [across(Polarizer, 10, axis=0), across(Polarizer, 30, axis=90)]
    assert light(ray(), *crossed).status.tolist() == [Status.CONTINUED, Status.ABSORBED]
    result = light(ray(), crossed[0], across(Polarizer, 20, axis=45), crossed[1])
    assert result.total_power[-1] == pytest.approx(1 / 8, rel=1e-12)


def test_quarter_wave_plates():
    """One makes right circular light, two turn linear light by 90 degrees, a mirror behind one sends
    it back so that the polarizer absorbs it.
    """
    plate = across(WavePlate, 10, fast_axis=0, achromatic=True)
    assert stokes(light(ray(-45.0), plate)) == pytest.approx([1, 0, 0, 1], abs=1e-12)
    two = light(ray(-45.0), plate, across(WavePlate, 20, fast_axis=0, achromatic=True))
    assert stokes(two) == pytest.approx([1, 0, 1, 0], abs=1e-12)
    isolated = light(ray(-45.0), across(Polarizer, 5, axis=-45), plate, across(Mirror, 30))
    assert isolated.status[-1] == Status.ABSORBED
    assert isolated.interaction[-1] == Interaction.POLARIZE


def test_a_plate_has_its_retardance_at_its_wavelength():
    plate = across(WavePlate, 10, retardance=0.5, wavelength=500.0)
    colours = Settings(color_mode="linear", simulate_colors=True)
    half = light(ray(45.0, wavelength=500.0), plate, settings=colours)
    quarter = light(ray(45.0, wavelength=1000.0), plate, settings=colours)
    assert stokes(half) == pytest.approx([1, 0, -1, 0], abs=1e-12)
    assert abs(stokes(quarter)[3]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("faraday", "azimuth"), [(False, 0.0), (True, 90.0)])
def test_light_on_its_way_back_is_turned_back_or_further(faraday, azimuth):
    result = light(ray(0.0), across(Rotator, 10, rotation=45, faraday=faraday), across(Mirror, 20))
    assert polarization_ellipse(result.power, result.stokes).azimuth[1] == pytest.approx(45)
    back = polarization_ellipse(result.power, result.stokes).azimuth[-1]
    assert abs(back) == pytest.approx(azimuth, abs=1e-9)


def test_a_polarizing_splitter():
    splitter = PolarizingSplitter(p1=Point(5, -5), p2=Point(15, 5), leakage=0.01)
    result = light(ray(30.0), splitter)
    s, p = math.cos(math.radians(30)) ** 2, math.sin(math.radians(30)) ** 2
    reflected, transmitted = (
        result.power[(result.depth == 1) & (abs(result.direction - angle) < 1)][0]
        for angle in (270, 0)
    )
    assert reflected == pytest.approx([0.99 * s, 0.01 * p])
    assert transmitted == pytest.approx([0.01 * s, 0.99 * p])


def test_a_fresnel_rhomb_delays_by_two_times_45_degrees():
    """At 54°37' in glass of 1.51 each total reflection delays by 45 degrees (Born & Wolf, 1.5.4)."""
    index, angle = 1.51, math.radians(54 + 37 / 60)
    delay = cmath.phase(complex(*reflected_phase(index, math.cos(angle))))
    assert abs(delay) == pytest.approx(math.pi / 4, abs=1e-3)
    # light goes perpendicularly through the end faces, and meets the long ones at the angle
    height, shift, length = 20.0, 20.0 / math.tan(angle), 40.0 * math.tan(angle)
    corners = (0, 0), (shift, -height), (shift + length, -height), (length, 0)
    glass = Glass(
        path=tuple(Vertex(*c) for c in corners),
        ref_index=index,
        cauchy_b=0.0,
        partial_reflect=False,
    )
    dx, dy = math.sin(angle), math.cos(angle)
    start = Point(shift / 2 - 5 * dx, -height / 2 - 5 * dy)
    source = ray(45.0, p1=start, p2=Point(start.x + dx, start.y + dy))
    result = light(source, glass)
    assert (result.interaction == Interaction.TIR).sum() == 2
    assert abs(stokes(result)[3]) == pytest.approx(1.0, abs=1e-6)


def test_the_phase_of_films_without_thickness_is_that_of_the_bare_surface():
    for n_in, n_out in ((1.0, 1.5), (1.5, 1.0)):
        cosines = np.linspace(0.01, 1, 60)
        at = n_in, n_out, [(1.3, 0.0)], 500.0, cosines
        of, films = film_stack_fractions(*at), film_stack_coherences(*at)
        bare = np.array([reflected_phase(n_in / n_out, c) for c in cosines.tolist()])
        size = np.sqrt(of[:, 0] * of[:, 1])[:, None]
        assert films[:, :2] == pytest.approx(size * bare, abs=1e-9)
        assert films[:, 2] == pytest.approx(np.sqrt(of[:, 2] * of[:, 3]), abs=1e-9)


def test_a_metal_mirror_makes_elliptic_light():
    mirror = Mirror(name="M", p1=Point(0, -30), p2=Point(20, 30))
    scene = Scene.of([ray(45.0), mirror], LINEAR)
    silver = {"metal": "Silver"}
    result = trace(apply_changes([Coat("M", coating=silver)], Document(scene=scene)))
    total, first, second, third = stokes(result)
    assert math.hypot(first, second, third) == pytest.approx(total, rel=1e-12)
    normal = math.atan2(20, 60)
    stack = (
        1.0,
        1.52,
        [(film.complex_index(LINE_D), film.nm) for film in coating_from_json(silver).films],
    )
    wanted = film_stack_coherences(*stack, LINE_D, math.cos(normal))
    assert (second, third) == pytest.approx((wanted[0], wanted[1]), abs=1e-4)


def test_a_polarizer_absorbs_what_it_does_not_pass_from_either_side():
    polarizer = across(Polarizer, 10, axis=30, transmittance=0.8, name="P")
    scene = Scene.of(
        [ray(50.0), polarizer, across(Rotator, 20, rotation=10, faraday=True), across(Mirror, 30)],
        LINEAR,
    )
    result = trace(scene)
    there, back = (0.8 * math.cos(math.radians(angle)) ** 2 for angle in (20, 20))
    taken = absorbed(Light(scene, result), scene.optical.index(polarizer))
    assert taken == pytest.approx(1 - there + there * (1 - back), rel=1e-12)
    assert taken == pytest.approx(result.ledger.absorbed, rel=1e-12)
    assert set(audit_energy(result).cause) <= {PowerChangeCause.BALANCED, PowerChangeCause.ABSORBED}


def test_scattered_light_is_unpolarized_and_what_is_left_of_the_beam_is_not():
    scene = Scene.of([ray(polarization="right circular"), across(Mirror, 10, name="M")], LINEAR)
    half = FinishEdge("M", with_={"scatter": "lambertian", "total": 0.5})
    result = trace(apply_changes([half], Document(scene=scene)))
    scattered = result.interaction == Interaction.SCATTER
    assert scattered.sum() > 1
    assert not result.stokes[scattered].any()
    (left,) = np.flatnonzero(result.interaction == Interaction.REFLECT)
    assert stokes(result, left) == pytest.approx([0.5, 0, 0, -0.5], abs=1e-12)


def polarizing_bench(seed):
    """A random scene of all kinds, with polarizing elements and polarized sources."""
    random, scene = Random(seed), bench(seed)
    kinds = [
        lambda **e: Polarizer(axis=random.uniform(-90, 90), leakage=random.choice([0, 0.01]), transmittance=0.9, **e),
        lambda **e: WavePlate(fast_axis=random.uniform(-90, 90), retardance=random.uniform(0, 1), **e),
        lambda **e: Rotator(rotation=random.uniform(-90, 90), faraday=random.random() < 0.5, **e),
        lambda **e: PolarizingSplitter(leakage=random.choice([0, 0.05]), **e),
    ]  # fmt: skip
    elements = []
    for make in kinds * 2:
        x, y, angle = random.uniform(-150, 150), random.uniform(-100, 100), random.uniform(0, 7)
        step = Point(30 * math.cos(angle), 30 * math.sin(angle))
        elements.append(make(p1=Point(x, y), p2=Point(x + step.x, y + step.y)))
    sources = [
        SingleRay(
            p1=Point(-190, random.uniform(-100, 100)), p2=Point(0, random.uniform(-50, 50)),
            polarization=random.choice(["linear", "right circular", "left circular"]),
            polarization_angle=random.uniform(-90, 90), polarization_degree=random.uniform(0, 1),
        )
        for _ in range(4)
    ]  # fmt: skip
    return scene.with_objects([*scene.objects, *elements, *sources])


@pytest.mark.parametrize("seed", range(12))
def test_power_is_conserved_and_no_light_is_polarized_by_more_than_all(seed):
    result = trace(polarizing_bench(seed), max_segments=3000)
    scale = result.ledger.supplied_power
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-9 * scale)
    s, p = result.power.T
    positive = (s >= 0) & (p >= 0)
    polarized = np.hypot(s - p, np.hypot(*result.stokes.T))[positive]
    assert (polarized <= (s + p)[positive] * (1 + 1e-12)).all()
    assert np.isfinite(result.stokes).all()


def test_rows_are_the_same_for_any_number_of_threads(monkeypatch):
    load_kernels()
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    scene = polarizing_bench(3)
    first = trace(scene, max_segments=20_000, threads=1)
    for threads in (2, 3, 8):
        other = trace(scene, max_segments=20_000, threads=threads)
        assert np.array_equal(first.stokes, other.stokes)
        assert np.array_equal(first.power, other.power)


def test_impossible_elements_have_no_effect_and_say_so():
    result = light(ray(45.0), across(Polarizer, 10, name="P", leakage=-0.5))
    assert len(result) == 1
    (warning,) = result.warnings
    assert "leakage is -0.5; give a fraction from 0 to 1" in warning.text
    colours = Settings(color_mode="linear", simulate_colors=True)
    dark = light(
        ray(45.0, wavelength=1e-300), across(WavePlate, 10, retardance=1e50), settings=colours
    )
    assert np.isfinite(dark.stokes).all()


def test_scenes_without_polarization_store_nothing():
    plain = light(ray(), across(Mirror, 10))
    assert plain.stokes.strides[0] == 0
    assert not plain.stokes.any()
    s_polarized = light(ray(0.0), across(Mirror, 10))
    assert s_polarized.stokes.strides[0] == 0
    assert s_polarized.power[0].tolist() == [1, 0]
