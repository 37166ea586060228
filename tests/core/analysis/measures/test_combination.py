"""Numbers computed from measures: their grammar, units and values."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import lens_scene

from raybench.analysis.measures.bound import bind_measures, measure_values
from raybench.analysis.measures.grammar import InvalidMeasure, read_measures
from raybench.errors import RaybenchError
from raybench.trace.trace import trace


def value(text: str) -> tuple[float, str]:
    """The value and the unit, in a scene whose beam is 20 wide at the lens and 4 wide on the
    screen, 80 behind it.
    """
    document = lens_scene()
    (found,) = measure_values(text, document, trace(document.scene))
    assert found.defined, found.reason
    return found.value, found.unit


@pytest.mark.parametrize(
    ("text", "expected", "unit"),
    [
        ("width(Screen) / width(Lens)", 0.2, ""),
        ("2 * width(Screen) - width(Lens) / 4", 3.0, "mm"),
        ("1 - power(Screen) / power(Lens)", 0.0, ""),
        ("-(width(Lens) - width(Screen))", -16.0, "mm"),
        ("width(Lens) - width(Screen) - width(Screen)", 12.0, "mm"),
        ("width(Lens) - (width(Screen) - width(Screen))", 20.0, "mm"),
        ("1 / width(Lens)", 1 / 20, "1/mm"),
        ("width(Lens) * (1 / width(Screen))", 5.0, ""),
        ("power(Lens) / width(Lens)", 10 / 20, "relative power per mm"),
    ],
)
def test_measures_are_combined_with_their_units(text: str, expected: float, unit: str) -> None:
    found, its_unit = value(text)
    assert found == pytest.approx(expected, abs=1e-9)
    assert its_unit == unit
    (read,) = read_measures(text)
    assert read_measures(str(read)) == (read,)


@pytest.mark.parametrize(
    "text",
    [
        "width(Screen) + power(Screen)",
        "width(Screen) * width(Lens)",
        "width(Screen) + 1",
        "power(Lens) * width(Lens)",
    ],
)
def test_what_has_no_unit_is_refused(text: str) -> None:
    with pytest.raises(InvalidMeasure, match="has no unit"):
        bind_measures(text, lens_scene())


def test_a_number_alone_is_no_measure() -> None:
    with pytest.raises(InvalidMeasure, match="is a number"):
        bind_measures("3", lens_scene())


def test_what_is_undefined_says_which_measure_is() -> None:
    document = lens_scene()
    result = trace(document.scene)
    (zero,) = measure_values("power(Screen) / (power(Lens) - power(Lens))", document, result)
    assert zero.reason == "power(Lens) - power(Lens) is 0."
    dark = lens_scene()
    (missing,) = measure_values(
        "1 - rms(Screen) / width(Lens)",
        dark,
        trace(dark.scene, disabled=frozenset({dark.scene.objects[0].key})),
    )
    assert missing.reason.startswith(("rms(Screen)", "width(Lens)"))


@given(st.text(alphabet="()+-*/1.; power(Screen)'", max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    with contextlib.suppress(RaybenchError):
        bind_measures(text, lens_scene())


@pytest.mark.parametrize(
    "text", ["-" * 50_000 + "power(Screen)", "power(Screen)" + "+1" * 30_000, "(" * 40_000]
)
def test_long_texts_are_refused(text: str) -> None:
    with pytest.raises(InvalidMeasure):
        bind_measures(text, lens_scene())
