"""The tool ``rank_remedies``: which of several changes lessens a measure most, such as the stray light at
a detector.
"""

from collections.abc import Sequence
from typing import Any

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.record import Positive, Record, Root
from raybench.analysis.answers.words import count_with_noun
from raybench.analysis.context import require_context
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.glasses import GlassBody
from raybench.scene.changes import as_changes
from raybench.scene.document import Document
from raybench.scene.finishes import finish_catalogue
from raybench.study.estimate import Mean
from raybench.study.stray_light import DRAWS, Remedy
from raybench.study.stray_light import rank_remedies as rank

MOST_DRAWS, MOST_REMEDIES = 200, 60
SURE = 2.0
"""A difference of more standard errors is taken for one."""
NOTHING = "none"
PAINTS, USUAL_COATINGS = (
    "paints",
    (
        NOTHING,
        "MgF2 quarter wave 550",
        "Antireflection 4 layers 400-700",
        "Ideal antireflection",
    ),
)


class TriedRemedy(Record, tag="remedy"):
    rank: Positive
    change: str
    value: float | None
    error: float | None
    difference: float | None
    difference_error: float | None
    relative: float | None
    certain: bool
    refused: str | None


class Remedies(Root, tag="remedies"):
    remedy: Sequence[TriedRemedy]
    of: str
    before: float | None
    before_error: float | None
    unit: str | None
    draws: int


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: f"which remedy lessens {a.get('measure')} most",
)
def rank_remedies(
    ctx: ToolContext,
    measure: str,
    surfaces: list[str] | None = None,
    finishes: list[str] | None = None,
    coatings: list[str] | None = None,
    remove: list[str] | None = None,
    changes: list[list[dict[str, Any]]] | None = None,
    together: bool = False,
    draws: int = DRAWS,
) -> Answer:
    """Try remedies against stray light, each by itself, and rank them by a measure, the least first: every
    finish or coating on every surface, objects that are taken away, other changes. The same random
    draws serve all. The scene is not changed.

    Args:
        measure: What is to become less, such as scattered_power(Detector), ghost_power(Detector) or
            power(Detector, Sun).
        surfaces: Objects, or edges such as Tube:N, that are treated; by default all blockers and all
            surfaces with a finish for finishes, all glass for coatings.
        finishes: Names of the catalogue, such as Aeroglaze Z306 black paint; paints stands for all
            paints, none for no finish.
        coatings: Names of the catalogue; usual stands for a few antireflection coatings, none for
            bare glass.
        remove: Objects that are disabled, one at a time, such as baffles.
        changes: Further remedies, each a list of changes as for change_scene.
        together: Treat all surfaces alike at once instead of one at a time.
        draws: Random draws, 2 to 200.

    Returns:
        Root remedies: the measure as it is, and with each remedy, with standard errors; the
        difference, of which the draws are common, and whether it is certain (more than two standard
        errors).
    """
    check_count("draws", draws, least=2, most=MOST_DRAWS)
    document, context = ctx.document, require_context()
    written = [
        *_treatments(document, surfaces, finishes, coatings, together),
        *([{"disable": name}] for name in remove or ()),
        *(changes or ()),
    ]
    if not 0 < len(written) <= MOST_REMEDIES:
        raise RaybenchError(
            f"These are {len(written)} remedies; give 1 to {MOST_REMEDIES}, by finishes, coatings,"
            " remove or changes, and fewer surfaces."
        )
    ranking = rank(
        document,
        measure,
        [as_changes(each, document) for each in written],
        draws=draws,
        stop=lambda: ctx.cancelled,
    )
    before = ranking.before
    tried = [
        _record(place, remedy, str(written[remedy.number]), before)
        for place, remedy in enumerate(ranking.remedies, 1)
    ]
    root = Remedies(
        remedy=tried,
        of=before.latest.expression,
        before=before.value_or_none,
        before_error=before.error_or_none,
        unit=before.latest.unit or None,
        draws=before.draws,
        context=context,
    )
    best = tried[0]
    if best.value is None:
        return Answer(root, f"No remedy could be measured: {best.refused}")
    sentence = f"{_with_error(before)} = {before.latest.expression} as it is; "
    if best.difference is not None and best.difference < 0:
        share = f" ({100 * best.relative:+.3g} %)" if best.relative is not None else ""
        sure = "" if best.certain else ", which is within the error"
        value = ranking.remedies[0].value
        assert value is not None
        sentence += f"of {count_with_noun(len(tried), 'change')} the best is: {best.change}:"
        sentence += f" {_with_error(value)}{share}{sure}"
    else:
        sentence += f"none of {count_with_noun(len(tried), 'change')} lessens it"
    return Answer(root, sentence, complete_sentence=True)


def _treatments(
    document: Document,
    surfaces: list[str] | None,
    finishes: list[str] | None,
    coatings: list[str] | None,
    together: bool,
) -> list[list[dict[str, Any]]]:
    """The remedies that give each surface each finish and each coating, as JSON of changes."""
    objects = [o for o in document.scene.optical if o.key not in document.disabled]
    names = {id(o): o.title for o in objects}
    painted = surfaces or [
        names[id(o)]
        for o in objects
        if isinstance(o, Blocker | CircleBlocker) or o.key in document.finishes
    ]
    glass = surfaces or [names[id(o)] for o in objects if isinstance(o, GlassBody)]
    paints = [name for name, (finish, _) in finish_catalogue().items() if finish.is_paint]
    wanted = [n for name in finishes or () for n in (paints if name == PAINTS else [name])]
    coats = [n for name in coatings or () for n in (USUAL_COATINGS if name == "usual" else [name])]
    out: list[list[dict[str, Any]]] = []
    for verb, key, treated, choices in (
        ("finish", "with", painted, wanted),
        ("coat", "coating", glass, coats),
    ):
        for choice in choices:
            given = "" if choice == NOTHING else choice
            each = [{verb: t, **edge, key: given} for t, edge in map(_edge_of, treated)]
            out += [each] if together else [[change] for change in each]
    return out


def _edge_of(surface: str) -> tuple[str, dict[str, str]]:
    """The object and the edge of a text such as Tube:N."""
    name, colon, edge = surface.rpartition(":")
    return (name, {"edge": edge}) if colon else (surface, {})


def _record(rank: int, remedy: Remedy, written: str, before: Mean) -> TriedRemedy:
    value, gained = remedy.value, remedy.difference
    change = None if gained is None else gained.value_or_none
    error = None if gained is None else gained.error_or_none
    now = before.value_or_none
    return TriedRemedy(
        rank=rank,
        change=remedy.words or written,
        value=None if value is None else value.value_or_none,
        error=None if value is None else value.error_or_none,
        difference=change,
        difference_error=error,
        relative=None if change is None or not now else change / abs(now),
        certain=change is not None and change != 0 and abs(change) > SURE * (error or 0.0),
        refused=remedy.refused or None,
    )


def _with_error(mean: Mean) -> str:
    error = f" ± {mean.error:.2g}" if mean.draws > 1 else ""
    return f"{mean.value:.6g}{error}"
