"""Where is the image that an object forms?"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import OnDemand
from raybench.analysis.answers.record import ABSENT, MeasureNames, Record, Root
from raybench.analysis.answers.words import in_words, number_of
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import value_of, values_of
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Takes
from raybench.analysis.scene.objects import System, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.object import SceneObject

OF_THE_BUNDLE = (
    "object_distance", "image_distance", "magnification", "angular_magnification", "principal_object_distance",
    "principal_image_distance", "focal_length", "back_focal_length", "marginal_focus", "spherical_aberration",
    "focus", "focus_x", "focus_y", "spot_rms",
)  # fmt: skip
"""The measures of the strongest bundle of each source."""


class Image(Record, tag="image"):
    source: str
    kind: str | None
    orientation: str | None
    measures: MeasureNames = OF_THE_BUNDLE
    reason: str | None


class Images(Root, tag="images"):
    image: Sequence[Image]
    object: str
    nominal_focal_length: float | None
    no_nominal_focal_length: str = ABSENT
    count: int


def image(object_name: str, source_name: str = "") -> Answer:
    """Locate the image that a lens, mirror, glass or grating forms: distances, magnification, real
    or virtual, and focal lengths.

    For the strongest bundle of each source. object_distance is from the object point to the first
    surface, image_distance from the last surface to the paraxial image (the paraxial focus),
    negative if virtual; the principal distances are from the principal planes. nominal_focal_length
    is that of the object alone in air; focal_length that for the light of the scene, if it arrives
    parallel. marginal_focus is where the outermost rays cross the middle one, spherical_aberration
    its distance from the paraxial image; focus is the best focus (least RMS width), focus_x and
    focus_y its coordinates. Distances are along the beam. angular_magnification is that of a
    telescope. Lenses that form the image together are named by their group or module instance.

    Args:
        object_name: Name of the lens, mirror, glass or grating, of a group or of a module instance.
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root images: for each source whether its image is real or virtual, upright or inverted, or
        at infinity, and the measures of these names.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.of_context(context)
    index, obj = light.met_named(object_name)
    leaving = distinct_integers(*(b.rows for b in light.bundles(index)))
    indices = [i for i in np.unique(light.result.source[leaving]).tolist() if i >= 0]
    if source_name:
        indices = [source_named(context.scene, source_name)[0]]
    strongest = [
        light.strongest(Takes.LEAVING, index, i).rows
        for i in indices
        if any(b.power > 0 for b in light.bundles(index, i))
    ]
    nominal = value_of(light, "nominal_focal_length", obj)
    sources = [context.scene.optical[i] for i in indices]
    images = OnDemand.each(lambda source: _image_record(light, obj, source), sources)
    root = Images(
        image=images,
        object=obj.title,
        nominal_focal_length=nominal.known,
        no_nominal_focal_length=ABSENT if nominal.defined else nominal.reason,
        count=len(images),
    )
    sentence = _image_sentence(obj.title, images, context.unit)
    if nominal.defined:
        sentence += f"; nominal focal length {in_words(nominal.value)} {context.unit}"
    return Answer(root, sentence, context.result.ray_set(distinct_integers(*strongest)))


def _image_record(light: Light, obj: SceneObject | System, source: SceneObject) -> Image:
    values = values_of(light, OF_THE_BUNDLE, obj, source)
    distance, magnification = values["image_distance"], values["magnification"]
    kind, reason = None, value_of(light, "image_distance", obj, source).reason
    if distance is not None:
        kind = "real" if distance >= 0 else "virtual"
    elif value_of(light, "vergence", obj, source).value == 0:
        kind, reason = "at infinity", ""
    upright = None if magnification is None else "upright" if magnification > 0 else "inverted"
    return Image(
        source=source.title,
        kind=kind,
        orientation=upright,
        **values,
        reason=reason or None,
    )


def _image_sentence(name: str, images: Sequence[Image], unit: str) -> str:
    name = in_words(name)
    if not images:
        return f"No light leaves {name}"
    facts, source = images[0].attributes, in_words(images[0].source)
    if facts["kind"] is None:
        return f"{name} forms no image of {source}: {facts['reason']}".rstrip(".")
    if facts["kind"] == "at infinity":
        angular = facts["angular_magnification"]
        text = "" if angular is None else f"; angular magnification {in_words(angular)}"
        return f"{name} forms its image of {source} at infinity{text}"
    side = "after" if facts["kind"] == "real" else "before"
    text = (
        f"{name} forms a {facts['kind']} image of {source}"
        f" {in_words(abs(facts['image_distance']))} {unit} {side} its last surface"
    )
    if facts["magnification"] is not None:
        text += f", {facts['orientation']}, magnification {in_words(facts['magnification'])}"
    more = len(images) - 1
    return f"{text}; {number_of(more, 'more source')} below" if more else text


TOOL = AnalysisTool(
    function=image,
    asks="image that {object_name} forms",
    questions=(
        "Where is the image of {object_name:lens} [real virtual formed]?",
        "Where is the image of {source_name} [formed by {object_name:lens}]?",
        "Where does {source_name} appear [deep depth] [in {object_name:lens}]?",
        "Is the image of {object_name:lens} real or virtual [upright inverted]?",
    ),
    fits=True,
)
