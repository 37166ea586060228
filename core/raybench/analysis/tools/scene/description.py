"""What is in the scene, where are the edges of glasses and mirrors, and which body is inside which?"""

from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import in_words, number_of
from raybench.analysis.context import require_context
from raybench.analysis.scene.describe import describe_edges as edges_answer
from raybench.analysis.scene.describe import describe_scene as scene_answer
from raybench.analysis.scene.describe import titles_of
from raybench.analysis.scene.surroundings import Nested, nesting
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.glasses import GlassBody
from raybench.optics.colour import GREEN
from raybench.optics.interface import check_wavelength
from raybench.scene.names import glass_named


def describe_edges(
    object_name: str = "", wavelength: float = GREEN, tolerance: float = 0.0
) -> Answer:
    """Describe the edges of a glass, mirror or group, or of all: labels, shape, ends, length,
    outward normal, and the media on both sides.

    Args:
        object_name: Name of a glass, a mirror or a group in the scene; empty for all glasses and
            mirrors.
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root edges: an object element for each, in it an edge element for each edge, and in that a
        part element for each part with the same media on both sides. For one object limit and
        offset count its edges; of several, each lists its first ones, and edges_left counts the
        others.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match; the message lists the existing names.
    """
    return edges_answer(require_context(), object_name, wavelength, tolerance)


EDGES = AnalysisTool(
    function=describe_edges,
    asks="edges of {object_name|all glasses and mirrors}",
    questions=(
        "What are the edges of {object_name:edged}?",
        "Which edges does {object_name:edged} have [surfaces labels]?",
        "What are the radii of curvature of {object_name:edged} [radius]?",
    ),
    fits=True,
    needs_light=False,
)


IN_WORDS = 3
"""Maximum number of nested bodies named in the sentence."""


class NestedBody(Record, tag="body"):
    name: str
    n: float | None
    inside: str | None
    overlaps: str | None
    effective_n: float | None


class Nesting(Root, tag="nesting"):
    body: Sequence[NestedBody]
    nested: int
    not_examined: int | None
    wavelength: float
    count: int


def nested_bodies(wavelength: float = GREEN, glass_name: str = "") -> Answer:
    """List which bodies are inside which, and their effective refractive index: where bodies
    overlap, indices are multiplied.

    Args:
        wavelength: Wavelength in nm for the indices; used only if the scene simulates colours.
        glass_name: Name of a glass to list only the bodies inside it; empty for all bodies.

    Returns:
        Root nesting: for each body its own index n, the bodies around all of it (inside, outermost
        first), those it shares a part with (overlaps), and its effective_n. Nested bodies come
        first; an index that varies is omitted. not_examined counts the bodies that were omitted, as
        too many overlap.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object (the message lists the existing names),
            or the wavelength is invalid.
    """
    check_wavelength(wavelength)
    context = require_context()
    around = glass_named(context.scene, glass_name) if glass_name else None
    examined = nesting(context.scene, context.disabled, wavelength)
    not_examined = sum(
        isinstance(o, GlassBody) and o.key not in context.disabled for o in context.scene.expanded
    ) - len(examined)
    bodies = [b for b in examined if around is None or around in b.inside]
    found = sorted(bodies, key=lambda b: (not b.inside, not b.overlapping))
    listing = [
        NestedBody(
            name=b.body.title,
            n=b.index,
            inside=titles_of(b.inside),
            overlaps=titles_of(b.overlapping),
            effective_n=b.effective,
        )
        for b in found
    ]
    nested = [b for b in found if b.inside]
    root = Nesting(
        body=listing,
        nested=len(nested),
        not_examined=not_examined or None,
        wavelength=wavelength,
        count=len(listing),
    )
    words = [_body_words(b) for b in nested[:IN_WORDS]]
    more = [f"{len(nested) - IN_WORDS} more bodies are nested"] if len(nested) > IN_WORDS else []
    if not_examined:
        more.append(f"too many overlap: {number_of(not_examined, 'body')} not examined")
    none = "No body is inside " + ("another" if around is None else in_words(around.title))
    return Answer(
        root, "; ".join(words + more) or none, complete_sentence=not nested and not not_examined
    )


def _body_words(b: Nested) -> str:
    index = f": effective index {in_words(b.effective)}" if b.effective is not None else ""
    return f"{in_words(b.body.title)} is inside {in_words(titles_of(b.inside))}{index}"


NESTED_BODIES = AnalysisTool(
    function=nested_bodies,
    asks="bodies inside bodies",
    questions=("Which bodies are inside which [nested other]?",),
    fits=True,
    needs_light=False,
)


def describe_scene(wavelength: float = GREEN, tolerance: float = 0.0) -> Answer:
    """Describe the scene: its settings, every object with its properties, size and refractive
    index, and which bodies touch.

    Start here: the other tools take the names in this answer.

    Args:
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is invalid.
    """
    return scene_answer(require_context(), wavelength, tolerance)


SCENE = AnalysisTool(
    function=describe_scene,
    asks="what is in the scene",
    questions=(
        "What is in the scene?",
        "Describe the scene [explain summarize].",
        "Which objects are there in the scene [exist]?",
    ),
    fits=True,
    needs_light=False,
    tells_trace=True,
)
