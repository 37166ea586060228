"""Checks of a lens during editing: first-order data, edge thicknesses and faults."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError
from raybench.lens.clearance import clear_semi_diameters, edge_thicknesses
from raybench.lens.glass import AIR
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import FieldKind, InvalidPrescription, Prescription, glass_index
from raybench.lens.sequential import trace_systems
from raybench.materials.catalogue import UnknownMaterial
from raybench.materials.dispersion import OutsideRange
from raybench.phrase import Phrase

RAYS = np.array([-1.0, 0.0, 1.0])
"""Relative pupil heights of the rays that are tried."""
RAY_NAMES = Phrase("lower rim ray"), Phrase("chief ray"), Phrase("upper rim ray")


@dataclass(frozen=True)
class LensFault:
    """A fault of a lens: a sentence, the index of the surface (None for the whole system), and the
    name of the lens table column that is concerned.
    """

    text: str
    surface: int | None = None
    quantity: str = ""


@dataclass(frozen=True)
class LensChecks:
    """The result of the checks of a lens.

    Attributes:
        first: First-order data; None where there are none.
        semi_diameters: Half the clear aperture of each surface; empty if unknown.
        edge_thicknesses: Edge thickness behind each surface except the last; empty if unknown.
        findings: The faults, by surface.
    """

    first: FirstOrder | None = None
    semi_diameters: tuple[float, ...] = ()
    edge_thicknesses: tuple[float, ...] = ()
    findings: tuple[LensFault, ...] = ()


def check_lens(system: Prescription) -> LensChecks:
    """Check a lens: whether its glasses have data at its wavelengths, light passes the stop,
    surfaces reach their semi-diameters and do not cross, and rays of all fields reach the image.
    """
    if missing := _find_glasses_without_data(system):
        return LensChecks(findings=tuple(missing))
    try:
        first = first_order(system)
        halves = clear_semi_diameters(system)
        found = [*_find_short_surfaces(system, halves), *_find_lost_rays(system, first)]
    except (InvalidPrescription, ArithmeticError) as error:
        no_order = Phrase("The lens has no first order.")
        text = str(error) if isinstance(error, RaybenchError) else no_order
        return LensChecks(findings=(LensFault(text),))
    edges = edge_thicknesses(system, halves)
    found += _find_crossing_surfaces(system, edges)
    found.sort(key=lambda f: -1 if f.surface is None else f.surface)
    return LensChecks(first, halves, edges, tuple(found))


def _find_glasses_without_data(system: Prescription) -> list[LensFault]:
    found = []
    media = [(None, system.object_glass), *((i, s.glass) for i, s in enumerate(system.surfaces))]
    for index, glass in media:
        try:
            for wave in system.wavelengths:
                glass_index(glass, wave.value)
        except (UnknownMaterial, OutsideRange) as error:
            found.append(LensFault(str(error), index, "glass"))
    return found


def _find_short_surfaces(system: Prescription, halves: tuple[float, ...]) -> list[LensFault]:
    return [
        LensFault(
            Phrase(
                "Surface {number} with the radius {radius:.6g} does not reach the height {half:.4g}."
                " Make its semi-diameter smaller, or the radius longer.",
                number=i,
                radius=s.radius,
                half=half,
            ),
            i - 1,
            "radius",
        )
        for i, (s, half) in enumerate(zip(system.surfaces, halves, strict=True), 1)
        if math.isnan(s.sag(half))
    ]


def _find_crossing_surfaces(system: Prescription, edges: tuple[float, ...]) -> list[LensFault]:
    """Find gaps that are negative at the rim or on the axis: thicknesses of glass, and air gaps
    between glasses.
    """
    surfaces, found, sign = system.surfaces, [], 1.0
    media = [system.object_glass]
    for s in surfaces:
        media.append(media[-1] if s.is_mirror else s.glass)
    for i, edge in enumerate(edges):
        sign = -sign if surfaces[i].is_mirror else sign
        is_body = media[i + 1] != AIR or (media[i] != AIR and media[i + 2] != AIR)
        middle = sign * surfaces[i].thickness
        if not is_body or (middle >= 0 and not edge < 0):
            continue
        where = Phrase("on the axis") if middle < 0 else Phrase("at the rim")
        found.append(
            LensFault(
                Phrase(
                    "Surfaces {first} and {second} cross {where}, by {overlap:.4g} {unit}. Make the"
                    " thickness larger, or a semi-diameter smaller.",
                    first=i + 1,
                    second=i + 2,
                    where=where,
                    overlap=-middle if middle < 0 else -edge,
                    unit=system.unit,
                ),
                i,
                "thickness",
            )
        )
    return found


def _find_lost_rays(system: Prescription, first: FirstOrder) -> list[LensFault]:
    """Find the surfaces at which rays end although they are within all given semi-diameters. Each
    is reported with the first such ray.
    """
    found: dict[int, LensFault] = {}
    unit = "°" if system.field_kind is FieldKind.ANGLE else f" {system.unit}"
    one_colour = replace(system, wavelengths=(system.wavelengths[system.primary],), primary=0)
    (fan,) = trace_systems((one_colour,), RAYS, firsts=(first,))
    rays = itertools.product(system.fields, RAY_NAMES)
    for (point, name), y, dx in zip(rays, fan.y.T, fan.dx.T, strict=True):
        end = _find_ray_end(system, y, dx)
        if end is None or end[0] in found:
            continue
        index, what = end
        is_image = index == len(system.surfaces)
        found[index] = LensFault(
            Phrase(
                "The {ray} of the field {field:g}{unit} {what} {surface}.",
                ray=name,
                field=point.value,
                unit=unit,
                what=what,
                surface=Phrase("the image surface")
                if is_image
                else Phrase("surface {row}", row=index + 1),
            ),
            index,
        )
    return list(found.values())


def _find_ray_end(system: Prescription, y: Floats, dx: Floats) -> tuple[int, str] | None:
    """The index of the surface at which a ray is lost, and the reason; None if the ray reaches the
    image or a semi-diameter blocks it.
    """
    for i, height in enumerate(y):
        if math.isnan(height):
            return i, Phrase("misses")
        if i < len(system.surfaces) and math.isnan(dx[i]):
            half = system.surfaces[i].semi_diameter
            is_clipped = half is not None and abs(height) > half
            return None if is_clipped else (i, Phrase("is totally reflected at"))
    return None
