"""What a function takes, and what is refused before it is called."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import Field

from raybench.agent.tools.tool import Tool
from raybench.schema.parameters import InvalidArguments, InvalidSignature, describe_function


def look(
    name: str,
    count: int,
    factor: float = 1.0,
    mode: Literal["a", "b"] = "a",
    json: list[float] | None = None,
) -> str:
    """Look at something.

    It may take long.

    Args:
        name: What to look at,
            exactly.
        count: How often.
    """
    return f"{name}{count}{factor}{mode}{json}"


def test_the_schema_contains_types_defaults_and_texts_and_closes_the_object() -> None:
    schema = describe_function(look).parameters.schema
    assert schema["properties"]["name"] == {
        "type": "string",
        "description": "What to look at, exactly.",
    }
    assert schema["properties"]["factor"] == {"type": "number", "default": 1.0}
    assert schema["properties"]["mode"]["enum"] == ["a", "b"]
    assert schema["required"] == ["name", "count"]
    assert schema["additionalProperties"] is False
    assert "title" not in schema


def test_the_description_is_the_docstring_without_its_arguments() -> None:
    assert Tool.new("look", look).description == "Look at something.\n\nIt may take long."


def test_an_unstated_effect_is_external() -> None:
    assert Tool.new("look", look).effect == "external"


def test_arguments_that_fit_come_back_with_defaults() -> None:
    checked = describe_function(look).parameters.check(
        {"name": "A", "count": 2, "factor": 3, "json": [1, 2]}
    )
    assert checked.values == {
        "name": "A",
        "count": 2,
        "factor": 3.0,
        "mode": "a",
        "json": [1.0, 2.0],
    }
    assert checked.dropped == ()


def test_unknown_arguments_are_dropped_but_named() -> None:
    assert describe_function(look).parameters.check(
        {"name": "A", "count": 2, "nmae": "B"}
    ).dropped == ("nmae",)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": 5}, "'name' must be a string, got 5."),
        ({"name": None}, "'name' must be a string, got null."),
        ({"count": "5"}, "'count' must be an integer, got \"5\"."),
        ({"count": True}, "'count' must be an integer, got true."),
        ({"count": 1.5}, "'count' must be an integer, got 1.5."),
        ({"factor": True}, "'factor' must be a number, got true."),
        ({"factor": float("nan")}, "'factor' must be a finite number, got NaN."),
        ({"factor": float("-inf")}, "'factor' must be a finite number, got -Infinity."),
        ({"mode": "c"}, "'mode' must be 'a' or 'b', got \"c\"."),
        ({"json": [1, "x"]}, "'json.1' must be a number, got \"x\"."),
    ],
)
def test_each_wrong_field_is_named_with_what_it_must_be(
    change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        describe_function(look).parameters.check({"name": "A", "count": 1, **change})
    assert complaint in str(caught.value)
    assert "Parameters: name: string, count: integer, factor: number = 1.0" in str(caught.value)


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(
        InvalidArguments, match=r"'name' is missing\. 'count' must be an integer, got \[\]\."
    ):
        describe_function(look).parameters.check({"count": []})


@pytest.mark.parametrize("arguments", [None, [], "text", 5])
def test_arguments_must_be_an_object(arguments: object) -> None:
    with pytest.raises(InvalidArguments, match="must be an object"):
        describe_function(look).parameters.check(arguments)


def test_parameters_that_a_model_cannot_name_are_refused_at_once() -> None:
    def hidden(_secret: str) -> str:
        return _secret

    def open_ended(*names: str) -> str:
        return "".join(names)

    with pytest.raises(InvalidSignature, match="'_secret' starts with an underscore"):
        Tool.new("hidden", hidden)
    with pytest.raises(InvalidSignature, match="'names' cannot be given by name"):
        Tool.new("open_ended", open_ended)


def test_a_type_that_json_cannot_hold_is_refused_at_once() -> None:
    class Thing:
        pass

    def take(thing) -> str:  # type: ignore[no-untyped-def]
        return str(thing)

    take.__annotations__["thing"] = Thing
    with pytest.raises(InvalidSignature, match="take cannot be a tool"):
        Tool.new("take", take)


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize(
    "default",
    [10**5_000, math.nan, math.inf, [math.nan], {"a": {"b": -math.inf}}, object(), b"\xff"],
    ids="abcdefg",
)
def test_a_default_that_json_cannot_hold_is_not_told_to_models(default: Any) -> None:
    def take(count: Any = default) -> str:
        return str(count is default)

    schema = Tool.new("take", take).input_schema
    assert json.loads(json.dumps(schema, allow_nan=False))["properties"] == {"count": {}}
    assert "required" not in schema


def test_a_limit_that_json_cannot_hold_is_refused() -> None:
    def take(count: Annotated[int, Field(lt=10**5_000)]) -> int:
        return count

    with pytest.raises(
        InvalidSignature, match="take cannot be a tool: its parameters have no JSON schema"
    ):
        Tool.new("take", take)


@dataclass
class Spot:
    """A place."""

    x: float
    y: float


def place(
    at: Spot,
    key: int | str,
    pair: tuple[float, float] = (0, 0),
    when: datetime | None = None,
    more: list[Spot] | None = None,
) -> str:
    return f"{at}{key}{pair}{when}{more}"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"key": []}, "'key' must be an integer or a string, got []."),
        ({"at": {"x": 1}}, "'at.y' is missing."),
        ({"at": {"x": 1, "y": "2"}}, "'at.y' must be a number, got \"2\"."),
        ({"at": []}, "'at' must be an object, got []."),
        ({"pair": [1]}, "'pair.1' is missing."),
        (
            {"pair": [1, 2, 3]},
            (
                "'pair' does not fit: Tuple should have at most 2 items after validation, not 3,"
                " got [1, 2, 3]."
            ),
        ),
        (
            {"when": "noon"},
            "'when' must be a date and time such as 2026-01-31T12:00:00Z, got \"noon\".",
        ),
        (
            {"more": [{"x": 1, "y": 2}, {"x": None}]},
            "'more.1.x' must be a number, got null. 'more.1.y' is missing.",
        ),
    ],
)
def test_a_fault_is_reported_at_its_place_in_what_was_sent(
    change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        describe_function(place).parameters.check({"at": {"x": 1, "y": 2}, "key": 1, **change})
    assert complaint in str(caught.value)
    assert (
        "Parameters: at: {x: number, y: number}, key: integer or string, pair: [number, number] ="
        " [0, 0]" in str(caught.value)
    )


def test_what_fits_comes_back_as_the_function_wants_it() -> None:
    values = (
        describe_function(place)
        .parameters.check({"at": {"x": 1, "y": 2}, "key": "a", "more": [{"x": 0, "y": 0}]})
        .values
    )
    assert values["at"] == Spot(1.0, 2.0)
    assert values["more"] == [Spot(0.0, 0.0)]


def test_callable_objects_and_partial_functions_say_what_they_take() -> None:
    assert Tool.new("place", functools.partial(place, key=5)).input_schema["required"] == ["at"]

    @dataclass
    class Caller:
        """Not what it does."""

        size: int

        def __call__(self, count: int) -> str:
            """Count."""
            return str(self.size * count)

    tool = Tool.new("caller", Caller(2))
    assert (tool.signature, tool.description) == ("(count :int) -> :string", "Count.")


@pytest.mark.parametrize(
    "hint",
    [datetime, datetime | None, list[datetime], Optional[list[datetime]]],  # noqa: UP045
)
def test_seed1_35_a_datetime_hint_wants_an_offset_as_its_signature_does(hint: Any) -> None:
    def at(when):  # type: ignore[no-untyped-def]
        return when

    at.__annotations__ = {"when": hint}
    parameters = Tool.new("at", at).parameters
    many = "list" in str(hint)

    def check(text: str) -> Any:
        return parameters.check({"when": [text] if many else text}).values["when"]

    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    read = check("2026-01-31T14:00:00+02:00")
    assert read == ([noon] if many else noon)
    assert (read[0] if many else read).tzinfo is UTC
    for wrong in ("2026-01-31T14:00:00", "2026-01-31", "0001-01-01T00:00:00+23:00"):
        with pytest.raises(InvalidArguments, match=r"must be a date and time"):
            check(wrong)


def test_of_thousands_of_faults_the_first_are_told() -> None:
    def add(numbers: list[float]) -> None:
        """Add."""

    with pytest.raises(
        InvalidArguments, match=r"'numbers\.7' must be a number, got \"x\"\. And 4992 more\."
    ) as caught:
        describe_function(add).parameters.check({"numbers": ["x"] * 5_000})
    assert len(str(caught.value)) < 800
