"""Nouns of objects that a question does not name: the lens, both mirrors; and the object that is meant without any noun."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.analysis.tools.fillers import FILLERS
from core.analysis.tools.unclear import Unclear
from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.detectors import Detector
from core.kinds.glasses import GlassBody
from core.kinds.gratings import Grating
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.mirrors import BeamSplitter, CurveMirror, ParamMirror, Reflector
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.sources import Source
from core.scene.document import Document


@dataclass(frozen=True)
class Noun:
    """A noun for objects of some ``kinds``: alone it means the only object of one of them, the first kind that the scene has.

    ``acting``: without a noun, where the scene has none of them, the only object that changes the direction of light is meant.
    """

    kinds: tuple[type[SceneObject], ...]
    acting: bool = False


_LENS = Noun((IdealLens, SphericalLens, GlassBody), acting=True)
_PRISM = Noun((GlassBody,), acting=True)
_GLASS, _MIRROR, _SPLITTER = Noun((GlassBody,)), Noun((Reflector, CurveMirror, ParamMirror)), Noun((BeamSplitter,))
_DETECTOR, _GRATING, _SOURCE = Noun((Detector,)), Noun((Grating,)), Noun((Source,))
_BLOCKER, _APERTURE = Noun((Blocker, CircleBlocker)), Noun((Aperture,))
NOUNS: Mapping[str, Noun] = MappingProxyType(
    {
        "glass": _GLASS, "prism": _PRISM, "wedge": _GLASS, "lens": _LENS, "mirror": _MIRROR, "splitter": _SPLITTER,
        "screen": _DETECTOR, "detector": _DETECTOR, "camera": _DETECTOR, "sensor": _DETECTOR, "grating": _GRATING,
        "source": _SOURCE, "laser": _SOURCE, "lamp": _SOURCE, "beam": _SOURCE, "blocker": _BLOCKER, "baffle": _BLOCKER,
        "wall": _BLOCKER, "aperture": _APERTURE, "iris": _APERTURE, "stop": _APERTURE, "pinhole": _APERTURE,
    }
)  # fmt: skip
"""The nouns by word."""


COMPOUNDS: Mapping[str, str] = MappingProxyType(
    {"beam splitter": "splitter", "beam-splitter": "splitter", "beamsplitter": "splitter", "light source": "source", "laser beam": "laser"}
)
"""Nouns of several words, by the noun that has their meaning."""


@dataclass(frozen=True)
class Every:
    """All objects of a noun, as in "all sources"."""

    noun: str
    objects: tuple[SceneObject, ...]


def of_noun(noun: str, document: Document) -> Sequence[SceneObject]:
    """The objects of a noun's kinds, in order."""
    return [o for o in document.scene.objects if isinstance(o, NOUNS[noun].kinds)]


def every(noun: str, document: Document, both: bool) -> Every | Unclear:
    """All objects of a noun, or ``both`` if there are two: of its kinds.

    Where bodies of glass are among these, those of another kind or with the noun in their name are meant, if there are any.
    """
    kinds = NOUNS[noun].kinds
    objects = of_noun(noun, document)
    if GlassBody in kinds and noun != "glass":
        own = tuple(kind for kind in kinds if kind is not GlassBody)
        objects = [o for o in objects if isinstance(o, own) or noun in o.title.lower().split()] or objects
    if both and len(objects) > 2:
        return Unclear(f"Which {noun} of {', '.join(o.title for o in objects)}?", kinds == (Source,))
    return Every(noun, tuple(objects)) if objects else Unclear(f"There is no {noun} in this scene.", kinds == (Source,))


def noun_in(word: str) -> str:
    """The noun of a word in the singular or the plural; empty for other words."""
    return next((noun for noun in (word, word.removesuffix("s"), word.removesuffix("es")) if noun in NOUNS), "")


def object_meant(word: str, document: Document, vocabulary: Collection[str]) -> SceneObject | Unclear | None:
    """The object that a word refers to: the only one with this word in its name, or of the noun's kind; None if there is none.

    Words of the vocabulary do not count as parts of names, since they have a meaning in questions.
    """
    noun = noun_in(word)
    objects = document.scene.objects
    kinds = NOUNS[noun].kinds if noun else ()
    named = [o for o in objects if word in o.title.lower().split() and (not noun or isinstance(o, kinds))]
    if len(named) == 1 and (noun or (word not in FILLERS and word not in vocabulary)):
        return named[0]
    if not noun or word != noun:
        return None
    source = kinds == (Source,)
    for kind in kinds:
        candidates = [o for o in objects if isinstance(o, kind)]
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            return Unclear(f"Which {noun}? There are: {', '.join(o.title for o in candidates)}.", source)
    return Unclear(f"There is no {noun} in this scene.", source)


def object_without_name(noun: str, document: Document) -> SceneObject | Unclear:
    """The object that a question is about which has neither a name nor a noun, where it is about one of a noun's kinds."""
    found = object_meant(noun, document, ())
    assert found is not None
    kinds = NOUNS[noun].kinds
    if not isinstance(found, Unclear) or not NOUNS[noun].acting or any(isinstance(o, kinds) for o in document.scene.objects):
        return found
    others = (Source, Detector, Aperture, Blocker, CircleBlocker)
    acting = [o for o in document.scene.objects if o.optical and not isinstance(o, others) and edges_of(o)]
    if len(acting) == 1:
        return acting[0]
    return Unclear(f"Which object? There are: {', '.join(o.title for o in acting)}.") if acting else found
