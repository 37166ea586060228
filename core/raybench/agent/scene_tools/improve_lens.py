"""The tool ``improve_lens``, which optimises a lens system."""

import math
from collections.abc import Sequence
from dataclasses import replace

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import make_changes
from raybench.agent.scene_tools.edit_lens import Texts, lens_state_text
from raybench.agent.scene_tools.time_limit import STUDY_SECONDS, TimeLimit
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.lens.design import LensDesign, with_parameter
from raybench.lens.glass import ModelGlass, glass_material
from raybench.lens.glass_choice import choose_glasses, nearest_glasses
from raybench.lens.in_document import lens_design, set_design
from raybench.lens.merit import ImprovedLens, improve, merit_value, operand_states, search_widely
from raybench.lens.operands import Operand
from raybench.lens.parameters import parameter_value
from raybench.lens.prescription import ApertureKind
from raybench.lens.usual_merit import free_parameters, usual_operands, usual_variable
from raybench.lens.written import operand_text, read_operand, read_variable
from raybench.materials.catalogue import material_named
from raybench.materials.material import Material

TIME_LIMIT = 60.0
"""Time after which a search ends with what there is, without other words."""
WIDE_ROUNDS = 60
MOST_NEAREST, USUAL_NEAREST = 12, 6
"""Neighbours on the glass map that are tried for each glass: of given glasses at most, and of the
catalogue.
"""
LEAST_GAIN = 1e-6
"""The relative gain of the merit below which a lens stays as it is."""
BOUND_TOLERANCE = 1e-3
"""How far a quantity may be beyond a bound that is reported as met."""
PARAMETER_KINDS = {
    "curvatures": "c",
    "thicknesses": "t",
    "distances": "t",
    "conics": "k",
    "glasses": "glass",
}
"""The words for all parameters of a kind that are free."""
_IMAGES = frozenset(
    {"ray heights", "path differences", "rms spot", "rms wavefront", "mtf", "spherical", "coma"}
)
"""Operands of the quality of the image, in place of the usual one."""
_SIZES = frozenset({"focal length", "power", "magnification"})
"""Operands of the size of the lens, in place of the present one."""


@tool_context(
    offered="on demand",
    effect="edit",
    expose="both",
    needs="scene",
    timeout_s=STUDY_SECONDS,
    asks=lambda a: f"improve the lens system {value_in_words(a.get('lens') or '')}".rstrip(),
)
async def improve_lens(
    ctx: ToolContext,
    lens: str = "",
    want: Texts | None = None,
    vary: Texts | None = None,
    glasses: Texts | None = None,
    wide: bool = False,
    seconds: float = TIME_LIMIT,
) -> str:
    """Optimise a lens system by damped least squares, and set the best lens found.

    A lens that was not optimised before should have small spots of all fields and colours at its
    present focal length (of a near object the magnification), with bounds on centre and edge
    thicknesses that suit its size; all curvatures and distances vary that no link holds. Later
    calls keep what was wanted and varied before (merit of read_lens_xml). Aperture and fields are
    those of the lens: set them with edit_lens first. If the result is poor, try wide, or glasses.

    Args:
        lens: Name of the lens system; the only one if empty.
        want: What is wanted besides, or in its place: ["focal length = 100", "total length < 120",
            "rms spot of 1 weight 5", "edge thickness > 1", "distortion of 3 = 0 weight 100"]; "of"
            a field or surface, all without it. Others are ray heights (the usual spot), path
            differences, rms wavefront, mtf at 50, back focus, f-number, magnification, image
            distance, centre thickness, semi-diameter, chief height, tangential field, sagittal
            field, axial colour, lateral colour, and the Seidel sums spherical, coma, astigmatism,
            petzval, seidel distortion.
        vary: Parameters such as ["c1", "t2 = 1..8", "k3", "a1_4", "glass2"], or curvatures,
            thicknesses, conics, glasses for all of a kind. A last distance that a link holds at the
            paraxial focus stays there; links [] of edit_lens frees it for the best focus.
        glasses: Names among which to choose the glasses that vary, all if vary names none; ["all"]
            for the catalogue. May take minutes.
        wide: Search all over the bounds, not only from the present lens; uses all seconds.
        seconds: Ends after this time with the best so far; at most 280.
    """
    document = ctx.document
    start = with_search(lens_design(document, lens), want or (), vary or (), choose=bool(glasses))
    limit = TimeLimit(ctx, seconds)
    stop, begun = limit.is_over, merit_value(start)
    catalogue = [material_named(n) for n in glasses or () if n != "all"]
    varied = [v.parameter for v in start.variables if v.parameter.startswith("glass")]
    best, evaluations = _with_nearest_glasses(start, varied, catalogue), 0

    def report(found: ImprovedLens) -> None:
        ctx.progress(None, words=f"merit {found.merit:.4g}, {found.evaluations} lenses")

    if wide:
        found = search_widely(best, rounds=WIDE_ROUNDS, stop=stop, progress=report)
        best, evaluations = found.design, found.evaluations
    if varied:
        nearest = min(len(catalogue), MOST_NEAREST) or USUAL_NEAREST
        found = choose_glasses(best, catalogue or None, nearest=nearest, stop=stop, progress=report)
    else:
        found = improve(best, stop=stop, progress=report)
    best, evaluations = (
        _with_catalogue_names(found.design, catalogue),
        evaluations + found.evaluations,
    )
    after = merit_value(best)
    told = f"Merit {begun:.4g} -> {after:.4g}, 0 is perfect; {evaluations} lenses evaluated"
    ended = "; it ended by the time, more may be found" if limit.is_over() else ""
    if not after < begun * (1 - LEAST_GAIN):
        return f"{told}{ended}. No better lens was found: nothing is changed. {_wanted_text(start, start)}"
    done = await make_changes(ctx, (set_design(document, lens, best),))
    return " ".join(
        [
            f"{told}{ended}.",
            _wanted_text(start, best),
            done,
            lens_state_text(best.system),
        ]
    )


def _with_nearest_glasses(
    design: LensDesign, names: Sequence[str], catalogue: Sequence[Material]
) -> LensDesign:
    """The design in which the glass parameters ``names`` have the nearest glasses of a catalogue.
    Unchanged if the catalogue is empty.
    """
    for name in names if catalogue else ():
        glass = parameter_value(design.system, name)
        assert isinstance(glass, str | ModelGlass | Material)
        material = glass_material(glass)
        if material not in catalogue:
            (near,) = nearest_glasses(glass, catalogue, 1)
            design = with_parameter(design, name, near)
    return design


def _with_catalogue_names(design: LensDesign, catalogue: Sequence[Material]) -> LensDesign:
    """The design in which glasses of the catalogue are given by name."""
    surfaces = tuple(
        replace(s, glass=s.glass.name)
        if s.glass in catalogue and isinstance(s.glass, Material)
        else s
        for s in design.system.surfaces
    )
    return replace(design, system=replace(design.system, surfaces=surfaces))


def with_search(
    design: LensDesign, want: Sequence[str], vary: Sequence[str], *, choose: bool
) -> LensDesign:
    """The design with operands read from the texts ``want`` and variables read from ``vary``. Where
    the texts say nothing, those of the design are kept, or else `usual_operands` are used.
    ``choose`` lets all glasses vary if no text names one. Raises InvalidLensText, InvalidMerit or
    InvalidPrescription.
    """
    own = [read_operand(text) for text in want]
    usual = design.operands or usual_operands(design)
    is_pupil = design.system.aperture.kind is ApertureKind.PUPIL
    kinds = (_IMAGES, _SIZES | {"f-number"} if is_pupil else _SIZES)
    operands = [o for o in usual if not any(_is_replacement_for(new, o, kinds) for new in own)]
    names = list(vary)
    if choose and not any(name.startswith("glass") for name in names):
        names.append("glasses")
    only_glasses = bool(names) and all(name.startswith("glass") for name in names)
    if only_glasses or not (names or design.variables):
        names = ["curvatures", "thicknesses", *names]
    texts = [n for name in names for n in _named_parameters(design, name)]
    read = [read_variable(text) for text in texts]
    variables = [
        v if "=" in text else usual_variable(design, v.parameter)
        for text, v in zip(texts, read, strict=True)
    ]
    new = replace(design, operands=(*own, *operands))
    return replace(new, variables=tuple(variables)) if names else new


def _named_parameters(design: LensDesign, name: str) -> Sequence[str]:
    kind = PARAMETER_KINDS.get(name.strip().lower())
    if kind is None:
        return [name]
    found = free_parameters(design, kind)
    if not found:
        raise RaybenchError(f"No {name} of the lens are free. Remove links, or vary others.")
    return found


def _is_replacement_for(new: Operand, usual: Operand, kinds: Sequence[frozenset[str]]) -> bool:
    """Whether a new operand replaces a usual one: both have the same quantity, or their quantities
    are in the same set of ``kinds``.
    """
    if new.quantity == usual.quantity and new.at in (None, usual.at):
        return True
    return any({new.quantity, usual.quantity} <= kind for kind in kinds)


def _wanted_text(before: LensDesign, after: LensDesign) -> str:
    """The operands with their values before and after. Bounds that hold are only counted."""
    parts, kept = [], 0
    states = zip(operand_states(before), operand_states(after), strict=True)
    for operand, (old, new) in zip(
        after.operands, ((a.values, b.values) for a, b in states), strict=True
    ):
        is_bound = math.isfinite(operand.least) or math.isfinite(operand.most)
        if (
            is_bound
            and (
                (operand.least - BOUND_TOLERANCE < new) & (new < operand.most + BOUND_TOLERANCE)
            ).all()
        ):
            kept += 1
            continue
        several = len(new) > 6
        texts = [
            f"{abs(v).max():.4g}" if several else " ".join(f"{x:.6g}" for x in v)
            for v in (old, new)
        ]
        missed = "not held: " * is_bound
        parts.append(f"{missed}{operand_text(operand)}: {'largest ' * several}{' -> '.join(texts)}")
    if kept:
        parts.append(f"{kept} bounds are kept")
    return f"Wanted: {'; '.join(parts)}."
