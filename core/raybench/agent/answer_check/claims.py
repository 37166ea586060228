"""The claims in a text: the numbers, names and ray sets that it states."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.answers.words import NUMBER_WORDS

if TYPE_CHECKING:
    from raybench.agent.answer_check.facts import Fact

UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("%", "percent", "per cent", "percentage points"), ("share", 0.01)),
    **dict.fromkeys(("°", "deg", "degree", "degrees"), ("angle", 1.0)),
    **dict.fromkeys(("rad", "radian", "radians"), ("angle", math.degrees(1))),
    "mrad": ("angle", math.degrees(1e-3)),
    **dict.fromkeys(("µrad", "μrad", "urad"), ("angle", math.degrees(1e-6))),
    **dict.fromkeys(("arcmin", "′"), ("angle", 1 / 60)),
    **dict.fromkeys(("arcsec", "″"), ("angle", 1 / 3600)),
    **dict.fromkeys(("nm", "nanometres", "nanometers"), ("length", 1e-9)),
    **dict.fromkeys(
        ("µm", "μm", "um", "micron", "microns", "micrometres", "micrometers"), ("length", 1e-6)
    ),
    **dict.fromkeys(("mm", "millimetres", "millimeters"), ("length", 1e-3)),
    **dict.fromkeys(("cm", "centimetres", "centimeters"), ("length", 1e-2)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("inch", "inches"), ("length", 0.0254)),
    **dict.fromkeys(("nW", "nanowatts"), ("watt", 1e-9)),
    **dict.fromkeys(("µW", "μW", "uW", "microwatts"), ("watt", 1e-6)),
    **dict.fromkeys(("mW", "milliwatts"), ("watt", 1e-3)),
    **dict.fromkeys(("W", "watt", "watts"), ("watt", 1.0)),
    **dict.fromkeys(("dpt", "dioptres", "diopters", "/m", "1/m"), ("vergence", 1.0)),
    **{unit: ("time", 10.0**-n) for unit, n in zip(("s", "ms", "µs", "ns", "ps", "fs"), (0, 3, 6, 9, 12, 15), strict=True)},
    **{unit: (unit, 1.0) for unit in ("dB", "dBm", "kW", "MW", "J", "mJ", "eV", "Hz", "GHz", "THz", "lm", "lux", "K")},
    "relative power": ("power", 1.0),
    **dict.fromkeys(("scene units", "scene unit"), ("scene length", 1.0)),
    "m/s": ("speed", 1.0),
    "km/s": ("speed", 1e3),
    "million m/s": ("speed", 1e6),
    **dict.fromkeys(("mm²", "cm²", "per mm", "lines/mm", "lines per mm", "/mm"), ("", 1.0)),
}  # fmt: skip
"""The dimension of each unit, and its size in the unit of that dimension: 1, °, m, W, 1/m, s."""
_NUMBER_WORDS = {word: value for value, word in enumerate(NUMBER_WORDS, 1)} | {
    "no": 0,
    "zero": 0,
    "both": 2,
    "dozen": 12,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
_FRACTION_WORDS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
                   "eighth": 8, "tenth": 10}  # fmt: skip
_FACTOR_WORDS = {"twice": 2, "double": 2, "doubles": 2, "doubled": 2, "thrice": 3, "triple": 3,
                 "triples": 3, "tripled": 3, "halves": 0.5, "halved": 0.5}  # fmt: skip
_NUMBER = re.compile(
    r"""(?P<sign>(?<![\w)\]%°])[-+−±])?
    (?<![\w.,<|])(?P<digits>\d{1,3}(?:[ \u00a0\u2009\u202f']\d{3})+(?!\d)(?:[.,]\d+)?
        |\d{1,3}(?:,\d{3})+\.\d+|\d+(?:[.,]\d+)?|\.\d+)
    (?:[eE](?P<e>[-+−]?\d+)
       |\s?[·×x*]\s?10(?:\^\{?(?P<power>[-+−]?\d+)\}?|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?""",
    re.VERBOSE,
)
_UNIT = re.compile(
    r"\s?-?(?:" + "|".join(re.escape(u) for u in sorted(UNITS, key=len, reverse=True)) + r")(?!\w)"
)
_NUMBER_IN_WORDS = re.compile(
    r"\b(?:(?:(?P<many>an?|one|two|three|four|five)[ -])?(?P<part>half|thirds?|quarters?|fifths?"
    r"|sixths?|eighths?|tenths?)\b"
    r"(?=\s+(?:of|as|the|its|that|at|from|in|is|are|escapes?)\b|\s*[,.;:()]|$)"
    rf"|(?P<count>{'|'.join(_NUMBER_WORDS)})\b(?=\s+(?:\S+\s+){{0,2}}?[a-zA-Z]+)"
    rf"|(?P<times>{'|'.join(_FACTOR_WORDS)})\b(?:(?<=[sd])|(?=\s+(?:as|the|that|its)\b)))",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(r"\s+(?:\w+\s+as|as|the|more|less|[a-z]+er|enlarged|magnified)\b")
"""The words after ``three times`` if it says how many times as much."""
_ONE_IN = re.compile(
    r"\b(?:one|1)(?: (?:part|ray))? in\s+(?:(?:about|roughly)\s+)?$", re.IGNORECASE
)
_FACTOR = re.compile(
    r"\b(?:factor|ratio)(?: of)?\s+(?:(?:about|almost|nearly|roughly|only|just)\s+)?$"
)
_IN_UNIT = re.compile(
    rf"\b[Ii]n (?P<unit>{'|'.join(u for u in UNITS if u.isalpha() and len(u) > 4)})\b[^\d.;:,]*$"
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_HEDGE = re.compile(
    r"(?:about|roughly|around|nearly|almost|approximately|approx\.?|circa|ca\.|some|just|barely"
    r"|close to|over|under|above|below|less than|more than|at least|at most|up to|[~≈<>≤≥])\s*"
    r"(?:an?\s|the\s)?$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:(?<!spread )over|under|above|below|beyond|less than|fewer than|more than|at least|at most|up to"
    r"|within|[<>≤≥])\s*(?:an?\s|the\s)?$",
    re.IGNORECASE,
)
_COORDINATE = re.compile(r"[=≈]\s*$")
_LABEL = re.compile(
    r"(?:edges?|steps?|surfaces?|figure|fig\.|section|revision|version|option|part|case|item|table|line"
    r"|question|note|point)\s*$|#$",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"```.*?(?:```|\Z)|^\s{0,3}\d{1,3}[.)]\s|\br\d+-\d+\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b"
    r"|\b(?:1[89]|20)\d\d\b(?=\s*(?:[,.;:)]|$))(?<=(?:in|of) \d{4})|\bR\d+\b|https?://\S+",
    re.MULTILINE | re.DOTALL,
)


class SourceCall(NamedTuple):
    """A tool call that returned a value: tool, arguments, and the name of its ray set."""

    tool: str
    arguments: Mapping[str, Any]
    rays: str = ""


@dataclass(frozen=True)
class CheckedPart:
    """A number, name or ray set in an answer, from ``start`` to ``end``, and its support: the
    ``call`` that returned it, or the ``reason`` why nothing supports it. Parts that come from the
    question or the scene have neither.
    """

    text: str
    start: int
    end: int
    call: SourceCall | None = None
    reason: str = ""


def unsupported_parts(checked: Iterable[CheckedPart]) -> tuple[CheckedPart, ...]:
    """The parts that nothing supports, without repeated texts."""
    return tuple({c.text: c for c in checked if c.reason}.values())


@dataclass(frozen=True)
class Claim:
    """A number in a text, from ``start`` to ``end``.

    ``values``: possible values in ``unit``, since 1,064 has two, each with half of its last digit.
    ``dimension``: dimension of the unit, empty without a unit. ``noun``: what the number counts.
    ``ratio``: the number is a factor, as in three times. ``bound``: the text gives the number as a
    limit.
    """

    text: str
    start: int
    end: int
    values: tuple[tuple[float, float], ...]
    dimension: str = ""
    unit: str = ""
    noun: str = ""
    ratio: bool = False
    bound: bool = False
    signed: bool = False
    shared: bool = False
    """Whether the unit is that of the next number, as in ``10 and 20 mm``."""

    @property
    def unit_size(self) -> float:
        """The size of the claim's unit in the base unit of its dimension."""
        return UNITS[self.unit][1] if self.unit in UNITS else 1.0

    def is_near(self, numbers: NDArray[np.float64], value: float, half: float) -> NDArray[np.bool_]:
        """Mask of the ``numbers`` that round to ``value``, given half of its last digit; a limit
        may differ by a fourth.
        """
        if not self.signed:
            numbers, value = np.abs(numbers), abs(value)
        near: NDArray[np.bool_] = np.abs(numbers - value) <= half * 1.0001
        if self.bound and value:
            near |= (numbers / value >= 0.8) & (numbers / value <= 1.25)
        return near

    def can_state_fact(self, fact: Fact) -> bool:
        """Whether the claim can state a fact, whatever the sign."""
        if self.dimension and self.dimension != fact.dimension:
            return False
        size = self.unit_size if self.dimension else fact.unit_size
        return any(
            abs(abs(v * size) - abs(fact.number)) <= half * size * 1.01 for v, half in self.values
        )

    @property
    def significant_digits(self) -> int:
        return len(re.sub(r"\D", "", self.text).lstrip("0"))

    def is_among(self, written: Sequence[float]) -> bool:
        """Whether the claim equals one of some written numbers. A claim without a sign may equal an
        absolute value.
        """
        own = [v for v, _ in self.values]
        own += [] if self.signed else [-v for v in own]
        return any(abs(v - w) < 1e-9 for v in own for w in written)

    def without_unit(self) -> Claim:
        return replace(self, unit="", dimension="", shared=False)


def number_claims(text: str, names: re.Pattern[str] | None = None) -> list[Claim]:
    """The numbers that a text states, in order. Numbers in the ``names``, in program code, in list
    markers and in labels are left out.
    """
    masked = _MASKED.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)
    if names is not None:
        masked = names.sub(lambda m: "\0" * len(m[0]), masked)
    found = sorted(
        [*_claims_in_digits(text, masked), *_claims_in_words(text, masked)], key=lambda c: c.start
    )
    for i in range(len(found) - 2, -1, -1):  # 10, 20 and 30 mm
        this, after = found[i], found[i + 1]
        between = masked[this.end : after.start]
        if not this.unit and not this.noun and after.unit and re.fullmatch(
            rf"\s*(?:-|–|to|and|or|/|x|×|±|bis|und{'|,' if after.shared else ''})\s*", between
        ):  # fmt: skip
            found[i] = replace(this, unit=after.unit, dimension=after.dimension, shared=True)
    return found


def _claims_in_digits(text: str, masked: str) -> Iterator[Claim]:
    for m in _NUMBER.finditer(masked):
        before, start, end = masked[: m.start()][-40:], m.start(), m.end()
        exponent = (m["e"] or m["power"] or (m["raised"] or "0").translate(_RAISED)).replace(
            "−", "-"
        )
        sign = -1.0 if m["sign"] in ("-", "−") else 1.0
        unit = _UNIT.match(masked, end)
        ratio = bool(
            re.match(r"\s?(?:[x×](?!\w|\s?\d)|times\b|[- ]?(?:fold|mal)\b)", masked[end : end + 8])
            or _FACTOR.search(before)
        )
        name = unit[0].strip().lstrip("-") if unit and not ratio else ""
        if name and not UNITS[name][0]:  # of no dimension that values are known to have
            name = ""
        if not name and not ratio and re.match(r"[A-Za-zµμ²]|-[A-Z]|/\w", masked[end : end + 2]):
            continue  # part of a word, an ordinal, a fraction
        if re.search(r"\d/$", before) or _LABEL.search(before):
            continue
        if unit and not ratio:
            end = unit.end()
        noun = "" if name or ratio else _counted_noun(masked[end : end + 60])
        if not name and not noun and not ratio and (stated := _IN_UNIT.search(before)):
            name = stated["unit"]
        values = tuple((sign * v, ulp) for v, ulp in _possible_values(m["digits"], exponent))
        if _ONE_IN.search(before) and not name and values[0][0]:
            name, noun = "part", ""
            values = tuple((1 / v, half / v**2) for v, half in values)
        dimension = "share" if name == "part" else UNITS[name][0] if name else ""
        if not values:
            continue
        whole = m["digits"].isdigit()
        is_round = len(re.sub(r"\D", "", m["digits"]).strip("0")) < 2
        if len(m["digits"]) == 1 and not name:  # 2 of something is no 1.6 of it
            values = tuple((v, 0.1 * half) for v, half in values)
        if thousands := re.search(r"(?:[ \u00a0\u2009\u202f']000)+$", m["digits"]):  # 185 000
            values = tuple((v, half * 1000 ** (len(thousands[0]) // 4)) for v, half in values)
        if whole and m["digits"].endswith("0") and _HEDGE.search(before):  # about 40: one digit
            zeros = len(m["digits"]) - len(m["digits"].rstrip("0"))
            values = tuple((v, min(u * 10**zeros, 0.125 * v)) for v, u in values)
        yield Claim(
            text[start:end], start, end, values, dimension, name, noun if whole else "", ratio,
            bound=is_round and (name or values[0][0] >= 10) and _BOUND.search(before) is not None,
            signed=(m["sign"] or "±") != "±" or _COORDINATE.search(before) is not None,
        )  # fmt: skip


def _claims_in_words(text: str, masked: str) -> Iterator[Claim]:
    for m in _NUMBER_IN_WORDS.finditer(masked):
        before, end = masked[: m.start()][-40:], m.end()
        about = 0.1 if _HEDGE.search(before) else 0.03
        name = noun = ""
        times = re.match(r"\s+times\b", masked[end:])
        if m["part"]:
            if not (m["many"] or m["part"].lower() == "half" or masked.startswith(" of", end)):
                continue  # an ordinal
            many = (m["many"] or "a").lower()
            value = _NUMBER_WORDS.get(many, 1) / _FRACTION_WORDS[m["part"].lower().rstrip("s")]
            half, name = value * about, "part"
        elif m["times"]:
            value = _FACTOR_WORDS[m["times"].lower()]
            half = value * about
        elif times:
            value, half, end = _NUMBER_WORDS[m["count"].lower()], 0.5, end + times.end()
            if not _MULTIPLE.match(masked, end) and not re.search("magnif|enlarg", before):
                half, noun = 0.4, "time"
        else:
            value, half, noun = (
                _NUMBER_WORDS[m["count"].lower()],
                0.4,
                _counted_noun(masked[end : end + 60]),
            )
            if not noun or (value == 1 and (noun != "ray" or masked.startswith(" of", end))):
                continue
        yield Claim(
            text[m.start() : end], m.start(), end, ((float(value), half),),
            "share" if name else "", name, noun, ratio=not (name or noun),
            bound=_BOUND.search(before) is not None,
        )  # fmt: skip


def _possible_values(digits: str, exponent: str) -> Iterator[tuple[float, float]]:
    """The values that written digits can have, each with half of its last digit."""
    plain = re.sub(r"[ \u00a0\u2009\u202f']", "", digits)
    texts = [plain.replace(",", "") if "." in plain else plain.replace(",", ".")]
    if re.fullmatch(r"\d{1,3},\d{3}", plain):
        texts.append(plain.replace(",", ""))
    for text in texts:
        value = float(f"{text}e{exponent}")
        if math.isfinite(value):
            yield value, float(f"5e{int(exponent) - len(text.partition('.')[2]) - 1}")


def _counted_noun(after: str) -> str:
    """The noun, in the singular, that a number counts. ``after`` is the text after the number. The
    noun is the first of the following words that is a known plural, or the last one.
    """
    words = re.match(
        r"(?:\s+of\s+(?:(?:the|these|those|its|all)\s+)?(?:\d+\s)?)?(?:[\s*_]*[a-zA-Z-]+){1,3}",
        after,
    )
    for word in re.split(r"[\s*_]+", words[0]) if words else ():
        if (noun := singular(word)) in COUNTED_NOUNS:
            return noun
    return ""


def singular(word: str) -> str:
    """A noun in lower case, without a plural ending."""
    word = word.lower()
    if word.endswith(("sses", "lenses")):
        return word.removesuffix("es")
    return word if word.endswith(("ss", "lens", "us", "is")) else word.removesuffix("s")


COUNTED_NOUNS = frozenset({
    "ray", "beam", "path", "ghost", "trap", "image", "bundle", "edge", "segment", "group",
    "loss", "gap", "order", "body", "detector", "lens", "mirror", "source", "prism", "object",
    "surface", "lamp", "laser", "point", "way", "violation", "part", "kind", "glass", "sensor",
    "screen", "step", "element", "measure", "row", "reflection",
})  # fmt: skip
"""What is counted, where the number is a claim about the light or the scene."""
