"""The tool ``edit_lens``, which makes or changes a lens system."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS, make_changes
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH
from raybench.kinds.kinds import kind_row_of
from raybench.lens.checks import check_lens
from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.columns import read_length_or_infinity
from raybench.lens.design import LensDesign, canonical_parameter, design_to_json, with_parameters
from raybench.lens.in_document import lens_design, lens_parts, set_design
from raybench.lens.operands import OPERANDS
from raybench.lens.parameters import Value
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import (
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Wavelength,
)
from raybench.lens.report import lens_summary, report_lens
from raybench.lens.rows import with_reversed_surfaces, with_scaled_lengths, without_links
from raybench.lens.written import Cell, read_aperture, read_links, system_from_rows
from raybench.scene.changes.change import Change
from raybench.scene.changes.presets import AddPreset
from raybench.scene.names import UnknownName
from raybench.schema.json_values import ListFromSingleItem
from raybench.shapes.point import Point

FieldWord = Literal["angle", "object height", "image height"]
_FIELD_KINDS = {
    "angle": FieldKind.ANGLE,
    "object height": FieldKind.OBJECT_HEIGHT,
    "image height": FieldKind.IMAGE_HEIGHT,
}
FASTEST = 0.5
"""The f-number of a sharp image of a far object at sin u' = 1, by the sine condition."""
Rows = Annotated[list[list[Cell]], ListFromSingleItem(list)]
Numbers = Annotated[list[float], ListFromSingleItem(float)]
Texts = Annotated[list[str], ListFromSingleItem(str)]


@tool_context(
    offered="on demand",
    effect="edit",
    expose="both",
    needs="scene",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: (
        f"{'prescription' if a.get('rows') else 'changes'} of the lens system"
        f" {value_in_words(a.get('lens') or '')}".rstrip()
    ),
)
async def edit_lens(
    ctx: ToolContext,
    lens: str = "",
    rows: Rows | None = None,
    stop: int | None = None,
    aperture: str = "",
    fields: Numbers | None = None,
    field_kind: FieldWord | None = None,
    wavelengths: Numbers | None = None,
    object_distance: float | Literal["inf"] | None = None,
    values: dict[str, Any] | None = None,
    links: Texts | None = None,
    focal_length: float | None = None,
    reverse: bool = False,
    x: float = 0.0,
    y: float = 0.0,
) -> str:
    """Make a lens system by its prescription, or change one; light goes along +x. A new one gets
    sources for its fields if the scene has no other, and a detector at its image.

    Rows such as [[61, 6, "N-BK7"], [-45, 2.5, "N-SF5"], [-130, 97]] make a whole lens; other
    arguments change what they name. read_lens_xml reads a lens, improve_lens optimises it. The
    order is: rows, values and the rest, reverse, links, focal_length.

    Args:
        lens: Name of the lens system; the only one if empty. A new name together with rows makes a
            new one.
        rows: All surfaces, each [radius, thickness, glass, semi-diameter]: radius null for a plane,
            positive if the centre is to the right; thickness to the next surface, the last to the
            image; glass behind it, null for air, or "1.62/36.4" (n_d/V_d), or "mirror";
            semi-diameter null for as large as the light needs. Other columns by a first row of
            headings, as patents have them: ["radius", "thickness", "nd", "vd", "conic", "y^4"].
            Links of an earlier lens end.
        stop: Number of the stop's surface, from 1.
        aperture: F/5 (focal length over entrance pupil), pupil 20, NA 0.1 (of the object), or stop.
        fields: Angles in degrees of the fields, such as [0, 7, 10]; or heights, see field_kind.
        field_kind: What fields are.
        wavelengths: In nm, the primary one first.
        object_distance: From the object to the first surface, or inf.
        values: Parameters by name: r1 radius, c1 curvature, t1 thickness behind surface 1, glass1,
            semi1, k1 conic constant, a1_4 coefficient of y^4, field2, aperture, imageRadius.
            {"semi": null} frees all semi-diameters. A value ends a link that holds it.
        links: All links, in place of the present ones: pickups "r4 = -r1", "t5 = 2 t1 + 3",
            "glass5 = glass1"; solves "t6 = focus" (the image at the paraxial focus), "c6 = focal
            length 100", "c6 = slope -0.1" (of the marginal ray behind it), "t2 = edge 1".
        focal_length: Scales all lengths of the lens, so that it has this focal length.
        reverse: Turns the lens round, first surface last; links of what is turned are removed.
        x: Where the first vertex of a new lens goes.
        y: Height of a new lens's axis, downwards.
    """
    document = ctx.document
    known = lens_parts(document)
    is_new = rows is not None and lens not in known and bool(lens or not known)
    if not (known or is_new):
        raise UnknownName("The scene has no lens system. Give rows to make one.")
    design = None if is_new else lens_design(document, lens)
    if rows is not None:
        design = _design_of_rows(system_from_rows(rows, document.unit), design)
    assert design is not None
    count = len(design.system.surfaces)
    whole: dict[str, Any] = {"unit": document.unit}
    if stop is not None:
        if not 1 <= stop <= count:
            raise InvalidPrescription(
                f"stop is {stop}; give the number of a surface, 1 to {count}."
            )
        whole["stop"] = stop - 1
    if aperture:
        whole["aperture"] = read_aperture(aperture)
    if fields is not None:
        whole["fields"] = tuple(Field(float(f)) for f in fields)
    if field_kind is not None:
        whole["field_kind"] = _FIELD_KINDS[field_kind]
    if wavelengths is not None:
        whole |= {"wavelengths": tuple(Wavelength(float(w)) for w in wavelengths), "primary": 0}
    if object_distance is not None:
        whole["object_distance"] = float(object_distance)
    given = _parameters(values or {}, count, document.unit)
    if links is not None:
        design = replace(design, pickups=(), solves=())
    design = replace(without_links(design, given), system=replace(design.system, **whole))
    if given:
        design = with_parameters(design, given)
    if reverse:
        design = with_reversed_surfaces(design, 0, count - 1)
    if links is not None:
        pickups, solves = read_links(links)
        held = {
            canonical_parameter(x)
            for x in (*(p.parameter for p in pickups), *(s.parameter for s in solves))
        }
        left = tuple(v for v in design.variables if canonical_parameter(v.parameter) not in held)
        design = replace(design, pickups=pickups, solves=solves, variables=left)
    if focal_length is not None:
        now = first_order(design.system).focal_length
        design = _scaled_design(design, focal_length / now if math.isfinite(now) else math.nan)
    if is_new:
        change: Change = AddPreset(
            "CentredLens",
            {
                "design": design_to_json(design),
                "sources": all(kind_row_of(o).emits is None for o in document.scene.objects),
            },
            Point(x, y),
            as_=lens,
        )
    elif design == lens_design(document, lens):
        raise RaybenchError("Nothing is changed: the lens is so already. Say what it should be.")
    else:
        change = set_design(document, lens, design)
    return f"{await make_changes(ctx, (change,))} {lens_state_text(design.system)}"


def _design_of_rows(rows: Prescription, before: LensDesign | None) -> LensDesign:
    """A design with these surfaces, and with aperture, fields and wavelengths of the design
    ``before``. Links, operands and variables are removed, since they refer to surface numbers.
    """
    if before is None:
        return LensDesign(rows)
    stop = min(before.system.stop, len(rows.surfaces) - 1)
    return LensDesign(replace(before.system, surfaces=rows.surfaces, stop=stop))


def _scaled_design(design: LensDesign, factor: float) -> LensDesign:
    """The design with all lengths, including those in its merit function, multiplied by a
    factor.
    """
    operands = tuple(
        replace(o, target=o.target * factor, least=o.least * factor, most=o.most * factor)
        if OPERANDS[o.quantity].unit == LENGTH
        else o
        for o in design.operands
    )
    return replace(with_scaled_lengths(design, factor), operands=operands)


def _parameters(values: Mapping[str, Any], count: int, unit: str) -> dict[str, Value]:
    """The parameter values by full name. A name without a number stands for all ``count`` surfaces,
    and a number written as text may have a unit.
    """
    found: dict[str, Value] = {}
    for name, value in values.items():
        every = name in {"semi", "k"}
        names = [f"{name}{i}" for i in range(1, count + 1)] if every else [name]
        if isinstance(value, str) and not name.startswith("glass"):
            value = read_length_or_infinity(name, value, unit)
        is_plane = value is None and name.startswith("r")
        found |= dict.fromkeys(names, math.inf if is_plane else value)
    return found


def lens_state_text(system: Prescription) -> str:
    """The state of a lens in a few sentences: first-order properties, spots, and problems."""
    text = f"Now: {lens_summary(system)}"
    checks = check_lens(system)
    if checks.first is None:
        return f"{text}. {' '.join(f.text for f in checks.findings)}"
    report = report_lens(system)
    spots = " ".join(f"{f.rms_spot:.4g}" for f in report.fields)
    waves = " ".join(f"{f.rms_wavefront:.3g}" for f in report.fields)
    values = " ".join(f"{f.field:g}" for f in report.fields)
    text += (
        f"; back focus {report.first_order.back_focus:.6g}, image distance"
        f" {system.surfaces[-1].thickness:.6g}, best focus {report.best_focus:+.4g} from there;"
        f" RMS spot {spots} {system.unit}, RMS wavefront {waves} wavelengths of the fields {values}."
    )
    if 0 < report.first_order.f_number <= FASTEST and math.isinf(system.object_distance):
        text += f" At f/{FASTEST:g} and below no image in air is sharp (sine condition)."
    needed = clear_semi_diameters(
        replace(system, surfaces=tuple(replace(s, semi_diameter=None) for s in system.surfaces))
    )
    small = [
        f"{i} ({s.semi_diameter:.4g}, needed {n:.4g})"
        for i, (s, n) in enumerate(zip(system.surfaces, needed, strict=True), 1)
        if s.semi_diameter is not None and s.semi_diameter < n * (1 - 1e-6)
    ]
    if small and any(f.open_pupil < 1 for f in report.fields):
        text += (
            f" Semi-diameters clip light of the fields at surfaces {', '.join(small)};"
            ' values {"semi": null} frees them.'
        )
    return " ".join([text, *(f.text for f in checks.findings)])
