"""Values of the fields of objects, changes and tools as JSON has them: at the ends of their range,
odd, and of wrong types.
"""

from __future__ import annotations

import math
import random
from typing import Any, get_args

from tests.grammars import LATEX, NAME, grown

from raybench.kinds.fields import Description, Field, described_fields
from raybench.kinds.kinds import KINDS
from raybench.presets import PRESETS
from raybench.scene.changes.change import CHANGE_TYPES
from raybench.scene.settings import Settings
from raybench.schema.signature import is_optional, record_fields, type_text, type_without_null

NUMBERS = (
    *(
        0,
        1,
        -1,
        0.5,
        -0.0,
        2,
        10,
        90,
        180,
        360,
        100,
        540,
        -40,
        30.5,
        1e-9,
        1e-300,
        5e-324,
        -1e-12,
        1e9,
        1e15,
        -1e30,
        1e49,
        1e50,
    ),
    *(1.0000001e50, 1e308, -1e308, 10**400, 2**53, 2**63, math.pi, 0.1 + 0.2),
)
WRONG = (
    *(
        None,
        True,
        False,
        "",
        "NaN",
        "Infinity",
        "-1",
        "1e5",
        "5 mm",
        "x",
        [],
        {},
        [1],
        [[]],
        {"x": 1},
        {"x": None, "y": 0},
        "9" * 5_000,
    ),
    *(
        float("nan"),
        float("inf"),
        "\x00",
        "\ud800",
        "<b>",
        "=1",
        "../../x",
        [None] * 30,
        {"type": "Glass"},
        {"x": 1, "y": 2},
        [[1, 2]] * 9,
    ),
)
"""Values that fit few fields or none."""


def number(about: Description, chance: random.Random) -> Any:
    """A number at the ends of a field's range, just beyond them, or anywhere."""
    ends = [end for end in (about.low, about.high) if end is not None]
    if ends and chance.random() < 0.6:
        end = chance.choice(ends)
        return chance.choice(
            (
                end,
                math.nextafter(end, math.inf),
                math.nextafter(end, -math.inf),
                end + 1e-9,
                end - 1,
                end + 1,
                end * 1.5,
            )
        )
    return chance.choice(NUMBERS) if chance.random() < 0.6 else chance.uniform(-100, 100)


def edge_value(about: Description, chance: random.Random) -> Any:
    """A value for a described field: mostly of its form, seldom of another."""
    if chance.random() < 0.05:
        return chance.choice(WRONG)

    def point(*, small: bool = True) -> dict[str, Any]:
        x, y = (
            (
                round(chance.uniform(-40, 40), 1)
                if small or chance.random() < 0.8
                else chance.choice(NUMBERS)
            )
            for _ in "xy"
        )
        return {"x": x, "y": y}

    small = chance.random() < 0.6
    count = chance.choice((0, 1, 2, 3, 3, 4, 4, 5, 9, 40))
    match about.kind:
        case "number" | "coordinate" | "limit":
            return number(about, chance)
        case "flag":
            return chance.random() < 0.5
        case "choice":
            return chance.choice(about.choices)
        case "text":
            if about.variables:
                return (
                    grown(LATEX, chance)[:400]
                    if chance.random() < 0.5
                    else chance.choice(("0.5", "x", "x^2", "1/x", r"\sqrt{x}"))
                )
            return chance.choice((*about.choices, *NAME))
        case "material":
            return chance.choice(("", "N-BK7", "Au", "water", "vacuum", "Nothing"))
        case "point":
            return point(small=small)
        case "path":
            return [point(small=small) | {"arc": chance.random() < 0.3} for _ in range(count)]
        case "points":
            return [point(small=small) for _ in range(count)]
        case "curve":
            return [
                {
                    name: point(small=small)
                    for name in ("a1", "c1", "c2")
                    if name == "a1" or chance.random() < 0.9
                }
                for _ in range(count)
            ]
        case "numbers":
            return [number(about, chance) for _ in range(count)]
        case "out_rays":
            return [
                {
                    "eqnTheta": grown(LATEX, chance)[:200],
                    "eqnP": chance.choice(("P_0", "0.5", "-1", "x")),
                }
                for _ in range(min(count, 4))
            ]
        case _:
            return chance.choice(WRONG)


def edge_object(kind: str, right: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """An object of a kind, ``right`` but for some of its fields."""
    fields = described_fields(KINDS[kind])
    chosen: list[Field] = [f for f in fields if chance.random() < min(1.0, 2.5 / len(fields))]
    return right | {f.json_name: edge_value(f.about, chance) for f in chosen}


TEXTS = (
    *(
        "Main Prism",
        "Screen",
        "Lamp",
        "Collimator",
        "Focusing Lens",
        "S",
        "N",
        "0",
        "r0-1",
        "R1",
        "power(Screen)",
        "Lamp > * > Screen",
    ),
    *(
        "Main Prism.x=0..1:3",
        "least rms(Screen)",
        "Main Prism.x±0.1",
        "SELECT count(*) FROM rays",
        "N-BK7",
        "power",
        "any",
        "enter",
        "(a+)+$",
    ),
    *NAME,
)


def edge_argument(hint: Any, chance: random.Random) -> Any:
    """An argument of a tool: of its type, or in a few places of another."""
    if chance.random() < 0.06:
        return chance.choice((*WRONG, *NUMBERS))
    if is_optional(hint):
        return None if chance.random() < 0.2 else edge_argument(type_without_null(hint), chance)
    match type_text(hint):
        case text if text.startswith("["):
            (item,) = get_args(hint)
            return [edge_argument(item, chance) for _ in range(chance.choice((0, 1, 1, 2, 3, 40)))]
        case text if text.startswith("{"):
            return {
                name: edge_argument(field, chance)
                for name, field in record_fields(hint).items()
                if not is_optional(field) or chance.random() < 0.5
            }
        case ":int":
            return chance.choice((0, 1, 2, 3, 5, 20, 100, 1000, -1, 2**31, 2**63, 10**30))
        case ":float":
            return chance.choice(NUMBERS) if chance.random() < 0.7 else chance.uniform(-100, 1000)
        case ":bool":
            return chance.random() < 0.5
        case ":map" | ":any":
            return chance.choice(
                ({"move": "Main Prism", "dx": 1}, {"set": "Main Prism", "refIndex": 1.6}, *WRONG)
            )
        case _:
            return chance.choice(TEXTS)


def edge_change(names: tuple[str, ...], chance: random.Random) -> dict[str, Any]:
    """A change as a model writes it, about objects of these names."""
    verb = chance.choice(list(CHANGE_TYPES))
    targets: Any = (
        chance.choice(names)
        if chance.random() < 0.7
        else [chance.choice((*names, *NAME)) for _ in range(chance.choice((0, 1, 2, 3)))]
    )
    kind, fields = chance.choice(list(KINDS)), described_fields(CHANGE_TYPES[verb])
    given = {
        f.json_name: _parameter(f.about, names, chance) for f in fields if chance.random() < 0.5
    }
    match verb:
        case "set":
            every = [f for kind in KINDS.values() for f in described_fields(kind)]
            given = {
                f.json_name: edge_value(f.about, chance)
                for f in chance.choices(every, k=chance.choice((1, 1, 2)))
            }
            if chance.random() < 0.5:
                given = {
                    chance.choice(
                        (
                            "refIndex",
                            "p1.x",
                            "path[1].y",
                            "angle",
                            "brightness",
                            "name",
                            "path[9].x",
                        )
                    ): chance.choice(NUMBERS)
                }
        case "add":
            targets = edge_object(
                kind, {"type": kind, "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 5}}, chance
            )
        case "preset":
            targets = chance.choice(list(PRESETS))
            own = described_fields(PRESETS[targets])
            given |= {
                f.json_name: edge_value(f.about, chance) for f in own if chance.random() < 0.3
            }
        case "settings":
            targets = {
                f.json_name: edge_value(f.about, chance)
                for f in chance.choices(described_fields(Settings), k=2)
            }
        case "document" | "define":
            targets = chance.choice(
                ({"unit": "cm"}, {"name": "x" * 300}, {"M": {"objs": [{"type": kind}]}}, *WRONG)
            )
    return {verb: targets if chance.random() < 0.97 else chance.choice(WRONG), **given}


def _parameter(about: Description, names: tuple[str, ...], chance: random.Random) -> Any:
    match about.kind:
        case "object":
            return chance.choice(names)
        case "place":
            return chance.choice(({"x": 3, "y": 4}, chance.choice(names), {"x": 1e50, "y": 0}))
        case "scene_object":
            kind = chance.choice(list(KINDS))
            return edge_object(
                kind, {"type": kind, "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 5}}, chance
            )
    return edge_value(about, chance)
