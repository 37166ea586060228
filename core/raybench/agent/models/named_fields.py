"""Fields of objects that words name, and numbers in their units."""

from __future__ import annotations

import math
import re

from raybench.analysis.tools.phrases import Open
from raybench.kinds.fields import Field, fields_of
from raybench.kinds.object import SceneObject
from raybench.presets.preset import Preset
from raybench.scene.changes.quantity import InvalidQuantity, quantity, with_unit
from raybench.scene.document import Document


def number(text: str, unit: str, document: Document) -> float:
    """A number in a field's unit. Raises Open."""
    try:
        text = re.sub(r"(?<=\d) ?(?:degrees?|°)$", " deg", text)
        return quantity(
            re.sub(r" ?(?:lines?|grooves?)? ?(?:per|/) ?mm$", "/mm", text), unit, document.unit
        )
    except InvalidQuantity as error:
        raise Open(f"“{text}” {error}.") from None


def in_words(text: str, document: Document) -> str:
    """A text with fields as studies write them, ``Grating.lineDensity``, in words: lineDensity of
    Grating.
    """
    titles = {o.title: o for o in document.scene.objects if f"{o.title.lower()}." in text.lower()}
    for title in sorted(titles, key=len, reverse=True):
        names = "|".join(re.escape(f.json_name) for f in fields_of(type(titles[title])))
        text = re.sub(
            rf"(?<!\w)({re.escape(title)})\.({names})(?![\w.\[])",
            r"\2 of \1",
            text,
            flags=re.IGNORECASE,
        )
    return text


def has_field(obj: SceneObject, words: str) -> bool:
    """Whether words refer to one field of an object."""
    try:
        field_of(obj, words)
    except Open:
        return False
    return True


def field_of(obj: SceneObject | Preset, words: str) -> Field:
    """The field of an object or a preset that words refer to: by its label, a part of the label, or
    its name in files. Raises Open.
    """
    fields = [
        f
        for f in fields_of(type(obj))
        if f.about.kind in ("number", "limit", "coordinate") and not f.about.unused
    ]
    exact = [
        f for f in fields if words in (f.about.label.lower(), f.json_name.lower(), *f.about.words)
    ]
    part = [
        f for f in fields if set(words.split()) <= set(re.findall(r"\w+", f.about.label.lower()))
    ]
    if len(candidates := exact or part) == 1:
        return candidates[0]
    title = obj.label if isinstance(obj, Preset) else obj.title
    known = ", ".join(
        (
            f"{f.about.label.lower()} ({with_unit(value, f.about.unit, '').strip()})"
            if isinstance(value := getattr(obj, f.name), float) and math.isfinite(value)
            else f.about.label.lower()
        )
        for f in fields
    )
    which = (
        f"Which {words} of {title}?"
        if candidates
        else f"{title} has no {words} that can be set in words."
    )
    raise Open(f"{which} It has: {known}." if known else which)
