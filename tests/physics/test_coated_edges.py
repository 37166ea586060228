"""Light at coated edges: the kernels' tables beside the films computed directly, and the ledger."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.energy import PowerChangeCause, audit_energy
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Coat, apply_changes
from raybench.scene.coatings import coating_catalogue, coating_from_json
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.compilation.machine_code import ENTRY_POINTS
from raybench.trace.run import generations
from raybench.trace.tables.coated_edges import LARGEST_ERROR, _edge_table
from raybench.trace.trace import trace

GLASS, MGF2 = 1.52, "MgF2 quarter wave 550"
STACK = {
    "films": [{"index": 2.1, "extinction": 0.02, "thickness": 90}, {"index": 1.38, "thickness": 70}]
}


def block(x0, x1, name, index=GLASS):
    corners = (Vertex(x0, -500), Vertex(x1, -500), Vertex(x1, 500), Vertex(x0, 500))
    return Glass(name=name, path=corners, ref_index=index, cauchy_b=0.0)


def ray(angle, start=(-1.0, 0.0), wavelength=550.0):
    """A ray that meets the line x = 0 or leaves it, at ``angle`` degrees from the x axis."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    x, y = start
    return SingleRay(name="Ray", p1=Point(x, y), p2=Point(x + c, y + s), wavelength=wavelength)


def document(*objects, changes=(), colours=True):
    scene = Scene.of(objects, Settings(simulate_colors=colours, color_mode="linear"))
    return apply_changes(list(changes), Document(scene=scene))


def balanced(result):
    ledger = result.ledger
    there = ledger.emitted + ledger.resampled + ledger.gained
    gone = ledger.escaped + ledger.absorbed + ledger.truncated + ledger.alive
    assert gone == pytest.approx(there, rel=1e-9)
    return ledger


def split(result, row=0):
    """The powers of the children of a row, by interaction, as fractions of s and p."""
    children = np.flatnonzero(result.parent == row)
    return {
        Interaction(int(result.interaction[k])): result.power[k] / result.power[row]
        for k in children
    }


@pytest.mark.parametrize("coating", [MGF2, STACK, {"reflectance": 0.25, "absorbed": 0.1}])
@pytest.mark.parametrize("angle", [0.0, 37.3, 81.9])
def test_rays_split_as_the_films_say_from_both_sides(coating, angle):
    direct = coating_from_json(coating)
    cosine = np.cos(np.radians([angle]))
    outside = document(block(0, 90, "B"), ray(angle), changes=[Coat("B", "W", coating)])
    result = trace(outside)
    r_s, r_p, t_s, t_p = direct.fractions(550.0, 1.0, GLASS, cosine, False)[0]
    found = split(result)
    assert found[Interaction.REFLECT] == pytest.approx([r_s, r_p], abs=1e-4)
    assert found[Interaction.REFRACT] == pytest.approx([t_s, t_p], abs=1e-4)
    balanced(result)
    inside = document(block(-90, 0, "B"), ray(angle), changes=[Coat("B", "E", coating)])
    r_s, r_p, t_s, t_p = direct.fractions(550.0, 1.0, GLASS, cosine, True)[0]
    found = split(trace(inside))
    if t_s > 0:
        assert found[Interaction.REFLECT] == pytest.approx([r_s, r_p], abs=1e-4)
        assert found[Interaction.REFRACT] == pytest.approx([t_s, t_p], abs=1e-4)
    else:
        assert found[Interaction.TIR] == pytest.approx([r_s, r_p], abs=1e-4)


def test_a_mirror_absorbs_what_its_metal_does_not_reflect():
    mirrored = document(
        Mirror(name="M", p1=Point(0, -500), p2=Point(0, 500)), ray(60.0), changes=[Coat("M", coating="Silver")]
    )  # fmt: skip
    result = trace(mirrored)
    r_s, r_p, *_ = coating_catalogue()["Silver"][0].fractions(
        550.0, 1.0, GLASS, np.array([0.5]), False
    )[0]
    assert split(result)[Interaction.REFLECT] == pytest.approx([r_s, r_p], abs=1e-4)
    assert balanced(result).absorbed == pytest.approx(1 - (r_s + r_p) / 2, abs=1e-4)


def test_silvered_glass_reflects_as_a_whole():
    silvered = document(block(0, 90, "B"), ray(20.0), changes=[Coat("B", "W", {"metal": "Silver"})])
    result = trace(silvered)
    assert [Interaction(int(i)) for i in result.interaction] == [
        Interaction.SOURCE,
        Interaction.REFLECT,
    ]
    assert balanced(result).absorbed == pytest.approx(1 - result.power[1].sum(), abs=1e-9)


def test_of_cemented_bodies_either_edge_may_be_coated():
    for name, edge in (("A", "E"), ("B", "W")):
        cemented = document(
            block(-90, 0, "A", 1.7), block(0, 90, "B", 1.7), ray(45.0, wavelength=633.0),
            changes=[Coat(name, edge, "Polarizing cube 633")],
        )  # fmt: skip
        found = split(trace(cemented, max_segments=100))
        assert found[Interaction.REFLECT] == pytest.approx([1, 0], abs=0.01)
        assert found[Interaction.REFRACT] == pytest.approx([0, 1], abs=0.01)


def test_a_coating_beyond_its_wavelengths_is_told_and_has_no_effect():
    coated = document(
        block(0, 90, "B"), ray(0.0), changes=[Coat("B", "W", {"table": {
            "angles": [0], "wavelengths": [500, 600], "Rs": [[0.5], [0.5]]}})],
    )  # fmt: skip
    assert split(trace(coated))[Interaction.REFLECT] == pytest.approx([0.5, 0.5])
    scene = coated.scene.with_objects(
        [o if o.title != "Ray" else ray(0.0, wavelength=700.0).with_key_of(o) for o in coated.scene.objects]
    )  # fmt: skip
    result = trace(coated.with_scene(scene))
    assert split(result)[Interaction.REFLECT][0] == pytest.approx(((GLASS - 1) / (GLASS + 1)) ** 2)
    told = result.warnings[0].text
    assert told.startswith("'B' (glass): the coating")
    assert "edge W" in told
    assert "500 to 600 nm" in told


def test_without_colours_the_d_line_counts():
    coated = document(block(0, 90, "B"), ray(0.0), changes=[Coat("B", "W", MGF2)], colours=False)
    expected = coating_catalogue()[MGF2][0].fractions(587.5618, 1.0, GLASS, np.ones(1), False)[0, 0]
    assert split(trace(coated))[Interaction.REFLECT][0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", coating_catalogue())
def test_the_error_of_the_tables_is_below_the_stated_one(name):
    rng = np.random.default_rng(5)
    coating = coating_catalogue()[name][0]
    for wave in (480.0, 633.0, 900.0):
        for outward in (False, True):
            table = _edge_table(coating, wave, 1.0, GLASS, outward, False, False)
            cosines = rng.uniform(0, 1, 3000)
            exact = coating.fractions(wave, 1.0, GLASS, cosines, outward)
            found = np.column_stack([np.interp(cosines, table[:, 0], v) for v in table.T[1:]])
            assert np.abs(found - exact).max() < 2 * LARGEST_ERROR
            assert len(table) < 5_000
            assert (table[:, 1:] >= 0).all()
            assert (table[:, 1:3] + table[:, 3:] < 1 + 1e-9).all()


def busy():
    """A document with much coated glass, and beams of three colours."""
    rng = np.random.default_rng(11)
    names = sorted(coating_catalogue())
    objects = [
        CircleGlass(name=f"C{i}", p1=Point(x, y), p2=Point(x + 12, y), ref_index=1.5 + 0.01 * i)
        for i, (x, y) in enumerate(rng.uniform(-150, 150, (20, 2)).tolist())
    ]
    walls = [Point(-200, -200), Point(200, -200), Point(200, 200), Point(-200, 200)]
    objects += [Mirror(name=f"M{i}", p1=walls[i], p2=walls[i - 1]) for i in range(4)]
    objects += [
        Beam(name=f"S{w}", p1=Point(-180, -40), p2=Point(-180, 40), wavelength=w, brightness=0.5)
        for w in (480.0, 550.0, 633.0)
    ]
    changes = [Coat(f"C{i}", coating=names[i % len(names)]) for i in range(20)]
    changes += [Coat(f"M{i}", coating="Protected silver") for i in range(4)]
    scene = Scene.of(
        objects, Settings(simulate_colors=True, ray_mode_density=0.4, max_ray_depth=12)
    )
    return apply_changes(changes, Document(scene=scene))


def test_the_ledger_balances_and_rows_are_the_same_for_any_number_of_threads(monkeypatch):
    busy_document = busy()
    one = trace(busy_document, threads=1)
    assert len(one) > 3_000
    ledger = balanced(one)
    assert ledger.absorbed > 0.01 * ledger.emitted
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    for threads in (2, 3, 8):
        other = trace(busy_document, threads=threads)
        for column in ("p1", "power", "hit", "edge", "interaction", "parent", "status"):
            np.testing.assert_array_equal(getattr(one, column), getattr(other, column))


def test_kernels_that_are_not_compiled_give_the_same_rows(monkeypatch):
    busy_document = busy()
    compiled = trace(busy_document, max_source_rays=9, max_segments=300)
    for kernel in ENTRY_POINTS.values():
        monkeypatch.setattr(kernel, "code", None)
    plain = trace(busy_document, max_source_rays=9, max_segments=300, threads=1, at_once=True)
    assert len(plain) == 300
    for column in ("hit", "edge", "interaction", "parent", "status"):
        np.testing.assert_array_equal(getattr(plain, column), getattr(compiled, column))
    np.testing.assert_allclose(plain.power, compiled.power, rtol=1e-9, atol=1e-15)


def test_measures_and_the_audit_know_what_coatings_absorb():
    result = trace(busy())
    audit = audit_energy(result)
    assert audit.is_valid
    assert -audit.change_by_cause(PowerChangeCause.ABSORBED) > 0.01
    light = Light(result.scene, result)
    by_object = [
        absorbed(light, i) for i, o in enumerate(result.scene.optical) if o.title[0] in "CM"
    ]
    assert sum(by_object) == pytest.approx(result.ledger.absorbed, rel=1e-6)


@pytest.mark.parametrize("coating", [STACK, {"reflectance": 0.25, "absorbed": 0.1}])
@pytest.mark.parametrize("angle", [20.0, 200.0])
def test_a_coated_beam_splitter_splits_as_its_films_say_from_both_sides(coating, angle):
    splitter = BeamSplitter(name="S", p1=Point(0, -500), p2=Point(0, 500))
    start = (-1.0, 0.0) if angle < 90 else (1.0, 0.0)
    scene = document(splitter, ray(angle, start), changes=[Coat("S", coating=coating)])
    result = trace(scene)
    way = result.p2 - result.p1
    outward = bool(way[0] @ np.array(labelled_edges(splitter)[0].normal) > 0)
    cosine = np.array([abs(np.cos(np.radians(angle)))])
    expected = coating_from_json(coating).fractions(550.0, 1.0, 1.0, cosine, outward)[0]
    found = {
        bool(way[k] @ way[0] > 0.99 * np.hypot(*way[k]) * np.hypot(*way[0])): result.power[k]
        for k in (1, 2)
    }
    assert found[False] * 2 == pytest.approx(expected[:2], abs=1e-4)
    assert found[True] * 2 == pytest.approx(expected[2:], abs=1e-4)
    lost = 1 - expected.sum() / 2
    assert balanced(result).absorbed == pytest.approx(lost, abs=1e-4)
    assert absorbed(Light.from_document(scene, result), 0) == pytest.approx(lost, abs=1e-4)


def test_different_media_along_a_coated_edge_are_told():
    below = Glass(name="Half", cauchy_b=0.0, ref_index=1.7, path=(
        Vertex(0, 0), Vertex(90, 0), Vertex(90, 500), Vertex(0, 500)))  # fmt: skip
    coated = document(block(-90, 0, "A"), below, ray(5.0), changes=[Coat("A", "E", MGF2)])
    (told,) = [w.text for w in trace(coated).warnings]
    assert "more than one medium outside along edge E (index 1 to 1.7)" in told
    alone = document(block(-90, 0, "A"), ray(5.0), changes=[Coat("A", "E", MGF2)])
    assert not trace(alone).warnings
