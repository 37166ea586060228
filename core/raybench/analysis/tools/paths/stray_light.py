"""Tools for stray light: ghosts by partial reflections, and light trapped by total reflection."""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.path_elements import PathWriter, trace_with_hit_columns
from raybench.analysis.answers.record import Positive, RayId, Record, Root, Share, ratio
from raybench.analysis.answers.words import count_with_noun, rays_found_sentence, value_in_words
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import Rows, rows_to_mask
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.paths.paths import path_step_codes, rows_on_paths
from raybench.analysis.rays.stray_light import (
    TirTraps,
    find_total_reflection_traps,
    ghost_rays_at_object,
)
from raybench.analysis.scene.objects import list_names, optical_object_named
from raybench.analysis.tools.tool import AnalysisTool, Count
from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.lineage import dense_ranks
from raybench.trace.results.result import TraceResult

RECEIVERS = (Detector, Blocker, CircleBlocker)
"""Kinds of objects that are meant to receive light; ghosts are reported for these only."""


class Ghost(Record, tag="ghost"):
    rank: Positive
    surfaces: str
    partial_reflections: Positive
    paths: Positive
    power: float
    share_of_arriving: Share | None
    strongest: RayId


class Ghosts(Root, tag="ghosts"):
    ghost: Sequence[Ghost]
    object: str
    arriving_power: float
    ghost_power: float
    ghost_share: Share
    odd_reflections_power: float
    groups: int
    shown: int


def find_ghosts(object_name: str, max_paths: Count = 10) -> Answer:
    """Find ghosts: light that reaches a detector or screen after an even number of partial
    reflections at glass surfaces.

    Mirrors, beam splitters and total reflection are intended and do not count; a partial reflection
    at glass is not.

    Args:
        object_name: Name of the detector, or of the blocker that serves as a screen, that the light
            arrives at.
        max_paths: How many groups of ghosts to list at most, 1 to 1000; fewer if they do not fit on
            a page.

    Returns:
        Root ghosts: the total arriving power, that of ghosts and its fraction, and the groups of
        ghosts by the surfaces they meet, each with its fraction of the arriving power and its
        number of partial reflections.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match a detector or blocker; the message lists the
            existing names.
    """
    context = require_context()
    index, obj = optical_object_named(context.scene, object_name)
    if not isinstance(obj, RECEIVERS):
        receivers = list_names([o.title for o in context.scene.optical if isinstance(o, RECEIVERS)])
        raise RaybenchError(
            f"{in_quotes(object_name)} ({obj.noun}) does not receive light: it passes it on, so"
            " that ghosts at it mean nothing. Name a detector, or a blocker used as a screen:"
            f" {receivers}"
        )
    result = trace_with_hit_columns(context)
    ghosts, write = ghost_rays_at_object(result, context.scene, index), PathWriter(context, result)
    paths = ghosts.paths
    rays = write.ray_set(paths.ends)

    def ghost_record(index: int) -> Ghost:
        end = int(paths.strongest_ends[index])
        surfaces = write.path_pattern(end)
        return Ghost(
            rank=index + 1,
            surfaces=surfaces,
            partial_reflections=int(ghosts.extra[index]),
            paths=len(paths.ends_in_group(index)),
            power=paths.power[index],
            share_of_arriving=ratio(paths.power[index], ghosts.arriving),
            strongest=result.segment_id(end),
        ).link_to_rays(
            lambda: rows_on_paths(result, paths.ends_in_group(index)),
            str(Expression("path_power", (surfaces,))),
        )

    listing = LazySequence.map_each(ghost_record, range(len(paths)))
    root = Ghosts(
        ghost=listing,
        object=obj.title,
        arriving_power=ghosts.arriving,
        ghost_power=ghosts.power,
        ghost_share=ghosts.fraction,
        odd_reflections_power=ghosts.stray,
        groups=len(paths),
        shown=len(listing),
    )
    if not listing:
        return Answer(root, f"No ghost reaches {value_in_words(obj.title)}", rays)
    share = f"{100 * ghosts.fraction:.4g} % of the power that arrives there"
    sentence = (
        f"Ghosts of power {power_in_words(ghosts.power)} reach {value_in_words(obj.title)} ({share}), in"
        f" {count_with_noun(len(paths), 'way')};"
        f" {rays_found_sentence(len(rays), 'is on their paths', 'are on their paths')}; the strongest has"
        f" power {power_in_words(paths.power[0])}"
    )
    return Answer(root, sentence, rays)


GHOSTS = AnalysisTool(
    function=find_ghosts,
    asks="rays on ghost paths to {object_name}",
    questions=(
        "Which ghosts reach {object_name:screen}?",
        "How strong are the ghosts on {object_name:screen}?",
    ),
    limits={"ghost": "max_paths"},
    fits=True,
    power=True,
    offered="usually",
    brief=(
        "Find ghosts: light on a detector or blocker after an even number of partial "
        "reflections at glass, at most max_paths groups."
    ),
)


class Trap(Record, tag="trap"):
    """Chains of total reflections that meet the same surfaces."""

    chains: Positive
    tir_count: Positive
    max_tir_count_in_lineage: Positive
    energy_at_entry: float
    energy_at_exit: float
    escaped: bool
    escaped_energy: float
    exit_types: str
    surfaces: str
    entry: RayId
    last: RayId


class TirTrapList(Root, tag="tir_traps"):
    trap: Sequence[Trap]
    min_tir_count: Positive
    total_reflections: int
    chains: int
    never_escaping: int
    power_never_escaping: float
    count: int


def detect_tir_traps(min_tir_count: Count = 2) -> Answer:
    """Find light trapped by total internal reflection: rays that are totally reflected several
    times in a row.

    Chains of rays that met the same surfaces are grouped. Single total reflections are counted in
    total_reflections; tir_analysis_xml lists where they are.

    Args:
        min_tir_count: Minimum number of consecutive total reflections, 1 to 1000.

    Returns:
        Root tir_traps: the chains grouped by their surfaces, the strongest first: their number,
        of total reflections in a row and on the whole path, the power at both ends, the power that
        leaves them other than by reflection, how they end, and the first chain's rays. A partial
        reflection alone is not an escape.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a number is out of range.
    """
    context = require_context()
    result = trace_with_hit_columns(context)
    traps, write = find_total_reflection_traps(result, min_tir_count), PathWriter(context, result)
    chains = rows_to_mask(traps.last, len(result))
    all_reflected = result.interaction == Interaction.TIR
    rays = result.ray_set(all_reflected & (chains | result.lineage.ancestors_mask(chains)))
    held = ~traps.escaped
    total, power_held = int(all_reflected.sum()), float(traps.power_out[held].sum())
    listing = LazySequence.map_each(
        lambda members: _trap_record(result, traps, members, write),
        _group_reflection_chains(result, traps),
    )
    root = TirTrapList(
        trap=listing,
        min_tir_count=min_tir_count,
        total_reflections=total,
        chains=len(traps),
        never_escaping=int(held.sum()),
        power_never_escaping=power_held,
        count=len(listing),
    )
    of_several = f"of {min_tir_count} or more total reflections"
    words = rays_found_sentence(
        len(rays), f"is in a chain {of_several}", f"are in chains {of_several}"
    )
    if len(rays):
        words += (
            f": {count_with_noun(len(traps), 'chain')}; of the power at their ends,"
            f" {power_in_words(power_held)} is not refracted out"
        )
    elif total:
        verb = "is" if total == 1 else "are"
        words += f"; there {verb} {count_with_noun(total, 'total reflection')} in all"
    return Answer(root, words, rays)


def _group_reflection_chains(result: TraceResult, traps: TirTraps) -> list[Rows]:
    """Group the chains that meet the same surfaces and end in the same way, as indices into
    ``traps``. The group with the most power at the end of its chains comes first.
    """
    if not len(traps):
        return []
    path = dense_ranks(result.lineage.path_classes(path_step_codes(result))[traps.last])
    kind = dense_ranks((path * len(Status) + result.status[traps.last]) * 2 + traps.escaped)
    _, first = np.unique(kind, return_index=True)
    groups = [np.flatnonzero(kind == kind[k]) for k in sorted(first.tolist())]
    return sorted(groups, key=lambda members: -float(traps.power_out[members].sum()))


def _trap_record(result: TraceResult, traps: TirTraps, members: Rows, write: PathWriter) -> Trap:
    i = int(members[0])
    last = int(traps.last[i])
    ends = " ".join(result.segments[c].interaction for c in result.lineage.children(last).tolist())
    return Trap(
        chains=len(members),
        tir_count=int(traps.count[i]),
        max_tir_count_in_lineage=int(traps.total[i]),
        energy_at_entry=float(traps.power_in[members].sum()),
        energy_at_exit=float(traps.power_out[members].sum()),
        escaped=bool(traps.escaped[i]),
        escaped_energy=float(traps.leaked[members].sum()),
        exit_types=ends or Status(result.status[last]).word,
        surfaces=write.path_pattern(last),
        entry=result.segment_id(int(traps.entry[i])),
        last=result.segment_id(last),
    ).link_to_rays(lambda: rows_on_paths(result, traps.last[members]))


TIR_TRAPS = AnalysisTool(
    function=detect_tir_traps,
    asks="rays in chains of {min_tir_count} or more total reflections",
    questions=(
        "Which light is trapped by total reflection?",
        "Which light is trapped?",
    ),
    fits=True,
    power=True,
)
