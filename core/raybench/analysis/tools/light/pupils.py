"""Which element limits the light, and where are the pupils?"""

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import of_which_bundle
from raybench.analysis.answers.record import Root, Share
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import bound_to, value_of
from raybench.analysis.measures.families.pupil import stop_of
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Takes, Undefined
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import in_quotes
from raybench.trace.results.ray_set import RaySet

READ = (
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
    light = Light.of_context(context)
    index, obj = light.met_named(object_name)
    source_index, source = source_named(context.scene, source_name) if source_name else (None, None)
    measured = {name: value_of(light, name, obj, source) for name in READ}
    values = {name: m.known for name, m in measured.items()}
    reasons = dict.fromkeys(
        m.reason for name, m in measured.items() if not m.defined and name != "f_number"
    )
    title = rows = None
    try:
        bundle = light.strongest(Takes.LEAVING, index, source_index)
        assert isinstance(bundle, LeavingBundle)
        title, rows = (
            light.things[stop_of(ObjectBeam(light, index, bundle)).index].title,
            bundle.rows,
        )
    except Undefined:
        pass  # the reason is reported
    root = Pupils(
        object=obj.title,
        stop=title,
        **values,
        reason=" ".join(reasons) or None,
        context=context,
    )
    rays = (
        None
        if rows is None
        else RaySet(rows, f"light after {in_quotes(obj.title)}", context.result.revision)
    )
    if title is None:
        return Answer(root, str(root.reason).rstrip("."), rays)
    unit = context.unit
    words = [
        f"{in_words(title)} limits the light: clear width {in_words(values['stop_width'])} {unit},"
        f" {_percent(values['stop_fill'])} filled"
    ]
    for which, surface in (("entrance", "first"), ("exit", "last")):
        width, distance = values[f"{which}_pupil"], values[f"{which}_pupil_distance"]
        if width is not None and distance is not None:
            where = (
                f"{in_words(abs(distance))} {unit} {'before' if distance < 0 else 'behind'} the"
                f" {surface} surface"
                if distance
                else f"at the {surface} surface"
            )
            words.append(f"{which} pupil {in_words(width)} {unit} wide, {where}")
    note = of_which_bundle(light, bound_to("entrance_pupil", obj, source))
    return Answer(
        root,
        "; ".join([*words, *(r.rstrip(".") for r in reasons)]) + (f" ({note})" if note else ""),
        rays,
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.3g} %"


TOOL = AnalysisTool(
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
