"""The tools that filter the rays on the canvas. Each is a state tool; `ray_filter_tools` makes
their records.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter, state_record
from raybench.analysis.answers.words import ray_count_text, value_in_words
from raybench.analysis.rays.ray_facts import UnknownRay, is_ray_id, row_of_ray
from raybench.analysis.rays.ray_filter import NO_FILTER, QUANTITIES, Quantity, RayFilter
from raybench.analysis.scene.objects import list_names
from raybench.errors import elide_text, in_quotes, with_article
from raybench.kinds.sources import Source
from raybench.scene.names import UnknownName, object_named
from raybench.scene.scene import Scene
from raybench.schema.json_values import TextList
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

MOST_LISTED = 12
"""Maximum number of ray sets that an error lists."""

_ON_DEMAND: dict[str, Any] = {"offered": "on demand"}


class RangeFilterTool(StateTool):
    """Filters rays by a range of a quantity: ``range_filter("power", at_least=0.1)``."""

    name = "range_filter"
    description = f"""Show only rays of which a quantity lies in a range. Filters add up; clear_filter shows all again.

A filter changes only what the canvas shows, not what other tools find.

Args:
    quantity: {"; ".join(f"{name} ({c.words}{', ' * bool(c.unit)}{c.unit})" for name, c in QUANTITIES.items())}.
    at_least: Lower bound, included.
    at_most: Upper bound, included.
    above: Lower bound, not included.
    below: Upper bound, not included.
    exclude: Hide the rays in the range instead.
"""

    def __init__(self, unit: str = "mm") -> None:
        self.unit = unit

    def _run(
        self,
        quantity: Quantity,
        at_least: float | None = None,
        at_most: float | None = None,
        above: float | None = None,
        below: float | None = None,
        exclude: bool = False,
    ) -> dict[str, Any]:
        given = {"gte": at_least, "lte": at_most, "gt": above, "lt": below}
        bounds = {name: value for name, value in given.items() if value is not None}
        clause = "must_not" if exclude else "must"
        return {clause: [{"key": quantity, "range": bounds}]} if bounds else {}

    def apply_to_state(
        self,
        state: ViewDraft,
        quantity: Quantity,
        at_least: float | None = None,
        at_most: float | None = None,
        above: float | None = None,
        below: float | None = None,
        exclude: bool = False,
    ) -> str:
        found = self._run(quantity, at_least, at_most, above, below, exclude)
        if not found:
            return "No range filter applied: no bound was given."
        return _add_conditions("range", state, found, Scene(), self.unit)


def _add_conditions(
    kind: str, state: ViewDraft, found: Mapping[str, Any], scene: Scene, unit: str = "mm"
) -> str:
    """Add conditions to the filter of the draft. Returns a sentence about them for the model."""
    merge_filter(state, found)
    return f"Applied {kind} filter: {RayFilter.from_json(found).description(scene, unit)}."


class SourceFilterTool(StateTool):
    """Filters rays by the sources that they come from, or the objects that they meet."""

    name = "source_filter"
    description = """Show only rays that come from any of some sources, or that meet or leave any of some objects. Filters add up.

A filter changes only what the canvas shows, not what other tools find.

Args:
    sources: Names of sources, exactly as in the scene.
    objects: Names of other objects, exactly as in the scene.
    exclude: Hide these rays instead.
"""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def _run(
        self,
        sources: Sequence[str] | None = None,
        objects: Sequence[str] | None = None,
        exclude: bool = False,
    ) -> dict[str, Any]:
        meant = [object_named(self.scene, name) for name in sources or ()]
        for o in meant:
            if not any(isinstance(part, Source) for part in self.scene.parts_of(o)):
                titles = [
                    s.title
                    for s in self.scene.objects
                    if any(isinstance(p, Source) for p in self.scene.parts_of(s))
                ]
                raise UnknownName(
                    f"{in_quotes(o.title)} is {with_article(o.noun)}, not a source. Sources:"
                    f" {list_names(titles)}"
                )
        keys = {
            "source": [o.key for o in meant],
            "object": [object_named(self.scene, name).key for name in objects or ()],
        }
        conditions = [
            {"key": key, "match": {"any": any_of}} for key, any_of in keys.items() if any_of
        ]
        return {"must_not" if exclude else "should": conditions} if conditions else {}

    def apply_to_state(
        self,
        state: ViewDraft,
        sources: TextList | None = None,
        objects: TextList | None = None,
        exclude: bool = False,
    ) -> str:
        found = self._run(sources, objects, exclude)
        if not found:
            return "No source filter applied: no name was given."
        return _add_conditions("source", state, found, self.scene)


class RayPickTool(StateTool):
    """Selects single rays, by id or by the name of a ray set."""

    name = "pick_rays"
    description = """Show only certain rays: by their ids, or the ray sets of earlier answers. Picks add to those picked before.

It changes only what the canvas shows, not what other tools find.

Args:
    rays: Ids such as r12-305, as answers list them, or ray sets such as R1.
"""

    def __init__(self, result: TraceResult, ray_sets: Mapping[str, RaySet]) -> None:
        self.result = result
        self.ray_sets = ray_sets

    def _run(self, rays: Sequence[str]) -> list[int]:
        rows: set[int] = set()
        for name in rays:
            rows.update(self._named_rows(name.strip()))
        return sorted(rows)

    def _named_rows(self, name: str) -> list[int]:
        revision = self.result.revision
        if (found := self.ray_sets.get(name)) is not None:
            if found.revision != revision:
                asked = f"{name} ({elide_text(found.question)})"
                raise UnknownRay(
                    f"{asked} is of revision {found.revision}; the scene is at revision {revision}"
                    " now. Ask that again."
                )
            return [int(row) for row in found.rows]
        if not is_ray_id(name):
            earlier = len(self.ray_sets) - MOST_LISTED
            names = (
                ", ".join(list(self.ray_sets)[-MOST_LISTED:])
                + f" and {earlier} earlier ones" * (earlier > 0)
                or "none so far"
            )
            raise UnknownRay(
                f"There are no rays {in_quotes(name)}. Give ids such as"
                f" {self.result.segment_id(0)}, or ray sets: {names}."
            )
        return [row_of_ray(self.result, name)]

    def apply_to_state(self, state: ViewDraft, rays: TextList) -> str:
        rows = self._run(rays)
        if not rows:
            return "No rays picked."
        names = list(dict.fromkeys(name.strip() for name in rays))
        before = state.specific_rays
        if before is not None and before.revision == self.result.revision:
            names = list(dict.fromkeys([*before.name.split(", "), *names]))
            rows = sorted({*rows, *map(int, before.rows)})
        state.specific_rays = RaySet(
            np.array(rows, np.int64), "picked rays", self.result.revision, ", ".join(names)
        )
        return f"Picked {ray_count_text(len(rows))}: {list_names(names)}."


class ClearFilterTool(StateTool):
    """Removes the ray filter and all picked rays."""

    name = "clear_filter"
    description = "Show all rays again: forget every ray filter and picked ray."

    def _run(self) -> RayFilter:
        return NO_FILTER

    def apply_to_state(self, state: ViewDraft) -> str:
        if not state.ray_filter and state.specific_rays is None:
            return "No filter was set: all rays are shown."
        state.ray_filter, state.specific_rays = self._run(), None
        return "All rays are shown again."


def _describe_range_filter(arguments: Mapping[str, Any]) -> str:
    bounds = {"at_least": "≥", "above": ">", "at_most": "≤", "below": "<"}
    conditions = " and ".join(
        f"{sign} {value_in_words(arguments[name])}"
        for name, sign in bounds.items()
        if arguments.get(name) is not None
    )
    return (
        f"{'hide' if arguments.get('exclude') else 'show'} rays of"
        f" {arguments.get('quantity', 'a quantity')}"
        f" {conditions}".rstrip()
    )


def _describe_source_filter(arguments: Mapping[str, Any]) -> str:
    conditions = [
        f"{how} {value_in_words(arguments[name])}"
        for name, how in (("sources", "from"), ("objects", "at"))
        if arguments.get(name)
    ]
    return (
        f"{'hide' if arguments.get('exclude') else 'show'} rays {' or '.join(conditions)}".rstrip()
    )


def ray_filter_tools() -> tuple[Tool, ...]:
    """The records of the tools that filter rays."""
    return (
        state_record(
            ClearFilterTool,
            lambda context: ClearFilterTool(),
            asks=lambda a: "show all rays",
            **_ON_DEMAND,
        ),
        state_record(
            RayPickTool,
            lambda context: RayPickTool(context.result, context.opened.ray_sets),
            asks=lambda a: f"show only {value_in_words(a.get('rays') or 'rays')}",
            **_ON_DEMAND,
        ),
        state_record(
            RangeFilterTool,
            lambda context: RangeFilterTool(context.document.unit),
            asks=_describe_range_filter,
            **_ON_DEMAND,
        ),
        state_record(
            SourceFilterTool,
            lambda context: SourceFilterTool(context.scene),
            asks=_describe_source_filter,
            **_ON_DEMAND,
        ),
    )
