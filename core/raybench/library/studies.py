"""Studies of a scene from Python: parameters by name, goals and measures as texts or functions of
its light.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution, minimize

from raybench.kinds.fields import camel_case, fields_of
from raybench.library.light import Light, UnknownEntry, cell_text, frame_of, html_table
from raybench.library.objects import InvalidArgument
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.scene.names import UnknownName, object_named
from raybench.study import notebook
from raybench.study.experiment import Experiment
from raybench.study.search import WORST
from raybench.study.table import Table
from raybench.study.terms.parameter import check_distinct
from raybench.study.terms.ranges import read_axis, read_bounds
from raybench.study.tolerance import QUANTILES, SAMPLES
from raybench.trace.trace import trace

if TYPE_CHECKING:
    from raybench.library.scene import Scene

Measure = str | Callable[[Light], float]
"""A measure as a text, such as ``rms(Film)``, or a function of light."""
Progress = Callable[[int], object]
"""Called with the number of traces so far."""
SIMPLEX_SIZES = (0.1, 0.01)
"""Sizes of the first simplex of a search with a function as goal, and of its restart, as a part of
the range.
"""
TRACES = 200
"""Traces of each of these for each parameter."""


@dataclass(frozen=True, eq=False)
class StudyTable:
    """The points of a study: a column (n,) for each parameter and measure, by name; of choices a
    list of their names.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Sun", width=10, at=(-40, 0)),
        ...     rb.IdealLens("Lens", diameter=20, focal_length=50),
        ... )
        >>> table = scene.sweep({"Lens.focal_length": [40, 50]}, "focus(Lens)")
        >>> table
        <2 points of Lens.focal_length, focus(Lens)>
        >>> table["focus(Lens)"].round(6)
        array([40., 50.])
    """

    columns: Mapping[str, Any]
    units: Mapping[str, str]

    @classmethod
    def of(cls, table: Table, parameters: Iterable[str] = ()) -> StudyTable:
        """A table of `raybench.study`, whose first columns are called as they were given."""
        given = list(parameters)
        names = [*given, *table.columns[len(given) :]]
        columns = {
            name: [table.choices[i][round(v)] for v in values.tolist()]
            if i in table.choices
            else values
            for i, (name, values) in enumerate(zip(names, table.rows.T, strict=True))
        }
        return cls(columns, dict(zip(names, table.units, strict=True)))

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            raise UnknownEntry(name, self.columns)
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def frame(self, library: str = "") -> Any:
        """The columns as a frame of pandas, polars or pyarrow."""
        return frame_of(self.columns, library)

    def __repr__(self) -> str:
        return f"<{len(self)} points of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        titles = [
            f"{name} ({unit})" if (unit := self.units[name]) else name for name in self.columns
        ]
        return html_table(titles, zip(*map(list, self.columns.values()), strict=True))


@dataclass(frozen=True, eq=False)
class Toleranced:
    """What deviations do: the random ``samples``, ``sensitivities`` with each measure at both ends
    of each deviation alone and its slope, the ``spreads`` of the measures over the samples, and
    ``yields``, the share of the samples within each limit and its 95 % interval.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Laser", width=2, at=(-40, 0)),
        ...     rb.Mirror("Fold", height=20, angle=45),
        ... )
        >>> told = scene.tolerance({"Fold.angle": 0.1}, "direction(Fold)")
        >>> told.sensitivities["slope"].round(6)  # a mirror turns light by twice its own turn
        array([2.])
    """

    samples: StudyTable
    sensitivities: StudyTable
    spreads: StudyTable
    yields: StudyTable

    def __repr__(self) -> str:
        mean, deviation = self.spreads["mean"], self.spreads["deviation"]
        spreads = [
            f"{name} = {cell_text(m)} ± {cell_text(d)}"
            for name, m, d in zip(self.spreads["measure"], mean, deviation, strict=True)
        ]
        yields = [
            f"{limit}: {share:.0%}"
            for limit, share in zip(self.yields["limit"], self.yields["share"], strict=True)
        ]
        return f"<{len(self.samples)} samples: {'; '.join([*spreads, *yields])}>"

    def _repr_html_(self) -> str:
        shown = [self.sensitivities, self.spreads, *[self.yields] * bool(len(self.yields))]
        return "".join(table._repr_html_() for table in shown)


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found: the ``values`` of parameters by name, and the goals ``before`` and
    ``after``; `apply` puts them into the scene.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Sun", width=10, at=(-40, 0)),
        ...     rb.IdealLens("Lens", diameter=20, focal_length=50),
        ...     rb.Detector("Film", height=30, at=(45, 0)),
        ... )
        >>> found = scene.optimise({"Film.x": (-10, 10)}, "least rms(Film)")
        >>> round(found.values["Film.x"], 3)
        5.0
        >>> found.apply()
        >>> scene.measure("rms(Film)").value < 1e-6
        True
    """

    scene: Scene
    values: Mapping[str, float | str]
    before: Mapping[str, float]
    after: Mapping[str, float]
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()

    def apply(self) -> None:
        """Make the changes in the scene, as one step."""
        self.scene.session.apply(self.changes)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {cell_text(value)}" for name, value in self.values.items())
        goals = ", ".join(
            f"{name} {self.before[name]:.6g} -> {value:.6g}" for name, value in self.after.items()
        )
        return f"<{values}: {goals}>" + "".join(f"\n{note}" for note in self.notes)

    def _repr_html_(self) -> str:
        found = html_table(("parameter", "value"), self.values.items())
        goals = [(name, self.before[name], value) for name, value in self.after.items()]
        return found + html_table(("goal", "before", "after"), goals)


def sweep(
    scene: Scene,
    vary: Mapping[str, Iterable[Any]],
    measures: Measure | Sequence[Measure],
    progress: Progress | None = None,
) -> StudyTable:
    """See `Scene.sweep`."""
    document = scene.document
    axes = [_axis_text(name, values, document) for name, values in vary.items()]
    several = [measures] if isinstance(measures, str) or callable(measures) else list(measures)
    if all(isinstance(m, str) for m in several):
        return StudyTable.of(notebook.sweep(document, axes, [str(m) for m in several]), vary)
    read = [read_axis(text, document) for text in axes]
    experiment = Experiment(
        document, check_distinct([axis.parameter for axis in read], document), ()
    )
    points = list(itertools.product(*(axis.values for axis in read)))
    rows = []
    for i, point in enumerate(points, 1):
        light = _light_at(experiment, point)
        rows.append([*point, *(_value(m, light) for m in several)])
        if progress is not None:
            progress(i)
    names = [*vary, *map(_name_of, several)]
    columns = dict(zip(names, np.array(rows, float).T, strict=True))
    units = {
        name: axis.parameter.unit_text(document) for name, axis in zip(vary, read, strict=True)
    }
    return StudyTable(columns, dict.fromkeys(names, "") | units)


def optimise(
    scene: Scene,
    vary: Mapping[str, tuple[float, float] | Sequence[str]],
    goal: str | Sequence[str] | Callable[[Light], float],
    whole_range: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> Found:
    """See `Scene.optimise`."""
    document = scene.document
    bounds = [_bounds_text(name, span, document) for name, span in vary.items()]
    if not callable(goal):
        goals = [goal] if isinstance(goal, str) else list(goal)
        found = notebook.optimise(document, bounds, goals, whole_range=whole_range, seed=seed)
        before, after = (
            {str(g): m.value for g, m in zip(found.goals, measured, strict=True)}
            for measured in (found.before, found.after)
        )
        values = {
            name: b.parameter.choices[round(value)] if b.parameter.choices else value
            for name, b, value in zip(vary, found.bounds, found.values, strict=True)
        }
        return Found(scene, values, before, after, found.changes, found.notes)
    read = [read_bounds(text, document) for text in bounds]
    if chosen := [b.parameter.text for b in read if b.parameter.choices]:
        raise InvalidArgument(
            f"{chosen[0]} has choices: give the goal as a text, or sweep over them."
        )
    experiment = Experiment(document, check_distinct([b.parameter for b in read], document), ())
    name = _name_of(goal)
    low, high = np.array([(b.low, b.high) for b in read]).T

    count = 0

    def values_at(point: NDArray[np.float64]) -> tuple[float, ...]:
        return tuple((low + point * (high - low)).tolist())

    def merit(point: NDArray[np.float64]) -> float:
        nonlocal count
        count += 1
        if progress is not None:
            progress(count)
        value = float(goal(_light_at(experiment, values_at(point))))
        return value if np.isfinite(value) else WORST

    first_value = float(goal(scene.trace()))
    ranges = [(0.0, 1.0)] * len(read)
    start = (np.array([b.parameter.value_in(document) for b in read]) - low) / (high - low)
    if whole_range:
        start = differential_evolution(merit, ranges, rng=seed, polish=False).x
    for size in SIMPLEX_SIZES:
        start = np.clip(start, 0.0, 1.0)
        away = start + np.diag(np.where(start + size <= 1, size, -size))
        options = {
            "initial_simplex": np.vstack([start, away]),
            "xatol": 1e-7,
            "fatol": 1e-9 * abs(first_value) if np.isfinite(first_value) else 1e-9,
            "maxfev": TRACES * len(read),
        }
        best = minimize(merit, start, method="Nelder-Mead", bounds=ranges, options=options)
        start = best.x
    return Found(
        scene,
        dict(zip(vary, values_at(start), strict=True)),
        {name: first_value},
        {name: float(best.fun)},
        experiment.changes(values_at(start)),
        ()
        if best.success
        else (f"The search ended after {count} traces. Its end may lie further.",),
    )


def tolerance(
    scene: Scene,
    vary: Mapping[str, float | str],
    measures: str | Sequence[str],
    *,
    limits: str | Sequence[str] = (),
    adjust: Mapping[str, tuple[float, float]] | None = None,
    goals: str | Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = 0,
) -> Toleranced:
    """See `Scene.tolerance`."""
    document = scene.document
    deviations = [f"{place_name(name, document)}±{by}" for name, by in vary.items()]
    bounds = [_bounds_text(name, span, document) for name, span in (adjust or {}).items()]
    told = notebook.tolerance(
        document,
        deviations,
        measures,
        limits=limits,
        adjust=bounds,
        goals=goals,
        samples=samples,
        seed=seed,
    )
    names = told.table.columns[-len(told.spreads) :]
    ends = [
        (name, measure, s.low[i].value, s.high[i].value, s.slope(i))
        for name, s in zip(vary, told.sensitivities, strict=True)
        for i, measure in enumerate(names)
    ]
    spreads = [
        (name, s.mean, s.deviation, s.least, *s.quantiles, s.most)
        for name, s in zip(names, told.spreads, strict=True)
    ]
    quantiles = [f"{q:.0%}" for q in QUANTILES]
    yields = [(y.of, y.share, *y.interval) for y in told.yields]
    return Toleranced(
        StudyTable.of(told.table, [*vary, *(adjust or {})]),
        _table(("parameter", "measure", "low", "high", "slope"), ends),
        _table(("measure", "mean", "deviation", "least", *quantiles, "most"), spreads),
        _table(("limit", "share", "from", "to"), yields),
    )


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> StudyTable:
    """A table of rows that begin with texts."""
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    listed = {
        name: list(c) if c and isinstance(c[0], str) else np.array(c, float)
        for name, c in zip(names, columns, strict=True)
    }
    return StudyTable(listed, dict.fromkeys(names, ""))


def _light_at(experiment: Experiment, values: Sequence[float]) -> Light:
    document = experiment.at(tuple(values))
    return Light(document, trace(document))


def _value(measure: Measure, light: Light) -> float:
    return light.measure(measure).value if isinstance(measure, str) else float(measure(light))


def _name_of(measure: Measure) -> str:
    return measure if isinstance(measure, str) else getattr(measure, "__name__", repr(measure))


def _axis_text(name: str, values: Iterable[Any], document: Document) -> str:
    given = list(values)
    sign = "|" if any(isinstance(v, str) for v in given) else ","
    return f"{place_name(name, document)}={sign.join(map(_written, given))}"


def _bounds_text(name: str, span: Sequence[Any], document: Document) -> str:
    if isinstance(span, Sequence) and any(isinstance(v, str) for v in span):
        return _axis_text(name, span, document)
    try:
        low, high = (float(v) for v in span)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"{name} is {span!r}; give its bounds as a pair, such as (-5, 5), or choices."
        ) from None
    return f"{place_name(name, document)}={low!r}..{high!r}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


def place_name(name: str, document: Document) -> str:
    """A parameter as studies write it: fields in the file's spelling, and the radii and thickness
    of a lens, ``L1.r2``, by their place in its data.
    """
    owner, dot, place = name.rpartition(".")
    if not dot:
        return name
    try:
        obj = object_named(document.scene, owner)
    except UnknownName:
        return name
    fields = {f.name: f for f in fields_of(type(obj))}
    params = getattr(obj, "params", None)
    if place not in fields and isinstance(params, Mapping) and place in (*params, "thickness"):
        return f"{owner}.params.{'d' if place == 'thickness' else place}"
    return f"{owner}.{camel_case(place)}"
