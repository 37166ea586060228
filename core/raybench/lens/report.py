"""A report on a lens: its first-order data and aberrations, by field and by surface, as values and
as text.
"""

import math
from dataclasses import asdict, dataclass

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError
from raybench.lens.aberrations import (
    axial_colour,
    best_focus,
    chief_height,
    diffraction_mtf,
    distortion,
    field_curvature,
    geometric_mtf,
    lateral_colour,
    longitudinal_aberration,
    opd_fan,
    ray_fan,
    spot,
    unvignetted_fraction,
    wavefront,
)
from raybench.lens.clearance import clear_semi_diameters, edge_thicknesses
from raybench.lens.glass import AIR, glass_name
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import FieldKind, Prescription
from raybench.lens.seidel import SeidelSums, seidel_sums


@dataclass(frozen=True)
class FieldReport:
    """The aberrations of a field at the image surface. NaN if no light reaches the image.

    Attributes:
        field: The field's value, an angle (degrees) or a height.
        height: Height of the chief ray.
        distortion: Relative distortion.
        tangential, sagittal: Distances along x from the image surface to the images of a narrow
            pencil.
        rms_spot: Root mean square radius of the spot in the meridional plane, for all wavelengths.
        lateral_colour: Range of the heights of the chief rays of all wavelengths.
        rms_wavefront: Root mean square error of the tangential wavefront relative to the best
            sphere, in wavelengths.
        transverse: Largest distance of a ray from the chief ray at the image, for the primary
            wavelength.
        path_difference: Largest optical path difference from the chief ray, in wavelengths.
        mtf, ray_mtf: Modulation of the tangential section at the report's frequency: by diffraction
            at the primary wavelength, and from rays of all wavelengths. NaN without a frequency.
        open_pupil: Fraction of the pupil's section through which light reaches the image.
    """

    field: float
    height: float
    distortion: float
    tangential: float
    sagittal: float
    rms_spot: float
    lateral_colour: float
    rms_wavefront: float
    transverse: float
    path_difference: float
    mtf: float
    ray_mtf: float
    open_pupil: float


@dataclass(frozen=True)
class LensReport:
    """A report on a lens: first-order data at the primary wavelength, aberrations by field and by
    surface, the longitudinal aberration of the axial ray at the rim of the pupil, and the distance
    along x from the image surface to the best focus of all fields. ``frequency`` is the spatial
    frequency of the modulations, in lines per unit of length.
    """

    first_order: FirstOrder
    fields: tuple[FieldReport, ...]
    seidel: SeidelSums
    axial_colour: float
    longitudinal: float
    best_focus: float
    frequency: float


def report_lens(system: Prescription, frequency: float = math.nan) -> LensReport:
    """Compute the report on a lens, with modulations at the spatial ``frequency``. Raises
    InvalidPrescription, UnknownMaterial or OutsideRange.
    """
    nu = np.array([frequency])
    first = first_order(system)
    fields = []
    for field in system.fields:
        tangential, sagittal = field_curvature(system, field)
        colour = lateral_colour(system, field).values()
        try:
            rms, waves = spot(system, field).rms, wavefront(system, field, best=True).rms
        except RaybenchError:  # no light of this field arrives
            rms = waves = math.nan
        fields.append(
            FieldReport(
                field.value,
                chief_height(system, field, system.primary_wavelength, first),
                distortion(system, field),
                tangential,
                sagittal,
                rms,
                max(colour) - min(colour),
                waves,
                _largest_magnitude(ray_fan(system, field)[1]),
                _largest_magnitude(opd_fan(system, field)[1]),
                float(diffraction_mtf(system, field, nu)[0]),
                float(geometric_mtf(system, field, nu)[0]),
                unvignetted_fraction(system, field),
            )
        )
    images = axial_colour(system).values()
    return LensReport(
        first,
        tuple(fields),
        seidel_sums(system),
        max(images) - min(images),
        float(longitudinal_aberration(system, system.primary_wavelength)[1][-1]),
        best_focus(system),
        frequency,
    )


def _largest_magnitude(values: Floats) -> float:
    """The largest absolute value, ignoring NaN; NaN if there is none."""
    found = np.abs(values[np.isfinite(values)])
    return float(found.max()) if len(found) else math.nan


def report_json(system: Prescription, report: LensReport) -> dict[str, object]:
    """The report as JSON, with None for infinite and missing values."""

    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each) for each in value]
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        return value

    seidel = {key: column.tolist() for key, column in vars(report.seidel).items()}
    whole = {
        "title": system.title,
        "unit": system.unit,
        "wavelength": system.primary_wavelength,
        "first_order": asdict(report.first_order),
        "fields": [asdict(field) for field in report.fields],
        "seidel": seidel,
        "axial_colour": report.axial_colour,
        "longitudinal": report.longitudinal,
        "best_focus": report.best_focus,
        "frequency": report.frequency,
    }
    return {key: plain(value) for key, value in whole.items()}


def lens_summary(system: Prescription) -> str:
    """A lens in one line: its focal length, f-number or magnification, surfaces and glasses. If it
    has no first-order data, the line states the reason.
    """
    glasses = [glass_name(s.glass) for s in system.surfaces if not s.is_mirror and s.glass != AIR]
    surfaces = f"{len(system.surfaces)} surface{'s' * (len(system.surfaces) > 1)}"
    if glasses:
        surfaces += f" of {' '.join(glasses)}"
    try:
        first = first_order(system)
    except (RaybenchError, ArithmeticError) as error:
        return f"{surfaces}; no first order: {error}"
    is_near, is_focal = math.isfinite(system.object_distance), math.isfinite(first.focal_length)
    parts = [
        f"focal length {first.focal_length:.6g} {system.unit}" if is_focal else "afocal",
        f"magnification {first.magnification:.4g}" if is_near else "",
        f"f/{first.f_number:.4g}" if first.f_number and not is_near else "",
        surfaces,
    ]
    return ", ".join(filter(None, parts))


def report_text(system: Prescription, report: LensReport) -> str:
    """The report as text: the prescription, first-order data, fields and Seidel sums as tables."""
    first, unit = report.first_order, system.unit
    angle = "°" if system.field_kind is FieldKind.ANGLE else f" {unit}"
    waves = ", ".join(f"{w.value:g}" for w in system.wavelengths)
    lines = [
        f"{system.title or 'Lens'}: focal length {first.focal_length:.6g} {unit},"
        f"{f' f/{first.f_number:.4g},' if first.f_number else ''} at {system.primary_wavelength:g} nm; wavelengths {waves} nm",
        "",
        *_table_lines(
            ["surface", "radius", "thickness", "medium", "half", "edge"],
            _surface_rows(system),
        ),
        "",
    ]
    names = {
        "focal length": first.focal_length,
        "back focus": first.back_focus,
        "front focus": first.front_focus,
        "image": first.image,
        "magnification": first.magnification,
        "entrance pupil": first.entrance_pupil,
        "its diameter": first.entrance_diameter,
        "exit pupil": first.exit_pupil,
        "stop, half": first.stop_semi_diameter,
        "image NA": first.image_na,
        "axial colour": report.axial_colour,
        "longitudinal": report.longitudinal,
        "best focus": report.best_focus,
    }
    lines += [f"{name:<16}{_number_text(value):>12}" for name, value in names.items()] + [""]
    lines += _table_lines(
        ["field", "height", "distortion", "tangential", "sagittal", "rms spot", "lateral", "rms W", "open"],
        [
            [
                f"{f.field:g}{angle}", _number_text(f.height), f"{100 * f.distortion:.4f} %", _number_text(f.tangential), _number_text(f.sagittal),
                _number_text(f.rms_spot), _number_text(f.lateral_colour), f"{f.rms_wavefront:.4f}", f"{100 * f.open_pupil:.0f} %",
            ]
            for f in report.fields
        ],
    )  # fmt: skip
    heads = ["field", "ray fan", "path W"]
    rows = [
        [f"{f.field:g}{angle}", _number_text(f.transverse), f"{f.path_difference:.4f}"]
        for f in report.fields
    ]
    if math.isfinite(report.frequency):
        heads += [f"MTF {report.frequency:g}/{unit}", "of rays"]
        for row, f in zip(rows, report.fields, strict=True):
            row += [f"{f.mtf:.4f}", f"{f.ray_mtf:.4f}"]
    lines += ["", *_table_lines(heads, rows)]
    sums = list(vars(report.seidel).values())
    rows = [
        [str(i + 1), *(f"{column[i]:.6f}" for column in sums)] for i in range(len(system.surfaces))
    ]
    rows.append(["sum", *(f"{column.sum():.6f}" for column in sums)])
    heads = ["surface", "S1", "S2", "S3", "S4", "S5", "CL", "CT"]
    return "\n".join([*lines, "", *_table_lines(heads, rows)])


def _surface_rows(system: Prescription) -> list[list[str]]:
    edges = (*edge_thicknesses(system), math.nan)
    return [
        [
            f"{i}{' stop' if i - 1 == system.stop else ''}",
            "plane" if math.isinf(s.radius) else _number_text(s.radius),
            _number_text(s.thickness),
            "mirror" if s.is_mirror else "" if s.glass == AIR else glass_name(s.glass),
            _number_text(half),
            "" if math.isnan(edge) else _number_text(edge),
        ]
        for i, (s, half, edge) in enumerate(
            zip(system.surfaces, clear_semi_diameters(system), edges, strict=True), 1
        )
    ]


def _number_text(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "infinite" if math.isinf(value) else "–"


def _table_lines(heads: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return [
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *rows]
    ]
