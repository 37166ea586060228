"""Which light meets certain surfaces, one after the other?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.path_elements import (
    SEGMENTS,
    FoundPaths,
    found_paths,
    light_of,
    paths_found,
)
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.paths.path_search import find_paths as search
from raybench.analysis.paths.path_search import hint_of_passing
from raybench.analysis.tools.tool import AnalysisTool


class Paths(FoundPaths, tag="paths"):
    pattern: str
    hint: str | None


def find_paths(pattern: str, max_paths: int = 3, max_groups: int = 10) -> Answer:
    """
    Find light by the sequence of surfaces it meets, given as a path pattern.

    Steps are joined by ">" or "→": `Laser > Prism:N > Prism:E (tir) > Screen`. A step is an object,
    or object:edge; * and ? in names are wildcards; as a step, ? is any one surface and * any number
    of them, also none; escape is light that leaves the scene; a | b is either. Words in parentheses
    select what happens at a step: reflect, refract, tir, lens, split (split transmitted, split
    reflected), diffract (diffract -1 for that order), detect, custom, absorbed, truncated; and
    through: light passes the step, by the opening of an aperture (Laser > Iris (through) > Screen),
    past what does not act on it, or into a body and out again by any way inside it. Mirror:N is the
    side that faces N. Names with special characters must be in double quotation marks.

    Args:
        pattern: The path pattern, such as "Laser > * > Main Prism:N (tir) > * > Screen", where * is
            any number of surfaces, ? any one,
            and escape the end of light that leaves the scene.
        max_paths: How many groups to list the strongest path of, segment by segment; 0 for none, at
            most 1000.
        max_groups: How many groups of paths to list, 1 to 1000.

    Returns:
        Root paths: number and power of the rays that reach the pattern's end; the groups of their
        complete paths from the source by the surfaces they meet, each with its total reflections,
        and lengths of its strongest path in all and inside each body; then the strongest path of
        each group, segment by segment. If nothing is found, a hint where light passes a step
        without being acted on.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the pattern is invalid or a name is unknown; the message gives the position
            and lists the existing names.
    """
    check_count("max_paths", max_paths, least=0)
    check_count("max_groups", max_groups)
    context = require_context()
    result = light_of(context)
    matches = search(result, context.scene, pattern, context.user_labels)
    hint = (
        None
        if len(matches)
        else hint_of_passing(result, context.scene, pattern, context.user_labels)
    )
    found = found_paths(context, result, matches.ends, (max_groups, max_paths))
    root = Paths(pattern=pattern, hint=hint, **found)
    words, rays = in_words(pattern), matches.ray_set
    return Answer(
        root,
        paths_found(context, result, matches.ends, rays, f"follows {words}", f"follow {words}"),
        rays,
        details=SEGMENTS,
    )


TOOL = AnalysisTool(
    function=find_paths,
    asks="rays following {pattern}",
    questions=("Which rays follow {pattern} [path go take]?",),
    power=True,
)
