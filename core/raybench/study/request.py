"""Study requests: a study as a person writes it, as texts, which can be stored; and running it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.study.evaluator import Evaluator
from raybench.study.experiment import Experiment, Stop, Values
from raybench.study.optimise import Optimum, optimise
from raybench.study.sweep import Sweep
from raybench.study.terms.axis import read_axis
from raybench.study.terms.bounds import read_bounds
from raybench.study.terms.deviation import read_deviation
from raybench.study.terms.goal import read_goals
from raybench.study.tolerance import LEAST_SAMPLES, MOST_SAMPLES, SAMPLES, Sensitivity, Tolerance

NUMBERS = {"samples": (LEAST_SAMPLES, MOST_SAMPLES), "seed": (0, 2**31 - 1)}
"""The least and the largest whole numbers of a request that is stored or shown."""
MOST_TEXTS = 200
"""Texts in a list of a request that is stored: each is a line of the form."""
SPAN_STEPS = 41
"""Values of a sweep that begins with a range."""


class InvalidRequest(RaybenchError):
    """A study request is incomplete, or cannot be read from JSON."""


@dataclass(frozen=True)
class StudyRequest:
    """A study: ``kind`` is one of `KINDS`; the other fields are texts as on the command line."""

    kind: str
    vary: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    adjust: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    whole_range: bool = False
    samples: int = SAMPLES
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        """As JSON, without what has its default."""
        values = ((f, getattr(self, f.name)) for f in dataclasses.fields(self))
        return {f.name: list(v) if isinstance(v, tuple) else v for f, v in values if v != f.default}

    @classmethod
    def from_json(cls, data: Any) -> StudyRequest:
        """Raises InvalidRequest for other JSON than that of `to_json`."""
        if not isinstance(data, Mapping) or data.get("kind") not in KINDS:
            raise InvalidRequest(f"A study needs a kind: one of {', '.join(KINDS)}.")
        values: dict[str, Any] = {}
        for f in dataclasses.fields(cls):
            value = data.get(f.name, f.default)
            if f.type.startswith("tuple"):
                if not isinstance(value, list | tuple) or not all(
                    isinstance(text, str) for text in value
                ):
                    raise InvalidRequest(f"A study's {f.name} is a list of texts.")
                if len(value) > MOST_TEXTS:
                    raise InvalidRequest(
                        f"A study's {f.name} holds {len(value)} texts; at most {MOST_TEXTS} can be"
                        " shown."
                    )
                value = tuple(value)
            elif f.name != "kind" and type(value) is not type(f.default):
                raise InvalidRequest(f"A study's {f.name} is not a {type(f.default).__name__}.")
            elif f.name in NUMBERS and not NUMBERS[f.name][0] <= value <= NUMBERS[f.name][1]:
                low, high = NUMBERS[f.name]
                raise InvalidRequest(f"A study's {f.name} is a whole number from {low} to {high}.")
            values[f.name] = value
        return cls(**values)


def spanned(kind: str, parameter: str, middle: float, by: float) -> str:
    """The text of a varied parameter for a kind of study: ``middle`` ± ``by``, a tenth of that as a
    tolerance.
    """
    if kind == "tolerance":
        return f"{parameter}±{by / 10:.12g}"
    return f"{parameter}={middle - by:.12g}..{middle + by:.12g}" + f":{SPAN_STEPS}" * (
        kind == "sweep"
    )


def as_kind(request: StudyRequest, kind: str, document: Document) -> StudyRequest:
    """A request converted to another kind: parameters keep their ranges, and the measures of goals
    are measured.

    A text that cannot be read is kept. A tolerance without compensators does not take the goals of
    an optimisation.
    """
    if kind == request.kind:
        return request

    def varied(text: str) -> str:
        try:
            name, low, high = _KINDS[request.kind].range_of(text, document)
        except RaybenchError:
            return text
        middle = (low + high) / 2
        return spanned(kind, name, middle, (high - low) / 2 or 0.1 * abs(middle) or 1.0)

    measures = request.measures
    if not measures and request.kind == "optimise":
        try:
            measures = tuple(
                dict.fromkeys(goal.expression for goal in read_goals(request.goals, document))
            )
        except RaybenchError:
            measures = ()
    goals = () if kind == "tolerance" and not request.adjust else request.goals
    return dataclasses.replace(
        request, kind=kind, vary=tuple(map(varied, request.vary)), measures=measures, goals=goals
    )


def _swept_range(text: str, document: Document) -> tuple[str, float, float]:
    axis = read_axis(text, document)
    return axis.parameter.text, min(axis.values), max(axis.values)


def _bounded_range(text: str, document: Document) -> tuple[str, float, float]:
    bounds = read_bounds(text, document)
    return bounds.parameter.text, bounds.low, bounds.high


def _tolerated_range(text: str, document: Document) -> tuple[str, float, float]:
    deviation = read_deviation(text, document)
    return (
        deviation.parameter.text,
        deviation.nominal - 10 * deviation.by,
        deviation.nominal + 10 * deviation.by,
    )


class Listener(Protocol):
    """Receives the progress of a study, in the thread that runs it."""

    def begin(self, experiment: Experiment, count: int) -> None:
        """The experiment, and the number of rows to come; 0 if that is not known."""

    def row(self, values: Values, measures: tuple[Measured, ...]) -> None:
        """A point and the measures there."""

    def progress(self, evaluations: int, merit: float) -> None:
        """The progress of a search: number of evaluations and best merit."""


@dataclass(frozen=True)
class Outcome:
    """What a study found besides its rows."""

    optimum: Optimum | None = None
    tolerance: Tolerance | None = None
    sensitivities: tuple[Sensitivity, ...] = ()
    nominal: tuple[Measured, ...] = ()


def run_request(
    request: StudyRequest, document: Document, listener: Listener, stop: Stop
) -> Outcome:
    """Run a study on a document, which is not changed. Raises the errors of its terms, in one line
    each.
    """
    if not request.vary:
        raise InvalidRequest("Nothing is varied. Name a parameter, such as Prism.angle.")
    return _KINDS[request.kind].run(request, document, listener, stop)


def _sweep(request: StudyRequest, document: Document, listener: Listener, stop: Stop) -> Outcome:
    sweep = Sweep.of(document, request.vary, request.measures, links=request.links)
    listener.begin(sweep.experiment, len(sweep))
    for point in sweep.run(stop=stop):
        listener.row(point.values, point.measures)
    return Outcome()


def _optimise(request: StudyRequest, document: Document, listener: Listener, stop: Stop) -> Outcome:
    if not request.goals:
        raise InvalidRequest("There is no goal. Write such as: least rms(Screen).")
    bounds = [read_bounds(text, document) for text in request.vary]
    goals = read_goals(request.goals, document)
    links = request.links
    experiment = Experiment.of(
        document, [b.parameter for b in bounds], [g.expression for g in goals], links
    )
    listener.begin(experiment, 0)
    found = optimise(
        document,
        bounds,
        goals,
        links=links,
        whole_range=request.whole_range,
        seed=request.seed,
        stop=stop,
        report=listener.progress,
    )
    listener.row(tuple(b.now for b in found.bounds), found.before)
    listener.row(found.values, found.after)
    return Outcome(optimum=found)


def _tolerance(
    request: StudyRequest, document: Document, listener: Listener, stop: Stop
) -> Outcome:
    study = Tolerance.read(
        document,
        request.vary,
        request.measures,
        limits=request.limits,
        adjust=request.adjust,
        goals=request.goals,
        links=request.links,
        samples=request.samples,
        seed=request.seed,
    )
    listener.begin(study.experiment, study.samples)
    with Evaluator(stop=stop) as evaluator:
        nominal = study.nominal(evaluator)
        sensitivities = tuple(study.sensitivities(evaluator))
        for values, row in zip(
            study.points, evaluator.rows(study.evaluable(), study.points), strict=False
        ):
            listener.row(*study.record(values, row))
    return Outcome(tolerance=study, sensitivities=sensitivities, nominal=nominal)


@dataclass(frozen=True)
class _Kind:
    """A kind of study: the function that runs it, and one that reads the parameter and its range
    from the text of a varied parameter.
    """

    run: Callable[[StudyRequest, Document, Listener, Stop], Outcome]
    range_of: Callable[[str, Document], tuple[str, float, float]]


_KINDS: Mapping[str, _Kind] = {
    "sweep": _Kind(_sweep, _swept_range),
    "optimise": _Kind(_optimise, _bounded_range),
    "tolerance": _Kind(_tolerance, _tolerated_range),
}
KINDS = tuple(_KINDS)
