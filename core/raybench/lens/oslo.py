"""Reads and writes lens files of OSLO (.len), as far as a centred system in a plane can hold their
contents.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from raybench.kinds.fields import METRES
from raybench.lens.glass import AIR, Glass, ModelGlass, glass_name
from raybench.lens.lens_file import (
    INFINITE_DISTANCE,
    MOST_SURFACES,
    NEAR_F_NUMBER,
    LensFile,
    LensFileError,
    distance_from_file,
    file_integer,
    file_number,
    glass_from_indices,
    indices_text,
    number_text,
    radius_from_curvature,
    split_commands,
    with_matched_glasses,
)
from raybench.lens.paraxial import first_order, marginal_and_chief_rays
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Surface,
    Wavelength,
)
from raybench.materials.catalogue import UnknownMaterial

TERMS = {"AD": 1, "AE": 2, "AF": 3, "AG": 4, **{f"AS{i}": i - 1 for i in range(1, 21)}}
"""The places of coefficients among those of y², y⁴, y⁶ and so on: of the standard asphere from y⁴
to y¹⁰, and of the symmetric general one.
"""
GENERAL = "ASR"
"""The type of the symmetric general asphere."""
REFUSED = {
    **dict.fromkeys(("TLA", "TLB", "TLC", "DCX", "DCY", "DCZ"), "is tilted or decentred"),
    **dict.fromkeys(("GSP", "DOE", "HOR"), "is a grating or a hologram"),
    "PFL": "is a perfect lens, which has no glass",
}
PICKUP_PARAMETERS = {
    "GLA": "glass", "RD": "radius", "CV": "radius", "CVM": "radius", "TH": "thickness", "THM": "thickness", "AP": "semi_diameter",
}  # fmt: skip
"""What a surface may take from another one; with the other sign, if the name ends in M."""
IGNORED_COMMANDS = {
    "DES", "AIR", "DLRS", "DLVA", "DLMN", "DLMX", "DLAP", "DLFP", "DLNR", "DLNF", "DLTA", "DRW", "GIH", "WVF", "SDAD", "CBK", "CBR", "PFM", "OPDS",
    "TCE",
}  # fmt: skip
"""Commands that change no ray: the designer's name, drawing, and settings of analyses."""
LONGEST_TITLE, MOST_NOTES = 32, 5
LARGEST_INDEX = 10.0
"""What stands beside an index and is larger is an Abbe number."""
HEAD_COMMANDS = {"WV", "WW", "EBR", "ANG", "OBH", "UNI", "NAO", "FNO", "IMH"}


@dataclass
class _SurfaceEntries:
    """The entries of a surface in a file."""

    values: dict[str, Any] = field(default_factory=dict)
    terms: dict[str, float] = field(default_factory=dict)
    asphere: str = ""
    picked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    solves: dict[str, float] = field(default_factory=dict)
    indices: list[float] = field(default_factory=list)


def read_oslo(text: str) -> LensFile:
    """Read the text of a .len file. Raises LensFileError with the line number."""
    rows: list[_SurfaceEntries] = [_SurfaceEntries()]
    heads: dict[str, list[float]] = {}
    omitted: list[str] = []
    title, stop, notes, begun, ended = "", None, [], False, False
    is_first = True  # of several configurations
    commands = (
        (f"Line {number}", words)
        for number, line in enumerate(text.splitlines(), 1)
        for words in split_commands(line, "//", '"')
    )
    for where, words in commands:
        key = words[0].upper()
        if key == "LEN":
            begun, title = True, (words[2:] or [""])[0]
        elif not begun:
            continue
        elif key == "END":
            ended = True
            break
        elif key == "CFG":
            is_first = words[1:2] == ["1"]
            if not is_first:
                omitted.append("Further configurations; the first one is read.")
        elif not is_first:
            continue
        elif key == "NXT":
            if len(rows) > MOST_SURFACES:
                raise LensFileError(f"{where}: more than {MOST_SURFACES} surfaces.")
            rows.append(_SurfaceEntries())
        elif key in HEAD_COMMANDS:
            heads[key] = [file_number(w, where) for w in words[1:]]
        elif key.startswith("SNO") or key == "NOTE":
            notes.append(" ".join(words[1:]))
        elif key == "AST":
            stop = len(rows) - 1
        elif key in REFUSED and any(file_number(w, where) for w in words[1:2]):
            raise LensFileError(
                f"{where}: surface {len(rows) - 1} {REFUSED[key]}; a centred section cannot hold that."
            )
        elif key not in IGNORED_COMMANDS and key not in REFUSED:
            _read_surface_command(rows[-1], len(rows) - 1, key, words[1:], where, omitted)
    if len(rows) < 3:
        raise LensFileError(
            "The file has no surfaces between the object and the image: it is cut off or is no OSLO"
            " lens file."
        )
    if not ended:
        raise LensFileError("The file has no END: it is cut off.")
    try:
        system = _make_prescription(rows, heads, (stop or 1) - 1, title, notes, omitted)
        file = with_matched_glasses(system, omitted, {})
        try:
            file = replace(file, system=_apply_solves(file.system, rows))
        except UnknownMaterial:
            file = file.with_omitted("Radii and distances by solves, for a glass is unknown.")
        return file.with_image_moved(rows[-1].values.get("thickness", 0.0))
    except InvalidPrescription as error:
        raise LensFileError(f"The file holds no lens that can be traced. {error}") from None


def _read_surface_command(
    row: _SurfaceEntries, number: int, key: str, words: list[str], where: str, omitted: list[str]
) -> None:
    def value(at: int = 0) -> float:
        if len(words) <= at:
            raise LensFileError(f"{where}: {key} without its number; the file is cut off.")
        return file_number(words[at], where)

    if key == "RD":
        row.values["radius"] = value() or math.inf
    elif key == "CV":
        row.values["radius"] = radius_from_curvature(value())
    elif key == "TH":
        row.values["thickness"] = value()
    elif key == "CC":
        row.values["conic"] = value()
    elif key == "AS0" and not value():  # a shift of the surface
        pass
    elif key in TERMS and (row.asphere or not key.startswith("AS")):
        row.terms[key] = value()
    elif key == "GLA":
        if words[:1] and words[0].upper() == "MOD":
            words = words[1:]
        if words and words[0][:1].isdigit() and "." in words[0]:  # an index without a name
            words = [f"Glass {number}", *words]
        row.values["glass"] = words[0] if words else AIR
        row.indices = [file_number(w, where) for w in words[1:]]
    elif key == "RN":
        row.indices = [file_number(w, where) for w in words]
    elif key in {"RFL", "RFH"}:
        row.values["is_mirror"] = True
    elif key == "AP":
        fixed = [w for w in words if not w.upper().startswith(("CHK", "SPC"))]
        half = file_number(fixed[0], where) if fixed else 0.0
        if half and math.isfinite(half):  # with 0 the program finds it
            row.values["semi_diameter"] = half
    elif key == "PK":
        row.picked[words[0].upper() if words else ""] = tuple(words[1:])
    elif key in {"PY", "PU", "PUC", "PYC"}:
        row.solves[key] = value()
    elif key == "NOT":
        row.values["comment"] = " ".join(words)
    elif key == "ASP" and words[:1] == [GENERAL]:
        row.asphere = GENERAL
    elif key == "ASP":
        omitted.append(f"Surface {number}: the aspheric type {' '.join(words) or '?'}.")
    else:
        omitted.append(f"Surface {number}: {' '.join([key, *words[:1]])}, which is not read.")


def _make_prescription(
    rows: list[_SurfaceEntries],
    heads: dict[str, list[float]],
    stop: int,
    title: str,
    notes: list[str],
    omitted: list[str],
) -> Prescription:
    waves = heads.get("WV") or [0.58756]
    weights = heads.get("WW") or []
    unit = {1.0: "mm", 10.0: "cm", 25.4: "in", 1000.0: "m"}.get((heads.get("UNI") or [1.0])[0])
    if unit is None:
        raise LensFileError("The unit of the file is none of mm, cm, in and m.")
    for i, row in enumerate(rows):
        _apply_pickups(rows, i)
        if i in {0, len(rows) - 1}:
            end = "image" if i else "object"
            omitted.extend(f"Surface {i}: the solve {key} of the {end}." for key in row.solves)
    surfaces = [_make_surface(row, i, waves) for i, row in enumerate(rows[:-1])]
    distance = distance_from_file(surfaces[0].thickness)
    far = math.isinf(distance)
    fields, kind = heads.get("ANG") or [], FieldKind.ANGLE
    if not fields and "OBH" in heads:
        fields, kind = heads["OBH"], FieldKind.OBJECT_HEIGHT
        if far:
            kind = FieldKind.ANGLE
            fields = [math.degrees(math.atan(v / surfaces[0].thickness)) for v in fields]
    if not fields and "IMH" in heads:
        fields, kind = heads["IMH"], FieldKind.IMAGE_HEIGHT
    largest = fields[0] if fields else 0.0
    aperture = Aperture(ApertureKind.PUPIL, 2 * (heads.get("EBR") or [1.0])[0])
    if heads.get("NAO") and far:
        omitted.append("The numerical aperture of an object at infinity.")
    elif heads.get("NAO"):
        aperture = Aperture(ApertureKind.OBJECT_NA, heads["NAO"][0])
    elif heads.get("FNO"):
        aperture = Aperture(ApertureKind.F_NUMBER, heads["FNO"][0])
        if not far:
            omitted.append(NEAR_F_NUMBER)
    if not any(heads.get(key) for key in ("EBR", "NAO", "FNO")):
        omitted.append("The file states no aperture; a beam radius of 1 is used.")
    if surfaces[0].curvature:
        omitted.append("The object surface is read as a plane.")
    if rows[-1].values.get("conic") or rows[-1].terms:
        omitted.append("The image surface is read as a sphere of its radius.")
    small = abs(largest) < 1e-3  # the program's own smallest field
    return Prescription(
        surfaces=tuple(surfaces[1:]),
        stop=min(stop, len(surfaces) - 2),
        aperture=aperture,
        object_distance=distance,
        object_glass=surfaces[0].glass,
        field_kind=kind,
        fields=tuple(Field(v) for v in ((0.0,) if small else _shown_fields(largest))),
        wavelengths=tuple(
            Wavelength(w * 1000, weights[i] if i < len(weights) else 1.0)
            for i, w in enumerate(waves)
        ),
        image_radius=rows[-1].values.get("radius", math.inf),
        unit=unit,
        title=title,
        notes=tuple(notes),
    )


def _shown_fields(largest: float) -> tuple[float, ...]:
    """The fields for which OSLO shows aberrations, computed from the largest field."""
    return 0.0, round(0.7 * largest, 12), largest


def _apply_pickups(rows: list[_SurfaceEntries], index: int) -> None:
    """Set the values that a row picks up from earlier rows (PK: the quantity, the row, and a
    constant that is added).
    """
    row = rows[index]
    for name, words in row.picked.items():
        if not words:
            raise LensFileError(f"Surface {index}: PK {name} without its number.")
        other = file_integer(words[0], f"Surface {index}")
        other = other if other >= 0 else index + other
        key, sign = PICKUP_PARAMETERS.get(name), -1 if name.endswith("M") else 1
        added = file_number(words[1], f"Surface {index}") if len(words) > 1 else 0.0
        if key is None or not 0 <= other < index:
            raise LensFileError(
                f"Surface {index} takes its {name} from another surface, which cannot be followed."
            )
        source = rows[other].values
        if key == "thickness":
            row.values[key] = sign * source.get(key, 0.0) + added
        elif key == "radius":
            radius = sign * source.get(key, math.inf)
            row.values[key] = (
                radius_from_curvature(1 / radius + added) if radius and added else radius
            )
        elif key in source:
            row.values[key] = source[key]
        if key == "glass":
            row.indices = rows[other].indices


def _make_surface(row: _SurfaceEntries, index: int, waves: list[float]) -> Surface:
    values = dict(row.values)
    if index and (
        math.isinf(values.get("thickness", 0))
        or abs(values.get("thickness", 0)) >= INFINITE_DISTANCE
    ):
        raise LensFileError(f"Surface {index} is infinitely far from the next.")
    if len(row.indices) == 2 and row.indices[1] > LARGEST_INDEX:
        values["glass"] = ModelGlass(*row.indices)
    elif row.indices:  # indices at the wavelengths of the file
        lengths = [1000 * w for w in waves]
        if len(row.indices) == 1:  # without dispersion
            row.indices *= len(lengths)
        if len(row.indices) < min(len(lengths), 2):
            raise LensFileError(f"Surface {index}: a glass with too few indices.")
        where = f"Surface {index}"
        name = str(values.get("glass", f"Glass {index}"))
        values["glass"] = glass_from_indices(name, lengths, row.indices[: len(lengths)], where)
    if row.terms:
        terms = [0.0] * (1 + max(TERMS[key] for key in row.terms))
        for key, value in row.terms.items():
            terms[TERMS[key]] += value
        while terms and not terms[-1]:
            terms.pop()
        values["aspheric"] = tuple(terms)
    if not index:
        values.pop("semi_diameter", None)
    return Surface(**values)


def _apply_solves(system: Prescription, rows: list[_SurfaceEntries]) -> Prescription:
    """The system with the curvatures and thicknesses that the solves of its rows determine, applied
    from front to back.
    """
    for i, row in enumerate(rows[1:-1]):
        for key, value in row.solves.items():
            marginal, chief = marginal_and_chief_rays(system)
            ray = chief if key.endswith("C") else marginal
            y, slope = float(ray.y[i]), float(ray.u[i + 1])
            if key in {"PY", "PYC"}:
                if not slope:
                    raise LensFileError(f"Surface {i + 1}: no distance gives the height {value:g}.")
                system = system.with_surface(i, thickness=(value - y) / slope)
            else:
                n = system.indices(system.primary_wavelength)
                power = n[i] * float(ray.u[i]) - n[i + 1] * value
                bend = y * (n[i + 1] - n[i])
                if not bend:
                    raise LensFileError(f"Surface {i + 1}: no radius gives the slope {value:g}.")
                system = system.with_surface(i, radius=radius_from_curvature(power / bend))
    return system


def write_oslo(system: Prescription) -> tuple[str, tuple[str, ...]]:
    """The text of a .len file, and a sentence for each omitted content."""
    omitted: list[str] = []
    first = first_order(system)
    scale = float(METRES[system.unit] / METRES["mm"])
    largest = max((f.value for f in system.fields), key=abs)
    if len(system.title) > LONGEST_TITLE:
        omitted.append(f"The title beyond {LONGEST_TITLE} characters.")
    if len(system.notes) > MOST_NOTES:
        omitted.append(f"Remarks beyond {MOST_NOTES} lines.")
    lines = [
        "// OSLO 6.1",
        f'LEN NEW "{system.title.replace(chr(34), " ")[:LONGEST_TITLE]}" {first.focal_length:.6g}'
        f" {len(system.surfaces) + 1}",
    ]
    if system.aperture.kind is ApertureKind.OBJECT_NA:
        lines.append(f"NAO {number_text(system.aperture.value)}")
    elif system.aperture.kind is ApertureKind.F_NUMBER and math.isinf(system.object_distance):
        lines.append(f"FNO {number_text(system.aperture.value)}")
    else:
        lines.append(f"EBR {number_text(first.entrance_diameter / 2)}")
        if system.aperture.kind is ApertureKind.STOP:
            omitted.append("The aperture by the size of the stop is written as the beam radius.")
    if system.field_kind is FieldKind.ANGLE:
        lines.append(f"ANG {number_text(largest or 0.0000572957795)}")
    else:
        height = largest
        if system.field_kind is FieldKind.IMAGE_HEIGHT:
            if math.isinf(system.object_distance):
                angle = math.degrees(math.atan(largest / first.focal_length))
                lines.append(f"ANG {number_text(angle)}")
                omitted.append("The field by image height is written as its angle.")
            else:
                height = largest / first.magnification
                omitted.append("The field by image height is written as the object's height.")
        if math.isfinite(system.object_distance):
            lines.append(f"OBH {number_text(height)}")
    if {f.value for f in system.fields} - set(_shown_fields(largest)):
        omitted.append("Fields between the axis and the largest one.")
    if any(f.weight != 1 or f.upper_vignetting or f.lower_vignetting for f in system.fields):
        omitted.append("Weights and vignetting factors of fields.")
    lines.append(f"UNI {number_text(scale)}")
    lines += [f'SNO{i} "{note}"' for i, note in enumerate(system.notes[:MOST_NOTES], 1)]
    waves = [system.wavelengths[system.primary]] + [
        w for i, w in enumerate(system.wavelengths) if i != system.primary
    ]
    far = math.isinf(system.object_distance)
    lines += [
        "// SRF 0",
        _medium_entry(system.object_glass, waves, 0, omitted),
        f"TH {'1.0e+20' if far else number_text(system.object_distance)}",
    ]
    for number, surface in enumerate(system.surfaces, 1):
        lines += [f"NXT // SRF {number}", *_surface_lines(surface, number, waves, omitted)]
        if number - 1 == system.stop:
            lines.append("AST")
    lines += [f"NXT // SRF {len(system.surfaces) + 1}", AIR]
    if math.isfinite(system.image_radius):
        lines.append(f"RD {number_text(system.image_radius)}")
    lines += [
        _wavelength_entry(waves),
        "WW " + " ".join(number_text(w.weight) for w in waves),
        f"END {len(system.surfaces) + 1}",
    ]
    return "\n".join(lines) + "\n", tuple(dict.fromkeys(omitted))


def _surface_lines(
    surface: Surface, number: int, waves: list[Wavelength], omitted: list[str]
) -> Iterator[str]:
    if surface.comment:
        yield f'NOT "{surface.comment.replace(chr(34), " ")}"'
    yield "RFL" if surface.is_mirror else _medium_entry(surface.glass, waves, number, omitted)
    if math.isfinite(surface.radius):
        yield f"RD {number_text(surface.radius)}"
    yield f"TH {number_text(surface.thickness)}"
    if surface.semi_diameter is not None:
        yield f"AP CHK {number_text(surface.semi_diameter)}"
    if surface.conic:
        yield f"CC {number_text(surface.conic)}"
    if any(surface.aspheric):
        is_general = surface.aspheric[0] != 0 or any(surface.aspheric[5:])
        if is_general:
            yield f"ASP {GENERAL} {len(surface.aspheric)}"
        for key, place in TERMS.items():
            if key.startswith("AS") == is_general and place < len(surface.aspheric):
                yield f"{key} {number_text(surface.aspheric[place])}"
        if any(surface.aspheric[20:]):
            omitted.append(f"Surface {number}: aspheric terms beyond y⁴⁰.")


def _medium_entry(glass: Glass, waves: list[Wavelength], number: int, omitted: list[str]) -> str:
    """The entry of a medium: AIR, the name of a catalogue glass, or wavelengths and the indices at
    them.
    """
    if glass == AIR:
        return AIR
    name = glass_name(glass).rpartition("/")[2].replace(" ", "_")
    if isinstance(glass, str):
        return f"GLA {name}"
    if isinstance(glass, ModelGlass):
        v_d = min(glass.v_d, 99.9)
        name = f"M{round((glass.n_d - 1) * 1000):03d}{round(v_d * 10):03d}"
    indices = indices_text(glass, waves, f"Surface {number}", omitted)
    return f"{_wavelength_entry(waves)}\nGLA MOD {name} {indices}"


def _wavelength_entry(waves: list[Wavelength]) -> str:
    return "WV " + " ".join(number_text(w.value / 1000) for w in waves)
