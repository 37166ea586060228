"""The table of ray columns: complete, read by everybody, and extended in one place."""

from __future__ import annotations

import csv
import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import raybench
import raybench_resources
import raybench_workbench
from raybench.analysis.answers.rays_xml import ATTRIBUTES, ELEMENTS, rays_to_xml
from raybench.analysis.rays.columns import COLUMNS, DERIVED, columns_with_name
from raybench.analysis.sql.ray_database import TABLES
from raybench.files.rays_export import (
    OPTIONAL_COLUMNS,
    POLARIZATION_COLUMNS,
    WRITTEN_COLUMNS,
    column_headings,
    save_csv,
)
from raybench.files.trace_npz import load_npz, save_npz
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction, Status
from raybench.trace.columns import (
    STORED,
    Column,
    Columns,
    IncompleteColumn,
    Reading,
    check_columns,
    default_rows,
)
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import ColumnWidths, new_columns
from raybench.trace.trace import trace

ADD_GROUP = """
import sys
from dataclasses import replace
from pathlib import Path
columns = Path(sys.argv[1]) / "raybench/trace/columns.py"
row = '''    group: Int32s = stored_column(
        "group of its source", int, np.int32, missing=7, csv="group", sql="ray_group", xml="group", element="group_of_source",
        title="Group", filter="group",
    )
'''
text = columns.read_text(encoding="utf-8")
columns.write_text(text.replace("    points: Int32s", row + "    points: Int32s", 1), encoding="utf-8")
"""
USE_GROUP = """
from typing import get_args
import numpy as np
from raybench.agent.view_tools.state_tool import agent_signature
from raybench.agent.view_tools.ray_filter_tools import RangeFilterTool
from raybench.analysis.answers.rays_xml import rays_to_xml
from raybench.analysis.rays.ray_filter import RayFilter
from raybench.analysis.sql.ray_database import TABLES
from raybench.files.rays_export import column_headings, save_csv
from raybench.files.trace_npz import load_npz, save_npz
from raybench.trace.columns import Columns
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import ColumnWidths, new_columns
from raybench_workbench.panels.ray_table import COLUMNS

ray = {"p1": (0, 0), "p2": (1, 0), "brightness_s": 1, "brightness_p": 0}
result = TraceResult.from_segments([ray, ray])
assert result.group.tolist() == [7, 7]
result.group[1] = 3
assert TraceResult.from_segments(result.segments[1:]).group.tolist() == [3]
save_npz(result, "light.npz")
assert load_npz("light.npz").group.tolist() == [7, 3]
save_csv(result, "light.csv")
assert open("light.csv", encoding="utf-8").read().splitlines()[2].split(",")[column_headings("mm").index("group")] == "3"
assert ("ray_group", "INTEGER", "group of its source") in TABLES["rays"]
xml = rays_to_xml(result.segments)
assert 'group="3"' in xml
assert "<group_of_source>3</group_of_source>" in xml
assert RayFilter.from_json({"must": [{"key": "group", "range": {"lte": 3}}]}).mask(result).tolist() == [False, True]
assert get_args(agent_signature(RangeFilterTool).parameters["quantity"].annotation)[-1] == "group"
assert "Group" in [c.title for c in COLUMNS]
assert "group" in Columns._fields
assert new_columns(5, ColumnWidths()).group.dtype == np.int32 and len(new_columns(5, ColumnWidths()).group) == 5
"""


def lit() -> list[SceneObject]:
    beam = Beam(p1=Point(0, 0), p2=Point(0, 40))
    return [
        beam,
        CircleGlass(p1=Point(50, 20), p2=Point(60, 20)),
        CircleGrinGlass(p1=Point(120, 20), p2=Point(140, 20)),
    ]


@pytest.fixture(scope="module")
def light() -> TraceResult:
    return trace(Scene.of(lit()))


def test_a_result_holds_every_stored_column(light: TraceResult) -> None:
    for name, column in STORED.items():
        array = getattr(light, name)
        assert array.dtype == column.dtype, name
        assert array.shape == ((len(light), column.width) if column.width else (len(light),)), name
        assert default_rows(3)[name].dtype == column.dtype
    assert Columns._fields == (*STORED, "trail", "polyline")
    assert new_columns(3, ColumnWidths(1, 0, 2))._fields == Columns._fields


def test_columns_are_read_as_their_types(light: TraceResult) -> None:
    rows = np.array([0, len(light) // 2, len(light) - 1])
    for name, column in COLUMNS.items():
        values = column.values(Reading(light, rows))
        assert len(values) == 3, name
        expected = {tuple: (tuple, list, float)}.get(column.value, (column.value,))
        assert all(value is None or isinstance(value, expected) for value in values), name


def test_values_are_those_of_the_result(light: TraceResult) -> None:
    reading = Reading(light, np.arange(len(light)))
    assert COLUMNS["length"].values(reading) == light.length.tolist()
    curved = np.flatnonzero(light.points[:, 1])
    chord = np.hypot(*(light.p2 - light.p1)[curved].T)
    assert len(curved)
    assert (light.length[curved] > chord * (1 + 1e-9)).any()
    assert COLUMNS["status"].values(reading) == [
        Status(code).word for code in light.status.tolist()
    ]
    assert COLUMNS["interaction"].values(reading) == [s.interaction for s in light.segments]
    escaped = int(np.flatnonzero(light.escaped)[0])
    assert COLUMNS["length"].values(Reading(light, np.array([escaped]))) == [math.inf]


def test_every_named_column_is_written_by_its_reader(light: TraceResult, tmp_path: Path) -> None:
    assert len(column_headings("mm")) == len(WRITTEN_COLUMNS)
    assert {*WRITTEN_COLUMNS, *POLARIZATION_COLUMNS, *OPTIONAL_COLUMNS.values()} == {
        *columns_with_name("csv")
    }
    assert [name for name, _, _ in TABLES["rays"]] == [
        c.sql for c in columns_with_name("sql", tuple(_sql_order()))
    ]
    assert {c.name for c in ELEMENTS} == {name for name, c in COLUMNS.items() if c.element}
    assert {c.name for c in ATTRIBUTES} == {name for name, c in COLUMNS.items() if c.xml}
    save_csv(light, tmp_path / "light.csv")
    with (tmp_path / "light.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert {len(line) for line in lines} == {len(column_headings("mm"))}
    save_npz(light, tmp_path / "light.npz")
    back = load_npz(tmp_path / "light.npz")
    for name in STORED:
        np.testing.assert_array_equal(getattr(back, name), getattr(light, name))
    text = rays_to_xml(light.segments)
    assert all(f" {c.xml}=" in text for c in ATTRIBUTES if c.name != "edge_label")


def test_columns_of_polarization_are_those_of_traces_that_have_it(tmp_path: Path) -> None:
    ray = SingleRay(p1=Point(0, 0), p2=Point(1, 0))
    tables = {}
    for name in ("unpolarized", "right circular"):
        result = trace(Scene.of([replace(ray, polarization=name)]))
        save_csv(result, tmp_path / "light.csv")
        with (tmp_path / "light.csv").open(encoding="utf-8", newline="") as file:
            tables[name] = next(csv.DictReader(file))
        save_npz(result, tmp_path / "light.npz")
        assert np.array_equal(load_npz(tmp_path / "light.npz").stokes, result.stokes)
    own = {f"S{k} [relative]": float(k == 3) for k in (1, 2, 3)}
    assert not own.keys() & tables["unpolarized"].keys()
    circular = tables["right circular"]
    assert {name: float(circular[name]) for name in own} == own
    assert circular["azimuth [deg]"] == ""
    assert float(circular["ellipticity [deg]"]) == 45
    assert float(circular["degree of polarization"]) == 1


def _sql_order() -> list[str]:
    by_name = {c.sql: name for name, c in COLUMNS.items() if c.sql}
    return [by_name[name] for name, _, _ in TABLES["rays"] if name in by_name]


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (Column("", int, read=lambda r: []), "needs words"),
        (Column("a list", list, read=lambda r: []), "needs words"),
        (Column("a number", int), "needs a function"),
        (Column("a point", tuple, read=lambda r: [], csv="point"), "has two numbers"),
        (Column("a text", str, read=lambda r: [], filter="text"), "is no number"),
        (
            Column("a number", int, read=lambda r: [], csv="length"),
            "have the same name 'length' for csv",
        ),
    ],
)
def test_an_incomplete_column_is_refused(column: Column, fault: str) -> None:
    with pytest.raises(IncompleteColumn, match=f"'new'.*{fault}"):
        check_columns([*DERIVED.items(), ("new", column)])


def test_repeated_and_unknown_columns_are_refused() -> None:
    with pytest.raises(IncompleteColumn, match="'length' of rays is there twice"):
        check_columns([*COLUMNS.items(), ("length", COLUMNS["length"])])
    with pytest.raises(IncompleteColumn, match="'colour'"):
        columns_with_name("csv", ("colour",))


def test_a_column_that_no_kernel_writes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows do not depend on what their memory held before."""
    traced, empty = [], np.empty
    for byte in (0x2A, 0x55):

        def soiled(shape: object, dtype: object = float, byte: int = byte) -> np.ndarray:
            array = empty(shape, dtype)
            array.reshape(-1).view(np.uint8)[:] = byte
            return array

        monkeypatch.setattr(np, "empty", soiled)
        traced.append(trace(Scene.of(lit())))
        monkeypatch.setattr(np, "empty", empty)
    first, second = traced
    unwritten = [
        name
        for name in STORED
        if not np.array_equal(getattr(first, name), getattr(second, name), equal_nan=True)
    ]
    assert unwritten == [], (
        f"raybench.trace.kernels.kernel.write_interactions does not write {unwritten[0]!r} to the row of"
        " every ray."
    )


def test_a_column_is_added_in_one_place(tmp_path: Path) -> None:
    """On a copy of the sources a stored column is added to the table alone; arrays, files, tables
    and answers have it.
    """
    for package in (raybench, raybench_workbench, raybench_resources):
        shutil.copytree(
            package.__path__[0],
            tmp_path / package.__name__,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for code in (ADD_GROUP, USE_GROUP):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=_env(tmp_path),
        )
        assert done.returncode == 0, done.stderr


def _env(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(folder),
        "RAYBENCH_CACHE_DIR": str(folder / "cache"),
        "QT_QPA_PLATFORM": "offscreen",
    }


def test_words_are_read_in_any_spelling() -> None:
    assert Status.ILL_DEFINED.word == "ill_defined"
    for kind in (Status, Interaction):
        assert kind.words() == tuple(code.name.lower() for code in kind)
        for code in kind:
            assert kind.parse(code.word.upper().replace("_", "-")) is code
    assert Status.parse("gone") is None
