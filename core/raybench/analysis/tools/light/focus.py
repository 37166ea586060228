"""Where does light come to a focus?"""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import of_which_bundle, sources_of, wavelength_of
from raybench.analysis.answers.page import check_count, fit_element
from raybench.analysis.answers.path_elements import PathWriter, light_of
from raybench.analysis.answers.record import ABSENT, Degrees, Integer, Positive, Record, Root
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import bound_to, known_of_beam, value_of
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Unit
from raybench.analysis.measures.paraxial import cardinal_of
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.bundle import Cardinal, NoFocus
from raybench.analysis.rays.leaving_light import LeavingBundle, focus_or_reason
from raybench.analysis.scene.objects import System
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import in_quotes
from raybench.kinds.object import SceneObject
from raybench.trace.codes import Interaction


class BestFocus(Record):
    """Where the RMS width of a bundle is least, or the reason why there is no such place."""

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


def focus(object_name: str, max_bundles: int = 5) -> Answer:
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

    Returns:
        Root focus: for each bundle its sources, the surfaces it met, its diffraction order, its
        best focus with the distance from the last surface, the root mean square radius and the full
        width of the spot, and focal length, focal point and principal point; or the reason why
        there is none.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match, or max_bundles is invalid; the message lists the
            existing names.
    """
    check_count("max_bundles", max_bundles)
    context = require_context()
    result, light = light_of(context), Light.of_context(context)
    index, obj = light.met_named(object_name)
    all_bundles = [b for b in light.bundles(index) if len(b.rows) > 1]
    nominal = value_of(light, "nominal_focal_length", obj)
    writer = PathWriter(context, result)
    bundles = [
        _bundle_record(writer, light, index, rank, bundle)
        for rank, bundle in enumerate(all_bundles[:max_bundles], 1)
    ]

    def root(count: int) -> Focus:
        return Focus(
            bundle=bundles[:count],
            object=obj.title,
            bundles=len(all_bundles),
            shown=count,
            nominal_focal_length=nominal.known,
            context=context,
        )

    found = fit_element(root, len(bundles))
    leaving = np.zeros(len(result), bool)
    for bundle in all_bundles[: found.shown]:
        leaving[bundle.rows] = True
    rays = result.ray_set(leaving, f"rays leaving {in_quotes(obj.title)}")
    return Answer(found, _focus_sentence(light, obj, all_bundles, nominal), rays)


def _focus_sentence(
    light: Light, obj: SceneObject | System, bundles: Sequence[LeavingBundle], nominal: Measured
) -> str:
    """The best focus of the strongest bundle, or the reason why there is none."""
    name, unit = in_words(obj.title), light.unit
    length = f", nominal focal length {in_words(nominal.value)} {unit}" if nominal.defined else ""
    if not bundles:
        return f"No bundle of rays leaves {name}{length}"
    spot, reason = focus_or_reason(bundles[0])
    note = of_which_bundle(light, bound_to("focus", obj))
    which = f" ({note})" if note else ""
    if spot is None:
        return f"No focus behind {name}: {reason}".rstrip(".") + length + which
    distance = (
        known_of_beam(ObjectBeam(light, light.index_by_key[obj.key], bundles[0]), "focus") or 0.0
    )
    side = "after" if distance >= 0 else "before"
    where = (
        f"{in_words(abs(distance))} {unit} {side} the last surface of {name}"
        if distance
        else f"on the last surface of {name}"
    )
    at = (
        f"({in_words(light.without_noise(spot.point.x, Unit.LENGTH))},"
        f" {in_words(light.without_noise(spot.point.y, Unit.LENGTH))}) {unit}"
    )
    radius = light.without_noise(spot.rms, Unit.LENGTH)
    lens, _ = _lens_or_reason(light, light.index_by_key[obj.key], bundles[0])
    if lens is not None:
        length = f", focal length {in_words(lens.focal_length)} {unit}"
    return (
        f"{'Best' if spot.real else 'Virtual'} focus {where}{which}, at {at}: RMS radius"
        f" {in_words(radius)} {unit}{length}"
    )


def _bundle_record(
    writer: PathWriter, light: Light, index: int, rank: int, bundle: LeavingBundle
) -> FocusedBundle:
    result = bundle.result
    first = int(bundle.rows[0])

    def length(value: float) -> float:
        return light.without_noise(value, Unit.LENGTH)

    several = len(np.unique(result.source[bundle.rows])) > 1
    surfaces = (
        f"{writer.surfaces(int(result.parent[first]), of_any_source=several)}"
        f" ({Interaction(result.interaction[first]).word})"
    )
    spot, why_no_spot = focus_or_reason(bundle)
    lens, why_no_lens = _lens_or_reason(light, index, bundle)
    best = BestFocus(reason=why_no_spot)
    if spot is not None:
        x, y = spot.axis
        best = BestFocus(
            distance=known_of_beam(ObjectBeam(light, index, bundle), "focus"),
            x=length(spot.point.x),
            y=length(spot.point.y),
            virtual=not spot.real,
            rms_radius=length(spot.rms),
            width=length(spot.width),
            axis_angle=round(math.degrees(math.atan2(-y, x)), 9) % 360.0,
        )
    focal_length = FocalLength(reason=why_no_lens)
    if lens is not None:
        focal_length = FocalLength(
            length=lens.focal_length,
            focal_x=length(lens.focal_point.x),
            focal_y=length(lens.focal_point.y),
            principal_x=length(lens.principal_point.x),
            principal_y=length(lens.principal_point.y),
        )
    return FocusedBundle(
        best_focus=best,
        focal_length=focal_length,
        rank=rank,
        source=sources_of(light, bundle.rows),
        surfaces=surfaces,
        rays=len(bundle.rows),
        power=bundle.power,
        wavelength=wavelength_of(light, bundle.rows),
        order=light.order(first),
    )


def _lens_or_reason(light: Light, index: int, bundle: LeavingBundle) -> tuple[Cardinal | None, str]:
    """The focal length and an empty text, or None and the reason why there is none."""
    try:
        return cardinal_of(ObjectBeam(light, index, bundle)), ""
    except NoFocus as error:
        return None, str(error)


TOOL = AnalysisTool(
    function=focus,
    asks="focus of the light behind {object_name}",
    questions=(
        "Where is the focus of {object_name:lens} [best behind point]?",
        "Where do the rays cross behind {object_name:lens} [converge meet focus]?",
    ),
)
