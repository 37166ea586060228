"""Reads and writes sequence files of CODE V (.seq), as far as a centred system in a plane can hold
their contents.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from raybench.errors import in_quotes
from raybench.lens.glass import (
    AIR,
    Glass,
    ModelGlass,
    glass_from_code,
    glass_material,
    name_and_maker,
)
from raybench.lens.lens_file import (
    INFINITE_DISTANCE,
    MOST_SURFACES,
    NEAR_F_NUMBER,
    NO_APERTURE,
    LensFile,
    LensFileError,
    distance_from_file,
    file_integer,
    file_number,
    glass_from_indices,
    indices_text,
    number_text,
    radius_from_curvature,
    reference_wavelength_index,
    split_commands,
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
from raybench.materials.dispersion import Dispersion
from raybench.materials.material import Material

UNITS = {"M": "mm", "C": "cm", "I": "in"}
FIELDS = {
    "YAN": FieldKind.ANGLE,
    "YOB": FieldKind.OBJECT_HEIGHT,
    "YIM": FieldKind.IMAGE_HEIGHT,
    "YRI": FieldKind.IMAGE_HEIGHT,
}
TERMS = "ABCDEFGHJ"
"""The letters of the aspheric coefficients of y⁴, y⁶ and so on."""
SYSTEM_COMMANDS = {
    *FIELDS, "XAN", "XOB", "XIM", "XRI", "EPD", "FNO", "NAO", "NA", "DIM", "WL", "REF", "WTW", "WTF",
    "VUY", "VLY", "TITLE",
}  # fmt: skip
"""The commands of the whole system that are read, wherever they stand."""
IGNORED_COMMANDS = {
    "LEN", "GO", "INI", "CA", "CLS", "VUX", "VLX", "DDM", "DER", "WRX", "CUM", "THM", "ASP", "CON", "SPH", "CCY",
    "THC", "GLC", "POL", "IC", "GL2", "KC", "SAV", "RES", "END", "WTX", "DSP", "THG", "CUF",
    "CDE", "TEM", "PRE", "DOR", "UID", *(term + "C" for term in TERMS),
}  # fmt: skip
"""Commands that change no ray: names, couplings of variables, drawing, and heads of what follows.
"""
REFUSED = {
    "DAR": "decentres a surface", "DEC": "decentres a surface", "BEN": "bends the axis", "XDE": "decentres a surface",
    "YDE": "decentres a surface", "ZDE": "shifts a surface", "ADE": "tilts a surface", "BDE": "tilts a surface",
    "REX": "has a rectangular aperture", "REY": "has a rectangular aperture", "GRT": "is a grating", "DOE": "is a diffractive surface", "HOE": "is a hologram",
    "DIF": "is a diffractive surface",
}  # fmt: skip
LONGEST_TITLE = 80
LAURENT_TERMS = 6
"""Coefficients of Laurent's formula, of λ⁰, λ², λ⁻² and so on."""
SHAPE_TYPES = {"QBF", "QCN", "ZRN", "XYP", "SPS", "UMY", "GRA", "CYL", "YTO", "XTO", "AAS"}


@dataclass(eq=False)
class _SurfaceEntries:
    """The entries of a surface in a file."""

    values: dict[str, Any] = field(default_factory=dict)
    terms: list[float] = field(default_factory=lambda: [0.0] * len(TERMS))
    is_solved: bool = False


@dataclass
class _ReaderState:
    """The state of reading a file: the surfaces from the object on, the image surface, the words of
    system commands, the stop, sentences about omitted contents, private glasses, and the makers of
    other glasses.
    """

    rows: list[_SurfaceEntries] = field(default_factory=list)
    image: _SurfaceEntries | None = None
    heads: dict[str, list[str]] = field(default_factory=dict)
    stop: _SurfaceEntries | None = None
    omitted: list[str] = field(default_factory=list)
    is_curvature_mode: bool | None = None
    glasses: dict[str, Glass] = field(default_factory=dict)
    waves: list[float] = field(default_factory=list)
    makers: list[str] = field(default_factory=list)

    def surface_name(self, row: _SurfaceEntries) -> str:
        return "the image surface" if row is self.image else f"surface {self.rows.index(row)}"

    def find_surface(self, word: str, where: str) -> _SurfaceEntries:
        """The row of the surface that a word such as S3, SO or SI names."""
        word = word.upper()
        if word == "SI" and self.image is not None:
            return self.image
        at = 0 if word == "SO" else int(word[1:]) if word[1:].isdigit() else len(self.rows)
        if at >= len(self.rows):
            raise LensFileError(f"{where}: there is no surface {word} before this line.")
        return self.rows[at]


def read_code_v(text: str) -> LensFile:
    """Read the text of a .seq file. Raises LensFileError with the line number."""
    read, is_private = _ReaderState(), False
    for where, key, words in _commands(text):
        key = {"TIT": "TITLE", "STOP": "STO"}.get(key, key)
        if key == "PRV":
            is_private = True
        elif is_private:
            is_private = key != "END"
            _read_private_glass(read, key, words, where)
        elif key == "RDM":
            read.is_curvature_mode = bool(words) and words[0].upper().startswith("N")
        elif key in {"SO", "S", "SI"} or re.fullmatch(r"S\d+", key):
            _read_surface(read, key, words, where)
        elif key == "ZOO":
            read.omitted.append("Zoom positions; the first one is read.")
        elif key in SYSTEM_COMMANDS:
            read.heads[key] = words
        elif key not in IGNORED_COMMANDS or key == "CON":
            _read_surface_command(read, key, words, where)
    image = read.image
    rows = read.rows = [row for row in read.rows if row is not image]
    if len(rows) < 2:
        raise LensFileError(
            "The file has no surfaces between the object and the image: it is cut off or is no"
            " CODE V sequence."
        )
    if image is None:
        raise LensFileError("The file has no image surface (SI): it is cut off.")
    if read.is_curvature_mode is None:
        read.omitted.append("The file states no RDM; its surfaces are read by their curvatures.")
    for row in rows:  # the private glasses may stand after the surfaces
        name = str(row.values.get("glass")).upper()
        row.values.update({"glass": read.glasses[name]} if name in read.glasses else {})
    try:
        file = with_matched_glasses(
            _make_prescription(read, image, _comment_lines(text)), read.omitted, {}, read.makers
        )
        if rows[-1].is_solved:
            try:
                distance = first_order(file.system).image
                system = file.system.with_surface(len(rows) - 2, thickness=distance)
                file = replace(file, system=system)
            except UnknownMaterial:
                file = file.with_omitted("The last distance by its solve, for a glass is unknown.")
        return file.with_image_moved(image.values["thickness"])
    except InvalidPrescription as error:
        raise LensFileError(f"The file holds no lens that can be traced. {error}") from None


def _commands(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each command with its line, its name in capitals and its words. A line that ends with &
    continues on the next line.
    """
    joined: list[list[str]] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        new = split_commands(line, "!", "'\"")
        if joined and new:
            joined[-1] += new.pop(0)
        else:
            first = number
        joined += new
        if joined and joined[-1][-1].endswith("&"):
            joined[-1][-1] = joined[-1][-1][:-1]
            continue
        for words in joined:
            if words[0]:
                yield f"Line {first}", words[0].upper(), [w for w in words[1:] if w]
        joined = []


def _comment_lines(text: str) -> tuple[str, ...]:
    """The remarks of a file: its comment lines."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(line.strip("! ") for line in lines if line.startswith("!") and line.strip("! "))


def _read_private_glass(read: _ReaderState, key: str, words: list[str], where: str) -> None:
    """Read a line between PRV and END: wavelengths, or a glass with its indices at these
    wavelengths.
    """
    if key == "PWL":
        read.waves = [file_number(w, where) for w in words]
    elif key != "END" and words[:1] and words[0].isalpha():
        _read_formula(read, key, words, where)
    elif key != "END":
        indices = [file_number(w, where) for w in words]
        where = f"{where}, {in_quotes(key, 20)}"
        read.glasses[key] = glass_from_indices(key, read.waves, indices, where)


def _read_formula(read: _ReaderState, name: str, words: list[str], where: str) -> None:
    """Read a private glass given by the coefficients of Laurent's formula. Glasses with other
    formulas stay unknown.
    """
    if words[0].upper() != "LAU":
        read.omitted.append(f"The formula {words[0]} of the private glass {name}.")
        return
    constant, *terms = (
        file_number(w, where) for w in (words[1:] + ["0"] * LAURENT_TERMS)[:LAURENT_TERMS]
    )
    if constant <= 0:
        raise LensFileError(f"{where}, {in_quotes(name, 20)}: a glass without a positive index.")
    powers = (2.0, *(-2.0 * i for i in range(1, LAURENT_TERMS - 1)))
    pairs = [v for pair in zip(terms, powers, strict=True) for v in pair]
    formula = Dispersion("polynomial", (constant, *pairs))
    read.glasses[name] = Material(name, "glass", "formula of a lens file", formula)


def _read_surface(read: _ReaderState, key: str, words: list[str], where: str) -> None:
    """Read a line that adds a surface, or sets values of a surface that is named by its number."""
    if len(read.rows) > MOST_SURFACES:
        raise LensFileError(f"{where}: more than {MOST_SURFACES} surfaces.")
    known = key == "SI" and read.image is not None
    known = known or (key == "SO" and bool(read.rows))
    known = known or (key[1:].isdigit() and int(key[1:]) < len(read.rows))
    row = read.find_surface(key, where) if known else _SurfaceEntries()
    if not known:
        read.rows.append(row)
    if key == "SI":
        read.image = row
    shape = file_number(words[0], where) if words else 0.0
    row.values["radius"] = (
        (shape or math.inf) if read.is_curvature_mode is False else radius_from_curvature(shape)
    )
    row.values["thickness"] = file_number(words[1], where) if len(words) > 1 else 0.0
    for name in words[2:]:
        _read_medium(read, row, name)


def _read_medium(read: _ReaderState, row: _SurfaceEntries, name: str) -> None:
    if name.upper() in {"REFL", "RFL"}:
        row.values["is_mirror"] = True
    elif name.upper() != AIR:
        known = glass_from_code(name)
        plain, _, maker = name.partition("_")
        row.values["glass"] = known or plain
        if known is None and maker:
            read.makers.append(maker.upper())


def _read_surface_command(read: _ReaderState, key: str, words: list[str], where: str) -> None:
    """Read a command for the last surface, or for the surface that the first word names, such as
    CIR S3 5.
    """
    named = bool(words) and re.fullmatch(r"S\d+|SO|SI|SA", words[0].upper()) is not None
    if not read.rows or (named and words[0].upper() == "SA"):
        read.omitted.append(f"{where}: {key} is not read.")
        return
    if key == "PIK":
        _read_pickup(read, words, where)
        return
    row = read.find_surface(words[0], where) if named else read.rows[-1]
    words = words[1:] if named else words
    kind = words[0].upper() if words else ""
    if key == "STO":
        read.stop = row
    elif key == "CIR" and words and kind not in {"OBS", "HOL", "EDG"}:
        half = file_number(words[-1], where)
        row.values["semi_diameter"] = half if math.isfinite(half) else None
    elif key in {"K", "CON", "CONIC"}:
        if words:
            row.values["conic"] = file_number(words[0], where)
    elif len(key) == 1 and key in TERMS and words:
        row.terms[TERMS.index(key)] = file_number(words[0], where)
    elif key == "PIM":
        row.is_solved = True
    elif key in {"SLB", "LAB"}:
        row.values["comment"] = " ".join(words)
    elif key in {"GLA", "GL1", "MED"} and words:
        row.values.pop("glass", None)
        _read_medium(read, row, words[0])
    elif key in {"THI", "RDY", "CUY"} and kind.isalpha():  # a solve, whose value stands beside
        read.omitted.append(f"{read.surface_name(row).capitalize()}: the solve {key} {kind}.")
    elif key == "THI" and words:
        row.values["thickness"] = file_number(words[0], where)
    elif key == "RDY" and words:
        row.values["radius"] = file_number(words[0], where) or math.inf
    elif key == "CUY" and words:
        row.values["radius"] = radius_from_curvature(file_number(words[0], where))
    elif key in REFUSED:
        if not words or any(re.search("[1-9A-Za-z]", w) for w in words):
            raise LensFileError(
                f"{where}: {read.surface_name(row)} {REFUSED[key]}; a centred section cannot hold that."
            )
    elif kind != "EDG":
        name = read.surface_name(row).capitalize()
        what = (
            "read as a sphere or conic of its radius" if key in SHAPE_TYPES else "which is not read"
        )
        read.omitted.append(f"{name}: {' '.join([key, *words[:1]])}, {what}.")


def _read_pickup(read: _ReaderState, words: list[str], where: str) -> None:
    """Read a pickup (PIK): the quantity, its surface unless this is the last one, the source, a
    factor and an offset. CODE V repeats the quantity before the source, and writes the zoom
    position behind each surface.
    """
    name = words[0].upper() if words else ""
    words = [name, *(w for w in words[1:] if w.upper() != name and not re.fullmatch("[zZ]1", w))]
    places = [w for w in words[1:3] if re.fullmatch(r"S(\d+|O|I)", w.upper())]
    key = {"CUY": "radius", "RDY": "radius", "THI": "thickness", "GLA": "glass"}.get(name)
    if key is None or not places:
        raise LensFileError(f"{where}: the pickup {' '.join(words)[:40]} cannot be followed.")
    source = read.find_surface(places[-1], where)
    row = read.find_surface(places[0], where) if len(places) > 1 else read.rows[-1]
    numbers = [file_number(w, where) for w in words[1 + len(places) :]]
    factor, offset = [*numbers, *(1.0, 0.0)[len(numbers) :]][:2]
    if key == "glass":
        row.values["glass"] = source.values.get("glass", AIR)
    elif key == "thickness" or name == "RDY":
        row.values[key] = factor * source.values[key] + offset
    else:
        radius = source.values[key]  # 0 is refused later
        row.values[key] = radius and radius_from_curvature(factor / radius + offset)


def _make_prescription(
    read: _ReaderState, image: _SurfaceEntries, notes: tuple[str, ...]
) -> Prescription:
    rows, heads, omitted = read.rows, read.heads, read.omitted

    def numbers(key: str) -> list[float]:
        return [file_number(w, key) for w in heads.get(key, [])]

    surfaces: list[Surface] = []
    for row in rows[1:]:
        terms = [0.0, *row.terms] if any(row.terms) else []
        while terms and not terms[-1]:
            terms.pop()
        if (
            not math.isfinite(row.values["thickness"])
            or abs(row.values["thickness"]) >= INFINITE_DISTANCE
        ):
            raise LensFileError(f"Surface {len(surfaces) + 1} is infinitely far from the next.")
        surfaces.append(Surface(**row.values, aspheric=tuple(terms)))
    distance = distance_from_file(rows[0].values["thickness"])
    if math.isfinite(rows[0].values["radius"]) or any(rows[0].terms):
        omitted.append("The object surface is read as a plane.")
    if image.values.get("conic") or any(image.terms):
        omitted.append("The image surface is read as a sphere of its radius.")
    aperture = Aperture(ApertureKind.PUPIL, 1.0)
    if not any(numbers(key) for key in ("EPD", "FNO", "NAO", "NA")):
        omitted.append(NO_APERTURE)
    for key, kind in (
        ("EPD", ApertureKind.PUPIL),
        ("FNO", ApertureKind.F_NUMBER),
        ("NAO", ApertureKind.OBJECT_NA),
    ):
        if numbers(key):
            aperture = Aperture(kind, numbers(key)[0])
    if numbers("NA"):
        if not numbers("NA")[0] > 0:
            raise LensFileError("NA: a numerical aperture is above 0.")
        aperture = Aperture(ApertureKind.F_NUMBER, 1 / (2 * numbers("NA")[0]))
        omitted.append("The numerical aperture of the image is read as the f-number 1/(2 NA).")
    if aperture.kind is ApertureKind.F_NUMBER and math.isfinite(distance):
        omitted.append(NEAR_F_NUMBER)
    key = next((k for k in FIELDS if k in heads), "YAN")
    if key == "YRI":
        omitted.append("Fields by real image height are read as paraxial image heights.")
    if any(any(numbers(k)) for k in ("XAN", "XOB", "XIM", "XRI")):
        omitted.append("The x of fields; the section lies in y.")
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
    reference = heads.get("REF") or [str((len(waves) + 1) // 2)]
    primary = reference_wavelength_index(file_integer(reference[0], "REF"), len(waves), omitted)
    unit = (heads.get("DIM") or ["M"])[0].upper()[:1]
    if unit not in UNITS:
        raise LensFileError(f"The unit {in_quotes(unit, 20)} is unknown. Use M, C or I.")
    stop = rows.index(read.stop) - 1 if read.stop in rows else 0
    if stop < 0 or read.stop is image:
        omitted.append("The stop at the object or the image; it is read as surface 1.")
    return Prescription(
        surfaces=tuple(surfaces),
        stop=max(stop, 0),
        aperture=aperture,
        object_distance=distance,
        object_glass=rows[0].values.get("glass", AIR),
        field_kind=FIELDS[key],
        fields=tuple(fields),
        wavelengths=tuple(waves),
        primary=primary,
        image_radius=image.values["radius"],
        unit=UNITS[unit],
        title=" ".join(heads.get("TITLE", [])),
        notes=notes,
    )


def write_code_v(system: Prescription) -> tuple[str, tuple[str, ...]]:
    """The text of a .seq file, and a sentence for each content of the system that the file
    omits.
    """
    omitted: list[str] = []
    units = {v: k for k, v in UNITS.items()}
    if system.unit not in units:
        raise LensFileError(f"CODE V knows no {system.unit}. Scale the lens to mm, cm or in first.")
    lines = ["RDM;LEN"]
    if system.title:
        lines.append(f"TITLE '{system.title.replace(chr(39), ' ')[:LONGEST_TITLE]}'")
    if len(system.title) > LONGEST_TITLE:
        omitted.append(f"The title beyond {LONGEST_TITLE} characters.")
    lines += [f"! {note}" for note in system.notes]
    aperture = system.aperture
    near = math.isfinite(system.object_distance) and aperture.kind is ApertureKind.F_NUMBER
    if aperture.kind is ApertureKind.STOP or near:
        lines.append(f"EPD {number_text(first_order(system).entrance_diameter)}")
        omitted.append(f"The aperture by {aperture.kind.value} is written as the pupil's diameter.")
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
        _entry_text("WL", [w.value for w in waves]),
        f"REF {order.index(system.primary) + 1}",
        "WTW " + " ".join(str(round(w.weight * _weight_scale(waves))) for w in waves),
        _entry_text(field_key, [f.value for f in system.fields]),
        _entry_text("WTF", [f.weight for f in system.fields]),
        _entry_text("VUY", [f.upper_vignetting for f in system.fields]),
        _entry_text("VLY", [f.lower_vignetting for f in system.fields]),
    ]
    if any(w.weight * _weight_scale(waves) % 1 > 1e-9 for w in waves):
        omitted.append("Weights of wavelengths are rounded to integers.")
    lines += _private_glasses(system, waves, omitted)
    distance = system.object_distance
    lines.append(
        f"SO 0.0 {'0.1e14' if math.isinf(distance) else number_text(distance)}"
        + _medium_entry(system.object_glass, 0, omitted)
    )
    for number, surface in enumerate(system.surfaces, 1):
        radius = 0.0 if math.isinf(surface.radius) else surface.radius
        medium = " REFL" if surface.is_mirror else _medium_entry(surface.glass, number, omitted)
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


def _private_glasses(
    system: Prescription, waves: list[Wavelength], omitted: list[str]
) -> Iterator[str]:
    """The entries that define the glasses that are in no catalogue of CODE V, by their indices."""
    surfaces = enumerate((system.object_glass, *(s.glass for s in system.surfaces)))
    glasses = {
        glass: number
        for number, glass in surfaces
        if isinstance(glass, Material) and not name_and_maker(glass)[1]
    }
    if glasses:
        yield "PRV"
        yield _entry_text("PWL", [w.value for w in waves])
        for glass, number in glasses.items():
            yield f"{_private_name(glass)} {indices_text(glass, waves, f'Surface {number}', omitted)}"
        yield "END"


def _private_name(glass: Material) -> str:
    return f"'{re.sub(r'[^A-Za-z0-9-]', '', glass.name).upper()}'"


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
    """The smallest of the factors 1, 10 and 100 that makes all weights integers; 100 if none
    does.
    """
    for scale in (1.0, 10.0):
        if all(abs(w.weight * scale - round(w.weight * scale)) < 1e-9 for w in waves):
            return scale
    return 100.0


def _entry_text(key: str, values: list[float]) -> str:
    return " ".join([key, *map(number_text, values)])


def _medium_entry(glass: Glass, number: int, omitted: list[str]) -> str:
    """The word for a medium, with a space before it; empty for air."""
    if glass == AIR:
        return ""
    if not isinstance(glass, ModelGlass):
        try:
            name, maker = name_and_maker(glass)
        except UnknownMaterial:
            return f" {str(glass).replace(' ', '_')}"
        if maker:
            return f" {name.replace('-', '').replace(' ', '')}_{maker}"
        if isinstance(glass, Material):
            return f" {_private_name(glass)}"
        material = glass_material(glass)
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
    return f" {_fraction_digits(glass.n_d - 1)}.{_fraction_digits(min(glass.v_d, 99.9999) / 100)}"


def _fraction_digits(value: float) -> str:
    """The digits of a fraction after the decimal point, at least six: 516800 for 0.5168."""
    return f"{value:.8f}"[2:].rstrip("0").ljust(6, "0")
