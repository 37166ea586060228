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
from raybench.kinds.sources import Source
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

    letters = _letters_of(words.replace("'s", ""))
    texts = [(o, _letters_of(o.text)) for o in document.scene.objects if isinstance(o, TextLabel)]
    named = [(o, text) for o, text in texts if text in (letters, f"{letters}s") and len(text) > 2]
    if not named and len(letters) >= BEGUN:
        begun = ((o, text) for o, text in texts if len(text) <= LONGEST)
        named = [(o, t) for o, t in begun if fuzz.ratio(letters, t[: len(letters)]) >= LIKE]
    found = (_thing_at(label, text, words, document) for label, text in named)
    return list({thing.title: thing for thing in found if thing is not None}.values())


def _thing_at(label: TextLabel, text: str, words: str, document: Document) -> Thing | None:
    """The object or row of lenses at a text, of the kind that some words say."""
    if any(word[:6] in text for word in SYSTEMS):
        lenses = [o for o in document.scene.objects if isinstance(o, LENSES)]
        lens = _object_at(label, lenses, document)
        return row_of_lens(lens, document) if lens is not None else None
    nouns = {noun_in(word) for word in words.split()} - {"", *SCREENS}
    named = [o for noun in nouns for o in objects_for_noun(noun, document)]
    if not named and noun_in(words) in SCREENS:
        named = [o for o in document.scene.optical if not isinstance(o, Source)]
    return _object_at(label, named or document.scene.optical, document)


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))


def _object_at(
    label: TextLabel, objects: Collection[SceneObject], document: Document
) -> SceneObject | None:
    """That of some objects nearest to a text, or to the end of the arrow that begins at it."""
    scene, at = document.scene, Point(label.x, label.y - label.font_size / 2)
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
