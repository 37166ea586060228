"""What a function takes, and what is refused before it is called."""

from __future__ import annotations

from typing import Literal

import pytest

from core.agent.parameters import InvalidArguments, InvalidSignature, described
from core.agent.tool import Tool


def look(name: str, count: int, factor: float = 1.0, mode: Literal["a", "b"] = "a", json: list[float] | None = None) -> str:
    """Look at something.

    It may take long.

    Args:
        name: What to look at,
            exactly.
        count: How often.
    """
    return f"{name}{count}{factor}{mode}{json}"


def test_the_schema_tells_types_defaults_and_texts_and_closes_the_object() -> None:
    schema = described(look).parameters.schema
    assert schema["properties"]["name"] == {"type": "string", "description": "What to look at, exactly."}
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
    checked = described(look).parameters.check({"name": "A", "count": 2, "factor": 3, "json": [1, 2]})
    assert checked.values == {"name": "A", "count": 2, "factor": 3.0, "mode": "a", "json": [1.0, 2.0]}
    assert checked.dropped == ()


def test_unknown_arguments_are_dropped_but_named() -> None:
    assert described(look).parameters.check({"name": "A", "count": 2, "nmae": "B"}).dropped == ("nmae",)


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
def test_each_wrong_field_is_named_with_what_it_must_be(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        described(look).parameters.check({"name": "A", "count": 1, **change})
    assert complaint in str(caught.value)
    assert "Parameters: name: string, count: integer, factor: number = 1.0" in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(InvalidArguments, match=r"'name' is missing\. 'count' must be an integer, got \[\]\."):
        described(look).parameters.check({"count": []})


@pytest.mark.parametrize("arguments", [None, [], "text", 5])
def test_arguments_must_be_an_object(arguments: object) -> None:
    with pytest.raises(InvalidArguments, match="must be an object"):
        described(look).parameters.check(arguments)


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
