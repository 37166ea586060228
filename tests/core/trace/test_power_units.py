"""Powers in the unit of the document: what sources emit, what is followed, and what is read."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from raybench.files.document_file import document_from_json, document_to_json
from raybench.files.plain_scene import plain_scene
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.library.scene import Scene as Library
from raybench.optics.photometry import luminous_efficiency
from raybench.raster.coloring import COLORINGS
from raybench.scene.changes import ChangeRefused, Coat, FinishEdge, Set, SetDocument, apply_changes
from raybench.scene.document import Document
from raybench.scene.modules.module import Module
from raybench.scene.parameters.parameter import read_parameter
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.run.emission import strongest_ray_power
from raybench.trace.trace import trace

SOURCES = (
    SingleRay(name="S", p1=Point(0, 0), p2=Point(5, 0)),
    PointSource(name="S", x=0, y=0),
    AngleSource(name="S", p1=Point(0, 0), p2=Point(5, 0), emis_angle=30),
    Beam(name="S", p1=Point(0, -7), p2=Point(0, 7)),
    Beam(name="S", p1=Point(0, -7), p2=Point(0, 7), emis_angle=20, lambert=True),
    Beam(name="S", p1=Point(0, -7), p2=Point(0, 7), random=True),
)
BALL = CircleGlass(name="Ball", p1=Point(40, 0), p2=Point(55, 0))


def bench(*sources, unit="W", colours=True):
    scene = Scene.of([*sources, BALL], Settings(simulate_colors=colours, ray_mode_density=5.0))
    return Document(scene=scene, power_unit=unit)


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.type)
def test_the_rays_of_a_source_carry_its_power_and_a_form_sets_it(source):
    document = apply_changes(Set("S", {"power": "2500 W"}), bench(source))
    assert document.scene.objects[0].power == pytest.approx(2500)
    assert trace(document).ledger.emitted == pytest.approx(2500, rel=1e-12)
    relative = apply_changes(Set("S", {"power": 0.02}), bench(source, unit="relative"))
    wanted, emitted = relative.scene.objects[0].power, trace(relative).ledger.emitted
    assert wanted == pytest.approx(0.02)
    assert emitted == pytest.approx(0.02, rel=0.05), "as near as the number of rays lets it"


@pytest.mark.parametrize("power", [1e-9, 1.0, 1e6])
def test_weak_light_is_followed_alike_for_any_power(power):
    document = bench(SOURCES[3])
    one = trace(apply_changes(Set("S", {"power": 1}), document))
    other = trace(apply_changes(Set("S", {"power": power}), document))
    assert len(other) == len(one) > 200
    np.testing.assert_allclose(other.power, power * one.power, rtol=1e-9)
    np.testing.assert_allclose(other.drawn_power, one.drawn_power, rtol=1e-9)
    assert other.drawn_power.max() == 1


def test_light_in_lumens_is_weighted_by_the_eye():
    blue, red = (
        SingleRay(name=name, p1=Point(0, y), p2=Point(5, y), wavelength=nm, brightness=2)
        for name, y, nm in (("Blue", 1, 450), ("Red", 3, 650))
    )
    result = trace(bench(blue, red, unit="lm"))
    ledger, lumens = result.ledger, 2 * 683 * (0.038 + 0.107)
    assert ledger.emitted == pytest.approx(lumens)
    assert ledger.imbalance == pytest.approx(0, abs=1e-9)
    assert trace(bench(blue, unit="lm")).ledger.emitted == pytest.approx(2 * 683 * 0.038)
    plain = trace(bench(blue, unit="lm", colours=False))
    assert plain.ledger.emitted == pytest.approx(2 * 683)
    assert "assume 555 nm" in plain.warnings[0].text


@pytest.mark.parametrize(
    "at_wall",
    [
        FinishEdge("Wall", values={"reflectance": 0.05, "rays": 4}),
        Coat("Wall", coating={"reflectance": 0.7, "absorbed": 0.3}),
    ],
    ids=["paint", "coating"],
)
def test_edges_absorb_lumens_of_several_wavelengths(at_wall):
    of_kind = Mirror if isinstance(at_wall, Coat) else Blocker
    wall = of_kind(name="Wall", p1=Point(20, -20), p2=Point(20, 20))
    rays = [
        SingleRay(name=f"{nm}", p1=Point(0, y), p2=Point(5, y), wavelength=nm)
        for y, nm in ((1, 550), (3, 600))
    ]
    settings = Settings(simulate_colors=True, color_mode="linear")
    document = Document(scene=Scene.of([*rays, wall], settings), power_unit="lm")
    ledger = trace(apply_changes(at_wall, document)).ledger
    lumens = 683 * luminous_efficiency([550, 600]).sum()
    share = 0.3 if of_kind is Mirror else 0.95
    assert ledger.emitted == pytest.approx(lumens)
    assert ledger.absorbed == pytest.approx(share * lumens)
    assert ledger.truncated == pytest.approx(0, abs=1e-9 * lumens)
    assert ledger.imbalance == pytest.approx(0, abs=1e-9 * lumens)


def test_the_eye_sees_from_380_to_780_nm_and_best_at_555():
    nm = np.arange(300, 900)
    assert nm[luminous_efficiency(nm).argmax()] == 555
    assert set(luminous_efficiency([379, 781])) == {0.0}
    # the integral of the CIE 1931 observer's y
    assert np.sum(luminous_efficiency(nm)) == pytest.approx(106.857, abs=0.01)


def test_measures_and_files_have_the_unit():
    scene = Library.of(apply_changes(Set("S", {"power": 3}), bench(SOURCES[3])))
    assert str(scene.measure("emitted()")) == "3 W = emitted()"
    again = document_from_json(document_to_json(scene.document))
    assert again.power_unit == "W"
    assert trace(again).power_unit == "W"
    milli = scene.trace().measure("emitted()")
    assert milli.unit == "W"
    assert document_to_json(Document()).keys() & {"powerUnit"} == set()


def test_studies_vary_the_power():
    document = bench(SOURCES[1])
    parameter = read_parameter("S.power", document)
    assert parameter.unit_text(document) == "W"
    assert parameter.value_in_document(document) == 250
    brighter = apply_changes(parameter.change(500.0), document)
    assert brighter.scene.objects[0].brightness == 1


def test_impossible_powers_are_refused_with_the_name():
    with pytest.raises(ChangeRefused, match=r"'S'.*power must be at least 0"):
        apply_changes(Set("S", {"power": -1}), bench(SOURCES[0]))
    with pytest.raises(ChangeRefused, match=r"'S'.*no extent"):
        apply_changes(Set("S", {"emisAngle": 0, "power": 1}), bench(SOURCES[2]))
    with pytest.raises(ChangeRefused, match="is in 'mW'; give a number without a unit"):
        apply_changes(Set("S", {"power": "3 mW"}), bench(SOURCES[0], unit="relative"))
    with pytest.raises(ChangeRefused, match="power unit must be one of relative, W"):
        apply_changes(SetDocument(power_unit="hp"), bench(SOURCES[0]))


def test_a_plain_scene_has_relative_powers_that_its_rays_can_carry():
    two = Beam(name="T", p1=Point(0, 20), p2=Point(0, 27), brightness=900)
    document = bench(
        apply_changes(Set("S", {"power": 800}), bench(SOURCES[3])).scene.objects[0], two
    )
    scene, left_out = plain_scene(document)
    there, here = trace(scene), trace(document)
    assert there.ledger.unsent == pytest.approx(0, abs=1e-9)
    shares = [r.total_power[r.parent < 0] / r.ledger.emitted for r in (there, here)]
    np.testing.assert_allclose(shares[0], shares[1], rtol=1e-2)
    assert math.isclose(there.total_power.max(), 1.0, rel_tol=1e-2)
    assert left_out[-1].startswith("Powers are relative: 1 is ")


def test_a_plain_scene_names_the_modules_whose_sources_keep_their_powers():
    lamp = {"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 5, "y": 0}, "brightness": 0.5}
    rack = Module.from_json("Rack", {"numPoints": 0, "params": [], "vars": [], "objs": [lamp]})
    document = bench(SOURCES[0], replace(SOURCES[1], brightness=1e-3))
    scene = document.scene.with_objects(
        [*document.scene.objects, ModuleObj(module="Rack", points=())]
    )
    document = replace(document, scene=scene.with_modules({"Rack": rack}))
    plain, left_out = plain_scene(document)
    before, after = (strongest_ray_power(s) for s in (document.scene, plain))
    assert after == before
    assert left_out[-1].endswith("not relative, for parts of modules are sources: Rack 1.")


def test_weak_light_has_its_polarization():
    linear = replace(SOURCES[0], polarization="linear", polarization_angle=30.0, brightness=1e-11)
    result = trace(bench(linear))
    assert result.power[0].sum() == pytest.approx(1e-11)
    assert result.degree_of_polarization[0] == pytest.approx(1)
    assert result.polarization_ellipse.azimuth[0] == pytest.approx(30)
    bright = trace(bench(replace(linear, brightness=1.0)))
    for name in ("polarisation", "azimuth", "circular", "degree"):
        weak, strong = (COLORINGS[name].color(r, Settings()).rgb for r in (result, bright))
        np.testing.assert_allclose(weak, strong)
