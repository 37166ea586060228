"""Three questions about a scene that are suggested to begin with. It imports no tools, so that the
window need not wait for them.
"""

from collections.abc import Iterator

from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.gratings import Grating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import IdealMirror, ParabolicMirror, Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.scene.document import Document, Groups

OF_ANY_LIGHT = ("Where does the light go?", "Which rays escape?", "What is in the scene?")
WITHOUT_LIGHT = (
    "What is in the scene?",
    "How much power is reflected from n 1 to n 1.5 at 45°?",
    "Which glass has an index of 1.62 and an Abbe number of 36?",
)
"""For a scene without sources."""


def starter_questions(document: Document) -> tuple[str, str, str]:
    """Three questions about a scene, in its own names: about its detector, its focus, its glass,
    and where its light is lost; without sources, about its objects alone.
    """
    own = [o for o in document.scene.objects if o.key not in document.disabled]
    objects = [*own, *(part for o in own for part in document.scene.parts_of(o) if part is not o)]
    has_sources = any(
        isinstance(o, Source) and o.key not in document.disabled for o in document.scene.optical
    )
    about = (
        _questions_about_light(objects, document.groups)
        if has_sources
        else _questions_about_objects(objects)
    )
    first, second, third = [
        *list(dict.fromkeys(about))[:2],
        *(OF_ANY_LIGHT if has_sources else WITHOUT_LIGHT),
    ][:3]
    return first, second, third


def _questions_about_objects(objects: list[SceneObject]) -> Iterator[str]:
    """Questions that need no light: about the first glass and about the first object with edges."""
    for kind, asked in (
        (GlassBody, "What is the refractive index of {}?"),
        (SceneObject, "What are the edges of {}?"),
    ):
        found = next((o for o in objects if isinstance(o, kind) and object_edges(o)), None)
        if found is not None:
            yield asked.format(found.title)


def _questions_about_light(objects: list[SceneObject], groups: Groups) -> Iterator[str]:
    """Questions about the light at objects, the most informative first. Lenses in one group, such
    as an achromat, have one focus.
    """
    lenses = (IdealLens, SphericalLens, ParabolicMirror, IdealMirror)
    first: dict[type[SceneObject], tuple[int, SceneObject]] = {}
    for i, o in enumerate(objects):
        first.setdefault(type(o), (i, o))
    focusing = frozenset(o.key for o in objects if isinstance(o, lenses))
    systems = {
        key: name
        for name, keys in groups.items()
        if len(keys & focusing) > 1
        for key in keys & focusing
    }
    for kinds, asked in (
        ((Detector,), "Which rays reach {}?"),
        (lenses, "Where is the focus of {}?"),
        ((Grating,), "Which beams leave {}?"),
        ((Aperture,), "How much light goes through the opening of {}?"),
        ((GlassBody,), "Which rays are inside {}?"),
        ((GlassBody,), "Is there total reflection in {}?"),
        ((Reflector,), "Which rays hit {}?"),
        ((Blocker, Detector), "How much power reaches {}?"),
    ):
        of_kinds = [place for kind, place in first.items() if issubclass(kind, kinds)]
        if of_kinds:
            _, found = min(of_kinds, key=lambda place: place[0])
            yield asked.format(
                systems.get(found.key, found.title) if kinds is lenses else found.title
            )
