"""The distinct numbers of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def distinct(*rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """The distinct whole numbers of some arrays (n,), such as rows of a trace, ascending.

    `numpy.unique` puts them into a hash table (numpy 2.3 and 2.4), which takes up to 25 times as
    long as to sort them where most differ.
    """
    found = np.sort(
        np.concatenate([np.empty(0, np.int64), *(r.astype(np.int64, copy=False) for r in rows)])
    )
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found
