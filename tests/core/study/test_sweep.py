"""Sweeps: parameters and ranges as they are written, tables that agree with closed forms, and the
same for any number of threads.
"""

from __future__ import annotations

import contextlib
import csv
import json
import math
import os
import re
import threading
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import lens_scene, minimum_deviation, mirror_scene, prism_scene

from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.errors import RaybenchError
from raybench.files.document_file import save_document
from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import AddPreset, ChangeRefused, Rotate, SetMaterial, apply_changes
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.parameters.parameter import InvalidParameter, read_parameter
from raybench.study.experiment import Experiment
from raybench.study.sweep import Sweep
from raybench.study.table import Table, save_table
from raybench.study.terms.ranges import InvalidRange, read_sweep_axis
from raybench.trace.run.sharing import MOST_THREADS
from raybench.trace.trace import trace
from raybench_workbench.cli import main

APEX, INDEX = 60.0, 1.5


def document(**settings: Any) -> Document:
    """A ray through an equilateral prism, a lens between a beam and a screen, and an object whose
    name holds a dot.
    """
    half, height = 30.0, 30.0 * math.sqrt(3)
    corners = [{"x": -half, "y": 0}, {"x": half, "y": 0}, {"x": 0, "y": -height}]
    objects = [
        {
            "type": "SingleRay",
            "name": "Laser",
            "p1": {"x": -200, "y": -20},
            "p2": {"x": -190, "y": -20},
        },
        {
            "type": "Glass",
            "name": "Prism",
            "path": [{**c, "arc": False} for c in corners],
            "refIndex": INDEX,
            "partialReflect": False,
        },
        {
            "type": "Beam",
            "name": "Lamp",
            "p1": {"x": 0, "y": 140},
            "p2": {"x": 0, "y": 160},
            "brightness": 0.5,
        },
        {
            "type": "IdealLens",
            "name": "Lens",
            "p1": {"x": 100, "y": 100},
            "p2": {"x": 100, "y": 200},
            "focalLength": 100,
        },
        {
            "type": "Detector",
            "name": "Screen",
            "p1": {"x": 180, "y": 100},
            "p2": {"x": 180, "y": 200},
        },
        {"type": "Mirror", "name": "M.1", "p1": {"x": 0, "y": 900}, "p2": {"x": 10, "y": 900}},
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects, **settings}))


def table(doc: Document, axes: list[str], measures: str, **options: Any) -> Table:
    sweep = Sweep.build(doc, axes, measures)
    return sweep.table(list(sweep.run(**options)))


def test_the_least_deviation_of_a_turned_prism_is_that_of_the_textbook() -> None:
    """Hecht, section 5.5.1: the deviation is least where light passes symmetrically; here a turn of
    18.6° or so brings it there.
    """
    found = table(document(), ["Prism.angle=-20..30:501"], "deviation(Prism, Laser)").rows
    deviation = np.abs(found[:, 1])
    assert np.nanmin(deviation) == pytest.approx(minimum_deviation(INDEX, APEX), abs=2e-3)
    best = found[np.nanargmin(deviation), 0]
    fine = table(
        document(), [f"Prism.angle={best - 0.2}..{best + 0.2}:801"], "deviation(Prism, Laser)"
    ).rows
    assert np.nanmin(np.abs(fine[:, 1])) == pytest.approx(minimum_deviation(INDEX, APEX), abs=1e-6)


def test_a_spot_grows_as_the_ratio_of_distances() -> None:
    found = table(document(rayModeDensity=1), ["Lens.focalLength=50,80,100"], "rms(Screen, Lamp)")
    expected = np.abs(1 - 80 / found.rows[:, 0])
    assert found.rows[:, 1] == pytest.approx(expected / expected[2] * found.rows[2, 1], abs=1e-9)
    assert found.columns == ("Lens.focalLength", "rms(Screen, Lamp)")
    assert found.units == ("mm", "mm")


def test_two_parameters_make_a_grid_whose_last_one_runs_fastest() -> None:
    found = table(document(), ["Lens.x=0..10:2", "Screen.x=0,1,2"], "power(Screen)").rows
    assert found[:, :2].tolist() == [[0, 0], [0, 1], [0, 2], [10, 0], [10, 1], [10, 2]]


def test_a_number_of_threads_is_one_at_least() -> None:
    with pytest.raises(RaybenchError, match="threads is 0; give a whole number of at least 1"):
        list(Sweep.build(document(), ["Prism.angle=0..1:2"], "escaped()").run(threads=0))


def test_threads_are_no_more_than_can_be_started() -> None:
    sweep = Sweep.build(document(), ["Prism.angle=0..9:400"], "escaped()")
    threads = [
        sum(t.name.startswith("study") for t in threading.enumerate())
        for _ in sweep.run(threads=1_000_000)
    ]
    assert len(threads) == 400
    assert max(threads) <= max(MOST_THREADS, os.cpu_count() or 1)


def test_the_same_table_comes_from_any_number_of_threads_and_any_executor() -> None:
    class Inline(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    axes, measures = ["Prism.angle=-5..5:23"], "deviation(Prism, Laser); escaped()"
    first = table(document(), axes, measures, threads=1).rows
    for options in ({"threads": 2}, {"threads": 5}, {"executor": Inline()}):
        np.testing.assert_array_equal(table(document(), axes, measures, **options).rows, first)


def test_stop_keeps_the_points_so_far_in_order() -> None:
    doc = document()
    sweep = Sweep.build(doc, ["Prism.angle=0..10:1000"], "escaped()")
    seen: list[int] = []
    for point in sweep.run(stop=lambda: len(seen) >= 7):
        seen.append(point.index)
    assert 7 <= len(seen) < 500
    assert seen == list(range(len(seen)))


@pytest.mark.parametrize("measure", ["edge_power(Prism:S)", "path_power(Laser > * > Prism:S)"])
def test_a_measure_of_an_edge_is_undefined_where_the_body_is_turned_so_that_none_faces_there(
    measure: str,
) -> None:
    rows = table(document(), ["Prism.angle=0,60"], measure).rows
    assert np.isfinite(rows[:, 1]).tolist() == [True, False]


@pytest.mark.parametrize(
    ("axis", "reason"),
    [
        ("settings.rayModeDensity=0.1,1e12,0.2", "would emit"),
        ("Grating.lineDensity=1,1e-9,2", "too many"),
    ],
)
def test_a_measure_is_undefined_where_the_scene_cannot_be_traced(axis: str, reason: str) -> None:
    grating = {
        "type": "DiffractionGrating",
        "name": "Grating",
        "p1": {"x": 50, "y": 130},
        "p2": {"x": 50, "y": 170},
    }
    scene = document().scene
    doc = Document(
        scene=scene.with_objects(
            (*scene.objects, *scene_from_json({"version": 5, "objs": [grating]}).objects)
        )
    )
    rows = [point.measures[0] for point in Sweep.build(doc, [axis], "power(Screen)").run()]
    assert [row.defined for row in rows] == [True, False, True]
    assert reason in rows[1].reason


def test_the_document_is_not_changed() -> None:
    doc = document()
    scene, revision = doc.scene, doc.revision
    table(doc, ["Prism.angle=-5..5:5"], "escaped()")
    assert (doc.scene, doc.revision) == (scene, revision)


@pytest.mark.parametrize(
    ("text", "place", "unit"),
    [
        ("Prism.angle", "angle", "deg"), ("Lens.x", "x", "length"), ("Lens.focalLength", "focalLength", "length"),
        ("Lens.p1.x", "p1.x", "length"), ("Prism.path[1].y", "path[1].y", "length"), ("settings.rayModeDensity", "rayModeDensity", ""),
        ("M.1.y", "y", "length"), ('"M.1".angle', "angle", "deg"), ("'Lens'.x", "x", "length"),
    ],
)  # fmt: skip
def test_parameters_are_read(text: str, place: str, unit: str) -> None:
    found = read_parameter(text, document())
    assert (found.place, found.unit) == (place, unit)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("Lens", InvalidParameter, "names no parameter"),
        ("Lense.x", UnknownName, "No object named 'Lense'"),
        ("Lens.focallength", InvalidParameter, "focalLength"),
        ("Lens.name", InvalidParameter, "not a number"),
        ("settings.mode", InvalidParameter, "not a number"),
        ("settings.nope", InvalidParameter, "no field 'nope'"),
        ("Lens.angel", InvalidParameter, "Did you mean angle"),
        (
            "Lens.turn",
            InvalidParameter,
            "There are: x, y, angle, centre_x, centre_y, orientation, p1, p2, focalLength",
        ),
    ],
)
def test_what_is_no_parameter_is_reported_with_the_nearest_names(
    text: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        read_parameter(text, document())


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Lens.x=0..5mm:3", (0, 2.5, 5)), ("Lens.x=0..1cm:2", (0, 10)), ("Lens.focalLength=10..1000:3 log", (10, 100, 1000)),
        ("Prism.refIndex=1.5,1.6,1.7", (1.5, 1.6, 1.7)), ("Prism.angle=3", (3,)), ("Prism.angle=0..0.5rad:2", (0, math.degrees(0.5))),
        ("Prism.angle=-1e1..10:3", (-10, 0, 10)),
    ],
)  # fmt: skip
def test_ranges_are_read_with_units(text: str, values: tuple[float, ...]) -> None:
    assert read_sweep_axis(text, document()).values == pytest.approx(values)
    assert len(read_sweep_axis("Lens.x=0..5", document()).values) == 11


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Lens.x", InvalidRange), ("Lens.x=", InvalidRange), ("Lens.x=a..b:3", InvalidRange), ("Lens.x=0..5:1", InvalidRange),
        ("Lens.x=0..5:9999999", InvalidRange), ("Lens.focalLength=-1..5:3 log", InvalidRange), ("Lens.x=0..5s:3", InvalidRange),
        ("Lens.x=1e400..2:3", InvalidRange), ("Lens.p1=0..1:2", ChangeRefused), ("Lens.x=1e60..2e60:2", ChangeRefused),
    ],
)  # fmt: skip
def test_what_is_no_range_is_reported_before_anything_runs(
    text: str, error: type[Exception]
) -> None:
    with pytest.raises(error) as raised:
        read_sweep_axis(text, document())
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("count", ["-5", "1", "100001", "99999999999"])
def test_a_number_of_values_out_of_range_is_told(count: str) -> None:
    with pytest.raises(InvalidRange, match=rf"Lens\.x: {count} values; a range has 2 to 100000\."):
        read_sweep_axis(f"Lens.x=0..5:{count}", document())


@pytest.mark.parametrize("text", ["Prism.refIndex=1.4-1.6", "Prism.refIndex=1.4 – 1.6:5"])
def test_a_difference_is_refused_as_a_range_may_be_meant(text: str) -> None:
    with pytest.raises(
        InvalidRange, match=r"Write a range as 1\.4\.\.1\.6, a difference as \(1\.4-1\.6\)"
    ):
        read_sweep_axis(text, document())
    assert read_sweep_axis("Prism.refIndex=(3-1.4)", document()).values == pytest.approx((1.6,))


@pytest.mark.parametrize("text", ["Prism.refIndex=1.4..1.6/3", "Prism.refIndex=1.4..1.6 / 3"])
def test_a_division_at_the_end_of_a_range_is_refused_as_it_may_be_meant_as_a_number_of_values(
    text: str,
) -> None:
    with pytest.raises(InvalidRange, match=r"Write 3 values as :3"):
        read_sweep_axis(text, document())
    assert read_sweep_axis("Prism.refIndex=1.4..(4.8/3):3", document()).values == pytest.approx(
        (1.4, 1.5, 1.6)
    )


@given(st.text(max_size=40))
def test_any_text_is_an_axis_or_a_specific_error(text: str) -> None:
    doc = document()
    for written in (text, f"Lens.x={text}", f"Lens.{text}=1..2:3"):
        with contextlib.suppress(RaybenchError):
            assert read_sweep_axis(written, doc).values


def test_a_sweep_without_a_measure_or_twice_over_one_parameter_is_refused() -> None:
    doc = document()
    with pytest.raises(InvalidMeasure, match="no measure"):
        Sweep.build(doc, ["Lens.x=0..5:3"], [])
    with pytest.raises(InvalidParameter, match="given twice"):
        Sweep.build(doc, ["Lens.x=0..5:3", "Lens.x=1..2:3"], "escaped()")


def test_a_parameter_of_another_document_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="not in the document"):
        Experiment.build(document(), [read_parameter("Lens.x", document())], "escaped()")


def test_tables_are_written_with_units_and_undefined_values_left_empty(tmp_path: Path) -> None:
    found = table(document(), ["Lamp.y=0..500:2"], "centroid(Screen, Lamp); power(Screen, Lamp)")
    assert math.isnan(found.rows[1, 1])
    for suffix in (".csv", ".npz", ".json"):
        save_table(found, tmp_path / f"t{suffix}")
    with (tmp_path / "t.csv").open(newline="") as file:
        head, first, last = csv.reader(file)
    assert head == [
        "Lamp.y [mm]",
        "centroid(Screen, Lamp) [mm]",
        "power(Screen, Lamp) [relative power]",
    ]
    assert [float(v) for v in first] == pytest.approx(found.rows[0].tolist())
    assert last[1] == ""
    with np.load(tmp_path / "t.npz") as stored:
        np.testing.assert_array_equal(stored["rows"], found.rows)
        assert json.loads(str(stored["meta"]))["units"] == ["mm", "mm", "relative power"]
    assert json.loads((tmp_path / "t.json").read_text())["rows"][1][1] is None


def test_the_command_prints_and_writes_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, out = tmp_path / "scene.json", tmp_path / "table.csv"
    save_document(document(), scene)
    assert (
        main(
            [
                "sweep",
                str(scene),
                "Lens.focalLength=50..100:6",
                "--measure",
                "rms(Screen)",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == ["Lens.focalLength", "[mm]", "rms(Screen)", "[mm]"]
    assert len(printed) == 7
    assert len(out.read_text().splitlines()) == 7
    assert main(["sweep", str(scene), "Lens.focalLenght=1..2:3", "--measure", "rms(Screen)"]) == 1
    assert "Did you mean focalLength?" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--threads", "--max-segments"])
def test_numbers_that_are_not_above_0_are_wrong_usage(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(
            [
                "sweep",
                str(tmp_path / "scene.json"),
                "Lens.x=0..1:2",
                "--measure",
                "escaped()",
                option,
                "-1",
            ]
        )
    assert raised.value.code == 2
    assert "'-1' is not a whole number above 0" in capsys.readouterr().err


def test_a_stop_does_not_wait_for_points_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    doc = document()
    calls: list[int] = []
    holding, cut = threading.Event(), threading.Event()

    def held(scene: Any, *, stop: Any, **options: Any) -> Any:
        """The first point is traced at once; the others hold until their traces are to stop."""
        calls.append(len(calls))
        if len(calls) > 1:
            holding.set()
            while not stop():
                time.sleep(0.01)
            cut.set()
        return trace(scene, stop=stop, **options)

    monkeypatch.setattr("raybench.study.experiment.trace", held)
    points = Sweep.build(doc, ["Prism.angle=0..10:50"], "escaped()").run(
        threads=2, stop=holding.is_set
    )
    assert len(list(points)) <= 2, "it would wait for ever"
    assert cut.is_set()


def test_leaving_a_sweep_stops_the_traces_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    doc = document()
    calls: list[int] = []
    holding, stopped = threading.Event(), threading.Event()

    def held(scene: Any, *, stop: Any, **options: Any) -> Any:
        """The scene and the first point are traced at once; the second holds until it is to stop."""
        calls.append(len(calls))
        if len(calls) == 3:
            holding.set()
            for _ in range(2_000):
                if stop():
                    stopped.set()
                    break
                time.sleep(0.01)
        return trace(scene, stop=stop, **options)

    monkeypatch.setattr("raybench.study.experiment.trace", held)
    points = Sweep.build(doc, ["Prism.angle=0..10:50"], "escaped()").run(threads=1)
    assert next(points).index == 0
    assert holding.wait(20)
    points.close()  # type: ignore[attr-defined]
    assert stopped.is_set()
    assert len(calls) < 50


def test_rows_with_another_path_are_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beyond some turn, light is totally reflected at the far face."""
    scene, out = tmp_path / "scene.json", tmp_path / "table.csv"
    save_document(prism_scene(), scene)
    command = ["sweep", str(scene), "Prism.angle=-20,0,20", "--measure", "deviation(Prism)"]
    assert main([*command, "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert [line.endswith("*") for line in printed.out.splitlines()] == [False] * 3 + [True]
    other = "Prism: refract, tir, refract"
    assert f"* In 1 of 3 rows light takes another path than in the scene: {other}." in printed.err
    rows = list(csv.reader(out.open()))
    assert [row[-1] for row in rows] == ["other path", "", "", other]


def test_glasses_are_swept_by_name(tmp_path: Path) -> None:
    document = prism_scene(simulateColors=True)
    sweep = Sweep.build(
        document, ["Prism.material=N-BK7|N-FK51A", "Prism.angle=0|-5"], "deviation(Prism)"
    )
    points = list(sweep.run())
    by_hand = [
        measure_values(
            "deviation(Prism)",
            made := apply_changes([SetMaterial("Prism", glass), Rotate("Prism", turn)], document),
            trace(made),
        )[0].value
        for glass in ("N-BK7", "N-FK51A")
        for turn in (0.0, -5.0)
    ]
    assert [p.measures[0].value for p in points] == by_hand
    save_table(sweep.table(points), out := tmp_path / "table.csv")
    assert [row[0] for row in csv.reader(out.open())][1:] == ["N-BK7"] * 2 + ["N-FK51A"] * 2


@pytest.mark.parametrize(
    ("axis", "says"),
    [
        ("Prism.material=N-BK7|N-BK77", "no material 'N-BK77'"),
        ("Prism.material=N-BK7|", "a choice is empty"),
        ("Prism.partialReflect=true|maybe", "is true or false, not 'maybe'"),
        ("Prism.material=N-BK7|N-BK7", "given twice"),
        ("Prism.angle=0|x", "must be a number"),
        ("Prism.angle=1|1", "given twice"),
        ("Prism.partialReflect=0..1", "Give choices, such as partialReflect=A|B"),
        ("Prism.path=A|B", "must be a number"),
    ],
)
def test_wrong_choices_are_told_in_one_line(axis: str, says: str) -> None:
    with pytest.raises(RaybenchError, match=re.escape(says)) as raised:
        Sweep.build(prism_scene(simulateColors=True), [axis], "deviation(Prism)")
    assert "\n" not in str(raised.value)


def test_all_places_of_a_value_are_found() -> None:
    """Off minimum deviation, each deviation belongs to two positions of a prism."""
    sweep = Sweep.build(
        prism_scene(),
        ["Prism.angle=-35..35:29"],
        "power(Prism)",
        targets=["|deviation(Prism)| = 38"],
    )
    one, two = sweep.crossings([*sweep.run()])
    symmetric = math.degrees(math.asin(INDEX / 2)) - 30  # the turn to minimum deviation
    assert abs(one.value) < symmetric < abs(two.value) or abs(two.value) < symmetric < abs(
        one.value
    )
    assert not one.jumps
    for place in (one, two):
        turned = sweep.experiment.document_with_values((place.value,))
        (there,) = measure_values("deviation(Prism)", turned, trace(turned))
        assert abs(there.value) == pytest.approx(38, abs=1e-9)
        assert place.measures[1].value == there.value


def test_a_value_that_is_jumped_over_is_told() -> None:
    sweep = Sweep.build(
        mirror_scene(), ["Mirror.angle=-9..9:5"], "power(Screen)", targets=["power(Screen) = 0.25"]
    )
    (step, *_) = sweep.crossings([*sweep.run()])
    assert step.jumps


def test_a_place_is_a_coordinate_of_the_centre() -> None:
    scene = lens_scene()
    sweep = Sweep.build(scene, ["Lens.centre_x=90,110"], ["centre_x(Lens)", "diameter(Lens)"])
    for point in sweep.run():
        assert [m.value for m in point.measures] == [point.values[0], 100]
    assert read_parameter("Lens.centre_y", scene).value_in_document(scene) == 150
    link = ["Screen.centre_x = Lens.x + 2 * Lens.centre_x"]
    followed = Sweep.build(scene, ["Lens.centre_x=101,103"], "centre_x(Screen)", links=link)
    assert [p.measures[0].value for p in followed.run()] == [203, 209]
    with pytest.raises(InvalidParameter, match="given twice"):
        Sweep.build(scene, ["Lens.centre_x=1,2", "Lens.x=1,2"], "centre_x(Lens)")


def test_a_part_of_a_lens_has_a_short_name() -> None:
    lens = AddPreset("BiconvexLens", {"focalLength": 80, "diameter": 20}, as_="Doublet")
    scene = apply_changes([lens], prism_scene())
    assert (
        read_parameter("Doublet.r1", scene).identity
        == read_parameter("Doublet.params.r1", scene).identity
    )
