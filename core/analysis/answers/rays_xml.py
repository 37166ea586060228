"""Segments as XML: one ``<ray>`` each, in the element order that readers of these answers rely on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from core.analysis.answers.xml_answer import HEADER, UNITS, attribute, element, provenance
from core.analysis.context import TracedScene
from core.analysis.rays.ray_facts import degree_of_polarization, polarization_ratio
from core.trace.codes import Flag, Interaction, Status
from core.trace.results.result import RaySet, Segments, TraceResult

EdgeName = Callable[[int, int], str]
"""The label of an edge, from the optical object's index and the edge's."""


def rays_to_xml(
    segments: Iterable[Any],
    precision_coords: int = 4,
    precision_brightness: int = 6,
    *,
    unit: str = "mm",
    edge_name: EdgeName | None = None,
) -> str:
    """Segments as an XML document with the root ``<rays count="N">``.

    ``segments`` are `Segments` of a result, or anything `TraceResult.from_segments` reads. Lengths are in ``unit``, powers in the
    scene's units, wavelengths in nm. An escaping ray's length is ``inf``; its ``p2`` is another point on it.
    """
    if not isinstance(segments, Segments):
        segments = TraceResult.from_segments(segments).segments
    about = {"revision": segments.result.revision, "unit": unit, **UNITS}
    return _document(segments, precision_coords, precision_brightness, about, edge_name)


def rays_answer(context: TracedScene, rays: RaySet) -> str:
    """What a query found, noted in the context and written as XML."""
    context.note(rays)
    return _document(Segments(context.result, rays.rows), 4, 6, provenance(context), context.edge_title)


def _document(segments: Segments, coords: int, brightness: int, about: dict[str, Any], edge_name: EdgeName | None) -> str:
    result, rows = segments.result, segments.rows
    head = element("rays", count=len(rows), **about).removesuffix("/>") + ">"
    return "\n".join([HEADER, head, *_rays(result, rows, coords, brightness, edge_name), "</rays>"])


def _rays(result: TraceResult, rows: Any, coords: int, brightness: int, edge_name: EdgeName | None) -> Iterable[str]:
    p1, p2 = (np.round(p[rows], coords) + 0.0 for p in (result.p1, result.p2))
    power = result.power[rows]
    total = power.sum(axis=1)
    ratio = polarization_ratio(power)
    flags = result.flags[rows]
    tir_count = result.lineage.tir_count[rows]
    columns = zip(
        rows.tolist(), p1.tolist(), p2.tolist(), result.length[rows].tolist(), power.tolist(), total.tolist(), ratio.tolist(),
        degree_of_polarization(power).tolist(), result.wavelength[rows].tolist(), flags.tolist(), tir_count.tolist(),
        result.parent[rows].tolist(), result.interaction[rows].tolist(), result.status[rows].tolist(), result.source[rows].tolist(),
        result.hit[rows].tolist(), result.edge[rows].tolist(), strict=True,
    )  # fmt: skip
    names = [attribute(name) for name in result.object_names]
    interactions = [i.name.lower() for i in Interaction]
    statuses = [s.name.lower() for s in Status]
    ways: dict[tuple[int, int, int, int, int], str] = {}
    c, b, stem = coords, brightness, f"r{result.revision}-"
    for i, (row, a, z, length, (s, p), both, ps, dop, nm, flag, tirs, parent, how, status, source, hit, edge) in enumerate(columns):
        key = (how, source, hit, edge, status)
        if key not in ways:
            known = f" source={names[source]}" if 0 <= source < len(names) else ""
            if 0 <= hit < len(names):
                known += f" object={names[hit]}"
                if edge >= 0:
                    known += f" edge={attribute(edge_name(hit, edge) if edge_name else str(edge))}"
            ways[key] = f' interaction="{interactions[how]}"{known} status="{statuses[status]}"'
        of = f' parent="{stem}{parent}"' if parent >= 0 else ""
        out = (
            f'  <ray index="{i}" id="{stem}{row}"{of}{ways[key]}>\n'
            f'    <p1 x="{a[0]:.{c}f}" y="{a[1]:.{c}f}"/>\n'
            f'    <p2 x="{z[0]:.{c}f}" y="{z[1]:.{c}f}"/>\n'
            f"    <length>{length:.{c}f}</length>\n"
            f"    <brightness_s>{s:.{b}f}</brightness_s>\n"
            f"    <brightness_p>{p:.{b}f}</brightness_p>\n"
            f"    <brightness_total>{both:.{b}f}</brightness_total>\n"
            f"    <polarization_ratio>{ps:.{b}f}</polarization_ratio>\n"
            f"    <degree_of_polarization>{dop:.{b}f}</degree_of_polarization>\n"
        )
        if nm == nm:
            out += f"    <wavelength>{nm!r}</wavelength>\n"
        if flag & _GAP:
            out += "    <gap>true</gap>\n"
        if flag & _NEW:
            out += "    <is_new>true</is_new>\n"
        if tirs or flag & _ANY_TIR:
            out += _block("tir", [("is_tir_result", flag & _TIR), ("caused_tir", flag & _CAUSES_TIR)], tirs)
        if flag & _ANY_GRAZING:
            out += _block("grazing", [("is_grazing_result__angle", flag & _GRAZING), ("caused_grazing__angle", flag & _CAUSES_GRAZING)], 0)
        yield out + "  </ray>"


_GAP, _NEW, _TIR, _CAUSES_TIR = int(Flag.GAP), int(Flag.NEW), int(Flag.TIR), int(Flag.CAUSES_TIR)
_GRAZING, _CAUSES_GRAZING = int(Flag.GRAZING), int(Flag.CAUSES_GRAZING)
_ANY_TIR, _ANY_GRAZING = _TIR | _CAUSES_TIR, _GRAZING | _CAUSES_GRAZING


def _block(name: str, facts: list[tuple[str, int]], count: int) -> str:
    lines = [f"      <{fact}>true</{fact}>\n" for fact, holds in facts if holds]
    if count:
        lines.append(f"      <tir_count>{count}</tir_count>\n")
    return f"    <{name}>\n{''.join(lines)}    </{name}>\n"
