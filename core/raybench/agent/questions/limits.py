"""Requests that the program cannot fulfil; it answers them by saying so."""

import re
from importlib.resources import files

_BEYOND = {
    "Three dimensions": r"3-?d|three[- ]dimension\w*|cad|step file|skew rays?|solid ?works",
    "Diffraction at edges, point spread functions": (
        r"speckles?|wavefronts?|phases?|psf|point spread|mtf|airy|strehl|opd map|"
        r"diffraction (?:limit\w*|pattern)|standing waves?"
    ),
    "Birefringent crystals": r"birefring\w+|calcite|walk-?off",
    "Fluorescence and scattering inside a medium": r"fluoresc\w+|luminesc\w+|fog|haze|tissue|(?:volume|bulk) scatter\w*|mie|rayleigh scatter\w*",
    "Areas and heat": (
        r"lux|candelas?|joules?|heat\w*|hot(?! spots?)|hotter|warm\w*|temperatures?|thermal\w*|kelvin|celsius|(?:mechanical )?stress"
    ),
    "The medium around": (
        r"immers\w+|submerg\w+|surround(?:ing medium|ed by)|(?:is|are|was|were|lies?|put|sits?)(?: it)? (?:in(?:to)?|under) (?:the |a )?"
        r"(?:water|oil|vacuum|liquid|glycer\w+)"
    ),
    "White light": r"white (?:light|source|lamp|led|beam)s?|broad-?band|polychromatic|black-?body",
    "Gaussian beams and étendue": r"gaussian beams?|(?:beam )?waists?|rayleigh (?:range|length)|m²|m squared|beam parameter product|[eé]tendue",
    "Mounts, weight and price": r"weigh\w*|heavy|prices?|costs?|expensive|cheap\w*|euros?|dollars?|buy|manufactur\w*|suppliers?|vendors?",
    "Electronics, time and safety": (
        r"(?:what|how much|which|drive|supply) currents?|voltages?|volts?|(?:milli)?amp(?:ere)?s?|batter(?:y|ies)|electric\w*|expose|exposures?|photons?"
        r"|(?:power|energy|watts?)\b.*\bconsum\w*|megapixels?|(?:many|number of) pixels|(?:camera|sensor|detector|shot|read) noise|damag\w*|burn\w*|melt\w*|(?:eye|laser)[- ]saf\w*|safe|dangerous|harmful|hazard\w*|lifetimes?|magnitude \d+"
    ),
    "Sound": r"play (?:a )?sounds?",
}
"""Words of requests that are beyond the program, by the section of the guide that says so."""
_FIRST = re.compile(r"## (.+)\n\n((?:.+\n)+)")


_OF_LENSES = re.compile(r"\b(?:wavefront error|mtf|strehl)\b", re.IGNORECASE)
"""What can be measured of a lens system alone."""


def find_stated_limit(text: str, *, has_lens: bool = False) -> str:
    """The text in the guide that explains why the program cannot do what is asked; empty for other
    requests. ``has_lens`` says whether the scene has a lens system.
    """
    if has_lens:
        text = _OF_LENSES.sub(" ", text)
    for section, words in _BEYOND.items():
        if re.search(rf"(?<![\w-])(?:{words})(?![\w-])", text, re.IGNORECASE):
            guide = files("raybench_resources").joinpath("help", "limits.md")
            said = dict(_FIRST.findall(guide.read_text(encoding="utf-8")))
            return " ".join(said[section].split())
    return ""
