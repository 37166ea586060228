"""Which rays meet several conditions at once: where they are, what they meet, where they come from,
and how strong they are?
"""

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.straight import Mask, mask_of
from raybench.analysis.paths.paths import path_ends
from raybench.analysis.question import Question
from raybench.analysis.rays.incidence import rays_hitting
from raybench.analysis.rays.ranges import range_in_words
from raybench.analysis.rays.ray_facts import QUANTITIES, rays_in_range, rays_with_word
from raybench.analysis.rays.ray_queries import rays_crossing, rays_inside
from raybench.analysis.scene.objects import as_traced, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes
from raybench.scene.labels import edge_labelled
from raybench.scene.names import glass_named, object_named


def find_rays(
    inside: str = "",
    hits: str = "",
    crosses: str = "",
    edge: str = "",
    misses: str = "",
    source: str = "",
    interaction: str = "",
    status: str = "",
    min_power: float = 0.0,
    max_power: float = -1.0,
    min_wavelength: float = 0.0,
    max_wavelength: float = -1.0,
    min_dop: float = 0.0,
    max_dop: float = 1.0,
) -> Answer:
    """
    Find rays by several conditions at once; every condition that is given must hold.

    A ray is one straight segment of light. All bounds are included.

    Args:
        inside: Name of a glass that the ray's midpoint is inside.
        hits: Name of an object that the ray ends on.
        crosses: Name of a glass that the ray touches the outline of, at its start, on its way or at
            its end.
        edge: Label or index of an edge of the object in hits or crosses, if only this edge counts.
        misses: Name of an object that the light of the ray has not met by its end; without hits,
            only rays at which light ends count.
        source: Name of the source that the light comes from.
        interaction: How the ray began: source, reflect, refract, tir, lens, split, diffract,
            detect, grin or custom.
        status: How the ray ended: escaped, absorbed, truncated or continued, for example.
        min_power: Minimum power at the ray's start, relative to the brightness of sources.
        max_power: Maximum power at the ray's start; -1 for none.
        min_wavelength: Minimum wavelength in nm.
        max_wavelength: Maximum wavelength in nm; -1 for none.
        min_dop: Minimum degree of polarization (0-1).
        max_dop: Maximum degree of polarization (0-1).

    Returns:
        Root rays, with an element ray for each that matches.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a word or a range is invalid; the message lists those that exist.
    """
    context = require_context()
    scene, result = context.scene, context.result
    conditions: list[tuple[Mask, str]] = []
    if edge and bool(hits) == bool(crosses):
        raise RaybenchError(
            "edge needs either hits or crosses: the name of the object that the edge belongs to."
        )
    at_edge, label = "", None
    if edge:
        owner = object_named(scene, hits) if hits else glass_named(scene, crosses)
        label = edge_labelled(as_traced(owner, scene), edge, context.user_labels(owner))
        at_edge = f"edge {label.reference} of "
    if inside:
        body = glass_named(scene, inside)
        conditions.append((rays_inside(result, body), f"inside {in_words(body.title)}"))
    if hits:
        index = _object_index(context, hits)
        hitting = rays_hitting(result, scene, index, label.index if label else None)
        conditions.append((hitting, f"hitting {at_edge}{in_words(scene.optical[index].title)}"))
    if crosses:
        glass = glass_named(scene, crosses)
        crossing = rays_crossing(result, glass, label)
        conditions.append((crossing, f"crossing {at_edge}{in_words(glass.title)}"))
    if misses:
        index = _object_index(context, misses)
        hitting = rays_hitting(result, scene, index)
        missing = ~(hitting | result.lineage.below(hitting))
        path = f"a path that has not met {in_words(scene.optical[index].title)}"
        at_end = missing & mask_of(path_ends(result), len(result))
        conditions.append((missing, f"on {path}") if hits else (at_end, f"at the end of {path}"))
    if source:
        index, lamp = source_named(scene, source)
        conditions.append((result.source == index, f"from {in_words(lamp.title)}"))
    if interaction:
        noun = _INTERACTIONS.get(interaction.strip().lower(), interaction)
        conditions.append((rays_with_word(result, "interaction", interaction), f"due to {noun}"))
    if status:
        conditions.append((rays_with_word(result, "status", status), f"ending as {status}"))
    for quantity, low, high in (
        ("power", min_power, max_power),
        ("wavelength", min_wavelength, max_wavelength),
        ("dop", min_dop, max_dop),
    ):
        about = QUANTITIES[quantity]
        high = about.most if high == -1 else high
        if (low, high) != (0.0, about.most):
            bounds = range_in_words(low, high, 0.0, about.most, about.unit)
            within = rays_in_range(result, quantity, low, high)
            conditions.append((within, f"with a {about.name} of {bounds}"))
    found = np.ones(len(result), bool)
    for mask, _ in conditions:
        found &= mask
    what = " and ".join(words for _, words in conditions) or "in the scene"
    answer = rays_answer(context, found, f"is {what}", f"are {what}")
    if (min_wavelength, max_wavelength) == (0.0, -1.0) or scene.settings.simulate_colors:
        return answer
    why = "the scene does not simulate colours, so that no ray has a wavelength"
    return replace(answer, sentence=f"{answer.sentence}: {why}")


def _object_index(context: TracedScene, name: str) -> int:
    """The index of an object among the optical ones."""
    obj = object_named(context.scene, name)
    index = next((i for i, o in enumerate(context.scene.optical) if o is obj), None)
    if index is None:
        raise RaybenchError(f"{in_quotes(name)} ({obj.noun}) does not interact with light.")
    return index


_DEFAULTS = {name: p.default for name, p in inspect.signature(find_rays).parameters.items()}


_INTERACTIONS = {
    "reflect": "reflection", "refract": "refraction", "tir": "total reflection", "lens": "passing a lens", "split": "splitting",
    "diffract": "diffraction", "detect": "passing a detector", "source": "emission",
}  # fmt: skip
"""Interactions as nouns, for sentences."""
_IN_WORDS = {
    "inside": "inside", "hits": "that hit", "crosses": "that cross", "misses": "that miss", "source": "from",
    "interaction": "due to", "status": "that end", "edge": "at edge",
}  # fmt: skip


def _conditions_in_words(arguments: Mapping[str, Any]) -> str:
    given = {
        name: in_words(value) for name, value in arguments.items() if value != _DEFAULTS.get(name)
    }
    clauses = [
        f"{_IN_WORDS.get(name, 'with ' + name.replace('_', ' '))} {value}"
        for name, value in given.items()
    ]
    return f"rays {' '.join(clauses)}" if clauses else "all rays"


TOOL = AnalysisTool(
    function=find_rays,
    asks=_conditions_in_words,
    questions=(
        "Which rays reach {hits}?",
        "Which rays are inside {inside} stronger than {min_power} [power]?",
        "Which rays miss {misses}?",
        "Which rays do not reach {misses}?",
        "Which rays cross {crosses} [pass through go]?",
        "Which rays are from {source} [come emit]?",
        Question("Which rays escape [leave]?", {"status": "escaped"}),
        Question("Which rays are absorbed?", {"status": "absorbed"}),
        Question("Which rays are totally reflected [inside {inside}]?", {"interaction": "tir"}),
        Question("Which rays are reflected?", {"interaction": "reflect"}),
        Question("Which rays are refracted?", {"interaction": "refract"}),
        Question("Which rays are stronger than {min_power} [power]?"),
        "Which rays are weaker than {max_power} [power]?",
    ),
    limit=1000,
)
