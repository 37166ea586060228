"""Objects in sentences: the nouns for each kind of object, and the objects to which a noun can
refer.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from raybench.agent.questions.words import split_words
from raybench.analysis.scene.objects import (
    NAME_SEPARATOR,
    System,
    system_of_joined_objects,
    systems_in_scene,
)
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.custom_surfaces import CustomSurfaceBase
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
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.lens.in_document import lens_systems
from raybench.scene.changes.placing import mean_centre_of_objects, object_centre
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent

Thing = SceneObject | System
"""What a name can stand for."""


@dataclass(frozen=True)
class Noun:
    """A noun for objects of certain ``kinds``. In a scene without any, it stands for objects of the
    kinds in ``otherwise``.

    ``acting``: in a scene with none of them, for whatever changes the direction of light.
    ``number``: for one of them, as the light meets them; -1 is the last. ``largest``: whether it is
    the largest, or the largest of the others that are clearly smaller.
    """

    kinds: tuple[type[SceneObject], ...]
    otherwise: tuple[type[SceneObject], ...] = ()
    acting: bool = False
    number: int = 0
    largest: bool | None = None

    def objects_in(self, document: Document) -> list[SceneObject]:
        """The objects of a document that the noun stands for."""
        found = self._candidates_in(document)
        if self.largest is not None and found:
            sizes = [_size_in_scene(o, document) for o in found]
            smaller = [0.8 * max(sizes) if size > 0.8 * max(sizes) else -size for size in sizes]
            return [found[sizes.index(max(sizes)) if self.largest else smaller.index(min(smaller))]]
        if self.number and len(found) >= abs(self.number):
            return [_sort_along_light(found, document)[self.number - (self.number > 0)]]
        return found

    def _candidates_in(self, document: Document) -> list[SceneObject]:
        objects = [o for o in document.scene.objects if o.key not in document.disabled]
        expanded = [o for o in document.scene.expanded_objects if o.key not in document.disabled]
        for held in (objects, expanded):
            for kinds in (self.kinds, self.otherwise):
                if found := [o for o in held if isinstance(o, kinds)]:
                    return found
        others = (Source, Detector, Aperture, Blocker, CircleBlocker)
        return [o for o in objects if self.acting and meets_light(o) and not isinstance(o, others)]


LENSES = (IdealLens, SphericalLens)
_LENS = Noun(LENSES, otherwise=(GlassBody,), acting=True)
_PRISM, _GLASS = Noun((), otherwise=(GlassBody,), acting=True), Noun((GlassBody,))
_WEDGE = Noun((), otherwise=(GlassBody,))
_MIRROR, _FLAT = Noun((Reflector, CurveMirror, ParamMirror)), Noun((Mirror,))
_CURVED = Noun((ArcMirror, ParabolicMirror, IdealMirror, CurveMirror, CustomMirror, ParamMirror))
_DETECTOR, _SCREEN = Noun((Detector,)), Noun((Detector,), otherwise=(Blocker, CircleBlocker))
_BLOCKER, _APERTURE = Noun((Blocker, CircleBlocker)), Noun((Aperture,))
_GRATING, _SOURCE, _SPLITTER = Noun((Grating,)), Noun((Source,)), Noun((BeamSplitter,))
_GRADED, _BALL = Noun((GradedGlass,)), Noun((CircleGlass,))
_MIRRORS = (Reflector, CurveMirror, ParamMirror, CustomMirror, IdealMirror)
_SHAPED = (CustomMirror, CurveMirror, ParamMirror)
_NOUNS = {
    "glass": _GLASS, "prism": _PRISM, "wedge": _WEDGE, "lens": _LENS, "mirror": _MIRROR, "splitter": _SPLITTER,
    "screen": _SCREEN, "detector": _DETECTOR, "camera": _DETECTOR, "sensor": _DETECTOR, "grating": _GRATING,
    "source": _SOURCE, "laser": _SOURCE, "lamp": _SOURCE, "led": _SOURCE, "bulb": _SOURCE, "blocker": _BLOCKER, "baffle": _BLOCKER,
    "wall": _BLOCKER, "aperture": _APERTURE, "iris": _APERTURE, "stop": _APERTURE, "pinhole": _APERTURE, "hole": _APERTURE, "slit": _APERTURE,
    "beam-splitter": _SPLITTER, "beam splitter": _SPLITTER, "beamsplitter": _SPLITTER, "light source": _SOURCE,
    "laser beam": _SOURCE, "diffraction grating": _GRATING, "flat mirror": _FLAT, "plane mirror": _FLAT, "diagonal mirror": _FLAT, "fold mirror": _FLAT, "folding mirror": _FLAT,
    "curved mirror": _CURVED, "spherical mirror": Noun((ArcMirror,)), "rough mirror": Noun(_SHAPED), "diffuse mirror": Noun(_SHAPED), "parabola": Noun((ParabolicMirror,)),
    "thin lens": Noun((IdealLens,)), "thick lens": Noun((SphericalLens,)), "ball lens": _BALL, "glass ball": _BALL,
    "sphere": _BALL, "fibre": _GLASS, "fiber": _GLASS, "rod": Noun((GradedGlass,), otherwise=(GlassBody,)), "grin lens": _GRADED, "grin rod": _GRADED,
    "objective": Noun(LENSES, number=1), "eyepiece": Noun(LENSES, number=-1), "ocular": Noun(LENSES, number=-1),
    "primary": Noun(_MIRRORS, largest=True), "primary mirror": Noun(_MIRRORS, largest=True),
    "secondary": Noun(_MIRRORS, largest=False), "secondary mirror": Noun(_MIRRORS, largest=False),
    "star": _SOURCE, "retina": Noun((Detector,), otherwise=(Blocker, CircleBlocker, CustomSurfaceBase), number=-1), "film": _SCREEN, "eye": _SCREEN, "viewer": _SCREEN, "observer": _SCREEN, "ccd": _DETECTOR, "chip": _DETECTOR, "target": _SCREEN,
    "plate": _WEDGE, "slab": _WEDGE, "window": _WEDGE, "cube": _WEDGE, "rhomb": _WEDGE,
}  # fmt: skip
NOUNS: Mapping[str, Noun] = MappingProxyType(
    {kind.label.lower(): Noun((kind,)) for kind in KINDS.values() if " " in kind.label} | _NOUNS
)


LIKELY = frozenset(("eye", "viewer", "observer", "retina"))
"""Nouns that say too little about an object to ask of it without confirmation."""
SCREENS = LIKELY | {n for n, meant in NOUNS.items() if meant in (_SCREEN, _DETECTOR)}


def noun_in(words: str) -> str:
    """The known noun that a text consists of, in the singular or the plural; empty if it is none."""
    endings = ("", "s", "es", "'s")
    return next((n for n in (words.removesuffix(e) for e in endings) if n in NOUNS), "")


def words_of_name(name: str) -> list[str]:
    """The words of a name in lower case, also of names such as *RayRelay 1*."""
    return [w.lower() for w in (*re.split("[ /]", name), *re.findall("[A-Z][a-z]+", name))]


def objects_for_noun(noun: str, document: Document) -> list[SceneObject]:
    """The objects that a noun stands for. If the noun, or another word for a screen, is part of the
    names of some of them, only those; a word that is no noun is part of their names.
    """
    objects = [o for o in document.scene.objects if o.key not in document.disabled]
    if noun not in NOUNS:
        return [o for o in objects if noun in words_of_name(o.title)]
    kinds = (*NOUNS[noun].kinds, *NOUNS[noun].otherwise)
    for nouns in ({noun}, SCREENS) if noun in SCREENS else ({noun},):
        of_kinds = (o for o in objects if isinstance(o, kinds))
        if named := [o for o in of_kinds if nouns & {*o.title.lower().split()}]:
            return named
    found = NOUNS[noun].objects_in(document)
    modules = (o for o in objects if isinstance(o, ModuleObj))
    named = [o for o in modules if noun.replace(" ", "") in o.module.lower()]
    return [*(o for o in found if o in objects), *named] if named else found


def meets_light(thing: Thing) -> bool:
    """Whether light can meet an object: it has edges and is not a source."""
    return isinstance(thing, System | ModuleObj) or (
        thing.optical and not isinstance(thing, Source) and bool(object_edges(thing))
    )


def _size_in_scene(thing: SceneObject, document: Document) -> float:
    left, top, right, foot = drawn_extent(document.scene, thing) or (0, 0, 0, 0)
    return max(right - left, foot - top)


def last_object_on_path(titles: Collection[str], document: Document, source: str = "") -> str:
    """The object that light, or that of one source, probably meets last. Empty if there is none."""
    return next(iter(objects_on_path(titles, document, source)[::-1]), next(iter(titles), ""))


def objects_on_path(titles: Collection[str], document: Document, source: str = "") -> list[str]:
    """The objects that light, or that of one source, probably meets, in this order."""
    objects = [o for o in document.scene.objects if o.title in titles]
    if not _SOURCE.objects_in(document):
        return []
    lamps = [o for o in document.scene.objects if o.title == source and not _is_folded(document)]
    objects = [o for o in objects if all(_faces(o, lamp) for lamp in lamps)] or objects
    return [o.title for o in _sort_along_light(objects, document)]


_NUMBERED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1, "entrance": 1, "exit": -1,
             "front": 1, "rear": -1, "back": -1}  # fmt: skip
"""Numbers of objects along the light that words give; -1 is the last."""
_PLACED = {"left": (1, 0), "right": (-1, 0), "upper": (0, 1), "top": (0, 1), "lower": (0, -1),
           "bottom": (0, -1)}  # fmt: skip
"""The direction in which the object of a place is the first."""
_SIGNS = {"positive": 1, "converging": 1, "convex": 1, "negative": -1, "diverging": -1, "concave": -1}  # fmt: skip
"""The sign of the focal length of a lens."""
_AWAY = {"near": -1, "nearest": -1, "far": 1, "farthest": 1}
_SIZED = {"large": 1, "larger": 1, "big": 1, "bigger": 1, "small": -1, "smaller": -1}
PLACES = _PLACED.keys() | _NUMBERED.keys()
"""Words that choose one of several objects."""
TOLD_NEAREST = "the nearest one"
"""What is *typed* of an object that is told as the nearest to another; no edit of it runs unasked."""
SYSTEMS = split_words(
    "telescope system doublet triplet instrument setup microscope expander combination expanders telescopes"
)
"""Words for several lenses as one."""


def objects_chosen_by_word(
    word: str, objects: list[SceneObject], document: Document
) -> list[SceneObject]:
    """Those of some objects that a word for a number, a place, a sign or a size chooses, as in
    *second mirror* or *upper lens*; none if it is no such word. A number is the one in a name, or
    else counts the objects as the light probably meets them.
    """
    if not objects:
        return []
    if word in _SIGNS:
        return [o for o in objects if _SIGNS[word] * (getattr(o, "focal_length", 0) or 0) > 0]
    if word in ("middle", "central") and len(objects) % 2:
        across = sorted(objects, key=lambda o: (object_centre(o).y, object_centre(o).x))
        return [across[len(across) // 2]]
    if word in _PLACED and len(objects) > 1:
        x, y = _PLACED[word]
        return [min(objects, key=lambda o: x * object_centre(o).x + y * object_centre(o).y)]
    if word in _AWAY and len(sources := _SOURCE.objects_in(document)) > 0:
        start, away = object_centre(sources[0]), _AWAY[word]
        return [max(objects, key=lambda o: away * math.dist(start, object_centre(o)))]
    if word in _SIZED and len(objects) > 1:
        return [max(objects, key=lambda o: _SIZED[word] * _size_in_scene(o, document))]
    if (number := _NUMBERED.get(word)) is None:
        return []
    named = [o for o in objects if o.title.lower().split()[-1] == str(number)]
    counted = _sort_along_light(objects, document)
    return named or (counted[-1:] if number < 0 else counted[number - 1 : number])


def nearest_to(thing: Thing, objects: list[SceneObject], document: Document) -> list[SceneObject]:
    """Those of some objects that are parts of a thing or, if none is, the nearest to it."""
    if isinstance(thing, System):
        parts = [document.scene.optical[i] for i in thing.members]
    else:
        parts = list(document.scene.with_parts_of(thing))
    at = mean_centre_of_objects(parts)
    nearest = sorted(objects, key=lambda o: math.dist(at, object_centre(o)))
    return [o for o in objects if o in parts] or nearest[:1]


def _is_folded(document: Document) -> bool:
    return any(isinstance(o, Reflector | Grating) for o in document.scene.optical)


def _sort_along_light(objects: list[SceneObject], document: Document) -> list[SceneObject]:
    """Objects in the order in which light probably meets them: by the distance from the first
    source or, where mirrors fold the light, as they are in the scene.
    """
    sources = _SOURCE.objects_in(document)
    if not sources or _is_folded(document) or any(isinstance(o, Source) for o in objects):
        return objects
    start = object_centre(sources[0])
    return sorted(objects, key=lambda o: math.dist(start, object_centre(o)))


def whole_system(document: Document, place: str = "") -> Thing | None:
    """The system that a word such as *telescope* refers to: the only lens system, the only group of
    lenses, or else lenses in one row as one; of several rows the one of a ``place``, such as
    *upper*, or the first. None for fewer than two lenses.
    """
    if len(systems := [*lens_systems(document)]) == 1:
        return things_by_name(document).get(systems[0])
    lenses = [o for o in document.scene.objects if isinstance(o, LENSES)]
    keys = {o.key for o in lenses}
    groups = [name for name, held in document.groups.items() if len(held & keys) > 1]
    rows = [row for row in _lenses_in_rows(lenses) if len(row) > 1] or [lenses]
    if place in _PLACED:
        x, y = _PLACED[place]
        rows.sort(key=lambda row: x * object_centre(row[0]).x + y * object_centre(row[0]).y)
    elif (number := _NUMBERED.get(place, 1)) <= len(rows):
        rows = [rows[number - (number > 0)]]
    if len(groups) == 1:
        return things_by_name(document).get(groups[0])
    return _as_one(rows[0], document)


def systems_in_rows(document: Document) -> list[Thing]:
    """The lenses in each row as one system, of rows of at least two."""
    lenses = [o for o in document.scene.objects if isinstance(o, LENSES)]
    found = (_as_one(row, document) for row in _lenses_in_rows(lenses))
    return [system for system in found if system is not None]


def _as_one(objects: Sequence[SceneObject], document: Document) -> Thing | None:
    name = NAME_SEPARATOR.join(o.title for o in objects)
    return system_of_joined_objects(document.scene, document.groups, name)


def row_of_lens(lens: SceneObject, document: Document) -> Thing | None:
    """The lenses in the row of a lens as one system. None if it stands alone."""
    lenses = [o for o in document.scene.objects if isinstance(o, LENSES)]
    return _as_one(next((row for row in _lenses_in_rows(lenses) if lens in row), []), document)


def _lenses_in_rows(
    lenses: list[IdealLens | SphericalLens],
) -> list[list[IdealLens | SphericalLens]]:
    """The lenses in rows: those before each other, so that light of one passes the next."""
    rows: list[list[IdealLens | SphericalLens]] = []
    for lens in lenses:
        row = next((row for row in rows if any(_faces(lens, other) for other in row)), None)
        if row is None:
            rows.append([lens])
        else:
            row.append(lens)
    return rows


def _faces(lens: SceneObject, other: SceneObject) -> bool:
    """Whether the centre of another object lies before or behind a lens, within its height."""
    ends = getattr(lens, "p1", None), getattr(lens, "p2", None)
    if None in ends or not isinstance(lens, IdealLens):
        return True
    (x1, y1), (x2, y2) = ends  # type: ignore[misc]
    at, height = object_centre(other), math.dist((x1, y1), (x2, y2))
    across = (at.x - (x1 + x2) / 2) * (x2 - x1) + (at.y - (y1 + y2) / 2) * (y2 - y1)
    return bool(abs(across) < height * height / 2)


def things_by_name(document: Document) -> dict[str, Thing]:
    """Everything in a document that a name can refer to, by name: objects, their parts, and groups."""
    scene = document.scene
    things: dict[str, Thing] = {s.title: s for s in systems_in_scene(scene, document.groups)}
    return things | {o.title: o for outer in scene.objects for o in scene.with_parts_of(outer)}
