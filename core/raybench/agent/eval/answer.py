"""Reads what a model claims: the line of its answer that begins with ``Answer:``, or else the whole
text.
"""

import re
from collections.abc import Callable, Iterable, Mapping

UNITS = {
    "length": {
        "nm": 1e-6, "µm": 1e-3, "μm": 1e-3, "um": 1e-3, "micron": 1e-3, "microns": 1e-3,
        "mm": 1.0, "millimetre": 1.0, "millimetres": 1.0, "millimeter": 1.0, "millimeters": 1.0,
        "cm": 10.0, "m": 1000.0,
    },
    "angle": {
        "°": 1.0, "º": 1.0, "deg": 1.0, "degree": 1.0, "degrees": 1.0,
        "mrad": 0.05729577951308232, "rad": 57.29577951308232,
    },
    "share": {"%": 0.01, "percent": 0.01, "per cent": 0.01},
}  # fmt: skip
"""The units in which numbers are read, by quantity, each in the one that the bank writes."""
UNITLESS_QUANTITIES = ("share", "")
"""Quantities whose numbers usually have no unit."""
_ALL_UNITS = {unit: (of, size) for of, units in UNITS.items() for unit, size in units.items()}
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<number>[-−–+]?\d+(?:[.,]\d+)?(?:\s?[x×·]\s?10\^?[-−]?\d+|e[-+]?\d+)?)"
    rf"(?:\s*(?P<unit>{'|'.join(sorted(map(re.escape, _ALL_UNITS), key=len, reverse=True))})"
    r"(?![^\W\d_]))?(?!\w*\d)",
    re.IGNORECASE,
)
_LINE = re.compile(r"^[\s*_>#`]*answer[\s*_`]*[:：][\s*_`]*(.*?)[\s*_`]*$", re.IGNORECASE | re.M)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_MARKUP = re.compile(r"\\(?:[a-z]+|[,;!])?|[${}*`]")
"""Marks of Markdown and LaTeX around what is claimed."""
_REFUSAL = re.compile(
    r"\bimpossible\b|\bnot possible\b|\bdoes(?: not|n't) exist\b|\bno such\b|\bneither\b"
    r"|\b(?:cannot|can't) be (?:done|met|reached|answered|told|given|made)\b"
    r"|\bthere (?:is|are) (?:no|only|just)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:,.]\s")
_CALCULATION = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?\s*[/·×*]\s*\d+(?:[.,]\d+)?\s*=\s*")
"""A quotient or product before its result."""
_WRITTEN = {
    "’": "'", "^\\circ": "°", "^{\\circ}": "°", "\\degree": "°", "\\times": "×", "\\cdot": "·", "\\mu ": "µ", "\\mu": "µ",
    "⁻": "^-", **{raised: f"^{digit}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip
"""What LaTeX and raised characters mean."""


def answer_line(text: str) -> str:
    """The last line that begins with ``Answer:``, without this word; the whole text if there is
    none. LaTeX and Markdown marks are removed.
    """
    for written, meant in _WRITTEN.items():
        text = text.replace(written, meant)
    text = text.replace("^-^", "^-")
    lines = _LINE.findall(text)
    return _MARKUP.sub("", lines[-1] if lines else text).strip()


def read_numbers(text: str, quantity: str) -> list[float]:
    """The numbers of a quantity in a text, in the unit of the bank. The empty quantity stands for
    numbers without a unit. Decimal commas are accepted. A share may be in percent. An angle loses
    its sign; a direction is taken modulo 360.

    Text in brackets and text after a colon is used only if the rest holds no number. A number
    without a unit has the unit of the bank, unless another number has a unit.
    """
    plain = _IN_BRACKETS.sub("", _CALCULATION.sub("", text))
    for bare in dict.fromkeys((quantity in UNITLESS_QUANTITIES, True)):
        for part in (plain.partition(": ")[0], plain, text):
            if found := _read_numbers_in(part, quantity, bare=bare):
                return found
    return []


def _read_numbers_in(text: str, quantity: str, *, bare: bool) -> list[float]:
    as_claimed: Mapping[str, Callable[[float], float]] = {
        "angle": abs,
        "direction": lambda degrees: (degrees + 180) % 360 - 180,
    }
    claimed = as_claimed.get(quantity, float)
    quantity = "angle" if quantity == "direction" else quantity
    found = []
    for match in _NUMBER.finditer(text):
        unit = (match["unit"] or "").lower()
        of, size = _ALL_UNITS.get(unit, ("", 1.0))
        if of != quantity and not (of == "" and bare):
            continue
        written = re.sub(r"[−–]", "-", match["number"]).replace(",", ".")
        written = re.sub(r"\s?[x×·]\s?10\^?", "e", written)
        found.append(claimed(float(written) * size))
    return found


def find_names(text: str, known: Iterable[str]) -> set[str]:
    """The known names that occur in a text outside of brackets. A name inside a longer name does
    not count. Names may share their last word, as in North and Middle Lamp.
    """
    text, found = _IN_BRACKETS.sub("", text), set()
    longest_first = sorted(known, key=len, reverse=True)
    for name in longest_first:
        first, space, last = name.rpartition(" ")
        if space:
            shared = rf"(?<!\w){re.escape(first)}(?=(?:,| and| &) \w[\w ]*{re.escape(last)}(?!\w))"
            text = re.sub(shared, name.replace("\\", ""), text, flags=re.IGNORECASE)
    for name in longest_first:
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        if pattern.search(text):
            found.add(name)
            text = pattern.sub(" ", text)
    return found


def read_yes_or_no(text: str) -> bool | None:
    """Whether a text begins with yes (True) or with no (False); None for any other text."""
    match = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
    return None if match is None else match[1].lower() == "yes"


def is_refusal(text: str) -> bool:
    """Whether a text begins by saying that the requested thing does not exist or cannot be done."""
    return _REFUSAL.search(_CLAUSE.split(text, maxsplit=1)[0]) is not None
