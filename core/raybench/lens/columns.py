"""The columns of a lens table: how the quantities of a surface are written to and read from the
cells of a form or a spreadsheet.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.fields import LENGTH
from raybench.lens.glass import (
    AIR,
    Glass,
    ModelGlass,
    UnmatchedGlass,
    glass_from_code,
    glass_name,
    match_glass,
)
from raybench.lens.prescription import Surface
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity

DIGITS = 12
"""Significant digits of a number that is edited or copied."""
INFINITE = frozenset({"", "inf", "-inf", "infinity", "infinite", "∞", "plane", "plano", "flat"})
AUTOMATIC = frozenset({"", "a", "auto", "automatic"})
REFLECTING = frozenset({"mirror", "refl", "reflect"})
"""What lens programs write in place of the glass of a mirror."""


class InvalidCell(RaybenchError):
    """The text of a cell is invalid; the message says why.

    ``near`` are glasses with similar names.
    """

    def __init__(self, message: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.near = near


@dataclass(frozen=True)
class Column:
    """A column of a lens table.

    Attributes:
        name: A field of `Surface`, ``curvature``, or ``aspheric 4`` for the coefficient of y⁴ and
            so on.
        title: The heading.
        tip: The meaning of the column.
        text: Function that returns the text of a surface's cell with a number of significant
            digits.
        read: Function that returns the surface with another text in this cell; its last argument is
            the unit of length. Raises InvalidCell.
        headings: Alternative headings in spreadsheets, in lower case.
    """

    name: str
    title: str
    tip: str
    text: Callable[[Surface, int], str]
    read: Callable[[Surface, str, str], Surface]
    headings: frozenset[str] = frozenset()


def read_cell_number(title: str, text: str, unit: str, kind: str = "") -> float:
    """The number in a cell. ``kind`` is its unit as in `Description.unit`. Raises InvalidCell."""
    try:
        return read_quantity(text, kind, unit)
    except InvalidQuantity as error:
        raise InvalidCell(f"{title} {error}.") from None


def read_length_or_infinity(title: str, text: str, unit: str) -> float:
    """The length in a cell; infinite if the cell is empty or contains a word for infinity. Raises
    InvalidCell.
    """
    if text.strip().casefold() in INFINITE:
        return math.inf
    return read_cell_number(title, text, unit, LENGTH)


def read_cell_glass(text: str) -> Glass:
    """The glass in a cell, as a person types it: a name of the catalogue, an index and an Abbe
    number such as 1.62/60.3, an index, or a glass code; air if the cell is empty. Raises
    InvalidCell with similar names.
    """
    text = text.strip()
    if text.casefold() in {"", "air"}:
        return AIR
    if re.fullmatch(r"\d[\d.,]*(?:\s*[/ ]\s*\d[\d.,]*)?", text):
        n, _, v = re.sub(r"\s*[/ ]\s*", "/", text.replace(",", ".")).partition("/")
        code = None if v else glass_from_code(text)
        if code is not None:
            return code
        if n.count(".") <= 1 and v.count(".") <= 1 and 1 <= float(n) < 10 and float(v or 1) > 0:
            return AIR if float(n) == 1 else ModelGlass(float(n), float(v or math.inf))
    found = match_glass(text)
    if isinstance(found, UnmatchedGlass):
        near = f" Near: {', '.join(found.similar_names)}." if found.similar_names else ""
        raise InvalidCell(
            f"The catalogue has no glass {in_quotes(text, 40)}.{near} Give another name, or an index and"
            " an Abbe number, such as 1.62/60.3.",
            found.similar_names,
        )
    return found


def _number_text(value: float, digits: int) -> str:
    return "∞" if math.isinf(value) else f"{value:.{digits}g}"


def _glass_text(surface: Surface, digits: int) -> str:
    glass = surface.glass
    if surface.is_mirror:
        return "Mirror"
    if isinstance(glass, ModelGlass) and digits >= DIGITS:
        return f"{glass.n_d:.{digits}g}" + (
            f"/{glass.v_d:.{digits}g}" if math.isfinite(glass.v_d) else ""
        )
    return "" if glass == AIR else glass_name(glass)


def _read_radius(surface: Surface, text: str, unit: str) -> Surface:
    return replace(surface, radius=read_length_or_infinity("Radius", text, unit))


def _read_curvature(surface: Surface, text: str, unit: str) -> Surface:
    value = read_cell_number("Curvature", text or "0", unit, f"1/{LENGTH}")
    return replace(surface, radius=1 / value if value else math.inf)


def _read_thickness(surface: Surface, text: str, unit: str) -> Surface:
    return replace(surface, thickness=read_length_or_infinity("Thickness", text, unit))


def _read_glass(surface: Surface, text: str, _: str) -> Surface:
    if text.strip().casefold() in REFLECTING:
        return replace(surface, is_mirror=True)
    return replace(surface, glass=read_cell_glass(text), is_mirror=False)


def _read_semi_diameter(surface: Surface, text: str, unit: str) -> Surface:
    automatic = text.strip().casefold() in AUTOMATIC
    half = None if automatic else read_cell_number("Semi-diameter", text, unit, LENGTH)
    return replace(surface, semi_diameter=half)


def _read_conic(surface: Surface, text: str, unit: str) -> Surface:
    return replace(surface, conic=read_cell_number("Conic", text or "0", unit))


RADIUS = Column(
    "radius",
    "Radius",
    "Radius of curvature, positive if the centre is to the right. Empty or ∞: a plane",
    lambda s, digits: _number_text(s.radius, digits),
    _read_radius,
    frozenset({"r", "radius of curvature", "radii", "roc"}),
)
CURVATURE = Column(
    "curvature",
    "Curvature",
    "1/radius, positive if the centre is to the right. 0: a plane",
    lambda s, digits: _number_text(s.curvature, digits),
    _read_curvature,
    frozenset({"c", "curv"}),
)
THICKNESS = Column(
    "thickness",
    "Thickness",
    "Distance to the next surface along the axis, negative to the left",
    lambda s, digits: _number_text(s.thickness, digits),
    _read_thickness,
    frozenset({"d", "t", "distance", "separation", "thick"}),
)
GLASS = Column(
    "glass",
    "Glass",
    "The medium behind the surface: a name of the catalogue, or index/Abbe number such as 1.62/60.3,"
    " or mirror. Empty: air",
    _glass_text,
    _read_glass,
    frozenset({"material", "medium"}),
)
SEMI_DIAMETER = Column(
    "semi_diameter",
    "Semi-diameter",
    "Half the clear aperture. Empty: as much as the light of the fields needs",
    lambda s, digits: "" if s.semi_diameter is None else _number_text(s.semi_diameter, digits),
    _read_semi_diameter,
    frozenset({"semi-aperture", "half-diameter", "sd", "semidiameter", "clear semi-diameter"}),
)
CONIC = Column(
    "conic",
    "Conic",
    "Conic constant: 0 for a sphere, -1 for a parabola",
    lambda s, digits: _number_text(s.conic, digits) if s.conic or digits >= DIGITS else "",
    _read_conic,
    frozenset({"k", "conic constant"}),
)
COMMENT = Column(
    "comment",
    "Comment",
    "A remark; it names the element on the bench",
    lambda s, _: s.comment,
    lambda surface, text, _: replace(surface, comment=text.strip()),
    frozenset({"name", "remark", "note", "element"}),
)
MOST_TERMS = 10
"""Aspheric terms at most, up to y²⁰."""


def aspheric_column(place: int) -> Column:
    """The column of the coefficient of y^(2 place + 2), where ``place`` is its index."""
    power = 2 * place + 2
    sign = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))

    def text(surface: Surface, digits: int) -> str:
        terms = surface.aspheric
        return _number_text(terms[place], digits) if place < len(terms) and terms[place] else ""

    def read(surface: Surface, text: str, unit: str) -> Surface:
        terms = [*surface.aspheric, *[0.0] * (place + 1 - len(surface.aspheric))]
        terms[place] = read_cell_number(f"The term y{sign}", text or "0", unit)
        while terms and not terms[-1]:
            terms.pop()
        return replace(surface, aspheric=tuple(terms))

    return Column(
        f"aspheric {power}",
        f"y{sign}",
        f"Coefficient of y{sign} of the sag",
        text,
        read,
        frozenset({f"a{power}", f"alpha{power}", f"y^{power}"}),
    )


def _read_index(surface: Surface, text: str, unit: str) -> Surface:
    n = read_cell_number("The index", text.strip() or "1", unit)
    if not 1 <= n < 10:
        raise InvalidCell(f"The index {n:g} is not that of a glass. Give a number such as 1.5168.")
    glass = AIR if n == 1 else ModelGlass(n)
    return replace(surface, glass=glass, is_mirror=False)


def _read_abbe(surface: Surface, text: str, unit: str) -> Surface:
    if not isinstance(surface.glass, ModelGlass) or not text.strip():
        return surface
    v = read_cell_number("The Abbe number", text, unit)
    if v <= 0:
        raise InvalidCell(f"The Abbe number {v:g} is not above 0.")
    return replace(surface, glass=ModelGlass(surface.glass.n_d, v))


INDEX = Column(
    "n_d",
    "nd",
    "Refractive index at the d line",
    lambda s, _: "",
    _read_index,
    frozenset({"n", "index", "refractive index", "n(d)"}),
)
ABBE = Column(
    "v_d",
    "vd",
    "Abbe number",
    lambda s, _: "",
    _read_abbe,
    frozenset({"v", "νd", "ν", "abbe", "abbe number", "v(d)"}),
)
ASPHERIC = tuple(aspheric_column(place) for place in range(MOST_TERMS))
PASTED_COLUMNS = (RADIUS, THICKNESS, GLASS, SEMI_DIAMETER)
"""The columns of a spreadsheet without headings."""
COLUMNS = (
    COMMENT,
    RADIUS,
    CURVATURE,
    THICKNESS,
    GLASS,
    SEMI_DIAMETER,
    CONIC,
    *ASPHERIC,
)
"""All columns in the order of a table."""
INDEX_COLUMNS = (INDEX, ABBE)
"""The columns in which patents state glasses, in this order; they are read where no glass is named.
"""
