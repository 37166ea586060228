"""Lists as models write them: one item alone, or JSON as text."""

from __future__ import annotations

from typing import Any

import pytest

from raybench.schema.json_values import coerce_to_list, parse_json_container


@pytest.mark.parametrize(
    ("given", "item", "read"),
    [
        ("Lens", str, ["Lens"]),
        (["Lens"], str, ["Lens"]),
        ('["Lens", "Screen"]', str, ["Lens", "Screen"]),
        ("[no JSON", str, ["[no JSON"]),
        ('{"a": 1}', str, ['{"a": 1}']),
        ({"move": "Lens"}, dict, [{"move": "Lens"}]),
        ('{"move": "Lens"}', dict, [{"move": "Lens"}]),
        (' [{"move": "Lens"}]', dict, [{"move": "Lens"}]),
        ("move Lens", dict, "move Lens"),
        (5, str, 5),
        (None, str, None),
    ],
)
def test_a_single_item_and_the_json_of_a_list_are_lists(given: Any, item: type, read: Any) -> None:
    assert coerce_to_list(given, item) == read


def test_what_is_not_json_stays_a_text() -> None:
    assert parse_json_container("[" * 200_000) == "[" * 200_000
    assert parse_json_container("[1, 2") == "[1, 2"
    assert parse_json_container("[1, 2]") == [1, 2]
