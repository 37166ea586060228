"""Random studies of random scenes, in the texts that a person writes: what is varied, links,
measures, goals and limits.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from random import Random

import numpy as np
from tests.core.analysis.random_light import random_scene
from tests.core.analysis.random_measures import every_measure
from tests.physics.random_scenes import bench

from raybench.analysis.measures.light import Light
from raybench.errors import RaybenchError
from raybench.kinds.fields import described_fields
from raybench.kinds.sources import Source
from raybench.scene.changes import Change, apply_changes, changes_from_json
from raybench.scene.document import Document
from raybench.scene.parameters.link import order_links, read_link
from raybench.scene.parameters.parameter import MOTIONS, Parameter, read_parameter
from raybench.scene.settings import Settings
from raybench.study.terms.parameter import check_value
from raybench.study.terms.ranges import read_bounds, read_deviation
from raybench.trace.trace import trace

MOST = 1_500
"""Segments of a trace in these studies."""
NAMES = (
    "Näme 2",
    "a.x",
    "Lens.focalLength",
    "x",
    "settings",
    "5",
    "it's",
    "p0",
    "a = b",
    "A ± 1",
    "L:2 log",
    "two; three",
    "(x)",
)
"""Names that look like other parts of the texts of a study."""


@dataclass(frozen=True)
class Varied:
    """A number that can be varied, with its value, and a step by which it may change."""

    parameter: Parameter
    now: float
    step: float

    @property
    def text(self) -> str:
        return self.parameter.text


def random_document(seed: int) -> Document:
    """A scene of a few objects, some of which are named, removed or grouped."""
    chance = Random(seed)
    scene = bench(seed) if seed % 2 else random_scene(np.random.default_rng(seed))
    document = Document(scene=scene.with_settings(color_mode=chance.choice(("linear", "default"))))
    titles = [o.title for o in document.scene.objects]
    things = [o for o in document.scene.optical if not isinstance(o, Source)]
    with contextlib.suppress(RaybenchError):
        if chance.random() < 0.4:
            document = apply_changes(
                changes_from_json(
                    [{"set": chance.choice(titles), "name": chance.choice(NAMES)}], document
                ),
                document,
            )
    with contextlib.suppress(RaybenchError):
        if chance.random() < 0.4 and len(things) > 2:
            document = apply_changes(
                changes_from_json([{"delete": chance.choice(things).title}], document), document
            )
    if chance.random() < 0.3:
        document = document.with_annotations(
            groups={"Group 1": frozenset(o.key for o in document.scene.objects[:2])}
        )
    return document


def first_changes(document: Document, chance: Random) -> tuple[Change, ...]:
    """Changes that are made before a study; mostly none."""
    if chance.random() < 0.6:
        return ()
    title = chance.choice(document.scene.objects).title
    off = chance.uniform(-2.0, 2.0)
    written = chance.choice(
        (
            [{"move": title, "dx": off, "dy": -off}],
            [{"rotate": title, "by": off}],
            [{"move": title, "dx": off}, {"group": [title], "name": "Made first"}],
        )
    )
    with contextlib.suppress(RaybenchError):
        changes = changes_from_json(written, document)
        apply_changes(changes, document)
        return tuple(changes)
    return ()


def varied(document: Document, chance: Random, count: int) -> list[Varied]:
    """Numbers of a document that can be varied by their step to both sides; fewer where there are
    few.
    """
    places = [
        ("settings", f.json_name, f.about.kind, getattr(document.scene.settings, f.name))
        for f in described_fields(Settings)
    ]
    for o in document.scene.objects:
        places += [(o.title, place, "motion", 0.0) for place in MOTIONS]
        for f in described_fields(type(o)):
            places.append((o.title, f.json_name, f.about.kind, getattr(o, f.name)))
    places += [(name, place, "motion", 0.0) for name in document.groups for place in MOTIONS]
    chance.shuffle(places)
    found: dict[object, Varied] = {}
    for name, place, kind, value in places:
        if kind in ("point", "path", "points") and value:
            place += (
                f"[{chance.randrange(len(value))}]" * (kind != "point") + f".{chance.choice('xy')}"
            )
        elif kind == "numbers" and value:
            place += f"[{chance.randrange(len(value))}]"
        quote = chance.choice(("", "", '"', "'"))
        with contextlib.suppress(RaybenchError):  # it is no number, or cannot be changed
            parameter = read_parameter(f"{quote}{name}{quote}.{place}", document)
            now = parameter.value_in_document(document)
            step = (
                chance.choice((0.05, 1.0, 5.0))
                if parameter.is_motion
                else chance.choice((0.02, 0.1)) * (abs(now) or 1.0)
            )
            for end in (now - step, now + step):
                check_value(parameter, end, document)
            found.setdefault(parameter.identity, Varied(parameter, now, step))
        if len(found) == count:
            break
    return list(found.values())


def measure_texts(document: Document, chance: Random, count: int) -> list[str]:
    """Measures, most of which are defined."""
    every = every_measure(document, chance)
    chance.shuffle(every)
    light = Light.from_document(document, trace(document, threads=1, max_segments=MOST))
    defined = [b.expression for b in every if b.evaluate(light).defined]
    chosen = defined[: max(1, count - 1)] + [b.expression for b in every][:1]
    return list(dict.fromkeys(chosen))


def axis_text(v: Varied, chance: Random, most: int) -> str:
    """Values from below to above the present one, as a range or a list."""
    low, high = v.now - v.step * chance.random(), v.now + v.step
    match chance.randrange(5):
        case 0:
            return f"{v.text}={','.join(repr(chance.uniform(low, high)) for _ in range(chance.randint(1, most)))}"
        case 4:
            return f"{v.text}={low!r}|{v.now!r}|{high!r}"
        case 1 if low > 0:
            return f"{v.text}={low!r}..{high!r}:{chance.randint(2, most)} log"
        case 2:
            return f"{v.text}={high!r}..{low!r}:{chance.randint(2, most)}"
        case _:
            return f"{v.text}={low!r}..{high!r}:{chance.randint(2, most)}"


def bounds_text(v: Varied, chance: Random) -> str:
    """A range around the present value or, rarely, one that does not contain it."""
    low = (
        v.now + v.step / 4
        if chance.random() < 0.15
        else v.now - v.step * chance.choice((0.0, 0.3, 1.0))
    )
    between = "|" if chance.random() < 0.25 else ".."
    return f"{v.text}={low!r}{between}{v.now + v.step!r}"


def deviation_text(v: Varied, chance: Random) -> str:
    sign, kind = chance.choice(("±", " +- ", "+/-")), chance.choice(("", "", " uniform", " normal"))
    if not v.parameter.is_motion and v.now and chance.random() < 0.3:
        return f"{v.text}{sign}{chance.choice(('0.5', '1', '1.5'))}%{kind}"
    return f"{v.text}{sign}{v.step * chance.choice((0.01, 0.5, 1.0))!r}{kind}"


def link_texts(
    document: Document, chance: Random, leading: list[Varied], following: list[Varied]
) -> list[str]:
    """Formulas after which some parameters follow others, or each other."""
    texts: list[str] = []
    for v in following:
        source = chance.choice(leading)
        near = f"{v.now!r} + {v.step!r}*({source.text} - {source.now!r})/{source.step!r}"
        text = (
            f"{v.text} ="
            f" {chance.choice((near, f'sin({source.text})/100 + {v.now!r}', f'{v.now!r}'))}"
        )
        with contextlib.suppress(RaybenchError):  # a name that a formula cannot hold
            order_links(
                [read_link(t, document) for t in (*texts, text)], [u.parameter for u in leading]
            )
            texts.append(text)
    return texts


def goal_text(expression: str, value: float, chance: Random, first: int = 0) -> str:
    """A goal near the present value of a measure, or an extreme of it; only constraints from the
    ``first`` 4 on.
    """
    off = value * (1 + chance.uniform(-0.05, 0.05)) + chance.choice((0.0, 0.01))
    weight = chance.choice(("", "", f" weight {chance.choice((0.5, 3))}"))
    match chance.randrange(first, 6):
        case 0 | 1:
            return f"least {expression}{weight}"
        case 2:
            return f"most {expression}{weight}"
        case 3:
            return f"{expression} = {off!r}{weight}"
        case 4:
            return f"{expression} {chance.choice('<>')} {off!r}"
        case _:
            return (
                f"{expression} = {off - 0.1 * abs(off) - 0.01!r}..{off + 0.1 * abs(off) + 0.01!r}"
            )


def goal_texts(
    document: Document, chance: Random, count: int, constraints: bool = False
) -> list[str]:
    """Goals of measures, mostly of defined ones."""
    light = Light.from_document(document, trace(document, threads=1, max_segments=MOST))
    bound = [
        b
        for b in every_measure(document, chance)
        if math.isfinite(b.evaluate(light).value) or chance.random() < 0.15
    ]
    chance.shuffle(bound)
    return [
        goal_text(b.expression, b.evaluate(light).value_or_none or 0.0, chance, 4 * constraints)
        for b in bound[:count]
    ]


def readable(
    document: Document, bounds: list[str] | None = None, deviations: list[str] | None = None
) -> tuple[list[str], list[str]]:
    """The texts whose ends can be set."""

    def read(text: str, reader: object) -> bool:
        with contextlib.suppress(RaybenchError):
            reader(text, document)  # type: ignore[operator]
            return True
        return False

    return [t for t in bounds or [] if read(t, read_bounds)], [
        t for t in deviations or [] if read(t, read_deviation)
    ]
