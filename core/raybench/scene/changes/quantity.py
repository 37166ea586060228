"""Parsing and formatting of numbers with units. The numbers may be expressions: "5 mm", "0.2 µm",
"30 deg", "800/2", "10 cm + 5 mm".
"""

import math
import re
from fractions import Fraction

from raybench.errors import elide_text
from raybench.formula import FormulaError, Scope, evaluate_formula
from raybench.formula.functions import CONSTANTS, FUNCTIONS
from raybench.kinds.fields import LENGTH, METRES, WATTS, unit_text
from raybench.phrase import Phrase

_SPELLED = {
    "um": "µm",
    "μm": "µm",
    "uW": "µW",
    "μW": "µW",
    "inch": "in",
    "°": "deg",
    "degrees": "deg",
    "lines/mm": "1/mm",
    "grooves/mm": "1/mm",
}
_RADIAN = Fraction(180) / Fraction(3.141592653589793)
_QUANTITY = re.compile(
    r"\s*([-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*([a-zA-Zµμ°%²/]*)\s*"
)
_WORDS = "|".join(sorted({*METRES, *WATTS, *_SPELLED, "deg", "rad", "%"}, key=len, reverse=True))
_UNIT = re.compile(rf"(?<![A-Za-z_µμ])({_WORDS})\s*$")
_NUMBER_OR_NAME = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|([^\W\d]\w*)")
_LENGTH = re.compile(
    r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\s*"
    rf"(?:{'|'.join(sorted({*METRES, 'um', 'μm', 'inch'}, key=len, reverse=True))})(?![\w(])"
)
_WITHIN = re.compile(rf"(?<![A-Za-z_µμ])({_WORDS})\s*(?=[*/]\s*[\w.(])")
_UNFINISHED = re.compile(r"(?:\d+\.?\d*|\.\d+)[eE](?![-+]?\d|\w)")
_OF_ANGLE = re.compile(r"\b(sin|cos|tan|sec|csc|cot)\(([^()]*)\)")
_TO_ANGLE = re.compile(r"\ba(?:sin|cos|tan2?|sec|csc|cot)\(")
_BETWEEN_TERMS = re.compile(r"(?<=[^-+*/^(,\s])\s*(?<!\d[eE])([-+])")
MAX_LENGTH = 60


class InvalidQuantity(ValueError):
    """A text is not a number with a compatible unit; the message, usually a `Phrase`, says why."""


def read_quantity(text: str, unit: str, scene_unit: str) -> float:
    """Read the number in a text and convert it to the unit of a field (see `Description.unit`). A
    number without a unit is in the unit of the field.

    The text may be an expression in the syntax of math.js: "800/2", "sqrt(2)*10 mm", "1 in - 5 mm",
    "25.4 mm/2". A unit multiplies its whole term; in a sum either every term has a unit or none.
    Ambiguous texts are refused: a comma, since "1,500" may mean 1.5 or 1500; an angle without a
    unit, since sin(30) may mean degrees or radians; "2e" without an exponent. Raises
    InvalidQuantity.
    """
    target = unit_text(unit, scene_unit)
    example = Phrase("5 or '5 {unit}'", unit=target) if target else "5"
    if not text.strip():
        raise InvalidQuantity(
            Phrase("must be a number such as {example}; the text is empty", example=example)
        )
    if len(text) > MAX_LENGTH:
        raise InvalidQuantity(
            Phrase(
                "must be a number such as {example}; the text has {count} characters, at most {most}"
                " are read",
                example=example,
                count=len(text),
                most=MAX_LENGTH,
            )
        )
    _refuse_comma(text)
    if found := _UNFINISHED.search(text):
        raise InvalidQuantity(
            Phrase(
                "has '{found}' in {text!r}; write {found}3 for a power of ten, or a * before the"
                " number e",
                found=found[0],
                text=text.strip(),
            )
        )
    match = _QUANTITY.fullmatch(text)
    if match is not None and match[2] not in CONSTANTS:
        return _convert_unit(Fraction(match[1].replace("−", "-")), match[2], target)
    terms = _split_sum_terms(text.replace("−", "-"))
    if len(terms) > 1 and len({bool(given) for _, given in terms}) > 1:
        raise InvalidQuantity(
            Phrase(
                "has terms with and without a unit in {text!r}; give each term its unit",
                text=elide_text(text.strip(), MAX_LENGTH),
            )
        )
    for term, given in terms:
        _refuse_angle_without_unit(term, given, target)
    return math.fsum(
        _convert_unit(_evaluate_expression(term, text, example), given, target)
        for term, given in terms
    )


def replace_lengths(formula: str, unit: str, scene_unit: str) -> str:
    """The formula in which each length, such as ``5 mm``, is replaced by its value in the unit of a
    field, or in scene units if the unit of the field is not a length.
    """
    own = unit if unit_text(unit, scene_unit) in METRES else LENGTH
    return _LENGTH.sub(lambda found: repr(read_quantity(found[0], own, scene_unit)), formula)


def _refuse_comma(text: str) -> None:
    """Raise InvalidQuantity for a comma that may be a decimal or a thousands separator. A comma
    between the arguments of a function is allowed.
    """
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            plain = text.strip()
            if plain.count(",") > 1:
                raise InvalidQuantity(
                    Phrase("has commas in {text!r}; write it without them", text=plain)
                )
            if "." in plain:  # of the two, the last is the decimal point
                whole, _, rest = plain.rpartition(max(".", ",", key=plain.rfind))
                written = f"{re.sub('[.,]', '', whole)}.{rest}"
                raise InvalidQuantity(
                    Phrase(
                        "has a point and a comma in {text!r}; write {written}",
                        text=plain,
                        written=written,
                    )
                )
            point, none = plain.replace(",", "."), plain.replace(",", "")
            raise InvalidQuantity(
                Phrase(
                    "has a comma in {text!r}; write {point} with a decimal point or {none} without a"
                    " comma",
                    text=plain,
                    point=point,
                    none=none,
                )
            )


def _split_sum_terms(text: str) -> list[tuple[str, str]]:
    """Split a sum into its terms, each an expression and a unit. If no term has a unit, the whole
    text is one term.
    """
    cuts = [
        m.start(1)
        for m in _BETWEEN_TERMS.finditer(text)
        if text.count("(", 0, m.start(1)) == text.count(")", 0, m.start(1))
    ]
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    terms = [_split_unit(part) for part in parts]
    return terms if any(given for _, given in terms) else [_split_unit(text)]


def _split_unit(term: str) -> tuple[str, str]:
    """Split a term into an expression and a unit. The unit is at the end of the term, or before a
    factor.
    """
    found = _UNIT.search(term)
    if found is None:
        outside = [
            m
            for m in _WITHIN.finditer(term)
            if term.count("(", 0, m.start()) == term.count(")", 0, m.start())
        ]
        found = outside[0] if len(outside) == 1 else None
    return (
        (term[: found.start()] + term[found.end() :], found[1]) if found is not None else (term, "")
    )


def _refuse_angle_without_unit(term: str, given: str, target: str) -> None:
    """Raise InvalidQuantity for an angle that may be in degrees or in radians, as in sin(30) or
    asin(0.5).
    """
    for name, argument in _OF_ANGLE.findall(term):
        if not re.search(r"deg|rad|°|pi|tau", argument, re.IGNORECASE):
            raise InvalidQuantity(
                Phrase(
                    "has an angle without a unit in '{name}({argument})'; write"
                    " {name}({argument} deg) or {name}({argument} rad)",
                    name=name,
                    argument=argument,
                )
            )
    if target == "deg" and not given and (found := _TO_ANGLE.search(term)):
        raise InvalidQuantity(
            Phrase("has an angle in radians, of '{found}…)'; write rad after it", found=found[0])
        )


def _evaluate_expression(expression: str, text: str, example: str) -> Fraction:
    expression = re.sub(r"(?<=[\d.)\s])\s*rad\b", "*1", expression.replace("°", " deg"))
    for name in _NUMBER_OR_NAME.findall(expression):
        if (
            name and name not in CONSTANTS and name not in FUNCTIONS
        ):  # before evaluation: 0x10 would be 0 times x10
            where = "" if text.strip() == name else Phrase("in {text!r} ", text=text.strip())
            raise InvalidQuantity(
                Phrase(
                    "must be a number such as {example}; {where}{name!r} is not a number or"
                    " function; units end a term",
                    example=example,
                    where=where,
                    name=name,
                )
            )
    try:
        value = evaluate_formula(expression, Scope())
    except FormulaError as error:
        raise InvalidQuantity(
            Phrase(
                "must be a number such as {example}; {text!r} is not: {error}",
                example=example,
                text=text.strip(),
                error=str(error).rstrip("."),
            )
        ) from None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidQuantity(Phrase("must be a finite number; {text!r} is not", text=text.strip()))
    return Fraction(value)


def _convert_unit(value: Fraction, written: str, target: str) -> float:
    """Convert a value from the unit ``written`` to the unit ``target``, exactly except for one
    rounding. Raises InvalidQuantity if the units have different dimensions.
    """
    given = _SPELLED.get(written, written)
    try:
        if given in ("", target, target.removeprefix("1")):
            return float(value)
        for sizes in (METRES, WATTS):
            if given in sizes and target in sizes:
                return float(value * sizes[given] / sizes[target])
        if given == "rad" and target == "deg":
            return float(value * _RADIAN)
    except OverflowError:
        raise InvalidQuantity(Phrase("is too large for a number")) from None
    compatible = (
        list(METRES)
        if target in METRES
        else list(WATTS)
        if target in WATTS
        else ["deg", "rad"]
        if target == "deg"
        else [target]
        if target
        else []
    )
    raise InvalidQuantity(
        Phrase(
            "is in '{written}'; give one of {units}", written=written, units=", ".join(compatible)
        )
        if compatible
        else Phrase("is in '{written}'; give a number without a unit", written=written)
    )


def format_with_unit(value: float, unit: str, scene_unit: str) -> str:
    """Format a number with its unit."""
    return Phrase("{value:.6g}{unit}", value=value, unit=unit_suffix(unit_text(unit, scene_unit)))


def unit_suffix(unit: str) -> str:
    """The text of a unit after a number: `` mm``, ``°``, or nothing."""
    return "°" if unit in ("deg", "°") else f" {unit}".rstrip()
