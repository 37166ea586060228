"""Results as values for other programs: everything where it fits, else the first elements of each
list and how many are missing.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.agent.outcomes import outcome_of
from tests.open_prism import FIND_INSIDE

from raybench.agent.call.outcome import shorten_lists
from raybench.agent.tools.tool import Tool

VALUES = st.recursive(
    st.integers() | st.text(max_size=8) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=8) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=40,
)


def length(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def test_an_answer_is_given_with_its_values_and_its_ray_set() -> None:
    found = outcome_of(FIND_INSIDE, {"glass_name": "Main Prism"}).json_result
    assert found["summary"] == "2 rays are inside Main Prism (R1)."
    assert found["rays"] == {"name": "R1", "count": 2, "revision": found["result"]["revision"]}
    assert [ray["id"].rpartition("-")[2] for ray in found["result"]["ray"]] == ["2", "4"]
    assert "omitted" not in found


def test_the_first_elements_of_a_long_list_are_kept_and_the_others_counted() -> None:
    rays = [{"id": f"r1-{i}", "power": 0.5} for i in range(1000)]
    shown, omitted = shorten_lists({"count": 1000, "ray": rays}, 2000)
    assert shown["count"] == 1000
    kept = len(shown["ray"])
    assert shown["ray"] == rays[:kept]
    assert omitted == {"ray": 1000 - kept}
    assert length(shown) <= 2000 < length({"count": 1000, "ray": rays[: kept + 1]})


@given(VALUES, st.integers(20, 200))
def test_what_fits_is_left_alone_and_the_rest_counts_up(value: Any, characters: int) -> None:
    shown, omitted = shorten_lists(value, characters)
    if length(value) <= characters:
        assert (shown, omitted) == (value, {})
    else:
        assert (
            len(shown) <= characters if isinstance(shown, str) else length(shown) <= length(value)
        )
        assert all(count > 0 for count in omitted.values())
        assert json.loads(json.dumps(shown)) == shown


def test_numbers_that_json_lacks_are_texts() -> None:
    def odd() -> dict[str, float]:
        """Odd numbers."""
        return {"a": math.inf, "b": math.nan}

    found = outcome_of(Tool.new("odd", (odd, {"effect": "read"})), {}).json_result
    assert found["result"] == {"a": "Infinity", "b": "NaN"}
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("text", ["", "x" * 30_000])
def test_a_text_alone_is_cut(text: str) -> None:
    shown, omitted = shorten_lists(text, 20_000)
    assert shown == text[:20_000]
    assert omitted == ({"characters": 10_000} if text else {})


@pytest.mark.parametrize(
    "value", [{"text": "x" * 30_000, "rows": [1]}, {str(i): i for i in range(9_000)}]
)
def test_values_that_are_too_long_without_their_lists_are_cut_as_text(
    value: dict[str, Any],
) -> None:
    whole = json.dumps(value, separators=(",", ":"))
    assert shorten_lists(value, 20_000) == (whole[:20_000], {"characters": len(whole) - 20_000})
