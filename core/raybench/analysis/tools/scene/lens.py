"""The tool that reads a lens system: prescription, first-order properties and aberrations."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.record import ABSENT, Record, Root, Share, none_if_nan
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.context import require_context
from raybench.analysis.question import Question
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError
from raybench.lens.clearance import clear_semi_diameters, edge_thicknesses
from raybench.lens.design import LensDesign
from raybench.lens.glass import AIR, glass_name
from raybench.lens.in_document import lens_design, lens_part
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import FieldKind, Prescription
from raybench.lens.report import FieldReport, LensReport, lens_summary, report_lens
from raybench.lens.written import aperture_text, link_texts, operand_text
from raybench.scene.document import Document

Shown = Literal["all", "prescription", "first order", "aberrations", "seidel"]


class LensSurface(Record, tag="surface"):
    """A lens surface. A plane has no radius. ``edge`` is the thickness behind the surface at the
    rim. ``semi_diameter`` is the given one or, by default, as large as the light needs.
    """

    number: int
    stop: bool | None
    radius: float | None
    thickness: float
    glass: str | None
    semi_diameter: float
    conic: float | None
    aspheric: str | None
    edge: float | None


class LensSeidel(Record, tag="seidel"):
    """The Seidel sums of one surface, or of all surfaces."""

    surface: str
    spherical: float
    coma: float
    astigmatism: float
    petzval: float
    distortion: float
    axial_colour: float
    lateral_colour: float


class LensFirstOrder(Record, tag="first_order"):
    """First-order properties. Back focus, image and exit pupil are measured from the last vertex,
    front focus and entrance pupil from the first.
    """

    focal_length: float | None
    f_number: float | None
    back_focus: float | None
    front_focus: float | None
    image: float | None
    magnification: float | None
    image_na: float | None
    entrance_pupil: float | None
    entrance_diameter: float | None
    exit_pupil: float | None
    exit_diameter: float | None


class LensField(Record, tag="field"):
    """The aberrations of a field. The tangential and the sagittal image of a narrow pencil are
    measured from the image surface. ``wavefront`` is the RMS error in wavelengths, relative to the
    best sphere.
    """

    value: float
    height: float | None
    rms_spot: float | None
    transverse: float | None
    wavefront: float | None
    distortion: float | None
    tangential: float | None
    sagittal: float | None
    lateral_colour: float | None
    open_pupil: Share


class LensReadout(Root, tag="lens"):
    """The description of a lens system. ``best_focus`` of all fields is measured from the image
    surface.
    """

    surface: Sequence[LensSurface]
    first_order: LensFirstOrder = ABSENT
    field: Sequence[LensField]
    seidel: Sequence[LensSeidel]
    link: Sequence[Leaf]
    merit: Sequence[Leaf]
    name: str
    aperture: str
    field_kind: str
    fields: str
    wavelengths: str
    object_distance: float | None
    image_radius: float | None
    axial_colour: float | None = ABSENT
    longitudinal: float | None = ABSENT
    best_focus: float | None = ABSENT


def read_lens(lens_name: str = "", show: Shown = "all") -> Answer:
    """Read a lens system, a lens with a prescription: its surfaces with edge thicknesses, links and
    what its merit wants; its first order; its aberrations by field; its Seidel sums by surface.

    It is computed from the prescription, whatever light there is on the bench. A radius is positive
    if the centre is to the right; parameters are named r1, t1, glass1 and so on.

    Args:
        lens_name: Name of the lens system; empty for the only one.
        show: A part alone: prescription, first order, aberrations, or seidel, which all omits.

    Returns:
        Root lens. Lengths are in scene units; distortion is relative.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If lens_name doesn't match; the message lists the lens systems.
    """
    context = require_context()
    document = context.state
    if not isinstance(document, Document):
        raise RaybenchError("The active scene has no lens system: open a document that has one.")
    design = lens_design(document, lens_name)
    system = replace(design.system, unit=document.unit)
    name = document.part_name(lens_part(document, lens_name))
    first, unit = first_order(system), document.unit

    def wants(part: Shown) -> bool:
        return show == part or (show == "all" and part != "seidel")

    report = report_lens(system) if wants("aberrations") or wants("seidel") else None
    extra: dict[str, Any] = {}
    if wants("first order"):
        extra["first_order"] = _first_order_record(first)
    if wants("aberrations") and report:
        extra |= {
            "axial_colour": none_if_nan(report.axial_colour),
            "longitudinal": none_if_nan(report.longitudinal),
            "best_focus": none_if_nan(report.best_focus),
        }
    root = LensReadout(
        surface=_surface_records(system) if wants("prescription") else [],
        field=[_field_record(f) for f in report.fields] if wants("aberrations") and report else [],
        seidel=_seidel_sums(report) if wants("seidel") and report else [],
        link=[Leaf("link", text) for text in link_texts(design)] if wants("prescription") else [],
        merit=[Leaf("merit", operand_text(o)) for o in design.operands]
        if wants("prescription")
        else [],
        name=name,
        aperture=aperture_text(system.aperture),
        field_kind=system.field_kind.value,
        fields=" ".join(f"{f.value:g}" for f in system.fields),
        wavelengths=" ".join(f"{w.value:.7g}" for w in system.wavelengths),
        object_distance=_none_if_infinite(system.object_distance),
        image_radius=_none_if_infinite(system.image_radius),
        **extra,
    )
    parts = [f"{value_in_words(name)}: {lens_summary(system)}"]
    if wants("prescription") and show != "all":
        parts.append(_rows_sentence(design))
    if show == "first order":
        parts.append(
            f"back focus {first.back_focus:.6g}, image {first.image:.6g}, entrance pupil"
            f" {first.entrance_diameter:.6g} wide at {first.entrance_pupil:.6g}, exit pupil"
            f" {first.exit_diameter:.6g} wide at {first.exit_pupil:.6g} {unit}"
        )
    if wants("aberrations") and report:
        parts += _aberration_sentences(system, report)
    if show == "seidel" and report:
        sums = root.seidel[-1]
        parts.append(
            f"Seidel sums: spherical {sums.spherical:.4g}, coma {sums.coma:.4g}, astigmatism"
            f" {sums.astigmatism:.4g}, Petzval {sums.petzval:.4g}, distortion {sums.distortion:.4g},"
            f" axial colour {sums.axial_colour:.4g}, lateral colour {sums.lateral_colour:.4g} {unit}"
        )
    return Answer(root, "; ".join(parts))


def _none_if_infinite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _rounded_or_none(value: float) -> float | None:
    return none_if_nan(round(value, 12))


def _surface_records(system: Prescription) -> list[LensSurface]:
    edges = (*edge_thicknesses(system), math.nan)
    halves = clear_semi_diameters(system)
    return [
        LensSurface(
            number=i,
            stop=True if i - 1 == system.stop else None,
            radius=_none_if_infinite(s.radius),
            thickness=s.thickness,
            glass="mirror" if s.is_mirror else None if s.glass == AIR else glass_name(s.glass),
            semi_diameter=half,
            conic=s.conic or None,
            aspheric=" ".join(f"y^{2 * j + 2}: {a:g}" for j, a in enumerate(s.aspheric) if a)
            or None,
            edge=none_if_nan(edge),
        )
        for i, (s, half, edge) in enumerate(zip(system.surfaces, halves, edges, strict=True), 1)
    ]


def _first_order_record(first: FirstOrder) -> LensFirstOrder:
    names = list(LensFirstOrder.__annotations__)
    return LensFirstOrder(**{name: _none_if_infinite(getattr(first, name)) for name in names})


def _field_record(report: FieldReport) -> LensField:
    return LensField(
        value=report.field,
        height=none_if_nan(report.height),
        rms_spot=none_if_nan(report.rms_spot),
        transverse=none_if_nan(report.transverse),
        wavefront=none_if_nan(report.rms_wavefront),
        distortion=none_if_nan(report.distortion),
        tangential=_rounded_or_none(report.tangential),
        sagittal=_rounded_or_none(report.sagittal),
        lateral_colour=none_if_nan(report.lateral_colour),
        open_pupil=report.open_pupil,
    )


def _seidel_sums(report: LensReport) -> list[LensSeidel]:
    """The Seidel sums of each surface, and then of all surfaces."""
    columns = vars(report.seidel)
    count = len(report.seidel.spherical)
    rows = [
        LensSeidel(surface=str(i + 1), **{name: float(c[i]) for name, c in columns.items()})
        for i in range(count)
    ]
    total = {name: float(c.sum()) for name, c in columns.items()}
    return [*rows, LensSeidel(surface="all", **total)]


def _rows_sentence(design: LensDesign) -> str:
    system = design.system
    rows = []
    for i, s in enumerate(system.surfaces, 1):
        radius = "plane" if math.isinf(s.radius) else f"{s.radius:.6g}"
        glass = "mirror" if s.is_mirror else "" if s.glass == AIR else glass_name(s.glass)
        rows.append(
            f"{i}{' stop' * (i - 1 == system.stop)}: {radius} {s.thickness:.6g} {glass}".rstrip()
        )
    return "radius, thickness and glass of each surface: " + ", ".join(rows)


def _aberration_sentences(system: Prescription, report: LensReport) -> list[str]:
    angle = "°" if system.field_kind is FieldKind.ANGLE else f" {system.unit}"
    last = max(report.fields, key=lambda f: abs(f.field))

    def listed(values: list[float]) -> str:
        return " ".join(f"{v:.4g}" for v in values)

    return [
        f"RMS spot {listed([f.rms_spot for f in report.fields])} {system.unit} in the fields"
        f" {listed([f.field for f in report.fields])}{angle}",
        f"at {last.field:g}{angle} distortion {100 * last.distortion:.3g} %, tangential focus"
        f" {last.tangential:+.4g} and sagittal {last.sagittal:+.4g} {system.unit}, lateral colour"
        f" {last.lateral_colour:.3g} {system.unit}",
        f"axial colour {report.axial_colour:.4g} {system.unit}",
    ]


TOOL = AnalysisTool(
    function=read_lens,
    asks="lens system [{lens_name}]",
    questions=(
        Question(
            "What are the aberrations of {lens_name} [coma astigmatism curvature]?",
            {"show": "aberrations"},
        ),
        Question(
            "What is the prescription of {lens_name} [surfaces rows]?",
            {"show": "prescription"},
        ),
        Question("What are the Seidel sums of {lens_name}?", {"show": "seidel"}),
    ),
    fits=True,
    needs_light=False,
)
