"""Lenses that are defined in more than one way."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from raybench.kinds.lenses import SphericalLens
from raybench.kinds.object import InvalidObject
from raybench.shapes.point import Point

RIM = {"p1": Point(3.0, -20.0), "p2": Point(0.0, 20.0)}
RADIUS = st.floats(25, 1000) | st.floats(-1000, -25)


def lens(index: float = 1.5, **params: float | None) -> SphericalLens:
    return SphericalLens(**RIM, params=params, ref_index=index, name="Lens")  # type: ignore[arg-type]


def test_a_lens_given_by_focal_distances_satisfies_the_lensmakers_equation() -> None:
    """1/f = 0.5 (1/100 + 1/100 - 0.5 * 20 / (1.5 * 100 * 100)); both focal distances are f (1 - 0.5
    * 20 / (1.5 * 100)).
    """
    by_distances = lens(d=20.0, r1=100.0, r2=-100.0).with_definition("DFfdBfd")
    f = 1 / (0.5 * (0.02 - 10 / 15_000))
    assert by_distances.def_by == "DFfdBfd"
    assert by_distances.params == {
        "d": 20.0,
        "ffd": pytest.approx(f * (1 - 10 / 150)),
        "bfd": pytest.approx(f * (1 - 10 / 150)),
    }


@given(st.floats(0.5, 120), RADIUS, RADIUS, st.floats(1.3, 2.0), st.booleans())
def test_changing_the_definition_keeps_the_lens_or_is_refused(
    d: float, r1: float, r2: float, index: float, colours: bool
) -> None:
    before = lens(index, d=d, r1=r1, r2=r2)
    outline = before.outline(simulate_colors=colours)
    assume(outline is not None)
    assert outline is not None
    try:
        after = before.with_definition("DFfdBfd", simulate_colors=colours)
    except InvalidObject:
        return
    assert list(after.outline(simulate_colors=colours) or ()) == [
        pytest.approx(v, abs=1e-4) for v in outline
    ]
    back = after.with_definition("DR1R2", simulate_colors=colours)
    assert back.params is not None
    assert [1 / back.params[k] for k in ("r1", "r2")] == pytest.approx([1 / r1, 1 / r2], abs=1e-6)


@pytest.mark.parametrize(
    "params", [{"d": 10.0, "r1": None, "r2": None}, {"d": 45.0, "r1": 40.0, "r2": 25.0}]
)
def test_a_lens_that_does_not_focus_has_no_focal_distances(params: dict[str, float | None]) -> None:
    """A plate, and a lens whose surfaces have a common focus: 1/40 - 1/25 + 0.5 * 45 / (1.5 * 40 *
    25) = 0.
    """
    with pytest.raises(InvalidObject, match=r"'Lens' .* infinite"):
        lens(**params).with_definition("DFfdBfd")


def test_focal_distances_that_also_define_another_lens_are_refused() -> None:
    """Of the lenses with the same focal distances the one with smaller radii is meant, here a
    convex one.
    """
    thick = lens(d=100.0, r1=-25.0, r2=25.0)
    assert thick.outline() is not None
    with pytest.raises(InvalidObject, match="define another lens"):
        thick.with_definition("DFfdBfd")


def test_a_flat_surface_has_a_null_radius() -> None:
    flat = lens(d=20.0, r1=None, r2=-100.0).with_definition("DFfdBfd")
    assert flat.params == {
        "d": 20.0,
        "ffd": pytest.approx(200 - 40 / 3),
        "bfd": pytest.approx(200.0),
    }


def test_a_definition_that_fits_no_lens_can_be_changed() -> None:
    broken = SphericalLens(**RIM, def_by="DFfdBfd", params={"d": 0.0, "ffd": 0.0, "bfd": 0.0})  # type: ignore[arg-type]
    assert broken.with_definition("DR1R2").def_by == "DR1R2"


def test_unknown_parameters_are_kept() -> None:
    made = SphericalLens(**RIM, params={"d": 20.0, "r1": 100.0, "r2": -100.0, "maker": "A"})  # type: ignore[arg-type]
    params = made.with_definition("DFfdBfd").params
    assert params is not None
    assert list(params) == ["maker", "d", "ffd", "bfd"]
