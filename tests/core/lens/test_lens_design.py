import dataclasses
import json
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.core.lens.lenses import CROWN, FLINT, MIXED, TRIPLET
from tests.edge_values import NUMBERS, WRONG

from raybench.errors import RaybenchError
from raybench.lens.clearance import edge_thicknesses
from raybench.lens.design import (
    Configuration,
    LensDesign,
    Pickup,
    Solve,
    SolveKind,
    Variable,
    design_from_json,
    design_parameters,
    design_to_json,
    with_parameter,
)
from raybench.lens.operands import Operand
from raybench.lens.paraxial import first_order, marginal_and_chief_rays
from raybench.lens.prescription import InvalidPrescription, Prescription, Surface
from raybench.materials.catalogue import material_named

WHOLE = LensDesign(
    MIXED.with_surface(1, glass=material_named("N-SF5")),
    pickups=(Pickup("c2", "c1", -0.5), Pickup("glass3", "glass1")),
    solves=(Solve("t4", SolveKind.FOCUS),),
    configurations=(
        Configuration((("t3", 40.0), ("objectDistance", math.inf)), "far"),
        Configuration((("t3", 42.0), ("objectDistance", 900.0)), "near", 2.0),
    ),
    operands=(Operand("edge thickness", least=1.0, at=1), Operand("ray heights", configuration=2)),
    variables=(Variable("c1", -0.1, 0.1), Variable("t3_2"), Variable("a1_4"), Variable("glass1")),
)


def test_design_survives_json() -> None:
    text = json.dumps(design_to_json(WHOLE), allow_nan=False)
    assert design_from_json(json.loads(text)) == WHOLE
    assert '"objectDistance", "Infinity"' in text
    plain = LensDesign(Prescription((Surface(50.0, 5.0, CROWN), Surface(-50.0, 45.0))))
    assert design_to_json(plain) == {
        "system": {
            "surfaces": [
                {"radius": 50.0, "thickness": 5.0, "glass": {"nD": 1.62041, "vD": 60.32}},
                {"radius": -50.0, "thickness": 45.0},
            ]
        }
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "Lens: "),
        ({"system": {"surfaces": [{"radios": 3}]}}, r"system\.surfaces\.0\.radios"),
        ({"system": {"surfaces": [{"radius": "wide"}]}}, r"system\.surfaces\.0\.radius.*number"),
        ({"system": {"surfaces": [{"radius": "NaN"}]}}, "Surface 1 has the radius nan"),
        ({"system": {"surfaces": [{"glass": {"nD": "q"}}]}}, r"system\.surfaces\.0\.glass"),
        ({"system": {"surfaces": [{}]}, "pickups": [{"parameter": "c1"}]}, r"pickups\.0\.source"),
        ({"system": {"surfaces": [{}]}, "variables": [{"parameter": "x"}]}, "no parameter 'x'"),
        ({"system": {"surfaces": [{}]}, "operands": [{"quantity": "joy"}]}, "no operand 'joy'"),
    ],
)
def test_wrong_entries_are_refused_in_a_line(data: object, message: str) -> None:
    with pytest.raises(RaybenchError, match=message) as caught:
        design_from_json(data)
    assert "\n" not in str(caught.value)


def test_every_parameter_can_be_set_and_has_a_unit() -> None:
    design = LensDesign(MIXED)
    units = {name: each.unit for name, each in design_parameters(design).items()}
    assert units["r1"] == "length"
    assert units["c2"] == "1/length"
    assert units["a1_4"] == "1/length³"
    assert units["field2"] == "deg"
    assert units["k1"] == units["aperture"] == units["glass2"] == ""
    for name in units:
        value = "N-SF5" if name.startswith("glass") else 7.5
        changed = with_parameter(design, name, value)
        assert design_parameters(changed)[name].value == pytest.approx(value)
    assert with_parameter(design, "c1", 0.0).system.surfaces[0].radius == math.inf
    assert with_parameter(design, "a2_6", 1e-6).system.surfaces[1].aspheric == (0.0, 0.0, 1e-6)


def test_links_follow_a_change_and_hold_their_parameters() -> None:
    changed = with_parameter(WHOLE, "r1", 60.0)
    assert changed.system.surfaces[1].radius == pytest.approx(-120.0)
    assert changed.system.surfaces[3].thickness == first_order(changed.system).image
    assert [s.surfaces[2].thickness for s in changed.systems] == [40.0, 42.0]
    assert changed.systems[1].surfaces[3].thickness == first_order(changed.systems[1]).image
    assert with_parameter(WHOLE, "t3_2", 44.0).systems[1].surfaces[2].thickness == 44.0
    assert design_parameters(WHOLE)["r2"].link == "c2 is -0.5 c1 by a pickup."
    for held, sentence in (("r2", "c2 is -0.5 c1 by a pickup"), ("t4", "t4 is solved for a para")):
        with pytest.raises(InvalidPrescription, match=sentence):
            with_parameter(WHOLE, held, 5.0)


def test_solves_hold_edges_focal_lengths_and_slopes() -> None:
    design = LensDesign(
        TRIPLET,
        solves=(
            Solve("t2", SolveKind.EDGE),
            Solve("t4", SolveKind.EDGE, 2.5),
            Solve("c6", SolveKind.FOCAL_LENGTH, 60.0),
        ),
    )
    edges = edge_thicknesses(design.system)
    assert (edges[1], edges[3]) == pytest.approx((0.0, 2.5), abs=1e-9)
    assert first_order(design.system).focal_length == pytest.approx(60.0)
    sloped = LensDesign(TRIPLET, solves=(Solve("c6", SolveKind.SLOPE, -1 / 8),))
    assert marginal_and_chief_rays(sloped.system)[0].u[-1] == pytest.approx(-1 / 8)
    assert first_order(sloped.system).f_number == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pickups": (Pickup("c1", "c2"), Pickup("r1", "r3"))}, "r1 has two links"),
        ({"pickups": (Pickup("c1", "c2"), Pickup("c2", "c3"))}, "c2, which is linked later"),
        ({"pickups": (Pickup("glass1", "c2"),)}, "one is no number"),
        ({"solves": (Solve("t1", SolveKind.FOCUS),)}, "solved by the last distance, t6"),
        ({"solves": (Solve("c6", SolveKind.FOCAL_LENGTH),)}, "cannot be held"),
        ({"variables": (Variable("r1"),)}, "Let c1 vary"),
        ({"variables": (Variable("t3_1"),)}, "No configuration '1'"),
        ({"configurations": (Configuration((("glass1", 1.0),)),)}, "no number"),
    ],
)
def test_impossible_links_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidPrescription, match=message):
        dataclasses.replace(LensDesign(TRIPLET), **values)  # type: ignore[arg-type]


def test_text_is_a_glass() -> None:
    lens = LensDesign(TRIPLET)
    assert with_parameter(lens, "glass1", "1.62004/36.37").system.surfaces[0].glass == FLINT


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield (*path, key)
        if isinstance(value[key], dict | list):
            yield from _places(value[key], (*path, key))


def test_any_value_in_a_design_is_read_or_refused_in_a_line() -> None:
    places = [*_places(design_to_json(WHOLE))]
    chance = random.Random(0)
    messages = []
    for _ in range(400):
        data = design_to_json(WHOLE)
        *path, last = chance.choice(places)
        parent: Any = data
        for key in path:
            parent = parent[key]
        parent[last] = chance.choice((*NUMBERS, *WRONG))
        try:
            design = design_from_json(data)
            json.dumps(design_to_json(design), allow_nan=False)
        except RaybenchError as error:
            messages.append(str(error))
    assert 100 < len(messages) < 400
    assert max(map(len, messages)) < 600
    assert not any("\n" in message for message in messages)
