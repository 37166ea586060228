"""Plain questions about rays, understood by their words alone: what to call where no model is connected."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.scene.document import Document
from core.scene.labels import LabelledEdge, labelled_edges

_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_UNIT = r"\s*(?:°|deg(?:rees?)?|%)?"
_SIDES = {"top": "N", "upper": "N", "bottom": "S", "lower": "S", "left": "W", "right": "E"}


@dataclass(frozen=True)
class Understood:
    """The call that a question asks for; or, without a tool, ``problem``: what the question leaves open."""

    tool: str = ""
    arguments: dict[str, Any] | None = None
    problem: str = ""


def understand(question: str, document: Document) -> Understood | None:
    """What a question asks for; None if its words mean nothing here."""
    text = " ".join(question.split())
    objects = sorted(document.scene.objects, key=lambda o: -len(o.title))
    named = next((o for o in objects if _says(text, o.title)), None)
    rest = _without(text, named.title) if named else text  # a name may hold any of the words looked for
    low = rest.lower()
    if shown := _shown(low, named):
        return shown
    if re.search(r"polari[sz]|\bdop\b", low):
        least, most = _range(low, 0.0, 1.0) or _polarized_words(low)
        return Understood("find_rays_by_polarization_xml", {"min_dop": least, "max_dop": most})
    about_edge = re.search(r"\b(edges?|sides?|faces?|cross\w*|through|hit\w*|meet\w*|surface)\b", low)
    about_angle = re.search(r"°|\bangles?\b|\bdeg(rees?)?\b|\bgrazing\b|\bnormal\b|\bsteep\w*|\bshallow\w*", low)
    inside = re.search(r"\b(in|inside|within)\b", low)
    if not (about_edge or about_angle or inside):
        return _about_the_program(text) if named is None else None
    glass = _glass(named, rest, document)
    if isinstance(glass, Understood):
        return glass
    if not (about_edge or about_angle):
        return Understood("find_rays_inside_glass_xml", {"glass_name": glass.title})
    edges = labelled_edges(glass, document.edge_labels.get(glass.key, {}))
    edge = _edge_in(rest, edges)
    if edge is None:
        if inside and not about_edge:
            return Understood("find_rays_inside_glass_xml", {"glass_name": glass.title})
        return Understood(problem=f"Which edge of {glass.title}? It has: {', '.join(e.title for e in edges)}.")
    arguments: dict[str, Any] = {"glass_name": glass.title, "edge_label": edge.title}
    if not about_angle:
        return Understood("find_rays_crossing_edge_xml", arguments)
    least, most = _range(low, 0.0, 90.0) or ((75.0, 90.0) if re.search("graz|shallow", low) else (0.0, 90.0))
    return Understood("find_rays_by_angle_to_edge_xml", {**arguments, "min_angle": least, "max_angle": most})


_STATE = r"\b(?:how (?:long|fast)\b.*\btrac\w+|how much memory|system stats|how many segments)\b"
_HELP = r"(?:please\s+)?(?:how (?:do|can|to|does|is|are)|where (?:do|can|is|are)|what (?:is|are|does|do)|help)\b"


def _about_the_program(text: str) -> Understood | None:
    """What a text asks about the program itself: how it is doing, or how something is done with it."""
    if re.search(_STATE, text, re.IGNORECASE):
        return Understood("system_stats", {})
    return Understood("search_help", {"query": text}) if re.match(_HELP, text, re.IGNORECASE) else None


_ALL_RAYS = (
    r"\bshow\s+(?:me\s+)?(?:all|every)\b(?:\s+the)?\s+rays?\b(?:\s+again)?\W*$"
    r"|\b(?:clear|remove|reset)\s+(?:the\s+|all\s+)?filters?\b"
)
_QUANTITIES = {
    "power": r"power|bright\w*|intens\w*|strong\w*|weak\w*",
    "wavelength": r"wavelengths?|nm",
    "depth": r"depth|interactions?",
    "length": r"length|long\w*|short\w*",
    "angle": r"angles?|directions?",
}


def _shown(low: str, named: SceneObject | None) -> Understood | None:
    """What a text asks to show or hide: all rays, those in a range of a quantity, or those from a source."""
    if re.search(_ALL_RAYS, low):
        return Understood("clear_filter", {})
    hide = re.search(r"\bhide\b", low) is not None
    if not (hide or re.search(r"\b(?:show|keep|see)\b.*\bonly\b|\bonly\s+(?:show|keep)\b", low)):
        return None
    if isinstance(named, Source):
        return Understood("source_filter", {"sources": [named.title], "exclude": hide})
    quantity = next((name for name, words in _QUANTITIES.items() if re.search(rf"\b(?:{words})\b", low)), None)
    bounds = _range(low, -math.inf, math.inf)
    if quantity is None or bounds is None:
        return None
    given = {name: b for name, b in zip(("at_least", "at_most"), bounds, strict=True) if math.isfinite(b)}
    return Understood("range_filter", {"quantity": quantity, **given, "exclude": hide}) if given else None


def _glass(named: SceneObject | None, text: str, document: Document) -> GlassBody | Understood:
    """The glass that is meant: the one named, the one that shares a word with the text, or the only one there is."""
    if isinstance(named, GlassBody):
        return named
    glasses = [o for o in document.scene.objects if isinstance(o, GlassBody)]
    titles = ", ".join(g.title for g in glasses)
    if named is not None:
        there = f"Glasses here: {titles}." if glasses else "There is no glass in this scene."
        return Understood(problem=f"{named.title} is no glass: no ray is inside it, and it has no edges to ask about. {there}")
    alike = [g for g in glasses if any(_says(text, word) for word in g.title.split() if len(word) > 2 and not word.isdigit())]
    for choice in (alike, glasses):
        if len(choice) == 1:
            return choice[0]
    if not glasses:
        return Understood(problem="There is no glass in this scene.")
    return Understood(problem=f"Which glass? There are: {titles}.")


def _edge_in(text: str, edges: Sequence[LabelledEdge]) -> LabelledEdge | None:
    """The edge a text names: by a person's label, ``North Edge``, ``edge N``, ``N side``, ``edge 2`` or ``top``."""
    for edge in edges:
        if (edge.user and _says(text, edge.user)) or _says(text, edge.long):
            return edge
    patterns = (r"\b(?:edge|side|face)\s+([A-Za-z]{1,3}\d*|\d+)\b", r"\b([A-Z]{1,3}\d*)\s+(?:edge|side|face)\b", r"\b([A-Z]{1,3}\d*)\b")
    said = [label for pattern in patterns for label in re.findall(pattern, text)]
    for label in said:
        for edge in edges:
            if label.upper() == edge.short.upper() or label == str(edge.index):
                return edge
    for word, short in _SIDES.items():
        if _says(text, word):
            return next((e for e in edges if e.short == short), None)
    words = {e.long.lower().replace(" edge", ""): e for e in edges}
    return next((e for word, e in words.items() if _says(text, word)), edges[0] if len(edges) == 1 else None)


def _range(text: str, least: float, most: float) -> tuple[float, float] | None:
    """The numbers a text bounds something by: between a and b, above a, below b; percentages as parts of one."""

    def value(found: str) -> float:
        number = float(found)
        return number / 100 if most <= 1 and ("%" in text or "percent" in text) else number

    between = re.search(rf"{_NUMBER}{_UNIT}\s*(?:and|to|–|-|\.\.)\s*{_NUMBER}", text)
    if between:
        a, b = sorted((value(between[1]), value(between[2])))
        return a, b
    above = re.search(rf"(?:over|above|more than|greater than|at least|steeper than|>=?|≥|from)\s*{_NUMBER}", text)
    below = re.search(rf"(?:under|below|less than|smaller than|at most|up to|within|<=?|≤)\s*{_NUMBER}", text)
    if above or below:
        return (value(above[1]) if above else least), (value(below[1]) if below else most)
    about = re.search(rf"(?:at|about|around|of)\s*{_NUMBER}", text)
    if about:
        near, width = value(about[1]), (most - least) / 90
        return max(least, near - width), min(most, near + width)
    return None


def _polarized_words(low: str) -> tuple[float, float]:
    if re.search(r"un-?polari|not polari|no polari", low):
        return 0.0, 0.1
    if re.search(r"(fully|completely|perfectly|totally)\s+polari", low):
        return 0.99, 1.0
    if re.search(r"(weakly|slightly|little|hardly)\s+polari", low):
        return 0.0, 0.3
    return (0.5, 1.0) if re.search(r"polari[sz]ed", low) else (0.0, 1.0)


def _says(text: str, name: str) -> bool:
    return bool(_places(text, name))


def _without(text: str, name: str) -> str:
    """The text without the name: once, and where it stands as one if it is a word of the question too, as in ``inside Inside``."""
    places = _places(text, name)
    after = [p for p in places if re.search(r"\b(?:of|in|inside|within|the|glass)\s+$", text[: p.start()], re.IGNORECASE)]
    place = (after or places)[-1]
    return f"{text[: place.start()]} {text[place.end() :]}"


def _places(text: str, name: str) -> list[re.Match[str]]:
    """Where a name stands in a text as words of its own, whatever lies between its words."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return list(re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)) if words else []


def questions(document: Document) -> tuple[str, str, str]:
    """Three questions one could ask about a scene, in its own names; each is understood without a model."""
    body = next((o for o in document.scene.objects if isinstance(o, GlassBody)), None)
    if body is None:
        return (
            "Which rays are unpolarized?",
            "Which rays are polarized by more than 50 %?",
            "Which rays have a degree of polarization between 0.1 and 0.5?",
        )
    edges = labelled_edges(body, document.edge_labels.get(body.key, {}))
    edge = max(edges, key=_facing_up) if edges else None
    inside = f"Which rays are inside {body.title}?"
    if edge is None:
        return inside, "Which rays are unpolarized?", "Which rays are polarized by more than 50 %?"
    where = f"edge {edge.title} of {body.title}"
    return inside, f"Which rays cross {where}?", f"Which rays meet {where} at more than 45°?"


def _facing_up(edge: LabelledEdge) -> float:
    y = edge.edge.shape.midpoint.y
    return -y if math.isfinite(y) else -math.inf


def names_of(objects: Sequence[SceneObject]) -> list[str]:
    """What objects answer to, for completion."""
    return list(dict.fromkeys(o.title for o in objects))
