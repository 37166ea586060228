"""Studies of a scene in Python: parameters are given by name, goals and measures as texts or as
functions of the light.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, Self, SupportsFloat, cast

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.measures.bound import FunctionMeasure
from raybench.analysis.measures.light import Light as TracedLight
from raybench.errors import short_repr
from raybench.kinds.fields import camel_case, described_fields
from raybench.kinds.glasses import HomogeneousGlass
from raybench.library.light import Light, UnknownEntry, cell_text, html_table, make_data_frame
from raybench.library.objects import InvalidArgument, numpy_to_python_value
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.scene.names import UnknownName, object_named
from raybench.scene.parameters.parameter import POSITION_MOTIONS
from raybench.study.estimate import Means
from raybench.study.estimate import estimate as draw
from raybench.study.experiment import Evaluator
from raybench.study.optimise import optimise as search
from raybench.study.sweep import Sweep
from raybench.study.table import Table
from raybench.study.terms.goal import Goal, read_goals
from raybench.study.terms.ranges import read_bounds
from raybench.study.tolerance import Tolerance

if TYPE_CHECKING:
    from raybench.library.scene import Scene

Measure = str | Callable[[Light], float]
"""A measure as a text, such as ``rms(Film)``, or a function of light."""


class ProgressBar(Protocol):
    """A progress bar, such as tqdm's."""

    def update(self, n: int, /) -> object:
        """Show that ``n`` more points were traced."""
        ...

    def close(self) -> object: ...


Progress = Callable[..., ProgressBar]
"""Makes a progress bar with ``total`` steps, None where the number is not known: ``tqdm``."""


@dataclass(frozen=True, eq=False)
class StudyTable:
    """The points of a study: a column (n,) for each parameter and measure, by name. Columns of
    choices contain texts.

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

    columns: Mapping[str, NDArray[Any]]
    units: Mapping[str, str]

    @classmethod
    def of(cls, table: Table, varied: Sequence[str] = ()) -> StudyTable:
        """The table of a study of `raybench.study`; ``varied`` are the names of its first
        columns.
        """
        names = [*varied, *table.columns[len(varied) :]]
        columns = {
            name: np.array([table.choices[i][round(v)] for v in values.tolist()])
            if i in table.choices
            else values
            for i, (name, values) in enumerate(zip(names, table.rows.T, strict=True))
        }
        return cls(columns, dict(zip(names, table.units, strict=True)))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise UnknownEntry(name, self.columns)
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def frame(self, library: str = "") -> Any:
        """The columns as a data frame of pandas, polars or pyarrow."""
        return make_data_frame(self.columns, library)

    def __repr__(self) -> str:
        return f"<{len(self)} points of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        titles = [
            f"{name} ({unit})" if (unit := self.units.get(name)) else name for name in self.columns
        ]
        return html_table(titles, zip(*(c.tolist() for c in self.columns.values()), strict=True))


@dataclass(frozen=True, eq=False)
class ToleranceResult:
    """The result of a tolerance study.

    Attributes:
        sensitivities: For each parameter its deviation, and the change of each measure at the
            ``lower`` and the ``upper`` end of this deviation alone.
        spread: For each measure its value without deviations, and its mean, standard deviation,
            minimum and maximum over the samples.
        yields: For each limit the fraction of the samples within the limit, and the ends ``from``
            and ``to`` of its 95 % confidence interval.
        samples: The values of parameters (with compensators) and measures in each sample.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Laser", width=2, at=(-40, 0)),
        ...     rb.Mirror("Fold", height=20, angle=45),
        ... )
        >>> told = scene.tolerance({"Fold.angle": 0.1}, "direction(Fold)", samples=100)
        >>> told.sensitivities["direction(Fold) upper"].round(6)  # twice the turn of the mirror
        array([0.2])
    """

    sensitivities: StudyTable
    spread: StudyTable
    yields: StudyTable
    samples: StudyTable

    def __repr__(self) -> str:
        columns = (self.spread[name] for name in ("measure", "mean", "standard deviation"))
        told = [f"{m} = {mean:.6g} ± {by:.2g}" for m, mean, by in zip(*columns, strict=True)]
        shares = zip(self.yields["limit"], self.yields["share"], strict=True)
        told += [f"{limit}: {share:.0%}" for limit, share in shares]
        return f"<{len(self.samples)} samples: {'; '.join(told)}>"

    def _repr_html_(self) -> str:
        tables = [self.sensitivities, self.spread, self.yields]
        return "".join(table._repr_html_() for table in tables if len(table))


@dataclass(frozen=True, eq=False)
class OptimisationResult:
    """The result of an optimisation: the ``values`` of parameters by name, and the values of the
    goals ``before`` and ``after``. `apply` sets the values in the scene.

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
        """Apply the found values to the scene, as one step."""
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
    study = Sweep.build(
        document,
        [_axis_text(name, values, document) for name, values in vary.items()],
        _as_measures(measures),
    )
    points = []
    with _StudyProgress(progress, len(study)) as bar:
        for point in study.run():
            points.append(point)
            bar.show(len(points))
    return StudyTable.of(study.table(points), list(vary))


def estimate(
    scene: Scene,
    measures: str | Sequence[str],
    error: float,
    draws: int,
    progress: Progress | None = None,
) -> StudyTable:
    """See `Scene.estimate`."""
    means: Means = ()
    with _StudyProgress(progress, None) as bar:
        for means in draw(scene.document, measures, error=error, draws=draws):
            bar.show(means[0].draws)
    columns = {
        "measure": np.array([mean.latest.expression for mean in means]),
        "mean": np.array([mean.value for mean in means]),
        "standard error": np.array([mean.error for mean in means]),
        "draws": np.array([mean.draws for mean in means]),
    }
    return StudyTable(columns, {})


def optimise(
    scene: Scene,
    vary: Mapping[str, tuple[float, float] | Sequence[str]],
    goal: Measure | Sequence[Measure],
    measures: Sequence[str] = (),
    whole_range: bool = False,
    keep_path: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
) -> OptimisationResult:
    """See `Scene.optimise`."""
    document = scene.document
    with _StudyProgress(progress, None) as bar:
        found = search(
            document,
            [
                read_bounds(_bounds_text(name, span, document), document)
                for name, span in vary.items()
            ],
            [g for given in _as_measures(goal) for g in _read_goal(given, document)],
            measures=measures,
            whole_range=whole_range,
            keep_path=keep_path,
            seed=seed,
            report=lambda count, _best: bar.show(count),
        )
    values = {
        name: b.parameter.choices[round(value)] if b.parameter.choices else value
        for name, b, value in zip(vary, found.bounds, found.values, strict=True)
    }
    told = [
        *zip(map(str, found.goals), found.before, found.after, strict=True),
        *((before.expression, before, after) for before, after in found.measured),
    ]
    return OptimisationResult(
        scene,
        values,
        {name: before.value for name, before, _ in told},
        {name: after.value for name, _, after in told},
        found.changes,
        found.notes,
    )


def tolerance(
    scene: Scene,
    vary: Mapping[str, float | str] | Sequence[str],
    measures: str | Sequence[str],
    limits: str | Sequence[str],
    adjust: Mapping[str, tuple[float, float]] | Sequence[str],
    goals: str | Sequence[str],
    samples: int,
    seed: int,
    progress: Progress | None = None,
) -> ToleranceResult:
    """See `Scene.tolerance`."""
    document = scene.document
    given = vary if isinstance(vary, Mapping) else {}
    if isinstance(vary, Mapping):
        vary = [f"{parameter_name_in_studies(name, document)}±{by}" for name, by in vary.items()]
    if isinstance(adjust, Mapping):
        adjust = [_bounds_text(name, span, document) for name, span in adjust.items()]
    study = Tolerance.read(
        document,
        _as_list(vary, "vary"),
        _as_list(measures, "measures"),
        limits=_as_list(limits, "limits"),
        adjust=_as_list(adjust, "adjust"),
        goals=_as_list(goals, "goals"),
        samples=samples,
        seed=seed,
    )
    names = list(given) if given else [d.parameter.text for d in study.deviations]
    rows = []
    with Evaluator() as evaluator, _StudyProgress(progress, samples) as bar:
        nominal = study.nominal(evaluator)
        alone = list(study.sensitivities(evaluator))
        for row in evaluator.rows(study.experiment_to_evaluate(), study.points):
            rows.append(row)
            bar.show(len(rows))
    changes: dict[str, list[Any]] = {
        "parameter": names,
        "deviation": [s.deviation.by for s in alone],
    }
    measured = study.experiment.measures[: study.measures]
    for i, measure in enumerate(measured):
        ends = zip(*(s.changes(i, nominal) for s in alone), strict=True)
        for end, values in zip(("lower", "upper"), ends, strict=True):
            changes[f"{measure.expression} {end}"] = list(values)
    spreads, yields = study.spreads(rows), study.yields(rows)
    spread = {
        "measure": [m.expression for m in measured],
        "nominal": [nominal[i].value for i in range(len(measured))],
        "mean": [s.mean for s in spreads],
        "standard deviation": [s.deviation for s in spreads],
        "least": [s.least for s in spreads],
        "most": [s.most for s in spreads],
        "unit": [nominal[i].unit for i in range(len(measured))],
    }
    within = {
        "limit": [y.of for y in yields],
        "share": [y.share for y in yields],
        "from": [y.interval[0] for y in yields],
        "to": [y.interval[1] for y in yields],
    }
    alone_table, spread_table, yield_table = (
        StudyTable({name: np.array(column) for name, column in columns.items()}, {})
        for columns in (changes, spread, within)
    )
    return ToleranceResult(
        alone_table, spread_table, yield_table, StudyTable.of(study.table(rows), names)
    )


def _as_list(texts: Any, name: str) -> list[str]:
    several = [texts] if isinstance(texts, str) or not isinstance(texts, Iterable) else list(texts)
    for text in several:
        if not isinstance(text, str):
            raise InvalidArgument(f"{name} holds {short_repr(text)}; a tolerance takes texts.")
    return several


def _as_measures(given: Measure | Sequence[Measure]) -> list[str | FunctionMeasure]:
    """Measures or goals in a list. Functions get distinct names: ``<lambda>``, ``<lambda> 2``."""
    single = isinstance(given, str) or not isinstance(given, Iterable)
    times: Counter[str] = Counter()
    several: list[str | FunctionMeasure] = []
    for one in cast(Iterable[Any], [given] if single else given):
        if not isinstance(one, str) and not callable(one):
            raise InvalidArgument(
                f"{short_repr(one)} is no measure. Give a text, such as rms(Film), or a function."
            )
        if isinstance(one, str):
            several.append(one)
            continue
        name = getattr(one, "__name__", repr(one))
        times[name] += 1
        number = f" {times[name]}" if times[name] > 1 else ""
        several.append(_function_measure(one, name + number))
    return several


class _StudyProgress:
    """The progress bar of a study; without a bar nothing is shown."""

    def __init__(self, progress: Progress | None, total: int | None) -> None:
        self._bar = progress(total=total) if progress is not None else None
        self._shown = 0

    def show(self, count: int) -> None:
        """Show the number of points traced so far. The displayed number never decreases."""
        if self._bar is not None and count > self._shown:
            self._bar.update(count - self._shown)
            self._shown = count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _read_goal(given: str | FunctionMeasure, document: Document) -> tuple[Goal, ...]:
    if isinstance(given, str):
        return read_goals([given], document)
    return (Goal(given.expression, "least", function=given),)


def _function_measure(function: Callable[[Light], float], name: str) -> FunctionMeasure:
    def function_value(light: TracedLight) -> float:
        document = Document(
            scene=light.scene,
            groups=light.groups,
            edge_labels=light.edge_labels,
            coatings=light.treatments.coatings,
            finishes=light.treatments.finishes,
            disabled=light.disabled,
            unit=light.length_unit,
        )
        found = function(Light(document, light.result))
        if not isinstance(found, SupportsFloat) or np.ndim(cast(Any, found)) > 0:
            raise InvalidArgument(f"{name} returned {short_repr(found)}; return a number.")
        return float(found)

    return FunctionMeasure(function_value, name)


def _axis_text(name: str, values: Iterable[Any], document: Document) -> str:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidArgument(f"{name} is {values!r}; give its values as a list, such as [0, 1].")
    given = [numpy_to_python_value(value) for value in values]
    for value in given:
        if not isinstance(value, str | Real):
            raise InvalidArgument(f"{name} holds {short_repr(value)}; give numbers or choices.")
    sign = "|" if any(isinstance(v, str) for v in given) else ","
    return f"{parameter_name_in_studies(name, document)}={sign.join(map(_value_text, given))}"


def _bounds_text(name: str, span: Sequence[Any], document: Document) -> str:
    span = numpy_to_python_value(span)
    if isinstance(span, Sequence) and any(isinstance(v, str) for v in span):
        return _axis_text(name, span, document)
    try:
        low, high = (float(v) for v in span)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"{name} is {span!r}; give its bounds as a pair, such as (-5, 5), or choices."
        ) from None
    return f"{parameter_name_in_studies(name, document)}={low!r}..{high!r}"


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


def parameter_name_in_studies(name: str, document: Document) -> str:
    """The name of a parameter in the notation of studies: fields are spelled as in files, ``glass``
    becomes the material, and the thickness of a lens its path in the lens data.
    """
    owner, dot, place = name.rpartition(".")
    if not dot:
        return name
    try:
        obj = object_named(document.scene, owner)
    except UnknownName:
        return name
    fields = {f.name: f for f in described_fields(type(obj))}
    params = getattr(obj, "params", None)
    if place not in fields and isinstance(params, Mapping) and place == "thickness":
        return f"{owner}.params.d"
    if place in POSITION_MOTIONS:
        return name
    if place == "glass" and isinstance(obj, HomogeneousGlass):
        return f"{owner}.material"
    return f"{owner}.{camel_case(place)}"
