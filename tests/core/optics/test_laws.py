"""The laws of reflection and refraction, for numbers and for rows of them."""

import math

import numpy as np

from raybench.optics.laws import is_grazing, reflectances, refract
from raybench.trace.compilation.lanes import root, select

INDEX_RATIOS = [1.0, 1.0 + 2e-16, 1.5, 1.0 / 1.5, 2.4, -1.5, -1.0, 1e-3, 1e9]
COSINES = [0.0, 1e-9, 1e-5, 0.05, 0.3, math.sqrt(1.0 - 1.0 / 2.25), 0.745, 0.75, 1.0]


def test_laws_for_rows_are_those_for_numbers() -> None:
    ratio, cos_i = (a.ravel() for a in np.meshgrid(INDEX_RATIOS, COSINES))
    dx, dy = np.sqrt(1.0 - cos_i * cos_i), -cos_i
    with np.errstate(all="ignore"):
        r_s, r_p, cos_t = reflectances(ratio, cos_i, select, root)
        grazing = is_grazing(ratio, cos_i, select, root)
        x, y = refract(dx, dy, 0.0, 1.0, ratio, cos_i, cos_t, select)
    for i, (n, c) in enumerate(zip(ratio.tolist(), cos_i.tolist(), strict=True)):
        alone = reflectances(n, c)
        assert (r_s[i], r_p[i], cos_t[i], grazing[i]) == (*alone, is_grazing(n, c))
        assert (x[i], y[i]) == refract(dx[i], dy[i], 0.0, 1.0, n, c, alone[2])


def test_total_reflection_and_equal_indices() -> None:
    assert reflectances(1.5, 0.7) == (1.0, 1.0, -1.0)
    assert reflectances(1.0, 0.0) == (0.0, 0.0, 0.0)
    assert reflectances(-1.0, 0.6)[:2] == (0.0, 0.0)
    assert reflectances(math.inf, 0.5) == (1.0, 1.0, -1.0)
