"""Which light is trapped by total reflection?"""

from __future__ import annotations

import numpy as np

from core.analysis.answers.answer import Answer, element, listed
from core.analysis.answers.path_elements import PathWriter, check_count, light_of
from core.analysis.answers.words import rays_found
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.analysis.rays.ray_facts import word_of
from core.analysis.rays.tir_traps import tir_traps
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.trace.codes import Interaction, Status
from core.trace.results.result import RaySet

SHOWN = 50
"""Maximum number of traps listed in an answer."""


def detect_tir_traps(min_tir_count: int = 2) -> Answer:
    """
    Find light trapped by total internal reflection: rays that are totally reflected several times in a row.

    Args:
        min_tir_count: Minimum number of consecutive total reflections, 1 to 1000.

    Returns:
        Root tir_traps: the longest chains first, each with its first and last ray, the surfaces on its path, the power
        at both ends, and the power that leaves it other than by reflection. A partial reflection alone is not an escape.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If min_tir_count is not a whole number from 1 to 1000.
    """
    check_count("min_tir_count", min_tir_count)
    context = require_context()
    result = light_of(context)
    traps, write = tir_traps(result, min_tir_count), PathWriter(context, result)
    chains = np.zeros(len(result), bool)
    chains[traps.last] = True
    trapped = (result.interaction == Interaction.TIR) & (chains | result.lineage.above(chains))
    rays = RaySet(np.flatnonzero(trapped), f"rays in chains of {min_tir_count} or more total reflections", result.revision)
    listing = [
        element(
            "trap",
            entry=result.segment_id(int(traps.entry[i])),
            last=result.segment_id(int(traps.last[i])),
            tir_count=int(traps.count[i]),
            max_tir_count_in_lineage=int(traps.total[i]),
            energy_at_entry=traps.power_in[i],
            energy_at_exit=traps.power_out[i],
            escaped=bool(traps.escaped[i]),
            escaped_energy=traps.leaked[i],
            exit_types=" ".join(result.segments[c].interaction for c in result.lineage.children(int(traps.last[i])).tolist())
            or word_of(Status(result.status[traps.last[i]])),
            surfaces=write.surfaces(int(traps.last[i])),
        )
        for i in range(min(SHOWN, len(traps)))
    ]
    held = ~traps.escaped
    root = element(
        "tir_traps",
        listed("trap", listing),
        min_tir_count=min_tir_count,
        count=len(traps),
        shown=len(listing),
        never_escaping=int(held.sum()),
        power_never_escaping=float(traps.power_out[held].sum()),
        **provenance(context),
    )
    chains_in_words = f"of {min_tir_count} or more total reflections"
    return Answer(root, rays_found(len(rays), f"is in a chain {chains_in_words}", f"are in chains {chains_in_words}"), rays)


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    return said.whole({}) if said.take(r"trapped(?: (?:light|rays))?(?: by total (?:internal )?reflection)?") else None


TOOL = AnalysisTool(function=detect_tir_traps, asks="rays in chains of {min_tir_count} or more total reflections", phrases=_understood)
