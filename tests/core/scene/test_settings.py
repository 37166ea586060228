"""Invalid settings are refused, wherever they come from."""

from __future__ import annotations

import math

import pytest

from core.scene.scene import Scene
from core.scene.settings import InvalidSetting, Settings


@pytest.mark.parametrize("name", ["length_scale", "ray_mode_density", "image_mode_density", "grid_size"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_settings_used_as_divisors_must_be_positive(name: str, value: float) -> None:
    with pytest.raises(InvalidSetting, match="above 0"):
        Settings(**{name: value})
    with pytest.raises(InvalidSetting):
        Scene().with_settings(**{name: value})
