"""The tool ``rank_remedies``, which finds the changes that reduce a measure most, such as the stray
light at a detector.
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
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.scene.finishes import finish_catalogue
from raybench.scene.treatments import name_of_object
from raybench.study.estimate import Mean
from raybench.study.stray_light import DRAWS, TriedChange
from raybench.study.stray_light import rank_remedies as rank

MOST_DRAWS, MOST_REMEDIES = 200, 60
SIGNIFICANT_ERRORS = 2.0
"""A difference of more standard errors is taken for one."""
MOST_NAMED_SURFACES = 3
"""The most surfaces that are named together."""
NOTHING = "none"
BLACK, MOST_BLACK = "black", 0.2
"""What stands for all paints that reflect at most so much."""
USUAL, USUAL_COATINGS = (
    "usual",
    (
        NOTHING,
        "MgF2 quarter wave 550",
        "Antireflection 3 layers",
        "Antireflection 4 layers 400-700",
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
    measure_unit: str | None
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
    """Try remedies against stray light, each by itself, and rank them by a measure, the least
    first: every finish or coating on every surface, objects that are taken away, other changes. The
    same random draws serve all. The scene is not changed.

    Args:
        measure: What is to become less, such as scattered_power(Detector), ghost_power(Detector) or
            power(Detector, Sun).
        surfaces: Objects, or edges such as Tube:N, that are treated; by default for finishes all
            objects with one, or else all blockers, and for coatings all glass.
        finishes: Names of the catalogue, such as Aeroglaze Z306 black paint; black stands for all
            black paints, none for no finish.
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
        *((f"{name} disabled", [{"disable": name}]) for name in remove or ()),
        *(("", each) for each in changes or ()),
    ]
    if not 0 < len(written) <= MOST_REMEDIES:
        raise RaybenchError(
            f"These are {len(written)} remedies; give 1 to {MOST_REMEDIES}, by finishes, coatings,"
            " remove or changes, and fewer surfaces."
        )
    ranking = rank(
        document,
        measure,
        [each for _, each in written],
        draws=draws,
        stop=lambda: ctx.cancelled,
    )
    before = ranking.before
    tried = []
    for place, remedy in enumerate(ranking.remedies, 1):
        words, each = written[remedy.number]
        tried.append(_remedy_record(place, remedy, words or remedy.words or str(each), before))
    root = Remedies(
        remedy=tried,
        of=before.latest.expression,
        before=before.value_or_none,
        before_error=before.error_or_none,
        measure_unit=before.latest.unit or None,
        draws=before.draws,
        context=context,
    )
    best = tried[0]
    if best.value is None:
        return Answer(root, f"No remedy could be measured: {best.refused}")
    sentence = f"{_with_error(before)} = {before.latest.expression} as it is"
    known = [(t, r.value) for t, r in zip(tried, ranking.remedies, strict=True) if r.value]
    ends = [("least", *known[0]), ("most", *known[-1])] if len(known) > 1 else [("", *known[0])]
    for end, told, value in ends:
        if told.difference:
            share = f" ({100 * told.relative:+.3g} %)" if told.relative is not None else ""
            sure = "" if told.certain else ", which is within the error"
            sentence += f"; {end} with {told.change}: {_with_error(value)}{share}{sure}"
    sentence += f". {count_with_noun(len(tried), 'change')} of the scene tried"
    return Answer(root, sentence, complete_sentence=True)


def _treatments(
    document: Document,
    surfaces: list[str] | None,
    finishes: list[str] | None,
    coatings: list[str] | None,
    together: bool,
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The remedies that give one finish or coating to one surface, or to all surfaces ``together``:
    words for each, and its changes as JSON.
    """
    objects = [o for o in document.scene.optical if o.key not in document.disabled]
    painted = surfaces or [o.title for o in objects if o.key in document.finishes]
    painted = painted or [o.title for o in objects if isinstance(o, Blocker | CircleBlocker)]
    glass = surfaces or [o.title for o in objects if isinstance(o, GlassBody)]
    black = [
        name
        for name, (finish, _) in finish_catalogue().items()
        if finish.reflectance is not None and finish.reflectance <= MOST_BLACK
    ]
    wanted = [n for name in finishes or () for n in (black if name == BLACK else [name])]
    coats = [n for name in coatings or () for n in (USUAL_COATINGS if name == USUAL else [name])]
    sampled = _scatter_sampling(document)
    out: list[tuple[str, list[dict[str, Any]]]] = []
    for verb, key, treated, choices in (
        ("finish", "with", painted, wanted),
        ("coat", "coating", glass, coats),
    ):
        for choice in choices:
            each = []
            for name, edge in map(_object_and_edge, treated):
                given = {key: "" if choice == NOTHING else choice}
                if verb == "finish" and choice != NOTHING:
                    given |= sampled.get(name, {})
                each.append({verb: name, **edge, **given})
            if together:
                few = len(treated) <= MOST_NAMED_SURFACES
                out.append((f"{choice} on {', '.join(treated) if few else 'all'}", each))
            else:
                out += [(f"{choice} on {s}", [c]) for s, c in zip(treated, each, strict=True)]
    return out


def _scatter_sampling(document: Document) -> dict[str, dict[str, Any]]:
    """By object name, how scattered light of the present finish is sampled: number of rays and
    target. A finish that is tried keeps these.
    """
    found = {}
    for key, own in document.finishes.items():
        obj, finish = document.scene.get(key), next(iter(own.values()))
        if obj is not None:
            target = (
                None if finish.towards is None else name_of_object(document.scene, finish.towards)
            )
            found[obj.title] = {
                "rays": finish.rays,
                **({"towards": target} if target is not None else {}),
            }
    return found


def _object_and_edge(surface: str) -> tuple[str, dict[str, str]]:
    """Split a text such as Tube:N into the object's name and a dict with the edge."""
    name, colon, edge = surface.rpartition(":")
    return (name, {"edge": edge}) if colon else (surface, {})


def _remedy_record(rank: int, remedy: TriedChange, words: str, before: Mean) -> TriedRemedy:
    value, gained = remedy.value, remedy.difference
    change = None if gained is None else gained.value_or_none
    error = None if gained is None else gained.error_or_none
    now = before.value_or_none
    return TriedRemedy(
        rank=rank,
        change=words,
        value=None if value is None else value.value_or_none,
        error=None if value is None else value.error_or_none,
        difference=change,
        difference_error=error,
        relative=None if change is None or not now else change / abs(now),
        certain=change is not None
        and change != 0
        and abs(change) > SIGNIFICANT_ERRORS * (error or 0.0),
        refused=remedy.refused or None,
    )


def _with_error(mean: Mean) -> str:
    if mean.value == 0 == mean.error:
        return "0, no ray arrives"
    error = f" ± {mean.error:.2g}" if mean.draws > 1 else ""
    return f"{mean.value:.6g}{error}{unit_suffix(mean.latest.unit)}"
