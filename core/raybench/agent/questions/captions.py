"""The texts of a drawing as names: the object that a text stands at, or that an arrow from the text
points to.
"""

import math
from collections.abc import Collection

from raybench.agent.questions.objects import (
    LENSES,
    SCREENS,
    SYSTEMS,
    Thing,
    noun_in,
    objects_for_noun,
    row_of_lens,
)
from raybench.kinds.decorations import LineArrow, TextLabel
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent, find_hit_at_point
from raybench.shapes.point import Point

LONGEST = 40
"""Maximum number of letters of a text that is a name and no sentence."""
BEGUN = 8
"""Number of letters from which the beginning of a text stands for it."""
LIKE = 84
"""Minimum similarity of a mistyped text, in percent."""
NEAR = 2.0
"""Maximum distance of an arrow from its text, in sizes of the letters."""


def captioned_things(words: str, document: Document) -> list[Thing]:
    """The objects or rows of lenses that texts of the drawing name, if some words are these texts
    or a long beginning of them.
    """
    from rapidfuzz import fuzz

    letters, found = _letters_of(words.replace("'s", "")), list[Thing | None]()
    for label in (o for o in document.scene.objects if isinstance(o, TextLabel)):
        if not 2 < len(text := _letters_of(label.text)) <= LONGEST:
            continue
        begun = len(letters) >= BEGUN and fuzz.ratio(letters, text[: len(letters)]) >= LIKE
        if letters == text or begun:
            if any(word[:6] in text for word in SYSTEMS):
                lens = _object_at(
                    label, [o for o in document.scene.objects if isinstance(o, LENSES)], document
                )
                found.append(row_of_lens(lens, document) if lens is not None else None)
                continue
            nouns = {noun_in(word) for word in words.split()} - {"", *SCREENS}
            named = [o for noun in nouns for o in objects_for_noun(noun, document)]
            found.append(_object_at(label, named or document.scene.optical, document))
    return list({thing.title: thing for thing in found if thing is not None}.values())


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))


def _object_at(
    label: TextLabel, objects: Collection[SceneObject], document: Document
) -> SceneObject | None:
    """That of some objects nearest to a text, or to the end of the arrow that begins at it."""
    scene, at = document.scene, Point(label.x, label.y)
    left, top, right, foot = drawn_extent(scene, label) or (*at, *at)
    reach = NEAR * label.font_size
    for arrow in scene.objects:
        if isinstance(arrow, LineArrow) and (arrow.arrow or arrow.back_arrow):
            start, end = (arrow.p1, arrow.p2) if arrow.arrow else (arrow.p2, arrow.p1)
            beside = max(left - start.x, start.x - right), max(top - start.y, start.y - foot)
            if math.hypot(*(max(d, 0) for d in beside)) <= reach:
                reach, at = math.hypot(*(max(d, 0) for d in beside)), end
    others = {o.key for o in scene.objects} - {o.key for o in objects}
    hit = find_hit_at_point(scene, at, math.inf, without={*others, *document.disabled})
    return next((o for o in scene.objects if hit is not None and o.key == hit.key), None)
