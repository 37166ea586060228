"""The tables of a scene that kernels read: flat arrays of primitives and of objects."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats, Int8s, Int32s, Integers
from raybench.formula.interpreter import PackedPrograms
from raybench.trace.tables.bvh import Hierarchy


class Tables(NamedTuple):
    """The tables of a scene for the kernels. `raybench.kinds.primitives` defines the codes, the
    flags, and the columns of ``geometry`` and ``parameters``.

    Primitives are ordered by object: those of an object are ``first[obj]`` to ``first[obj] +
    size[obj] - 1``.
    """

    hierarchy: Hierarchy
    loose: Integers
    """The primitives that are not in the hierarchy: all if they are few, else the unbounded ones.
    """
    primitive: Int8s
    """Code of each primitive."""
    geometry: Floats
    """Numbers of each primitive (primitives, GEOMETRY_WIDTH)."""
    owner: Integers
    """The object of each primitive."""
    edge: Int32s
    """The index of the edge of its object that each primitive is part of."""
    surface: Int8s
    """The interaction at each object, a `Surface`."""
    kept: Int8s
    """Which of `raybench.trace.keep.Keep.objects` each object is, -1 for none, and whether rows
    that start on it are kept (1 + objects, 2); the first row is for rows that end on none, and the
    only one where no rows are kept. Empty where all rows are kept.
    """
    first: Integers
    size: Integers
    flags: NDArray[np.uint16]
    """GLASS ... GRADED of each object."""
    parameters: Floats
    """Numbers of each object (objects, PARAMETER_WIDTH)."""
    orders: Floats
    """Power fractions of the orders of gratings, and curve parameters of custom surfaces."""
    box: Floats
    """Bounding box of every object (objects, 4: left, top, right, bottom), with a margin."""
    graded: Integers
    """The bodies that act on light along its way, flagged GRADED: of gradient index, or of a
    material that absorbs.
    """
    programs: PackedPrograms
    wavelengths: Floats
    """The wavelengths of the sources (nm), ascending; empty in a scene without materials and
    coatings, or without simulated colours.
    """
    indices: Floats
    """The refractive indices of the bodies with a material (bodies, 1 + wavelengths); the first
    column is for light without wavelength.
    """
    absorption: Floats
    """The absorption coefficients of these bodies, per length in the scene's unit, as ``indices``.
    """
    coating: Int32s
    """The coated edge that each primitive is part of, -1 for none; empty in a scene without
    coatings.
    """
    coating_spans: Integers
    """Where in ``coating_nodes`` the table of a coated edge begins and ends (edges * columns of
    ``indices`` * 2, 2): for light from outside, then for light from inside. Empty where the coating
    does not act.
    """
    coating_nodes: Floats
    """Rows of tables of coatings (n, 5): the cosine of the angle of incidence, ascending, and the
    fractions R_s, R_p, T_s and T_p of power; in scenes that need Stokes parameters (n, 9), with the
    real and imaginary parts of r_s r_p* and t_s t_p*, as fractions of power.
    """
    mueller: Floats
    """Mueller matrices of polarizing elements (elements * columns of ``indices`` * 4, 16), row by
    row: of transmitted and of reflected light that goes along the element's normal, then of light
    that goes against it.
    """
    finish: Int32s
    """The edge with a finish that each primitive is part of, -1 for none; empty in a scene without
    finishes.
    """
    finish_rows: Floats
    """The values of each of these edges (edges * columns of ``indices`` * 2, FINISH_WIDTH), in the
    order of ``coating_spans``.
    """
    finish_nodes: Floats
    """Rows of cumulative distributions of scattered light (n, 2), see
    `raybench.scene.finishes.profile_table`.
    """
    finish_outlines: Floats
    """Points (n, 2) on the outlines of the objects that scattered rays are sent to."""
    weakest_scattered: float
    """The power of the weakest scattered rays; of weaker ones, some stand for all."""
    random_seed: int
    """The seed of the directions of scattered rays."""
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
