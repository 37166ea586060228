"""Short texts for a lens in the arguments and answers of tools: surfaces as rows of cells; the
aperture, links, operands and variables each as a text.

==============  =================================================================================
aperture        ``F/5``, ``pupil 20``, ``NA 0.1`` of the object, ``stop`` for the stop's semi-diameter
pickup          ``r4 = -r1``, ``t5 = 2 t1 + 3``, ``glass5 = glass1``
solve           ``t6 = focus``, ``c6 = focal length 100``, ``c6 = slope -0.1``, ``t2 = edge 1``
operand         ``focal length = 100``, ``edge thickness of 1 > 2``, ``mtf at 50 of 3 = 1 weight 4``
variable        ``c3``, ``t1 = 2..8``, ``glass2``
==============  =================================================================================
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from raybench.errors import RaybenchError, in_quotes
from raybench.lens.design import (
    LensDesign,
    Pickup,
    Solve,
    SolveKind,
    Variable,
    pickup_text,
)
from raybench.lens.operands import OPERANDS, Operand
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Prescription,
    Surface,
)
from raybench.lens.rows import with_pasted_rows
from raybench.lens.usual_merit import CHOSEN

Cell = str | float | None
"""A cell of a row of a lens: a number, a text, or None for what is empty."""
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_APERTURES = {
    ApertureKind.F_NUMBER: ("f/", "F/{:g}"),
    ApertureKind.PUPIL: ("pupil", "pupil {:g}"),
    ApertureKind.OBJECT_NA: ("na", "NA {:g}"),
}
_SOLVES = {
    SolveKind.FOCUS: "focus",
    SolveKind.EDGE: "edge",
    SolveKind.FOCAL_LENGTH: "focal length",
    SolveKind.SLOPE: "slope",
}
_PICKUP = re.compile(
    rf"(?P<sign>[-+]?)\s*(?P<factor>\d+\.?\d*|\.\d+)?\s*\*?\s*(?P<source>[a-zA-Z]\w*)"
    rf"\s*(?P<offset>[-+]\s*{NUMBER})?"
)
_OPERAND = re.compile(
    r"(?:least\s+|minimi[sz]e\s+)?"
    rf"(?P<quantity>{'|'.join(sorted(map(re.escape, OPERANDS), key=len, reverse=True))})"
    rf"(?:\s+at\s+(?P<frequency>{NUMBER}))?"
    r"(?:\s+of(?:\s+(?:field|surface))?\s+(?P<at>\d+))?"
    r"(?:\s+in configuration\s+(?P<configuration>\d+))?"
    rf"(?:\s*(?P<sign><=|>=|=|<|>|≤|≥)\s*(?P<value>{NUMBER})(?:\s*\.\.\s*(?P<most>{NUMBER}))?)?"
    rf"(?:\s+weight\s+(?P<weight>{NUMBER}))?"
)
_VARIABLE = re.compile(rf"(?P<name>\w+)(?:\s*=\s*(?P<low>{NUMBER})\s*\.\.\s*(?P<high>{NUMBER}))?")


class InvalidLensText(RaybenchError):
    """A text is no valid aperture, pickup, solve, operand or other entry of a lens design; the
    message shows the expected form.
    """


def system_from_rows(rows: Sequence[Sequence[Cell]], unit: str) -> Prescription:
    """The prescription with the surfaces of a table: each row has radius, thickness, glass and
    semi-diameter, or the columns that a first row of headings names, see `with_pasted_rows`. Raises
    InvalidRows with the number of the row, or InvalidPrescription.
    """
    text = "\n".join("\t".join(_cell_text(cell) for cell in row) or "\t" for row in rows)
    empty = LensDesign(Prescription((Surface(),), unit=unit))
    return with_pasted_rows(empty, 1, text).system


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, float):
        return repr(cell)
    return "" if cell is None else re.sub(r"[\t\n]", " ", str(cell))


def read_aperture(text: str) -> Aperture:
    """Read an aperture from a text such as ``F/5``. Raises InvalidLensText."""
    words = text.strip().lower()
    if words == "stop":
        return Aperture(ApertureKind.STOP)
    for kind, (start, _) in _APERTURES.items():
        number = words.removeprefix(start).strip()
        if words.startswith(start) and re.fullmatch(NUMBER, number):
            return Aperture(kind, float(number))
    raise InvalidLensText(
        f"The aperture is no {in_quotes(text, 40)}. Write F/5, pupil 20 (the diameter of the entrance"
        " pupil), NA 0.1 (of the object), or stop for the semi-diameter of the stop."
    )


def aperture_text(aperture: Aperture) -> str:
    """The text of an aperture, which `read_aperture` reads."""
    if aperture.kind is ApertureKind.STOP:
        return "stop"
    return _APERTURES[aperture.kind][1].format(aperture.value)


def read_links(texts: Sequence[str]) -> tuple[tuple[Pickup, ...], tuple[Solve, ...]]:
    """Read pickups and solves from texts. Raises InvalidLensText."""
    links = [_read_link(text) for text in texts]
    return (
        tuple(link for link in links if isinstance(link, Pickup)),
        tuple(link for link in links if isinstance(link, Solve)),
    )


def _read_link(text: str) -> Pickup | Solve:
    name, _, what = (side.strip() for side in text.partition("="))
    for kind, words in _SOLVES.items():
        value = what.lower().removeprefix(words).replace(" ", "")
        if what.lower().startswith(words) and (not value or re.fullmatch(NUMBER, value)):
            # a radius is solved by its curvature
            own = re.sub(r"^r(?=\d)", "c", name)
            return Solve(own, kind, float(value or 0))
    found = _PICKUP.fullmatch(what)
    if not name or found is None:
        raise InvalidLensText(
            f"{in_quotes(text, 60)} is no link. Write a pickup such as r4 = -r1 or t5 = 2 t1 + 3, or a"
            " solve such as t6 = focus, c6 = focal length 100, c6 = slope -0.1 or t2 = edge 1."
        )
    factor = float(found["sign"] + (found["factor"] or "1"))
    return Pickup(name, found["source"], factor, float((found["offset"] or "0").replace(" ", "")))


def link_texts(design: LensDesign) -> tuple[str, ...]:
    """The texts of the links of a design, which `read_links` reads."""
    pickups = [f"{p.parameter} = {pickup_text(p)}" for p in design.pickups]
    solves = [
        f"{s.parameter} = {_SOLVES[s.kind]}{f' {s.value:g}' if s.value else ''}"
        for s in design.solves
    ]
    return (*pickups, *solves)


def read_operand(text: str) -> Operand:
    """Read an operand from a text. The default target is 0 for an aberration, and 1 for a
    modulation. Raises InvalidLensText or InvalidMerit.
    """
    plain = re.sub(r"(?<=\w)_(?=\w)", " ", text.strip().lower())
    found = _OPERAND.fullmatch(plain)
    if found is None or (found["most"] and found["sign"] != "="):
        raise InvalidLensText(
            f"{in_quotes(text, 60)} is no operand. Write a quantity, perhaps of one field or surface,"
            " and its target or bound: rms spot, rms spot of 2 weight 3, focal length = 100, edge"
            f" thickness > 1, total length = 90..110. Quantities are {', '.join(OPERANDS)}."
        )
    operand = Operand(
        found["quantity"],
        weight=float(found["weight"] or 1),
        at=int(found["at"]) if found["at"] else None,
        configuration=int(found["configuration"]) if found["configuration"] else None,
        frequency=float(found["frequency"] or 0),
    )
    if operand.quantity == "mtf" and not operand.frequency:
        raise InvalidLensText(
            "A modulation is at a frequency: write mtf at 50, in lines per length."
        )
    if found["sign"] is None and operand.quantity in CHOSEN:
        raise InvalidLensText(
            f"{operand.text} has no target. Write {operand.text} = VALUE, or < or > for a bound."
        )
    if found["sign"] is None:
        return replace(operand, target=1.0) if operand.quantity == "mtf" else operand
    value = float(found["value"])
    if found["most"]:
        return replace(operand, least=value, most=float(found["most"]))
    if found["sign"] == "=":
        return replace(operand, target=value)
    is_most = found["sign"] in ("<", "<=", "≤")
    return replace(operand, most=value) if is_most else replace(operand, least=value)


def operand_text(operand: Operand) -> str:
    """The text of an operand, which `read_operand` reads."""
    text = operand.quantity
    if operand.frequency:
        text += f" at {operand.frequency:g}"
    if operand.at:
        text += f" of {operand.at}"
    if operand.configuration:
        text += f" in configuration {operand.configuration}"
    has_least, has_most = math.isfinite(operand.least), math.isfinite(operand.most)
    if has_least and has_most:
        text += f" = {operand.least:g}..{operand.most:g}"
    elif has_least or has_most:
        text += f" > {operand.least:g}" if has_least else f" < {operand.most:g}"
    elif operand.target:
        text += f" = {operand.target:.6g}"
    return text if operand.weight == 1 else f"{text} weight {operand.weight:g}"


def read_variable(text: str) -> Variable:
    """Read a variable from a text such as ``t1 = 2..8``. For a radius, the variable is the
    curvature. Raises InvalidLensText.
    """
    found = _VARIABLE.fullmatch(text.strip())
    if found is None:
        raise InvalidLensText(
            f"{in_quotes(text, 60)} is no variable. Write a parameter such as c1, t2, k1, a1_4 or glass1,"
            " perhaps with bounds, t2 = 1..8."
        )
    name, low, high = found["name"], found["low"], found["high"]
    bounds = [float(end) for end in (low, high) if end]
    if re.fullmatch(r"r\d+(?:_\d+)?", name):
        name = f"c{name[1:]}"
        if bounds and (bounds[0] * bounds[1] <= 0):
            raise InvalidLensText(
                f"Bounds of {found['name']} on both sides of a plane are not of one piece. Bound the"
                f" curvature {name} instead."
            )
        bounds = sorted(1 / end for end in bounds)
    return Variable(name, *bounds)
