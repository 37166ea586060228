"""Ray segments as XML, one ``<ray>`` each; the element order is part of the format."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.analysis.answers.answer import Answer, Element, element
from core.analysis.answers.words import rays_found
from core.analysis.answers.xml_answer import UNITS, attribute, document, provenance
from core.analysis.context import TracedScene
from core.analysis.rays.ray_facts import degree_of_polarization, polarization_ratio
from core.trace.codes import Flag
from core.trace.columns import Column, EdgeName, Reading, written
from core.trace.results.result import RaySet, Segment, Segments, TraceResult

ATTRIBUTES = written("xml", ("id", "parent_id", "interaction", "source_name", "object", "edge_label", "status"))


def rays_to_xml(
    segments: Iterable[Any],
    precision_coords: int = 4,
    precision_brightness: int = 6,
    *,
    unit: str = "mm",
    edge_name: EdgeName | None = None,
) -> str:
    """Segments as an XML document with the root ``<rays count="N">``.

    ``segments``: segments of a `TraceResult`, in any order, which keep their ids, parents and revision; or anything that
    `TraceResult.from_segments` accepts. ``edge_name`` maps (hit, edge) to an edge label, by default that of the result's scene. Lengths
    are in ``unit``, powers relative to the brightness of sources, wavelengths in nm. An escaping ray has length ``inf``; its ``p2`` is
    another point on it.
    """
    rows = segments_of(segments)
    about = {"revision": rows.result.revision, "unit": unit, **UNITS}
    names = edge_name or _edge_names(rows.result)
    return document(_root(RayRows(rows, names, precision_coords, precision_brightness), about))


def segments_of(segments: Iterable[Any]) -> Segments:
    """Segments as rows of their common result; otherwise as rows of a new result."""
    if isinstance(segments, Segments):
        return segments
    items = list(segments)
    if items and all(isinstance(item, Segment) and item.result is items[0].result for item in items):
        return Segments(items[0].result, np.array([item.row for item in items], np.int64))
    return TraceResult.from_segments(items).segments


def rays_answer(context: TracedScene, rays: RaySet, one: str, several: str) -> Answer:
    """The answer of a query for rays; ``one`` and ``several`` are the verb phrases of its sentence, see `rays_found`."""
    rows = RayRows(Segments(context.result, rays.rows), context.edge_title)
    return Answer(_root(rows, provenance(context)), rays_found(len(rays), one, several), rays)


def _root(rows: RayRows, about: Mapping[str, Any]) -> Element:
    return element("rays", rows, count=len(rows), **about)


def _edge_names(result: TraceResult) -> EdgeName | None:
    scene = result.scene
    return None if scene is None else TracedScene(scene, result, result.segments, result.lineage).edge_title


@dataclass(frozen=True, eq=False)
class RayRows:
    """Segments as ``ray`` elements of an answer: a `LazyListing`."""

    segments: Segments
    edge_name: EdgeName | None = None
    precision_coords: int = 4
    precision_brightness: int = 6
    tag: str = "ray"

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Element]:
        """The rays as elements without children, for a table."""
        for ray in self.values:
            p1, p2 = ray["p1"], ray["p2"]
            yield element(
                "ray", **{name: ray[name] for name in ("id", "interaction", "source", "object", "edge", "status")},
                x1=p1["x"], y1=p1["y"], x2=p2["x"], y2=p2["y"],
                length=ray["length"], power=ray["brightness_total"], wavelength=ray["wavelength"],
            )  # fmt: skip

    def first(self, count: int) -> RayRows:
        return replace(self, segments=self.segments[:count])

    @property
    def values(self) -> list[dict[str, Any]]:
        """One dict per ray, with the names used in the XML; values that do not apply are None, False or 0."""
        result, rows = self.segments.result, self.segments.rows
        power = result.power[rows]
        columns: dict[str, list[Any]] = {column.xml: column.values(_reading(result, rows, self.edge_name)) for column in ATTRIBUTES}
        columns |= {
            "p1": [{"x": x, "y": y} for x, y in result.p1[rows].tolist()],
            "p2": [{"x": x, "y": y} for x, y in result.p2[rows].tolist()],
            "length": result.length[rows].tolist(),
            "brightness_s": power[:, 0].tolist(),
            "brightness_p": power[:, 1].tolist(),
            "brightness_total": power.sum(axis=1).tolist(),
            "polarization_ratio": polarization_ratio(power).tolist(),
            "degree_of_polarization": degree_of_polarization(power).tolist(),
            "wavelength": [None if nm != nm else nm for nm in result.wavelength[rows].tolist()],
            "tir_count": result.lineage.tir_count[rows].tolist(),
        }
        columns |= {name: ((result.flags[rows] & int(flag)) != 0).tolist() for name, flag in _FLAGS.items()}
        return [{"index": i, **dict(zip(columns, each, strict=True))} for i, each in enumerate(zip(*columns.values(), strict=True))]

    def xml_elements(self, indent: str) -> Iterator[str]:
        """The XML text of each ray, in the element order of the format."""
        rays = _rays(self.segments.result, self.segments.rows, self.precision_coords, self.precision_brightness, self.edge_name)
        return rays if indent == _INDENT else (textwrap.indent(ray, indent.removeprefix(_INDENT)) for ray in rays)


_INDENT = "  "
"""The indentation of the rays from `_rays`."""
_FLAGS = {
    "gap": Flag.GAP, "is_new": Flag.NEW, "is_tir_result": Flag.TIR, "caused_tir": Flag.CAUSES_TIR,
    "is_grazing_result": Flag.GRAZING, "caused_grazing": Flag.CAUSES_GRAZING,
}  # fmt: skip


def _rays(result: TraceResult, rows: Any, coords: int, brightness: int, edge_name: EdgeName | None) -> Iterator[str]:
    p1, p2 = (np.round(p[rows], coords) + 0.0 for p in (result.p1, result.p2))
    power = result.power[rows]
    total = power.sum(axis=1)
    ratio = polarization_ratio(power)
    flags = result.flags[rows]
    tir_count = result.lineage.tir_count[rows]
    columns = zip(
        _attributes(result, rows, edge_name), p1.tolist(), p2.tolist(), result.length[rows].tolist(), power.tolist(), total.tolist(),
        ratio.tolist(), degree_of_polarization(power).tolist(), result.wavelength[rows].tolist(), flags.tolist(), tir_count.tolist(),
        strict=True,
    )  # fmt: skip
    c, b = coords, brightness
    for i, (about, a, z, length, (s, p), both, ps, dop, nm, flag, tirs) in enumerate(columns):
        out = (
            f'  <ray index="{i}"{about}>\n'
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


def _attributes(result: TraceResult, rows: Any, edge_name: EdgeName | None) -> Iterable[str]:
    """The XML attributes of each ray except its index, from the table of columns."""
    reading = _reading(result, rows, edge_name)
    return map("".join, zip(*(_xml_attribute(column, reading) for column in ATTRIBUTES), strict=True))


def _reading(result: TraceResult, rows: Any, edge_name: EdgeName | None) -> Reading:
    return Reading(result, rows, edge_name) if edge_name else Reading(result, rows)


def _xml_attribute(column: Column, reading: Reading) -> list[str]:
    """A column as an XML attribute of each ray; empty where the value is None."""
    values = column.values(reading)
    texts = {value: "" if value is None else f" {column.xml}={attribute(str(value))}" for value in set(values)}
    return list(map(texts.__getitem__, values))


_GAP, _NEW, _TIR, _CAUSES_TIR = int(Flag.GAP), int(Flag.NEW), int(Flag.TIR), int(Flag.CAUSES_TIR)
_GRAZING, _CAUSES_GRAZING = int(Flag.GRAZING), int(Flag.CAUSES_GRAZING)
_ANY_TIR, _ANY_GRAZING = _TIR | _CAUSES_TIR, _GRAZING | _CAUSES_GRAZING


def _block(name: str, flags: list[tuple[str, int]], count: int) -> str:
    lines = [f"      <{flag}>true</{flag}>\n" for flag, is_set in flags if is_set]
    if count:
        lines.append(f"      <tir_count>{count}</tir_count>\n")
    return f"    <{name}>\n{''.join(lines)}    </{name}>\n"
