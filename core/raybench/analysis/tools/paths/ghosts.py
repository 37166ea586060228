"""Which light is a ghost of partial reflections?"""

from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.path_elements import PathWriter, light_of
from raybench.analysis.answers.record import Positive, RayId, Record, Root, Share, ratio
from raybench.analysis.answers.words import in_words, number_of, rays_found
from raybench.analysis.context import require_context
from raybench.analysis.rays.stray_light import ghosts_at
from raybench.analysis.scene.objects import met_named, names_listed
from raybench.analysis.tools.tool import AnalysisTool, Count
from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.detectors import Detector

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
    index, obj = met_named(context.scene, object_name)
    if not isinstance(obj, RECEIVERS):
        receivers = names_listed(
            [o.title for o in context.scene.optical if isinstance(o, RECEIVERS)]
        )
        raise RaybenchError(
            f"{in_quotes(object_name)} ({obj.noun}) does not receive light: it passes it on, so"
            " that ghosts at it mean nothing. Name a detector, or a blocker used as a screen:"
            f" {receivers}"
        )
    result = light_of(context)
    ghosts, write = ghosts_at(result, context.scene, index), PathWriter(context, result)
    paths = ghosts.paths
    rays = write.ray_set(paths.ends)
    listing = [
        Ghost(
            rank=i + 1,
            surfaces=write.surfaces(end),
            partial_reflections=int(ghosts.extra[i]),
            paths=len(paths.group(i)),
            power=paths.power[i],
            share_of_arriving=ratio(paths.power[i], ghosts.arriving),
            strongest=result.segment_id(end),
        )
        for i, end in enumerate(paths.strongest[:max_paths].tolist())
    ]
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
        return Answer(root, f"No ghost reaches {in_words(obj.title)}", rays)
    share = f"{100 * ghosts.fraction:.4g} % of the power that arrives there"
    sentence = (
        f"Ghosts of power {in_words(ghosts.power)} reach {in_words(obj.title)} ({share}), in"
        f" {number_of(len(paths), 'way')};"
        f" {rays_found(len(rays), 'is on their paths', 'are on their paths')}; the strongest, of"
        f" power {in_words(paths.power[0])}, takes {listing[0].surfaces}"
    )
    return Answer(root, sentence, rays)


TOOL = AnalysisTool(
    function=find_ghosts,
    asks="rays on ghost paths to {object_name}",
    questions=(
        "Which ghosts reach {object_name:screen}?",
        "How strong are the ghosts on {object_name:screen}?",
    ),
    fits=True,
    power=True,
)
