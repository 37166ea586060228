"""A coating by itself, over wavelength and angle."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.coated_face import CoatedFace
from raybench.lens.curves import LineStyle
from raybench.scene.coatings import InvalidCoating, catalogue_coating, coating_from_json

TABLE = {"table": {"angles": [0, 90], "wavelengths": [500, 600], "Rs": [[0.1, 1], [0.2, 1]]}}


def test_a_quarter_wave_over_wavelength_and_angle():
    face = CoatedFace(coating_from_json({"index": 1.38, "quarterWaves": 1, "at": 550}), n_in=1.5)
    least = ((1.5 - 1.38**2) / (1.5 + 1.38**2)) ** 2
    r_s, r_p, t_s, t_p, lost = face.fractions(np.array([550.0]), np.zeros(1))[0, 0]
    assert (r_s, r_p) == pytest.approx((least, least))
    assert (t_s, t_p, lost) == pytest.approx((1 - least, 1 - least, 0), abs=1e-12)
    figure = face.figure(45)
    assert [p.title for p in figure.panels] == ["reflected at 45° outside", "45° outside", "550 nm"]
    at_45 = face.fractions(np.array([550.0]), np.array([45.0]))[0, 0]
    for curve, value in zip(figure.panels[2].curves, at_45, strict=False):
        assert np.interp(45, curve.x, curve.y) == pytest.approx(100 * value, rel=1e-3)
    assert [c.style for c in figure.panels[1].curves] == [LineStyle.SOLID, LineStyle.DASHED] * 2
    assert "550 nm" in figure.csv()


def test_a_metal_absorbs_and_a_table_ends():
    assert CoatedFace(catalogue_coating("Silver")).figure().panels[0].curves[-1].name == "absorbed"
    face = CoatedFace(coating_from_json(TABLE))
    values = face.fractions(np.array([550.0, 700.0]), np.zeros(1))[:, 0, 0]
    assert values[0] == pytest.approx(0.15)
    assert np.isnan(values[1])
    assert face.figure(0, 550).panels[0].x_range == (500, 600)
    with pytest.raises(InvalidCoating, match="500 to 600 nm"):
        face.figure(0, 700)
