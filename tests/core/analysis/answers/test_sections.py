"""Values arranged for people: fields, tables, and what was left out."""

from __future__ import annotations

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
        "ray", ("id", "p1 x"), (False, True), (("r1-0", "1"), ("r1-1", "2.12346"))
    )


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
    assert table.numeric == (False, True)
    assert table.rows == (("r1-0", "0.5"), ("r1-1", ""))


def test_units_and_left_stand_last() -> None:
    *_, last = answer_sections({"revision": 7, "unit": "mm", "left": "3 ray", "count": 1})
    assert last == Fields("", (("units", "lengths in mm"), ("not shown", "3 ray")))


def test_a_whole_list_leaves_nothing() -> None:
    values = element(
        "statistics", element("sources", listed("source", [element("source", rays=3)]), left=None)
    ).values
    assert answer_sections(values) == (Table("sources source", ("rays",), (True,), (("3",),)),)


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
