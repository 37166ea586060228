"""A scene in the form that kernels read: flat arrays of primitives and of objects."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.formula.interpreter import PackedPrograms


class Tables(NamedTuple):
    """A scene for the kernels. Codes, flags and the columns of ``geometry`` and ``parameters`` are
    defined in `raybench.kinds.primitives`.

    Primitives are ordered by object: those of an object are ``first[obj]`` to ``first[obj] +
    size[obj] - 1``.
    """

    primitive: NDArray[np.int8]
    """Code of each primitive."""
    geometry: NDArray[np.float64]
    """Numbers of each primitive (primitives, GEOMETRY_WIDTH)."""
    owner: NDArray[np.int64]
    """The object of each primitive."""
    edge: NDArray[np.int32]
    """The index of the edge of its object that each primitive is part of."""
    surface: NDArray[np.int8]
    """The interaction at each object, a `Surface`."""
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    flags: NDArray[np.uint16]
    """GLASS ... GRADED of each object."""
    parameters: NDArray[np.float64]
    """Numbers of each object (objects, PARAMETER_WIDTH)."""
    orders: NDArray[np.float64]
    """Power fractions of the orders of gratings, and curve parameters of custom surfaces."""
    box: NDArray[np.float64]
    """Bounding box of every object (objects, 4: left, top, right, bottom), with a margin."""
    graded: NDArray[np.int64]
    """The bodies that act on light along its way, flagged GRADED: of gradient index, or of a
    material that absorbs.
    """
    programs: PackedPrograms
    wavelengths: NDArray[np.float64]
    """The wavelengths of the sources (nm), ascending; empty in a scene without materials or without
    simulated colours.
    """
    indices: NDArray[np.float64]
    """The refractive indices of the bodies with a material (bodies, 1 + wavelengths); the first
    column is for light without wavelength.
    """
    absorption: NDArray[np.float64]
    """The absorption coefficients of these bodies, per length in the scene's unit, as ``indices``.
    """
    shortest: float
    """The shortest segment."""
    merging: float
    """Hits nearer to each other than this are of coincident surfaces."""
    end_margin: float
    """The extension of primitives at their ends."""
    weakest_reflected: float
    weakest_refracted: float
    max_depth: int
    most_children: int
    """The largest number of children of one interaction."""
