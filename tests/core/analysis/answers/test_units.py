"""Values in other units than the document's."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.measure import Measured, Unit, UnknownUnit, convert_measured


@pytest.mark.parametrize(
    ("value", "of", "unit", "wanted", "expected", "name"),
    [
        (25.4, "mm", Unit.LENGTH, "in", 1.0, "in"),
        (25.4, "mm", Unit.LENGTH, "inches", 1.0, "in"),
        (2.0, "in", Unit.LENGTH, "cm", 5.08, "cm"),
        (0.5, "m", Unit.LENGTH, "microns", 500_000.0, "µm"),
        (180.0, "deg", Unit.ANGLE, "rad", math.pi, "rad"),
        (1.0, "deg", Unit.ANGLE, "mrad", 1000 * math.pi / 180, "mrad"),
        (0.5, "deg", Unit.ANGLE, "arcmin", 30.0, "arcmin"),
        (1500.0, "ps", Unit.TIME, "ns", 1.5, "ns"),
    ],
)
def test_a_value_is_converted(
    value: float, of: str, unit: Unit, wanted: str, expected: float, name: str
) -> None:
    found = convert_measured(Measured(value, of, "measure(A)"), unit, wanted, of)
    assert found.value == pytest.approx(expected)
    assert found.unit == name


@pytest.mark.parametrize(
    ("unit", "wanted", "says"),
    [
        (Unit.LENGTH, "deg", "is in mm, which is not converted to deg"),
        (Unit.ONE, "mm", "has no unit"),
        (Unit.POWER, "mm", "is in relative power"),
        (Unit.LENGTH, "furlong", "There is no unit 'furlong'"),
    ],
)
def test_another_dimension_is_refused(unit: Unit, wanted: str, says: str) -> None:
    with pytest.raises(UnknownUnit, match=says):
        convert_measured(Measured(1.0, unit.symbol("mm"), "measure(A)"), unit, wanted, "mm")


def test_a_value_that_is_undefined_stays_so() -> None:
    assert not convert_measured(
        Measured(math.nan, "mm", "rms(A)", "No light."), Unit.LENGTH, "cm", "mm"
    ).defined
