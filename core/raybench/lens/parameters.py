"""The parameters of a prescription by name. Surfaces and fields count from 1.

========================  =====================================================
``r1``, ``c1``            radius of the first surface, and its curvature 1/r
``t1``                    distance behind it
``k1``, ``a1_4``          its conic constant, and its coefficient of y⁴
``semi1``, ``glass1``     its semi-diameter, and the medium behind it
``n1``                    the index of that medium at the primary wavelength
``field1``                the angle or height of the first field
``objectDistance``, ``aperture``, ``imageRadius``
========================  =====================================================
"""

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from raybench.errors import in_quotes
from raybench.kinds.fields import LENGTH
from raybench.lens.glass import AIR, Glass, glass_from_text, glass_with_index_shift
from raybench.lens.prescription import (
    ApertureKind,
    FieldKind,
    InvalidPrescription,
    Prescription,
    glass_index,
)
from raybench.phrase import Phrase

Value = float | Glass | None
"""A number, the medium of a ``glass``, or None for a semi-diameter that is as large as the light.
"""

_NAME = re.compile(
    r"(?P<kind>r|c|t|k|semi|glass|n|field)(?P<at>[1-9]\d{0,3})"
    r"|(?P<coefficient>a)(?P<surface>[1-9]\d{0,3})_(?P<power>[1-9]\d?)"
    r"|(?P<whole>objectDistance|aperture|imageRadius)"
)
_ATTRIBUTES = {"r": "radius", "t": "thickness", "k": "conic", "semi": "semi_diameter", "glass": "glass"}  # fmt: skip
_LABELS = {
    "r": Phrase("Radius of surface {row}"),
    "c": Phrase("Curvature of surface {row}"),
    "t": Phrase("Distance behind surface {row}"),
    "k": Phrase("Conic constant of surface {row}"),
    "semi": Phrase("Semi-diameter of surface {row}"),
    "glass": Phrase("Medium behind surface {row}"),
    "n": Phrase("Index behind surface {row}"),
    "field": Phrase("Field {row}"),
    "objectDistance": Phrase("Object distance"),
    "imageRadius": Phrase("Radius of the image surface"),
}
_UNITS = {"r": LENGTH, "c": f"1/{LENGTH}", "t": LENGTH, "semi": LENGTH, "objectDistance": LENGTH, "imageRadius": LENGTH}  # fmt: skip
_HIGHEST_POWER = 20


@dataclass(frozen=True)
class ParameterPlace:
    """The place of a parameter in a prescription: its ``kind`` (``r``, ``a``, ``aperture``...), the
    index of its surface or field, and the index of its coefficient.
    """

    kind: str
    index: int = 0
    term: int = 0


@lru_cache(1024)
def parameter_place(name: str) -> ParameterPlace | None:
    """The place that a parameter name refers to; None if the text is not the name of a
    parameter.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    if found["coefficient"]:
        power = int(found["power"])
        if power % 2 or power > _HIGHEST_POWER:
            return None
        return ParameterPlace("a", int(found["surface"]) - 1, power // 2 - 1)
    if found["whole"]:
        return ParameterPlace(found["whole"])
    return ParameterPlace(found["kind"], int(found["at"]) - 1)


def parameter_names(system: Prescription) -> tuple[str, ...]:
    """The names of all parameters of a prescription."""
    names = []
    for i, surface in enumerate(system.surfaces, 1):
        names += [f"{kind}{i}" for kind in "rctk"]
        names += [f"a{i}_{2 * j + 2}" for j in range(len(surface.aspheric))]
        names += [f"semi{i}"] if surface.is_mirror else [f"semi{i}", f"glass{i}", f"n{i}"]
    names += ["objectDistance", "imageRadius"]
    if system.aperture.kind is not ApertureKind.STOP:
        names.append("aperture")
    return (*names, *(f"field{i}" for i in range(1, len(system.fields) + 1)))


def parameter_value(system: Prescription, name: str) -> Value:
    """The value of a parameter. Raises InvalidPrescription if the prescription does not have the
    parameter.
    """
    place = _existing_place(system, name)
    if place.kind == "objectDistance":
        return system.object_distance
    if place.kind == "imageRadius":
        return system.image_radius
    if place.kind == "aperture":
        return system.aperture.value
    if place.kind == "field":
        return system.fields[place.index].value
    surface = system.surfaces[place.index]
    if place.kind == "c":
        return surface.curvature
    if place.kind == "n":
        return system.indices(system.primary_wavelength)[place.index + 1]
    if place.kind == "a":
        return surface.aspheric[place.term] if place.term < len(surface.aspheric) else 0.0
    value: Value = getattr(surface, _ATTRIBUTES[place.kind])
    return float(value) if isinstance(value, int) else value


def with_values(system: Prescription, values: Mapping[str, Value]) -> Prescription:
    """The prescription with other values of parameters. A glass may be a text as for
    `glass_from_text`. Raises InvalidPrescription, and UnknownMaterial for a glass.
    """
    surfaces, fields = list(system.surfaces), list(system.fields)
    whole: dict[str, Any] = {}
    for name, given in values.items():
        place = _existing_place(system, name)
        value: Any = checked_value(name, given)
        if place.kind == "objectDistance":
            whole["object_distance"] = value
        elif place.kind == "imageRadius":
            whole["image_radius"] = value
        elif place.kind == "aperture":
            whole["aperture"] = dataclasses.replace(system.aperture, value=value)
        elif place.kind == "field":
            fields[place.index] = dataclasses.replace(fields[place.index], value=value)
        else:
            old = surfaces[place.index]
            attribute = _ATTRIBUTES.get(place.kind, "radius")
            if place.kind == "c":
                value = 1 / value if value else math.inf
            elif place.kind == "n":
                attribute = "glass"
                shift = value - glass_index(old.glass, system.primary_wavelength)
                waves = [wave.value for wave in system.wavelengths]
                value = glass_with_index_shift(old.glass, shift, waves) if shift else old.glass
            elif place.kind == "a":
                attribute = "aspheric"
                terms = [*old.aspheric, *[0.0] * (place.term + 1 - len(old.aspheric))]
                terms[place.term] = value
                value = tuple(terms)
            surfaces[place.index] = dataclasses.replace(old, **{attribute: value})
    return dataclasses.replace(system, surfaces=tuple(surfaces), fields=tuple(fields), **whole)


def parameter_label(system: Prescription, name: str) -> str:
    """The displayed name of a parameter, such as “Radius of surface 1”."""
    place = _existing_place(system, name)
    if place.kind == "a":
        return Phrase(
            "Coefficient of y^{power} of surface {row}",
            power=2 * place.term + 2,
            row=place.index + 1,
        )
    if place.kind == "aperture":
        return Phrase(system.aperture.kind.value.capitalize())
    return Phrase(_LABELS[place.kind], row=place.index + 1)


def parameter_unit(system: Prescription, name: str) -> str:
    """The unit of a parameter, in terms of `LENGTH`; empty without a unit."""
    place = _existing_place(system, name)
    if place.kind == "a":
        power = 2 * place.term + 1
        return f"1/{LENGTH}" + (str(power) if power > 1 else "").translate(_SUPERSCRIPTS)
    if place.kind == "field":
        return "deg" if system.field_kind is FieldKind.ANGLE else LENGTH
    if place.kind == "aperture":
        return LENGTH if system.aperture.kind is ApertureKind.PUPIL else ""
    return _UNITS.get(place.kind, "")


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _existing_place(system: Prescription, name: str) -> ParameterPlace:
    place = parameter_place(name)
    if place is not None and place.kind == "field":
        has = place.index < len(system.fields)
    elif place is not None and place.kind == "aperture":
        has = system.aperture.kind is not ApertureKind.STOP
    else:
        has = place is not None and place.index < len(system.surfaces)
    if place is None or not has:
        last = len(system.surfaces)
        raise InvalidPrescription(
            f"The lens has no parameter {in_quotes(name, 40)}. It has r1 to r{last}, c, t, k, a1_4,"
            f" semi, glass and n of each surface, field1 to field{len(system.fields)}, objectDistance,"
            " aperture and imageRadius."
        )
    return place


def checked_value(name: str, value: object) -> Value:
    """The value of a parameter, after a check of its type. Raises InvalidPrescription for another
    type.
    """
    place = parameter_place(name)
    assert place is not None
    if place.kind == "glass":
        if isinstance(value, str):
            return AIR if value.strip().upper() == AIR else glass_from_text(value)
        if isinstance(value, Glass):
            return value
        raise InvalidPrescription(f"{name} is a medium, such as N-BK7, 1.62/36 or AIR.")
    if value is None and place.kind == "semi":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidPrescription(f"{name} is a number, not {in_quotes(str(value), 40)}.")
    try:
        return float(value)
    except OverflowError:
        raise InvalidPrescription(f"{name} is too large for a number.") from None
