"""The base class of presets, and the parts that presets share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self, dataclass_transform

from raybench.errors import RaybenchError
from raybench.kinds.fields import Field, described_field, described_fields
from raybench.kinds.glasses import Glass
from raybench.kinds.object import SceneObject
from raybench.materials.catalogue import material_named
from raybench.materials.dispersion import LINE_D, OutsideRange
from raybench.materials.material import AssignedMaterial, Material
from raybench.phrase import Phrase
from raybench.shapes.point import Vertex

CATALOGUE = "A name of the catalogue of materials, such as N-BK7."


class InvalidPreset(RaybenchError):
    """The data of a preset are invalid; the message gives the reason and the remedy.

    ``lengths`` are the values of the slots of ``text``. They are written with a unit if it is known
    (`with_unit`).
    """

    def __init__(self, text: str, /, unit: str = "", **lengths: float) -> None:
        unit_after = f" {unit}".rstrip()
        shown = {
            name: Phrase("{value:.4g}{unit}", value=length, unit=unit_after)
            for name, length in lengths.items()
        }
        super().__init__(Phrase(text, **shown) if lengths else text)
        self._text, self._lengths = text, lengths

    def with_unit(self, unit: str) -> InvalidPreset:
        """The same error with the unit after each length in its message."""
        return InvalidPreset(self._text, unit, **self._lengths)


FAMILIES = ("Lenses", "Prisms", "Systems")
"""The menus for adding presets, in order."""
PRESETS: dict[str, type[Preset]] = {}
"""All presets, by name, in the order of menus: each enters itself."""

RESERVED_KEYS = frozenset({"preset", "at", "angle", "as"})
"""What JSON has beside the fields of a preset, see `raybench.scene.changes.presets.AddPreset`."""


class IncompletePreset(TypeError):
    """A preset is incompletely defined; the message names it and what is missing. Raised when the
    class is defined.
    """


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Preset:
    """Data from which objects are made. A subclass is a frozen dataclass with described fields
    (`raybench.kinds.fields`), all with defaults. Users can add a preset if its class has a label.

    Lengths are in scene units. Focal lengths and other data that depend on the index hold at the
    helium d line, 587.56 nm.
    """

    label: ClassVar[str]
    """The displayed name."""
    family: ClassVar[str]
    """The menu, one of `FAMILIES`."""
    summary: ClassVar[str]
    """One line on its purpose."""
    pictured: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Values for its icon that differ from the defaults, for presets that would be too long to
    recognise.
    """

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        if "label" not in vars(cls):
            return
        where = f"{cls.__name__} ({cls.__module__})"
        if not getattr(cls, "summary", ""):
            raise IncompletePreset(f"{where} has no summary. See core/raybench/presets/README.md.")
        if cls.family not in FAMILIES:
            raise IncompletePreset(f"{where} has a family that is none of {', '.join(FAMILIES)}.")
        if required := [f.name for f in described_fields(cls) if f.is_required]:
            raise IncompletePreset(f"{where} has no default for {', '.join(required)}.")
        if both := RESERVED_KEYS & {f.json_name for f in described_fields(cls)}:
            names = ", ".join(both)
            raise IncompletePreset(f"{where} has a field {names}, as the change has. Rename it.")
        PRESETS[cls.__name__] = cls

    def objects(self) -> tuple[SceneObject, ...]:
        """New objects around the origin, for light that travels along the x axis. Raises
        InvalidPreset or UnknownMaterial.
        """
        raise NotImplementedError

    @property
    def data(self) -> Any:
        """A dataclass whose described fields are the numbers and choices of the preset, for forms
        and studies. By default it is the preset itself.
        """
        return self

    @property
    def form_fields(self) -> tuple[Field, ...]:
        """The fields of `data` that forms show."""
        return described_fields(type(self.data))

    @property
    def scene_settings(self) -> Mapping[str, Any]:
        """Settings, by attribute, that a scene gets with the preset if no other object of the scene
        emits light.
        """
        return {}

    def with_data(self, values: Mapping[str, Any]) -> Self:
        """The preset with new values of fields of `data`, by attribute. Raises InvalidPreset."""
        return replace(self, **values)  # type: ignore[type-var]

    def describe(self, unit: str) -> str:
        """The data in words, with the field names that changes use; lengths are in ``unit``."""
        values = [
            (f.json_name, getattr(self.data, f.name)) for f in described_fields(type(self.data))
        ]
        texts = [f"{n} {v:.6g}" if isinstance(v, float) else f"{n} {v}" for n, v in values]
        return ", ".join(texts)

    def describe_difference(self, new: Preset) -> str:
        """The differences in data that are not simple fields, in words; empty if there are none."""
        return ""

    def objects_for_unit(self, unit: str) -> tuple[SceneObject, ...]:
        """The objects as from `objects`, with error messages that have the unit after each
        length.
        """
        try:
            return self.objects()
        except InvalidPreset as error:
            raise error.with_unit(unit) from None


def catalogue_material_field(default: str, label: str = "Material", help: str = CATALOGUE) -> Any:
    """A dataclass field with the name of a material of the catalogue."""
    return described_field("material", default, label, help=help)


def transparent_material_named(name: str) -> Material:
    """The transparent material with this name. Raises InvalidPreset if the material is opaque,
    UnknownMaterial if there is none.
    """
    found = material_named(name)
    if found.is_opaque((LINE_D,)):
        raise InvalidPreset(
            Phrase(
                "{name} is opaque: light does not get through it. Choose a glass.", name=found.name
            )
        )
    return found


def material_index_at(material: Material, wavelength: float = LINE_D) -> float:
    """The refractive index of a material at ``wavelength`` (nm). Raises InvalidPreset outside the
    range of its data.
    """
    try:
        return float(material.index(wavelength))
    except OutsideRange as error:
        raise InvalidPreset(f"{error} Choose another material.") from None


def body_fields_of_material(material: Material) -> dict[str, Any]:
    """The fields of a glass body that is made of this material. The body has the exact index at all
    wavelengths; its Cauchy fit is exact at the d line.
    """
    material_index_at(material)
    own = AssignedMaterial.with_best_fit(material, (LINE_D,))
    return {"assigned": own, "ref_index": own.a, "cauchy_b": own.b}


def polygon_glass_body(
    name: str, corners: Sequence[tuple[float, float]], material: Material
) -> Glass:
    """A glass body with straight sides, shifted so that the centre of its bounding box is at the
    origin.
    """
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    x0, y0 = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return Glass(
        name=name,
        path=tuple(Vertex(x - x0, y - y0) for x, y in corners),
        **body_fields_of_material(material),
    )
