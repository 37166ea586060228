"""The questions that a scene raises, for a person who has not asked any yet; each is understood without a model."""

from __future__ import annotations

from collections.abc import Iterator

from core.kinds.detectors import Detector
from core.kinds.glasses import GlassBody
from core.kinds.gratings import Grating
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.mirrors import Reflector
from core.kinds.object import SceneObject
from core.kinds.sources import Source
from core.scene.document import Document

LOSSES = "Where does the light go?"
OF_ANY_SCENE = ("Which rays escape?", "Which rays are unpolarized?", "What is in the scene?")


def questions(document: Document) -> tuple[str, str, str]:
    """Three questions about a scene, in its own names: about its focus, its detector, its glass, and where its light is lost."""
    objects = [o for o in document.scene.objects if o.key not in document.disabled]
    losses = [LOSSES] if any(isinstance(o, Source) for o in objects) else []
    first, second, third = [*list(dict.fromkeys(_about(objects)))[: 3 - len(losses)], *losses, *OF_ANY_SCENE][:3]
    return first, second, third


def _about(objects: list[SceneObject]) -> Iterator[str]:
    """Questions about the objects, those that say most about a scene first."""
    for kinds, asked in (
        ((Detector,), "Which rays reach {}?"),
        ((IdealLens, SphericalLens), "Where is the focus of {}?"),
        ((GlassBody,), "Which rays are inside {}?"),
        ((GlassBody,), "Is there total reflection in {}?"),
        ((Grating, Reflector), "Which rays hit {}?"),
        ((Detector,), "How much power reaches {}?"),
    ):
        found = next((o for o in objects if isinstance(o, kinds)), None)
        if found is not None:
            yield asked.format(found.title)
