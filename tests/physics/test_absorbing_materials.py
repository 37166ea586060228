"""Materials that absorb: Beer and Lambert's law along straight rays, where bodies overlap, and
inside gradient-index bodies.
"""

import dataclasses
import math

import numpy as np
import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.profiles import power_flow, rms_through_focus
from raybench.analysis.rays.detector_light import light_at_detector
from raybench.analysis.rays.energy import audit_energy
from raybench.files.trace_npz import load_npz, save_npz
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.grin import GrinGlass
from raybench.kinds.sources import SingleRay
from raybench.materials.dispersion import Dispersion
from raybench.materials.material import AssignedMaterial, Material
from raybench.scene.changes.setting import SetDocument
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

ALPHA = 0.05
"""Absorption coefficient in 1/mm at 500 nm; twice that at 600 nm."""


def material(index: float = 1.5, alpha: float = ALPHA) -> AssignedMaterial:
    k = [
        (nm, alpha * times * nm * 1e-6 / (4 * math.pi))
        for nm, times in ((500.0, 1.0), (600.0, 2.0))
    ]
    return AssignedMaterial(
        Material("Filter glass", "glass", "", Dispersion("cauchy", (index,), 300, 900), tuple(k)),
        index,
        0.0,
    )


def made(kind, own: AssignedMaterial | None = None, **fields):
    own = own or material()
    return kind(assigned=own, ref_index=own.a, cauchy_b=0.0, partial_reflect=False, **fields)


def slab(
    left: float, right: float, own: AssignedMaterial | None = None, name: str = "Slab"
) -> Glass:
    corners = [(left, -50), (right, -50), (right, 50), (left, 50)]
    return made(Glass, own, name=name, path=tuple(Vertex(x, y) for x, y in corners))


def ray(
    y: float = 0.0,
    to: tuple[float, float] = (1.0, 0.0),
    wavelength: float = 500.0,
    x: float = -100.0,
) -> SingleRay:
    return SingleRay(p1=Point(x, y), p2=Point(x + to[0], y + to[1]), wavelength=wavelength)


def scene(*objects, colours: bool = True) -> Scene:
    return Scene.of(objects).with_settings(simulate_colors=colours, color_mode="linear")


SCREEN = Detector(name="Screen", p1=Point(100, -80), p2=Point(100, 80))


def arriving(result) -> float:
    return float(result.end_power[result.hit == 2].sum())


def test_power_decays_by_the_length_inside():
    result = trace(scene(ray(), slab(0, 20), SCREEN))
    assert result.total_power[result.hit == 2] == pytest.approx(math.exp(-20 * ALPHA), rel=1e-12)
    inside = result.parent == 0
    assert result.total_power[inside] == pytest.approx(1.0, rel=1e-12)
    assert result.total_arriving_power[inside] == pytest.approx(math.exp(-20 * ALPHA), rel=1e-12)
    assert result.ledger.absorbed == pytest.approx(1 - math.exp(-20 * ALPHA), rel=1e-12)
    assert abs(result.ledger.imbalance) < 1e-12
    assert audit_energy(result).is_valid


def test_each_wavelength_has_its_coefficient():
    result = trace(scene(ray(wavelength=600.0), slab(0, 20), SCREEN))
    assert arriving(result) == pytest.approx(math.exp(-40 * ALPHA), rel=1e-12)


def test_an_oblique_ray_takes_the_longer_way():
    result = trace(scene(ray(-50.0, to=(1, 0.5)), slab(0, 20), SCREEN))
    inner = math.asin(math.sin(math.atan2(0.5, 1)) / 1.5)
    assert arriving(result) == pytest.approx(math.exp(-ALPHA * 20 / math.cos(inner)), rel=1e-12)


@pytest.mark.parametrize(("unit", "per_mm"), [("cm", 10), ("m", 1000), ("µm", 1e-3)])
def test_the_unit_of_the_scene_counts(unit, per_mm):
    own = material(alpha=ALPHA / per_mm)
    assert arriving(trace(scene(ray(), slab(0, 20, own), SCREEN), unit=unit)) == pytest.approx(
        math.exp(-20 * ALPHA), rel=1e-12
    )


def test_coefficients_of_bodies_that_overlap_add():
    document = Document(
        scene=scene(ray(), slab(0, 20), SCREEN, slab(10, 40, material(1.2, 0.01), "Other"))
    )
    result = trace(document.scene)
    assert arriving(result) == pytest.approx(math.exp(-20 * ALPHA - 30 * 0.01), rel=1e-12)
    light = Light.from_document(document, result)
    assert absorbed(light, 1) + absorbed(light, 3) == pytest.approx(
        result.ledger.absorbed, rel=1e-12
    )
    before = math.exp(-10 * ALPHA)
    shared = before * (1 - math.exp(-10 * (ALPHA + 0.01)))
    assert absorbed(light, 1) == pytest.approx(
        1 - before + shared * ALPHA / (ALPHA + 0.01), rel=1e-12
    )


def test_touching_bodies_share_their_surface():
    result = trace(scene(ray(), slab(0, 20), SCREEN, slab(20, 30, material(1.7, 0.02), "Next")))
    assert arriving(result) == pytest.approx(math.exp(-20 * ALPHA - 10 * 0.02), rel=1e-12)


def test_inside_a_gradient_index_body_too():
    rod = GrinGlass(
        name="Rod", path=tuple(Vertex(x, y) for x, y in ((-10, -60), (30, -60), (30, 60), (-10, 60))), ref_index_fn="1+0.0001x^2",
        absorption_fn="0.01", partial_reflect=False,
    )  # fmt: skip
    result = trace(scene(ray(), slab(0, 20), SCREEN, rod))
    assert arriving(result) == pytest.approx(math.exp(-20 * ALPHA - 40 * 0.01), rel=1e-9)
    assert abs(result.ledger.imbalance) < 1e-9


def test_a_source_inside_a_body_and_light_that_is_reflected_totally():
    ball = made(CircleGlass, name="Ball", p1=Point(0, 0), p2=Point(10, 0))
    document = Document(scene=scene(ray(x=-9.0, to=(0.0, 1.0)), ball, SCREEN))
    result = trace(
        dataclasses.replace(
            document.scene, settings=dataclasses.replace(document.scene.settings, max_ray_depth=30)
        )
    )
    powers = result.total_power[result.hit == 1]
    assert (result.interaction == Interaction.TIR).sum() == 30
    chord = 2 * math.sqrt(100 - 81)
    assert powers[2] / powers[1] == pytest.approx(math.exp(-ALPHA * chord), rel=1e-9)


@pytest.mark.parametrize("x", [-100.0, 5.0])
def test_light_that_does_not_come_out_of_a_half_plane_is_absorbed(x):
    below = made(PlaneGlass, name="Below", p1=Point(0, 1), p2=Point(0, -1))
    document = Document(scene=scene(ray(x=x), below))
    result = trace(document.scene)
    assert result.end_power[-1].sum() == 0
    assert x > 0 or result.end_power[0].sum() == 1
    assert result.ledger.absorbed == pytest.approx(1.0)
    assert result.ledger.escaped == 0
    assert absorbed(Light.from_document(document, result), 1) == pytest.approx(1.0)


def test_without_colours_the_d_line_counts():
    result = trace(scene(ray(), slab(0, 20), SCREEN, colours=False))
    assert arriving(result) == pytest.approx(
        math.exp(-20 * float(material().material.absorption(587.5618))), rel=1e-12
    )


def test_a_clear_material_leaves_no_columns_and_a_file_keeps_the_power_at_ends(tmp_path):
    clear = trace(scene(ray(), slab(0, 20, material(alpha=0.0)), SCREEN))
    assert clear.end_power.base is clear.power.base
    result = trace(scene(ray(), slab(0, 20), SCREEN))
    save_npz(result, tmp_path / "light.npz")
    assert np.array_equal(load_npz(tmp_path / "light.npz").end_power, result.end_power)


def test_an_edited_scene_is_traced_as_a_new_one():
    memory, first = TraceMemory(), scene(ray(), slab(0, 20), SCREEN)
    trace(first, memory=memory)
    moved = first.with_objects([first.objects[0], slab(0, 3), SCREEN])
    assert arriving(trace(moved, memory=memory)) == pytest.approx(math.exp(-3 * ALPHA), rel=1e-12)
    assert arriving(trace(moved, memory=memory, unit="cm")) == pytest.approx(
        math.exp(-30 * ALPHA), rel=1e-12
    )


def test_the_same_rows_for_any_number_of_threads():
    rays = [ray(y, (1.0, 0.01 * y)) for y in np.linspace(-40, 40, 300)]
    whole = scene(
        *rays, slab(0, 20), made(CircleGlass, name="Ball", p1=Point(40, 0), p2=Point(60, 0))
    )
    one, two = (trace(whole, threads=n) for n in (1, 2))
    assert np.array_equal(one.power, two.power)
    assert np.array_equal(one.end_power, two.end_power)


def test_a_change_of_the_unit_is_traced_again_where_a_material_absorbs(open_window):
    from raybench_workbench.shot import wait_until_settled

    window = open_window(Document(scene=scene(ray(), slab(0, 2), SCREEN)))
    window.document.apply(SetDocument(unit="cm"))
    wait_until_settled(window)
    assert arriving(window.document.result) == pytest.approx(math.exp(-20 * ALPHA), rel=1e-12)


def test_in_the_flow_of_power_it_ends_at_the_body_that_absorbs():
    document = Document(
        scene=scene(ray(), ray(y=-60.0), slab(0, 20), slab(40, 50, name="Second"), SCREEN)
    )
    flow = power_flow(Light.from_document(document, trace(document.scene)))
    taken = dict(zip(flow.ends, flow.power.T.tolist(), strict=True))
    first, both = math.exp(-20 * ALPHA), math.exp(-30 * ALPHA)
    assert taken == {
        "escapes": pytest.approx([both, 1]),
        "Slab": pytest.approx([1 - first, 0]),
        "Second": pytest.approx([first - both, 0]),
    }


def test_a_spot_is_weighed_by_the_light_that_arrives():
    rays = [ray(y, to=(1, slope)) for y, slope in ((0.0, 0.0), (-30.0, 0.4), (20.0, 0.1))]
    screen = Detector(name="Screen", p1=Point(20, -80), p2=Point(20, 80))
    document = Document(scene=scene(*rays, slab(0, 60), screen))
    result = trace(document.scene)
    index = document.scene.optical.index(
        screen := next(o for o in document.scene.optical if isinstance(o, Detector))
    )
    spot = rms_through_focus(result, screen, light_at_detector(result, index, screen))
    assert spot is not None
    assert spot.best == pytest.approx(measure_values("defocus(Screen)", document, result)[0].value)
    assert spot.least == pytest.approx(
        measure_values("least_rms(Screen)", document, result)[0].value
    )
