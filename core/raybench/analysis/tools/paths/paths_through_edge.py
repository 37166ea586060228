"""Which paths through an edge of a glass are brightest?"""

from __future__ import annotations

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.path_elements import (
    SEGMENTS,
    FoundPaths,
    PathWriter,
    found_paths,
    light_of,
    paths_found,
)
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.paths.paths import path_ends
from raybench.analysis.rays.ranges import check_range
from raybench.analysis.rays.ray_queries import rays_through
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import in_quotes


class BrightPaths(FoundPaths, tag="bright_paths"):
    glass: str
    edge: str
    min_energy: float


def find_bright_paths_through_edge(
    glass_name: str,
    edge_label: str,
    min_energy: float = 0.0,
    max_paths: int = 3,
    max_groups: int = 10,
) -> Answer:
    """Find the strongest paths of light that goes through an edge of a named glass, into it or out
    of it.

    Light that is only reflected at the edge does not count. A path ends where light ends; its
    energy is the power at its end.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        min_energy: Minimum power at the end of a path, relative to the brightness of sources.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.
        max_groups: How many groups of paths to list, 1 to 1000.

    Returns:
        Root bright_paths: number and power of the paths, their groups by the surfaces they meet,
        each with its total reflections and lengths inside each body, then the strongest path of
        each group, segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match, or a number is out of range; the
            message lists the existing names.
    """
    check_count("max_paths", max_paths, least=0)
    check_count("max_groups", max_groups)
    check_range(
        min_energy,
        np.inf,
        ("min_energy", "infinity"),
        "power, relative to the brightness of sources",
    )
    context = require_context()
    glass, edge = context.glass_edge(glass_name, edge_label)
    result = light_of(context)
    through = np.zeros(len(result), bool)
    through[rays_through(result, glass, edge).rows] = True
    after_edge = through | result.lineage.below(through)
    ends = path_ends(result)
    ends = ends[after_edge[ends] & (result.total_arriving_power[ends] >= min_energy)]
    question = (
        f"paths through edge {edge.reference} of {in_quotes(glass.title)} with a power of"
        f" {min_energy:g} or more"
    )
    rays = PathWriter(context, result).ray_set(ends, question)
    found = found_paths(context, result, ends, (max_groups, max_paths))
    root = BrightPaths(glass=glass.title, edge=edge.title, min_energy=min_energy, **found)
    where, least = (
        f"through edge {in_words(edge_label)} of {in_words(glass_name)}",
        f"with {in_words(min_energy)} or more",
    )
    sentence = paths_found(
        context, result, ends, rays, f"goes {where} and ends {least}", f"go {where} and end {least}"
    )
    return Answer(root, sentence, rays, details=SEGMENTS)


TOOL = AnalysisTool(
    function=find_bright_paths_through_edge,
    asks=(
        "rays on paths through edge {edge_label} of {glass_name} that end with {min_energy} or more"
    ),
    questions=("Which are the brightest paths through edge {edge_label} of {glass_name}?",),
    power=True,
)
