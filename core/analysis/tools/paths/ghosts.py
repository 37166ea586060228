"""Which light is a ghost of partial reflections?"""

from __future__ import annotations

from core.analysis.answers.answer import Answer, element, listed
from core.analysis.answers.path_elements import PathWriter, check_count, light_of
from core.analysis.answers.words import in_words, rays_found
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.analysis.rays.ghosts import ghosts_at
from core.analysis.tools.tool import NO_PHRASES, AnalysisTool
from core.errors import RaybenchError, in_quotes
from core.scene.names import object_named


def find_ghosts(object_name: str, max_paths: int = 10) -> Answer:
    """
    Find ghosts: light that reaches a detector or screen after an even number of partial reflections at glass surfaces.

    Mirrors, beam splitters and total reflection are intended and do not count; a partial reflection at glass is not.

    Args:
        object_name: Name of the detector, screen or any other object that the light arrives at.
        max_paths: How many groups of ghosts to list, 1 to 1000.

    Returns:
        Root ghosts: the power that arrives in all, that of ghosts and their share, and the groups of ghosts by the
        surfaces they meet, each with its share of the arriving power and its number of partial reflections.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match an object that light can meet; the text says what exists.
    """
    check_count("max_paths", max_paths)
    context = require_context()
    obj = object_named(context.scene, object_name)
    index = next((i for i, o in enumerate(context.scene.optical) if o is obj), None)
    if index is None:
        raise RaybenchError(f"{in_quotes(object_name)} ({obj.type}) is nothing that light meets. Name a detector, a screen or a glass.")
    result = light_of(context)
    found, write = ghosts_at(result, context.scene, index), PathWriter(context, result)
    rays = write.ray_set(found.paths.ends, f"ghosts arriving at {in_quotes(obj.title)}")
    ghosts = [
        element(
            "ghost",
            rank=i + 1,
            surfaces=write.surfaces(int(found.paths.ends[found.paths.first[i]])),
            partial_reflections=int(found.extra[i]),
            paths=len(found.paths.group(i)),
            power=found.paths.power[i],
            share_of_arriving=found.paths.power[i] / found.arriving if found.arriving > 0 else None,
            strongest=result.segment_id(int(found.paths.ends[found.paths.first[i]])),
        )
        for i in range(min(max_paths, len(found.paths)))
    ]
    root = element(
        "ghosts",
        listed("ghost", ghosts),
        object=obj.title,
        arriving_power=found.arriving,
        ghost_power=found.power,
        ghost_share=found.share,
        odd_reflections_power=found.stray,
        groups=len(found.paths),
        shown=len(ghosts),
        **provenance(context),
    )
    where = f"to {in_words(object_name)}"
    return Answer(root, rays_found(len(rays), f"is on a ghost path {where}", f"are on ghost paths {where}"), rays)


TOOL = AnalysisTool(function=find_ghosts, asks="rays on ghost paths to {object_name}", phrases=NO_PHRASES)
