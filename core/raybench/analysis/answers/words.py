"""Formats values and counts for sentences."""

from typing import Any

from raybench.errors import one_line

MOST_VALUE_CHARACTERS = 60
"""Maximum number of characters of a value in a sentence; longer ones are truncated."""

PROVENANCE = frozenset(
    {"revision", "unit", "wavelength_unit", "angle_unit", "power_unit", "truncated_share"}
)
"""Root attributes of an answer that are not findings: they describe how to read the values, or the
sentence reports them.
"""

NUMBER_WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
"""The words for the numbers from 1 on."""


def rounded_number(value: float) -> str:
    """A number as text with six significant digits."""
    return f"{value + 0.0:.6g}"


def value_in_words(value: Any) -> str:
    """A value as text in one line, cut to `MOST_VALUE_CHARACTERS` characters. The items of a
    sequence are separated by commas.
    """
    if isinstance(value, list | tuple):
        return value_in_words(", ".join(map(value_in_words, value)))
    text = (
        f"{value:g}" if isinstance(value, float) else one_line(" ".join(str(value)[:400].split()))
    )
    return text if len(text) <= MOST_VALUE_CHARACTERS else text[: MOST_VALUE_CHARACTERS - 1] + "…"


def grouped_digits(count: int) -> str:
    """An integer with spaces between groups of three digits."""
    return f"{count:,}".replace(",", " ")


def ray_count_text(count: int) -> str:
    """A number of rays as text, such as ``1 ray`` or ``1 200 rays``."""
    return count_with_noun(count, "ray")


def count_with_noun(count: int, noun: str) -> str:
    """A count with its noun, such as ``1 ray`` or ``1 200 rays``."""
    return f"1 {noun}" if count == 1 else f"{grouped_digits(count)} {pluralize(noun)}"


def pluralize(noun: str) -> str:
    """The plural of a noun, such as ``rays`` or ``properties``."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def rays_found_sentence(count: int, singular: str, plural: str) -> str:
    """A sentence that says how many rays were found, such as ``25 rays are inside Main Prism``.
    ``singular`` and ``plural`` are its verb phrases, here ``is inside Main Prism`` and ``are inside
    Main Prism``.
    """
    if count == 0:
        return f"No ray {singular}"
    return f"{ray_count_text(count)} {singular if count == 1 else plural}"


def percent_in_brackets(part: float, whole: float, of: str = "", digits: int = 4) -> str:
    """A part of a whole in percent, to append to a number, such as `` (12.5 % of the emitted)``;
    empty if ``whole`` is 0.
    """
    return f" ({100 * part / whole:.{digits}g} %{of})" if whole > 0 else ""


OF_EMITTED = " of the emitted"


def capitalize_first(text: str) -> str:
    """The text with its first letter in upper case, the rest unchanged."""
    return text[:1].upper() + text[1:]


def underscores_to_spaces(name: str) -> str:
    """The name with its underscores replaced by spaces."""
    return name.rstrip("_").replace("_", " ")
