"""Materials of the catalogue in the tracer: their published dispersion formulas, at the wavelengths
of the sources.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.sources import SingleRay
from raybench.materials.catalogue import material_named, search_materials
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F, Dispersion
from raybench.materials.material import AssignedMaterial, Material
from raybench.scene.changes import Move, Set, SetMaterial, SetSettings, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

APEX = math.radians(45.0)
BK7 = (1.03961212, 0.00600069867, 0.231792344, 0.0200179144, 1.01046945, 103.560653)
"""B1, C1, B2, C2, B3, C3 of N-BK7 as Schott's data sheet has them; C in µm²."""
GLASSES = [m.name for m in search_materials(family="glass") if m.v_d is not None][:24]
HALF, BASE = 100.0 * math.sin(APEX / 2), 100.0 * math.cos(APEX / 2)
PRISM = Glass(
    path=(Vertex(0, 0), Vertex(HALF, BASE), Vertex(-HALF, BASE)),
    name="Prism",
    partial_reflect=False,
)
INCIDENCE = math.radians(40.0)


def sellmeier(nm: float) -> float:
    w = (nm * 1e-3) ** 2
    return math.sqrt(1 + sum(b * w / (w - c) for b, c in zip(BK7[::2], BK7[1::2], strict=True)))


def deviation(n: float) -> float:
    """Of a prism, by Snell's law (Hecht, eq. 5.53)."""
    s = math.sin(INCIDENCE)
    return (
        INCIDENCE + math.asin(math.sin(APEX) * math.sqrt(n * n - s * s) - s * math.cos(APEX)) - APEX
    )


def ray(nm: float) -> SingleRay:
    at, slope = Point(-HALF / 3, BASE / 3), APEX / 2 - INCIDENCE
    return SingleRay(
        p1=Point(at.x - 50 * math.cos(slope), at.y - 50 * math.sin(slope)), p2=at, wavelength=nm
    )


def bench(*waves: float, colours: bool = True) -> Document:
    return Document(scene=Scene.of([*map(ray, waves), PRISM], Settings(simulate_colors=colours)))


def deviations(scene: Scene, memory: TraceMemory | None = None) -> list[float]:
    """Of each source's ray, in the order of the sources, rad."""
    result, out = trace(scene, memory=memory), []
    for i in np.unique(result.source).tolist():
        rows = np.flatnonzero(result.source == i)
        assert len(rows) == 3
        first, last = (result.p2[k] - result.p1[k] for k in (rows[0], rows[2]))
        out.append(math.atan2(last[1], last[0]) - math.atan2(first[1], first[0]))
    return out


def test_a_prism_of_n_bk7_turns_the_lines_f_d_and_c_by_snell_s_law_with_schott_s_formula() -> None:
    lines = (LINE_F, LINE_D, LINE_C)
    made = apply_changes(SetMaterial("Prism", "N-BK7"), bench(*lines)).scene
    assert deviations(made) == pytest.approx([deviation(sellmeier(nm)) for nm in lines], abs=1e-9)
    prism = made.objects[-1]
    assert isinstance(prism, Glass)
    off = [abs(prism.ref_index + prism.cauchy_b / (nm * 1e-3) ** 2 - sellmeier(nm)) for nm in lines]
    assert max(off) > 1e-5, "the fit in the file is not that good: the tracer does not use it"


@pytest.mark.parametrize("name", GLASSES)
def test_light_finds_the_index_and_the_abbe_number_of_the_catalogue(name: str) -> None:
    """From the deviations of the three lines, the index by inverting Snell's law."""
    turned = deviations(
        apply_changes(SetMaterial("Prism", name), bench(LINE_D, LINE_F, LINE_C)).scene
    )
    s, out = math.sin(INCIDENCE), [math.sin(t - INCIDENCE + APEX) for t in turned]
    d, f, c = (math.sqrt(s * s + ((o + s * math.cos(APEX)) / math.sin(APEX)) ** 2) for o in out)
    material = material_named(name)
    assert d == pytest.approx(material.n_d, abs=1e-9)
    assert (d - 1) / (f - c) == pytest.approx(material.v_d, abs=1e-6)


def test_twenty_glasses_are_tried() -> None:
    assert len(GLASSES) >= 20


def test_without_colours_the_index_is_that_of_the_d_line() -> None:
    made = apply_changes(
        [SetMaterial("Prism", "N-BK7"), SetSettings({"simulateColors": False})], bench(400.0, 700.0)
    ).scene
    assert deviations(made) == pytest.approx([deviation(sellmeier(LINE_D))] * 2, abs=1e-9)


def test_overlapping_and_many_bodies_have_each_their_own_material() -> None:
    names = ["N-BK7", "SF11", "Water"]
    balls = [
        CircleGlass(
            p1=Point(100.0 * k, 0), p2=Point(100.0 * k + 30, 0), name=f"B{k}", partial_reflect=False
        )
        for k in range(30)
    ]
    light = SingleRay(p1=Point(-100, 10), p2=Point(-90, 10), wavelength=500.0, name="Light")
    document = Document(scene=Scene.of([light, *balls], Settings(simulate_colors=True)))
    made = apply_changes(
        [SetMaterial([f"B{k}" for k in range(j, 29, 3)], names[j]) for j in range(3)], document
    )
    expected = [
        replace(b, ref_index=float(material_named(names[k % 3]).index(500.0)), cauchy_b=0.0)
        for k, b in enumerate(balls[:29])
    ]
    plain = trace(Scene.of([light, *expected, balls[29]], Settings(simulate_colors=True)))
    exact = trace(made.scene)
    assert len(exact) == len(plain)
    assert np.allclose(exact.p2, plain.p2, atol=1e-9)


def test_a_hand_edited_index_is_the_one_that_light_meets() -> None:
    made = apply_changes(SetMaterial("Prism", "N-BK7"), bench(LINE_D)).scene
    edited = made.with_objects(
        [
            replace(o, ref_index=1.7, cauchy_b=0.0) if isinstance(o, Glass) else o
            for o in made.objects
        ]
    )
    assert deviations(edited) == pytest.approx([deviation(1.7)], abs=1e-12)


def test_a_memory_notices_another_material_and_another_wavelength() -> None:
    memory, document = TraceMemory(), bench(LINE_D)
    for name, nm in (("N-BK7", LINE_D), ("SF11", LINE_D), ("SF11", 450.0), ("N-BK7", 450.0)):
        source = document.scene.objects[0].key
        document = apply_changes(
            [SetMaterial("Prism", name), Set(source, {"wavelength": nm})], document
        )
        n = float(material_named(name).index(nm))
        assert deviations(document.scene, memory) == pytest.approx([deviation(n)], abs=1e-9), (
            name,
            nm,
        )
    moved = apply_changes(Move("Prism", dy=0.001), document)
    assert deviations(moved.scene, memory) == pytest.approx(
        [deviation(float(material_named("N-BK7").index(450.0)))], abs=1e-9
    )


def test_light_beyond_the_range_of_the_data_meets_the_fit_and_is_warned_of() -> None:
    data = Material("Own", "glass", "measured", Dispersion("cauchy", (1.5, 0.01, -2), 400.0, 700.0))
    own = AssignedMaterial(data, 1.6, 0.0)
    scene = Scene.of(
        [ray(500.0), ray(800.0), replace(PRISM, assigned=own, ref_index=1.6, cauchy_b=0.0)],
        Settings(simulate_colors=True),
    )
    assert deviations(scene) == pytest.approx([deviation(1.54), deviation(1.6)], abs=1e-9)
    (warning,) = trace(scene).warnings
    assert "'Prism'" in warning.text
    assert "400 to 700 nm, not 800 nm" in warning.text
