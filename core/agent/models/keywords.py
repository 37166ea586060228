"""Plain questions, understood by their words alone: which tool to call where no model is connected."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.tools.discovery import tools
from core.analysis.tools.plain_question import PlainQuestion, Unclear
from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.scene.document import Document
from core.scene.labels import LabelledEdge, labelled_edges


@dataclass(frozen=True)
class Understood:
    """The call that a question asks for; or, without a tool, ``problem``: what the question leaves open."""

    tool: str = ""
    arguments: dict[str, Any] | None = None
    problem: str = ""


def understand(question: str, document: Document) -> Understood | None:
    """What a question asks for; None if its words mean nothing here."""
    asked = PlainQuestion.of(question, document)
    if shown := _shown(asked):
        return shown
    for name, tool in tools().items():
        found = tool.phrases(asked)
        if isinstance(found, Unclear):
            return Understood(problem=found.problem)
        if found is not None:
            return Understood(name, dict(found))
    return _about_the_program(asked.text) if asked.named is None else None


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


def _shown(question: PlainQuestion) -> Understood | None:
    """What a text asks to show or hide: all rays, those in a range of a quantity, or those from a source."""
    if question.has(_ALL_RAYS):
        return Understood("clear_filter", {})
    hide = question.has(r"\bhide\b")
    if not (hide or question.has(r"\b(?:show|keep|see)\b.*\bonly\b|\bonly\s+(?:show|keep)\b")):
        return None
    if isinstance(question.named, Source):
        return Understood("source_filter", {"sources": [question.named.title], "exclude": hide})
    quantity = next((name for name, words in _QUANTITIES.items() if question.has(rf"\b(?:{words})\b")), None)
    bounds = question.range(-math.inf, math.inf)
    if quantity is None or bounds is None:
        return None
    given = {name: b for name, b in zip(("at_least", "at_most"), bounds, strict=True) if math.isfinite(b)}
    return Understood("range_filter", {"quantity": quantity, **given, "exclude": hide}) if given else None


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
