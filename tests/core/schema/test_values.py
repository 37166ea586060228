"""Seed 1, section C′: values against types, strictly for results and leniently for what a person
types.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.schema.any_types import TYPES

from raybench.schema.signature import parse_signature, type_text
from raybench.schema.values import InvalidValue, check_tool_result, coerce_value, value_faults


def type_(text: str) -> Any:
    return parse_signature(text).returns


@pytest.mark.parametrize(
    ("text", "fits", "does_not"),
    [
        (":int", [0, -5, 10**30], [1.0, True, "1", None]),
        (":float", [1.5, 2], [True, "1.5", None, float("inf")]),
        (":bool", [True, False], [0, 1, "true", None]),
        (":string", ["", "x"], [1, None, ["x"]]),
        (":keyword", ["a", "user-id", "_x1"], ["", "two words", "1a", "a\n", 5]),
        (":map", [{}, {"a": 1}], [[], "x", None]),
        (":any", [None, 1, [], {}], []),
        (":int?", [None, 5], ["5"]),
        ("[:int]", [[], [1]], [{}, [1.5], None]),
        ("[:int?]", [[1, None]], [[""]]),
        (":datetime", ["2026-01-31T12:00:00Z"], ["2026-01-31T12:00:00", "2026-01-31", "5", 5, ""]),
    ],
)
def test_seed1_30_results_are_checked_strictly(
    text: str, fits: list[Any], does_not: list[Any]
) -> None:
    assert [value_faults(value, type_(text)) for value in fits] == [()] * len(fits)
    assert all(value_faults(value, type_(text)) for value in does_not)


def test_seed1_30_faults_are_reported_with_paths() -> None:
    found = value_faults(
        {"results": [{"id": 1.5}, {}, {"id": 3}], "more": 1},
        type_("{results [{id :int, note :string?}], name :string}"),
    )
    assert found == (
        "results.0.id: expected int, got number",
        "results.1.id: expected field, got nothing",
        "name: expected field, got nothing",
    )


def test_seed1_30_optional_and_undeclared_fields_are_allowed() -> None:
    record = type_("{a :int?}")
    assert [value_faults(value, record) for value in ({}, {"a": None}, {"a": 1, "b": 2})] == [
        (),
        (),
        (),
    ]
    assert value_faults({"a": 1, "b": 2}, record, closed=True) == ("b: no such field",)
    assert value_faults([{"a": {"b": 1}}], type_("[{a {}}]"), closed=True)


@pytest.mark.parametrize(
    ("value", "text", "read"),
    [
        ("42", ":int", 42),
        ("-5", ":int", -5),
        ("0", ":int", 0),
        ("-0", ":int", 0),
        ("3.14", ":float", 3.14),
        ("42", ":float", 42.0),
        ("1e3", ":float", 1000.0),
        ("true", ":bool", True),
        ("false", ":bool", False),
    ],
)
def test_seed1_31_texts_are_converted_with_a_warning(value: str, text: str, read: object) -> None:
    got, warnings = coerce_value(value, type_(text))
    assert (got, type(got)) == (read, type(read))
    assert warnings == (f'"{value}" was read as {text[1:]} {read}',)


def test_seed1_31_a_whole_number_is_a_float() -> None:
    assert coerce_value(42, type_(":float")) == (42.0, ())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", ":int"),
        (" 42", ":int"),
        ("hello", ":int"),
        (42.0, ":int"),
        (True, ":int"),
        (True, ":float"),
        ("nan", ":float"),
        ("1e999", ":float"),
        ("9" * 5000, ":int"),
        ("yes", ":bool"),
        (1, ":bool"),
        (42, ":string"),
        ("two words", ":keyword"),
        ("a\n", ":keyword"),
        ({}, "[:int]"),
        ([], "{}"),
        (None, ":string"),
    ],
)
def test_seed1_31_nothing_is_guessed(value: object, text: str) -> None:
    with pytest.raises(InvalidValue, match="expected"):
        coerce_value(value, type_(text))


def test_seed1_31_lists_and_records_are_converted() -> None:
    read, warnings = coerce_value(
        {"a": "1", "b": ["2.5", 3], "z": 0}, type_("{a :int, b [:float], c :int?}")
    )
    assert read == {"a": 1, "b": [2.5, 3.0]}
    assert warnings == ('a: "1" was read as int 1', 'b.0: "2.5" was read as float 2.5')
    with pytest.raises(InvalidValue, match=r"^a\.1: "):
        coerce_value({"a": ["1", "x", "y"]}, type_("{a [:int]}"))


def test_seed1_32_a_numeric_prefix_is_no_number() -> None:
    with pytest.raises(InvalidValue):
        coerce_value("3.5abc", type_(":float"))


def test_seed1_33_a_date_needs_an_offset() -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert coerce_value("2026-01-31T12:00:00Z", type_(":datetime")) == (noon, ())
    assert coerce_value("2026-01-31T12:00:00.5+00:00", type_(":datetime")) == (
        noon.replace(microsecond=500_000),
        (),
    )
    read, (warning,) = coerce_value("2026-01-31T14:00:00+02:00", type_(":datetime"))
    assert read == noon
    assert "was read as datetime 2026-01-31 12:00:00+00:00" in warning
    for wrong in ("2026-01-31T12:00:00", "2026-01-31", "noon"):
        with pytest.raises(InvalidValue, match="datetime with an offset"):
            coerce_value(wrong, type_(":datetime"))


def test_seed1_34_results_are_checked_by_mode() -> None:
    record = type_("{a :int}")
    with pytest.raises(InvalidValue, match="a: expected int, got string"):
        check_tool_result({"a": "x"}, record)
    assert check_tool_result({"a": "x"}, record, "warn_only") == ("a: expected int, got string",)
    assert check_tool_result({"a": "x"}, record, "disabled") == ()
    assert check_tool_result({"a": 1, "b": 2}, record) == ()
    with pytest.raises(InvalidValue, match="b: no such field"):
        check_tool_result({"a": 1, "b": 2}, record, "strict")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=3), x, max_size=3),
    max_leaves=6,
)


@given(JSON, TYPES)
@settings(max_examples=60, deadline=None)
def test_any_value_fits_or_is_refused(value: Any, type: Any) -> None:
    value_faults(value, type)
    try:
        read, _ = coerce_value(value, type)
    except InvalidValue:
        return
    if not {":datetime", ":any", ":map"} & set(re.findall(r":\w+", type_text(type))):
        assert value_faults(read, type) == ()


@pytest.mark.parametrize("text", [":string", ":float", ":bool", ":keyword", ":datetime", "[:int]"])
def test_seed1_31_a_huge_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match="expected JSON, got a int"):
        coerce_value(10**5000, type_(text))
