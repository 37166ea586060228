"""Figures of published lenses beside those of the lens program optiland, where that is installed:
``python -m tests.benchmarks.beside_optiland``, in the folder of a checkout.

Both get the same surfaces and indices at one wavelength, without rims. Modulations of optiland are
computed here from the directions, heights and path differences of its rays. Its Seidel sums leave out
the polynomial terms of aspheres.
"""

import dataclasses
import math
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from raybench.lens.aberrations import (
    chief_height,
    diffraction_mtf,
    distortion,
    field_curvature,
    geometric_mtf,
    opd_fan,
    ray_fan,
)
from raybench.lens.opening import read_lens_file
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    Prescription,
    Surface,
    Wavelength,
)
from raybench.lens.seidel import SEIDEL_SUMS, seidel_sums

FOLDER = Path(__file__).parents[1] / "core/lens/published"
DESIGNS = {  # with the largest field in degrees
    "triplet_rear_stop.seq": 20.0,
    "tronnier_double_gauss.zmx": 15.0,
    "petzval.len": 8.0,
    "telephoto.seq": 3.0,
    "hubble.zmx": 0.1,
    "ricoh_gr.zmx": 20.0,
}
RAYS, DENSE = 65, 16385


def plain_system(name: str, angle: float) -> Prescription:
    """A published lens at its primary wavelength without rims, with the fields 0 and ``angle``."""
    system = read_lens_file(FOLDER / name)[0]
    return dataclasses.replace(
        system,
        surfaces=tuple(dataclasses.replace(s, semi_diameter=None) for s in system.surfaces),
        aperture=Aperture(ApertureKind.PUPIL, first_order(system).entrance_diameter),
        field_kind=FieldKind.ANGLE,
        fields=(Field(0.0), Field(angle)),
        wavelengths=(Wavelength(system.primary_wavelength),),
        primary=0,
        image_radius=math.inf,
    )


def optiland_lens(system: Prescription) -> Any:
    """The same lens as optiland has it."""
    ideal = import_module("optiland.materials").IdealMaterial
    lens = import_module("optiland.optic").Optic()
    lens.add_surface(index=0, radius=math.inf, thickness=math.inf)
    indices = system.indices(system.primary_wavelength)
    for i, s in enumerate(system.surfaces):
        shape = {"surface_type": "even_asphere", "coefficients": list(s.aspheric)}
        lens.add_surface(
            index=i + 1,
            radius=s.radius,
            thickness=s.thickness,
            conic=s.conic,
            is_stop=i == system.stop,
            material="mirror" if s.is_mirror else ideal(n=indices[i + 1]),
            **(shape if any(s.aspheric) else {}),
        )
    lens.add_surface(index=len(system.surfaces) + 1)
    lens.set_aperture("EPD", system.aperture.value)
    lens.set_field_type("angle")
    for field in system.fields:
        lens.add_field(y=field.value)
    lens.add_wavelength(system.primary_wavelength / 1000, is_primary=True)
    return lens


def compared(system: Prescription) -> Iterator[tuple[str, Any, Any]]:
    """What is compared: its name, and its value or values here and in optiland."""
    analysis = import_module("optiland.analysis")
    opd = import_module("optiland.wavefront").OPDFan
    lens, wave, field = optiland_lens(system), system.primary_wavelength, system.fields[-1]
    first = first_order(system)
    yield "focal length", first.focal_length, float(lens.paraxial.f2())
    image = system.surfaces[-1].thickness + float(lens.paraxial.F2())
    yield "back focus", first.back_focus, image
    sums = vars(seidel_sums(system))
    theirs = -np.asarray(lens.aberrations.seidels()).ravel()
    for name, value in zip(SEIDEL_SUMS, theirs, strict=False):
        yield f"{name} sum", sums[name].sum(), value
    pupil = np.linspace(-1, 1, RAYS)
    rays = lens.trace_generic(0.0, 1.0, 0.0, pupil, wave / 1000)
    chief = float(lens.trace_generic(0.0, 1.0, 0.0, 0.0, wave / 1000).y[0])
    yield "chief ray", chief_height(system, field, wave), chief
    yield "ray fan", ray_fan(system, field, count=RAYS)[1], rays.y - chief
    for each, key in zip(system.fields, (0.0, 1.0), strict=True):
        fan = opd(lens, num_rays=RAYS).data[(0.0, key), wave / 1000]
        yield f"path fan, {each.value:g}°", opd_fan(system, each, count=RAYS)[1], fan.opd[:RAYS]
    bent = analysis.Distortion(lens, num_points=2).data[0][-1] / 100
    yield "distortion", distortion(system, field), bent
    curves = analysis.FieldCurvature(lens, num_points=2).data[0]
    for name, value, curve in zip(
        ("tangential image", "sagittal image"), field_curvature(system, field), curves, strict=True
    ):
        yield name, value, float(curve[-1])
    yield from _modulations(system, lens)


def _modulations(system: Prescription, lens: Any) -> Iterator[tuple[str, Any, Any]]:
    wave, pupil = system.primary_wavelength, np.linspace(-1, 1, DENSE)
    opd = import_module("optiland.wavefront").OPDFan
    per_unit = {"mm": 1e-6, "in": 1e-6 / 25.4}[system.unit] * wave
    for field, key in zip(system.fields, (0.0, 1.0), strict=True):
        rays = lens.trace_generic(0.0, key, 0.0, pupil, wave / 1000)
        waves = opd(lens, num_rays=DENSE).data[(0.0, key), wave / 1000].opd[:DENSE]
        sines, waves = (v[np.argsort(rays.M)] for v in (rays.M, waves))
        width = sines[-1] - sines[0]
        frequencies = width / per_unit * np.array([0.02, 0.1, 0.3])
        values = []
        for shift in frequencies * per_unit:
            at = np.linspace(sines[0], sines[-1] - shift, DENSE)
            phase = np.interp(at + shift, sines, waves) - np.interp(at, sines, waves)
            values.append(abs(np.trapezoid(np.exp(2j * np.pi * phase), at)) / width)
        here = diffraction_mtf(system, field, frequencies, count=DENSE)
        yield f"slit MTF, {field.value:g}°", here, values
        values = [abs(np.exp(2j * np.pi * f * rays.y).mean()) for f in frequencies]
        here = geometric_mtf(system, field, frequencies, count=DENSE)
        yield f"ray MTF, {field.value:g}°", here, values


def closed_form() -> Iterator[tuple[str, Any, Any]]:
    """The modulation of a parabolic mirror, whose pupil is an ideal slit, beside 1 - ν/ν_c."""
    mirror = Surface(-200.0, -100.0, conic=-1.0, is_mirror=True)
    aperture = Aperture(ApertureKind.PUPIL, 20.0)
    system = Prescription((mirror,), aperture=aperture, wavelengths=(Wavelength(500.0),))
    reach = 10.0 / (100.0 - 10.0**2 / 400.0)  # tangent of the half angle at the focus
    cutoff = 2 * math.sin(math.atan(reach)) / 500e-6
    parts = np.linspace(0.05, 0.95, 7)
    yield "slit MTF", diffraction_mtf(system, Field(0.0), cutoff * parts), 1 - parts


def main() -> None:
    """Print the comparisons, each with its largest difference."""
    try:
        import_module("optiland")
    except ImportError:
        print("optiland is not installed: pip install optiland")
        return
    warnings.simplefilter("ignore")  # of methods that it will rename
    for name, angle in DESIGNS.items():
        print(f"\n{name}, fields 0 and {angle:g}°")
        _print_rows(compared(plain_system(name, angle)), "optiland")
    print("\nparabolic mirror")
    _print_rows(closed_form(), "closed form")


def _print_rows(rows: Iterator[tuple[str, Any, Any]], other: str) -> None:
    print(f"{'':<22}{'here':>16}{other:>16}{'difference':>14}")
    for label, ours, theirs in rows:
        one, two = np.atleast_1d(ours), np.atleast_1d(np.asarray(theirs, dtype=float))
        at = int(np.nanargmax(np.abs(two)))
        difference = np.nanmax(np.abs(one - two))
        print(f"{label:<22}{one[at]:>16.9g}{two[at]:>16.9g}{difference:>14.1e}")


if __name__ == "__main__":
    main()
