"""Many programs in flat arrays, as kernels read them; what is in their rows is described in
`raybench.formula.program`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class PackedPrograms(NamedTuple):
    """Many programs, concatenated; the ``…_start`` arrays have one entry more than there are
    programs.
    """

    code: NDArray[np.uint32]
    constants: NDArray[np.float64]
    outputs: NDArray[np.int32]
    code_start: NDArray[np.int32]
    constant_start: NDArray[np.int32]
    output_start: NDArray[np.int32]
    variables: NDArray[np.int32]
    """The number of variables of each program."""
    largest: int
    """The number of registers of the largest program."""
