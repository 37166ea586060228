"""Which light meets certain surfaces, one after the other?"""

from __future__ import annotations

from core.analysis.answers.answer import Answer
from core.analysis.answers.path_elements import check_count, light_of, paths_element
from core.analysis.answers.words import in_words, rays_found
from core.analysis.context import require_context
from core.analysis.paths.path_search import find_paths as search
from core.analysis.tools.tool import NO_PHRASES, AnalysisTool


def find_paths(pattern: str, max_paths: int = 10) -> Answer:
    """
    Find light by the surfaces it meets one after the other, given as a path pattern.

    Steps are joined by ">" or "→": `Laser > Prism:N > Prism:E (tir) > Screen`. A step is an object, or object:edge; * and ? in names are
    wildcards; a step of its own, ? is any one surface and * any number of them; escape is light that meets nothing any more; a | b is
    either. Words in brackets say what happens at a step: reflect, refract, tir, lens, split, diffract, detect, custom, absorbed,
    truncated. Names with special characters stand in double quotation marks.

    Args:
        pattern: The path pattern, such as "Laser > * > Main Prism:N (tir) > * > Screen", where * is any number of surfaces, ? any one,
            and escape the end of light that meets nothing.
        max_paths: How many groups and how many single paths to list, 1 to 1000.

    Returns:
        Root paths: how many rays come to the pattern's end and with what power, the groups of whole paths from the
        source to there, then the strongest single ones, each segment by segment.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the pattern cannot be read or names what is not there; the text points at the character and lists what exists.
    """
    check_count("max_paths", max_paths)
    context = require_context()
    result = light_of(context)
    found = search(result, context.scene, pattern, context.user_labels)
    root = paths_element(context, result, found.ends, max_paths, "paths", pattern=pattern)
    words, rays = in_words(pattern), found.ray_set
    return Answer(root, rays_found(len(rays), f"follows {words}", f"are on paths that follow {words}"), rays)


TOOL = AnalysisTool(function=find_paths, asks="rays following {pattern}", phrases=NO_PHRASES)
