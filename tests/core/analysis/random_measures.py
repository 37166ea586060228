"""Measures of random objects of a document, as a person writes them."""

from __future__ import annotations

import contextlib
from random import Random

from raybench.analysis.measures.bound import BoundMeasure, bind_measures
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.measure import Role
from raybench.analysis.measures.table import MEASURES
from raybench.errors import RaybenchError
from raybench.kinds.sources import Source
from raybench.scene.document import Document


def every_measure(document: Document, chance: Random) -> list[BoundMeasure]:
    """Each measure of objects that it may be of, twice."""
    things = document.scene.optical
    every, sources = [o.title for o in things], [o.title for o in things if isinstance(o, Source)]
    met = [name for name in every if name not in sources]
    bound: list[BoundMeasure] = []
    for measure in [m for m in MEASURES.values() for _ in range(2)]:
        given: list[str] = []
        for parameter in measure.parameters:
            if parameter.optional and chance.random() < 0.6:
                break
            match parameter.role:
                case Role.SOURCE:
                    given.append(chance.choice(sources))
                case Role.ORDER:
                    given.append(chance.choice(("-1", "0", "1")))
                case Role.PATTERN:
                    given.append(f"{chance.choice(sources)} > * > {chance.choice(met)}")
                case Role.EDGE:
                    given.append(f"{chance.choice(met)}:{chance.choice('012NSEW')}")
                case role:
                    given.append(chance.choice(every if role is Role.OBJECT else met))
        with contextlib.suppress(RaybenchError):  # it is not of such an object
            bound += [
                b
                for b in bind_measures(str(Expression(measure.name, tuple(given))), document)
                if isinstance(b, BoundMeasure)
            ]
    return bound
