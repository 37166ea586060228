"""Glass catalogues of Zemax (.agf): the dispersion and transmission of their glasses."""

import math

from raybench.lens.lens_file import LensFileError, decode_lens_text, file_integer, file_number
from raybench.materials.dispersion import Dispersion, InvalidDispersion
from raybench.materials.material import Material


def read_glass_catalogue(data: bytes, name: str) -> tuple[tuple[Material, ...], tuple[str, ...]]:
    """Read an .agf file. Returns its glasses, whose source is the ``name`` of the catalogue, and a
    sentence for each glass that could not be read. Raises LensFileError.
    """
    glasses: list[Material] = []
    problems: list[str] = []
    entry: dict[str, list[str]] = {}
    lines = decode_lens_text(data).splitlines()
    for number, line in enumerate([*lines, "NM"], 1):
        words = line.split()
        key = words[0].upper() if words else ""
        if key == "NM":
            if entry:
                _add_glass(entry, name, glasses, problems)
            entry = {"NM": words[1:], "at": [f"Line {number}"]} if len(words) > 2 else {}
        elif entry and key in {"CD", "LD"}:
            entry[key] = words[1:]
        elif entry and key == "IT" and len(words) >= 4:
            entry.setdefault("IT", []).extend(words[1:4])
    if not glasses and not problems:
        raise LensFileError("The file has no glasses: it is cut off or is no glass catalogue.")
    return tuple(glasses), tuple(problems)


def _add_glass(
    entry: dict[str, list[str]], source: str, glasses: list[Material], problems: list[str]
) -> None:
    title, where = entry["NM"][0], entry["at"][0]
    try:
        number = file_integer(entry["NM"][1], where)
        c = [file_number(w, where) for w in entry.get("CD", [])]
        low, high = (file_number(w, where) for w in (entry.get("LD") or ["0", "0"])[:2])
        dispersion = _dispersion(number, c, low * 1000 or 0.0, high * 1000 or math.inf)
        glasses.append(
            Material(title, "glass", source, dispersion, _extinction(entry.get("IT", []), where))
        )
    except (LensFileError, InvalidDispersion, ValueError) as error:
        problems.append(f"{title}: {error}")


def _dispersion(number: int, c: list[float], low: float, high: float) -> Dispersion:
    """The dispersion for a formula number of the catalogue with its coefficients and range. Raises
    LensFileError for an unknown number.
    """
    c = c + [0.0] * (12 - len(c))
    if number == 1:  # Schott
        terms = [c[0], c[1], 2.0, c[2], -2.0, c[3], -4.0, c[4], -6.0, c[5], -8.0]
        return Dispersion("polynomial", tuple(terms), low, high)
    if number in {2, 6, 11}:  # Sellmeier 1, 3 and 5, of three, four and five terms
        count = {2: 3, 6: 4, 11: 5}[number]
        return Dispersion("sellmeier-squared", (0.0, *c[: 2 * count]), low, high)
    if number == 4:  # Sellmeier 2: n² - 1 = A + B1 λ²/(λ² - λ1²) + B2/(λ² - λ2²)
        rational = (1 + c[0], c[1], 2.0, c[2], 2.0, c[3], 0.0, c[4], 2.0)
        return Dispersion("rational", rational, low, high)
    if number == 3:  # Herzberger
        return Dispersion("herzberger", tuple(c[:6]), low, high)
    if number == 5:
        return Dispersion("conrady", tuple(c[:3]), low, high)
    if number in {7, 8}:  # Handbook of Optics: n² = A + B/(λ² - C) - Dλ², or + Bλ²/(λ² - C)
        power = 0.0 if number == 7 else 2.0
        root = math.sqrt(abs(c[2]))
        if c[2] < 0:
            raise LensFileError("a negative pole of its formula")
        return Dispersion(
            "rational", (c[0], c[1], power, root, 2.0, 0.0, 0.0, 0.0, 1.0, -c[3], 2.0), low, high
        )
    if number == 9:  # Sellmeier 4: n² = A + Bλ²/(λ² - C) + Dλ²/(λ² - E)
        return Dispersion("sellmeier-squared", (c[0] - 1, *c[1:5]), low, high)
    if number in {10, 12, 13}:  # Extended 1 to 3
        powers = {
            10: (2.0, -2.0, -4.0, -6.0, -8.0, -10.0, -12.0),
            12: (2.0, -2.0, -4.0, -6.0, -8.0, 4.0, 6.0),
            13: (2.0, 4.0, -2.0, -4.0, -6.0, -8.0, -10.0, -12.0),
        }[number]
        pairs = [v for pair in zip(c[1:], powers, strict=False) for v in pair]
        return Dispersion("polynomial", (c[0], *pairs), low, high)
    raise LensFileError(f"its dispersion formula {number} is not known")


def _extinction(words: list[str], where: str) -> tuple[tuple[float, float], ...]:
    """The extinction k at wavelengths (nm), from triples of a wavelength (µm), an internal
    transmittance T and its thickness d (mm): T = exp(-4πkd/λ). Empty without triples.
    """
    found = {}
    for i in range(0, len(words) - 2, 3):
        micrometres, transmittance, thickness = (file_number(w, where) for w in words[i : i + 3])
        if 0 < transmittance <= 1 and thickness > 0 and micrometres > 0:
            k = -math.log(transmittance) * micrometres / 1000 / (4 * math.pi * thickness)
            found[micrometres * 1000] = k if k > 0 else 0.0
    return tuple(sorted(found.items()))
