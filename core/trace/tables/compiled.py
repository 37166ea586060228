"""From a scene to the tables that kernels read. Of a scene that was edited, only the changed objects are compiled again: while something
is dragged, all other objects are the same values as before."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.formula import PackedPrograms, Program, pack
from core.kinds.object import InvalidObject, SceneObject
from core.kinds.rows.pieces import NOTHING, Piece
from core.scene.scene import Scene
from core.trace.results.result import Warning
from core.trace.tables.shares import Share, joined, share_of, share_of_pieces
from core.trace.tables.tables import Tables
from core.trace.tolerances import SHORTEST

if TYPE_CHECKING:
    from core.trace.tables.bvh import Hierarchy

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
    share: Share
    """Of all objects."""
    tables: Tables
    programs: tuple[Program, ...]
    hierarchy: Hierarchy
    loose: NDArray[np.int64]
    names: tuple[str, ...]

    @property
    def faults(self) -> tuple[Warning, ...]:
        """A warning for every object that has no effect on light."""
        found = ((i, self.optical[i], piece.fault) for i, piece in self.share.remarkable.items())
        return tuple(Warning(i, f"{o.reference} {fault}") for i, o, fault in found if fault)


def compiled(scene: Scene, disabled: Collection[int] = (), before: Compiled | None = None) -> Compiled:
    """A scene, compiled. Objects whose keys are in ``disabled`` keep their index but have no surface. ``before`` is a scene compiled
    earlier, of which the rows of unchanged objects are taken over; the outcome is the same without it.

    Raises InvalidObject where a grating has too many orders.
    """
    disabled = frozenset(disabled)
    optical, settings = scene.optical, scene.settings
    colours, shortest = settings.simulate_colors, SHORTEST * settings.length_scale
    if before is not None and (before.colours, before.disabled, before.tables.shortest) != (colours, disabled, shortest):
        before = None
    changed, share = _share(optical, disabled, before, colours, shortest)
    if before is not None and share is before.share:
        tables, programs, hierarchy, loose = before.tables, before.programs, before.hierarchy, before.loose
    else:
        tables, programs = _assembled(share, before)
        hierarchy, loose = _ordered(share)
    plain = settings.color_mode == "default"
    tables = tables._replace(
        shortest=shortest,
        weakest_reflected=0.01 if plain else 1e-6,
        weakest_refracted=0.0 if plain else 1e-6,
        max_depth=int(min(settings.max_ray_depth, 2**31 - 2)),
        most_children=most_children(scene, share.remarkable),
    )
    names = _names(optical, before, changed)
    return Compiled(optical, disabled, colours, share, tables, programs, hierarchy, loose, names)


def compile_scene(scene: Scene, disabled: Collection[int] = ()) -> Tables:
    """The tables of a scene alone."""
    return compiled(scene, disabled).tables


def _share(
    optical: Sequence[SceneObject], disabled: Collection[int], before: Compiled | None, colours: bool, shortest: float
) -> tuple[Sequence[int], Share]:
    """The places of the objects that are others than before, and the share of all; that from before where none is."""
    count = len(optical)
    if before is None:
        origin = np.full(count, -1)
    elif len(before.optical) == count:
        origin = np.where(np.fromiter(map(operator.is_, before.optical, optical), bool, count), np.arange(count), -1)
    else:
        known = {id(o): i for i, o in enumerate(before.optical)}
        origin = np.fromiter((known.get(id(o), -1) for o in optical), np.int64, count)
    kept, changed = np.flatnonzero(origin >= 0), np.flatnonzero(origin < 0).tolist()
    if before is not None and len(kept) == count == len(before.optical):
        return changed, before.share
    passed = [i for i in changed if optical[i].key in disabled] if disabled else []
    new = sorted({*changed} - {*passed}) if passed else changed
    shares = [share_of(optical, new, colours, shortest)]
    if passed:
        shares.append(share_of_pieces([NOTHING] * len(passed), passed, shortest))
    if before is None:
        return changed, joined(shares)
    others = joined(shares)
    share = before.share.replaced(others) if len(before.optical) == count else None
    return changed, share or joined([others, before.share.taken(origin[kept], kept)])


def _names(optical: Sequence[SceneObject], before: Compiled | None, changed: Sequence[int]) -> tuple[str, ...]:
    """The objects' names, from before where an object is the same value."""
    if before is None or len(before.optical) != len(optical):
        return tuple(o.title for o in optical)
    names = list(before.names)
    for i in changed:
        names[i] = optical[i].title
    return tuple(names)


def _assembled(share: Share, before: Compiled | None) -> tuple[Tables, tuple[Program, ...]]:
    """The tables of all objects, but for the numbers that the scene's settings give, and their programs."""
    graded: list[int] = []
    programs: list[Program] = []
    orders: list[float] = []
    linked = [(i, p) for i, p in share.remarkable.items() if p.links]
    parameters = share.parameters.copy() if linked else share.parameters
    for i, p in linked:
        starts = (len(programs), len(orders), len(graded))
        for column, kind in p.links:
            parameters[i, column] += starts[kind]
        programs.extend(p.programs)
        orders.extend(p.orders)
        if p.graded:
            graded.append(i)
    same = before is not None and len(before.programs) == len(programs) and all(map(operator.is_, before.programs, programs))
    tables = Tables(
        primitive=share.primitive,
        geometry=share.geometry,
        owner=np.repeat(np.arange(len(share.size)), share.size),
        edge=share.edge,
        surface=share.surface,
        first=share.first,
        size=share.size,
        flags=share.flags,
        parameters=parameters,
        orders=np.array(orders, np.float64),
        box=share.extent,
        graded=np.array(graded, np.int64),
        programs=before.tables.programs if same and before is not None else pack(programs) if programs else _NO_PROGRAMS,
        shortest=0.0,
        weakest_reflected=0.0,
        weakest_refracted=0.0,
        max_depth=0,
        most_children=0,
    )
    return tables, tuple(programs)


def most_children(scene: Scene, remarkable: Mapping[int, Piece]) -> int:
    """How many children one interaction can have at most: one at glass, all orders of the coarsest grating for the shortest wave, and two
    for each ray of a custom surface but one."""
    found = [(i, p.most_orders) for i, p in remarkable.items() if p.most_orders != NOTHING.most_orders]
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
            raise InvalidObject(f"{obj.reference}: lineDensity is {density:g}; it gives {orders:.2g} orders, too many.")
        most = max(most, math.ceil(min(orders, at_most)))
    return most


def _ordered(share: Share) -> tuple[Hierarchy, NDArray[np.int64]]:
    """The hierarchy over primitives, and those outside it: all of them where they are few, else those without end."""
    from core.trace.tables.bvh import hierarchy_of

    endless = np.logical_not(np.isfinite(share.box).all(axis=1))
    loose = endless if len(endless) - endless.sum() >= FEW else np.ones(len(endless), np.bool_)
    return hierarchy_of(share.primitive, share.geometry, share.box, np.flatnonzero(~loose)), np.flatnonzero(loose)
