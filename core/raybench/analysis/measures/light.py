"""The light of a trace as measures use it: the rays that arrive at objects and leave them. Results
are cached and shared by all measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    distinct_integers,
    rows_to_mask,
    unit_vectors,
    vector_lengths,
)
from raybench.analysis.interference.fringes import Fringes, fringes_at_detector
from raybench.analysis.measures.measure import BundleChoice, Undefined, Unit
from raybench.analysis.measures.rims import RimRays
from raybench.analysis.paths.path_search import PathMatches, find_paths
from raybench.analysis.paths.path_text import PathPatternWriter
from raybench.analysis.paths.paths import segments_passing_unaffected
from raybench.analysis.paths.principal import LightByPath, light_by_path
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.incidence import (
    Bodies,
    RowsByHit,
    rows_ending_on_edges,
    segments_ending_on,
)
from raybench.analysis.rays.leaving_light import (
    ArrivingBundle,
    LeavingBundle,
    arriving_bundles,
    leaving_bundles,
    segments_straight_between_objects,
)
from raybench.analysis.rays.ray_queries import segments_through_opening
from raybench.analysis.scene.objects import (
    System,
    edges_as_traced,
    object_or_system_named,
    optical_object_named,
    system_of_joined_objects,
    systems_in_scene,
)
from raybench.errors import in_quotes
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import METRES
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.sources import Source
from raybench.lens.in_document import lens_systems
from raybench.lens.prescription import Prescription
from raybench.scene.document import NO_ANNOTATIONS, Document, EdgeLabels, Groups
from raybench.scene.scene import Scene
from raybench.scene.treatments import NO_TREATMENTS, EdgeTreatments
from raybench.trace.codes import NO_ORDER, Completion, Interaction, Status
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.branches import count_partial_reflections
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.results.warnings import OmittedLight
from raybench.trace.trace import trace

Cached = TypeVar("Cached")
Arguments = ParamSpec("Arguments")
Bundle = LeavingBundle | ArrivingBundle
LIGHT_SPEED = 299_792_458.0
"""Speed of light in vacuum in m/s, exact."""
ROUNDING = 1e-12
"""Rounding error of a power relative to the emitted power, and of a length relative to the largest
coordinate.
"""
ANGULAR_ROUNDING = 1e-9
"""Rounding error of an angle, degrees."""


def _cache_method(
    compute: Callable[Concatenate[Light, Arguments], Cached],
) -> Callable[Concatenate[Light, Arguments], Cached]:
    """Decorate a method of `Light` so that its results are cached by arguments."""

    @wraps(compute)
    def cached_method(self: Light, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Cached:
        key = (compute.__name__, *(a for a in args if a is not None), *kwargs.items())
        return self.cached_value(key, lambda: compute(self, *args, **kwargs))

    return cached_method


@dataclass(frozen=True, eq=False)
class Light:
    """A scene and its trace. Objects are given by indices into `measurable_objects`: the optical
    objects of the scene, then systems of objects. None as a source stands for all sources.

    ``length_unit``: name of the length unit. ``edge_labels``: the user's edge labels by object key
    and edge index. ``disabled``: keys of disabled objects, which light passes unchanged.
    ``lenses``: lens systems by name. ``joined``: systems of objects that were named together, by
    their names. ``treatments``: coatings and finishes of edges.
    """

    scene: Scene
    result: TraceResult
    length_unit: str = "mm"
    edge_labels: EdgeLabels = field(default_factory=lambda: NO_ANNOTATIONS)
    disabled: frozenset[int] = frozenset()
    groups: Groups = field(default_factory=lambda: NO_ANNOTATIONS)
    lenses: Mapping[str, Prescription] = field(default_factory=lambda: NO_ANNOTATIONS)
    joined: dict[str, System] = field(default_factory=dict)
    treatments: EdgeTreatments = NO_TREATMENTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "result", fill_hit_columns(self.result, self.scene, self.disabled))

    @cached_property
    def _cache(self) -> dict[tuple[Any, ...], Any]:
        return {}

    def cached_value(self, key: tuple[Any, ...], compute: Callable[[], Cached]) -> Cached:
        """The cached value of a key; ``compute`` computes it on first use."""
        if key not in self._cache:
            self._cache[key] = compute()
        value: Cached = self._cache[key]
        return value

    @property
    def power_unit(self) -> str:
        """The unit of powers (`raybench.scene.POWER_UNITS`)."""
        return self.result.power_unit

    @classmethod
    def from_document(cls, document: Document, result: TraceResult) -> Light:
        """The light in the trace of a document."""
        scene = document.scene
        return cls(
            scene,
            result,
            document.unit,
            document.edge_labels,
            scene.keys_with_parts(document.disabled),
            document.groups,
            lens_systems(document),
            treatments=document.treatments,
        )

    @classmethod
    def from_context(cls, context: TracedScene) -> Light:
        """The light in the trace of an analysis context."""
        return cls(
            context.scene,
            context.result,
            context.unit,
            context.edge_labels,
            context.disabled,
            context.groups,
            context.lenses,
            treatments=context.treatments,
        )

    def lens(self, name: str) -> Prescription:
        """The lens system with a name. Raises Undefined if the scene does not have it."""
        if name not in self.lenses:
            raise Undefined(f"{in_quotes(name, 80)} is no lens system of the scene.")
        return self.lenses[name]

    @property
    def measurable_objects(self) -> tuple[SceneObject | System, ...]:
        """All objects that can be measured: optical objects, then module instances and groups, each
        as one object, then systems of objects that were named together.
        """
        return (
            (*self._optical_objects_and_systems, *self.joined.values())
            if self.joined
            else self._optical_objects_and_systems
        )

    @cached_property
    def _optical_objects_and_systems(self) -> tuple[SceneObject | System, ...]:
        return (*self.scene.optical, *systems_in_scene(self.scene, self.groups))

    @cached_property
    def index_by_key(self) -> Mapping[int | str, int]:
        """The indices of the `measurable_objects` by key, without systems of objects that were
        named together.
        """
        return {thing.key: i for i, thing in enumerate(self._optical_objects_and_systems)}

    def index_of(self, key: int | str) -> int | None:
        """The index of the object with a key in `measurable_objects`; None if there is none. A key
        that names several objects together creates their system on first use.
        """
        if (index := self.index_by_key.get(key)) is not None:
            return index
        name = str(key)
        if name not in self.joined:
            if (system := system_of_joined_objects(self.scene, self.groups, name)) is None:
                return None
            self.joined[name] = system
        return len(self._optical_objects_and_systems) + list(self.joined).index(name)

    def members(self, index: int) -> tuple[int, ...]:
        """The indices of the optical objects in the object or system ``index``."""
        thing = self.measurable_objects[index]
        return thing.members if isinstance(thing, System) else (index,)

    def find_optical_object(self, name: str) -> tuple[int, SceneObject | System]:
        """The index and the object with a name, which must be an object that light can meet. Raises
        UnknownName, which lists the existing names.
        """
        thing = object_or_system_named(self.scene, self.groups, name)
        if isinstance(thing, System) and (index := self.index_of(thing.key)) is not None:
            return index, thing
        return optical_object_named(self.scene, name)

    def title(self, index: int) -> str:
        """The name of an object in quotes, for messages."""
        return in_quotes(self.measurable_objects[index].title)

    def remove_rounding_noise(self, value: float, unit: Unit) -> float:
        """The value, or 0 if its magnitude is below the rounding error of its unit.

        Use it for differences only: a sum of powers can be as small as the weakest traced ray.
        """
        noise = 0.0
        match unit:
            case Unit.POWER:
                noise = ROUNDING * self.result.ledger.emitted
            case Unit.LENGTH:
                noise = ROUNDING * self.result.reach
            case Unit.ANGLE:
                noise = ANGULAR_ROUNDING
            case Unit.TIME:
                noise = ROUNDING * self.result.reach * self.picoseconds_per_unit
        return 0.0 if abs(value) <= noise else value

    @property
    def picoseconds_per_unit(self) -> float:
        """The time in ps that light in vacuum takes for one scene unit."""
        return 1e12 * float(METRES[self.length_unit]) / LIGHT_SPEED

    def not_followed(self, unit: Unit, *, of_power: bool) -> OmittedLight | None:
        """The untraced light that is missing in a value; None if nothing is missing. For a power
        this is all light that was too weak or cut off by a limit of the trace; for a part of a
        power, the same without light that sources do not send; for other values, only light cut off
        by a limit.
        """
        if of_power:
            absolute = unit in (Unit.POWER, Unit.IRRADIANCE)
            return self._not_followed if absolute else replace(self._not_followed, unsent=None)
        return OmittedLight(limit=self._not_followed.limit) if self._not_followed.limit else None

    @cached_property
    def _not_followed(self) -> OmittedLight:
        return OmittedLight.of_trace(self.result, self.scene)

    def emitted(self, source: int | None = None) -> float:
        """The power that a source emits, or all sources if it is None."""
        if source is None:
            return self.result.ledger.emitted
        return self.result.emitted_power(source)

    def share(self, power: float, source: int | None = None) -> float:
        """A power as a fraction of the emitted power of a source, or of all sources. Raises
        Undefined if no power is emitted.
        """
        emitted = self.emitted(source)
        if not emitted > 0:
            raise Undefined(
                "No light is emitted."
                if source is None
                else f"{self.title(source)} emits no light."
            )
        return power / emitted

    def rows_of_source(self, rows: Rows, source: int | None) -> Rows:
        """The segments among ``rows`` whose light comes from this source."""
        return rows if source is None else rows[self.result.source[rows] == source]

    def source_phrase(self, source: int | None) -> str:
        """A phrase for messages that names a source, such as `` of 'Lamp'``; empty for all
        sources.
        """
        return "" if source is None else f" of {self.title(source)}"

    def _emitted_rows(self, source: int) -> Rows:
        return np.flatnonzero((self.result.parent == -1) & (self.result.source == source))

    @_cache_method
    def arriving_rows(self, index: int, source: int | None = None) -> Rows:
        """The segments that arrive at an object from outside, without segments cut off there by the
        depth limit.
        """
        if source is not None:
            return self.rows_of_source(self.arriving_rows(index), source)
        met = self.rows_meeting_object(index)
        arriving = self.result.status[met] != Status.DEPTH
        if len(self.members(index)) > 1:
            arriving &= ~self.between_members_mask(index)[met]
        rows = met[np.flatnonzero(arriving)]
        return rows[np.flatnonzero(~self._ends_inside(index, rows))]

    def group_by_path(self, rows: Rows) -> LightByPath:
        """The segments ``rows`` grouped by path, in order of decreasing power. The first path is
        the principal path.
        """
        power = self.result.total_arriving_power

        def compute() -> tuple[Rows, LightByPath]:
            return rows, light_by_path(self.result, rows, power[rows])

        # the rows are held, so that no others get their identity
        return self.cached_value(("group_by_path", id(rows)), compute)[1]

    @cached_property
    def rim_rays(self) -> RimRays | None:
        """The trace of the rays at the rims of all sources; None if no source has a rim, or if the
        trace comes from another program.
        """
        if self.result.scene is None:
            return None
        return RimRays.trace_from_sources(self.scene, self.result, self.disabled, self.length_unit)

    @_cache_method
    def with_object_disabled(self, index: int) -> Light:
        """The light in the scene without the object ``index``. Raises Undefined if the trace comes
        from another program.
        """
        result = self.result
        if result.scene is None:
            raise Undefined("The rays are of another program: they cannot be traced without it.")
        off = self.disabled | {self.scene.optical[i].key for i in self.members(index)}
        complete = result.completion is Completion.COMPLETE
        traced = trace(
            self.scene,
            disabled=off,
            unit=self.length_unit,
            power_unit=self.power_unit,
            treatments=self.treatments,
            revision=result.revision,
            max_segments=DEFAULT_LIMIT if complete else max(len(result), 1),
            draw=result.draw,
        )
        return replace(self, result=traced, disabled=off)

    @cached_property
    def path_writer(self) -> PathPatternWriter:
        """The writer of paths in this trace as path patterns."""
        return PathPatternWriter(
            self.result, self.scene, lambda obj: self.edge_labels.get(obj.key, {})
        )

    @_cache_method
    def fringes(self, index: int) -> Fringes:
        """The interference fringes at the detector ``index``."""
        detector = self.scene.optical[index]
        assert isinstance(detector, Detector)
        return fringes_at_detector(
            self.result, index, detector, self.treatments.coatings, self.disabled, self.length_unit
        )

    @_cache_method
    def first_arriving_rows(self, index: int, source: int | None = None) -> Rows:
        """The segments that arrive at an object from outside for the first time on their path."""
        rows = self.arriving_rows(index)
        if (kept := self.result.kept) is not None:
            again = kept.have_met(rows, self.members(index))
        else:
            arriving = rows_to_mask(rows, len(self.result))
            again = self.result.lineage.are_descendants(arriving, rows)
        return self.rows_of_source(rows[~again], source)

    @_cache_method
    def rows_through_opening(self, index: int) -> Rows:
        """The segments that pass through the opening of an aperture, in the order of the trace;
        empty if the aperture is disabled.
        """
        obj = self.measurable_objects[index]
        if not isinstance(obj, Aperture) or obj.key in self.disabled:
            return np.empty(0, np.int64)
        return segments_through_opening(self.result, obj)

    @_cache_method
    def passing_rows(self, index: int, source: int | None = None) -> Rows:
        """The segments that pass an object unchanged, once for each passage: through the opening of
        an aperture, or through a filter that does not act on their wavelength. Empty for a disabled
        object.
        """
        obj, passing = self.measurable_objects[index], self.rows_through_opening(index)
        if isinstance(obj, Filtered) and obj.filter and obj.key not in self.disabled:
            unfiltered = segments_passing_unaffected(self.result, obj, self.edges(index), False)[0]
            passing = np.sort(np.concatenate([passing, unfiltered]))
        return self.rows_of_source(passing, source)

    def _ends_inside(self, index: int, rows: Rows) -> Mask:
        """Mask (k,) of the segments ``rows`` (k,) that end inside a body, or inside a body of a
        system.
        """
        inside = np.zeros(len(rows), bool)
        bodies = [i for i in self.members(index) if isinstance(self.scene.optical[i], GlassBody)]
        if not bodies:
            return inside
        p1, p2 = last_straight_pieces(self.result, rows)
        middle = (p1 + p2) / 2
        for body in bodies:
            outside = np.flatnonzero(~inside)
            inside[outside] = contains_points(self.edges(body), middle.take(outside, axis=0), 0.0)
        return inside

    @_cache_method
    def between_members_mask(self, index: int) -> Mask:
        """Mask (n,) of the segments on which light runs from one member of a system directly to
        another. Detectors on the way do not count. All false for a single object.
        """
        members = self.members(index)
        if len(members) < 2:
            return np.zeros(len(self.result), bool)
        self.result.require_rows_leaving(members)
        met = self.meeting_mask(index)
        inside = segments_straight_between_objects(self.result, met)
        stops = [
            i
            for i, o in enumerate(self.scene.optical)
            if isinstance(o, Aperture)
            and i not in members
            and inside[self.rows_through_opening(i)].any()
        ]
        if stops:
            inside = inside | segments_straight_between_objects(
                self.result, met, np.isin(self.result.hit, stops)
            )
        return inside

    @_cache_method
    def rows_meeting_object(self, index: int) -> Rows:
        """The segments, ascending, that end on an object from either side, including its interfaces
        with other bodies.
        """
        if isinstance(thing := self.measurable_objects[index], System):
            return distinct_integers(*(self.rows_meeting_object(i) for i in thing.members))
        return segments_ending_on(self.result, self.scene, index, *self._bodies_and_hit_rows)

    @_cache_method
    def meeting_mask(self, index: int) -> Mask:
        """The result of `rows_meeting_object` as a mask (n,)."""
        return rows_to_mask(self.rows_meeting_object(index), len(self.result))

    @cached_property
    def _bodies_and_hit_rows(self) -> tuple[Bodies, RowsByHit]:
        return Bodies.from_scene(self.scene), RowsByHit.from_trace(
            self.result, len(self.scene.optical)
        )

    def edge_hit(self, index: int, row: int) -> Edge:
        """The edge of an object on which a segment ends."""
        hit, index_of_edge = int(self.result.hit[row]), int(self.result.edge[row])
        if hit in self.members(index) and index_of_edge >= 0:
            return next(e for e in self.edges(hit) if e.index == index_of_edge)
        edges = [e for member in self.members(index) for e in self.edges(member)]
        return next(e for e in edges if rows_ending_on_edges(self.result, [e], np.array([row]))[0])

    def edges(self, index: int) -> tuple[Edge, ...]:
        """The edges of an object as they were traced."""
        return edges_as_traced(self.scene.optical[index], self.scene)

    def strongest_bundle(
        self, which: BundleChoice, index: int, source: int | None = None, order: int | None = None
    ) -> Bundle:
        """The strongest of the `candidate_bundles`. Raises Undefined if there is none, or if an
        opening stops the only light that arrives.
        """
        bundles = self.candidate_bundles(which, index, source, order)
        best = max(bundles, key=lambda b: b.power, default=None)
        if best is None or not best.power > 0:
            of = "" if order is None else f" of order {order}"
            passes = " Light passes it without meeting it: name the object before or after it."
            raise Undefined(
                f"No light{self.source_phrase(source)}{of} {which.value} {self.title(index)}."
                + passes * bool(len(self.passing_rows(index, source)))
            )
        if which is BundleChoice.ARRIVING and len(
            self.rows_of_source(self.rows_through_opening(index), source)
        ):
            raise Undefined(
                f"Only a part of the light meets {self.title(index)}: name the object before or"
                " after it."
            )
        return best

    @_cache_method
    def bundle_share(
        self, which: BundleChoice, index: int, source: int | None = None, order: int | None = None
    ) -> float:
        """The power of the bundles on the same path as the `strongest_bundle`, as a share of the
        power of all `candidate_bundles`.
        """
        bundles = self.candidate_bundles(which, index, source, order)
        first, power = np.array([b.rows[0] for b in bundles]), np.array([b.power for b in bundles])
        keys = path_keys(self.result, first, ends=False)
        return float(power[keys == keys[power.argmax()]].sum() / power.sum())

    def merge_candidate_bundles(
        self, which: BundleChoice, index: int, source: int | None = None, order: int | None = None
    ) -> Bundle:
        """All `candidate_bundles` as one bundle. Raises Undefined like `strongest_bundle`."""
        one = self.strongest_bundle(which, index, source, order)
        bundles = self.candidate_bundles(which, index, source, order)
        rows = np.concatenate([b.rows for b in bundles])
        if isinstance(one, ArrivingBundle):
            return replace(one, rows=rows)
        arriving = [b.arriving for b in bundles if isinstance(b, LeavingBundle)]
        return replace(one, rows=rows, arriving=np.concatenate(arriving))

    def candidate_bundles(
        self, which: BundleChoice, index: int, source: int | None = None, order: int | None = None
    ) -> Sequence[Bundle]:
        """The bundles at an object from which a measure chooses. ``source`` and ``order`` restrict
        them to one source and one diffraction order.
        """
        if order is not None:
            return [
                b
                for b in self.candidate_bundles(which, index, source)
                if self.grating_order(int(b.rows[0])) == order
            ]
        if which is BundleChoice.ARRIVING:
            return self.arriving_bundles(index, source)
        bundles = self.bundles(index, source)
        if which is BundleChoice.LEAVING:
            return bundles
        through = self.bundles_going_through(index, source)
        return bundles if which is BundleChoice.ONWARD and not through else through

    @_cache_method
    def bundles_going_through(self, index: int, source: int | None = None) -> list[LeavingBundle]:
        """The `bundles` that go through an object, see `select_bundles_going_through`."""
        return self.select_bundles_going_through(self.bundles(index, source), index)

    def select_bundles_going_through(
        self, bundles: Sequence[LeavingBundle], index: int
    ) -> list[LeavingBundle]:
        """Those of some bundles that enter a body, or pass to the other side of a surface; not
        those that are reflected.
        """
        arrived = np.array([b.arriving[0] for b in bundles], np.int64)
        from_inside = self.start_inside_mask(index, arrived).tolist()
        return [
            b
            for b, inside in zip(bundles, from_inside, strict=True)
            # emitted inside a body, light comes out, whatever it met there
            if inside or self._passes_at_arrival(b, index)
        ]

    def bundles_by_transmission(
        self, index: int, source: int | None = None, *, transmitted: bool
    ) -> list[LeavingBundle]:
        """The bundles that leave an object after transmission or, if ``transmitted`` is false,
        after reflection. A bundle counts as reflected if it was reflected on arrival, or partially
        reflected inside an odd number of times.
        """

        counts, through = self._partial_reflections, self.bundles_going_through(index, source)
        passed = {id(b) for b in through if (counts[b.rows[0]] - counts[b.arriving[0]]) % 2 == 0}
        return [b for b in self.bundles(index, source) if (id(b) in passed) is transmitted]

    @cached_property
    def _partial_reflections(self) -> Rows:
        return count_partial_reflections(self.result, self.scene)

    @_cache_method
    def bundles(self, index: int, source: int | None = None) -> list[LeavingBundle]:
        """The bundles that leave an object, in order of decreasing power."""
        if source is not None:
            masks = [(b, self.result.source[b.rows] == source) for b in self.bundles(index)]
            return [
                replace(b, rows=b.rows[mask], arriving=b.arriving[mask])
                for b, mask in masks
                if mask.any()
            ]
        members = (
            (index,) if isinstance(self.measurable_objects[index], Source) else self.members(index)
        )
        self.result.require_rows_leaving(members)
        if isinstance(self.measurable_objects[index], Source):
            rows = self._emitted_rows(index)
            rows = rows[vector_lengths(self.result.p2[rows] - self.result.p1[rows]) > 0]
            return [LeavingBundle(self.result, rows, rows)] if len(rows) else []
        return leaving_bundles(
            self.result,
            members,
            self.scene,
            self.meeting_mask(index),
            self.between_members_mask(index),
        )

    @_cache_method
    def arriving_bundles(self, index: int, source: int | None = None) -> list[ArrivingBundle]:
        """The bundles that arrive at an object from outside, in order of decreasing power."""
        if source is None:
            return arriving_bundles(self.result, self.arriving_rows(index), self.scene)
        parts = [
            replace(b, rows=self.rows_of_source(b.rows, source))
            for b in self.arriving_bundles(index)
        ]
        return [part for part in parts if len(part.rows)]

    def rows_inside_object(self, bundle: LeavingBundle) -> Rows:
        """The segments of a bundle inside an object, between arrival and departure."""
        rows, row, end = (
            [bundle.rows, bundle.arriving],
            bundle.rows.astype(np.int64),
            bundle.arriving,
        )
        while len(inside := np.flatnonzero(row != end)):
            row, end = self.result.parent[row[inside]].astype(np.int64), end[inside]
            rows.append(row)
        return distinct_integers(*rows)

    def grating_order(self, row: int) -> int | None:
        """The diffraction order at the last grating on the path to a segment; None without a
        grating.
        """
        order = int(self.result.order[row])
        return None if order == NO_ORDER else order

    def start_inside_mask(self, index: int, rows: Rows) -> Mask:
        """Mask (k,) of the segments ``rows`` (k,) that a source inside the body ``index`` emits."""
        mask: Mask = self.result.parent[rows] == -1
        emitted = np.flatnonzero(mask)
        mask[emitted] = self._ends_inside(index, rows[emitted])
        return mask

    def _passes_at_arrival(self, bundle: LeavingBundle, index: int) -> bool:
        """Whether a bundle enters a body where it arrives, or passes to the other side of a
        surface. False if it is reflected.
        """
        result, path = self.result, bundle.first_ray_segments
        if len(path) < 2:  # it starts at the object
            return False
        arrived, row = path[:2]
        interaction = Interaction(result.interaction[row])
        if interaction in (Interaction.REFLECT, Interaction.TIR, Interaction.SOURCE):
            return False
        if interaction in (Interaction.SPLIT, Interaction.DIFFRACT, Interaction.CUSTOM):
            shape = self.edge_hit(index, arrived).shape
            nx, ny = shape.b.y - shape.a.y, shape.a.x - shape.b.x
            before, after = (
                float(d[0] * nx + d[1] * ny)
                for d in (result.p2[r] - result.p1[r] for r in (arrived, row))
            )
            return before * after > 0
        return True

    def directions(self, rows: Rows) -> Floats:
        """The unit directions (k, 2) of segments at their ends."""
        return unit_vectors(np.subtract(*last_straight_pieces(self.result, rows)[::-1]))[0]

    def leaving_directions(self, bundle: LeavingBundle) -> Floats:
        """The unit directions (k, 2) of the rays of a bundle where they leave the object."""
        return unit_vectors(np.subtract(*first_straight_pieces(self.result, bundle.rows)[::-1]))[0]

    def weights(self, rows: Rows, what: str, *, arriving: bool = False) -> Floats:
        """The powers (k,) of segments at their starts or, with ``arriving``, at their ends, to be
        used as weights of a mean. Raises Undefined ("No <what>.") if their sum is 0.
        """
        power: Floats = (self.result.total_arriving_power if arriving else self.result.total_power)[
            rows
        ]
        if not power.sum() > 0:
            raise Undefined(f"No {what}.")
        return power

    def ending_mask(self, index: int | None, source: int | None) -> Mask:
        """Mask (n,) of the segments of a source that end on an object, from either side. None
        stands for any source or object.
        """
        mask = np.ones(len(self.result), bool) if index is None else self.meeting_mask(index)
        return mask if source is None else mask & (self.result.source == source)

    def path_matches(self, pattern: str) -> PathMatches:
        """The segments that match a path pattern. The result is not cached."""
        return find_paths(
            self.result, self.scene, pattern, lambda obj: self.edge_labels.get(obj.key, {})
        )
