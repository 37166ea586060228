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
from raybench.library.light import Light, cell_text, frame_of, html_table
from raybench.library.objects import InvalidArgument
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.scene.names import UnknownName, object_named
from raybench.study import notebook
from raybench.study.experiment import Experiment
from raybench.study.table import Table
from raybench.study.terms.parameter import check_distinct
from raybench.study.terms.ranges import read_axis, read_bounds
from raybench.trace.trace import trace

if TYPE_CHECKING:
    from raybench.library.scene import Scene

Measure = str | Callable[[Light], float]
"""A measure as a text, such as ``rms(Film)``, or a function of light."""
Progress = Callable[[int], object]
"""Called with the number of traces so far."""


@dataclass(frozen=True, eq=False)
class StudyTable:
    """The points of a study: a column (n,) for each parameter and measure, by name."""

    columns: Mapping[str, NDArray[np.float64]]
    units: Mapping[str, str]

    @classmethod
    def of(cls, table: Table) -> StudyTable:
        """A table of `raybench.study`."""
        columns = dict(zip(table.columns, table.rows.T, strict=True))
        return cls(columns, dict(zip(table.columns, table.units, strict=True)))

    def __getitem__(self, name: str) -> NDArray[np.float64]:
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
        return html_table(titles, zip(*(c.tolist() for c in self.columns.values()), strict=True))


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found: the ``values`` of parameters by name, and the goals ``before`` and
    ``after``; `apply` puts them into the scene.
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
        return StudyTable.of(notebook.sweep(document, axes, [str(m) for m in several]))
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
    count = 0

    def merit(values: NDArray[np.float64]) -> float:
        nonlocal count
        count += 1
        if progress is not None:
            progress(count)
        value = float(goal(_light_at(experiment, tuple(values.tolist()))))
        return value if np.isfinite(value) else 1e300

    spans = [(b.low, b.high) for b in read]
    start = np.array([b.parameter.value_in(document) for b in read])
    if whole_range:
        start = differential_evolution(merit, spans, rng=seed, polish=False).x
    best = minimize(merit, start, method="Nelder-Mead", bounds=spans)
    at: tuple[float, ...] = tuple(best.x.tolist())
    name = _name_of(goal)
    return Found(
        scene,
        dict(zip(vary, at, strict=True)),
        {name: float(goal(scene.trace()))},
        {name: float(best.fun)},
        experiment.changes(at),
        () if best.success else (str(best.message),),
    )


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
