"""Study requests: studies as texts that a person writes and that can be stored. Functions run a
study, and update its texts after objects, groups and edges are renamed.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Protocol

from annotated_types import Interval, MaxLen

from raybench.analysis.measures.grammar import replace_arguments
from raybench.analysis.measures.measure import Measured, Role
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.path_pattern import InvalidPattern, replace_pattern_names
from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes import Change, ChangeRefused, changes_from_json
from raybench.scene.changes.change import CHANGE_TYPES
from raybench.scene.document import Document
from raybench.scene.parameters.renaming import Renaming
from raybench.schema.json_values import parse_json_container
from raybench.study.experiment import Evaluator, Experiment, Stop, Values, with_initial_changes
from raybench.study.optimise import Optimum, optimise
from raybench.study.sweep import Sweep
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_bounds, read_deviation, read_sweep_axis
from raybench.study.tolerance import (
    DEFAULT_SAMPLES,
    LEAST_SAMPLES,
    MOST_SAMPLES,
    Sensitivity,
    Tolerance,
)

NUMBER_RANGES = {"samples": (LEAST_SAMPLES, MOST_SAMPLES), "seed": (0, 2**31 - 1)}
"""The least and the largest whole numbers of a request that is stored or shown."""
MOST_TEXTS = 200
"""Texts in a list of a request that is stored: each is a line of the form."""
SPAN_STEPS = 41
"""Values of a sweep that begins with a range."""


class InvalidRequest(RaybenchError):
    """A study request is incomplete, or cannot be read from JSON."""


Texts = Annotated[tuple[str, ...], MaxLen(MOST_TEXTS)]


@dataclass(frozen=True)
class StudyRequest:
    """A study as texts. ``kind`` is one of `STUDY_KINDS`; the other fields are texts as on the
    command line, ``changes`` as JSON.
    """

    kind: str
    vary: Texts = ()
    measures: Texts = ()
    goals: Texts = ()
    limits: Texts = ()
    adjust: Texts = ()
    links: Texts = ()
    changes: Texts = ()
    whole_range: bool = False
    any_path: bool = False
    samples: Annotated[
        int, Interval(ge=NUMBER_RANGES["samples"][0], le=NUMBER_RANGES["samples"][1])
    ] = DEFAULT_SAMPLES
    seed: Annotated[int, Interval(ge=NUMBER_RANGES["seed"][0], le=NUMBER_RANGES["seed"][1])] = 0

    def to_json(self) -> dict[str, Any]:
        """Encode the request as JSON. Fields with their default values are left out."""
        values = ((f, getattr(self, f.name)) for f in dataclasses.fields(self))
        return {f.name: list(v) if isinstance(v, tuple) else v for f, v in values if v != f.default}

    @classmethod
    def from_json(cls, data: Any) -> StudyRequest:
        """Read a request from JSON that `to_json` made. Raises InvalidRequest for other JSON."""
        from pydantic import TypeAdapter, ValidationError

        if not isinstance(data, Mapping) or data.get("kind") not in STUDY_KINDS:
            raise InvalidRequest(f"A study needs a kind: one of {', '.join(STUDY_KINDS)}.")
        try:
            return TypeAdapter(cls).validate_json(json.dumps(dict(data)), strict=True)
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidRequest(f"A study's {first['loc'][0]}: {first['msg']}.") from None


def range_text_around(kind: str, parameter: str, middle: float, by: float) -> str:
    """The text that varies a parameter in the range ``middle`` ± ``by``, for a study of the given
    kind. In a tolerance study the range is ± a tenth of ``by``.
    """
    if kind == "tolerance":
        return f"{parameter}±{by / 10:.12g}"
    return f"{parameter}={middle - by:.12g}..{middle + by:.12g}" + f":{SPAN_STEPS}" * (
        kind == "sweep"
    )


def convert_request(request: StudyRequest, kind: str, document: Document) -> StudyRequest:
    """Convert a request to another kind of study. Parameters keep their ranges, and the measures of
    goals become measures of the new study.

    A text that cannot be read is kept. The goals of an optimisation are dropped for a tolerance
    study without compensators.
    """
    if kind == request.kind:
        return request

    def converted_range_text(text: str) -> str:
        if "|" in text and kind != "tolerance":
            return text
        try:
            name, low, high = _varied_range(request.kind, text, document)
        except RaybenchError:
            return text
        middle = (low + high) / 2
        return range_text_around(kind, name, middle, (high - low) / 2 or 0.1 * abs(middle) or 1.0)

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
        request,
        kind=kind,
        vary=tuple(map(converted_range_text, request.vary)),
        measures=measures,
        goals=goals,
    )


def _varied_range(kind: str, text: str, document: Document) -> tuple[str, float, float]:
    """The parameter that a text varies, and the two ends of its range."""
    match kind:
        case "sweep":
            axis = read_sweep_axis(text, document)
            if axis.parameter.choices:
                raise InvalidRequest(f"{axis.parameter.text} is chosen, and has no range.")
            return axis.parameter.text, min(axis.values), max(axis.values)
        case "optimise":
            bounds = read_bounds(text, document)
            if bounds.parameter.choices:
                raise InvalidRequest(f"{bounds.parameter.text} is chosen, and has no range.")
            return bounds.parameter.text, bounds.low, bounds.high
        case _:
            deviation = read_deviation(text, document)
            middle, reach = deviation.nominal, 10 * deviation.by
            return deviation.parameter.text, middle - reach, middle + reach


class StudyListener(Protocol):
    """A receiver of the progress of a study, called in the thread that runs the study."""

    def begin(self, experiment: Experiment, count: int) -> None:
        """Called at the start with the experiment and the number of expected rows; 0 if unknown."""

    def row(self, values: Values, measures: tuple[Measured, ...]) -> None:
        """Called for each point with its parameter values and its measures."""

    def progress(self, evaluations: int, merit: float) -> None:
        """Called during a search with the number of evaluations and the best merit."""


@dataclass(frozen=True)
class StudyOutcome:
    """The results of a study, except its rows."""

    optimum: Optimum | None = None
    tolerance: Tolerance | None = None
    sensitivities: tuple[Sensitivity, ...] = ()
    nominal: tuple[Measured, ...] = ()


def run_request(
    request: StudyRequest, document: Document, listener: StudyListener, stop: Stop
) -> StudyOutcome:
    """Run a study on a document, which is not changed. Errors have messages in one line."""
    if not request.vary:
        raise InvalidRequest("Nothing is varied. Name a parameter, such as Prism.angle.")
    return _RUNS[request.kind](request, document, listener, stop)


def read_changes(texts: Sequence[str], document: Document) -> tuple[Change, ...]:
    """Read the changes that are applied before a study. Each text is a JSON object or a list of
    JSON objects. Raises ChangeRefused.
    """
    changes: list[Any] = []
    for text in texts:
        written = parse_json_container(text)
        if isinstance(written, str):
            raise ChangeRefused(
                f"{in_quotes(text, 60)} is no change. Write JSON such as"
                ' {"set": "Lens", "focalLength": 80}.'
            )
        changes += written if isinstance(written, list) else [written]
    return changes_from_json(changes, document)


def _run_sweep(
    request: StudyRequest, document: Document, listener: StudyListener, stop: Stop
) -> StudyOutcome:
    sweep = Sweep.build(
        document,
        request.vary,
        request.measures,
        links=request.links,
        first=read_changes(request.changes, document),
    )
    listener.begin(sweep.experiment, len(sweep))
    for point in sweep.run(stop=stop):
        listener.row(point.values, point.measures)
    return StudyOutcome()


def _run_optimisation(
    request: StudyRequest, document: Document, listener: StudyListener, stop: Stop
) -> StudyOutcome:
    if not request.goals:
        raise InvalidRequest("There is no goal. Write such as: least rms(Screen).")
    first = read_changes(request.changes, document)
    begun = with_initial_changes(document, first)
    bounds = [read_bounds(text, begun) for text in request.vary]
    goals = read_goals(request.goals, begun)
    measured = [*(g.expression for g in goals), *request.measures]
    varied = [b.parameter for b in bounds]
    listener.begin(Experiment.build(document, varied, measured, request.links, first=first), 0)
    found = optimise(
        document,
        bounds,
        goals,
        first=first,
        measures=request.measures,
        links=request.links,
        whole_range=request.whole_range,
        keep_path=not request.any_path,
        seed=request.seed,
        stop=stop,
        report=listener.progress,
    )
    now, then = (
        ([*pair] for pair in zip(*found.measured, strict=True)) if found.measured else ([], [])
    )
    listener.row(tuple(b.now for b in found.bounds), (*found.before, *now))
    listener.row(found.values, (*found.after, *then))
    return StudyOutcome(optimum=found)


def _run_tolerance(
    request: StudyRequest, document: Document, listener: StudyListener, stop: Stop
) -> StudyOutcome:
    study = Tolerance.read(
        document,
        request.vary,
        request.measures,
        limits=request.limits,
        adjust=request.adjust,
        goals=request.goals,
        links=request.links,
        first=read_changes(request.changes, document),
        samples=request.samples,
        seed=request.seed,
    )
    listener.begin(study.experiment, study.samples)
    with Evaluator(stop=stop) as evaluator:
        nominal = study.nominal(evaluator)
        sensitivities = tuple(study.sensitivities(evaluator))
        for values, row in zip(
            study.points, evaluator.rows(study.experiment_to_evaluate(), study.points), strict=False
        ):
            listener.row(*study.split_row(values, row))
    return StudyOutcome(tolerance=study, sensitivities=sensitivities, nominal=nominal)


_RUNS: Mapping[str, Callable[[StudyRequest, Document, StudyListener, Stop], StudyOutcome]] = {
    "sweep": _run_sweep,
    "optimise": _run_optimisation,
    "tolerance": _run_tolerance,
}
STUDY_KINDS = tuple(_RUNS)


_PLACE_WORDS = ("about", "to", "at", "before", "after")
"""What follows a verb of a change and may name an object."""


def rename_in_measures(renaming: Renaming, text: str) -> str:
    """Replace old names by current ones in a text with measures, such as a goal."""
    return replace_arguments(text, partial(_rename_argument, renaming))


def rename_in_changes(renaming: Renaming, text: str) -> str:
    """Replace old names of target objects by current ones in a text with changes as JSON."""
    written = parse_json_container(text)
    if isinstance(written, str):
        return text
    several = written if isinstance(written, list) else [written]
    for change in several:
        for verb in change if isinstance(change, dict) else ():
            if verb in (*CHANGE_TYPES, *_PLACE_WORDS):
                change[verb] = _renamed_targets(renaming, change[verb])
    return json.dumps(written, ensure_ascii=False)


def _renamed_targets(renaming: Renaming, targets: Any) -> Any:
    if isinstance(targets, list):
        return [_renamed_targets(renaming, target) for target in targets]
    return renaming(targets) if isinstance(targets, str) else targets


def _rename_argument(renaming: Renaming, measure: str, number: int, argument: str) -> str:
    parameters = MEASURES[measure].parameters if measure in MEASURES else ()
    if number >= len(parameters):
        return argument
    match parameters[number].role:
        case Role.PATTERN | Role.EDGE:
            try:
                return replace_pattern_names(argument, renaming, renaming.edge_label)
            except InvalidPattern:
                return argument
        case Role.ORDER | Role.NUMBER | Role.SEIDEL:
            return argument
        case _:
            return renaming(argument)


_TEXTS: Mapping[str, Callable[[Renaming, str], str]] = {
    **dict.fromkeys(("vary", "adjust", "links"), Renaming.rename_in_parameters),
    **dict.fromkeys(("measures", "goals", "limits"), rename_in_measures),
    "changes": rename_in_changes,
}
"""How the texts of each field of a request follow."""


def rename_in_request(request: StudyRequest, renaming: Renaming) -> StudyRequest:
    """The study request with current names instead of old ones."""
    texts: dict[str, Any] = {
        name: tuple(follow(renaming, text) for text in getattr(request, name))
        for name, follow in _TEXTS.items()
    }
    return dataclasses.replace(request, **texts)


def with_measures_renamed(before: Document, after: Document) -> Document:
    """The document ``after`` a change, in which the texts of saved studies, measurements and
    sliders are updated to new names. Texts that the change itself has edited are not changed.
    """
    if (renaming := Renaming.between(before, after)) is None:
        return after
    studies = {
        name: _rename_in_study(study, renaming) if study == before.studies.get(name) else study
        for name, study in after.studies.items()
    }
    measurements = {
        name: m.with_measures(partial(rename_in_measures, renaming))
        if (old := before.measurements.get(name)) is not None and old.text == m.text
        else m
        for name, m in after.measurements.items()
    }
    sliders = {
        renaming.rename_in_parameters(name) if each == before.sliders.get(name) else name: each
        for name, each in after.sliders.items()
    }
    return after.with_annotations(studies=studies, measurements=measurements, sliders=sliders)


def _rename_in_study(study: Mapping[str, Any], renaming: Renaming) -> dict[str, Any]:
    """The JSON of a study with current names. An entry that is not a list of texts, possibly from
    another version of the program, is unchanged.
    """

    def rename_field(name: str, value: Any) -> Any:
        if name not in _TEXTS or isinstance(value, str) or not isinstance(value, Sequence):
            return value
        return [_TEXTS[name](renaming, text) if isinstance(text, str) else text for text in value]

    return {name: rename_field(name, value) for name, value in study.items()}
