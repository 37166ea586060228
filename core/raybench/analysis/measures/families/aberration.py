"""Measures of the aberrations of a lens with a prescription. They trace exact rays of one field
through the surfaces of the lens, independent of the light in the scene (Welford, Aberrations of
Optical Systems).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
    select_no_rays,
)
from raybench.lens import aberrations
from raybench.lens.prescription import Field, Prescription
from raybench.lens.seidel import seidel_sums

LENS = Parameter("lens", Role.LENS, noun="lens")
FIELD = Parameter("field", Role.NUMBER, optional=True)
FREQUENCY = Parameter("frequency", Role.NUMBER)
SUM = Parameter("sum", Role.SEIDEL)
SURFACE = Parameter("surface", Role.NUMBER, optional=True)


@dataclass(frozen=True, eq=False)
class LensAtField:
    """A lens in scene units, one of its fields, and optionally a spatial frequency."""

    system: Prescription
    field: Field
    frequency: float = 0.0

    @classmethod
    def from_names(cls, light: Light, lens: str, field: str | None = None) -> LensAtField:
        """The lens with a name, and its field with a given value, by default the field farthest
        from the axis.
        """
        system = light.lens(lens)
        farthest = max(system.fields, key=lambda f: abs(f.value))
        value = farthest.value if field is None else float(field)
        return cls(system, next((f for f in system.fields if f.value == value), Field(value)))

    @classmethod
    def at_frequency(
        cls, light: Light, lens: str, frequency: str, field: str | None = None
    ) -> LensAtField:
        """The lens with a name, its field, and a spatial frequency in lines per scene unit."""
        return replace(cls.from_names(light, lens, field), frequency=float(frequency))


ABERRATIONS: Family = Family(
    "Aberrations of a lens system",
    (LENS, FIELD),
    LensAtField.from_names,
    needs=RowsNeeded.NONE,
    rays=select_no_rays,
)


@ABERRATIONS.measure(
    Unit.LENGTH,
    "RMS radius of the spot of {lens} [in the field {field}]",
    "What is the RMS spot of {lens} [in the field {field:angle}]?",
)
def rms_spot(lens: LensAtField) -> float:
    """RMS radius of the spot at the image surface, of all colours."""
    return aberrations.spot(lens.system, lens.field).rms


@ABERRATIONS.measure(
    Unit.LENGTH,
    "largest ray aberration of {lens} [in the field {field}]",
    "What is the ray aberration of {lens} [in the field {field:angle}]?",
)
def ray_aberration(lens: LensAtField) -> float:
    """Largest distance of a ray from the chief ray at the image surface, at the primary
    wavelength.
    """
    _, y = aberrations.ray_fan(lens.system, lens.field)
    if not np.isfinite(y).any():
        raise Undefined(f"No light of the field {lens.field.value:g} reaches the image.")
    return float(np.nanmax(np.abs(y)))


@ABERRATIONS.measure(
    Unit.ONE,
    "RMS wavefront error of {lens} [in the field {field}], in wavelengths,",
    "What is the wavefront error of {lens} [in the field {field:angle}]?",
)
def wavefront_error(lens: LensAtField) -> float:
    """RMS optical path difference, in wavelengths, from the best-fitting sphere, of the tangential
    section at the primary wavelength.
    """
    return aberrations.wavefront(lens.system, lens.field, best=True).rms


@ABERRATIONS.measure(
    Unit.ONE,
    "peak-to-valley wavefront error of {lens} [in the field {field}], in wavelengths,",
    "What is the peak-to-valley wavefront error of {lens} [in the field {field:angle}]?",
)
def wavefront_range(lens: LensAtField) -> float:
    """Peak-to-valley optical path difference, in wavelengths, from the best-fitting sphere, of the
    tangential section at the primary wavelength.
    """
    return aberrations.wavefront(lens.system, lens.field, best=True).peak_to_valley


@ABERRATIONS.measure(
    Unit.ONE,
    "Strehl ratio of {lens} [in the field {field}]",
    "What is the Strehl ratio of {lens} [in the field {field:angle}]?",
)
def strehl(lens: LensAtField) -> float:
    """Peak of the tangential line image at the best focus and the primary wavelength, relative to
    that of a perfect lens.
    """
    return aberrations.wavefront(lens.system, lens.field, best=True).strehl


@ABERRATIONS.measure(
    Unit.ONE,
    "MTF of {lens} at {frequency} lines per scene unit [in the field {field}]",
    "What is the MTF of {lens} at {frequency:frequency} [in the field {field:angle}]?",
    "What is the contrast of {lens} at {frequency:frequency} [in the field {field:angle}] [image]?",
    parameters=(LENS, FREQUENCY, FIELD),
    select=LensAtField.at_frequency,
)
def mtf(lens: LensAtField) -> float:
    """Modulation at a spatial frequency, in lines per scene unit, of the tangential image at the
    primary wavelength, with diffraction.
    """
    section = aberrations.pupil_section(lens.system, lens.field)
    return float(section.modulation(np.array([lens.frequency]))[0])


@ABERRATIONS.measure(
    Unit.ONE,
    "relative distortion of {lens} [in the field {field}]",
    "What is the distortion of {lens} [in the field {field:angle}]?",
    senses=("pincushion", "barrel"),
)
def distortion(lens: LensAtField) -> float:
    """Relative excess of the image height of a field over the height extrapolated from a small
    field; negative for barrel distortion.
    """
    return aberrations.distortion(lens.system, lens.field)


@ABERRATIONS.measure(
    Unit.LENGTH,
    "distance of the tangential image of {lens} from the image surface [in the field {field}]",
    "Where is the tangential focus of {lens} [in the field {field:angle}]?",
    senses=("behind the image surface", "before the image surface"),
)
def tangential_focus(lens: LensAtField) -> float:
    """Distance along the axis from the image surface to the tangential image of a narrow pencil
    about the chief ray.
    """
    return aberrations.field_curvature(lens.system, lens.field)[0]


@ABERRATIONS.measure(
    Unit.LENGTH,
    "distance of the sagittal image of {lens} from the image surface [in the field {field}]",
    "Where is the sagittal focus of {lens} [in the field {field:angle}]?",
    senses=("behind the image surface", "before the image surface"),
)
def sagittal_focus(lens: LensAtField) -> float:
    """Distance along the axis from the image surface to the sagittal image of a narrow pencil about
    the chief ray, by Coddington's equations.
    """
    return aberrations.field_curvature(lens.system, lens.field)[1]


@ABERRATIONS.measure(
    Unit.LENGTH,
    "axial colour of {lens}",
    "What is the axial colour of {lens}?",
    parameters=(LENS,),
)
def axial_colour(lens: LensAtField) -> float:
    """Range along the axis of the paraxial images of all wavelengths."""
    return float(np.ptp(list(aberrations.axial_colour(lens.system).values())))


@ABERRATIONS.measure(
    Unit.LENGTH,
    "lateral colour of {lens} [in the field {field}]",
    "What is the lateral colour of {lens} [in the field {field:angle}]?",
)
def lateral_colour(lens: LensAtField) -> float:
    """Range of the heights at the image surface of the chief rays of all wavelengths."""
    return float(np.ptp(list(aberrations.lateral_colour(lens.system, lens.field).values())))


@ABERRATIONS.measure(
    Unit.ONE,
    "vignetting of {lens} [in the field {field}]",
    "What is the vignetting of {lens} [in the field {field:angle}]?",
)
def vignetting(lens: LensAtField) -> float:
    """Fraction of the entrance pupil from which the rims of the lens stop the light of the
    field.
    """
    return 1 - aberrations.unvignetted_fraction(lens.system, lens.field)


def _sum_of_lens(light: Light, lens: str, name: str, surface: str | None = None) -> Floats:
    """The Seidel sum ``name`` of each surface of a lens, or of one surface."""
    parts: Floats = getattr(seidel_sums(light.lens(lens)), name)
    if surface is None:
        return parts
    if float(surface) not in range(1, len(parts) + 1):
        raise Undefined(f"There is no surface {surface}. Choose one from 1 to {len(parts)}.")
    return parts[int(float(surface)) - 1 :][:1]


@ABERRATIONS.measure(
    Unit.LENGTH,
    "Seidel sum {sum} of {lens} [at surface {surface}]",
    "What is the Seidel sum {sum} of {lens} [at {surface:edge}]?",
    parameters=(LENS, SUM, SURFACE),
    select=_sum_of_lens,
)
def seidel(parts: Floats) -> float:
    """A Seidel sum, or a surface's part of it, for the full aperture and the largest field:
    spherical, coma, astigmatism, petzval, distortion, axial_colour or lateral_colour.
    """
    return float(parts.sum())
