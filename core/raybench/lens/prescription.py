"""A prescription: the surfaces of a centred lens system, in the order in which light meets them,
with its stop, aperture, fields and wavelengths.

Signs are those of lens design (Welford, Aberrations of Optical Systems, chapter 2): light starts
along +x, a radius is positive if the centre of curvature lies at larger x than the vertex, and a
thickness is the distance along x to the next vertex, so that it is negative behind an odd number of
mirrors. Lengths are in the unit of the prescription.
"""

import dataclasses
import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, Self

from raybench.errors import RaybenchError, in_quotes, list_choices
from raybench.kinds.fields import METRES
from raybench.lens.glass import AIR, Glass, ModelGlass, glass_material
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F


class InvalidPrescription(RaybenchError):
    """A prescription is invalid; the message names the surface and the remedy."""


@dataclass(frozen=True)
class Surface:
    """A surface with the medium and the distance behind it.

    Its sag at the height y is c y² / (1 + sqrt(1 - (1 + k) c² y²)) + Σ ``aspheric``[i] y^(2i + 2),
    with c = 1/``radius`` and k = ``conic``: 0 for a sphere, -1 for a parabola.

    Attributes:
        radius: Radius of curvature at the vertex; infinite for a plane.
        thickness: Distance from this vertex to the next surface, or to the image.
        glass: The medium behind the surface; ignored for a mirror, behind which light is in the
            medium before it.
        semi_diameter: Half the clear aperture; None for as much as the light needs.
        conic: Conic constant k.
        aspheric: Coefficients of y², y⁴, y⁶ and so on.
        is_mirror: Whether it reflects.
        comment: A remark.
    """

    radius: float = math.inf
    thickness: float = 0.0
    glass: Glass = AIR
    semi_diameter: float | None = None
    conic: float = 0.0
    aspheric: tuple[float, ...] = ()
    is_mirror: bool = False
    comment: str = ""

    @property
    def curvature(self) -> float:
        """1/radius; 0 for a plane."""
        return 1 / self.radius

    @property
    def vertex_curvature(self) -> float:
        """The curvature of the surface at its vertex, including the y² term of the asphere."""
        return self.curvature + 2 * self.aspheric[0] if self.aspheric else self.curvature

    def sag(self, height: float) -> float:
        """The distance along the axis from the vertex to the surface at ``height``. NaN beyond the
        end of the surface.
        """
        c, square = self.curvature, height * height
        under = 1 - (1 + self.conic) * c * c * square
        if under < 0:
            return math.nan
        return c * square / (1 + math.sqrt(under)) + sum(
            a * square ** (i + 1) for i, a in enumerate(self.aspheric)
        )


class ApertureKind(Enum):
    """The quantity that determines the width of the light that enters a system."""

    PUPIL = "entrance pupil diameter"
    F_NUMBER = "image f-number"
    OBJECT_NA = "object numerical aperture"
    STOP = "stop size"


@dataclass(frozen=True)
class Aperture:
    """The width of the light that enters a system: the diameter of the entrance pupil (``PUPIL``),
    the focal length divided by this diameter (``F_NUMBER``), n sin u in object space
    (``OBJECT_NA``), or the semi-diameter of the stop (``STOP``, which ignores ``value``).
    """

    kind: ApertureKind
    value: float = 0.0


class FieldKind(Enum):
    """The meaning of the values of fields."""

    ANGLE = "angle"
    """The angle (degrees) of the chief ray to the axis in object space."""
    OBJECT_HEIGHT = "object height"
    IMAGE_HEIGHT = "paraxial image height"


@dataclass(frozen=True)
class Field:
    """A field point with its value, its weight and its vignetting: the used part of the pupil is
    from -1 + ``lower_vignetting`` to 1 - ``upper_vignetting``.
    """

    value: float
    weight: float = 1.0
    lower_vignetting: float = 0.0
    upper_vignetting: float = 0.0


@dataclass(frozen=True)
class Wavelength:
    """A vacuum wavelength (nm) and its weight."""

    value: float
    weight: float = 1.0


VISIBLE = (Wavelength(LINE_D), Wavelength(LINE_F), Wavelength(LINE_C))
"""The d, F and C lines, d first."""


@dataclass(frozen=True)
class Prescription:
    """A centred lens system.

    Attributes:
        surfaces: The surfaces between the object and the image.
        stop: The index of the surface that is the aperture stop.
        aperture: The width of the light that enters.
        object_distance: The distance from the object to the first vertex; may be infinite.
        object_glass: The medium before the first surface.
        field_kind: The meaning of the fields' values.
        fields: The field points.
        wavelengths: The wavelengths.
        primary: The index of the wavelength at which paraxial data and reference spheres are
            computed.
        image_radius: Radius of the image surface.
        unit: The unit of length.
        title: A name.
        notes: Remarks, one line each.
    """

    surfaces: tuple[Surface, ...]
    stop: int = 0
    aperture: Aperture = Aperture(ApertureKind.PUPIL, 10.0)
    object_distance: float = math.inf
    object_glass: Glass = AIR
    field_kind: FieldKind = FieldKind.ANGLE
    fields: tuple[Field, ...] = (Field(0.0),)
    wavelengths: tuple[Wavelength, ...] = VISIBLE
    primary: int = 0
    image_radius: float = math.inf
    unit: str = "mm"
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.surfaces:
            raise InvalidPrescription("A lens system has at least one surface. Add a row.")
        for number, surface in enumerate(self.surfaces, 1):
            _check_surface(number, surface)
        if self.unit not in METRES:
            raise InvalidPrescription(
                f"{in_quotes(self.unit, 20)} is no unit of length. Choose {list_choices(METRES)}."
            )
        if not 0 <= self.stop < len(self.surfaces):
            raise InvalidPrescription(
                f"The stop is at surface {self.stop + 1}; there are {len(self.surfaces)}."
            )
        if not self.wavelengths or not 0 <= self.primary < len(self.wavelengths):
            raise InvalidPrescription(
                "One of the wavelengths is the primary one. Add a wavelength, or choose it."
            )
        for wave in self.wavelengths:
            if not 0 < wave.value < math.inf or not 0 <= wave.weight < math.inf:
                raise InvalidPrescription(
                    f"The wavelength {wave.value:g} nm of weight {wave.weight:g} is not positive and"
                    " finite."
                )
        if not self.fields:
            raise InvalidPrescription("A lens system has at least one field, such as 0.")
        for field in self.fields:
            if not all(map(math.isfinite, dataclasses.astuple(field))):
                raise InvalidPrescription("A field is not finite. Give an angle or a height.")
            if self.field_kind is FieldKind.ANGLE and abs(field.value) >= 90:
                raise InvalidPrescription(
                    f"A field of {field.value:g}° does not come from in front. Stay below 90°."
                )
            if self.field_kind is FieldKind.OBJECT_HEIGHT and math.isinf(self.object_distance):
                raise InvalidPrescription(
                    "An object at infinity has no height. Give the fields as angles, or the object"
                    " a distance."
                )
        if math.isnan(self.object_distance) or self.object_distance == -math.inf:
            raise InvalidPrescription("The object has no distance. Give a number or infinity.")
        if not abs(self.image_radius) > 0:
            raise InvalidPrescription(
                f"The image surface has the radius {self.image_radius:g}. A plane has an infinite"
                " radius."
            )
        value, kind = self.aperture.value, self.aperture.kind
        if kind is not ApertureKind.STOP and not 0 < value < math.inf:
            raise InvalidPrescription(f"The {kind.value} of {value:g} is not positive and finite.")
        if kind is ApertureKind.STOP and not self.surfaces[self.stop].semi_diameter:
            raise InvalidPrescription(
                f"Surface {self.stop + 1} is the stop and gives the aperture, but has no"
                " semi-diameter. Give it one."
            )
        if kind is ApertureKind.OBJECT_NA and math.isinf(self.object_distance):
            raise InvalidPrescription(
                "An object at infinity has no numerical aperture. Give the diameter of the entrance"
                " pupil or the f-number."
            )

    @property
    def primary_wavelength(self) -> float:
        """The primary wavelength (nm), at which paraxial data are computed."""
        return self.wavelengths[self.primary].value

    @cached_property
    def vertices(self) -> tuple[float, ...]:
        """The positions of the vertices along the axis, with the first at 0, and of the image."""
        at = [0.0]
        for surface in self.surfaces:
            at.append(at[-1] + surface.thickness)
        return tuple(at)

    @property
    def length(self) -> float:
        """The distance from the first vertex to the last."""
        return self.vertices[-2]

    def indices(self, wavelength: float) -> tuple[float, ...]:
        """The refractive indices before, between and behind the surfaces at a vacuum wavelength
        (nm), one more than there are surfaces. Raises UnknownMaterial, or OutsideRange with the
        name of the glass.
        """
        known = self._indices_by_wavelength
        if wavelength not in known:
            n = [glass_index(self.object_glass, wavelength)]
            for surface in self.surfaces:
                n.append(n[-1] if surface.is_mirror else glass_index(surface.glass, wavelength))
            known[wavelength] = tuple(n)
        return known[wavelength]

    @cached_property
    def _indices_by_wavelength(self) -> dict[float, tuple[float, ...]]:
        return {}

    def with_surface(self, index: int, **values: Any) -> Self:
        """The prescription with other values of one surface. Raises InvalidPrescription if there is
        no surface with this index.
        """
        if not 0 <= index < len(self.surfaces):
            raise InvalidPrescription(
                f"There is no surface {index + 1}. Choose one from 1 to {len(self.surfaces)}."
            )
        new = dataclasses.replace(self.surfaces[index], **values)
        return self._with_surfaces((*self.surfaces[:index], new, *self.surfaces[index + 1 :]))

    def _with_surfaces(self, surfaces: tuple[Surface, ...], **values: Any) -> Self:
        return dataclasses.replace(self, surfaces=surfaces, **values)

    def scaled(self, factor: float) -> Self:
        """The system with all lengths multiplied by ``factor``; angles, f-numbers and numerical
        apertures stay the same. Raises InvalidPrescription unless the factor is positive and
        finite.
        """
        if not 0 < factor < math.inf:
            raise InvalidPrescription(
                f"A lens cannot be scaled by {factor:g}. Give a number above 0."
            )

        def scaled_surface(s: Surface) -> Surface:
            return dataclasses.replace(
                s,
                radius=s.radius * factor,
                thickness=s.thickness * factor,
                semi_diameter=None if s.semi_diameter is None else s.semi_diameter * factor,
                aspheric=tuple(a / factor ** (2 * i + 1) for i, a in enumerate(s.aspheric)),
            )

        angular = self.field_kind is FieldKind.ANGLE
        is_length = self.aperture.kind is ApertureKind.PUPIL
        return self._with_surfaces(
            tuple(map(scaled_surface, self.surfaces)),
            aperture=dataclasses.replace(
                self.aperture, value=self.aperture.value * (factor if is_length else 1.0)
            ),
            object_distance=self.object_distance * factor,
            fields=tuple(
                f if angular else dataclasses.replace(f, value=f.value * factor)
                for f in self.fields
            ),
            image_radius=self.image_radius * factor,
        )

    def reversed(self, first: int, last: int) -> Self:
        """The system with the surfaces from index ``first`` to ``last`` in reverse order. The media
        before and behind them stay. Raises InvalidPrescription if there is a mirror among them, or
        if these media differ.
        """
        turned = self.surfaces[first : last + 1]
        before = self.surfaces[first - 1].glass if first else self.object_glass
        if not turned or any(s.is_mirror for s in turned):
            raise InvalidPrescription("Only a range of refracting surfaces can be reversed.")
        if turned[-1].glass != before:
            raise InvalidPrescription(
                f"The media before surface {first + 1} and behind surface {last + 1} differ. Reverse"
                " a range that starts and ends in one medium."
            )
        media = [*(s.glass for s in turned[-2::-1]), turned[-1].glass]
        ways = [*(s.thickness for s in turned[-2::-1]), turned[-1].thickness]
        new = tuple(
            dataclasses.replace(
                s,
                radius=-s.radius,
                aspheric=tuple(-a for a in s.aspheric),
                glass=glass,
                thickness=way,
            )
            for s, glass, way in zip(turned[::-1], media, ways, strict=True)
        )
        stop = first + last - self.stop if first <= self.stop <= last else self.stop
        return self._with_surfaces(
            (*self.surfaces[:first], *new, *self.surfaces[last + 1 :]), stop=stop
        )

    def with_split_cement(self, index: int, gap: float) -> Self:
        """The system in which the cemented surface ``index`` is replaced by two surfaces with an
        air gap of the width ``gap``. Raises InvalidPrescription unless there is glass on both
        sides.
        """
        surface = self.surfaces[index]
        before = self.surfaces[index - 1].glass if index else self.object_glass
        if surface.is_mirror or AIR in (before, surface.glass):
            raise InvalidPrescription(
                f"Surface {index + 1} has no glass on both sides. Choose the cemented surface."
            )
        front = dataclasses.replace(surface, glass=AIR, thickness=gap, comment="")
        stop = self.stop + (self.stop > index)
        return self._with_surfaces(
            (*self.surfaces[:index], front, surface, *self.surfaces[index + 1 :]), stop=stop
        )


@lru_cache(4096)
def glass_index(glass: Glass, wavelength: float) -> float:
    """The refractive index of a medium at a vacuum wavelength (nm), relative to air, as in
    catalogues. Raises UnknownMaterial, or OutsideRange with the name of the glass.
    """
    return 1.0 if glass == AIR else float(glass_material(glass).index(wavelength))


def _check_surface(number: int, surface: Surface) -> None:
    """Raise InvalidPrescription if a surface has invalid values. ``number`` is the number of the
    surface, from 1.
    """
    if surface.radius == 0 or math.isnan(surface.radius):
        raise InvalidPrescription(
            f"Surface {number} has the radius {surface.radius:g}. A plane has an infinite radius."
        )
    for name in ("thickness", "conic"):
        if not math.isfinite(getattr(surface, name)):
            raise InvalidPrescription(
                f"Surface {number} has the {name} {getattr(surface, name):g}. Give a finite number."
            )
    if not all(map(math.isfinite, surface.aspheric)):
        raise InvalidPrescription(
            f"Surface {number} has an aspheric coefficient that is not finite."
        )
    half = surface.semi_diameter
    if half is not None and not 0 < half < math.inf:
        raise InvalidPrescription(
            f"Surface {number} has the semi-diameter {half:g}. Give a number above 0, or none."
        )
    glass = surface.glass
    if isinstance(glass, ModelGlass) and not (glass.n_d > 0 and abs(glass.v_d) > 0):
        raise InvalidPrescription(
            f"The glass {in_quotes(str(glass))} of surface {number} has no positive index, or the"
            " Abbe number 0."
        )
