"""Tools for imaging: focus, image and pupils."""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import bundle_note, common_wavelength, source_names
from raybench.analysis.answers.measured_sentence import wavelength_note
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.path_elements import PathWriter, trace_with_hit_columns
from raybench.analysis.answers.record import (
    ABSENT,
    Degrees,
    Integer,
    MeasureNames,
    Positive,
    Record,
    Root,
    Share,
)
from raybench.analysis.answers.words import count_with_noun, value_in_words
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import (
    beam_value,
    bind_measure,
    measured_value,
    values_by_measure,
)
from raybench.analysis.measures.families.pupil import cached_aperture_stop
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import BundleChoice, Measured, Undefined, Unit
from raybench.analysis.measures.optical_axis import optical_axis
from raybench.analysis.measures.paraxial import cardinal_points_from_beam
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.bundle import CardinalPoints, NoFocus
from raybench.analysis.rays.leaving_light import LeavingBundle, focus_or_reason
from raybench.analysis.scene.objects import System, source_named
from raybench.analysis.tools.tool import AnalysisTool, Count
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import SingleRay
from raybench.trace.codes import Interaction


class BestFocus(Record):
    """The place where the RMS width of a bundle is smallest, or the reason why there is none."""

    distance: float | None = ABSENT
    x: float = ABSENT
    y: float = ABSENT
    virtual: bool = ABSENT
    rms_radius: float = ABSENT
    width: float = ABSENT
    axis_angle: Degrees = ABSENT
    reason: str = ABSENT


class FocalLength(Record):
    length: float = ABSENT
    focal_x: float = ABSENT
    focal_y: float = ABSENT
    principal_x: float = ABSENT
    principal_y: float = ABSENT
    reason: str = ABSENT


class FocusedBundle(Record, tag="bundle"):
    best_focus: BestFocus
    focal_length: FocalLength
    rank: Positive
    source: str | None
    surfaces: str
    rays: int
    power: float
    wavelength: float | None
    order: Integer | None


class Focus(Root, tag="focus"):
    bundle: Sequence[FocusedBundle]
    object: str
    bundles: int
    shown: int
    nominal_focal_length: float | None


def focus(object_name: str, max_bundles: Count = 5, source_name: str = "") -> Answer:
    """Find the best focus and spot size of the light after a lens, glass, mirror or grating, and
    its focal length.

    Rays of one source that followed the same path to the object and through it form a bundle, each
    order of a grating its own, and so do single rays of one wavelength; the strongest bundles are
    listed. The best focus is where the RMS width of the bundle, weighted by power, is least; it is
    virtual if it lies before the surface that the bundle left last (detectors do not count). The
    focal length of a bundle is reported if it arrives parallel; nominal_focal_length is that of the
    object alone in air.

    Args:
        object_name: Name of a lens, glass, mirror or other object that light leaves, or of a group
            of objects, taken as one.
        max_bundles: Maximum number of bundles listed, 1 to 1000, those with most power first; fewer
            if they do not fit on a page.
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root focus: for each bundle its sources, the surfaces it met, its diffraction order, its
        best focus with the distance from the last surface, the root mean square radius and the full
        width of the spot, and focal length, focal point and principal point; or the reason why
        there is none.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match, or max_bundles is invalid; the message lists the
            existing names.
    """
    context = require_context()
    result, light = trace_with_hit_columns(context), Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    source = source_named(context.scene, source_name)[0] if source_name else None
    all_bundles = [b for b in light.bundles(index, source) if len(b.rows) > 1]
    nominal = measured_value(light, "nominal_focal_length", obj)
    writer = PathWriter(context, result)
    listed = LazySequence.map_each(
        lambda i: _bundle_record(writer, light, index, i + 1, all_bundles[i]),
        range(len(all_bundles)),
    )
    root = Focus(
        bundle=listed,
        object=obj.title,
        bundles=len(all_bundles),
        shown=len(all_bundles),
        nominal_focal_length=nominal.value_or_none,
    )
    rays = result.ray_set(distinct_integers(*(b.rows for b in all_bundles[:max_bundles])))
    words = _focus_sentence(light, index, all_bundles, nominal, source)
    if source_name:
        words = f"Of the light from {value_in_words(source_name)}: {words[0].lower()}{words[1:]}"
    return Answer(root, words, rays)


def _focus_sentence(
    light: Light,
    index: int,
    bundles: Sequence[LeavingBundle],
    nominal: Measured,
    source: int | None,
) -> str:
    """A sentence about the best focus of the strongest bundle, or about the reason why there is
    none.
    """
    obj = light.measurable_objects[index]
    name, unit = value_in_words(obj.title), light.length_unit
    colour = wavelength_note(light, index)
    length = (
        f", nominal focal length {value_in_words(nominal.value)} {unit}"
        + f" {colour}" * bool(colour)
        if nominal.defined
        else ""
    )
    if not bundles:
        return f"No bundle of rays leaves {name}{length}"
    spot, reason = focus_or_reason(bundles[0])
    lamp = None if source is None else light.scene.optical[source]
    note = bundle_note(light, bind_measure("focus", obj, lamp))
    which = f" ({note})" if note else ""
    if spot is None:
        return f"No focus behind {name}: {reason}".rstrip(".") + length + which
    distance = beam_value(ObjectBeam(light, index, bundles[0]), "focus") or 0.0
    side = "after" if distance >= 0 else "before"
    where = (
        f"{value_in_words(abs(distance))} {unit} {side} the last surface of {name}"
        if distance
        else f"on the last surface of {name}"
    )
    own = optical_axis(obj) if distance and isinstance(obj, SceneObject) else None
    if own is not None and abs(own[1][0] * spot.axis[1] - own[1][1] * spot.axis[0]) > SLANTED:
        slant = math.degrees(math.atan2(-spot.axis[1], spot.axis[0]))
        where += f" along the beam, which goes towards {value_in_words(slant)}°"
    at = (
        f"({value_in_words(light.remove_rounding_noise(spot.point.x, Unit.LENGTH))},"
        f" {value_in_words(light.remove_rounding_noise(spot.point.y, Unit.LENGTH))}) {unit}"
    )
    radius = light.remove_rounding_noise(spot.rms, Unit.LENGTH)
    lens, _ = _focal_length_or_reason(light, index, bundles[0])
    if lens is not None:
        length = f", focal length {value_in_words(lens.focal_length)} {unit}"
    return (
        f"{'Best' if spot.real else 'Virtual'} focus {where}{which}, at {at}: RMS radius"
        f" {value_in_words(radius)} {unit}{length}"
    )


def _bundle_record(
    writer: PathWriter, light: Light, index: int, rank: int, bundle: LeavingBundle
) -> FocusedBundle:
    result = bundle.result
    first = int(bundle.rows[0])

    def rounded_length(value: float) -> float:
        return light.remove_rounding_noise(value, Unit.LENGTH)

    several = len(np.unique(result.source[bundle.rows])) > 1
    surfaces = (
        f"{writer.path_pattern(int(result.parent[first]), of_any_source=several)}"
        f" ({Interaction(result.interaction[first]).word})"
    )
    spot, why_no_spot = focus_or_reason(bundle)
    lens, why_no_lens = _focal_length_or_reason(light, index, bundle)
    best = BestFocus(reason=why_no_spot)
    if spot is not None:
        x, y = spot.axis
        best = BestFocus(
            distance=beam_value(ObjectBeam(light, index, bundle), "focus"),
            x=rounded_length(spot.point.x),
            y=rounded_length(spot.point.y),
            virtual=not spot.real,
            rms_radius=rounded_length(spot.rms),
            width=rounded_length(
                spot.width_at_focus(*ObjectBeam(light, index, bundle).rays_with_rims)
            ),
            axis_angle=round(math.degrees(math.atan2(-y, x)), 9) % 360.0,
        )
    focal_length = FocalLength(reason=why_no_lens)
    if lens is not None:
        focal_length = FocalLength(
            length=lens.focal_length,
            focal_x=rounded_length(lens.focal_point.x),
            focal_y=rounded_length(lens.focal_point.y),
            principal_x=rounded_length(lens.principal_point.x),
            principal_y=rounded_length(lens.principal_point.y),
        )
    return FocusedBundle(
        best_focus=best,
        focal_length=focal_length,
        rank=rank,
        source=source_names(light, bundle.rows),
        surfaces=surfaces,
        rays=len(bundle.rows),
        power=bundle.power,
        wavelength=common_wavelength(light, bundle.rows),
        order=light.grating_order(first),
    )


def _focal_length_or_reason(
    light: Light, index: int, bundle: LeavingBundle
) -> tuple[CardinalPoints | None, str]:
    """The focal length for a bundle and an empty text; or None and the reason why there is none."""
    try:
        return cardinal_points_from_beam(ObjectBeam(light, index, bundle)), ""
    except NoFocus as error:
        return None, str(error)


FOCUS = AnalysisTool(
    function=focus,
    asks="focus of the light behind {object_name}",
    questions=(
        "Where is the focus of {object_name:lens} [best behind point]?",
        "Where do the rays cross behind {object_name:lens} [converge meet focus]?",
    ),
    limits={"bundle": "max_bundles"},
    fits=True,
    offered="always",
    brief=(
        "Find the best focus of the light after a lens, mirror, glass or grating, with the spot "
        "there and the focal length, for at most max_bundles bundles."
    ),
)


SLANTED = 1e-3
"""Sine of the angle to the optical axis from which a distance along the beam says so."""
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

    For the strongest bundle of each source, and of single rays together. object_distance is from
    the object point to the first surface, image_distance from the last surface to the paraxial
    image (the paraxial focus), negative if virtual; the principal distances are from the principal
    planes. nominal_focal_length is that of the object alone in air; focal_length that for the light
    of the scene, if it arrives parallel. marginal_focus is where the outermost rays cross the
    middle one, spherical_aberration its distance from the paraxial image; focus is the best focus
    (least RMS width), focus_x and focus_y its coordinates. Distances are along the beam.
    angular_magnification is that of a telescope. Lenses that form the image together are named by
    their group or module instance.

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
    light = Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    leaving = distinct_integers(*(b.rows for b in light.bundles(index)))
    indices = [i for i in np.unique(light.result.source[leaving]).tolist() if i >= 0]
    if source_name:
        indices = [source_named(context.scene, source_name)[0]]
    strongest = [
        light.strongest_bundle(BundleChoice.LEAVING, index, i).rows
        for i in indices
        if any(b.power > 0 for b in light.bundles(index, i))
    ]
    nominal = measured_value(light, "nominal_focal_length", obj)
    sources: list[SceneObject | None] = [context.scene.optical[i] for i in indices]
    if len(sources) > 1 and all(isinstance(source, SingleRay) for source in sources):
        sources = [None]  # single rays form an image together
    images = LazySequence.map_each(lambda source: _image_record(light, obj, source), sources)
    root = Images(
        image=images,
        object=obj.title,
        nominal_focal_length=nominal.value_or_none,
        no_nominal_focal_length=ABSENT if nominal.defined else nominal.reason,
        count=len(images),
    )
    sentence = _image_sentence(obj.title, images, context.unit)
    if nominal.defined:
        colour = wavelength_note(light, index)
        sentence += f"; nominal focal length {value_in_words(nominal.value)} {context.unit}"
        sentence += f" {colour}" * bool(colour)
    return Answer(root, sentence, context.result.ray_set(distinct_integers(*strongest)))


def _image_record(light: Light, obj: SceneObject | System, source: SceneObject | None) -> Image:
    of = (obj,) if source is None else (obj, source)
    values = values_by_measure(light, OF_THE_BUNDLE, *of)
    distance, magnification = values["image_distance"], values["magnification"]
    kind, reason = None, measured_value(light, "image_distance", *of).reason
    if distance is not None:
        kind = "real" if distance >= 0 else "virtual"
    elif measured_value(light, "vergence", *of).value == 0:
        kind, reason = "at infinity", ""
    upright = None if magnification is None else "upright" if magnification > 0 else "inverted"
    return Image(
        source=source.title if source is not None else "the single rays",
        kind=kind,
        orientation=upright,
        **values,
        reason=reason or None,
    )


def _image_sentence(name: str, images: Sequence[Image], unit: str) -> str:
    name = value_in_words(name)
    if not images:
        return f"No light leaves {name}"
    facts, source = images[0].attributes, value_in_words(images[0].source)
    if facts["kind"] is None:
        return f"{name} forms no image of {source}: {facts['reason']}".rstrip(".")
    if facts["kind"] == "at infinity":
        angular = facts["angular_magnification"]
        text = "" if angular is None else f"; angular magnification {value_in_words(angular)}"
        return f"{name} forms its image of {source} at infinity{text}"
    side = "after" if facts["kind"] == "real" else "before"
    text = (
        f"{name} forms a {facts['kind']} image of {source}"
        f" {value_in_words(abs(facts['image_distance']))} {unit} {side} its last surface"
    )
    if facts["magnification"] is not None:
        text += f", {facts['orientation']}, magnification {value_in_words(facts['magnification'])}"
    more = len(images) - 1
    return f"{text}; {count_with_noun(more, 'more source')} below" if more else text


IMAGE = AnalysisTool(
    function=image,
    asks="image that {object_name} forms",
    questions=(
        "Where is the image of {object_name:lens} [real virtual formed]?",
        "Where is the image of {source_name} [formed by {object_name:lens}]?",
        "Where does {source_name} appear [deep depth] [in {object_name:lens}]?",
        "Is the image of {object_name:lens} real or virtual [upright inverted]?",
    ),
    fits=True,
    offered="usually",
    brief=(
        "Locate the image that an object forms: distances, magnification, real or virtual, "
        "focal lengths, spherical aberration."
    ),
)


OF_THE_PUPILS = (
    "stop_width",
    "stop_fill",
    "entrance_pupil",
    "entrance_pupil_distance",
    "exit_pupil",
    "exit_pupil_distance",
    "f_number",
)
"""The measures that are reported."""


class Pupils(Root, tag="pupils"):
    object: str
    stop: str | None
    stop_width: float | None
    stop_fill: Share | None
    entrance_pupil: float | None
    entrance_pupil_distance: float | None
    exit_pupil: float | None
    exit_pupil_distance: float | None
    f_number: float | None
    reason: str | None


def pupils(object_name: str, source_name: str = "") -> Answer:
    """Find the aperture stop, the element that limits the light which leaves an object, and its
    images, the entrance and the exit pupil.

    The stop is what the light fills most among all that it meets or passes on its way. The entrance
    pupil is its image by the elements before it, at a distance along the light from the object's
    first surface; the exit pupil that by those after it, up to the object, at a distance from the
    object's last surface; both negative if they lie before that surface.

    Args:
        object_name: Name of the last lens, mirror or other object, or of a group of objects, taken
            as one.
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root pupils: stop (name of the object), its clear width and the share of it that is filled,
        widths and distances of the pupils, and the f-number for parallel light, as the measures of
        the same names; reason explains why a value is missing.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    source_index, source = source_named(context.scene, source_name) if source_name else (None, None)
    measured = {name: measured_value(light, name, obj, source) for name in OF_THE_PUPILS}
    values = {name: m.value_or_none for name, m in measured.items()}
    reasons = dict.fromkeys(
        m.reason for name, m in measured.items() if not m.defined and name != "f_number"
    )
    title = rays = None
    try:
        bundle = light.strongest_bundle(BundleChoice.LEAVING, index, source_index)
        assert isinstance(bundle, LeavingBundle)
        title = light.measurable_objects[
            cached_aperture_stop(ObjectBeam(light, index, bundle)).index
        ].title
        rays = context.result.ray_set(bundle.rows)
    except Undefined:
        pass  # the reason is reported
    root = Pupils(
        object=obj.title,
        stop=title,
        **values,
        reason=" ".join(reasons) or None,
    )
    if title is None:
        return Answer(root, str(root.reason).rstrip("."), rays)
    unit = context.unit
    words = [
        f"{value_in_words(title)} limits the light: clear width {value_in_words(values['stop_width'])} {unit},"
        f" {_percent_text(values['stop_fill'])} filled"
    ]
    for which, surface in (("entrance", "first"), ("exit", "last")):
        width, distance = values[f"{which}_pupil"], values[f"{which}_pupil_distance"]
        if width is not None and distance is not None:
            where = (
                f"{value_in_words(abs(distance))} {unit} {'before' if distance < 0 else 'behind'} the"
                f" {surface} surface"
                if distance
                else f"at the {surface} surface"
            )
            words.append(f"{which} pupil {value_in_words(width)} {unit} wide, {where}")
    note = bundle_note(light, bind_measure("entrance_pupil", obj, source))
    return Answer(
        root,
        "; ".join([*words, *(r.rstrip(".") for r in reasons)]) + (f" ({note})" if note else ""),
        rays,
    )


def _percent_text(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.3g} %"


PUPILS = AnalysisTool(
    function=pupils,
    asks="aperture stop and pupils of the light after {object_name}",
    questions=(
        "What limits the light behind {object_name:lens} [element object beam stop]?",
        "Which element is the aperture stop of {object_name:lens}?",
        "Where is the entrance pupil of {object_name:lens}?",
        "Where is the exit pupil of {object_name:lens}?",
    ),
    limit=0,
)
