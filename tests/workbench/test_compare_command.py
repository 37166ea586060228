"""``raybench compare``: the differences between two scene files, and what they do to measures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raybench.files.document_file import save_document
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Beam
from raybench.scene.changes import Move, Set, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench_workbench.cli import main

BEFORE = Document(
    scene=Scene.of(
        [
            Beam(name="Laser", p1=Point(0, -10), p2=Point(0, 10), brightness=1),
            Blocker(name="Stop", p1=Point(20, 0), p2=Point(20, 30)),
            Detector(name="Screen", p1=Point(50, -20), p2=Point(50, 20)),
        ],
        Settings(ray_mode_density=10),
    )
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    after = apply_changes([Move("Stop", dx=0, dy=-5), Set("Laser", {"wavelength": 600.0})], BEFORE)
    for name, document in (("a.json", BEFORE), ("b.json", after)):
        save_document(document, tmp_path / name)
    return str(tmp_path / "a.json"), str(tmp_path / "b.json")


def test_differences_and_measures_are_printed(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["compare", *files, "--measure", "power(Screen)", "--measure", "absorbed(Stop)"]) == 0
    )
    assert capsys.readouterr().out.splitlines() == [
        "Laser: wavelength 540 nm -> 600 nm",
        "Stop: first end (20, 0) mm -> (20, -5) mm",
        "Stop: second end (20, 30) mm -> (20, 25) mm",
        "power(Screen): 10 -> 5 relative power (-5, -50 %)",
        "absorbed(Stop): 10 -> 15 relative power (+5, +50 %)",
    ]


def test_both_scenes_are_traced_to_the_same_limit_which_is_told(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["compare", files[0], files[0], "--measure", "rays(Screen)", "--max-segments", "15"])
        == 0
    )
    told = capsys.readouterr()
    assert told.out.splitlines()[-1].endswith(" (+0)")
    assert (
        told.err.splitlines()
        == [f"{files[0]}: the trace is partial (segment limit), so the answer may be, too."] * 2
    )


def test_the_same_as_json(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *files, "--measure", "power(Screen)", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["differences"][0] == {
        "of": "Laser",
        "value": "wavelength",
        "before": "540 nm",
        "after": "600 nm",
    }
    assert told["measures"] == [
        {
            "measure": "power(Screen)",
            "unit": "relative power",
            "before": pytest.approx(10),
            "after": pytest.approx(5),
        }
    ]


def test_equal_scenes_and_wrong_measures_are_told(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", files[0], files[0]]) == 0
    assert capsys.readouterr().out == "The scenes are equal.\n"
    assert main(["compare", *files, "--measure", "power(Scren)"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        f"raybench: {files[1]}, whose names measures use: No object named 'Scren'."
    )
    assert "Did you mean 'Screen'?" in said


def test_a_measure_of_an_object_that_one_scene_lacks_is_undefined_there(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = [o for o in BEFORE.scene.objects if o.name != "Screen"]
    save_document(
        Document(scene=Scene.of(others, BEFORE.scene.settings)), lacking := tmp_path / "c.json"
    )
    assert main(["compare", str(lacking), files[0], "--measure", "power(Screen)"]) == 0
    assert "power(Screen): 10 relative power" in capsys.readouterr().out
