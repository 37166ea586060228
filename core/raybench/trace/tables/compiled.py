"""Compiles a scene to the tables that kernels read. After an edit only changed objects are compiled
again; an unchanged object is the same Python object as before.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats, Integers
from raybench.formula import PackedPrograms, Program, pack_programs
from raybench.kinds.aspects.pieces import EMPTY_PIECE, Piece
from raybench.kinds.fields import METRES
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.kinds.primitives import COATED, FINISHED, GEOMETRY_WIDTH, POLARIZES
from raybench.optics.colour import GREEN
from raybench.scene.materials import source_wavelengths
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.scene.treatments import NO_TREATMENTS, EdgeTreatments
from raybench.trace.results.result import TraceWarning
from raybench.trace.tables.bvh import Hierarchy, build_hierarchy
from raybench.trace.tables.coated_edges import NO_COATINGS, CoatedEdges, coated_edges
from raybench.trace.tables.finished_edges import NO_FINISHES, FinishedEdges, finished_edges
from raybench.trace.tables.object_rows import (
    ObjectRows,
    build_object_rows,
    join_rows,
    rows_from_pieces,
)
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import AT_THRESHOLD, END_MARGIN, WEAK_REFLECTION

FEW_PRIMITIVES = 24
"""Below this many primitives testing all of them is faster than a hierarchy."""
MOST_ORDERS = 100_000
"""The most diffraction orders of one interaction."""
FIRST_LINK_FIELD = Piece._fields.index("links")
"""The first of the fields of a piece that hold no numbers of the tables."""
_NO_PROGRAMS: PackedPrograms = pack_programs(())
_NO_PLACES = np.empty(0, np.int64)
_ALL_KEPT = np.empty((0, 2), np.int8)
_NO_HIERARCHY = build_hierarchy(
    np.empty(0, np.int8), np.empty((0, GEOMETRY_WIDTH)), np.empty((0, 4)), np.empty(0, np.int64)
)
_NO_WAVELENGTHS, _NO_INDICES, _NO_MUELLER = np.empty(0), np.empty((0, 1)), np.empty((0, 16))


@dataclass(frozen=True, eq=False)
class CompiledScene:
    """A compiled scene. ``disabled`` holds the keys of disabled objects, and ``names`` are the
    names of the objects.
    """

    optical: tuple[SceneObject, ...]
    disabled: Collection[int]
    settings: Settings
    unit: str
    margin: float
    """How far the bounding boxes of primitives are enlarged."""
    rows: ObjectRows
    """The rows of all objects."""
    tables: Tables
    programs: tuple[Program, ...]
    names: tuple[str, ...]
    coated: CoatedEdges = NO_COATINGS
    finished: FinishedEdges = NO_FINISHES

    @property
    def stokes(self) -> int:
        """The number of Stokes parameters stored for each ray: 2, or 0 in a scene where S2 and S3
        of all light are 0.
        """
        return 2 * needs_stokes(self.rows)

    @property
    def faults(self) -> tuple[TraceWarning, ...]:
        """A warning for each object, and each coating, that has no effect on light."""
        faults = ((i, self.optical[i], piece.fault) for i, piece in self.rows.remarkable.items())
        without_effect = (
            TraceWarning(i, f"{o.reference} {fault}") for i, o, fault in faults if fault
        )
        return (*without_effect, *(TraceWarning(i, text) for i, text in self.coated.warnings))


def compile_scene(
    scene: Scene,
    disabled: Collection[int] = (),
    before: CompiledScene | None = None,
    unit: str = "mm",
    treatments: EdgeTreatments = NO_TREATMENTS,
) -> CompiledScene:
    """Compile a scene. Objects with keys in ``disabled`` keep their index but have no surface. From
    an earlier compiled scene ``before`` the rows of unchanged objects are reused, and those of
    changed objects overwritten, so that ``before`` must not be used afterwards; the result is the
    same without it. If only numbers of objects differ, the tables are the same Python object.
    ``unit`` is the scene's unit of length, ``treatments`` are the coatings and finishes of edges.

    Raises InvalidObject where a grating has too many orders.
    """
    disabled = frozenset(disabled)
    optical, settings = scene.optical, scene.settings
    colours = settings.simulate_colors
    scale = settings.length_scale
    tolerances = settings.tolerances
    shortest = shortest_segment_length(settings)
    margin = max(shortest, end_margin(settings))
    if before is not None and (
        before.settings.simulate_colors,
        before.disabled,
        before.margin,
    ) != (colours, disabled, margin):
        before = None
    changed, rows = _object_rows(optical, disabled, before, colours, margin)
    names = _object_names(optical, before, changed)
    if before is not None and _has_same_tables(before, rows, changed):
        tables, programs = _with_numbers_of_objects(before.tables, rows, changed), before.programs
        lit = rows.remarkable and any(kind_row_of(optical[i]).emits is not None for i in changed)
        plain = not (any(treatments) or before.coated.edges or before.finished.edges)
        if plain and not lit and (before.settings, before.unit) == (settings, unit):
            return replace(before, optical=optical, rows=rows, tables=tables, names=names)
    else:
        tables, programs = _assemble_tables(rows, before)
    plain = settings.color_mode == "default"
    elements = [p.mueller for p in rows.remarkable.values() if p.mueller is not None]
    wavelengths, indices, absorption = _material_tables(
        scene, rows.remarkable, unit, needed=any(treatments) or bool(elements)
    )
    waves = (None, *wavelengths.tolist())
    mueller = [element(wave) for element in elements for wave in waves]
    coated, finished, flags = NO_COATINGS, NO_FINISHES, rows.flags
    if treatments.coatings:
        coated = coated_edges(
            optical, rows, treatments.coatings, waves, with_phases=needs_stokes(rows)
        )
        flags = rows.flags.copy()
        flags[[i for i, _ in coated.edges]] |= COATED
    if treatments.finishes:
        finished = finished_edges(optical, rows, treatments.finishes, waves)
        flags = flags.copy()
        flags[[i for i, _ in finished.edges]] |= FINISHED
    tables = tables._replace(
        flags=flags,
        coating=coated.coating,
        coating_spans=coated.spans,
        coating_nodes=coated.nodes,
        finish=finished.finish,
        finish_rows=finished.rows,
        finish_nodes=finished.nodes,
        finish_outlines=finished.outlines,
        wavelengths=wavelengths,
        indices=indices,
        absorption=absorption,
        mueller=np.array(mueller).reshape(-1, 16) if mueller else _NO_MUELLER,
        shortest=shortest,
        merging=tolerances.interaction_merging * scale,
        end_margin=end_margin(settings),
        weakest_reflected=(WEAK_REFLECTION if plain else tolerances.ray_power_cutoff)
        * (1 + AT_THRESHOLD),
        weakest_refracted=0.0 if plain else tolerances.ray_power_cutoff * (1 + AT_THRESHOLD),
        max_depth=int(
            min(max(settings.max_ray_depth, 0.0), 2**31 - 2)
        ),  # below 0 is as 0, as the format says
        most_children=most_children(scene, rows.remarkable) + finished.most_rays,
    )
    return CompiledScene(
        optical, disabled, settings, unit, margin, rows, tables, programs, names, coated, finished
    )


def needs_stokes(rows: ObjectRows) -> bool:
    """Whether S2 and S3 of light can differ from 0, because a source or an element generates
    them.
    """
    return bool((rows.flags & POLARIZES).any())


def shortest_segment_length(settings: Settings) -> float:
    """The length below which segments are not traced."""
    tolerances = settings.tolerances
    return max(tolerances.forward_distance, tolerances.interaction_merging) * settings.length_scale


def end_margin(settings: Settings) -> float:
    """The length by which primitives are extended at their ends."""
    at_least = settings.tolerances.curve_endpoint * settings.length_scale
    return max(END_MARGIN * shortest_segment_length(settings), at_least)


def _object_rows(
    optical: Sequence[SceneObject],
    disabled: Collection[int],
    before: CompiledScene | None,
    colours: bool,
    margin: float,
) -> tuple[Sequence[int], ObjectRows]:
    """The indices of the objects that have changed since ``before``, and the rows of all objects.
    These are the rows of ``before`` if no object has changed.
    """
    count = len(optical)
    is_same_count = before is not None and len(before.optical) == count
    kept, origin = _NO_PLACES, _NO_PLACES
    if before is None:
        changed = list(range(count))
    elif is_same_count:
        changed = [*compress(range(count), map(operator.is_not, before.optical, optical))]
        if not changed:
            return changed, before.rows
    else:
        known = {id(o): i for i, o in enumerate(before.optical)}
        places = np.fromiter((known.get(id(o), -1) for o in optical), np.int64, count)
        kept, changed = np.flatnonzero(places >= 0), np.flatnonzero(places < 0).tolist()
        origin = places[kept]
    without_surface = [i for i in changed if optical[i].key in disabled] if disabled else []
    new = sorted({*changed} - {*without_surface}) if without_surface else changed
    others = build_object_rows(optical, new, colours, margin)
    if without_surface:
        nothing = rows_from_pieces([EMPTY_PIECE] * len(without_surface), without_surface, margin)
        others = join_rows([others, nothing])
    if before is None:
        return changed, others
    if is_same_count:
        if (rows := before.rows.with_objects_overwritten(others)) is not None:
            return changed, rows
        kept = origin = np.delete(np.arange(count), changed)
    return changed, join_rows([others, before.rows.select_objects(origin, kept)])


def _object_names(
    optical: Sequence[SceneObject], before: CompiledScene | None, changed: Sequence[int]
) -> tuple[str, ...]:
    """The names of all objects. Those of unchanged objects are taken from ``before``."""
    if before is None or len(before.optical) != len(optical):
        return tuple(o.title for o in optical)
    names = list(before.names)
    for i in changed:
        names[i] = optical[i].title
    return tuple(names)


def _has_same_tables(before: CompiledScene, rows: ObjectRows, changed: Sequence[int]) -> bool:
    """Whether the tables of ``before`` can be reused for the rows, except for the numbers of the
    changed objects: these must refer to the same programs, materials and orders.
    """
    if rows.primitive is not before.rows.primitive:
        return False
    several = [(rows.remarkable.get(i), before.rows.remarkable.get(i)) for i in changed]
    return all(
        now is was
        or (
            now is not None
            and was is not None
            and not (now.programs or was.programs)
            and now[FIRST_LINK_FIELD:] == was[FIRST_LINK_FIELD:]
        )
        for now, was in several
    )


def _with_numbers_of_objects(tables: Tables, rows: ObjectRows, changed: Sequence[int]) -> Tables:
    """The tables with the numbers of the changed objects updated in place from their rows."""
    if tables.parameters is not rows.parameters:
        for i in changed:
            piece = rows.remarkable.get(i)
            columns = [column for column, _ in piece.links] if piece is not None else []
            kept = tables.parameters[i, columns]
            tables.parameters[i] = rows.parameters[i]
            tables.parameters[i, columns] = kept
    if not changed or len(rows.primitive) < FEW_PRIMITIVES:
        return tables
    hierarchy, loose = _build_scene_hierarchy(rows)
    held: tuple[NDArray[Any], ...] = (*tables.hierarchy, tables.loose)
    now: tuple[NDArray[Any], ...] = (*hierarchy, loose)
    if any(a.shape != b.shape for a, b in zip(held, now, strict=True)):
        return tables._replace(hierarchy=hierarchy, loose=loose)
    for a, b in zip(held, now, strict=True):
        a[...] = b
    return tables


def _build_scene_hierarchy(rows: ObjectRows) -> tuple[Hierarchy, Integers]:
    """The hierarchy of primitives, and the indices of the primitives outside it."""
    count = len(rows.primitive)
    bounded = (
        np.isfinite(rows.box).all(axis=1) if count >= FEW_PRIMITIVES else np.zeros(count, np.bool_)
    )
    inside = np.flatnonzero(bounded)
    if len(inside) < FEW_PRIMITIVES:
        return _NO_HIERARCHY, np.arange(count)
    return (
        build_hierarchy(rows.primitive, rows.geometry, rows.box, inside),
        np.flatnonzero(~bounded),
    )


def _assemble_tables(
    rows: ObjectRows, before: CompiledScene | None
) -> tuple[Tables, tuple[Program, ...]]:
    """The tables of all objects, and their programs. Values that depend on the scene's settings are
    set later, and are 0 until then.
    """
    graded: list[int] = []
    programs: list[Program] = []
    orders: list[float] = []
    materials, elements = 0, 0
    linked = [(i, p) for i, p in rows.remarkable.items() if p.links]
    parameters = rows.parameters.copy() if linked else rows.parameters
    known: dict[tuple[int, ...], int] = {}
    for i, p in linked:
        # objects with the same programs share them
        first = known.setdefault(tuple(map(id, p.programs)), len(programs))
        starts = (first, len(orders), len(graded), materials, elements)
        for column, kind in p.links:
            parameters[i, column] += starts[kind]
        if first == len(programs):
            programs.extend(p.programs)
        orders.extend(p.orders)
        if p.graded:
            graded.append(i)
        materials += p.material is not None
        elements += p.mueller is not None
    same = (
        before is not None
        and len(before.programs) == len(programs)
        and all(map(operator.is_, before.programs, programs))
    )
    hierarchy, loose = _build_scene_hierarchy(rows)
    same_sizes = before is not None and before.rows.size is rows.size
    tables = Tables(
        hierarchy=hierarchy,
        loose=loose,
        primitive=rows.primitive,
        geometry=rows.geometry,
        owner=(
            before.tables.owner
            if same_sizes and before is not None
            else np.repeat(np.arange(len(rows.size)), rows.size)
        ),
        edge=rows.edge,
        surface=rows.surface,
        kept=_ALL_KEPT,
        first=before.tables.first if same_sizes and before is not None else rows.first,
        size=rows.size,
        flags=rows.flags,
        parameters=parameters,
        orders=np.array(orders, np.float64),
        box=rows.extent,
        graded=np.array(graded, np.int64),
        programs=(
            before.tables.programs
            if same and before is not None
            else pack_programs(programs)
            if programs
            else _NO_PROGRAMS
        ),
        wavelengths=_NO_WAVELENGTHS,
        indices=_NO_INDICES,
        absorption=_NO_INDICES,
        mueller=_NO_MUELLER,
        coating=NO_COATINGS.coating,
        coating_spans=NO_COATINGS.spans,
        coating_nodes=NO_COATINGS.nodes,
        finish=NO_FINISHES.finish,
        finish_rows=NO_FINISHES.rows,
        finish_nodes=NO_FINISHES.nodes,
        finish_outlines=NO_FINISHES.outlines,
        weakest_scattered=0.0,
        random_seed=0,
        shortest=0.0,
        merging=0.0,
        end_margin=0.0,
        weakest_reflected=0.0,
        weakest_refracted=0.0,
        max_depth=0,
        most_children=0,
    )
    return tables, tuple(programs)


def _material_tables(
    scene: Scene, nondefault_pieces: Mapping[int, Piece], unit: str, needed: bool
) -> tuple[Floats, ...]:
    """The arrays `Tables.wavelengths`, `Tables.indices` and `Tables.absorption` for the bodies that
    have a material, in their order. With ``needed`` the wavelengths are included even without
    materials.
    """
    materials = [p.material for p in nondefault_pieces.values() if p.material is not None]
    if not materials:
        known = np.array(source_wavelengths(scene)) if needed else _NO_WAVELENGTHS
        return known, _NO_INDICES, _NO_INDICES
    waves, mm = source_wavelengths(scene), float(METRES[unit] / METRES["mm"])
    different = {id(m): m for m in materials}
    indices = {key: [m.index(w) for w in (None, *waves)] for key, m in different.items()}
    absorption = {
        key: [mm * m.absorption(w) for w in (None, *waves)] for key, m in different.items()
    }
    return np.array(waves, np.float64), *(
        np.array([rows[id(m)] for m in materials]) for rows in (indices, absorption)
    )


def most_children(scene: Scene, nondefault_pieces: Mapping[int, Piece]) -> int:
    """The largest number of child rays that one interaction can create: 1 at glass, all orders of a
    grating at the shortest wavelength, and at a custom surface two for each outgoing ray, less one.
    """
    bounds = [
        (i, p.most_orders)
        for i, p in nondefault_pieces.items()
        if p.most_orders != EMPTY_PIECE.most_orders
    ]
    if not bounds:
        return 1
    shortest = GREEN
    if scene.settings.simulate_colors:
        shortest = min(
            (w for o in scene.optical if (w := getattr(o, "wavelength", GREEN)) > 0), default=GREEN
        )
    most = 1
    for i, (for_one, at_most) in bounds:
        orders = for_one / shortest + 3 if for_one else at_most
        if not orders <= MOST_ORDERS:
            obj = scene.optical[i]
            density = getattr(obj, "line_density", 0.0)
            raise InvalidObject(
                f"{obj.reference}: lineDensity is {density:g}; it gives {orders:.2g} orders, too"
                " many."
            )
        most = max(most, math.ceil(min(orders, at_most)))
    return most
