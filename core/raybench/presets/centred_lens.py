"""A lens system that is given by its prescription, with sources for its fields."""

import dataclasses
import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from raybench.kinds.fields import Field, data, described_field, described_fields, flag
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource
from raybench.presets.preset import Preset

if TYPE_CHECKING:
    from raybench.lens.design import LensDesign

RAYS_PER_BUNDLE = 21
"""Rays of each field and wavelength, about."""
_SWITCHES = ("sources", "mounts")
_OWN = ("design", *_SWITCHES)


def _surface_json(radius: float, thickness: float, glass: str, semi: float) -> dict[str, Any]:
    row = {"radius": radius, "thickness": thickness, "glass": glass, "semiDiameter": semi}
    return {k: v for k, v in row.items() if v != "AIR"}


TRIPLET: Mapping[str, Any] = {
    "system": {
        "surfaces": [
            _surface_json(21.52, 3.44, "N-SK16", 8.0),
            _surface_json(2048.0, 3.09, "AIR", 8.0),
            _surface_json(-25.97, 1.2, "N-F2", 6.0),
            _surface_json(22.19, 3.54, "AIR", 6.0),
            _surface_json(79.63, 4.29, "N-SK16", 7.0),
            _surface_json(-20.15, 46.0, "AIR", 7.0),
        ],
        "stop": 3,
        "aperture": {"kind": "image f-number", "value": 4.5},
        "fields": [{"value": 0.0}, {"value": 10.0}, {"value": 14.0}],
        "title": "Triplet",
    },
    "solves": [{"parameter": "t6", "kind": "paraxial focus"}],
}
"""A triplet of 50 units focal length at f/4.5 for fields up to 14°."""

_ROWS = TRIPLET["system"]["surfaces"]
NEAR_IMAGE: Mapping[str, Any] = {
    "system": {**TRIPLET["system"], "surfaces": [*_ROWS[:-1], {**_ROWS[-1], "thickness": 5.0}]}
}
"""The triplet with an image surface so near that a picture shows its lenses."""


class CentredLens(Preset):
    """A lens system by its prescription."""

    label = "Lens system"
    family = "Lenses"
    summary = "Any centred lens by its prescription; at first a triplet."
    pictured = MappingProxyType({"design": NEAR_IMAGE, "sources": False})

    design: Mapping[str, Any] | None = data(
        None, "Prescription", help="Its surfaces, stop, fields and links; without it, a triplet."
    )
    sources: bool = flag(
        True, "Light of the fields", help="A source for each field and wavelength."
    )
    mounts: bool = flag(
        False, "Mounts", help="Block light that passes beside the glasses, beyond their rims."
    )

    @classmethod
    def from_design(
        cls, design: "LensDesign", *, sources: bool = True, mounts: bool = False
    ) -> "CentredLens":
        """The lens system of a design."""
        from raybench.lens.design import design_to_json

        system = cls(design=design_to_json(design), sources=sources, mounts=mounts)
        system.__dict__["lens_design"] = design  # not read again
        return system

    @cached_property
    def lens_design(self) -> "LensDesign":
        """The design as a value. Raises InvalidPrescription."""
        from raybench.lens.design import design_from_json

        return design_from_json(self.design or TRIPLET)

    @cached_property
    def data(self) -> Any:
        from raybench.lens.design import design_parameters

        found = design_parameters(self.lens_design)
        kind = _parameters_class(tuple((p.name, p.label, p.unit) for p in found.values()))
        values = {name: _value_as_json(p.value) for name, p in found.items()}
        own = {
            "design": self.design or TRIPLET,
            "sources": self.sources,
            "mounts": self.mounts,
        }
        return kind(**own, **values)

    @property
    def form_fields(self) -> tuple[Field, ...]:
        return tuple(f for f in described_fields(type(self)) if f.name in _SWITCHES)

    def with_data(self, values: Mapping[str, Any]) -> "CentredLens":
        from raybench.lens.design import design_from_json, with_parameters

        design = self.lens_design
        if "design" in values:
            design = design_from_json(values["design"])
        parameters = {name: value for name, value in values.items() if name not in _OWN}
        if parameters:
            design = with_parameters(design, parameters)
        switches = {name: values.get(name, getattr(self, name)) for name in _SWITCHES}
        return self.from_design(design, **switches)

    def describe_difference(self, new: Preset) -> str:
        from raybench.lens.design import describe_differences

        assert isinstance(new, CentredLens)
        return describe_differences(self.lens_design, new.lens_design)

    def describe(self, unit: str) -> str:
        from raybench.lens.report import lens_summary
        from raybench.lens.written import aperture_text

        system = dataclasses.replace(self.lens_design.system, unit=unit)
        fields, waves = (
            " ".join(f"{each.value:g}" for each in listed)
            for listed in (system.fields, system.wavelengths)
        )
        return (
            f"{lens_summary(system)}, aperture {aperture_text(system.aperture)}, fields {fields}"
            f" ({system.field_kind.value}), wavelengths {waves} nm"
        )

    def objects(self) -> tuple[SceneObject, ...]:
        return self._cached_objects

    @cached_property
    def _cached_objects(self) -> tuple[SceneObject, ...]:
        from raybench.lens.bodies import lens_objects, mount_blockers

        system = self.lens_design.system
        # rays of the same power, however wide the pupil is
        lit = [
            dataclasses.replace(s, brightness=s.brightness * self._source_density)
            for s in self._cached_sources
        ]
        return (*lit, *lens_objects(system), *(mount_blockers(system) if self.mounts else ()))

    @cached_property
    def _cached_sources(self) -> tuple[Any, ...]:
        from raybench.lens.bodies import field_sources

        return field_sources(self.lens_design.system) if self.sources else ()

    @property
    def scene_settings(self) -> Mapping[str, Any]:
        if not self.sources:
            return {}
        system = self.lens_design.system
        colours = len(system.wavelengths) > 1 or any(s.glass != "AIR" for s in system.surfaces)
        return {"simulate_colors": colours, "ray_mode_density": self._source_density}

    @cached_property
    def _source_density(self) -> float:
        """The ray density with which each source has about `RAYS_PER_BUNDLE` rays."""
        # a fan has 500 rays to the full circle, a beam one to the unit of length, times the density
        return RAYS_PER_BUNDLE / max(
            s.emis_angle / 360 * 500 if isinstance(s, AngleSource) else math.dist(s.p1, s.p2)
            for s in self._cached_sources
        )


@lru_cache(256)
def _parameters_class(parameters: tuple[tuple[str, str, str], ...]) -> type[Any]:
    """A dataclass with a described field for each parameter of a design, given as name, label and
    unit.
    """

    def described(name: str, label: str, unit: str) -> Any:
        if name.startswith("glass"):
            return described_field("material", "", label)
        endless = name.startswith("r") or name in {"objectDistance", "imageRadius"}
        if endless:  # and of either sign
            return described_field("limit", None, label, unit=unit, low=-math.inf)
        return described_field("number", None, label, unit=unit)

    own = [
        (f.name, f.type, dataclasses.field(default=f.default, metadata=f.metadata))
        for f in dataclasses.fields(CentredLens)
    ]
    rows = [(name, Any, described(name, label, unit)) for name, label, unit in parameters]
    return dataclasses.make_dataclass("LensParameters", [*own, *rows], frozen=True, kw_only=True)


def _value_as_json(value: Any) -> Any:
    from raybench.lens.glass import glass_name

    return value if value is None or isinstance(value, float) else glass_name(value)
