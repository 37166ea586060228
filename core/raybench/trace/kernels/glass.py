"""What glass does to the rays that hit it: the laws of `raybench.optics.laws` for `LANES` rays at a
time, in the groups of their search.
"""

from typing import Any

from raybench.arrays import Floats
from raybench.optics.laws import is_grazing, reflect, reflectances, refract
from raybench.trace.compilation.jit import LANES, inner
from raybench.trace.compilation.lanes import over_lanes, root, select
from raybench.trace.kernels import nearest_hit
from raybench.trace.kernels.nearest_hit import DX, DY, GROUP_SIZE, place_in_sight

# rows of a sight after the search, in the places of numbers that only the search needs: outward
# normal and ratio of indices ...
NX, NY, RATIO = nearest_hit.IX, nearest_hit.IY, nearest_hit.DISTANCE
# ... then reflectances, cosine of the angle of refraction, whether the incidence is grazing (1 or
# 0), and the directions of the reflected and of the refracted ray
R_S, R_P, COS_T, GRAZING, REFLECTED_X, REFLECTED_Y, REFRACTED_X, REFRACTED_Y = (
    nearest_hit.ORIGIN,
    nearest_hit.ELSEWHERE,
    nearest_hit.COUNTED,
    nearest_hit.WAVELENGTH,
    nearest_hit.NEAREST,
    nearest_hit.SECOND,
    nearest_hit.PRIMITIVE,
    nearest_hit.IX,
)


@over_lanes(
    (DX, DY, NX, NY, RATIO),
    (R_S, R_P, COS_T, GRAZING, REFLECTED_X, REFLECTED_Y, REFRACTED_X, REFRACTED_Y),
)
def write_glass_rays(dx: Any, dy: Any, nx: Any, ny: Any, ratio: Any, _: Any) -> tuple[Any, ...]:
    along = dx * nx + dy * ny
    leaves = along > 0.0
    nx, ny, cos_i = select(leaves, -nx, nx), select(leaves, -ny, ny), abs(along)
    r_s, r_p, cos_t = reflectances(ratio, cos_i, select, root)
    return (
        r_s,
        r_p,
        cos_t,
        select(is_grazing(ratio, cos_i, select, root), 1.0, 0.0),
        *reflect(dx, dy, nx, ny),
        *refract(dx, dy, nx, ny, ratio, cos_i, cos_t, select),
    )


@inner
def refract_and_reflect(sight: Floats, count: int) -> None:
    """Compute what glass does to each of the first ``count`` rays of a sight, from the normals and
    the ratios of indices where they hit.
    """
    for first in range(0, count, LANES):
        group = sight[first // LANES * GROUP_SIZE :]
        write_glass_rays(group, group, ())


@inner
def reflectances_of_ray(sight: Floats, number: int) -> tuple[float, float, float]:
    """As of `raybench.optics.laws.reflectances`."""
    return (
        sight[place_in_sight(number, R_S)],
        sight[place_in_sight(number, R_P)],
        sight[place_in_sight(number, COS_T)],
    )


@inner
def is_incidence_grazing(sight: Floats, number: int) -> bool:
    return sight[place_in_sight(number, GRAZING)] != 0.0  # type: ignore[no-any-return]


@inner
def reflected_direction(sight: Floats, number: int) -> tuple[float, float]:
    return sight[place_in_sight(number, REFLECTED_X)], sight[place_in_sight(number, REFLECTED_Y)]


@inner
def refracted_direction(sight: Floats, number: int) -> tuple[float, float]:
    return sight[place_in_sight(number, REFRACTED_X)], sight[place_in_sight(number, REFRACTED_Y)]
