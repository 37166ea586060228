"""Values arranged for people: fields, tables, and what was left out."""

from __future__ import annotations

import numpy as np
import pytest
from tests.elements import element, listed

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import answer_page
from raybench.analysis.answers.sections import Fields, Table, answer_sections, cell_text


def test_records_become_a_table() -> None:
    (table,) = answer_sections(
        {
            "ray": [
                {"id": "r1-0", "p1": {"x": 1.0, "y": None}},
                {"id": "r1-1", "p1": {"x": 2.123456789, "y": None}},
            ]
        }
    )
    assert table == Table(
        "ray",
        ("id", "p1 x"),
        (("r1-0", 1.0), ("r1-1", 2.123456789)),
        ("ray/0", "ray/1"),
        (0, 0),
    )
    assert table.numeric_columns == (False, True)
    assert table.rows == (("r1-0", "1"), ("r1-1", "2.12346"))


def test_named_values_are_fields_with_their_units() -> None:
    (fields,) = answer_sections(
        {"property": [{"name": "p1", "label": "Position", "value": [90.0, 330.0], "unit": "mm"}]}
    )
    assert fields == Fields("property", (("Position", "90, 330 mm"),))


def test_inner_records_are_titled() -> None:
    found = answer_sections(
        {"ledger": {"emitted": 44.0}, "object": [{"name": "Lamp", "edge": [{"length": 2.0}]}]}
    )
    assert [section.title for section in found] == ["ledger", "object", "edge Lamp"]


def test_rows_of_a_query_have_its_columns() -> None:
    (table,) = answer_sections({"columns": ["id", "power"], "row": [["r1-0", 0.5], ["r1-1", None]]})
    assert isinstance(table, Table)
    assert table.headers == ("id", "power")
    assert table.numeric_columns == (False, True)
    assert table.rows == (("r1-0", "0.5"), ("r1-1", ""))


def test_units_and_left_stand_last() -> None:
    *_, last = answer_sections({"revision": 7, "unit": "mm", "left": "3 ray", "count": 1})
    assert last == Fields("", (("units", "lengths in mm"), ("not shown", "3 ray")))


def test_a_whole_list_leaves_nothing() -> None:
    values = element(
        "statistics", element("sources", listed("source", [element("source", rays=3)]), left=None)
    ).values
    assert answer_sections(values) == (
        Table("sources source", ("rays",), ((3,),), ("sources/source/0",), (0,)),
    )


def lit_by(*sources: tuple[str, float], name: str, power: float) -> dict[str, object]:
    return {
        "name": name,
        "power": power,
        "share": power / 4,
        "from": [{"source": source, "power": part} for source, part in sources],
    }


def test_named_parts_stand_below_what_they_are_parts_of() -> None:
    screen = lit_by(("A", 1.0), ("B", 2.0), name="Screen", power=3.0)
    (table,) = answer_sections({"object": [screen, lit_by(("A", 1.0), name="Stop", power=1.0)]})
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["Screen", "  A", "  B", "Stop", "  A"]
    assert table.places[:3] == ("object/0", "object/0/from/0", "object/0/from/1")
    assert table.bar_column == table.headers.index("power"), "every row has a power"
    assert table.bars == pytest.approx((1, 1 / 3, 2 / 3, 1 / 3, 1 / 3))
    (table,) = answer_sections({"object": [lit_by(("A", 3.0), name="Screen", power=3.0)] * 2})
    assert isinstance(table, Table)
    assert table.rows[0] == ("Screen", "3", "0.75", "A"), "one part is a column"
    assert table.bar_column == table.headers.index("share")


def test_rows_know_their_rays_by_place() -> None:
    inner = listed("from", [element("from", source="A").link_to_rays(np.array([2]))])
    outer = element("object", inner, name="Screen").link_to_rays(np.array([1, 2]))
    answer = Answer(element("lit", listed("object", [outer]), count=1), "Lit")
    (table, *_) = (s for s in answer_sections(answer.values) if isinstance(s, Table))
    rays = {place: each.ray_rows for place, each in answer.elements_by_place().items()}
    assert list(rays) == [table.places[0], "object/0/from/0"]
    assert [rows.tolist() for rows in rays.values() if rows is not None] == [[1, 2], [2]]


def test_rows_are_found_once_they_are_asked_for() -> None:
    asked = []

    def find_rows() -> np.ndarray:
        asked.append(True)
        return np.array([3, 4])

    group = element("group").link_to_rays(find_rows)
    answer = Answer(element("paths", listed("group", [group])), "Paths")
    (found,) = answer.elements_by_place().values()
    assert not asked
    assert [found.ray_rows.tolist(), found.ray_rows.tolist()] == [[3, 4], [3, 4]]
    assert len(asked) == 1


def test_values_without_names_are_shown_too() -> None:
    assert answer_sections(5.0) == (Fields("", (("result", "5"),)),)
    assert answer_sections([1, 2]) == (Fields("", (("", "1, 2"),)),)
    assert answer_sections({}) == ()
    assert cell_text([{"a": True}, {"a": None}]) == "a yes; a –"


def test_a_page_of_a_page() -> None:
    answer = Answer(
        element("rays", listed("ray", [element("ray", id=i) for i in range(10)])), "Ten"
    )
    assert answer_page(answer_page(answer, 8), 3).remaining == {"ray": 7}
