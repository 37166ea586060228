"""Seed 1, section C: compact signatures are read, written, and turned into JSON schemas."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.core.schema.any_types import SIGNATURE_TEXTS

from raybench.schema.parameters import signature_parameters
from raybench.schema.signature import (
    Signature,
    SignatureError,
    parse_signature,
    primitive_types,
    record_fields,
    type_text,
)


def returned(text: str) -> Any:
    return parse_signature(text).returns


def refused(text: object) -> str:
    with pytest.raises(SignatureError) as caught:
        parse_signature(text)
    assert "\n" not in str(caught.value).replace(repr(text), "")
    return str(caught.value)


def test_seed1_18_a_signature_is_parameters_and_a_result_or_a_result_alone() -> None:
    signature = parse_signature("(query :string, limit :int) -> [{id :int}]")
    assert signature.parameters == {"query": str, "limit": int}
    assert record_fields(get_args(signature.returns)[0]) == {"id": int}
    assert parse_signature(":int") == parse_signature("() -> :int") == Signature({}, int)


@pytest.mark.parametrize(
    "name", ["string", "int", "float", "bool", "keyword", "map", "any", "datetime"]
)
def test_seed1_19_primitives_may_be_optional(name: str) -> None:
    assert returned(f":{name}") == primitive_types()[name]
    assert returned(f":{name}?") == primitive_types()[name] | None


def test_seed1_19_boolean_is_bool() -> None:
    assert returned(":boolean") is bool


def test_seed1_20_a_list_has_one_type() -> None:
    assert returned("[:string?]") == list[str | None]
    assert type_text(returned("[{}]")) == "[{}]"
    assert "expected a type" in refused("[]")
    assert "expected ]" in refused("[:int, :int]")


def test_seed1_21_records_nest_and_may_be_empty() -> None:
    assert record_fields(returned("{}")) == {}
    inner = record_fields(record_fields(returned("{a {b {c [:int]}}}"))["a"])["b"]
    assert record_fields(inner) == {"c": list[int]}
    assert returned("[" * 60 + ":int" + "]" * 60)


def test_seed1_21_nesting_without_end_is_refused_not_crashed_on() -> None:
    assert (
        refused("[" * 100_000)
        == "parse error at line 1, column 65: more than 64 levels of lists and records"
    )


@pytest.mark.parametrize("text", ["[:int]?", "{a :int}?", "[{a [:int]?}?]"])
def test_seed1_22_lists_and_records_may_be_optional_so_that_what_functions_say_can_be_read(
    text: str,
) -> None:
    assert type_text(returned(text)) == text
    assert "expected the end" in refused(f"{text}??")


@pytest.mark.parametrize("name", ["a", "_", "user-id", "_email_ids", "a1-2_b"])
def test_seed1_23_names_may_hold_hyphens_and_begin_with_an_underscore(name: str) -> None:
    assert parse_signature(f"({name} :int) -> :any").parameters == {name: int}


@pytest.mark.parametrize("name", ["1a", "-a", "é", "a.b"])
def test_seed1_23_other_names_are_refused(name: str) -> None:
    assert refused(f"({name} :int) -> :any").startswith("parse error at line 1, column ")


def test_seed1_24_blanks_and_line_ends_are_free() -> None:
    text = "\n ( a\t:int ,\n b[:int ? ] )->\n{ c :map }\n"
    assert str(parse_signature(text)) == "(a :int, b [:int?]) -> {c :map}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("find the rays", "line 1, column 1"),
        ("(id :int", "line 1, column 9"),
        ("(id :)", "line 1, column 5"),
        (":int :int", "line 1, column 6"),
        (":unknown", "line 1, column 1"),
        (":list", "line 1, column 1"),
        ("(a\n :array) -> :int", "line 2, column 2"),
        (":tuple", "line 1, column 1"),
        (":object", "line 1, column 1"),
        ("(a :int,) -> :int", "line 1, column 9"),
        ("(a :int) :int", "line 1, column 10"),
        ("(a :int, a :int) -> :int", "line 1, column 10"),
    ],
)
def test_seed1_25_what_is_no_signature_is_refused_where_it_goes_wrong(
    text: str, place: str
) -> None:
    assert refused(text).startswith(f"parse error at {place}: ")


def test_seed1_26_an_unknown_type_is_answered_with_the_types_there_are() -> None:
    message = refused("(a :strng) -> :int")
    assert "there is no type :strng, did you mean :string?" in message
    assert ":string, :int, :float, :bool, :keyword, :map, :any, :datetime" in message
    assert "[:type]" in message
    assert "{field :type}" in message


@pytest.mark.parametrize(("value", "kind"), [(None, "NoneType"), (5, "int"), (["a"], "list")])
def test_seed1_26_a_signature_is_a_string(value: object, kind: str) -> None:
    assert refused(value) == f"signature must be a string, got {kind}"


def test_seed1_27_what_is_written_reads_as_it_was() -> None:
    assert str(parse_signature("(id :int)->:string")) == "(id :int) -> :string"
    assert str(parse_signature(":string")) == "() -> :string"


@given(SIGNATURE_TEXTS)
@settings(max_examples=100, deadline=None)
def test_seed1_27_any_signature_is_read_as_it_is_written(text: str) -> None:
    assert str(parse_signature(text)) == text


TOKENS = [
    "(",
    ")",
    "->",
    "[",
    "]",
    "{",
    "}",
    ",",
    "?",
    ":int",
    ":string",
    ":x",
    "a",
    "b-c",
    "\n",
    " ",
    "-",
]
PIECES = st.lists(st.sampled_from(TOKENS)).map("".join)


@given(st.text() | PIECES)
@settings(max_examples=150, deadline=None)
@example("-->:int")
@example("(a->:int)")
@example("\u2028:int")
@example(":int\x00")
def test_any_text_is_a_signature_or_an_error_with_its_place(text: str) -> None:
    message = ""
    try:
        signature = parse_signature(text)
    except SignatureError as error:
        message = str(error)
    if not message:
        assert str(parse_signature(str(signature))) == str(signature)
        return
    place = re.match(r"parse error at line (\d+), column (\d+): .", message)
    assert place
    assert 1 <= int(place[1]) <= text.count("\n") + 1
    assert 1 <= int(place[2]) <= len(text) + 1


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        (":string", {"type": "string"}),
        (":int", {"type": "integer"}),
        (":float", {"type": "number"}),
        (":bool", {"type": "boolean"}),
        (":keyword", {"type": "string"}),
        (":datetime", {"type": "string"}),
        (":map", {"type": "object"}),
        (":any", {}),
        ("[:int]", {"type": "array", "items": {"type": "integer"}}),
        (
            "{b :int, a :string?}",
            {
                "type": "object",
                "properties": {"b": {"type": "integer"}, "a": {"type": "string"}},
                "required": ["b"],
                "additionalProperties": False,
            },
        ),
    ],
)
def test_seed1_28_types_as_json_schemas(text: str, schema: dict[str, Any]) -> None:
    parameters = signature_parameters("t", parse_signature(f"(a {text}) -> :any"))
    assert parameters.schema["properties"]["a"] == schema


def test_seed1_28_required_names_keep_their_order() -> None:
    signature = parse_signature("(z :int, a :int, m :int?) -> :any")
    assert signature_parameters("t", signature).schema["required"] == ["z", "a"]
