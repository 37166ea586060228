"""``raybench lens`` and ``raybench import`` on lens files."""

import json
from pathlib import Path

import pytest
from tests.core.lens.lenses import MIXED, TRIPLET

from raybench.files.document_file import save_document
from raybench.kinds.blockers import Blocker
from raybench.lens.formats import write_lens
from raybench.lens.paraxial import first_order
from raybench.scene.changes import Add
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench.cli import main


@pytest.fixture
def triplet(tmp_path: Path) -> Path:
    path = tmp_path / "triplet.zmx"
    text = write_lens(TRIPLET, path.name)[0].decode()
    path.write_text(text.replace("___BLANK 1 0 1.62004 36.37", "H-F2X 0 0 1.62004 36.37"))
    return path


def test_report_has_first_order_fields_and_surfaces(
    triplet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lens", str(triplet)]) == 0
    out, err = capsys.readouterr()
    assert "focal length 50.0213 mm, f/5.002" in out
    assert "4 stop" in out
    assert "20°" in out
    assert "no glass 'H-F2X' (surface 3)" in err
    assert main(["lens", str(triplet), "--glass", "H-F2X=F2", "--json", "--mtf", "0.001"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["fields"][0]["mtf"] == pytest.approx(1.0, abs=0.001)
    assert report["first_order"]["focal_length"] == pytest.approx(50.02, abs=0.1)
    assert len(report["fields"]) == 3
    assert err == ""


def test_lens_is_written_in_another_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, other = tmp_path / "a.zmx", tmp_path / "b.len"
    path.write_bytes(write_lens(MIXED, path.name)[0])
    assert main(["lens", str(path), "--out", str(other)]) == 0
    assert "vignetting factors of fields" in capsys.readouterr().err
    assert main(["lens", str(other), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    expected = first_order(MIXED).focal_length
    assert report["first_order"]["focal_length"] == pytest.approx(expected)
    assert main(["lens", str(path), "--out", str(tmp_path / "b.txt")]) == 1
    assert "Use .zmx, .seq or .len" in capsys.readouterr().err


def test_lens_of_a_scene_is_written_without_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session.open("example:triplet")
    wall = Blocker(p1=Point(0, 50), p2=Point(9, 50), name="Wall")
    session.apply([Add(wall)])
    scene, out = tmp_path / "bench.raybench", tmp_path / "objective.zmx"
    save_document(session.document, scene)
    assert main(["lens", str(scene), "--lens", "Objective", "--out", str(out)]) == 0
    told = capsys.readouterr().err
    assert "t6 = focus: written as the number" in told
    assert "beside the lens are not written: Wall" in told
    assert main(["lens", str(scene)]) == 0
    assert "focal length 50.0017 mm, f/4.5" in capsys.readouterr().out
    assert main(["lens", str(out)]) == 0
    assert "focal length 50.0017 mm, f/4.5" in capsys.readouterr().out
    assert main(["lens", str(scene), "--lens", "Eyepiece"]) == 1
    assert "Objective" in capsys.readouterr().err


def test_plots_are_written_as_pictures_and_numbers(
    triplet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        out = tmp_path / f"fan{suffix}"
        assert main(["lens", str(triplet), "--figure", "ray_fan", "--out", str(out)]) == 0
        assert out.read_bytes().startswith(start)
    out = tmp_path / "fan.csv"
    assert main(["lens", str(triplet), "--figure", "ray_fan", "--out", str(out)]) == 0
    assert "486.1 nm" in out.read_text()
    for wrong, said in (
        (["--figure", "spots", "--out", str(out)], "Choose overview"),
        (["--figure", "mtf"], "--out plot.svg"),
    ):
        capsys.readouterr()
        assert main(["lens", str(triplet), *wrong]) == 1
        assert said in capsys.readouterr().err


def test_glasses_come_from_a_catalogue_file(
    triplet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = tmp_path / "maker.agf"
    catalogue.write_text("NM H-F2X 5 0 1.6 36 0 1\nCD 1.6 0 0\nLD 0.4 0.8\nNM BAD 99 0 1 1 0 1\n")
    out = tmp_path / "triplet.zmx"
    arguments = ["lens", str(triplet), "--catalogue", str(catalogue)]
    assert main([*arguments, "--json"]) == 0
    printed, err = capsys.readouterr()
    assert json.loads(printed)["first_order"]["focal_length"] != pytest.approx(50.02, abs=0.1)
    assert "BAD: its dispersion formula 99" in err
    assert main([*arguments, "--out", str(out)]) == 0
    assert "GLAS H-F2X 0 0 1.6 " in out.read_text()
    assert main(["import", str(triplet), *arguments[2:], "--out", str(tmp_path / "t.json")]) == 0


def test_lens_is_imported_with_a_chosen_glass(
    triplet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "triplet.raybench"
    assert main(["import", str(triplet), "--glass", "H-F2X=F2", "--out", str(out)]) == 0
    assert out.exists()
    assert main(["import", str(triplet), "--glass", "H-F2X", "--out", str(out)]) == 1
    assert "NAME=GLASS" in capsys.readouterr().err
