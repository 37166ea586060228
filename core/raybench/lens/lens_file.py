"""Lens files: what reading one gives, which formats there are, and the errors they share."""

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

LARGEST = 4_000_000
"""Bytes of a lens file at most; those of real lenses have some 10 000."""
LARGEST_NUMBER = 1e50
"""Numbers of lens files at most; programs write up to 1e40 for what has no end."""
FAR = 1e9
"""A distance from which on files mean infinity."""
MOST_SURFACES = 2000
NO_APERTURE = "The file states no aperture; an entrance pupil of the diameter 1 is used."
NEAR_F_NUMBER = "The f-number with an object nearby is read as focal length over pupil diameter."


class LensFileError(RaybenchError):
    """A lens file cannot be read or written; the message names the line and says why."""


@dataclass(frozen=True)
class LensFile:
    """A lens file as it was read.

    Attributes:
        system: The prescription, with glasses named as in the file, or in the catalogue's spelling if
            the catalogue has them.
        omitted: What the file holds and a prescription cannot, a sentence each with its surface.
        unmatched: The glasses that the catalogue does not have, with similar names, by name.
        stated: The index and Abbe number that the file states for glasses, by name.
    """

    system: Prescription
    omitted: tuple[str, ...] = ()
    unmatched: Mapping[str, UnmatchedGlass] = field(default_factory=dict)
    stated: Mapping[str, ModelGlass] = field(default_factory=dict)

    def with_glasses(self, chosen: Mapping[str, Glass]) -> "LensFile":
        """The file with the unmatched glasses replaced by those that were chosen, by name."""

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
        """The file with a focus shift that it states for its image surface. Raises LensFileError."""
        if abs(shift) >= FAR:
            raise LensFileError("The image surface is infinitely far from its place.")
        last = len(self.system.surfaces) - 1
        distance = self.system.surfaces[last].thickness + shift
        return replace(self, system=self.system.with_surface(last, thickness=distance))

    def with_omitted(self, sentence: str) -> "LensFile":
        """The file with one more sentence on what is left out."""
        return replace(self, omitted=(*self.omitted, sentence))


def with_matched_glasses(
    system: Prescription,
    omitted: list[str],
    stated: Mapping[str, ModelGlass],
    makers: Sequence[str] = (),
) -> LensFile:
    """The lens file of a prescription whose glasses are named as in the file. ``stated`` are the index
    and Abbe number that the file gives for names.
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


def lens_text(data: bytes) -> str:
    """The text of a lens file, in UTF-16 or UTF-8 with or without byte order mark, or Latin-1. Raises
    LensFileError for a file that is no text.
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
    """The number of a word of a lens file; also with a Fortran exponent, and INFINITY. Raises
    LensFileError, which says where it stands.
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
    """The whole number of a word of a lens file. Raises LensFileError, which says where it stands."""
    value = file_number(text, where)
    if not math.isfinite(value) or value != int(value):
        raise LensFileError(f"{where}: {in_quotes(text, 40)} is not a whole number.")
    return int(value)


def split_commands(line: str, comment: str, quotes: str) -> list[list[str]]:
    """The commands of a line that are divided by semicolons, each as its words. A text in ``quotes`` is
    a word without them; what follows a ``comment`` is left out.
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
    """The glass of the indices that a file gives at wavelengths (nm). Raises LensFileError, which says
    where, without usable indices or wavelengths.
    """
    if not indices or not all(index > 0 for index in indices):
        raise LensFileError(f"{where}: a glass without positive indices.")
    if len(indices) > len(wavelengths) or not all(1 <= w <= 1e6 for w in wavelengths):
        raise LensFileError(
            f"{where}: a glass needs a wavelength from 1 nm to 1 mm for each index."
        )
    return glass_with_indices(name, wavelengths[: len(indices)], indices)


def indices_text(glass: Glass, waves: Sequence[Wavelength], where: str, omitted: list[str]) -> str:
    """The indices of a glass at wavelengths. Adds a sentence to ``omitted`` for a dispersion that one
    wavelength does not hold. Raises OutsideRange.
    """
    if len(waves) < 2 and not (isinstance(glass, ModelGlass) and math.isinf(glass.v_d)):
        omitted.append(
            f"{where}: the dispersion of {glass_name(glass)}; the file has one wavelength."
        )
    return " ".join(f"{glass_index(glass, wave.value):.12g}" for wave in waves)


def chosen_wavelength(stated: int, count: int, omitted: list[str]) -> int:
    """The index of the reference wavelength that a file states, counted from 1. The first with a
    sentence in ``omitted``, if there are not so many.
    """
    if 1 <= stated <= count:
        return stated - 1
    omitted.append(f"The reference wavelength {stated} of {count}; the first one is used.")
    return 0


def radius_from_curvature(curvature: float) -> float:
    """1/curvature, in the 15 digits that files state; infinite for 0, and 0 for infinity."""
    if not curvature or abs(curvature) < 1e-300:
        return math.inf
    radius = 1 / curvature
    if not radius:  # an infinite curvature, which a prescription refuses
        return 0.0
    rounded = float(f"{radius:.13g}")
    return rounded if abs(1 / rounded - curvature) <= 4e-16 * abs(curvature) else radius


def distance_from_file(value: float) -> float:
    """A distance to the object; infinite from `FAR` on."""
    return math.inf if abs(value) >= FAR else value


def number_text(value: float) -> str:
    """The shortest text of a number that reads back as the same number."""
    return repr(float(value)).removesuffix(".0") if math.isfinite(value) else "INFINITY"
