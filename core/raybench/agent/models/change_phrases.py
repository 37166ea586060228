"""Changes in plain words: ``rotate Prism by 7 degrees clockwise``, and what if: ``what if Lens were
moved 5 mm to the right?``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from raybench.agent.models.change_rows import (
    FIELD_ROWS,
    ONLY_ROWS,
    ROWS,
    SETTING_ROWS,
    SLOTS,
    ChangeRow,
    Json,
    Things,
    titles,
    to_setting,
    to_value,
)
from raybench.analysis.measures.grammar import quoted
from raybench.analysis.phrase import Phrase, PhrasePattern
from raybench.analysis.scene.systems import System
from raybench.analysis.tools.clauses import Clauses, Meant
from raybench.analysis.tools.marks import OBJECT
from raybench.analysis.tools.measure_phrases import measures_asked
from raybench.analysis.tools.phrases import Open, Phrases, Understanding, better, named
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.materials.catalogue import UnknownMaterial
from raybench.scene.changes.centre import NoCentre
from raybench.scene.document import Document


@cache
def _patterns(asked: bool) -> tuple[tuple[ChangeRow, PhrasePattern], ...]:
    """The rows, each with a pattern of the imperative or, if ``asked``, of a supposed change in a
    question.
    """
    texts: list[tuple[ChangeRow, str]] = []
    for row in ROWS:
        done = f"{{object}} [is|are|was|were|gets|be|has been|had been] {row.participle} {row.tail}"
        texts.append((row, done if asked else f"{row.verb} {{object}} {row.tail}"))
        if asked:
            texts += (
                (row, f"[i|we|you|one] {did} {{object}} {row.tail}")
                for did in (row.verb, row.participle)
            )
    for row in FIELD_ROWS:
        to = "[to|=] " if row.changes is to_value else ""
        of = "{field} of {object}"
        texts.append(
            (
                row,
                f"{of} {row.participle} {row.tail}" if asked else f"{row.verb} {of} {to}{row.tail}",
            )
        )
        had = f"{{object}} (had|has|have) [a|an] {{field}} [of] {row.tail}"
        texts.append((row, had if asked else f"{row.verb} {{object}} {{field}} {to}{row.tail}"))
        if asked:
            texts.append((row, f"[i|we|you|one] {row.verb} {of} {to}{row.tail}"))
    for row in ONLY_ROWS:
        texts.append(
            (
                row,
                (
                    f"{{field}} {row.participle} {row.tail}"
                    if asked
                    else f"{row.verb} {{field}} {row.tail}"
                ),
            )
        )
    for row in SETTING_ROWS:
        if row.changes is to_setting:
            texts.append(
                (
                    row,
                    (
                        f"{{field}} {row.participle} {row.tail}"
                        if asked
                        else f"{row.verb} {{field}} (to|=) {row.tail}"
                    ),
                )
            )
        else:
            texts.append((row, row.participle if asked else row.verb))
    return tuple(
        (row, Phrase(text.strip()).pattern(lambda slot: f"(?P<{slot}>{SLOTS[slot]})"))
        for row, text in texts
    )


def _first(clauses: Clauses, before: str, asked: bool) -> tuple[ChangeRow, re.Match[str]] | None:
    """Take the first change in the clauses; of several that begin at one place, the longest."""
    found = [
        (-match.start(), match.end() - match.start(), row, pattern)
        for row, pattern in _patterns(asked)
        if (match := clauses.find_phrase(pattern, before))
    ]
    if not found:
        return None
    *_, row, pattern = max(found, key=lambda f: f[:2])
    match = clauses.take_phrase(pattern, before)
    assert match is not None
    return row, match


_PRONOUN = re.compile(r"(\| (?:and |then )+(?:[a-z]+ )?)(?:its?|them|their)(?= |$)")
"""What stands for the objects of the change before, as in *move Prism and rotate it*."""


def _changes(clauses: Clauses, before: str, asked: bool) -> list[Json] | None:
    """Take all changes that "and" joins; None without any. Raises Open, or RaybenchError if one
    cannot be made.
    """
    out: list[Json] = []
    while (found := _first(clauses, before, asked)) is not None:
        row, match = found
        slots = {name: text for name, text in match.groupdict().items() if text}
        objects = _named(clauses, slots.get("object", ""))
        if "target" in slots:
            target = clauses.single(slots["target"][-1])  # its mark, after an article
            if isinstance(target, Unclear):
                raise Open(target.problem)
            slots["target"] = target.title
        out += (made := row.changes(clauses.document, objects, slots))
        before = r"(?<=\| )(?:and |then )+"  # after the one before, not anywhere
        if "object" in slots and not any(
            {"duplicate", "delete"} & change.keys() for change in made
        ):  # it may be the copy, or gone
            clauses.remainder = _PRONOUN.sub(rf"\g<1>{slots['object']}", clauses.remainder)
    clauses.remainder = re.sub(r"\| (?:and|then) (?=\|)", "| ", clauses.remainder)
    return out or None


def _named(clauses: Clauses, text: str) -> Things:
    """The objects whose marks occur in a text. Raises Open."""
    objects: list[SceneObject | System] = []
    for mark in re.findall(OBJECT, text):
        meant = clauses.each(mark)
        if isinstance(meant, Unclear):
            raise Open(meant.problem)
        objects += meant
    return objects


def _to_change(question: PlainQuestion) -> Understanding:
    """The changes that a text asks for."""
    clauses = question.clauses()
    try:
        changes = _changes(clauses, r"(?<!if )(?<!i )(?<!we )", asked=False)
    except (Open, UnknownMaterial, NoCentre) as problem:
        return clauses.ask(str(problem))
    return None if changes is None else clauses.whole({"changes": changes})


_IF = r"(?:if|when|suppose|assuming) (?:that )?"
_WITHOUT = PhrasePattern(rf"without (?P<object>{SLOTS['object']}) ", ("without",))


def _supposed(question: PlainQuestion) -> Understanding:
    """The supposed changes of a text, and the measures that it asks for."""
    clauses = question.clauses()
    try:
        changes = _changes(clauses, _IF, asked=True)
        if changes is None and (match := clauses.take_phrase(_WITHOUT)) is not None:
            changes = [{"disable": titles(_named(clauses, match["object"]))}]
    except (Open, UnknownMaterial, NoCentre) as problem:
        return clauses.ask(str(problem))
    if changes is None:
        return None
    if moves := clauses.take(
        r"how (?:far|much) (?:does|do|would|will) (?:spot|light|beam)(?: (?:on|at) {o})?"
        r" (?:move|shift|wander)"
    ):
        screen = clauses.single(moves["o"]) if moves["o"] else clauses.only("detector")
        measured = screen if isinstance(screen, Unclear) else f"centroid({quoted(screen.title)})"
        return (
            clauses.ask(measured.problem)
            if isinstance(measured, Unclear)
            else clauses.whole({"changes": changes, "measures": measured})
        )
    asks = (
        r"what (?:happens|would happen|will happen|changes|would change|is|are|was|would be)(?: to|"
        r" with)?|what"
    )
    clauses.take(rf"how (?:does|do|would|will|much does|much would)|{asks}")
    clauses.take(r"(?:would |will )?(?:change|vary|be|become|do)(?: then)?")
    if not clauses.rest:
        return clauses.whole({"changes": changes, "measures": _usual(question.document, changes)})
    clauses.remainder = re.sub(r"^(?:\| )+|(?: \|)+$", "", clauses.remainder)
    found = measures_asked(clauses)
    if not isinstance(
        found, Meant
    ):  # "does the power reach Screen" is asked as "how much power reaches Screen"
        asked, clauses.remainder = clauses.remainder, f"how much {clauses.remainder}"
        found = better(found, measures_asked(clauses))
        if not isinstance(
            found, Meant
        ):  # what was not understood is told in the person's own words
            clauses.remainder, found = asked, None
    return (
        Meant({"changes": changes, **found}, found.spare)
        if isinstance(found, Meant)
        else found or clauses.whole({})
    )


def _usual(document: Document, changes: list[Json]) -> str:
    """Measures that show the effect of changes: of the detectors, and of the light that leaves
    changed objects.
    """
    objects = [o for o in document.scene.objects if o.optical and o.key not in document.disabled]
    detectors = [o for o in objects if isinstance(o, Detector)][:2]
    measures = [
        f"{name}({quoted(o.title)})" for o in detectors for name in ("power", "centroid", "rms")
    ]
    kept = {"rotate", "move", "set", "scale", "mirror", "material"}
    touched = [
        title
        for change in changes
        for verb in kept & change.keys()
        for title in _listed(change[verb])
    ]
    for obj in (o for o in objects if o.title in touched and not isinstance(o, Detector | Source)):
        lens = isinstance(obj, IdealLens | SphericalLens)
        measures += [
            f"{name}({quoted(obj.title)})"
            for name in (("focus", "spot_rms") if lens else ("direction",))
        ]
    return "; ".join(measures or ["escaped()", "absorbed()"])


def _listed(target: Any) -> list[str]:
    return [target] if isinstance(target, str) else list(target)


CHANGE = Phrases(
    "rotate {object_name} by {angle}",
    "move {object_name} by {x} mm to the right",
    "make {glass_name} of N-BK7",
    understood=_to_change,
)
TO_FOCUS = Phrases(
    "move {detector_name} to the best focus",
    "(move|shift|put|place|bring|set) {detector_name} (to|into|in|at) [the] [best] focus",
    "(focus|refocus) the light on {detector_name}",
    "refocus {detector_name}",
    clauses=("source_name",),
    slots={"detector_name": named((Detector, Blocker), "detector")},
)
WHAT_IF = Phrases(
    "what if {object_name} is rotated by {angle}",
    "what happens if {object_name} is moved by {x} mm to the right",
    understood=_supposed,
)
