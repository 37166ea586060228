"""From a scene to what the kernels see of it. Of a scene that was changed, only the changed objects are looked at again.

The last scene that was compiled is remembered: while something is dragged, all other objects are the same values as before.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.formula import PackedPrograms, Program, pack
from core.scene.object import InvalidObject, SceneObject
from core.scene.scene import Scene
from core.trace.result import Warning
from core.trace.tables import MIN_SEGMENT, NOTHING, WIDTH, Piece, Tables, piece_of, primitive_boxes

if TYPE_CHECKING:
    from core.trace.bvh import Hierarchy

PATCHED = 64
"""Up to this many changed objects it is faster to write their rows anew than all."""
FEW = 12
"""Below this many primitives looking at all of them is faster than a hierarchy."""
MOST_ORDERS = 100_000
_NO_PROGRAMS: PackedPrograms = pack(())


@dataclass(frozen=True, eq=False)
class Compiled:
    """A scene as the kernels need it: its tables, the hierarchy over its primitives, and those that are ``loose``, outside of it."""

    optical: tuple[SceneObject, ...]
    disabled: Collection[int]
    colours: bool
    pieces: Sequence[Piece]
    tables: Tables
    boxes: NDArray[np.float64]
    """Of the primitives, (n, 4)."""
    hierarchy: Hierarchy
    loose: NDArray[np.int64]
    names: tuple[str, ...]
    remarkable: tuple[int, ...]
    """The few objects that have more to say: those that cannot be used, and those that send light several ways."""

    @property
    def faults(self) -> tuple[Warning, ...]:
        """A warning for every object that has no effect on light."""
        found = ((i, self.optical[i], self.pieces[i].fault) for i in self.remarkable)
        return tuple(Warning(i, f"'{o.title}' ({o.type}) {fault}") for i, o, fault in found if fault)


_last: Compiled | None = None


def compiled(scene: Scene, disabled: Collection[int] = ()) -> Compiled:
    """A scene, compiled. Objects whose keys are in ``disabled`` keep their place but have no surface.

    Raises InvalidObject where a grating has too many orders.
    """
    global _last
    disabled = frozenset(disabled)
    before, optical, settings = _last, scene.optical, scene.settings
    if before is not None and (before.colours, before.disabled) != (settings.simulate_colors, disabled):
        before = None
    same_places = before is not None and len(before.optical) == len(optical)
    if before is not None and same_places:
        changed = [i for i, other in enumerate(map(operator.is_not, before.optical, optical)) if other]
    else:
        changed = list(range(len(optical)))
    pieces, names = _pieces(scene, disabled, before, changed)
    remarkable = _remarkable(pieces, before, changed)
    shortest = MIN_SEGMENT * settings.length_scale
    tables = None
    if before is not None and same_places and len(changed) <= PATCHED:
        tables = _patched(before, pieces, changed)
    if tables is None or before is None:
        tables, boxes = _assembled(pieces), None
    elif before.tables.shortest == shortest:
        boxes = before.boxes if not changed else before.boxes.copy()
        for i in changed:
            own = slice(tables.first[i], tables.first[i] + tables.size[i])
            boxes[own] = primitive_boxes(tables.primitive[own], tables.geometry[own], shortest)
            tables.box[i] = _union(boxes[own])
    else:
        boxes = None
    if boxes is None:
        boxes = primitive_boxes(tables.primitive, tables.geometry, shortest)
        tables = tables._replace(box=_object_boxes(boxes, tables.first, tables.size))
    plain = settings.color_mode == "default"
    tables = tables._replace(
        shortest=shortest,
        weakest_reflected=0.01 if plain else 1e-6,
        weakest_refracted=0.0 if plain else 1e-6,
        max_depth=int(min(settings.max_ray_depth, 2**31 - 2)),
        most_children=most_children(scene, pieces, remarkable),
    )
    if before is not None and before.boxes is boxes:
        hierarchy, loose = before.hierarchy, before.loose
    else:
        hierarchy, loose = _ordered(tables, boxes)
    now = Compiled(optical, disabled, settings.simulate_colors, pieces, tables, boxes, hierarchy, loose, names, remarkable)
    _last = now
    return now


def compile_scene(scene: Scene, disabled: Collection[int] = ()) -> Tables:
    """The tables of a scene alone."""
    return compiled(scene, disabled).tables


def _pieces(
    scene: Scene, disabled: Collection[int], before: Compiled | None, changed: Sequence[int]
) -> tuple[Sequence[Piece], tuple[str, ...]]:
    """The objects' parts of the tables and their names, from before where an object is the same value."""
    optical, colours = scene.optical, scene.settings.simulate_colors
    if before is not None and len(before.optical) == len(optical):
        if not changed:
            return before.pieces, before.names
        pieces, names = list(before.pieces), list(before.names)
        for i in changed:
            pieces[i], names[i] = _piece(optical[i], disabled, colours), optical[i].title
        return pieces, tuple(names)
    known = {id(o): p for o, p in zip(before.optical, before.pieces, strict=True)} if before is not None else {}
    return [known.get(id(o)) or _piece(o, disabled, colours) for o in optical], tuple(o.title for o in optical)


def _piece(obj: SceneObject, disabled: Collection[int], colours: bool) -> Piece:
    return NOTHING if obj.key in disabled else piece_of(obj, colours)


def _assembled(pieces: Sequence[Piece]) -> Tables:
    """The tables of all pieces, but for the boxes and the numbers that the scene's settings give."""
    size = np.array([len(p.kinds) for p in pieces], np.int64)
    parameters = np.array([p.parameters for p in pieces], np.float64).reshape(-1, 7)
    graded: list[int] = []
    programs: list[Program] = []
    orders: list[float] = []
    for i, p in enumerate(pieces):
        if p.links:
            starts = (len(programs), len(orders), len(graded))
            for column, kind in p.links:
                parameters[i, column] += starts[kind]
            programs.extend(p.programs)
            orders.extend(p.orders)
            if p.graded:
                graded.append(i)
    return Tables(
        primitive=np.array(list(chain.from_iterable(p.kinds for p in pieces)), np.int8),
        geometry=np.array(list(chain.from_iterable(p.geometry for p in pieces)), np.float64).reshape(-1, WIDTH),
        owner=np.repeat(np.arange(len(pieces)), size),
        edge=np.array(list(chain.from_iterable(p.edges for p in pieces)), np.int16),
        surface=np.array([p.surface for p in pieces], np.int8),
        first=np.cumsum(size) - size,
        size=size,
        flags=np.array([p.flags for p in pieces], np.uint16),
        parameters=parameters,
        orders=np.array(orders, np.float64),
        box=np.empty((len(pieces), 4)),
        graded=np.array(graded, np.int64),
        programs=pack(programs) if programs else _NO_PROGRAMS,
        shortest=0.0,
        weakest_reflected=0.0,
        weakest_refracted=0.0,
        max_depth=0,
        most_children=0,
    )


def _patched(before: Compiled, pieces: Sequence[Piece], changed: Sequence[int]) -> Tables | None:
    """The tables from before with some objects' rows written anew; None where that needs other places than they have."""
    if not changed:
        return before.tables
    for i in changed:
        old, new = before.pieces[i], pieces[i]
        if len(old.kinds) != len(new.kinds) or old.links or new.links:
            return None
    t = before.tables
    t = t._replace(
        primitive=t.primitive.copy(), geometry=t.geometry.copy(), edge=t.edge.copy(), surface=t.surface.copy(), flags=t.flags.copy(),
        parameters=t.parameters.copy(), box=t.box.copy(),
    )  # fmt: skip
    for i in changed:
        p, own = pieces[i], slice(t.first[i], t.first[i] + t.size[i])
        if p.kinds:
            t.primitive[own], t.geometry[own], t.edge[own] = p.kinds, p.geometry, p.edges
        t.surface[i], t.flags[i], t.parameters[i] = p.surface, p.flags, p.parameters
    return t


def most_children(scene: Scene, pieces: Sequence[Piece], remarkable: Iterable[int]) -> int:
    """How many children one interaction can have at most: one at glass, all orders of the coarsest grating for the shortest wave, and two
    for each ray of a custom surface but one."""
    found = [(i, pieces[i].most_orders) for i in remarkable if pieces[i].most_orders != NOTHING.most_orders]
    if not found:
        return 1
    shortest = 540.0
    if scene.settings.simulate_colors:
        shortest = min((w for o in scene.optical if (w := getattr(o, "wavelength", 540.0)) > 0), default=540.0)
    most = 1
    for i, (for_one, at_most) in found:
        orders = for_one / shortest + 3 if for_one else at_most
        if not orders <= MOST_ORDERS:
            obj = scene.optical[i]
            density = getattr(obj, "line_density", 0.0)
            raise InvalidObject(f"'{obj.title}' ({obj.type}): lineDensity is {density:g}; it gives {orders:.2g} orders, too many.")
        most = max(most, math.ceil(min(orders, at_most)))
    return most


def _object_boxes(boxes: NDArray[np.float64], first: NDArray[np.int64], size: NDArray[np.int64]) -> NDArray[np.float64]:
    """The box of every object, around those of its primitives; for one without any, a box that holds nothing."""
    out = np.empty((len(first), 4))
    out[:, :2], out[:, 2:] = np.inf, -np.inf
    some = np.flatnonzero(size)
    if len(some):
        out[some, :2] = np.minimum.reduceat(boxes[:, :2], first[some])
        out[some, 2:] = np.maximum.reduceat(boxes[:, 2:], first[some])
    return out


def _union(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([boxes[:, :2].min(axis=0, initial=np.inf), boxes[:, 2:].max(axis=0, initial=-np.inf)])


def _ordered(tables: Tables, boxes: NDArray[np.float64]) -> tuple[Hierarchy, NDArray[np.int64]]:
    """The hierarchy over primitives, and those outside it: all of them where they are few, else those without end."""
    from core.trace.bvh import hierarchy_of

    endless = ~np.isfinite(boxes).all(axis=1)
    loose = endless if len(boxes) - endless.sum() >= FEW else np.ones(len(boxes), bool)
    return hierarchy_of(tables.primitive, tables.geometry, boxes, np.flatnonzero(~loose)), np.flatnonzero(loose)


def _remarkable(pieces: Sequence[Piece], before: Compiled | None, changed: Sequence[int]) -> tuple[int, ...]:
    if before is not None and len(before.pieces) == len(pieces):
        again = set(changed)
        rest, looked = [i for i in before.remarkable if i not in again], changed
    else:
        rest, looked = [], range(len(pieces))
    found = (i for i in looked if pieces[i].fault or pieces[i].most_orders != NOTHING.most_orders)
    return tuple(sorted([*rest, *found]))
