"""Export of traces as npz, CSV and XML, and loading of npz."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.analysis.rays.ray_facts import rays_with_word
from raybench.errors import RaybenchError
from raybench.files.rays_export import RAY_FILE_SUFFIXES, column_headings, export_rays, save_csv
from raybench.files.trace_npz import TraceFileError, load_npz, save_npz
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

KEPT = [f.name for f in fields(TraceResult) if f.name != "scene"]


def varied() -> TraceResult:
    """Colours that single precision cannot hold, curved rays, detectors with bins, resampled
    reflections, a warning's object.
    """
    scene = Scene.of(
        [
            PointSource(
                x=-60, y=0, brightness=0.4, wavelength=532.1, name='A "lamp", of = sorts\n😀'
            ),
            Glass(
                path=(Vertex(-30, -20), Vertex(-20, -20), Vertex(-10, 20), Vertex(-30, 20)),
                name="Wedge",
            ),
            CircleGrinGlass(p1=Point(20, 0), p2=Point(35, 0), absorption_fn="0.001"),
            CircleGlass(p1=Point(60, 5), p2=Point(66, 5)),
            Detector(
                p1=Point(90, -60), p2=Point(90, 60), irrad_map=True, bin_size=10, name="Screen"
            ),
            Blocker(p1=Point(120, -90), p2=Point(120, 90)),
        ]
    ).with_settings(simulate_colors=True, ray_mode_density=0.4)
    return trace(scene, revision=7)


def same(a: TraceResult, b: TraceResult) -> None:
    for name in KEPT:
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, np.ndarray):
            assert x.dtype == y.dtype, name
            np.testing.assert_array_equal(x, y, err_msg=name)
        else:
            assert x == y, name


def test_a_trace_survives_the_round_trip(tmp_path: Path) -> None:
    result = varied()
    assert len(result.polyline)
    assert result.ledger.resampled > 0
    assert result.detectors[0].bins
    save_npz(result, tmp_path / "light.npz")
    back = load_npz(tmp_path / "light.npz")
    same(result, back)
    np.testing.assert_array_equal(back.length, result.length)
    assert [s.id for s in back.segments[:3]] == ["r7-0", "r7-1", "r7-2"]
    assert back.lineage.statistics() == result.lineage.statistics()


@pytest.mark.parametrize("max_segments", [None, 100])
def test_traces_without_light_or_cut_short_are_read_back_too(
    tmp_path: Path, max_segments: int | None
) -> None:
    beam = Beam(p1=Point(0, 0), p2=Point(0, 40))
    ball = CircleGlass(p1=Point(50, 20), p2=Point(60, 20))
    result = (
        trace(Scene.of([beam, ball]), max_segments=max_segments) if max_segments else trace(Scene())
    )
    save_npz(result, tmp_path / "light.npz")
    same(result, load_npz(tmp_path / "light.npz"))


def test_the_arrays_required_by_other_programs_are_written(tmp_path: Path) -> None:
    result = varied()
    save_npz(result, tmp_path / "light.npz", unit="cm")
    data = np.load(tmp_path / "light.npz", allow_pickle=False)
    n = len(result)
    wanted = {"p1": ((n, 2), "f8"), "p2": ((n, 2), "f8"), "escaped": ((n,), "?"), "power": ((n, 2), "f8"), "wavelength": ((n,), "f4"),
              "hit": ((n,), "i4"), "parent": ((n,), "i4"), "depth": ((n,), "i4"), "source_ray": ((n,), "i4")}  # fmt: skip
    for name, (shape, kind) in wanted.items():
        assert data[name].shape == shape
        assert data[name].dtype == np.dtype(kind)
    meta = json.loads(str(data["meta"][()]))
    assert set(meta) >= {"detectors", "truncation", "status", "warnings"}
    assert set(meta["detectors"][0]) >= {"power", "normal", "shear", "bins"}
    assert meta["units"]["length"] == "cm"


def test_missing_optional_arrays_get_defaults(tmp_path: Path) -> None:
    result = varied()
    save_npz(result, tmp_path / "all.npz")
    data = dict(np.load(tmp_path / "all.npz"))
    few = ("p1", "p2", "escaped", "power", "wavelength", "hit", "parent", "depth", "source_ray")
    data["parent"] = data["parent"].astype(
        np.float64
    )  # as programs write it that know no other numbers
    meta = np.array(
        json.dumps({"detectors": [], "truncation": 0.5, "status": "complete", "warnings": ["odd"]})
    )
    np.savez(tmp_path / "few.npz", meta=meta, **{k: data[k] for k in few})  # type: ignore[arg-type]
    back = load_npz(tmp_path / "few.npz")
    np.testing.assert_array_equal(back.escaped, result.escaped)
    np.testing.assert_array_equal(back.parent, result.parent)
    assert back.warnings[0].text == "odd"
    assert back.ledger.truncated == 0.5


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"p1": np.zeros((3, 2))}, "damaged: escaped has the shape"),
        ({"parent": None}, "this is not a trace, it has no parent"),
        ({"meta": np.array("{")}, "damaged"),
        ({"meta": np.array(json.dumps({"ledger": {"magic": 1}}))}, "damaged"),
        ({"meta": np.array("[" * 200_000)}, "damaged"),
        ({"status": "high"}, "damaged: a code in status is not one of continued, escaped"),
        ({"parent": "late"}, "damaged: a segment comes before its parent"),
        (
            {"parent": np.int64(2**32)},
            "damaged: parent has a number that is none of -2147483648 to 2147483647",
        ),
        ({"points": "far"}, "damaged: curved segments refer to missing points"),
    ],
)
def test_the_error_for_a_damaged_file_names_it_and_the_fault(
    tmp_path: Path, damage: dict[str, object], words: str
) -> None:
    path = tmp_path / "light.npz"
    save_npz(varied(), path)
    data = dict(np.load(path))
    for name, value in damage.items():
        if value is None:
            del data[name]
        elif isinstance(value, np.int64):
            data[name] = data[name] + value
        elif isinstance(value, str):
            data[name] = data[name] + (200 if name == "status" else 10_000)
        else:
            data[name] = value  # type: ignore[assignment]
    np.savez(path, **data)  # type: ignore[arg-type]
    with pytest.raises(TraceFileError, match=f"light.npz: .*{words}"):
        load_npz(path)


def test_files_that_are_not_npz_are_refused(tmp_path: Path) -> None:
    text, empty = tmp_path / "text.npz", tmp_path / "empty.npz"
    text.write_text("light")
    with zipfile.ZipFile(empty, "w"):
        pass
    for path in (text, empty, tmp_path / "none.npz"):
        with pytest.raises(TraceFileError, match="npz"):
            load_npz(path)
    with pytest.raises(TraceFileError, match="it is not an npz file"):
        load_npz(text)


@pytest.mark.security
def test_a_file_that_names_more_than_memory_holds_or_is_packed_wrongly_is_refused(
    tmp_path: Path,
) -> None:
    save_npz(varied(), tmp_path / "light.npz")
    data = dict(np.load(tmp_path / "light.npz"))
    huge, packed = tmp_path / "huge.npz", tmp_path / "packed.npz"
    np.savez(huge, **{name: array for name, array in data.items() if name != "polyline"})  # type: ignore[arg-type]
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (10**14, 2)}
    )
    with zipfile.ZipFile(huge, "a") as file:
        file.writestr("polyline.npy", header.getvalue())
    np.savez_compressed(packed, **data)  # type: ignore[arg-type]
    damaged = bytearray(packed.read_bytes())
    with zipfile.ZipFile(packed) as file:
        at = file.getinfo("p1.npy").header_offset + 60
    damaged[at : at + 40] = b"\xff" * 40
    packed.write_bytes(damaged)
    for path in (huge, packed):
        with pytest.raises(TraceFileError, match=r"cannot be read as a trace"):
            load_npz(path)


def test_a_path_may_be_a_plain_text(tmp_path: Path) -> None:
    result = varied()
    save_npz(result, str(tmp_path / "light.npz"))
    save_csv(result, str(tmp_path / "light.csv"))
    same(result, load_npz(str(tmp_path / "light.npz")))
    assert len((tmp_path / "light.csv").read_text(encoding="utf-8").splitlines()) > len(result)


def test_rays_as_csv_have_units_in_their_headings_and_one_line_each(tmp_path: Path) -> None:
    result = varied()
    save_csv(result, tmp_path / "rays.csv", unit="cm", edge_name=lambda hit, edge: f"e{edge}")
    with (tmp_path / "rays.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == column_headings("cm")
    assert len(lines) == len(result)
    for row in range(0, len(result), 17):
        line, segment = lines[row], result.segments[row]
        assert line["id"] == segment.id
        assert line["parent"] == (
            "" if segment.parent is None else result.segment_id(segment.parent)
        )
        assert (float(line["start x [cm]"]), float(line["end y [cm]"])) == (
            segment.p1[0],
            segment.p2[1],
        )
        assert float(line["length [cm]"]) == (math.inf if segment.escaped else segment.length)
        assert float(line["wavelength [nm]"]) == 532.1
        assert (line["interaction"], line["status"]) == (segment.interaction, segment.status)
        assert line["source"] == 'A "lamp", of = sorts\n😀'
        assert line["object"] == (
            result.object_names[result.hit[row]] if result.hit[row] >= 0 else ""
        )
        assert line["edge"].startswith("e") == (result.hit[row] >= 0)
    chosen = result.ray_set(rays_with_word(result, "interaction", "refract"))
    save_csv(result, tmp_path / "few.csv", chosen, also=["opl"])
    with (tmp_path / "few.csv").open(encoding="utf-8", newline="") as file:
        few = list(csv.DictReader(file))
    assert [line["id"] for line in few] == [result.segment_id(r) for r in chosen.rows.tolist()]
    paths = optical_path_lengths(result)[chosen.rows]
    assert [float(line["optical path [mm]"] or "inf") for line in few] == paths.tolist()
    assert np.isfinite(paths).any()
    with pytest.raises(RaybenchError, match="no column 'speed' to add"):
        save_csv(result, tmp_path / "few.csv", also=["speed"])


@pytest.mark.parametrize("suffix", RAY_FILE_SUFFIXES)
def test_the_same_rays_exported_twice_are_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("first", "second"):
        result = varied()
        assert result.scene is not None
        export_rays(tmp_path / f"{name}{suffix}", Document(scene=result.scene), result, None)
    assert (tmp_path / f"first{suffix}").read_bytes() == (tmp_path / f"second{suffix}").read_bytes()
