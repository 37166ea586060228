"""Tools that find rays by conditions: where they are, what they meet, where they come from, how
strong they are.
"""

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.rays_xml import rays_answer
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.straight import Mask, rows_to_mask
from raybench.analysis.paths.paths import path_ends
from raybench.analysis.question import Question
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.incidence import rays_hitting, rays_near_critical_angle
from raybench.analysis.rays.ranges import range_in_words
from raybench.analysis.rays.ray_facts import QUANTITIES, rays_in_range, rays_with_word
from raybench.analysis.rays.ray_queries import (
    nearest_ray,
    rays_by_angle,
    rays_crossing,
    rays_inside,
    rays_through_region,
)
from raybench.analysis.scene.objects import object_as_traced, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes
from raybench.scene.labels import find_edge_by_label
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
        Root ``rays``, with one ``ray`` element for each match.

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
        label = find_edge_by_label(object_as_traced(owner, scene), edge, context.user_labels(owner))
        at_edge = f"edge {label.reference} of "
    if inside:
        body = glass_named(scene, inside)
        conditions.append((rays_inside(result, body), f"inside {value_in_words(body.title)}"))
    if hits:
        index = _object_index(context, hits)
        hitting = rays_hitting(result, scene, index, label.index if label else None)
        conditions.append(
            (hitting, f"hitting {at_edge}{value_in_words(scene.optical[index].title)}")
        )
    if crosses:
        glass = glass_named(scene, crosses)
        crossing = rays_crossing(result, glass, label)
        conditions.append((crossing, f"crossing {at_edge}{value_in_words(glass.title)}"))
    if misses:
        index = _object_index(context, misses)
        hitting = rays_hitting(result, scene, index)
        missing = ~(hitting | result.lineage.descendants_mask(hitting))
        path = f"a path that has not met {value_in_words(scene.optical[index].title)}"
        at_end = missing & rows_to_mask(path_ends(result), len(result))
        conditions.append((missing, f"on {path}") if hits else (at_end, f"at the end of {path}"))
    if source:
        index, lamp = source_named(scene, source)
        conditions.append((result.source == index, f"from {value_in_words(lamp.title)}"))
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
        name: value_in_words(value)
        for name, value in arguments.items()
        if value != _DEFAULTS.get(name)
    }
    clauses = [
        f"{_IN_WORDS.get(name, 'with ' + name.replace('_', ' '))} {value}"
        for name, value in given.items()
    ]
    return f"rays {' '.join(clauses)}" if clauses else "all rays"


FIND_RAYS = AnalysisTool(
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
    offered="always",
    brief=(
        "Find rays by conditions that all hold: their midpoint is inside a glass; they end on "
        "what hits names; they touch the outline of a glass that crosses names; both by the one "
        "edge given; light that misses an object; source; interaction by which they began "
        "(source, reflect, refract, tir, lens, split, diffract, detect, grin, custom, polarize); status "
        "of their end (escaped, absorbed, truncated, continued); bounds of power, wavelength "
        "and degree of polarization: min_power, max_power, min_wavelength, max_wavelength, "
        "min_dop, max_dop."
    ),
)


def find_rays_inside_glass(glass_name: str) -> Answer:
    """
    Find rays whose midpoint is inside a named glass object.

    Args:
        glass_name: Name of the glass object in the scene.

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object.
    """
    context = require_context()
    inside = rays_inside(context.result, glass_named(context.scene, glass_name))
    glass = value_in_words(glass_name)
    return rays_answer(context, inside, f"is inside {glass}", f"are inside {glass}")


INSIDE_GLASS = AnalysisTool(
    function=find_rays_inside_glass,
    asks="rays inside {glass_name}",
    questions=("Which rays are inside {glass_name}?",),
    limit=1000,
)


_WORDS = {
    "any": ("crosses", "cross"), "entering": ("enters through", "enter through"), "leaving": ("leaves through", "leave through"),
    "arriving": ("ends on", "end on"), "reflected": ("is reflected at", "are reflected at"),
}  # fmt: skip


def find_rays_crossing_edge(glass_name: str, edge_label: str, direction: str = "any") -> Answer:
    """
    Find rays that cross a specific edge of a named glass object, or start or end on it.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        direction: "any"; "entering" or "leaving" the glass there; "arriving", that end on the edge;
            "reflected", that start on it on the
            side that their light came from.

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name or edge_label doesn't match, or direction is none of these; the
            message lists those that exist.
    """
    context = require_context()
    crossing = rays_crossing(
        context.result, *context.find_glass_edge(glass_name, edge_label), direction
    )
    edge = f"edge {value_in_words(edge_label)} of {value_in_words(glass_name)}"
    one, many = _WORDS[direction]
    return rays_answer(context, crossing, f"{one} {edge}", f"{many} {edge}")


CROSSING_EDGE = AnalysisTool(
    function=find_rays_crossing_edge,
    asks="rays crossing edge {edge_label} of {glass_name}",
    questions=("Which rays cross edge {edge_label} of {glass_name} [meet reach hit through]?",),
    limit=1000,
)


def find_rays_by_angle_to_edge(
    glass_name: str,
    edge_label: str,
    min_angle: float = 0.0,
    max_angle: float = 90.0,
) -> Answer:
    """
    Find rays that touch a named glass edge at an angle within a range.

    Args:
        glass_name: Name of the glass object in the scene.
        edge_label: Label of the edge as seen on the canvas, such as "N" or "North Edge", or its
            index.
        min_angle: Minimum angle from the edge's normal in degrees, 0 is perpendicular to the edge.
        max_angle: Maximum angle from the edge's normal in degrees, 90 is along the edge.

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name, a label or the range is invalid; the message lists the existing
            names.
    """
    context = require_context()
    glass_edge = context.find_glass_edge(glass_name, edge_label)
    rays = rays_by_angle(context.result, *glass_edge, min_angle, max_angle)
    where = (
        f"edge {value_in_words(edge_label)} of {value_in_words(glass_name)} at {value_in_words(min_angle)}° to"
        f" {value_in_words(max_angle)}° from its normal"
    )
    return rays_answer(context, rays, f"meets {where}", f"meet {where}")


BY_ANGLE = AnalysisTool(
    function=find_rays_by_angle_to_edge,
    asks="rays at {min_angle}° to {max_angle}° to edge {edge_label} of {glass_name}",
    questions=(
        "Which rays meet edge {edge_label} of {glass_name} at more than {min_angle} [angle cross reach]?",
        "At what angle do rays meet edge {edge_label} of {glass_name}?",
    ),
    limit=1000,
)


def find_rays_by_polarization(
    min_dop: float = 0.0,
    max_dop: float = 1.0,
) -> Answer:
    """
    Filter rays by degree of polarization.

    Args:
        min_dop: Minimum degree of polarization (0-1).
        max_dop: Maximum degree of polarization (0-1).

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the range is invalid.
    """
    context = require_context()
    rays = rays_in_range(context.result, "dop", min_dop, max_dop)
    degree = f"a degree of polarization of {value_in_words(min_dop)} to {value_in_words(max_dop)}"
    return rays_answer(context, rays, f"has {degree}", f"have {degree}")


BY_POLARIZATION = AnalysisTool(
    function=find_rays_by_polarization,
    asks="rays polarized by {min_dop} to {max_dop}",
    questions=(
        Question("Which rays are polarized?", {"min_dop": 0.5}),
        Question("Which rays are unpolarized?", {"max_dop": 0.1}),
    ),
    limit=1000,
)


def find_rays_near_critical_angle(within: float = 5.0) -> Answer:
    """Find rays that meet glass near the critical angle, on either side of it, the nearest first.

    Those below it are refracted, those above it totally reflected: causes_tir tells which. For
    light that enters the denser medium, where there is no critical angle, grazing incidence (90
    degrees) counts instead.

    Args:
        within: Largest distance from the critical angle, in degrees, 0 to 90.

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If within is out of range.
    """
    context = require_context()
    rows, margin = rays_near_critical_angle(
        fill_hit_columns(context.result, context.scene, context.disabled),
        context.scene,
        within,
        context.disabled,
    )
    where = f"glass within {value_in_words(within)}° of its critical angle"
    answer = rays_answer(context, rows, f"meets {where}", f"meet {where}", in_order=True)
    if not len(rows):
        return answer
    above = int(np.count_nonzero(margin > 0))
    sides = [
        f"{count} {side}"
        for count, side in (
            (len(rows) - above, "below it, refracted"),
            (above, "above it, totally reflected"),
        )
        if count
    ]
    nearest = f"{abs(margin[0]):.3g}° {'above' if margin[0] > 0 else 'below'}"
    return replace(answer, sentence=f"{answer.sentence}: {'; '.join(sides)}; nearest {nearest}")


NEAR_CRITICAL = AnalysisTool(
    function=find_rays_near_critical_angle,
    asks="rays within {within}° of the critical angle",
    questions=(
        "Which rays are near the critical angle [close nearly almost]?",
        "Which rays are within {within} of the critical angle?",
    ),
)


def find_nearest_ray(x: float, y: float) -> Answer:
    """
    Find the ray that comes nearest to a point. Rays that escape go on to infinity.

    Args:
        x: The point, scene units.
        y: The point, scene units, y down.

    Returns:
        Root ``rays``, with one ``ray`` element; ray_path_xml gives its path.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a coordinate is not finite.
    """
    context = require_context()
    if not len(context.result):
        return rays_answer(context, np.empty(0, np.int64), "is nearest", "are nearest")
    row, distance = nearest_ray(context.result, x, y)
    where = (
        f"nearest to ({value_in_words(x)}, {value_in_words(y)}), at a distance of {value_in_words(distance)}"
        f" {context.unit}"
    )
    return rays_answer(context, np.array([row]), f"is {where}", f"are {where}")


NEAREST = AnalysisTool(
    function=find_nearest_ray,
    asks="the ray nearest to ({x}, {y})",
    questions=("Which ray is nearest to ({x}, {y}) [closest]?",),
)


def find_rays_through_region(x: float, y: float, width: float, height: float) -> Answer:
    """
    Find rays that pass an upright rectangle, its border included.

    Args:
        x: Left side of the rectangle, scene units.
        y: Its upper side, scene units, y down.
        width: Its width, scene units; 0 for a vertical line.
        height: Its height, scene units; 0 for a horizontal line.

    Returns:
        Root ``rays``, with one ``ray`` element for each match.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a number is not finite or a size is negative.
    """
    context = require_context()
    rays = rays_through_region(context.result, x, y, width, height)
    where = (
        f"the region from ({value_in_words(x)}, {value_in_words(y)}), {value_in_words(width)} wide and"
        f" {value_in_words(height)} high"
    )
    return rays_answer(context, rays, f"passes {where}", f"pass {where}")


THROUGH_REGION = AnalysisTool(
    function=find_rays_through_region,
    asks="rays through the region at ({x}, {y}), {width} × {height}",
    questions=(
        "Which rays pass the region at ({x}, {y}) of width {width} and height {height} [rectangle box area]?",
    ),
)
