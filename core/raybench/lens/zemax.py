"""Reads and writes lens files of Zemax OpticStudio (.zmx), as far as a centred system in a plane
can hold their contents.
"""

import contextlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from raybench.errors import in_quotes
from raybench.lens.glass import (
    AIR,
    INDICES,
    Glass,
    ModelGlass,
    glass_material,
    glass_name,
    name_and_maker,
)
from raybench.lens.lens_file import (
    MOST_SURFACES,
    NEAR_F_NUMBER,
    NO_APERTURE,
    LensFile,
    LensFileError,
    distance_from_file,
    file_integer,
    file_number,
    number_text,
    radius_from_curvature,
    reference_wavelength_index,
    with_matched_glasses,
)
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
from raybench.materials.material import Material

UNKNOWN_GLASS = ModelGlass(1.5, 40.0)
"""The index and Abbe number of a glass of which the program states none."""
UNITS = {"MM": "mm", "CM": "cm", "IN": "in", "M": "m", "METER": "m"}
APERTURES = {
    "ENPD": ApertureKind.PUPIL,
    "FNUM": ApertureKind.F_NUMBER,
    "OBNA": ApertureKind.OBJECT_NA,
    "FLOA": ApertureKind.STOP,
}
FIELDS = {0: FieldKind.ANGLE, 1: FieldKind.OBJECT_HEIGHT, 2: FieldKind.IMAGE_HEIGHT}
SIMILAR_FIELDS = {
    3: (FieldKind.IMAGE_HEIGHT, "Fields by real image height are read as paraxial image heights."),
    4: (FieldKind.ANGLE, "Theodolite angles of fields are read as angles in the section."),
}
FEATURES = {
    "SQAP": "a rectangular aperture", "OBDC": "a decentred aperture", "ELAP": "an elliptical aperture",
    "SQOB": "an obscuration", "CIOB": "a circular obscuration", "USAP": "an aperture file", "COAT": "a coating", "CRYS": "a crystal",
    "XDAT": "extra data", "GRAT": "a grating", "SDIE": "a tilt or decentre", "TCE": "thermal data",
}  # fmt: skip
GRATINGS = {
    "DGRATING",
    "TOROIGRA",
    "GRINGRAT",
    "BINARY_1",
    "BINARY_2",
    "BINARY_3",
    "HOLOGRM1",
    "HOLOGRM2",
}
IGNORED_ENTRIES = {
    "FIMP", "HIDE", "MIRR", "SLAB", "POPS", "MEMA", "FLAP", "MOFF", "TOL", "COFN", "DMFS", "GSTD", "NSCD", "GFAC", "GLRS",
    "PZUP", "PICB", "MAZH", "MRAH", "EFIL", "BLNK", "VPAR", "VDSZ", "VCVA", "VARI", "SCOL", "OPDX", "TCMM", "MCOP", "EXPT", "LENG",
}  # fmt: skip
"""Entries of surfaces that change no ray: drawing, variables, and solves, whose values stand
beside.
"""


@dataclass
class _SurfaceEntries:
    """The entries of a surface in a file."""

    number: int
    kind: str = "STANDARD"
    values: dict[str, Any] = field(default_factory=dict)
    parameters: dict[int, float] = field(default_factory=dict)
    semi_diameter: float = 0.0
    is_stop: bool = False


def read_zemax(text: str) -> LensFile:
    """Read the text of a .zmx file. Raises LensFileError with the line number."""
    rows: list[_SurfaceEntries] = []
    omitted: list[str] = []
    stated: dict[str, ModelGlass] = {}
    waves: dict[int, Wavelength] = {}
    heads: dict[str, list[str]] = {}
    notes: list[str] = []
    for where, key, rest, is_indented in _entries(text):
        words = rest.split()
        if key == "SURF":
            if len(rows) >= MOST_SURFACES:
                raise LensFileError(f"{where}: more than {MOST_SURFACES} surfaces.")
            rows.append(_SurfaceEntries(len(rows)))
        elif rows and key in _SURFACE_READERS:
            if len(words) < _LEAST_NUMBERS.get(key, 0):
                raise LensFileError(f"{where}: {key} without its number; the file is cut off.")
            _SURFACE_READERS[key](rows[-1], words, rest, where, omitted, stated)
        elif rows and key in FEATURES:
            if key != "COAT" or rest.strip():
                omitted.append(f"Surface {rows[-1].number}: {FEATURES[key]}.")
        elif key in {"MNUM", "MOFF"}:
            if key == "MNUM" and words and file_number(words[0], where) > 1:
                omitted.append(f"{words[0]} configurations; the first one is read.")
        elif key == "WAVM" and len(words) >= 2:
            number, value = file_integer(words[0], where), file_number(words[1], where)
            weight = file_number(words[2], where) if len(words) > 2 else 1.0
            waves[number] = Wavelength(value * 1000, weight)
        elif key == "NOTE":
            notes.append(rest.partition(" ")[2].strip() if rest[:2].strip().isdigit() else rest)
        elif key in {"MODE"} and words and words[0] != "SEQ":
            raise LensFileError(
                f"{where}: the file is non-sequential ({words[0]}). Save it as a sequential lens."
            )
        elif not rows:
            heads.setdefault(key, words or [rest])
            if key == "NAME":
                heads["NAME"] = [rest.strip()]
        elif key not in IGNORED_ENTRIES and not is_indented:
            omitted.append("The merit function and what else follows the surfaces.")
        elif key not in IGNORED_ENTRIES:
            omitted.append(f"Surface {rows[-1].number}: {in_quotes(key, 20)}, which is not read.")
    if len(rows) < 3:
        raise LensFileError(
            "The file has no surfaces between the object and the image: it is cut off or is no Zemax"
            " lens file."
        )
    image = rows[-1].values
    is_cut = any(row.semi_diameter for row in rows) and re.search(r"[\r\n]\s*DISZ\s+\S*\Z", text)
    if is_cut or image.get("thickness") != 0 or "glass" in image or "is_mirror" in image:
        raise LensFileError(
            f"The file ends with surface {rows[-1].number}, which is no image surface: it is cut off."
        )
    stops = [row.number - 1 for row in rows[1:-1] if row.is_stop]
    if any(row.is_stop for row in (rows[0], rows[-1])):
        omitted.append("The stop at the object or the image; it is read as surface 1.")
    if "FLOA" in heads:  # the stop's size is the aperture, also where it is no clear aperture
        row = rows[(stops or [0])[0] + 1]
        row.values["semi_diameter"] = row.semi_diameter or None
    surfaces = [_make_surface(row, omitted) for row in rows[1:-1]]
    if rows[0].values.get("radius", math.inf) != math.inf:
        omitted.append("The object surface is read as a plane.")
    if rows[-1].values.get("conic") or rows[-1].kind != "STANDARD":
        omitted.append("The image surface is read as a sphere of its radius.")
    try:
        system = _make_prescription(
            surfaces, rows, heads, waves, stops[0] if stops else 0, notes, omitted
        )
    except InvalidPrescription as error:
        raise LensFileError(f"The file holds no lens that can be traced. {error}") from None
    return with_matched_glasses(system, omitted, stated, heads.get("GCAT", ()))


def _entries(text: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield each entry of a file: its line, its key, the rest of the line, and whether it is
    indented, as the entries of a surface are.
    """
    for number, line in enumerate(text.splitlines(), 1):
        key, *rest = line.split(None, 1)[:2] or [""]
        if key:
            yield f"Line {number}", key.upper(), "".join(rest).rstrip(), line[0].isspace()


def _read_curvature(row: _SurfaceEntries, words: list[str], rest: str, where: str, *_: Any) -> None:
    row.values["radius"] = radius_from_curvature(file_number(words[0], where))


def _read_distance(row: _SurfaceEntries, words: list[str], rest: str, where: str, *_: Any) -> None:
    row.values["thickness"] = file_number(words[0], where)


def _read_conic(row: _SurfaceEntries, words: list[str], rest: str, where: str, *_: Any) -> None:
    row.values["conic"] = file_number(words[0], where)


def _read_parameter(row: _SurfaceEntries, words: list[str], rest: str, where: str, *_: Any) -> None:
    row.parameters[file_integer(words[0], where)] = file_number(words[1], where)


def _read_diameter(row: _SurfaceEntries, words: list[str], rest: str, where: str, *_: Any) -> None:
    row.semi_diameter = file_number(words[0], where)
    fixed = len(words) < 2 or file_number(words[1], where) != 0
    if fixed and 0 < row.semi_diameter < math.inf:
        row.values["semi_diameter"] = row.semi_diameter


def _read_aperture(
    row: _SurfaceEntries, words: list[str], rest: str, where: str, omitted: list[str], *_: Any
) -> None:
    inner, outer = (file_number(w, where) for w in words[:2])
    if 0 < outer < math.inf:
        row.values["semi_diameter"] = outer
    if inner > 0:
        omitted.append(f"Surface {row.number}: a hole in its aperture of the radius {inner:g}.")


def _read_glass(
    row: _SurfaceEntries,
    words: list[str],
    rest: str,
    where: str,
    omitted: list[str],
    stated: dict[str, ModelGlass],
) -> None:
    name = words[0] if words else AIR
    numbers = [file_number(w, where) for w in words[3:5]]
    model = ModelGlass(numbers[0], numbers[1] or math.inf) if len(numbers) == 2 else None
    if name.upper() == "MIRROR":
        row.values["is_mirror"] = True
    elif name == "___BLANK" or (len(words) > 1 and words[1] == "1"):
        if model is None or not 0 < model.n_d < math.inf:
            raise LensFileError(f"{where}: a model glass without an index.")
        row.values["glass"] = model
    else:
        row.values["glass"] = name
        if model is not None and model.n_d > 1 and model != UNKNOWN_GLASS:
            stated.setdefault(name, model)


def _read_comment(row: _SurfaceEntries, words: list[str], rest: str, *_: Any) -> None:
    row.values["comment"] = rest.strip()


def _read_stop(row: _SurfaceEntries, *_: Any) -> None:
    row.is_stop = True


def _read_kind(row: _SurfaceEntries, words: list[str], *_: Any) -> None:
    row.kind = words[0].upper() if words else "STANDARD"


_LEAST_NUMBERS = {"CURV": 1, "DISZ": 1, "CONI": 1, "DIAM": 1, "PARM": 2, "CLAP": 2}
"""Numbers that an entry has at least."""
_SURFACE_READERS = {
    "CURV": _read_curvature,
    "DISZ": _read_distance,
    "CONI": _read_conic,
    "PARM": _read_parameter,
    "DIAM": _read_diameter,
    "CLAP": _read_aperture,
    "GLAS": _read_glass,
    "COMM": _read_comment,
    "STOP": _read_stop,
    "TYPE": _read_kind,
}


def _make_surface(row: _SurfaceEntries, omitted: list[str]) -> Surface:
    values = dict(row.values)
    if row.kind == "EVENASPH":
        terms = [row.parameters.get(i, 0.0) for i in range(1, 9)]
        while terms and not terms[-1]:
            terms.pop()
        values["aspheric"] = tuple(terms)
    elif row.kind in GRATINGS:
        raise LensFileError(
            f"Surface {row.number} is a grating or a hologram; a centred section cannot hold that."
        )
    elif row.kind == "PARAXIAL":
        raise LensFileError(
            f"Surface {row.number} is a paraxial lens, which has no glass. Replace it by real"
            " surfaces in the file."
        )
    elif row.kind == "COORDBRK":
        if any(row.parameters.get(i, 0.0) for i in range(1, 6)):
            raise LensFileError(
                f"Surface {row.number} tilts or decentres the axis; a centred section cannot hold"
                " that. Remove the coordinate break in the file."
            )
        omitted.append(f"Surface {row.number}: a coordinate break without effect.")
    elif row.kind != "STANDARD":
        omitted.append(
            f"Surface {row.number}: its shape {in_quotes(row.kind, 20)}; it is read as a sphere or"
            " conic of its radius."
        )
    if math.isinf(values.get("thickness", 0.0)):
        raise LensFileError(f"Surface {row.number} is infinitely far from the next.")
    return Surface(**values)


def _make_prescription(
    surfaces: list[Surface],
    rows: list[_SurfaceEntries],
    heads: dict[str, list[str]],
    waves: dict[int, Wavelength],
    stop: int,
    notes: list[str],
    omitted: list[str],
) -> Prescription:
    def numbers(key: str) -> list[float]:
        return [file_number(w, key) for w in heads.get(key, [])]

    aperture, distance = None, distance_from_file(rows[0].values.get("thickness", math.inf))
    for key, kind in APERTURES.items():
        if key in heads:
            given = numbers(key) if key != "FLOA" else [0.0]
            aperture = Aperture(kind, given[0] if given else 0.0)
            if key == "FNUM" and len(given) > 1 and given[1]:
                omitted.append("The f-number is the paraxial working one; it is read as f/D.")
            elif key == "FNUM" and math.isfinite(distance):
                omitted.append(NEAR_F_NUMBER)
            if key == "OBNA" and len(given) > 1 and given[1]:  # the cone's half angle in degrees
                aperture = Aperture(kind, math.sin(math.radians(given[0])))
                if "glass" in rows[0].values:
                    omitted.append("The cone angle of the object is read as that in air.")
    if stop and numbers("RAIM")[1:2] == [2]:
        omitted.append(
            "Rays are not aimed at the stop, as the file asks, but at the paraxial entrance pupil."
        )
    kind_number, *more = [file_integer(w, "FTYP") for w in heads.get("FTYP", [])] or [0]
    field_kind = FIELDS.get(kind_number)
    if field_kind is None:
        if kind_number not in SIMILAR_FIELDS:
            raise LensFileError(f"FTYP {kind_number} is unknown. Use fields by angle or height.")
        field_kind, sentence = SIMILAR_FIELDS[kind_number]
        omitted.append(sentence)
    if more and more[0]:
        omitted.append(
            "Object space is not kept telecentric; chief rays pass the centre of the stop."
        )
    count = int(more[1]) if len(more) > 1 and more[1] > 0 else None
    ys, xs = numbers("YFLN") or numbers("YFLD") or [0.0], numbers("XFLN") or numbers("XFLD")
    weights, shift = numbers("FWGN") or numbers("FWGT"), numbers("VDYN")
    squeeze = numbers("VCYN")
    count = min(count or len(ys), len(ys))
    fields = []
    for i in range(count):
        move, narrow = (_item_or_default(v, i, 0.0) for v in (shift, squeeze))
        cut = (round(narrow + move, 12), round(narrow - move, 12))
        fields.append(Field(ys[i], _item_or_default(weights, i, 1.0), *cut))
        if _item_or_default(xs, i, 0.0):
            omitted.append(f"Field {i + 1}: its x of {xs[i]:g}; the section lies in y.")
    used = int(more[2]) if len(more) > 2 and more[2] > 0 else None
    if waves:
        chosen = [waves[i] for i in sorted(waves) if used is None or i <= used]
    else:
        lengths = numbers("WAVN") or numbers("WAVL")
        weight = numbers("WWGN") or numbers("WWGT")
        chosen = [
            Wavelength(v * 1000, _item_or_default(weight, i, 1.0))
            for i, v in enumerate(lengths[:used])
        ]
    chosen = [w for w in chosen if w.value > 0]
    if not chosen:
        chosen = [Wavelength(550.0)]
        omitted.append("The file states no wavelength; 550 nm is used.")
    if aperture is None:
        omitted.append(NO_APERTURE)
    primary = file_integer((heads.get("PWAV") or ["1"])[0], "PWAV")
    unit = (heads.get("UNIT") or ["MM"])[0].upper()
    if unit not in UNITS:
        raise LensFileError(f"The unit {in_quotes(unit, 20)} is unknown. Use MM, CM, IN or METER.")
    return Prescription(
        surfaces=tuple(surfaces),
        stop=stop,
        aperture=aperture or Aperture(ApertureKind.PUPIL, 1.0),
        object_distance=distance,
        object_glass=rows[0].values.get("glass", AIR),
        field_kind=field_kind,
        fields=tuple(fields) or (Field(0.0),),
        wavelengths=tuple(chosen),
        primary=reference_wavelength_index(primary, len(chosen), omitted),
        image_radius=rows[-1].values.get("radius", math.inf),
        unit=UNITS[unit],
        title=(heads.get("NAME") or [""])[0],
        notes=tuple(n for n in notes if n.strip()),
    )


def _item_or_default(values: list[float], index: int, default: float) -> float:
    return values[index] if index < len(values) else default


def write_zemax(system: Prescription) -> tuple[str, tuple[str, ...]]:
    """The text of a .zmx file, and a sentence for each omitted content."""
    omitted: list[str] = []
    unit = {v: k for k, v in reversed(UNITS.items())}.get(system.unit)
    if unit is None:
        raise LensFileError(
            f"Zemax knows no {system.unit}. Scale the lens to mm, cm, in or m first."
        )
    key = {v: k for k, v in APERTURES.items()}[system.aperture.kind]
    value = "" if key == "FLOA" else f" {number_text(system.aperture.value)}"
    field_kind = {v: k for k, v in FIELDS.items()}[system.field_kind]
    n_fields, n_waves = len(system.fields), len(system.wavelengths)
    shifts = [(f.lower_vignetting - f.upper_vignetting) / 2 for f in system.fields]
    squeezes = [(f.lower_vignetting + f.upper_vignetting) / 2 for f in system.fields]
    lines = [
        "VERS 140124 258 36214",
        "MODE SEQ",
        f"NAME {system.title}".rstrip(),
        *(f"NOTE 0 {note}" for note in system.notes),
        f"UNIT {unit} X W X CM MR CPMM",
        f"{key}{value}{' 0' if key in {'FNUM', 'OBNA'} else ''}",
        "ENVD 2.0E+1 1 0",
        *_catalogue_entry(system),
        f"FTYP {field_kind} 0 {n_fields} {n_waves} 0 0 0",
        "XFLN" + " 0" * n_fields,
        _entry_text("YFLN", [f.value for f in system.fields]),
        _entry_text("FWGN", [f.weight for f in system.fields]),
        "VDXN" + " 0" * n_fields,
        _entry_text("VDYN", shifts),
        "VCXN" + " 0" * n_fields,
        _entry_text("VCYN", squeezes),
        *(
            f"WAVM {i} {number_text(w.value / 1000)} {number_text(w.weight)}"
            for i, w in enumerate(system.wavelengths, 1)
        ),
        f"PWAV {system.primary + 1}",
        *_surface_lines(
            0, Surface(thickness=system.object_distance, glass=system.object_glass), False, omitted
        ),
    ]
    for number, surface in enumerate(system.surfaces, 1):
        if len(surface.aspheric) > 8:
            omitted.append(f"Surface {number}: aspheric terms beyond y¹⁶.")
        lines += _surface_lines(number, surface, number - 1 == system.stop, omitted)
    image = Surface(radius=system.image_radius)
    lines += _surface_lines(len(system.surfaces) + 1, image, False, omitted)
    return "\r\n".join(lines) + "\r\n", tuple(omitted)


def _catalogue_entry(system: Prescription) -> Iterator[str]:
    """The entry that names the catalogues of the glasses."""
    makers = set()
    for glass in (system.object_glass, *(s.glass for s in system.surfaces)):
        if not isinstance(glass, ModelGlass) and glass != AIR:
            with contextlib.suppress(UnknownMaterial):
                makers.add(name_and_maker(glass)[1])
    if makers - {""}:
        yield f"GCAT {' '.join(sorted(makers - {''}))}"


def _entry_text(key: str, values: list[float]) -> str:
    return " ".join([key, *map(number_text, values)])


def _surface_lines(
    number: int, surface: Surface, is_stop: bool, omitted: list[str]
) -> Iterator[str]:
    yield f"SURF {number}"
    if is_stop:
        yield "  STOP"
    yield f"  TYPE {'EVENASPH' if surface.aspheric else 'STANDARD'}"
    yield f'  CURV {number_text(surface.curvature)} 0 0 0 0 ""'
    if surface.conic:
        yield f"  CONI {number_text(surface.conic)}"
    for i, a in enumerate(surface.aspheric[:8], 1):
        yield f"  PARM {i} {number_text(a)}"
    yield f"  DISZ {number_text(surface.thickness)}"
    if surface.is_mirror:
        yield "  GLAS MIRROR 0 0 1.5 40 0 0 0 0 0 0"
    elif surface.glass != AIR:
        yield f"  GLAS {_glass_entry(surface.glass, f'Surface {number}', omitted)}"
    if surface.comment:
        yield f"  COMM {surface.comment}"
    half = surface.semi_diameter
    yield f'  DIAM {number_text(half or 0.0)} {int(half is not None)} 0 0 1 ""'


def _glass_entry(glass: Glass, where: str, omitted: list[str]) -> str:
    """The words for a glass: its name with its index and Abbe number, or a model glass."""
    if isinstance(glass, ModelGlass):
        name, n, v = "___BLANK 1", glass.n_d, glass.v_d
    else:
        name = f"{glass_name(glass)} 0"
        try:
            material = glass_material(glass)
            n, v = material.n_d or UNKNOWN_GLASS.n_d, material.v_d or 0.0
            name = f"{name_and_maker(glass)[0].replace(' ', '_')} 0"
        except UnknownMaterial:
            n, v = UNKNOWN_GLASS.n_d, UNKNOWN_GLASS.v_d
        if isinstance(glass, Material) and glass.source == INDICES:  # no catalogue has the name
            name = "___BLANK 1"
            omitted.append(f"{where}: {glass.name} is written as its index and Abbe number.")
    v = v if math.isfinite(v) else 0.0
    return f"{name} 0 {number_text(n)} {number_text(v)} 0 0 0 0 0 0"
