"""The table of kinds is complete or reports what is missing, and every kind works as its row
defines.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import raybench
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.aspects.row import IncompleteKind, Row
from raybench.kinds.decorations import Handle
from raybench.kinds.fields import as_number, point
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import KINDS, ROWS, check_kind_rows, kind_row_of, labelled_subclasses
from raybench.kinds.mirrors import Mirror, Reflector
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault, object_remarks
from raybench.kinds.unread import UnreadObject
from raybench.scene.codec import object_from_json, object_to_json
from raybench.shapes.point import Point
from raybench.trace.tables import object_rows
from raybench.trace.tables.object_rows import build_object_rows, object_piece, rows_from_pieces

ENTRIES = {
    "family": "Mirrors",
    "edges": outlines.line_edges,
    "piece": no_piece,
    "painter": "mirror",
    "icon": {"p1": Point(0, 0), "p2": Point(1, 1)},
    "sample": sample.ENDS,
}
DRAWN = [row for row in ROWS if not issubclass(row.kind, UnreadObject | ModuleObj)]


@dataclass(frozen=True, kw_only=True)
class Retro(Reflector):
    label: ClassVar[str] = "Retro-reflector"


@dataclass(frozen=True, kw_only=True)
class Unnamed(Reflector):
    pass


@dataclass(frozen=True, kw_only=True)
class Undecided(SceneObject):
    label: ClassVar[str] = "Undecided"
    p1: Point = point("First end")  # noqa: RUF009
    p2: Point = point("Second end")  # noqa: RUF009


@dataclass(frozen=True, kw_only=True)
class Opaque(GlassBody):
    label: ClassVar[str] = "Opaque"
    p1: Point = point("First end")  # noqa: RUF009
    p2: Point = point("Second end")  # noqa: RUF009


@pytest.mark.parametrize("entry", ["family", "edges", "piece", "painter", "icon"])
def test_a_row_with_a_missing_entry_is_refused(entry: str) -> None:
    with pytest.raises(IncompleteKind, match=rf"The row of Retro \({__name__}\) has no {entry}\."):
        Row(Retro, **{k: v for k, v in ENTRIES.items() if k != entry})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sample": None}, "has no sample"),
        ({"family": "Toys"}, "is of the family 'Toys', which is not one of Light, "),
        ({"icon": {"p1": Point(0, 0)}}, "has an icon without p2"),
        ({"icon": ENTRIES["icon"] | {"p9": Point(0, 0)}}, "has an icon with p9, which"),
        ({"kind": Unnamed}, "has no label"),
        ({"kind": Undecided}, "does not say whether it has an edge table"),
        ({"kind": Opaque}, "has no index_at, which its base class asks for"),
        ({"centre": "p7"}, "has the centre 'p7', which is not a point among its fields"),
    ],
)
def test_an_invalid_row_is_refused(changes: dict[str, object], message: str) -> None:
    row = Row(Retro, **ENTRIES)
    assert check_kind_rows([row]) == (row,)
    with pytest.raises(
        IncompleteKind, match=rf"^(Retro|Unnamed|Undecided|Opaque) \({__name__}\) {message}.*README"
    ):
        check_kind_rows([replace(row, **changes)])


def test_a_kind_with_two_rows_or_none_is_refused() -> None:
    row = Row(Retro, **ENTRIES)
    with pytest.raises(IncompleteKind, match=r"Retro .* has two rows"):
        check_kind_rows(
            [row, kind_row_of(Mirror(p1=Point(0, 0), p2=Point(1, 1))), replace(row, painter="lens")]
        )
    with pytest.raises(IncompleteKind, match=r"Retro .* has no row: add one to ROWS of its module"):
        check_kind_rows(ROWS, labelled_subclasses(Reflector))


def test_every_kind_in_the_sources_has_a_row() -> None:
    for module in pkgutil.walk_packages(
        [str(Path(raybench.__file__).parent / "kinds")], "raybench.kinds."
    ):
        importlib.import_module(module.name)
    assert (
        check_kind_rows(
            ROWS,
            (
                kind
                for kind in labelled_subclasses(SceneObject)
                if kind.__module__.startswith("raybench.")
            ),
        )
        == ROWS
    )


def test_the_readme_names_every_entry_of_a_row() -> None:
    readme = (Path(raybench.__file__).parent / "kinds/README.md").read_text(encoding="utf-8")
    assert [f.name for f in fields(Row) if f.name != "kind" and f"`{f.name}`" not in readme] == []


@pytest.mark.parametrize("row", DRAWN, ids=lambda row: row.kind.__name__)
def test_the_object_of_an_icon_has_no_fault_and_survives_a_file(row: Row) -> None:
    obj = row.kind(**row.icon)
    assert object_fault(obj) == ""
    assert list(object_remarks(obj)) == []
    assert all(
        abs(c) < 25
        for e in object_edges(obj)
        if np.isfinite(e.shape.length)
        for p in e.shape.points()
        for c in p
    )
    written = json.loads(json.dumps(object_to_json(obj)))
    assert object_to_json(object_from_json(written, 0)) == written
    assert kind_row_of(obj) is row


@pytest.mark.parametrize(
    "row", [row for row in DRAWN if row.kind.optical], ids=lambda row: row.kind.__name__
)
def test_an_optical_kind_acts_on_light_or_emits_it(row: Row) -> None:
    piece = object_piece(row.kind(**row.icon), True)
    assert len(piece.kinds) == len(piece.geometry) == len(piece.edges)
    acts, emits = len(piece.kinds) > 0, row.emits is not None
    assert acts != emits or row.kind.__name__ == "Handle"


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.ends_geometry is not None], ids=lambda row: row.kind.__name__
)
def test_objects_assembled_together_agree_with_one_by_one(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_rows, "FEW_SURFACES", 2)
    ends = np.random.default_rng(1).uniform(-100, 100, (40, 4)).tolist()
    objects = [
        row.kind(**row.icon | {"p1": Point(ax, ay), "p2": Point(bx, by)}) for ax, ay, bx, by in ends
    ]
    at_once = build_object_rows(objects, range(40), True, 1e-6)
    one_by_one = rows_from_pieces([object_piece(o, True) for o in objects], range(40), 1e-6)
    for name, mine, other in zip(at_once._fields, at_once, one_by_one, strict=True):
        np.testing.assert_equal(mine, other, err_msg=name)


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.piece is not no_piece or row.emits],
    ids=lambda row: row.kind.__name__,
)
def test_the_light_of_an_optical_kind_is_tested(row: Row) -> None:
    tests = Path(__file__).parents[2]
    files = [*tests.glob("physics/*.py"), *tests.glob("core/trace/*.py")]
    assert any(re.search(rf"\b{row.kind.__name__}\b", f.read_text(encoding="utf-8")) for f in files)


def test_the_kinds_of_the_table_are_those_that_can_be_read() -> None:
    assert {row.kind.__name__ for row in ROWS} - set(KINDS) == {
        "UnreadObject",
        "UnreadDecoration",
        "UnreadEntry",
    }


@pytest.mark.parametrize(
    "value",
    [
        float("inf"),
        float("nan"),
        "inf",
        "-Infinity",
        "nan",
        10**400,
        "1e400",
        True,
        None,
        "2 mm",
        [2],
    ],
)
def test_what_is_no_finite_number_in_json_is_none(value: object) -> None:
    assert as_number(value) is None
    assert as_number(" -2.5e3 ") == -2500.0


@pytest.mark.parametrize("far", [10**400, 1e60], ids=["endless", "far"])
def test_a_handle_moves_no_point_that_is_too_far_away(far: float) -> None:
    at = [{"x": far, "y": -far}, {"x": 1, "y": far}, {"x": 3, "y": -4}]
    handle = Handle(
        p1=Point(0, 0),
        p2=Point(0, 0),
        control_points=[{"targetObjIndex": 0, "newPoint": p} for p in at],
    )
    assert [held.at for held in handle.grouped_points] == [Point(3, -4)]
