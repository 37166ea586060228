"""Where does light leave the scene?"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Positive, Record, Root
from raybench.analysis.answers.words import in_words, rays_counted
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import value_of
from raybench.analysis.measures.families.dimension import gaps_of
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.stray_light import Gaps
from raybench.analysis.tools.tool import AnalysisTool
from raybench.trace.codes import Interaction

SURFACES = 20
"""Maximum number of last surfaces listed, for all gaps together, but at least `LEAST` for each."""
LEAST = 3


class LastSurface(Record, tag="last_surface"):
    of: str
    power: float
    rays: Positive


class Gap(Record, tag="gap"):
    last_surface: Sequence[LastSurface]
    first: str | None
    second: str | None
    width: float | None
    power: float
    share: float | None
    rays: Positive
    more_surfaces: int | None


class Leaks(Root, tag="leaks"):
    gap: Sequence[Gap]
    escaped: float | None
    share: float | None
    emitted: float
    rays: int
    not_examined: float | None
    count: int


def leaks() -> Answer:
    """Report where light leaves the scene: escaping light by the gap it goes through, with the
    surface it left last and its share.

    A gap is named by the two objects that an escaping ray would meet first if it were turned to
    either side about its start. Its width is the distance between the points that it would meet;
    there is none where nothing is on one side within half a turn: there light leaves freely past
    the object. A detector bounds no gap, since light passes it.

    Returns:
        Root leaks: the escaped power and its share of the emitted; for each gap its two objects,
        width, power, share of the emitted power and rays, and the surfaces from which most of it
        comes.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    light = Light.of_context(context)
    result, found = light.result, gaps_of(light)
    emitted, power = light.emitted(), result.total_power[found.rows]
    _, which = np.unique(found.pair @ (len(light.scene.optical) + 1, 1), return_inverse=True)
    members = (
        np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
        if len(which)
        else []
    )
    members.sort(key=lambda m: -float(power[m].sum()))
    most = max(LEAST, SURFACES // max(1, len(members)))
    listing = [_gap_record(context, light, found, m, emitted, most) for m in members]
    total = value_of(light, "escaped").known
    root = Leaks(
        gap=listing,
        escaped=total,
        share=total / emitted if total is not None and emitted > 0 else None,
        emitted=emitted,
        rays=int(result.escaped.sum()),
        not_examined=found.others or None,
        count=len(listing),
        context=context,
    )
    rays = context.result.ray_set(result.escaped, "rays that leave the scene")
    return Answer(root, _leaks_sentence(listing, len(rays), total or 0.0, emitted), rays)


def _gap_record(
    context: TracedScene, light: Light, found: Gaps, members: Rows, emitted: float, most: int
) -> Gap:
    result, rows = light.result, found.rows[members]
    first, second = (
        None if i < 0 else light.scene.optical[i].title for i in found.pair[members[0]].tolist()
    )
    power, width = float(result.total_power[np.sort(rows)].sum()), float(found.width[members].min())
    parent = result.parent[rows]
    edges = int(result.edge.max(initial=-1)) + 2
    met = (
        (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    )  # -1 is unknown in each of these columns
    last = np.where(parent >= 0, met, -2 - result.source[rows])
    surfaces = []
    for key in np.unique(last).tolist():
        of = rows[last == key]
        surfaces.append(
            (
                float(result.total_power[of].sum()),
                _escape_surface(context, light, int(of[0])),
                len(of),
            )
        )
    surfaces.sort(key=lambda s: -s[0])
    return Gap(
        last_surface=[LastSurface(of=name, power=p, rays=n) for p, name, n in surfaces[:most]],
        first=first,
        second=second,
        width=width if np.isfinite(width) else None,
        power=power,
        share=power / emitted if emitted > 0 else None,
        rays=len(rows),
        more_surfaces=max(0, len(surfaces) - most) or None,
    )


def _escape_surface(context: TracedScene, light: Light, row: int) -> str:
    """Where an escaping segment starts, such as ``Prism:E (refract)``."""
    result, parent = light.result, int(light.result.parent[row])
    if parent < 0:
        source = int(result.source[row])
        return f"{light.scene.optical[source].title} (source)" if source >= 0 else "a source"
    hit, edge = int(result.hit[parent]), int(result.edge[parent])
    title = light.scene.optical[hit].title if hit >= 0 else "?"
    label = f":{context.edge_title(hit, edge)}" if hit >= 0 and len(light.edges(hit)) > 1 else ""
    return f"{title}{label} ({Interaction(result.interaction[row]).word})"


def _leaks_sentence(listing: list[Gap], rays: int, power: float, emitted: float) -> str:
    if not rays:
        return "No light leaves the scene"
    share = f" ({100 * power / emitted:.4g} % of the emitted)" if emitted > 0 else ""
    text = (
        f"{rays_counted(rays)} with power {in_words(power)}{share}"
        f" {'leaves' if rays == 1 else 'leave'} the scene"
    )
    if not listing or listing[0].first is None:
        return text
    gap = listing[0]
    where = (
        f"past {in_words(gap.first)}"
        if gap.first == gap.second
        else f"between {in_words(gap.first)} and {in_words(gap.second)}"
    )
    part = "most of it" if gap.power > power / 2 else "the largest part"
    return f"{text}, {part} {where} (power {in_words(gap.power)})"


TOOL = AnalysisTool(
    function=leaks,
    asks="light that leaves the scene, by gap",
    questions=("Where does light leak [stray]?",),
    fits=True,
    power=True,
)
