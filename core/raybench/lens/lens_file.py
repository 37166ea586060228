"""Lens files: the result of reading one, and functions and errors that all formats share."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from raybench.errors import RaybenchError, in_quotes
from raybench.lens.glass import (
    AIR,
    Glass,
    ModelGlass,
    UnmatchedGlass,
    catalogue_glass,
    glass_name,
    glass_with_indices,
    match_glass,
)
from raybench.lens.prescription import Prescription, Wavelength, glass_index

MOST_FILE_BYTES = 4_000_000
"""Bytes of a lens file at most; those of real lenses have some 10 000."""
LARGEST_NUMBER = 1e50
"""Numbers of lens files at most; programs write up to 1e40 for what has no end."""
INFINITE_DISTANCE = 1e9
"""A distance from which on files mean infinity."""
MOST_SURFACES = 2000
NO_APERTURE = "The file states no aperture; an entrance pupil of the diameter 1 is used."
NEAR_F_NUMBER = "The f-number with an object nearby is read as focal length over pupil diameter."


class LensFileError(RaybenchError):
    """A lens file cannot be read or written; the message names the line and the reason."""


@dataclass(frozen=True)
class LensFile:
    """The contents of a lens file.

    Attributes:
        system: The prescription, with glasses named as in the file, or in the catalogue's spelling
            if the catalogue has them.
        omitted: Sentences about contents of the file that a prescription cannot hold, each with its
            surface.
        unmatched: Glasses that are not in the catalogue, by name, each with similar names.
        stated: The index and Abbe number that the file states for glasses, by name.
    """

    system: Prescription
    omitted: tuple[str, ...] = ()
    unmatched: Mapping[str, UnmatchedGlass] = field(default_factory=dict)
    stated: Mapping[str, ModelGlass] = field(default_factory=dict)

    def with_glasses(self, chosen: Mapping[str, Glass]) -> "LensFile":
        """The file with unmatched glasses replaced by the ``chosen`` ones, which are given by
        name.
        """

        def chosen_glass(glass: Glass) -> Glass:
            return chosen.get(glass, glass) if isinstance(glass, str) else glass

        system = replace(
            self.system,
            object_glass=chosen_glass(self.system.object_glass),
            surfaces=tuple(replace(s, glass=chosen_glass(s.glass)) for s in self.system.surfaces),
        )
        left = {name: each for name, each in self.unmatched.items() if name not in chosen}
        return replace(self, system=system, unmatched=left)

    def with_image_moved(self, shift: float) -> "LensFile":
        """The file with its image surface moved by a distance that the file states. Raises
        LensFileError.
        """
        if abs(shift) >= INFINITE_DISTANCE:
            raise LensFileError("The image surface is infinitely far from its place.")
        last = len(self.system.surfaces) - 1
        distance = self.system.surfaces[last].thickness + shift
        return replace(self, system=self.system.with_surface(last, thickness=distance))

    def with_omitted(self, sentence: str) -> "LensFile":
        """The file with one more sentence about omitted contents."""
        return replace(self, omitted=(*self.omitted, sentence))


def with_matched_glasses(
    system: Prescription,
    omitted: list[str],
    stated: Mapping[str, ModelGlass],
    makers: Sequence[str] = (),
) -> LensFile:
    """The lens file for a prescription whose glasses have the names in the file. ``stated`` maps
    these names to the index and Abbe number in the file.
    """
    names = {
        g for g in (system.object_glass, *(s.glass for s in system.surfaces)) if isinstance(g, str)
    }
    spelled: dict[str, Glass] = {}
    unmatched = {}
    for name in sorted(names - {AIR}):
        known = stated.get(name)
        match = match_glass(name, known, makers)
        if isinstance(match, UnmatchedGlass):
            unmatched[name] = match
        else:
            spelled[name] = catalogue_glass(match)
    file = LensFile(system, tuple(dict.fromkeys(omitted)), {}, dict(stated))
    return replace(file.with_glasses(spelled), unmatched=unmatched)


def decode_lens_text(data: bytes) -> str:
    """Decode the text of a lens file, in UTF-16 or UTF-8 with or without byte order mark, or
    Latin-1. Raises LensFileError if the data are not text.
    """
    text = _decode_text(data)
    if not text.strip():
        raise LensFileError("The file is empty.")
    if re.search("[\x00-\x08\x0e-\x1f]", text.replace("\x1a", "")):
        raise LensFileError("The file is binary, not a lens file in text form.")
    return text


def _decode_text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    for encoding, high in (("utf-16-le", data[1:400:2]), ("utf-16-be", data[:400:2])):
        if high.count(0) > 0.8 * len(high) and data[:400].count(0) == high.count(0):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def file_number(text: str, where: str) -> float:
    """The number in a word of a lens file, which may have a Fortran exponent or be INFINITY. Raises
    LensFileError with the place ``where``.
    """
    word = text.strip().strip('"')
    if re.fullmatch(r"[+-]?inf(inity)?", word, re.IGNORECASE):
        return math.copysign(math.inf, -1 if word.startswith("-") else 1)
    try:
        value = float(re.sub("(?<=[0-9.])[dD](?=[+-]?[0-9])", "e", word))
    except ValueError:
        raise LensFileError(f"{where}: {in_quotes(word, 40)} is not a number.") from None
    if not abs(value) <= LARGEST_NUMBER:
        raise LensFileError(f"{where}: {in_quotes(word, 40)} is not a number below 1e50.")
    return value


def file_integer(text: str, where: str) -> int:
    """The integer in a word of a lens file. Raises LensFileError with the place ``where``."""
    value = file_number(text, where)
    if not math.isfinite(value) or value != int(value):
        raise LensFileError(f"{where}: {in_quotes(text, 40)} is not a whole number.")
    return int(value)


def split_commands(line: str, comment: str, quotes: str) -> list[list[str]]:
    """The commands of a line, which are separated by semicolons, each as a list of words. A quoted
    text is one word; ``quotes`` are the quotation marks. Text after the mark ``comment`` is
    ignored.
    """
    pattern = rf"{comment}.*|([{quotes}])(.*?)(?:\1|$)|;|(?:(?!{comment})[^\s;{quotes}])+"
    commands: list[list[str]] = [[]]
    for found in re.finditer(pattern, line):
        if found[1]:
            commands[-1].append(found[2])
        elif found[0] == ";":
            commands.append([])
        elif not found[0].startswith(comment):
            commands[-1].append(found[0])
    return [words for words in commands if words and words[0]]


def glass_from_indices(
    name: str, wavelengths: Sequence[float], indices: Sequence[float], where: str
) -> Glass:
    """The glass with the indices that a file states at wavelengths (nm). Raises LensFileError with
    the place ``where`` if indices or wavelengths are missing or invalid.
    """
    if not indices or not all(index > 0 for index in indices):
        raise LensFileError(f"{where}: a glass without positive indices.")
    if len(indices) > len(wavelengths) or not all(1 <= w <= 1e6 for w in wavelengths):
        raise LensFileError(
            f"{where}: a glass needs a wavelength from 1 nm to 1 mm for each index."
        )
    return glass_with_indices(name, wavelengths[: len(indices)], indices)


def indices_text(glass: Glass, waves: Sequence[Wavelength], where: str, omitted: list[str]) -> str:
    """The indices of a glass at wavelengths, as text. If a single wavelength cannot represent the
    dispersion, a sentence is added to ``omitted``. Raises OutsideRange.
    """
    if len(waves) < 2 and not (isinstance(glass, ModelGlass) and math.isinf(glass.v_d)):
        omitted.append(
            f"{where}: the dispersion of {glass_name(glass)}; the file has one wavelength."
        )
    return " ".join(f"{glass_index(glass, wave.value):.12g}" for wave in waves)


def reference_wavelength_index(stated: int, count: int, omitted: list[str]) -> int:
    """The index of the reference wavelength, which the file states counted from 1. If there are
    fewer wavelengths, the index is 0, and a sentence is added to ``omitted``.
    """
    if 1 <= stated <= count:
        return stated - 1
    omitted.append(f"The reference wavelength {stated} of {count}; the first one is used.")
    return 0


def radius_from_curvature(curvature: float) -> float:
    """1/curvature, rounded to the 15 digits of files; infinite for 0, and 0 for infinity."""
    if not curvature or abs(curvature) < 1e-300:
        return math.inf
    radius = 1 / curvature
    if not radius:  # an infinite curvature, which a prescription refuses
        return 0.0
    rounded = float(f"{radius:.13g}")
    return rounded if abs(1 / rounded - curvature) <= 4e-16 * abs(curvature) else radius


def distance_from_file(value: float) -> float:
    """The distance to the object; infinite for values of at least `INFINITE_DISTANCE`."""
    return math.inf if abs(value) >= INFINITE_DISTANCE else value


def number_text(value: float) -> str:
    """The shortest text that is read as the same number."""
    return repr(float(value)).removesuffix(".0") if math.isfinite(value) else "INFINITY"
