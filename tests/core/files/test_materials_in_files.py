"""Materials in files: frozen in a document, the best fit of Cauchy's formula in a plain scene and a
link.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from raybench.errors import SceneFileError
from raybench.files.document_file import (
    document_from_json,
    document_to_json,
    load_document,
    save_document,
)
from raybench.files.plain_scene import plain_scene
from raybench.files.shared import link_from_scene, read_shared
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.sources import SingleRay
from raybench.materials.catalogue import shipped_materials
from raybench.materials.dispersion import fit_cauchy_formula
from raybench.materials.material import material_from_json, material_to_json
from raybench.scene.changes import SetMaterial, SetSettings, apply_changes
from raybench.scene.document import Document
from raybench.scene.materials import current_material
from raybench.scene.parameters.parameter import read_parameter
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.study.experiment import Experiment

WAVES = (420.0, 530.0, 680.0)


def bench(material: str = "SF11") -> Document:
    rays = [
        SingleRay(p1=Point(-100, i), p2=Point(-90, i), wavelength=w) for i, w in enumerate(WAVES)
    ]
    ball = CircleGlass(name="Ball", p1=Point(0, 0), p2=Point(30, 0))
    return apply_changes(
        SetMaterial("Ball", material),
        Document(scene=Scene.of([*rays, ball], Settings(simulate_colors=True))),
    )


def ball_of(document: Document) -> CircleGlass:
    found = next(o for o in document.scene.objects if o.name == "Ball")
    assert isinstance(found, CircleGlass)
    return found


@pytest.mark.parametrize("name", shipped_materials())
def test_every_material_survives_json(name: str) -> None:
    material = shipped_materials()[name]
    assert material_from_json(json.loads(json.dumps(material_to_json(material)))) == material


def test_a_document_keeps_name_source_and_formula(tmp_path: Path) -> None:
    made = bench()
    save_document(made, tmp_path / "a.raybench")
    data = json.loads((tmp_path / "a.raybench").read_text(encoding="utf-8"))
    (row,) = data["materials"].values()
    assert (row["name"], row["formula"], bool(row["source"])) == ("SF11", "sellmeier-squared", True)
    loaded = ball_of(load_document(tmp_path / "a.raybench"))
    assert current_material(loaded) == current_material(ball_of(made))
    assert loaded.uniform_index(480.0) == ball_of(made).uniform_index(480.0)


def test_the_frozen_formula_counts_not_the_catalogue() -> None:
    data = document_to_json(bench())
    (row,) = data["materials"].values()
    row |= {"name": "My melt", "formula": "cauchy", "coefficients": [1.7, 0.01, -2]}
    loaded = ball_of(document_from_json(json.loads(json.dumps(data))))
    assert loaded.uniform_index(500.0) == pytest.approx(1.74, abs=1e-12)


def test_a_document_edited_by_hand_has_the_index_written_there() -> None:
    data = json.loads(json.dumps(document_to_json(bench())))
    data["scene"]["objs"][-1]["refIndex"] = 1.6
    assert current_material(ball_of(document_from_json(data))) is None


def test_a_document_without_materials_does_not_mention_them() -> None:
    document = apply_changes(SetMaterial("Ball"), bench())
    assert "materials" not in document_to_json(document)
    assert not plain_scene(document).left_out
    assert "materials" not in document_to_json(
        apply_changes(SetMaterial("Ball"), document_from_json(document_to_json(bench())))
    )


@pytest.mark.parametrize(
    "spoiled",
    [
        {"formula": "magic"},
        {"coefficients": "x"},
        {"range": [1]},
        {"refIndex": None},
        {"coefficients": [float("nan")]},
        {"extinction": 3},
    ],
)
def test_a_spoiled_material_is_one_clear_line(spoiled: dict[str, object]) -> None:
    data = document_to_json(bench())
    (row,) = data["materials"].values()
    row |= spoiled
    with pytest.raises(SceneFileError, match=r"'materials'"):
        document_from_json(data)


def test_a_plain_scene_has_the_best_fit_at_the_wavelengths_it_has_now(tmp_path: Path) -> None:
    made = apply_changes(SetSettings({"simulateColors": False}), bench())
    again = apply_changes(
        SetSettings({"simulateColors": True}), apply_changes(SetMaterial("Ball", "SF11"), made)
    )
    assert ball_of(again).cauchy_b == 0.0, "assigned without colours"
    assert plain_scene(again).left_out
    save_document(again, tmp_path / "a.json")
    fit = fit_cauchy_formula(shipped_materials()["SF11"].dispersion, WAVES)
    for plain in (
        load_document(tmp_path / "a.json"),
        read_shared(link_from_scene(plain_scene(again).scene)).document,
    ):
        assert (ball_of(plain).ref_index, ball_of(plain).cauchy_b) == pytest.approx(
            (fit.a, fit.b), rel=1e-12
        )
        assert current_material(ball_of(plain)) is None


def test_studies_take_the_material_to_other_processes() -> None:
    document = bench()
    experiment = Experiment.build(document, [read_parameter("Ball.x", document)], "power(Ball)")
    there = pickle.loads(pickle.dumps(experiment)).document
    assert current_material(ball_of(there)) == current_material(ball_of(document))


@pytest.mark.parametrize(
    "wrong",
    [
        {"formula": "resonance", "coefficients": [1.0]},
        {"formula": "lorentz-lorenz", "coefficients": [0.3, 0.1]},
        {"extinction": [[0.9, 1e-6], [0.3, 1e-2]]},
        {"extinction": [[0.5, "nan"]]},
    ],
)
def test_a_document_with_a_material_that_has_no_index_is_refused_in_a_line(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    data = document_to_json(bench())
    for row in data["materials"].values():
        row.update(wrong)
    (tmp_path / "a.raybench").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(SceneFileError, match="annotations cannot be read") as refused:
        load_document(tmp_path / "a.raybench")
    assert "\n" not in str(refused.value)
