"""Known exact results, each with a scene, and the values that this machine computes for them. To
add a case, put its scene into ``resources/raybench_resources/verify`` and a row into `CASES`.

Sources: "Hecht" is E. Hecht, Optics, 5th edition; "Born & Wolf" is Principles of Optics, 7th
edition; "Macleod" is H. A. Macleod, Thin-Film Optical Filters. Source rays have power 1. Angles are
in degrees, counter-clockwise as seen.
"""

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import asin, cos, degrees, exp, pi, radians, sin, sqrt, tan
from pathlib import Path

from raybench.analysis.measures.bound import measure_values
from raybench.errors import RaybenchError, elide_text
from raybench.files.atomic import write_text
from raybench.files.document_file import document_from_json
from raybench.files.scene_json import parse_json
from raybench.trace.trace import trace

SCENES = files("raybench_resources").joinpath("verify")
"""The scenes of all cases, as files that can be opened."""


class IncompleteCase(TypeError):
    """A case is incomplete or has no scene."""


class NoSuchCase(RaybenchError):
    """There is no case with this scene name."""


@dataclass(frozen=True)
class Case:
    """A known exact result: in the scene ``scene`` the measure ``measure`` has the value ``exact``.

    ``formula`` is the formula of ``exact``, and ``source`` the literature that derives it. The
    computed value may differ by ``tolerance`` (in the measure's unit) because of rounding errors,
    or because the formula is an approximation of first order. Raises IncompleteCase.
    """

    scene: str
    claim: str
    measure: str
    exact: float
    formula: str
    source: str
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        for part in ("scene", "claim", "measure", "formula", "source"):
            if not getattr(self, part):
                raise IncompleteCase(f"The case {self.scene or self.claim!r} has no {part}.")
        if not (math.isfinite(self.exact) and 0 < self.tolerance < math.inf):
            raise IncompleteCase(
                f"The case {self.scene!r} has no finite exact value with a tolerance above 0."
            )
        if not self.path.is_file():
            raise IncompleteCase(f"The case {self.scene!r} has no scene {self.path}.")

    @property
    def path(self) -> Traversable:
        return SCENES.joinpath(f"{self.scene}.json")


@dataclass(frozen=True)
class CaseOutcome:
    """The result of a case. ``computed`` is NaN if the measure is undefined; ``reason`` says
    why.
    """

    case: Case
    computed: float
    unit: str
    segments: int
    reason: str = ""

    @property
    def error(self) -> float:
        """The computed value minus the exact one. For angles, the difference lies in (-180, 180]."""
        difference = self.computed - self.case.exact
        return (
            difference - 360 * math.ceil(difference / 360 - 0.5)
            if self.unit == "deg" and math.isfinite(difference)
            else difference
        )

    @property
    def is_within_tolerance(self) -> bool:
        return abs(self.error) <= self.case.tolerance


_N = 1.5
_R0 = ((_N - 1) / (_N + 1)) ** 2
"""Reflectance of a face of glass at normal incidence."""


def _refracted_angle(n1: float, n2: float, angle: float) -> float:
    return degrees(asin(n1 / n2 * sin(radians(angle))))


def _reflectance_s(angle: float, refracted: float) -> float:
    return (sin(radians(angle - refracted)) / sin(radians(angle + refracted))) ** 2


def _reflectance_p(angle: float, refracted: float) -> float:
    return (tan(radians(angle - refracted)) / tan(radians(angle + refracted))) ** 2


def _focal_length(r1: float, r2: float, d: float) -> float:
    return 1 / ((_N - 1) * (1 / r1 - 1 / r2 + (_N - 1) * d / (_N * r1 * r2)))


def _back_focal_length(r1: float, r2: float, d: float) -> float:
    return _focal_length(r1, r2, d) * (1 - (_N - 1) * d / (_N * r1))


_BELOW_CRITICAL = degrees(asin(1 / _N)) - 1e-3
_BEYOND = _refracted_angle(_N, 1, _BELOW_CRITICAL)
_BELOW_REFLECTED = (
    _reflectance_s(_BELOW_CRITICAL, _BEYOND) + _reflectance_p(_BELOW_CRITICAL, _BEYOND)
) / 2
_AT_60 = _refracted_angle(1, _N, 60)
_SYMMETRIC = degrees(asin(_N / 2)) - 30
"""Half of an equilateral prism's minimum deviation."""
_BLUE = _N + 0.01 / 0.4861**2
_BLUE_INSIDE = _refracted_angle(1, _BLUE, _SYMMETRIC + 30)
_WATER = 4 / 3
_RAINBOW = asin(sqrt((4 - _WATER**2) / 3))
"""Angle of incidence of the ray that a drop deviates least (radians)."""
_GUIDED = radians(20)
_ROUGH = 1 - exp(-((4 * pi * 20 / 633) ** 2))
"""The scattered part of the light at a mirror of 20 nm roughness."""
_FILM_INDEX = 1.38
_BRAGG = _N * (2.3 / 1.45) ** 12
"""Admittance of six pairs of quarter waves on glass."""


def _film_reflectance_s(angle: float, nanometres: float, wavelength: float) -> float:
    within, below = (_refracted_angle(1, n, angle) for n in (_FILM_INDEX, _N))
    front, back = (
        sin(radians(b - a)) / sin(radians(b + a)) for a, b in ((angle, within), (within, below))
    )
    delay = cmath.exp(-4j * pi * _FILM_INDEX * nanometres * cos(radians(within)) / wavelength)
    return abs((front + back * delay) / (1 + front * back * delay)) ** 2


def _film_reflectance(nanometres: float, wavelength: float) -> float:
    front, back = (1 - _FILM_INDEX) / (1 + _FILM_INDEX), (_FILM_INDEX - _N) / (_FILM_INDEX + _N)
    delay = cmath.exp(-4j * pi * _FILM_INDEX * nanometres / wavelength)
    return abs((front + back * delay) / (1 + front * back * delay)) ** 2


def _absorbing_film_transmittance(index: complex, nanometres: float, wavelength: float) -> float:
    front, back = (1 - index) / (1 + index), (index - _N) / (index + _N)
    delay = cmath.exp(-2j * pi * index * nanometres / wavelength)
    through = 2 / (1 + index) * 2 * index / (index + _N) * delay
    return _N * abs(through / (1 + front * back * delay**2)) ** 2


def _band_edge_reflectance(pairs: int, high: float, low: float) -> float:
    """The reflectance of pairs of quarter-wave films on glass at the blue edge of their band, where
    the matrix M of a pair has the trace -2, so that its power N is ±(N M + (N - 1) I).
    """
    phase = pi / 2 + asin((high - low) / (high + low))
    c, s = cos(phase), sin(phase)
    a, d = c * c - low / high * s * s, c * c - high / low * s * s
    b, e = 1j * s * c * (1 / high + 1 / low), 1j * s * c * (high + low)
    a, d = pairs * a + pairs - 1, pairs * d + pairs - 1
    b, e = pairs * b, pairs * e
    field, current = a + b * _N, e + d * _N
    return abs((field - current) / (field + current)) ** 2


def _frustrated_transmittance_s(angle: float, nanometres: float, wavelength: float) -> float:
    beyond = (_N * sin(radians(angle))) ** 2 - 1
    decay = 2 * pi * sqrt(beyond) * nanometres / wavelength
    height = (_N**2 - 1) ** 2 / (4 * (_N * cos(radians(angle))) ** 2 * beyond)
    return 1 / (1 + height * math.sinh(decay) ** 2)


def _retardance(index: float, angle: float) -> float:
    """The phase difference of s and p on total reflection within glass, in degrees."""
    beyond = sqrt(sin(radians(angle)) ** 2 - 1 / index**2)
    return 2 * degrees(math.atan(cos(radians(angle)) * beyond / sin(radians(angle)) ** 2))


_RHOMB = 54 + 37 / 60
_BREWSTER_S = ((_N**2 - 1) / (_N**2 + 1)) ** 2
_PILE_S = (1 - _BREWSTER_S) / (1 + 3 * _BREWSTER_S)
"""What a pile of two plates lets through of s at Brewster's angle, with all reflections in it."""


CASES: tuple[Case, ...] = (
    # refraction at planes
    Case("snell", "Snell's law, 40°", "incidence(Screen)", _refracted_angle(1, _N, 40), "asin(sin 40° / n)", "Hecht 4.4"),
    Case("plate", "A plate shifts a ray sideways",
         "centroid(Screen)", 100 * tan(radians(60)) - 50 * (tan(radians(60)) - tan(radians(_AT_60))),
         "100 tan 60° - t (tan 60° - tan r)", "Hecht 4.4"),
    Case("prism", "Prism at minimum deviation", "deviation(Prism)", -2 * _SYMMETRIC, "60° - 2 asin(n sin 30°)", "Hecht 5.5.1"),
    Case("prism-reversed", "The same, corners in the other order", "deviation(Prism)", -2 * _SYMMETRIC, "60° - 2 asin(n sin 30°)",
         "Hecht 5.5.1"),
    Case("prism-blue", "Dispersion by Cauchy's formula", "deviation(Prism)",
         30 - _SYMMETRIC - _refracted_angle(_BLUE, 1, 60 - _BLUE_INSIDE), "60° - i - asin(n sin(60° - asin(sin i / n)))", "Hecht 3.5, 5.5.1"),
    Case("prism-in-two", "A prism in two halves is one prism", "direction(Right)", -_SYMMETRIC, "30° - asin(n sin 30°)", "Hecht 5.5.1"),
    Case("bow-tie", "Polygon crossing itself, one side", "direction(Bow tie, From left)",
         45 - _refracted_angle(1.3, 1, 45),
         "45° - asin(n sin 45°)", "Hecht 4.4"),
    Case("bow-tie", "Polygon crossing itself, other side", "direction(Bow tie, From right)", _refracted_angle(1.3, 1, 45) - 225,
         "asin(n sin 45°) - 225°",
         "Hecht 4.4"),
    # reflection at glass
    Case("fresnel-60", "Fresnel at 60°, s-polarised", "power_s(Reflected)", _reflectance_s(60, _AT_60) / 2,
         "(sin(i - r) / sin(i + r))² / 2", "Hecht 4.6.2", 1e-12),
    Case("fresnel-60", "Fresnel at 60°, p-polarised", "power_p(Reflected)", _reflectance_p(60, _AT_60) / 2,
         "(tan(i - r) / tan(i + r))² / 2", "Hecht 4.6.2", 1e-12),
    Case("brewster", "Brewster's angle, p-polarised", "power_p(Reflected)", 0.0, "0", "Hecht 8.6", 1e-12),
    Case("brewster", "Brewster's angle, s-polarised", "power_s(Reflected)", ((_N**2 - 1) / (_N**2 + 1)) ** 2 / 2,
         "((n² - 1) / (n² + 1))² / 2", "Hecht 8.6", 1e-12),
    Case("film-60", "A film at 60°, s-polarised", "power_s(Reflected)", _film_reflectance_s(60, 100, 550) / 2,
         "|(r + r' exp(-2iδ)) / (1 + r r' exp(-2iδ))|² / 2", "Born & Wolf 7.6.1", 2e-5),
    Case("bragg-mirror", "Twelve quarter waves", "power(Reflected)", ((1 - _BRAGG) / (1 + _BRAGG)) ** 2,
         "((1 - Y) / (1 + Y))², Y = n (n1 / n2)¹²", "Born & Wolf 1.6.5", 2e-5),
    Case("bragg-band", "The edge of their band", "power(Reflected)", _band_edge_reflectance(6, 2.3, 1.45),
         "6 M - 5 I for six pairs M, sin(π g / 2 - π / 2) = (n1 - n2) / (n1 + n2)", "Born & Wolf 1.6.5", 2e-5),
    Case("quarter-wave", "A quarter wave, its colour", "power(Reflected, Green)", ((_N - _FILM_INDEX**2) / (_N + _FILM_INDEX**2)) ** 2,
         "((n - n1²) / (n + n1²))²", "Born & Wolf 1.6.4", 2e-5),
    Case("quarter-wave", "A quarter wave, another colour", "power(Reflected, Red)", _film_reflectance(550 / (4 * _FILM_INDEX), 550 * 4 / 3),
         "|(r + r' exp(-2iδ)) / (1 + r r' exp(-2iδ))|²", "Born & Wolf 1.6.4", 2e-5),
    Case("v-coat", "Two quarter waves, n2² = n n1²", "power(Reflected)", 0.0, "0", "Macleod 4.2", 2e-5),
    Case("frustrated", "Frustrated total reflection", "power_s(Transmitted)", _frustrated_transmittance_s(45, 100, 550) / 2,
         "1 / (1 + α sinh²(κ d)) / 2, κ = 2π √(n² sin² i - 1) / λ", "Hecht 4.7.1", 2e-5),
    Case("absorbing-film", "Metal: reflected, passed and lost", "power(Reflected) + power(Transmitted) + absorbed(Glass)", 1.0, "1",
         "conservation of energy", 1e-9),
    Case("absorbing-film", "Metal: what it lets through", "power(Transmitted)", _absorbing_film_transmittance(3.2 - 3.3j, 12, 550),
         "n |t t' exp(-iδ) / (1 + r r' exp(-2iδ))|²", "Born & Wolf 14.4.1", 2e-5),
    Case("critical-above", "0.001° above the critical angle", "power(Reflected)", 1.0, "1", "Hecht 4.7", 1e-12),
    Case("critical-below", "0.001° below the critical angle", "power(Reflected)", _BELOW_REFLECTED, "Fresnel's (R_s + R_p) / 2",
         "Hecht 4.6, 4.7", 1e-9),
    Case("plate-series", "All reflections between two faces", "power(Behind)", (1 - _R0) / (1 + _R0), "(1 - R) / (1 + R)",
         "Born & Wolf 7.6.1", 1e-6),
    Case("cemented", "No reflection at a shared face", "power(Behind)", 1 - _R0, "1 - R, of the last face", "Hecht 4.6.3", 1e-12),
    Case("rainbow", "The rainbow of water", "incidence(Screen)", degrees(4 * asin(sin(_RAINBOW) / _WATER) - 2 * _RAINBOW),
         "4 r - 2 i, cos² i = (n² - 1) / 3",
         "Born & Wolf 4.7"),
    # scattered light
    Case("lambert", "Lambert's law, 50° to 70°", "power(Screen)", (sin(radians(70)) - sin(radians(50))) / 2, "(sin b - sin a) / 2", "Born & Wolf 4.8.1"),
    Case("reciprocity", "Helmholtz: both ways alike", "power(First screen) - power(Second screen)", 0.0, "0", "Born & Wolf 8.3.2", 1e-12),
    Case("rough-mirror", "What a rough mirror leaves specular", "power(Screen)", 1 - 0.9 * _ROUGH, "1 - T (1 - (b - a) / 2), T = 1 - exp(-(4π σ / λ)²)",
         "Bennett & Mattsson, Surface Roughness and Scattering, 2"),
    Case("cavity", "Multiplier of an integrating cavity", "power(Wall) / emitted()", 1 / (1 - 0.9 * (1 - 0.1)), "1 / (1 - ρ (1 - f)), f = r / R",
         "sum of a geometric series; a mean over random paths", 0.03),
    # polarization
    Case("malus", "Malus: a polarizer at 30°", "power(Screen)", cos(radians(30)) ** 2, "cos² 30°", "Hecht 8.2.1", 1e-12),
    Case("three-polarizers", "A third one between two crossed", "power(Screen)", 1 / 8, "cos² 45° cos² 45° / 2", "Hecht 8.2.1", 1e-12),
    Case("extinction", "Extinction ratio of a polarizer", "extinction_ratio(Screen)", 1000.0, "T1 / T2", "Hecht 8.2.1", 1e-6),
    Case("quarter-wave-plate", "Quarter-wave plate at 45°: circular", "ellipticity(Screen)", -45.0, "-45°", "Hecht 8.7.1", 1e-6),
    Case("rotator", "A rotator turns by its angle", "azimuth(Screen)", 55.0, "30° + 25°", "Hecht 8.10"),
    Case("optical-isolator", "λ/4, mirror, λ/4 turn p into s", "power_s(Returned)", 1.0, "1", "Hecht 8.7.1", 1e-12),
    Case("fresnel-rhomb", "Fresnel's rhomb: phase of 2 x 45°", "ellipticity(Screen)",
         45 - abs(90 - 2 * _retardance(1.51, _RHOMB)) / 2, "δ, tan(δ / 2) = cos i √(sin² i - 1 / n²) / sin² i", "Born & Wolf 1.5.4", 1e-9),
    Case("brewster-pile", "Two plates at Brewster's angle", "degree_of_polarization(Screen)", (1 - _PILE_S) / (1 + _PILE_S),
         "(1 - T) / (1 + T), T = (1 - R) / (1 + 3 R)", "Born & Wolf 1.5.3", 1e-5),
    # lenses
    Case("thin-lens", "Thin lens, on the axis", "focus_x(Lens)", 300.0, "1 / (1 / f - 1 / a)", "Hecht 5.2.3"),
    Case("thin-lens-off-axis", "Thin lens, off the axis: distance", "focus_x(Lens)", 300.0, "1 / (1 / f - 1 / a)", "Hecht 5.2.3"),
    Case("thin-lens-off-axis", "Thin lens, off the axis: height", "focus_y(Lens)", 80.0, "-y b / a", "Hecht 5.2.3"),
    Case("thin-lens-oblique", "Thin lens, oblique beam: distance", "focus_x(Lens)", 100.0, "f", "Hecht 5.2.3"),
    Case("thin-lens-oblique", "Thin lens, oblique beam: height", "focus_y(Lens)", -100 * tan(radians(20)), "-f tan θ", "Hecht 5.2.3"),
    Case("expander", "Galileo's telescope: distance of rays", "width(Second)", 20.0 * 150 / 50, "d f2 / |f1|", "Hecht 5.7.7"),
    Case("negative-lens", "Thin negative lens: focus", "back_focal_length(Lens)", -100.0, "f", "Hecht 5.2.3"),
    Case("negative-lens", "Thin negative lens: light goes on", "share(Screen)", 1.0, "1", "Hecht 5.2.3"),
    Case("thick-lens", "Thick lens: focal length", "focal_length(Lens)", _focal_length(60, -80, 20), "lensmaker with thickness",
         "Hecht 6.1", 1e-5),
    Case("thick-lens", "Thick lens: back focal length", "back_focal_length(Lens)", _back_focal_length(60, -80, 20),
         "f (1 - (n - 1) d / (n R1))", "Hecht 6.1", 1e-5),
    Case("concave-lens", "Thick concave lens", "focal_length(Lens)", _focal_length(-60, 80, 10), "lensmaker with thickness",
         "Hecht 6.1", 1e-5),
    Case("ball-lens", "Ball of glass", "back_focal_length(Ball)", 25.0, "R (2 - n) / (2 (n - 1))", "Hecht 6.1", 1e-5),
    Case("ball-lens-tiny", "Ball of radius 0.005", "back_focal_length(Ball)", 25e-4, "R (2 - n) / (2 (n - 1))", "Hecht 6.1", 1e-9),
    Case("ball-lens-huge", "Ball of radius 50 000 000", "back_focal_length(Ball)", 25e6, "R (2 - n) / (2 (n - 1))", "Hecht 6.1", 10.0),
    Case("descartes", "Descartes' ellipse: width of the focus", "width(Screen)", 0.0, "0", "Hecht 5.2.1", 1e-6),
    # mirrors and gratings
    Case("spherical-mirror", "Concave mirror", "focal_length(Mirror)", 100.0, "R / 2", "Hecht 5.4.3", 1e-4),
    Case("parabola", "Parabola, off axis: all light meets", "share(Focus)", 1.0, "1", "Hecht 5.4.2"),
    Case("ellipse", "Ellipse: from focus to focus", "share(Focus)", 1.0, "1", "Hecht 5.4.2"),
    Case("retroreflector", "Two mirrors at 90°", "direction(Upper)", -170.0, "10° - 180°", "Hecht 5.5.2"),
    Case("grating", "Grating, angle of the first order", "incidence(Screen)", degrees(asin(540e-6 * 500)), "asin(λ / d)", "Hecht 10.2.8"),
    Case("grating", "Grating, power of the first order", "power(Screen)", 1 / pi**2, "(sin(π / 2) / π)²", "Hecht 10.2.8"),
    Case("littrow", "Littrow's angle: the order comes back", "power(Screen)", 1 + 1 / pi**2, "1 + (sin(π / 2) / π)²", "Hecht 10.2.8"),
    # interference
    Case("two-beams", "Two beams at 0.2°: distance of the fringes", "fringe_spacing(Screen)", 540e-6 / (2 * sin(radians(0.1))),
         "λ / (2 sin α)", "Hecht 9.1", 1e-7),
    Case("two-beams", "Two beams of powers 4 and 1: contrast", "fringe_contrast(Screen)", 0.8, "2 √(I1 I2) / (I1 + I2)", "Hecht 9.1", 1e-6),
    Case("michelson", "Arms that differ by the coherence length", "fringe_contrast(Screen)", exp(-1), "exp(-(Δ / L)²)",
         "Born & Wolf 7.5.8", 1e-4),
    Case("mach-zehnder", "A third of a period of difference: port A", "coherent_power(A)", 5 * cos(pi / 3) ** 2, "P cos²(π Δ / λ)",
         "Born & Wolf 7.5.7", 1e-6),
    Case("mach-zehnder", "The same, port B: the rest", "coherent_power(B)", 5 * sin(pi / 3) ** 2, "P sin²(π Δ / λ)", "Born & Wolf 7.5.7",
         1e-6),
    # graded index
    Case("luneburg", "Luneburg's lens: width of the focus", "width(Screen)", 0.0, "0", "Born & Wolf 4.2", 1e-6),
    Case("fish-eye", "Maxwell's fish eye: width of the image", "width(Screen)", 0.0, "0", "Born & Wolf 4.2.2", 1e-6),
    Case("sech-guide", "n / cosh(g y): width after a quarter pitch", "width(Screen)", 0.0, "0", "Born & Wolf 4.2", 1e-6),
    Case("absorption", "Beer and Lambert's law", "power(Screen)", exp(-1), "exp(-α d)", "Born & Wolf 14.1"),
    # light that must not get lost
    Case("energy", "Glass in a black box", "absorbed()", 500.0, "power emitted", "conservation of energy", 1e-3),
    Case("closed-box", "A closed box of mirrors leaks nothing", "escaped()", 0.0, "0", "conservation of energy"),
    Case("corners", "Rays into the corners of a box", "absorbed()", 8.0, "power emitted", "conservation of energy"),
    Case("light-guide", "Total reflections in a long guide", "total_reflections(Guide)", float(int((10_000 * tan(_GUIDED) + 5) / 10)),
         "⌊(L tan θ + t / 2) / t⌋",
         "Hecht 5.6", 0.5),
    Case("light-guide", "The angle after them", "direction(Guide)", degrees(asin(_N * sin(_GUIDED))), "asin(n sin θ)", "Hecht 5.6"),
    Case("mirror-corridor", "10 000 reflections: length of the path", 'path_length("Ray > * > Screen")', 100_002 / cos(pi / 4),
         "L / cos 45°", "Hecht 4.3", 1e-6),
)  # fmt: skip


def compute_case_outcomes(cases: Iterable[Case] = CASES) -> Iterator[CaseOutcome]:
    """Yield the outcomes of cases, in order, as soon as each is computed."""
    for case in cases:
        document = parse_json(case.path.read_text(encoding="utf-8"), document_from_json)
        result = trace(document)
        (value,) = measure_values(case.measure, document, result)
        yield CaseOutcome(case, value.value, value.unit, len(result), value.reason)


def cases_of_scenes(scenes: Sequence[str]) -> tuple[Case, ...]:
    """The cases of the scenes with these names; without names, all cases. Raises NoSuchCase."""
    known = {case.scene for case in CASES}
    for name in scenes:
        if name not in known:
            near = ", ".join(get_close_matches(name, known, 3, 0.3))
            hint = f"Nearest: {near}." if near else f"There are {', '.join(sorted(known))}."
            raise NoSuchCase(f"There is no case '{elide_text(name, 60)}'. {hint}")
    return tuple(case for case in CASES if not scenes or case.scene in scenes)


def save_scenes(folder: Path, cases: Iterable[Case] = CASES) -> int:
    """Write the scenes of cases into a folder. Returns the number of files. Raises FileWriteError."""
    texts = {case.scene: case.path.read_text(encoding="utf-8") for case in cases}
    for name, text in texts.items():
        write_text(folder / f"{name}.json", text)
    return len(texts)
