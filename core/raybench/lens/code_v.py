"""Sequence files of CODE V (.seq): what a centred section can hold is read and written."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from raybench.errors import in_quotes
from raybench.lens.glass import AIR, Glass, ModelGlass, glass_from_code, glass_material, glass_name
from raybench.lens.lens_file import (
    FAR,
    MOST_SURFACES,
    LensFile,
    LensFileError,
    distance_from_file,
    file_number,
    number_text,
    radius_from_curvature,
    with_matched_glasses,
)
from raybench.lens.paraxial import first_order
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

UNITS = {"M": "mm", "C": "cm", "I": "in"}
FIELDS = {
    "YAN": FieldKind.ANGLE,
    "YOB": FieldKind.OBJECT_HEIGHT,
    "YIM": FieldKind.IMAGE_HEIGHT,
    "YRI": FieldKind.IMAGE_HEIGHT,
}
TERMS = "ABCDEFGHJ"
"""The letters of the aspheric coefficients of y⁴, y⁶ and so on."""
IGNORED = {
    "XAN",
    "XOB",
    "XIM",
    "XRI",
    "LEN",
    "RDM",
    "GO",
    "INI",
    "CLS",
    "VUX",
    "VLX",
    "DDM",
    "CUM",
    "THM",
}
REFUSED = {
    "DAR": "decentres a surface", "DEC": "decentres a surface", "BEN": "bends the axis", "XDE": "decentres a surface",
    "YDE": "decentres a surface", "ADE": "tilts a surface", "BDE": "tilts a surface", "REX": "has a rectangular aperture",
    "REY": "has a rectangular aperture", "GRT": "is a grating", "DOE": "is a diffractive surface", "HOE": "is a hologram",
}  # fmt: skip


@dataclass
class _Row:
    """A surface as it is read."""

    values: dict[str, Any] = field(default_factory=dict)
    terms: list[float] = field(default_factory=lambda: [0.0] * len(TERMS))
    is_solved: bool = False


def read_code_v(text: str) -> LensFile:
    """Read the text of a .seq file. Raises LensFileError with the line."""
    rows: list[_Row] = []
    omitted: list[str] = []
    heads: dict[str, list[str]] = {}
    stop, is_curvature_mode = 0, False
    image: _Row | None = None
    for where, key, words in _commands(text):
        if key == "RDM":
            is_curvature_mode = bool(words) and words[0].upper().startswith("N")
        elif key in {"SO", "S", "SI"} or re.fullmatch(r"S\d+", key):
            if len(rows) > MOST_SURFACES:
                raise LensFileError(f"{where}: more than {MOST_SURFACES} surfaces.")
            row = _new_row(where, words, is_curvature_mode)
            if key == "SI":
                image = row
            rows.append(row)
        elif key == "STO":
            stop = len(rows) - 1
        elif key in {"TITLE", "TIT"}:
            heads["TITLE"] = [" ".join(words).strip("'\"")]
        elif rows:
            _read_surface_command(rows[-1], len(rows) - 1, key, words, where, omitted)
        elif key in {"ZOO"}:
            omitted.append("Zoom positions; the first one is read.")
        elif key not in IGNORED:
            heads[key] = words
    if image is not None:
        rows.remove(image)
    if len(rows) < 2:
        raise LensFileError(
            "The file has no surfaces between the object and the image: it is cut off or is no"
            " CODE V sequence."
        )
    try:
        system = _system(rows, image, heads, stop, omitted)
        file = with_matched_glasses(system, omitted, {})
        if rows[-1].is_solved:
            try:
                distance = first_order(file.system).image
            except UnknownMaterial:
                return file.with_omitted("The last distance by its solve, for a glass is unknown.")
            file = replace(file, system=file.system.with_surface(-1, thickness=distance))
    except InvalidPrescription as error:
        raise LensFileError(f"The file holds no lens that can be traced. {error}") from None
    return file


def _commands(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each command with its place, its name in capitals and its words. A line that ends with & goes
    on.
    """
    joined, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"!.*", "", line).rstrip()
        first = first if joined else number
        if line.endswith("&"):
            joined += line[:-1] + " "
            continue
        for part in re.split(r";(?=(?:[^'\"]*['\"][^'\"]*['\"])*[^'\"]*$)", joined + line):
            words = part.split()
            if words:
                yield f"Line {first}", words[0].upper(), words[1:]
        joined = ""


def _new_row(where: str, words: list[str], is_curvature_mode: bool) -> _Row:
    row = _Row()
    shape = file_number(words[0], where) if words else 0.0
    row.values["radius"] = (
        radius_from_curvature(shape) if is_curvature_mode else (shape or math.inf)
    )
    row.values["thickness"] = file_number(words[1], where) if len(words) > 1 else 0.0
    for name in words[2:]:
        _read_medium(row, name)
    return row


def _read_medium(row: _Row, name: str) -> None:
    if name.upper() in {"REFL", "RFL"}:
        row.values["is_mirror"] = True
    elif name.upper() != AIR:
        row.values["glass"] = glass_from_code(name) or name.partition("_")[0]


def _read_surface_command(
    row: _Row, number: int, key: str, words: list[str], where: str, omitted: list[str]
) -> None:
    # a command may name its surface, such as CIR S3 5
    words = [w for w in words if not re.fullmatch(r"S\w?\d*|EDG|CLR", w.upper())]
    if key == "CIR":
        if words and "EDG" not in words:
            row.values["semi_diameter"] = file_number(words[0], where)
    elif key in {"K", "CON", "CONIC"} and words:
        row.values["conic"] = file_number(words[0], where)
    elif key in TERMS and len(key) == 1 and words:
        row.terms[TERMS.index(key)] = file_number(words[0], where)
    elif key == "PIM":
        row.is_solved = True
    elif key in {"SLB", "LAB"}:
        row.values["comment"] = " ".join(words).strip("'\"")
    elif key in {"GLA", "GL1", "MED"} and words:
        _read_medium(row, words[0])
    elif key == "THI" and words:
        row.values["thickness"] = file_number(words[0], where)
    elif key == "RDY" and words:
        row.values["radius"] = file_number(words[0], where) or math.inf
    elif key in REFUSED:
        raise LensFileError(
            f"{where}: surface {number} {REFUSED[key]}; a centred section cannot hold that."
        )
    elif key in {"QBF", "QCN", "ZRN", "XYP", "SPS", "UMY", "CUY", "GRA"}:
        omitted.append(f"Surface {number}: {key}, read as a sphere or conic of its radius.")


def _system(
    rows: list[_Row],
    image: _Row | None,
    heads: dict[str, list[str]],
    stop: int,
    omitted: list[str],
) -> Prescription:
    def numbers(key: str) -> list[float]:
        return [file_number(w, key) for w in heads.get(key, [])]

    surfaces: list[Surface] = []
    for row in rows[1:]:
        terms = [0.0, *row.terms] if any(row.terms) else []
        while terms and not terms[-1]:
            terms.pop()
        if not math.isfinite(row.values["thickness"]) or abs(row.values["thickness"]) >= FAR:
            raise LensFileError(f"Surface {len(surfaces) + 1} is infinitely far from the next.")
        surfaces.append(Surface(**row.values, aspheric=tuple(terms)))
    distance = distance_from_file(rows[0].values["thickness"])
    aperture = Aperture(ApertureKind.PUPIL, 1.0)
    for key, kind in (
        ("EPD", ApertureKind.PUPIL),
        ("FNO", ApertureKind.F_NUMBER),
        ("NAO", ApertureKind.OBJECT_NA),
    ):
        if numbers(key):
            aperture = Aperture(kind, numbers(key)[0])
    if numbers("NA"):
        aperture = Aperture(ApertureKind.F_NUMBER, 1 / (2 * numbers("NA")[0]))
        omitted.append("The numerical aperture of the image is read as the f-number 1/(2 NA).")
    key = next((k for k in FIELDS if k in heads), "YAN")
    if key == "YRI":
        omitted.append("Fields by real image height are read as paraxial image heights.")
    upper, lower, weights = numbers("VUY"), numbers("VLY"), numbers("WTF")
    fields = [
        Field(
            value,
            weights[i] if i < len(weights) else 1.0,
            lower[i] if i < len(lower) else 0.0,
            upper[i] if i < len(upper) else 0.0,
        )
        for i, value in enumerate(numbers(key) or [0.0])
    ]
    weight = numbers("WTW")
    waves = [
        Wavelength(value, weight[i] if i < len(weight) else 1.0)
        for i, value in enumerate(numbers("WL"))
    ] or [Wavelength(587.5618)]
    primary = int((numbers("REF") or [(len(waves) + 1) // 2])[0]) - 1
    unit = (heads.get("DIM") or ["M"])[0].upper()[:1]
    if unit not in UNITS:
        raise LensFileError(f"The unit {in_quotes(unit, 20)} is unknown. Use M, C or I.")
    return Prescription(
        surfaces=tuple(surfaces),
        stop=max(stop - 1, 0),
        aperture=aperture,
        object_distance=distance,
        object_glass=rows[0].values.get("glass", AIR),
        field_kind=FIELDS[key],
        fields=tuple(fields),
        wavelengths=tuple(waves),
        primary=primary if 0 <= primary < len(waves) else 0,
        image_radius=image.values["radius"] if image is not None else math.inf,
        unit=UNITS[unit],
        title=(heads.get("TITLE") or [""])[0],
    )


def write_code_v(system: Prescription) -> tuple[str, tuple[str, ...]]:
    """The text of a .seq file, and what it leaves out, a sentence each."""
    omitted: list[str] = []
    units = {v: k for k, v in UNITS.items()}
    if system.unit not in units:
        raise LensFileError(f"CODE V knows no {system.unit}. Scale the lens to mm, cm or in first.")
    lines = ["RDM;LEN"]
    if system.title:
        lines.append(f"TITLE '{system.title.replace(chr(39), ' ')[:80]}'")
    lines += [f"! {note}" for note in system.notes]
    aperture = system.aperture
    if aperture.kind is ApertureKind.STOP:
        lines.append(f"EPD {number_text(first_order(system).entrance_diameter)}")
        omitted.append("The aperture by the size of the stop is written as the pupil's diameter.")
    else:
        key = {
            ApertureKind.PUPIL: "EPD",
            ApertureKind.F_NUMBER: "FNO",
            ApertureKind.OBJECT_NA: "NAO",
        }[aperture.kind]
        lines.append(f"{key} {number_text(aperture.value)}")
    lines.append(f"DIM {units[system.unit]}")
    # wavelengths go from long to short
    order = sorted(range(len(system.wavelengths)), key=lambda i: -system.wavelengths[i].value)
    waves = [system.wavelengths[i] for i in order]
    field_key = {v: k for k, v in reversed(FIELDS.items())}[system.field_kind]
    lines += [
        _listed("WL", [w.value for w in waves]),
        f"REF {order.index(system.primary) + 1}",
        "WTW " + " ".join(str(round(w.weight * _weight_scale(waves))) for w in waves),
        _listed(field_key, [f.value for f in system.fields]),
        _listed("WTF", [f.weight for f in system.fields]),
        _listed("VUY", [f.upper_vignetting for f in system.fields]),
        _listed("VLY", [f.lower_vignetting for f in system.fields]),
    ]
    if any(w.weight * _weight_scale(waves) % 1 > 1e-9 for w in waves):
        omitted.append("Weights of wavelengths are rounded to integers.")
    distance = system.object_distance
    lines.append(
        f"SO 0.0 {'0.1e14' if math.isinf(distance) else number_text(distance)}"
        + _medium(system.object_glass, 0, omitted)
    )
    for number, surface in enumerate(system.surfaces, 1):
        radius = 0.0 if math.isinf(surface.radius) else surface.radius
        medium = " REFL" if surface.is_mirror else _medium(surface.glass, number, omitted)
        lines.append(f"S {number_text(radius)} {number_text(surface.thickness)}{medium}")
        if surface.comment:
            lines.append(f"  SLB '{surface.comment.replace(chr(39), ' ')}'")
        if number - 1 == system.stop:
            lines.append("  STO")
        if surface.semi_diameter is not None:
            lines.append(f"  CIR {number_text(surface.semi_diameter)}")
        lines += _shape_lines(surface, number, omitted)
    radius = 0.0 if math.isinf(system.image_radius) else system.image_radius
    lines += [f"SI {number_text(radius)} 0.0", "GO"]
    return "\n".join(lines) + "\n", tuple(dict.fromkeys(omitted))


def _shape_lines(surface: Surface, number: int, omitted: list[str]) -> Iterator[str]:
    terms = surface.aspheric
    if any(terms):
        if terms[0]:
            raise LensFileError(
                f"Surface {number} has a term of y², which CODE V does not hold. Put it into the"
                " radius."
            )
        yield "  ASP"
        yield f"  K {number_text(surface.conic)}"
        for letter, term in zip(TERMS, terms[1:], strict=False):
            yield f"  {letter} {number_text(term)}"
        if any(terms[1 + len(TERMS) :]):
            omitted.append(f"Surface {number}: aspheric terms beyond y²⁰.")
    elif surface.conic:
        yield "  CON"
        yield f"  K {number_text(surface.conic)}"


def _weight_scale(waves: list[Wavelength]) -> float:
    """The factor that makes the weights integers if one of 1, 10 and 100 does, else 100."""
    for scale in (1.0, 10.0):
        if all(abs(w.weight * scale - round(w.weight * scale)) < 1e-9 for w in waves):
            return scale
    return 100.0


def _listed(key: str, values: list[float]) -> str:
    return " ".join([key, *map(number_text, values)])


def _medium(glass: Glass, number: int, omitted: list[str]) -> str:
    """The word of a medium, with a space before it; empty for air."""
    if glass == AIR:
        return ""
    if not isinstance(glass, ModelGlass):
        name = glass_name(glass)
        try:
            material = glass_material(glass)
        except UnknownMaterial:
            return f" {name.replace(' ', '_')}"
        maker = material.source.split()[0] if material.source else ""
        if isinstance(glass, str) and maker.isupper() and len(maker) > 2:
            return f" {name.replace('-', '').replace(' ', '')}_{maker}"
        if material.n_d is None:
            raise LensFileError(f"{name} of surface {number} has no index at the d line.")
        omitted.append(f"Surface {number}: {name} is written as its index and Abbe number.")
        glass = ModelGlass(material.n_d, material.v_d or math.inf)
    if not 1 <= glass.n_d < 2:
        raise LensFileError(
            f"Surface {number}: the index {glass.n_d:g} has no glass code, which reaches from 1 to 2."
        )
    if not glass.v_d < 100:
        omitted.append(f"Surface {number}: a glass without dispersion has an Abbe number of 100.")
    return f" {_fraction(glass.n_d - 1)}.{_fraction(min(glass.v_d, 99.9999) / 100)}"


def _fraction(value: float) -> str:
    """The digits of a fraction behind the point, at least six: 0.5168 gives 516800."""
    return f"{value:.8f}"[2:].rstrip("0").ljust(6, "0")
