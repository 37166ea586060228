"""Nouns of objects that a question does not name: the lens, both mirrors; and the object that is
meant without any noun.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from raybench.analysis.tools.fillers import FILLERS
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import there_are
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, GlassBody
from raybench.kinds.gratings import Grating
from raybench.kinds.grin import GradedGlass
from raybench.kinds.kinds import KINDS
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import (
    ArcMirror,
    BeamSplitter,
    CurveMirror,
    CustomMirror,
    IdealMirror,
    Mirror,
    ParabolicMirror,
    ParamMirror,
    Reflector,
)
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.document import Document


@dataclass(frozen=True)
class Noun:
    """A noun for the objects of some ``kinds``, or ``otherwise``, in a scene without one, for those
    of others; alone it means the only one.

    ``acting``: without a noun, where the scene has none of them, the only object that changes the
    direction of light is meant.
    """

    kinds: tuple[type[SceneObject], ...]
    otherwise: tuple[type[SceneObject], ...] = ()
    acting: bool = False

    @property
    def any_kind(self) -> tuple[type[SceneObject], ...]:
        return (*self.kinds, *self.otherwise)


_LENS = Noun((IdealLens, SphericalLens), otherwise=(GlassBody,), acting=True)
_PRISM, _WEDGE, _GLASS = (
    Noun((), otherwise=(GlassBody,), acting=True),
    Noun((), otherwise=(GlassBody,)),
    Noun((GlassBody,)),
)
_CURVED = Noun((ArcMirror, ParabolicMirror, IdealMirror, CurveMirror, CustomMirror, ParamMirror))
_MIRROR, _FLAT, _SPLITTER = (
    Noun((Reflector, CurveMirror, ParamMirror)),
    Noun((Mirror,)),
    Noun((BeamSplitter,)),
)
_DETECTOR, _GRATING, _SOURCE, _GRADED = (
    Noun((Detector,)),
    Noun((Grating,)),
    Noun((Source,)),
    Noun((GradedGlass,)),
)
_SCREEN = Noun((Detector,), otherwise=(Blocker, CircleBlocker))
_BLOCKER, _APERTURE = Noun((Blocker, CircleBlocker)), Noun((Aperture,))
_NOUNS = {
    "glass": _GLASS, "prism": _PRISM, "wedge": _WEDGE, "lens": _LENS, "mirror": _MIRROR, "splitter": _SPLITTER,
    "screen": _SCREEN, "detector": _DETECTOR, "camera": _DETECTOR, "sensor": _DETECTOR, "grating": _GRATING,
    "source": _SOURCE, "laser": _SOURCE, "lamp": _SOURCE, "beam": _SOURCE, "blocker": _BLOCKER, "baffle": _BLOCKER,
    "wall": _BLOCKER, "aperture": _APERTURE, "iris": _APERTURE, "stop": _APERTURE, "pinhole": _APERTURE,
    "beam-splitter": _SPLITTER, "beamsplitter": _SPLITTER, "light source": _SOURCE, "laser beam": _SOURCE,
    "diffraction grating": _GRATING, "reflection grating": _GRATING, "transmission grating": _GRATING,
    "flat mirror": _FLAT, "plane mirror": _FLAT, "straight mirror": _FLAT, "curved mirror": _CURVED,
    "circular mirror": Noun((ArcMirror,)), "spherical mirror": Noun((ArcMirror,)), "parabola": Noun((ParabolicMirror,)),
    "thin lens": Noun((IdealLens,)), "thick lens": Noun((SphericalLens,)), "glass lens": Noun((SphericalLens,), otherwise=(GlassBody,)),
    "ball lens": Noun((CircleGlass,)), "glass ball": Noun((CircleGlass,)), "sphere": Noun((CircleGlass,)),
    "grin lens": _GRADED, "grin rod": _GRADED, "grin glass": _GRADED, "gradient-index lens": _GRADED, "graded-index lens": _GRADED,
}  # fmt: skip
_LABELS = {kind.label.lower(): Noun((kind,)) for kind in KINDS.values() if " " in kind.label}
NOUNS: Mapping[str, Noun] = MappingProxyType(
    dict(sorted((_LABELS | _NOUNS).items(), key=lambda item: -len(item[0])))
)
"""The nouns, also the labels of kinds that have several words; the longest first, as regular
expressions need them.
"""


@dataclass(frozen=True)
class Every:
    """All objects of a noun, as in "all sources"."""

    noun: str
    objects: tuple[SceneObject, ...]


def of_sources(noun: Noun) -> bool:
    """Whether a noun means sources alone."""
    return all(issubclass(kind, Source) for kind in noun.any_kind)


def of_noun(noun: str, document: Document) -> Sequence[SceneObject]:
    """The objects of a noun's kinds, in order, also those that are parts of modules."""
    return [o for o in document.scene.expanded if isinstance(o, NOUNS[noun].any_kind)]


def every(noun: str, document: Document, both: bool) -> Every | Unclear:
    """All objects of a noun, or ``both`` if there are two.

    Those of ``otherwise`` count with the others if the noun is in their names.
    """
    kinds = NOUNS[noun].kinds
    objects = of_noun(noun, document)
    if NOUNS[noun].otherwise:
        objects = [
            o for o in objects if isinstance(o, kinds) or noun in o.title.lower().split()
        ] or objects
    if both and len(objects) > 2:
        return Unclear(
            f"Which {noun} of {', '.join(o.title for o in objects)}?", of_sources(NOUNS[noun])
        )
    return (
        Every(noun, tuple(objects))
        if objects
        else Unclear(f"There is no {noun} in this scene.", of_sources(NOUNS[noun]))
    )


def noun_in(word: str) -> str:
    """The noun of a word in the singular or the plural; empty for other words."""
    return next(
        (noun for noun in (word, word.removesuffix("s"), word.removesuffix("es")) if noun in NOUNS),
        "",
    )


def object_meant(
    word: str, document: Document, vocabulary: Collection[str]
) -> SceneObject | Unclear | None:
    """The object that a word refers to: the only one with this word in its name, or of the noun's
    kind, or without one the only part of a module; None if there is none.

    Words of the vocabulary do not count as parts of names, since they have a meaning in questions.
    """
    noun = noun_in(word)
    objects = document.scene.objects
    kinds = NOUNS[noun].any_kind if noun else ()
    named = [
        o for o in objects if word in o.title.lower().split() and (not noun or isinstance(o, kinds))
    ]
    if len(named) == 1 and (noun or (word not in FILLERS and word not in vocabulary)):
        return named[0]
    if not noun or word != noun:
        return None
    source = of_sources(NOUNS[noun])
    alone, parts = objects, document.scene.expanded
    for held, equal in itertools.product(
        (alone, parts), (NOUNS[noun].kinds, NOUNS[noun].otherwise)
    ):
        candidates = [o for o in held if isinstance(o, equal)]
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            return Unclear(f"Which {noun}? {there_are([o.title for o in candidates])}", source)
    return Unclear(f"There is no {noun} in this scene.", source)


def object_without_name(noun: str, document: Document) -> SceneObject | Unclear:
    """The object that a question is about which has neither a name nor a noun, where it is about
    one of a noun's kinds.
    """
    found = object_meant(noun, document, ())
    assert found is not None
    kinds = NOUNS[noun].any_kind
    if (
        not isinstance(found, Unclear)
        or not NOUNS[noun].acting
        or any(isinstance(o, kinds) for o in document.scene.expanded)
    ):
        return found
    others = (Source, Detector, Aperture, Blocker, CircleBlocker)
    acting = [
        o for o in document.scene.objects if o.optical and not isinstance(o, others) and edges_of(o)
    ]
    if len(acting) == 1:
        return acting[0]
    return Unclear(f"Which object? {there_are([o.title for o in acting])}") if acting else found
