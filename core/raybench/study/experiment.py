"""Experiments: a document, the parameters that are varied, and the measures that are read. Studies
evaluate them at many points.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol, Self

from raybench.analysis.measures.bound import Bound, bind
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError, elided
from raybench.files.document_file import document_from_json, document_to_json
from raybench.kinds.object import InvalidObject
from raybench.kinds.rows.emission import TooManyRays
from raybench.scene.changes import Change, ChangeRefused, applied
from raybench.scene.document import Document
from raybench.study.terms.link import InvalidLink, Link, ordered, read_link
from raybench.study.terms.parameter import Parameter, distinct, read_parameter
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

Values = tuple[float, ...]
"""One number for each parameter, in its unit."""
Stop = Callable[[], bool]


class InvalidSeed(RaybenchError):
    """Random numbers cannot begin with a number."""


def check_seed(seed: int) -> None:
    """Raise InvalidSeed unless random numbers can begin with a number."""
    if not isinstance(seed, Integral):
        raise InvalidSeed(f"The seed {elided(repr(seed), 60)} is no whole number. Give one from 0.")
    if seed < 0:
        raise InvalidSeed(f"The seed {seed} is below 0. Give a whole number from 0.")


class Evaluable(Protocol):
    """An object that studies evaluate at many points; picklable, so that other processes can do so."""

    def evaluate(
        self, values: Values, memory: TraceMemory | None = None, stop: Stop | None = None
    ) -> tuple[Measured, ...]:
        """The measures at a point."""
        ...


@dataclass(frozen=True)
class Experiment:
    """A document with parameters, links between parameters, and measures.

    Evaluations are independent, so that the same values give the same measures in any order, thread
    or process.
    """

    document: Document
    parameters: tuple[Parameter, ...]
    measures: tuple[Bound, ...]
    links: tuple[Link, ...] = ()
    max_segments: int = DEFAULT_LIMIT

    @classmethod
    def of(
        cls,
        document: Document,
        parameters: Sequence[Parameter],
        measures: str | Sequence[str],
        links: Sequence[str] = (),
        max_segments: int = DEFAULT_LIMIT,
    ) -> Self:
        """An experiment. Raises InvalidParameter for a parameter given twice, InvalidLink, or what
        `bind` raises for a measure.
        """
        several = distinct(parameters, document)
        follow = ordered([read_link(text, document) for text in links], several)
        return cls(document, several, bind(measures, document), follow, max_segments)

    def changes(self, values: Values) -> tuple[Change, ...]:
        """The changes that put values into the parameters, and into those linked to them. What else
        a link uses has the value that it has after the changes before. Raises InvalidLink, or
        ChangeRefused where a link follows changes that cannot be made.
        """
        changes = [p.change(value) for p, value in zip(self.parameters, values, strict=True)]
        given: dict[object, float] = {
            p.where: value for p, value in zip(self.parameters, values, strict=True)
        }
        document, made = self.document, 0
        for link in self.links:
            document, made = applied(changes[made:], document), len(changes)
            value = link.value({p.where: p.value_in(document) for _, p in link.uses} | given)
            given[link.parameter.where] = value
            changes.append(link.parameter.change(value))
        return tuple(changes)

    def at(self, values: Values) -> Document:
        """The document with values put into the parameters. Raises ChangeRefused or InvalidLink."""
        return applied(self.changes(values), self.document)

    def evaluate(
        self, values: Values, memory: TraceMemory | None = None, stop: Stop | None = None
    ) -> tuple[Measured, ...]:
        """The measures at a point, undefined with the reason where the values cannot be set, or the
        scene cannot be traced with them.

        ``memory`` holds what the next evaluation by the same owner can reuse; ``stop`` ends the
        trace early.
        """
        try:
            document = self.at(values)
            result = trace(
                document, threads=1, max_segments=self.max_segments, stop=stop, memory=memory
            )
        except (ChangeRefused, InvalidLink, InvalidObject, TooManyRays) as error:
            return self.undefined(str(error))
        light = Light.of(document, result)
        return tuple(m.evaluate(light) for m in self.measures)

    def undefined(self, reason: str) -> tuple[Measured, ...]:
        """Its measures without a value, for a reason."""
        unit = self.document.unit
        return tuple(
            Measured(math.nan, m.unit.symbol(unit), m.expression, reason) for m in self.measures
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as JSON and texts: keys of objects are valid in one process only."""
        parameters = [p.text for p in self.parameters]
        measures, links = [m.expression for m in self.measures], [link.text for link in self.links]
        return _restored, (
            json.dumps(document_to_json(_all_named(self.document))),
            parameters,
            measures,
            links,
            self.max_segments,
        )


def _all_named(document: Document) -> Document:
    """A document whose unnamed objects are named by their aliases, so that texts can refer to them
    after it is read again.
    """
    objects = tuple(
        o if o.name else dataclasses.replace(o, name=o.title) for o in document.scene.objects
    )
    return dataclasses.replace(document, scene=dataclasses.replace(document.scene, objects=objects))


def _restored(
    text: str, parameters: list[str], measures: list[str], links: list[str], max_segments: int
) -> Experiment:
    document = document_from_json(json.loads(text))
    return Experiment.of(
        document, [read_parameter(p, document) for p in parameters], measures, links, max_segments
    )
