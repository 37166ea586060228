"""The settings of a scene: how it is traced and displayed."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from raybench.errors import RaybenchError
from raybench.kinds.fields import (
    LENGTH,
    choice_field,
    data,
    described_field,
    described_fields,
    flag,
    number,
)
from raybench.kinds.object import MAX_NUMBER, has_usable_numbers
from raybench.optics.colour import MIXINGS, RED, VIOLET
from raybench.scene.numerical_tolerances import NumericalTolerances, read_tolerances
from raybench.shapes.point import Point

MODES = ("rays", "extended", "images", "observer")
MODE_TITLES = ("Rays", "Extended rays", "All images", "Observer")
COLOR_MODES = tuple(MIXINGS)
COLOR_TITLES = ("Default", "Linear", "Linear RGB", "Reinhard", "By intensity")
"""Displayed names of `MODES` and `COLOR_MODES`."""
POSITIVE_SETTINGS = frozenset(
    {"length_scale", "ray_mode_density", "image_mode_density", "grid_size"}
)
"""Settings that are used as divisors or step sizes, so must be positive."""


class InvalidSetting(RaybenchError):
    """A setting has an invalid value; the message names the setting and the valid values."""


class Observer(NamedTuple):
    """The disc through which an observer sees the scene in observer mode."""

    c: Point
    r: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings for tracing and displaying a scene. Their defaults are those of the file format."""

    mode: str = choice_field(
        "rays",
        "Mode",
        MODES,
        titles=MODE_TITLES,
        help="What is drawn: rays, rays with extensions, images, or what an observer sees.",
    )
    ray_mode_density: float = number(
        0.1, "Ray density", low=1e-9, help="Rays per unit in the modes rays and extended."
    )
    image_mode_density: float = number(
        1.0, "Image density", low=1e-9, help="Rays per unit in the modes all images and observer."
    )
    show_grid: bool = flag(False, "Show grid")
    snap_to_grid: bool = flag(False, "Snap to grid")
    lock_objs: bool = flag(False, "Lock objects")
    grid_size: float = number(20.0, "Grid size", unit=LENGTH, low=1e-9)
    observer: Observer | None = described_field("data", None, "Observer")
    length_scale: float = number(
        1.0,
        "Length scale",
        low=1e-9,
        high=1e9,
        help="Scales tolerances, line widths and the rays of a beam.",
    )
    origin: Point = described_field("point", Point(0.0, 0.0), "Origin", unit="px")
    scale: float = number(1.0, "Zoom", low=1e-9, high=1e9)
    width: float = number(1500.0, "Width", unit="px")
    height: float = number(900.0, "Height", unit="px")
    simulate_colors: bool = flag(
        False, "Simulate colours", help="Give every ray its source's wavelength."
    )
    red_wavelength: float = number(RED, "Red wavelength", unit="nm")
    violet_wavelength: float = number(VIOLET, "Violet wavelength", unit="nm")
    color_mode: str = choice_field(
        "default", "Colour mode", COLOR_MODES, titles=COLOR_TITLES,
        help="How brightness is shown, by intensity as a scale of colours; all except default also trace weak rays.",
    )  # fmt: skip
    show_ray_arrows: bool = flag(False, "Show ray arrows")
    symbolic_body_merging: bool = flag(
        False,
        "Symbolic body merging",
        help="Kept for other programs; bodies always merge here.",
        unused=True,
    )
    max_ray_depth: float = described_field(
        "limit",
        math.inf,
        "Largest depth",
        help="Interactions after which a ray is cut; empty for no limit.",
    )
    random_seed: str | None = described_field("data", None, "Random seed")
    numerical_tolerances: Any = data(
        None,
        "Numerical tolerances",
        help=(
            "curveEndpoint, interactionMerging, interactionNormal, forwardDistance, rayPowerCutoff."
        ),
    )
    theme: Any = data(None, "Theme")
    imported_from_beta: bool = flag(False, "Imported from beta")

    def __post_init__(self) -> None:
        for f in described_fields(Settings):
            if f.name in POSITIVE_SETTINGS and not 0 < getattr(self, f.name) < math.inf:
                raise InvalidSetting(
                    f"setting '{f.json_name}' must be a number above 0, it is"
                    f" {getattr(self, f.name):g}."
                )
            value = getattr(self, f.name)
            numbers = (
                value if f.about.kind == "point" else (value,) if f.about.kind == "number" else ()
            )
            if f.name == "observer" and value is not None:
                numbers = (*value.c, value.r)
            if not all(map(has_usable_numbers, numbers)):
                raise InvalidSetting(
                    f"setting '{f.json_name}' must hold numbers of at most {MAX_NUMBER:g}."
                )

    @cached_property
    def tolerances(self) -> NumericalTolerances:
        """The numerical tolerances. A tolerance that is missing or invalid in the file has the
        default of the file format.
        """
        return read_tolerances(self.numerical_tolerances)

    @property
    def density(self) -> float:
        """The ray density, in rays per scene unit, in the current view mode."""
        return (
            self.ray_mode_density if self.mode in ("rays", "extended") else self.image_mode_density
        )
