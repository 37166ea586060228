"""Studies as a script or a notebook writes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.core.study.scenes import lens_scene

from raybench.files.document_file import save_document
from raybench.kinds.decorations import CropBox
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.study.experiment import InvalidSeed
from raybench.study.notebook import optimise, sweep, tolerance
from raybench.study.tolerance import InvalidTolerance


def test_a_study_takes_a_file_or_a_document_and_texts(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    save_document(lens_scene(), scene)
    assert sweep(str(scene), ["Screen.x=0,20"], "rms(Screen)").rows[1, 1] == pytest.approx(
        0, abs=1e-9
    )
    assert optimise(scene, ["Screen.x=-50..50"], ["least rms(Screen)"]).values[0] == pytest.approx(
        20, abs=1e-6
    )
    assert "Document(" not in repr(optimise(scene, ["Screen.x=-50..50"], ["least rms(Screen)"])), (
        "what a notebook shows is no scene"
    )
    found = tolerance(
        lens_scene(), ["Screen.x±1"], ["rms(Screen)"], limits=["rms(Screen) < 9"], samples=5
    )
    assert found.table.rows.shape == (5, 2)
    assert found.yields[0].share == 1
    assert found.sensitivities[0].slope(0) < 0
    assert "function" not in repr(found), "nor how a measure is computed"


def test_one_text_stands_for_a_list_of_one() -> None:
    scene, box, goal = lens_scene(), "Screen.x=-50..50", "least rms(Screen)"
    assert (
        sweep(scene, "Screen.x=0,20", "rms(Screen)").rows
        == sweep(scene, ["Screen.x=0,20"], ["rms(Screen)"]).rows
    ).all()
    assert optimise(scene, box, goal).values == optimise(scene, [box], [goal]).values
    found = tolerance(
        scene,
        "Screen.x±1",
        "rms(Screen)",
        limits="rms(Screen) < 9",
        adjust="Screen.y=-1..1",
        goals=goal,
        samples=2,
    )
    assert len(found.yields) == 1


def test_a_study_takes_a_scene_and_any_iterable_of_texts() -> None:
    document, measures = lens_scene(), ["rms(Screen)", "width(Screen)"]
    wanted = sweep(document, ["Screen.x=0,20"], measures).rows
    assert (
        sweep(document.scene, (f"Screen.x={values}" for values in ["0,20"]), iter(measures)).rows
        == wanted
    ).all()
    assert (sweep(document, "Screen.x=0,20", "rms(Screen); width(Screen)").rows == wanted).all()
    assert tolerance(document, "Screen.x±1", "rms(Screen); width(Screen)", samples=2).table.columns[
        -2:
    ] == tuple(measures)


def test_values_of_other_types_are_refused_with_what_is_taken() -> None:
    document = lens_scene()
    with pytest.raises(
        TypeError,
        match="takes a Document, a Scene, or a file, a link or an example by its name, not dict",
    ):
        sweep({"objs": []}, "Screen.x=0,20", "rms(Screen)")  # type: ignore[arg-type]
    with pytest.raises(
        TypeError, match=r"Give a text, such as 'Lens.x=-5..5', or a list of texts, not int"
    ):
        sweep(document, 5, "rms(Screen)")  # type: ignore[arg-type]
    with pytest.raises(InvalidSeed, match="The seed 'x' is no whole number"):
        optimise(document, "Screen.x=-50..50", "least rms(Screen)", whole_range=True, seed="x")  # type: ignore[arg-type]
    with pytest.raises(InvalidTolerance, match=r"5\.5 samples"):
        tolerance(document, "Screen.x±1", "rms(Screen)", samples=5.5)  # type: ignore[arg-type]
    assert (
        tolerance(
            document, "Screen.x±1", "rms(Screen)", samples=np.int64(3), seed=np.int64(1)
        ).table.rows.shape[0]
        == 3
    )


def test_studies_say_that_traces_end_at_the_ray_limit_of_a_crop_box() -> None:
    document = lens_scene()
    box = CropBox(p1=Point(-50, -50), p4=Point(50, 50), ray_count_limit=3)
    limited = document.with_scene(Scene.of([*document.scene.objects, box], document.scene.settings))
    told = "is partial (segment limit), so that values miss light"
    for measure in ("rays(Screen)", "escaped()"):
        assert told in sweep(limited, ["Screen.x=0,20"], measure).note
        assert told in " ".join(optimise(limited, ["Screen.x=-50..50"], [f"most {measure}"]).notes)
        assert told in tolerance(limited, ["Screen.x±1"], [measure], samples=2).table.note
        assert "partial" not in sweep(document, ["Screen.x=0,20"], measure).note
