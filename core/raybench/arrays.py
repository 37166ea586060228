"""Type aliases of numpy arrays, named by the type of their elements."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int8s = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Seeds = NDArray[np.uint64]
Booleans = NDArray[np.bool_]
