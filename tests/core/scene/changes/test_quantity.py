"""Numbers with units and expressions, as fields of the window, changes in JSON and studies read
them.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.kinds.fields import LENGTH
from raybench.scene.changes import Set, apply_changes
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.creation import object_from_drag
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point


@pytest.mark.parametrize(
    ("text", "unit", "scene_unit", "value"),
    [
        ("5", LENGTH, "mm", 5.0),
        ("5 mm", LENGTH, "mm", 5.0),
        ("10 cm", LENGTH, "mm", 100.0),
        ("0.2 um", "nm", "mm", 200.0),
        ("30 deg", "deg", "mm", 30.0),
        ("pi/6 rad", "deg", "mm", 30.0),
        ("800/2", LENGTH, "mm", 400.0),
        ("800/2 nm", LENGTH, "µm", 0.4),
        ("1/3", "", "mm", 1 / 3),
        ("1 in - 5 mm", LENGTH, "mm", 20.4),
        ("(10 + 5) mm", LENGTH, "cm", 1.5),
        ("-(1e-3 m) + 2 mm", LENGTH, "mm", None),
        ("-1e-3 m + 2 mm", LENGTH, "mm", 1.0),
        ("1e-3*2", "", "mm", 0.002),
        ("2 * -3", "", "mm", -6.0),
        ("2^-1", "", "mm", 0.5),
        ("max(1, 5)", "", "mm", 5.0),
        ("2 pi", "", "mm", 2 * math.pi),
        ("−4", "", "mm", -4.0),
        ("25.4 mm/2", LENGTH, "mm", 12.7),
        ("1 in/2 + 3 mm * 2", LENGTH, "mm", 18.7),
        ("100 mm*tan(45°)/2", LENGTH, "cm", 5.0),
        ("10*sin(30 deg)", LENGTH, "mm", 5.0),
        ("10*cos(0.5 rad) mm", LENGTH, "mm", 10 * math.cos(0.5)),
        ("10*sin(pi/6)", LENGTH, "mm", 5.0),
        ("asin(1/2) rad", "deg", "mm", 30.0),
        ("2*e", "", "mm", 2 * math.e),
        ("0.5/mm", "1/length", "mm", 0.5),
    ],
)
def test_a_text_is_read_with_its_unit(text, unit, scene_unit, value):
    if value is None:
        with pytest.raises(InvalidQuantity):
            read_quantity(text, unit, scene_unit)
    else:
        assert read_quantity(text, unit, scene_unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,500", "write 1.500 with a decimal point or 1500 without a comma"),
        ("1.234,5", "write 1234.5"),
        ("1,234.5", "write 1234.5"),
        ("1,234,567", "without them"),
        ("10 + 5 mm", "each term its unit"),
        ("5 kg", "give one of nm"),
        ("30 deg", "give one of nm"),
        ("abc", "is not a number or function"),
        ("0x10", "x10"),
        ("10 mm/2 mm", "is not a number or function"),
        ("10*sin(30)", r"write sin\(30 deg\) or sin\(30 rad\)"),
        ("1.5e", "write 1.5e3 for a power of ten"),
        ("2e mm", "write 2e3 for a power of ten"),
        ("1 000", "two numbers side by side"),
        ("1/0", "finite"),
        ("1e400", "too large"),
        ("sqrt(-1)", "finite"),
        ("random()", "is not a number or function"),
        ("", "must be a number"),
        ("9" * 70, "must be a number"),
    ],
)
def test_what_may_be_misread_is_refused_with_the_remedy(text, says):
    with pytest.raises(InvalidQuantity, match=says):
        read_quantity(text, LENGTH, "mm")


def test_an_angle_that_would_be_in_radians_is_refused():
    with pytest.raises(InvalidQuantity, match="write rad after it"):
        read_quantity("asin(1/2)", "deg", "mm")
    assert read_quantity("asin(1/2)", "", "mm") == pytest.approx(math.pi / 6)


@given(st.text(alphabet="0123456789.,+-*/^() emcnpiµ", max_size=24))
def test_any_text_is_a_finite_number_or_refused(text):
    try:
        value = read_quantity(text, LENGTH, "mm")
    except InvalidQuantity:
        return
    assert math.isfinite(value)


@given(st.floats(-1e6, 1e6), st.floats(0.5, 1e3), st.sampled_from("+-*/"))
def test_arithmetic_is_that_of_numbers(a, b, sign):
    assert (
        read_quantity(f"{a!r} {sign} {b!r}", "", "mm")
        == {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[sign]
    )


def test_a_change_takes_an_expression():
    beam = object_from_drag("Beam", Point(0, 0), Point(0, 10))
    changed = apply_changes(
        Set(beam.key, {"p1.x": "1 cm + 2.5 mm"}), Document(scene=Scene.of([beam]))
    )
    assert changed.scene.objects[0].p1.x == 12.5
