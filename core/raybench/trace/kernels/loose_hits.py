"""The nearest hits of a batch among the primitives outside the hierarchy: `LANES` rays at a time
are tested against one primitive after the other.
"""

import math
from typing import Any

from raybench.kinds.primitives import ARC, COUNTS, FILTER, LINE, ONE_SIDED
from raybench.trace.compilation.jit import LANES, NONE, inner, place, whole
from raybench.trace.compilation.lanes import greatest, least, over_lanes, select
from raybench.trace.kernels import curved_ray, rays
from raybench.trace.kernels.intersect import (
    NO_ORIGIN,
    distance_to_arc,
    distance_to_line,
    least_hit_distance,
)
from raybench.trace.kernels.nearest_hit import distance_to_primitive, is_transparent_to_ray
from raybench.trace.kernels.rays import Batch, Ray
from raybench.trace.tables.tables import Tables

# rows of `Batch.sight` for each group of rays: start and direction, and the primitive on which a ray
# starts; distances of the nearest and second nearest hit, the primitive of the nearest, and the
# distance to the one that is tested
X, Y, DX, DY, ORIGIN, NEAREST, SECOND, PRIMITIVE, DISTANCE, GROUP = range(10)
RAY, HITS = (X, Y, DX, DY, ORIGIN), (NEAREST, SECOND, PRIMITIVE)
GROUP_SIZE = GROUP * LANES
"""The numbers of a group."""


@over_lanes(RAY, (DISTANCE,))
def write_distances_to_line(
    x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    line: Any, primitive: Any, shortest: Any, margin: Any,
) -> tuple[Any, ...]:  # fmt: skip
    least = least_hit_distance(primitive, origin, shortest)
    return (distance_to_line(line, x, y, dx, dy, least, margin),)


@over_lanes(RAY, (DISTANCE,))
def write_distances_to_arc(
    x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    arc: Any, primitive: Any, shortest: Any, margin: Any,
) -> tuple[Any, ...]:  # fmt: skip
    least = least_hit_distance(primitive, origin, shortest)
    return (distance_to_arc(arc, x, y, dx, dy, least, margin),)


@over_lanes((), HITS)
def begin_search(*_: Any) -> tuple[Any, ...]:
    """No hit yet."""
    return math.inf, math.inf, -1.0


@over_lanes((*HITS, DISTANCE), HITS)
def keep_nearest(
    nearest: Any, second: Any, which: Any, distance: Any, _: Any, primitive: Any
) -> tuple[Any, ...]:
    """Keep the two nearest hits of each ray."""
    return (
        least(distance, nearest),
        least(greatest(distance, nearest), second),
        select(distance < nearest, primitive, which),
    )


@inner
def straight_ray(t: Tables, b: Batch, ray_index: int) -> Ray:
    """A ray of a batch as the straight line that is searched for hits. A curved path was moved back
    from its surface, so that this line intersects the surface again.
    """
    ray, origin = b.ray[ray_index], whole(b.tag[ray_index, rays.ORIGIN])
    if len(t.graded) > 0 and b.path[ray_index, curved_ray.ENDING] != curved_ray.STRAIGHT:
        origin = NONE
    return Ray(
        ray[rays.X], ray[rays.Y], ray[rays.DX], ray[rays.DY], b.wavelength[ray_index], origin
    )


@inner
def find_loose_hits(t: Tables, b: Batch) -> None:
    """Find the two nearest hits of each ray of a batch among the loose primitives."""
    count, none = b.chunk[rays.COUNT], t.geometry[0]
    for n in range(count):
        r = straight_ray(t, b, rays.entry_of_ray(b, n))
        at = place(n) // place(LANES) * place(GROUP_SIZE) + place(n) % place(LANES)
        b.sight[at + place(X * LANES)], b.sight[at + place(Y * LANES)] = r.x, r.y
        b.sight[at + place(DX * LANES)], b.sight[at + place(DY * LANES)] = r.dx, r.dy
        b.sight[at + place(ORIGIN * LANES)] = r.origin & NO_ORIGIN
    for first in range(0, count, LANES):
        group = b.sight[first // LANES * GROUP_SIZE :]
        begin_search(group, none, ())
        for j in range(len(t.loose)):
            k = t.loose[j]
            kind, row, flags = t.primitive[k], t.geometry[k], whole(t.flags[t.owner[k]])
            if kind == LINE:
                write_distances_to_line(group, row, (float(k), t.shortest, t.end_margin))
            elif kind == ARC:
                write_distances_to_arc(group, row, (float(k), t.shortest, t.end_margin))
            else:
                for lane in range(min(LANES, count - first)):
                    r = straight_ray(t, b, rays.entry_of_ray(b, first + lane))
                    group[DISTANCE * LANES + lane] = distance_to_primitive(t, k, r)
            if flags & (ONE_SIDED | FILTER | COUNTS):
                for lane in range(min(LANES, count - first)):
                    r = straight_ray(t, b, rays.entry_of_ray(b, first + lane))
                    s = group[DISTANCE * LANES + lane]
                    if s < group[SECOND * LANES + lane] and is_transparent_to_ray(
                        flags, kind, row, t.parameters[t.owner[k]], t.merging, r, s
                    ):
                        group[DISTANCE * LANES + lane] = math.inf
            keep_nearest(group, row, (float(k),))


@inner
def nearest_loose_hit(b: Batch, number: int) -> tuple[float, float, int]:
    """The nearest hit that `find_loose_hits` has found for a ray: its distance (infinite for none),
    the distance of the second nearest hit, and the primitive.
    """
    at = place(number) // place(LANES) * place(GROUP_SIZE) + place(number) % place(LANES)
    return (
        b.sight[at + place(NEAREST * LANES)],
        b.sight[at + place(SECOND * LANES)],
        whole(b.sight[at + place(PRIMITIVE * LANES)]),
    )
