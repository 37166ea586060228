"""The tool ``change_scene``, which changes the document. All changes of one turn are one undo
step.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.open_document import OpenDocument
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.measures.grammar import MeasureList
from raybench.errors import RaybenchError, list_first_texts
from raybench.kinds.fields import label_in_sentence
from raybench.kinds.kinds import KINDS, kind_row_of
from raybench.scene.changes import (
    Change,
    NoChanges,
    convert_to_changes,
    describe_changes,
    documents_between_changes,
)
from raybench.scene.document import Document, use_negative_revisions
from raybench.scene.problems import find_scene_problems
from raybench.schema.json_values import ListFromSingleItem, coerce_to_list
from raybench.study.what_if import bind_in_either_document, compare_measures
from raybench.trace.results.result import TraceResult
from raybench.trace.results.warnings import omitted_light_text

ChangeList = Annotated[list[dict[str, Any]], ListFromSingleItem(dict)]
"""Changes as JSON, as `raybench.scene.changes.written.changes_from_json` takes them."""


def changes_in_words(changes: Any) -> str:
    """Changes in words, by verb and object names, valid or not: ``rotate Main Prism, set Main
    Prism``.
    """
    texts = []
    listed = coerce_to_list(changes, dict)
    for change in listed if isinstance(listed, list | tuple) else ():
        verb, target = "", ""
        if isinstance(change, Mapping):
            verb, target = next(iter(change.items()), ("", ""))
        what = value_in_words(target) if isinstance(target, str | list) else ""
        if isinstance(target, Mapping):  # an object to add
            kind = KINDS.get(str(target.get("type", "")))
            what = label_in_sentence(kind.label) if kind else str(target.get("type") or "")
        texts.append(f"{verb} {what}".strip())
    return list_first_texts(texts, 3) or "nothing"


TRACING_SECONDS = 120.0
"""Time limit of tools that trace another document themselves, on a cold start with compilation."""
TRACING_SHARE = 0.9
"""Share of the time limit of change_scene after which an edit is reported without its measures."""
MOST_PROBLEMS, MOST_NAMES = 3, 12
"""Maximum numbers of new problems of the scene, and of new objects, that are reported."""


@tool_context(
    offered="always",
    brief=(
        "Change the scene: all changes or none, as one step that the person can undo. changes "
        'such as [{"set": "Wedge", "refIndex": 1.7, "path[2].x": 5}] set fields, as '
        'read_objects names them. Others: {move: "Lens", dx: 5, dy: 0} or {move: "Lens", to: '
        '{x: 0, y: 0}} (its centre; or to: "Iris"); {rotate: "Prism", by: 7} '
        '(counter-clockwise); {material: "Lens", name: "N-BK7"} (find_glass); {coat: "Lens", edge: "W", '
        'coating: {reflectance: 0.02}}; {finish: "Box", reflectance: 0.9}; '
        "{add: {type: "
        '"Mirror", name: "Fold", p1: {x: 0, y: 0}, p2: {x: 0, y: 50}}} (object_kinds); {delete: '
        '"Lens"}; {disable: "Iris"}, on: false enables it. measures are told before and '
        "after.\n\n"
        'Also {scale: "Lens", by: 2}; {mirror: "Prism", axis: 90}; these and rotate "about" a '
        'point {x, y} or an object instead of the centre; {preset: "Achromat", focalLength: '
        '100, diameter: 25, at: {x: 50, y: 0}, as: "Objective"} (list_presets); {duplicate: '
        '"Lens", dx: 20, count: 5, as: "Lens B"}; {hide: "Note"}; {group: ["Lens", "Iris"], as: '
        '"Camera"}; {settings: {rayModeDensity: 0.5}}. A target may be a group or a list of '
        'names, a length a text such as "5 mm"; a number set to '
        '"=2*Lens.focalLength" follows this expression until it is set to "=". A later change may '
        "use what an earlier one adds."
    ),
    effect="edit",
    expose="both",
    needs="scene",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: changes_in_words(a.get("changes")),
)
async def change_scene(ctx: ToolContext, changes: ChangeList, measures: MeasureList = "") -> str:
    """Change the scene. All changes are made, or none; together they are one step that the person
    can undo.

    Each change is an object; targets are a name, a group or a list of names; lengths are in scene
    units, or texts such as "5 mm". {"set": "Wedge", "refIndex": 1.7, "path[2].x": 5} sets fields,
    under the names that read_objects lists; a number set to "=2*Lens.focalLength" follows this
    expression from then on, until it is set to "=". {"move": "Lens", "dx": 5, "dy": 0} moves: x to
    the right, y down; {"move": "Lens", "to": {"x": 0, "y": 0}} puts its centre there, "to" an
    object at that one's centre, and dx and dy from there. {"rotate": "Prism", "by": 7} turns by
    degrees, counter-clockwise as seen, {"scale": "Lens", "by": 2}, {"mirror": "Prism", "axis": 90}
    reflects in a vertical line: about the object's centre, or "about" {"x": 0, "y": 0} or an
    object. {"add": {"type": "Mirror", "name": "Fold", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y":
    50}}} adds; object_kinds lists types and fields. {"preset": "Achromat", "focalLength": 100,
    "diameter": 25, "at": {"x": 50, "y": 0}, "as": "Objective"} adds one of list_presets. {"delete":
    "Lens"}, {"duplicate": "Lens", "dx": 20, "as": "Lens B"}, or five of them, each 20 further, with
    "count": 5, {"disable": "Iris"} and {"hide": "Note"}, or with "on": false the opposite,
    {"group": ["Lens", "Iris"], "as": "Camera"}, {"settings": {"rayModeDensity": 0.5}}, {"material":
    "Lens", "name": "N-BK7"}; find_glass lists names. {"coat": "Lens", "edge": "W", "coating": "MgF2
    quarter wave 550"} coats an edge, or without edge all, of a glass, mirror or beam splitter: with
    a name of the catalogue, which an error lists, {"reflectance": 0.02}, {"metal": "Silver"},
    {"material": "MgF2 (o)", "thickness": 100} in nm, or {"films": [...]} of these, from the
    surroundings to the body; "" removes it. {"finish": "Tube", "edge": "N", "with": "Aeroglaze Z306
    black paint"} gives an edge, or all, of a glass, a mirror or a blocker a finish: a name of the
    catalogue, which an error lists, or values beside or without it: "reflectance" of a paint,
    "scatter" (lambertian, gaussian with "deviation" in deg, abg with "A", "B", "g", or table),
    "total" scattered part, "roughness" in nm, "scatters" (reflected, transmitted, both), "rays" of
    a hit, "towards" an object that half of them are sent to; "with": "" removes it. A later change
    may refer to what an earlier one of the list has added. Try changes with what_if first. If the
    person has changed one of the objects since you read it, an error lists the differences. compare
    reports what has changed since a revision; undo_edits reverts this turn's changes.

    Args:
        changes: The changes in order, such as [{"move": "Lens", "dx": 5}, {"set": "Wedge",
            "refIndex": 1.7}].
        measures: What to tell before and after, such as power(Screen); gap(Lens, Iris).
    """
    wanted = convert_to_changes(changes, ctx.document)
    if not measures.strip():
        return await make_changes(ctx, wanted)
    document, before = await ctx.run_on_document(_traced_document)
    with use_negative_revisions():  # report their errors before anything is changed
        bind_in_either_document(measures, document, documents_between_changes(wanted, document)[-1])
    done = await make_changes(ctx, wanted)
    assert ctx.tool is not None
    left = TRACING_SHARE * ctx.tool.timeout_s - ctx.scope.seconds_without_pauses
    try:
        async with asyncio.timeout(left):
            changed, after = await ctx.run_on_document(_traced_document)
    except TimeoutError:
        return f"{done} The measures after it took too long: give the scene fewer rays."
    except RaybenchError as error:
        return f"{done} The scene cannot be traced now. {error}"
    differences = compare_measures(document, changed, (before, after), measures)
    left_out = omitted_light_text(changed.scene, (d.after.not_followed for d in differences))
    told = [f"{difference}." for difference in differences]
    return " ".join([done, *told, *([f"{left_out}."] if left_out else [])])


async def _traced_document(opened: OpenDocument) -> tuple[Document, TraceResult]:
    traced = await opened.context()
    return opened.document, traced.result


async def make_changes(ctx: ToolContext, wanted: tuple[Change, ...]) -> str:
    """Make changes. Returns their description, the revisions before and after, and new problems of
    the scene. Raises ChangeRefused if there are no changes.
    """
    if not wanted:
        raise NoChanges("Nothing was changed")
    document = ctx.document
    ctx.known.check_unchanged(wanted, document)
    with use_negative_revisions():
        description = describe_changes(wanted, documents_between_changes(wanted, document))
    after = await ctx.apply(wanted)
    ctx.known.record_objects(o for o in after.scene.objects if document.scene.get(o.key) is not o)
    known = {
        problem.text
        for problem in find_scene_problems(
            document.scene, document.disabled, document.edge_labels, document.kept
        )
    }
    new = [
        problem.text
        for problem in find_scene_problems(
            after.scene, after.disabled, after.edge_labels, after.kept
        )
        if problem.text not in known
    ][:MOST_PROBLEMS]
    made = [
        o.title
        for o in after.scene.objects
        if document.scene.get(o.key) is None
        and o.title not in description
        and not (after.part_of_object(o.key) and kind_row_of(o).emits is not None)
    ]
    unnamed = [
        o.title
        for o in document.scene.objects
        if after.scene.get(o.key) is not o and o.title not in description
    ]
    if unnamed:
        new.insert(0, f"Objects: {list_first_texts(unnamed, MOST_NAMES)}.")
    if made:
        new.insert(0, f"New objects: {list_first_texts(made, MOST_NAMES)}.")
    return " ".join([f"Done: {description} ({revisions_in_words(document, after)}).", *new])


def revisions_in_words(before: Document, after: Document) -> str:
    """The revisions of the scene before and after an edit, in words. A revision identifies a state;
    it does not count edits.
    """
    return f"revision {after.revision} now, {before.revision} before"
