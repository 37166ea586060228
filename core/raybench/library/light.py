"""Traced light: its rays as arrays and data frames, measures, detectors, the balance of power, and
its picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib.util import find_spec
from numbers import Real
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.context import TracedScene
from raybench.analysis.interference.fringes import Fringes
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.grammar import quote_argument
from raybench.analysis.measures.light import Light as TracedLight
from raybench.analysis.measures.measure import Measured
from raybench.analysis.paths.path_search import find_paths
from raybench.analysis.rays.columns import columns_with_name
from raybench.analysis.rays.detector_light import DetectorLight, light_at_detector
from raybench.analysis.rays.ray_filter import filtered_rows
from raybench.analysis.scene.objects import list_names
from raybench.errors import RaybenchError, in_quotes, short_repr
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.library.objects import InvalidArgument
from raybench.library.picture import draw_on_axes, scene_svg
from raybench.scene import RELATIVE
from raybench.scene.changes.values import suggest_similar_names
from raybench.scene.document import Document
from raybench.scene.names import UnknownName, object_named
from raybench.trace.codes import Interaction
from raybench.trace.columns import Reading
from raybench.trace.results.result import Ledger, TraceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FRAMES = ("pandas", "polars", "pyarrow")
"""The libraries of frames that are tried, in order."""
SHOWN_ROWS = 20
"""Rows of a table in a notebook."""


_COLUMNS = {column.sql: column for column in columns_with_name("sql")}
"""The columns of rays by their names in SQL, which are those of attributes and frames too."""
_DEFAULT_COLUMNS = tuple(name for name, column in _COLUMNS.items() if not column.on_request)
"""The columns of a frame where none are named."""


class NoFrameLibrary(RaybenchError, ImportError):
    """The requested data frame library is not installed, or none is."""


class NoPlotLibrary(RaybenchError, ImportError):
    """matplotlib is not installed."""


class UnknownEntry(RaybenchError, KeyError):
    """A table or an answer has no entry with this name; the message lists the existing names."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no {name!r}. {suggest_similar_names(name, list(known))}")

    __str__ = RaybenchError.__str__


class Rays(Sequence["Rays"]):
    """Some segments of traced rays, one row per segment. The columns are attributes: arrays such as
    ``rays.power``, ``rays.x1``, ``rays.wavelength``, and lists of names such as ``rays.object``;
    ``columns`` contains all columns except those that take long to compute, such as ``rays.opl``,
    the optical path from the source to the end of each ray.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(rb.Beam("Sun", width=4), rb.Mirror("M", height=10, at=(10, 0), angle=45))
        >>> rays = scene.trace().rays
        >>> rays.where(object="M")
        <4 rays>
        >>> rays.where(interaction="reflect").direction
        array([270., 270., 270., 270.])
        >>> sorted(rays.to_pandas()["interaction"].unique())
        ['reflect', 'source']
    """

    def __init__(self, light: Light, rows: NDArray[np.int64]) -> None:
        self.light, self.rows = light, rows

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Rays: ...
    @overload
    def __getitem__(self, index: slice) -> Rays: ...
    def __getitem__(self, index: int | slice) -> Rays:
        chosen = self.rows[index]
        return Rays(self.light, np.atleast_1d(chosen))

    def __iter__(self) -> Iterator[Rays]:
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in _COLUMNS:
            raise AttributeError(f"Rays have no column {name!r}. There are {', '.join(_COLUMNS)}.")
        return self._column(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_COLUMNS]

    def _column(self, name: str) -> Any:
        result, column = self.light.result, _COLUMNS[name]
        values = column.values(Reading(result, self.rows, self.light.context.edge_title))
        if column.value is str:
            return values
        missing = np.nan if column.value is float else None
        if missing is None and any(value is None for value in values):
            return values
        return np.array([missing if value is None else value for value in values])

    @property
    def columns(self) -> dict[str, Any]:
        """The columns by name: arrays of numbers, or lists of names. Columns that take long to
        compute are left out.
        """
        return {name: self._column(name) for name in _DEFAULT_COLUMNS}

    @property
    def curves(self) -> list[NDArray[np.float64]]:
        """The points (m, 2) along each ray: its two ends, and further points between them in a
        medium of varying index.
        """
        p1, p2, row = self.light.result.pieces(self.rows)
        starts = np.flatnonzero(np.diff(row, prepend=-1))
        parts = zip(np.split(p1, starts[1:]), np.split(p2, starts[1:]), strict=True)
        return [np.concatenate([a, b[-1:]]) for a, b in parts] if len(row) else []

    def where(
        self,
        text: str = "",
        *,
        object: str | SceneObject | None = None,
        source: str | SceneObject | None = None,
        interaction: str | None = None,
        path: str | None = None,
        min_power: float = 0.0,
        max_power: float = np.inf,
        ghosts: bool = True,
    ) -> Rays:
        """The rays that fulfil all conditions.

        Args:
            text: Conditions as in the filter of the ray table, such as ``power > 0.1, refract``.
            object: The object, module or group on which the rays end.
            source: The source, module or group from which the rays come.
            interaction: The interaction that created the rays, such as ``reflect``.
            path: A pattern of paths, such as ``Lamp > * > Screen``, which selects all segments of
                these paths.
            min_power: The smallest power.
            max_power: The largest power.
            ghosts: Whether to include rays that were partially reflected at glass.
        """
        result = self.light.result
        for word, limit in (("min_power", min_power), ("max_power", max_power)):
            if not isinstance(limit, Real):
                raise InvalidArgument(f"{word} is {limit!r}; give a number.")
        mask = np.zeros(len(result), bool)
        mask[filtered_rows(result, text)] = True
        for column, given in ((result.hit, object), (result.source, source)):
            if given is not None:
                mask &= np.isin(
                    column, self.light.indices_of(given, sources=column is result.source)
                )
        if interaction is not None:
            words = Interaction.words()
            if interaction not in words:
                known = ", ".join(words)
                raise InvalidArgument(f"There is no interaction {interaction!r}: {known}.")
            mask &= result.interaction == words.index(interaction)
        if path is not None:
            on = np.zeros(len(result), bool)
            context = self.light.context
            on[find_paths(result, context.scene, path, context.user_labels).rows] = True
            mask &= on
        mask &= (result.total_power >= min_power) & (result.total_power <= max_power)
        if not ghosts:
            mask &= ~self.light.ghosts
        return Rays(self.light, self.rows[mask[self.rows]])

    def frame(self, library: str = "", columns: Sequence[str] = _DEFAULT_COLUMNS) -> Any:
        """Columns (by default those in `columns`) as a data frame of pandas, polars or pyarrow.
        Without a ``library`` the first installed one is used. Raises NoFrameLibrary, and
        UnknownEntry for an unknown column.
        """
        for name in columns:
            if name not in _COLUMNS:
                raise UnknownEntry(name, _COLUMNS)
        return make_data_frame({name: self._column(name) for name in columns}, library)

    def to_pandas(self, columns: Sequence[str] = _DEFAULT_COLUMNS) -> Any:
        """Columns as a pandas data frame, see `frame`."""
        return self.frame("pandas", columns)

    def to_polars(self, columns: Sequence[str] = _DEFAULT_COLUMNS) -> Any:
        """Columns as a polars data frame, see `frame`."""
        return self.frame("polars", columns)

    def to_arrow(self, columns: Sequence[str] = _DEFAULT_COLUMNS) -> Any:
        """Columns as a pyarrow table, see `frame`."""
        return self.frame("pyarrow", columns)

    def __repr__(self) -> str:
        return f"<{len(self)} rays>"

    def _repr_html_(self) -> str:
        names = [
            name
            for name in ("source", "object", "edge", "interaction", "power", "wavelength", "length")
            if name in _COLUMNS
        ]
        first = self[:SHOWN_ROWS]
        cells = zip(*(first._column(name) for name in names), strict=True)
        more = len(self) - len(first)
        return html_table(names, cells) + (f"<p>… and {more} more</p>" if more > 0 else "")


def make_data_frame(columns: Mapping[str, Any], library: str = "") -> Any:
    """Columns as a data frame of a library in `FRAMES`, or of another one that narwhals supports;
    without a ``library``, of the first installed one. Raises NoFrameLibrary.
    """
    import narwhals

    installed = (name for name in FRAMES if find_spec(name) is not None)
    chosen = library or next(installed, "")
    if not chosen or find_spec(chosen) is None:
        what = f"{library} is not installed" if library else "There is no library of frames"
        raise NoFrameLibrary(f"{what}. Install one, such as pandas.")
    frame = narwhals.from_dict(dict(columns), backend=cast(Any, chosen))
    return frame.to_native()


@dataclass(frozen=True, eq=False)
class DetectorView:
    """The light at a detector. For each arriving ray, ``y`` (n,) is the distance from the
    detector's middle in scene units, positive towards its first end, ``angle`` (n,) the angle to
    its normal in degrees, ``power`` (n,) the power and ``wavelength`` (n,) the wavelength in nm.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(rb.Beam("Sun", width=4), rb.Detector("Film", height=10, at=(10, 0)))
        >>> film = scene.trace().at("Film")
        >>> film
        <4 rays at Film>
        >>> film.y
        array([ 1.5,  0.5, -0.5, -1.5])
        >>> film.measure("width")
        <4 mm = width(Film)>
    """

    light: Light
    detector: Detector
    found: DetectorLight
    ghosts: bool = True
    """Whether it holds light that came by partial reflections at glass."""

    @cached_property
    def y(self) -> NDArray[np.float64]:
        first, last = np.array(self.detector.p1), np.array(self.detector.p2)
        length = float(np.hypot(*(last - first)))
        places = self.light.result.p2[self.found.rows] - (first + last) / 2
        y: NDArray[np.float64] = places @ (first - last) / length
        return y

    @property
    def rays(self) -> Rays:
        """The rays that arrive at the detector."""
        return Rays(self.light, self.found.rows)

    @property
    def angle(self) -> NDArray[np.float64]:
        return self.found.angle

    @property
    def power(self) -> NDArray[np.float64]:
        return self.light.result.total_arriving_power[self.found.rows]

    @property
    def wavelength(self) -> NDArray[np.float64]:
        return self.light.result.wavelength[self.found.rows]

    def measure(self, name: str) -> Measured:
        """The value of a measure for all light at the detector, by the name of the measure, such as
        ``rms``.
        """
        if not self.ghosts:
            raise InvalidArgument(
                "A measure is of all light. Leave out ghosts=False, or compute it from y and power."
            )
        return self.light.measure(f"{name}({quote_argument(self.detector.title)})")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the irradiance along the detector, with matplotlib."""
        ax = ax or new_axes()
        edges = self.found.irradiance.edges
        edges = edges[-1] / 2 - edges[::-1]
        power, _ = np.histogram(self.y, edges, weights=self.power)
        ax.stairs(power / np.diff(edges), edges)
        ax.set_xlabel(f"distance from the middle of {self.detector.title} ({self.light.unit})")
        power_unit = self.light.result.power_unit
        relative = power_unit == RELATIVE
        unit = self.light.unit
        ax.set_ylabel(f"power per {unit}" if relative else f"irradiance ({power_unit}/{unit})")
        return ax

    def __repr__(self) -> str:
        return f"<{len(self.found.rows)} rays at {self.detector.title}>"


@dataclass(frozen=True, eq=False)
class FringePattern:
    """The light at a detector with the interference of coherent waves. ``y`` (n,) are positions
    along the detector: distances from its middle in scene units, positive towards its first end.
    ``irradiance`` (n,) is the irradiance at these positions in power per scene unit, ``incoherent``
    (n,) the irradiance without interference.

    ``spacing`` is the mean distance of the bright fringes and ``contrast`` their mean contrast;
    both are NaN without fringes. ``note`` says why there are no fringes, or what limits the
    accuracy.

    Examples:
        >>> import raybench as rb
        >>> light = rb.Scene.open("example:interferometer").trace()
        >>> fringes = light.fringes("Port A")
        >>> fringes
        <3 fringes at Port A, 3.09397 mm apart, contrast 1>
        >>> round(fringes.power + light.fringes("Port B").power, 3)
        2.0
    """

    light: Light
    detector: Detector
    found: Fringes

    @cached_property
    def y(self) -> NDArray[np.float64]:
        return self._signed_position(self.found.x)

    @property
    def irradiance(self) -> NDArray[np.float64]:
        return self.found.irradiance

    @property
    def incoherent(self) -> NDArray[np.float64]:
        return self.found.incoherent

    @property
    def bright(self) -> NDArray[np.float64]:
        """The positions ``y`` of the bright fringes."""
        return self._signed_position(self.found.bright)

    @property
    def spacing(self) -> float:
        return self.found.spacing

    @property
    def contrast(self) -> float:
        return self.found.contrast

    @property
    def power(self) -> float:
        """The power that arrives at the detector."""
        return self.found.power

    @property
    def note(self) -> str:
        found = self.found
        return " ".join(filter(None, (found.too_coarse, found.reason, *found.remarks)))

    def _signed_position(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return math.dist(self.detector.p1, self.detector.p2) / 2 - x

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the irradiance along the detector with matplotlib, with a dashed line for the
        irradiance without interference.
        """
        ax = ax or new_axes()
        ax.plot(self.y, self.irradiance)
        ax.plot(self.y, self.incoherent, "--", linewidth=1)
        ax.set_xlabel(f"distance from the middle of {self.detector.title} ({self.light.unit})")
        ax.set_ylabel(f"power per {self.light.unit}")
        return ax

    def __repr__(self) -> str:
        if math.isnan(self.spacing):
            return f"<no fringes at {self.detector.title}: {self.note}>"
        apart = f"{self.spacing:.6g} {self.light.unit} apart, contrast {self.contrast:.3g}"
        return f"<{len(self.bright)} fringes at {self.detector.title}, {apart}>"


@dataclass(frozen=True, eq=False)
class Light:
    """The traced light of a document.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene(
        ...     rb.Beam("Sun", width=10, at=(-10, 0)), rb.Blocker("Stop", height=4, at=(10, 0))
        ... )
        >>> light = scene.trace()
        >>> light.ledger.emitted, light.ledger.absorbed
        (5.0, 2.0)
        >>> light.measure("share(Stop)").value
        0.4
    """

    document: Document
    result: TraceResult

    @cached_property
    def context(self) -> TracedScene:
        """The document with its trace, the input of tools and measures."""
        return TracedScene.from_document(self.document, self.result)

    @property
    def unit(self) -> str:
        """The length unit of the scene."""
        return self.document.unit

    @cached_property
    def rays(self) -> Rays:
        """All rays."""
        return Rays(self, np.arange(len(self.result)))

    @property
    def ledger(self) -> Ledger:
        """The balance of power."""
        return self.result.ledger

    def indices_of(self, given: str | SceneObject, *, sources: bool = False) -> list[int]:
        """The indices, among the optical objects, of an object, or of the objects of a module or
        group, given by its name or itself; with ``sources``, those of sources. Raises UnknownName.
        """
        scene, groups = self.document.scene, self.document.groups
        if not isinstance(given, str | SceneObject):
            raise InvalidArgument(f"{short_repr(given)} is no object. Give a name or an object.")
        if isinstance(given, SceneObject):
            title, keys = given.title, {given.key}
        elif given in groups and given not in [o.title for o in scene.objects]:
            title, keys = given, set(groups[given])
        else:
            title, keys = given, {object_named(scene, given).key}
        meant = scene.keys_with_parts(keys)
        known = [(i, o) for i, o in enumerate(scene.optical) if isinstance(o, Source) == sources]
        if not (found := [i for i, o in known if o.key in meant]):
            what = "is no source" if sources else "is nothing that light meets"
            titles = list_names([o.title for _, o in known])
            raise UnknownName(f"{in_quotes(title)} {what}. Name one of: {titles}.")
        return found

    def measure(self, text: str) -> Measured:
        """The value of a measure, such as ``rms(Film)``. Raises InvalidMeasure or UnknownName."""
        (measured,) = measure_values(text, self.document, self.result)
        return measured

    @cached_property
    def ghosts(self) -> NDArray[np.bool_]:
        """A mask (n,) of the rays on whose path light was partially reflected at glass, once or
        more.
        """
        result = self.result
        glass = np.array([isinstance(o, GlassBody) for o in self.document.scene.optical] + [False])
        child = np.flatnonzero(result.parent >= 0)
        parent = result.parent[child]
        found = np.zeros(len(result), bool)
        reflected = result.interaction[child] == Interaction.REFLECT
        found[child] = reflected & glass[result.hit[parent]]
        for depth in np.unique(result.depth[child]):
            now = result.depth[child] == depth
            found[child[now]] |= found[parent[now]]
        return found

    def at(self, detector: str | Detector, bins: int = 0, *, ghosts: bool = True) -> DetectorView:
        """The light at a detector.

        Args:
            detector: The name of the detector, or the detector itself.
            bins: The number of bins of the irradiance; 0 for the detector's own number.
            ghosts: Whether to include light that was partially reflected at glass.
        """
        index, obj = self._detector(detector)
        found = light_at_detector(self.result, index, obj, bins)
        if not ghosts:
            kept = ~self.ghosts[found.rows]
            found = replace(found, rows=found.rows[kept], angle=found.angle[kept])
        return DetectorView(self, obj, found, ghosts)

    def fringes(self, detector: str | Detector) -> FringePattern:
        """The light at a detector with the interference of coherent waves. The detector is given by
        its name or itself.
        """
        index, obj = self._detector(detector)
        return FringePattern(self, obj, TracedLight.from_context(self.context).fringes(index))

    def _detector(self, given: str | Detector) -> tuple[int, Detector]:
        optical = self.document.scene.optical
        inside = [(i, o) for i in self.indices_of(given) if isinstance(o := optical[i], Detector)]
        if len(inside) != 1:
            title = given if isinstance(given, str) else given.title
            raise InvalidArgument(f"{in_quotes(title)} is no detector. Lay one on it.")
        return inside[0]

    def paths(self, pattern: str = "*") -> Rays:
        """All segments of the paths that match a pattern, such as ``Lamp > * > Screen``."""
        return self.rays.where(path=pattern)

    def plot(self, ax: Axes | None = None, *, names: bool = False) -> Axes:
        """Draw the scene and its rays with matplotlib. ``names`` says whether to write the names of
        the objects.
        """
        ax = ax or new_axes()
        draw_on_axes(ax, self.document, self.result, names)
        return ax

    def svg(self, width: int = 720) -> str:
        """The scene and its rays as an SVG picture."""
        return scene_svg(self.document, self.result, width)

    def __repr__(self) -> str:
        return f"<{len(self.result)} rays, {self.result.completion.name.lower()}>"

    def _repr_html_(self) -> str:
        ledger = [
            (name, f"{getattr(self.ledger, name):.6g}")
            for name in LEDGER
            if getattr(self.ledger, name)
        ]
        return self.svg() + html_table(("power", self.result.power_unit), ledger)


LEDGER = ("emitted", "resampled", "gained", "escaped", "absorbed", "truncated", "alive")


def new_axes() -> Axes:
    """Axes of a new figure. Raises NoPlotLibrary."""
    return new_figure().add_subplot()


def new_figure(inches: tuple[float, float] | None = None) -> Figure:
    """A new, empty figure of matplotlib, optionally with a width and height in inches. Raises
    NoPlotLibrary.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NoPlotLibrary("matplotlib is not installed. Install it, or use svg().") from None
    return plt.figure(figsize=inches)


def html_table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in HTML."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell_text(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cell_text(value: Any) -> str:
    """A value as the text of a table cell; empty for None."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
