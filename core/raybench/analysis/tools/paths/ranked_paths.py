"""Which paths of light carry most power?"""

from __future__ import annotations

from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.path_elements import (
    SEGMENTS,
    Groups,
    Path,
    PathWriter,
    equally_strong,
    light_of,
    way_in_words,
)
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import in_words, number_of, rays_found
from raybench.analysis.context import require_context
from raybench.analysis.paths.paths import group_paths, path_ends
from raybench.analysis.tools.tool import AnalysisTool


class StrongestPaths(Record):
    path: Sequence[Path]
    count: int
    shown: int


class RankedPaths(Root, tag="ranked_paths"):
    groups: Groups
    paths: StrongestPaths
    emitted: float
    completion: str


def rank_paths_by_energy(top_n: int = 10, max_paths: int = 3) -> Answer:
    """
    Rank the paths of light by the power at their end, and group them by the surfaces they meet.

    A path leads from a source to a ray without successors. Powers are relative to the brightness of
    sources. The surfaces of a group are a path pattern for find_paths_xml.

    Args:
        top_n: How many groups to list, 1 to 1000.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.

    Returns:
        Root ranked_paths: the strongest groups, each with its total reflections, and lengths of its
        strongest path in all and inside each body; then the strongest path of each group, segment
        by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If top_n or max_paths is out of range.
    """
    check_count("top_n", top_n)
    check_count("max_paths", max_paths, least=0)
    context = require_context()
    result = light_of(context)
    write, ends = PathWriter(context, result), path_ends(result)
    groups = group_paths(result, ends)
    rays = write.ray_set(ends[:top_n], f"the {min(top_n, len(ends))} strongest paths")
    paths = write.paths(groups.strongest[:max_paths])
    root = RankedPaths(
        groups=write.groups(groups, top_n),
        paths=StrongestPaths(path=paths, count=len(groups), shown=len(paths)),
        emitted=result.ledger.emitted,
        completion=result.completion.text,
        context=context,
    )
    on = f"on the {top_n} strongest paths"
    words = rays_found(len(rays), f"is {on}", f"are {on}")
    if len(groups):
        power, emitted = float(groups.power[0]), result.ledger.emitted
        share = f" ({100 * power / emitted:.4g} % of the emitted)" if emitted > 0 else ""
        way, alike = way_in_words(write, int(groups.strongest[0])), equally_strong(groups.power)
        which = "the strongest" if alike == 1 else f"each of the {alike} strongest"
        way = (
            f"{which} of {number_of(len(groups), 'way')},"
            f" {'one of them ' if alike > 1 else ''}{way}"
            if len(groups) > 1
            else way
        )
        words = f"Power {in_words(power)}{share} takes {way}; {words}"
    return Answer(root, words, rays, details=SEGMENTS)


TOOL = AnalysisTool(
    function=rank_paths_by_energy,
    asks="rays on the {top_n} strongest paths",
    questions=(
        "Which are the strongest paths [light take]?",
        "Which are the {top_n} strongest paths?",
        "Which path does the light take [way route]?",
    ),
    power=True,
)
