"""Segments as XML: one ``<ray>`` each, in the element order that readers of these answers rely on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.analysis.answers.answer import Answer, Element, element
from core.analysis.answers.words import rays_found
from core.analysis.answers.xml_answer import UNITS, attribute, document, provenance
from core.analysis.context import TracedScene
from core.analysis.rays.ray_facts import degree_of_polarization, polarization_ratio, word_of
from core.trace.codes import Flag, Interaction, Status
from core.trace.results.result import RaySet, Segment, Segments, TraceResult

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

    ``segments`` are those of a `TraceResult`, all or some of them in any order, which keep their ids, parents and revision; or anything
    `TraceResult.from_segments` reads. Edges are named by ``edge_name``, by default as the result's scene labels them. Lengths are in
    ``unit``, powers in the scene's units, wavelengths in nm. An escaping ray's length is ``inf``; its ``p2`` is another point on it.
    """
    rows = segments_of(segments)
    about = {"revision": rows.result.revision, "unit": unit, **UNITS}
    names = edge_name or _edge_names(rows.result)
    return document(_root(RayRows(rows, names, precision_coords, precision_brightness), about))


def segments_of(segments: Iterable[Any]) -> Segments:
    """Segments as rows of the result they are of; others as rows of a new one."""
    if isinstance(segments, Segments):
        return segments
    items = list(segments)
    if items and all(isinstance(item, Segment) and item.result is items[0].result for item in items):
        return Segments(items[0].result, np.array([item.row for item in items], np.int64))
    return TraceResult.from_segments(items).segments


def rays_answer(context: TracedScene, rays: RaySet, one: str, several: str) -> Answer:
    """The rays that a query found, with what one of them does, and several (see `rays_found`)."""
    rows = RayRows(Segments(context.result, rays.rows), context.edge_title)
    return Answer(_root(rows, provenance(context)), rays_found(len(rays), one, several), rays)


def _root(rows: RayRows, about: Mapping[str, Any]) -> Element:
    return element("rays", rows, count=len(rows), **about)


def _edge_names(result: TraceResult) -> EdgeName | None:
    scene = result.scene
    return None if scene is None else TracedScene(scene, result, result.segments, result.lineage).edge_title


@dataclass(frozen=True, eq=False)
class RayRows:
    """Segments as the elements ``ray`` of an answer: a `LazyListing`."""

    segments: Segments
    edge_name: EdgeName | None = None
    precision_coords: int = 4
    precision_brightness: int = 6
    tag: str = "ray"

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Element]:
        """The rays as flat elements, for a table."""
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
        """A dict a ray, with the names that the XML has; what does not apply to a ray is None, False or 0."""
        result, rows = self.segments.result, self.segments.rows
        power = result.power[rows]
        columns = {
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
        known = [self._known(row) for row in rows.tolist()]
        return [
            {"index": i, **about, **dict(zip(columns, each, strict=True))}
            for i, (about, *each) in enumerate(zip(known, *columns.values(), strict=True))
        ]

    def _known(self, row: int) -> dict[str, Any]:
        """What a ray is, where it comes from and what it ends on."""
        result = self.segments.result
        parent, source, hit, edge = (int(column[row]) for column in (result.parent, result.source, result.hit, result.edge))
        return {
            "id": result.segment_id(row),
            "parent": result.segment_id(parent) if parent >= 0 else None,
            "interaction": word_of(Interaction(result.interaction[row])),
            "source": result.object_names[source] if 0 <= source < len(result.object_names) else None,
            "object": result.object_names[hit] if 0 <= hit < len(result.object_names) else None,
            "edge": self._edge(hit, edge) if hit >= 0 and edge >= 0 else None,
            "status": word_of(Status(result.status[row])),
        }

    def _edge(self, hit: int, edge: int) -> str:
        return self.edge_name(hit, edge) if self.edge_name else str(edge)

    def xml_elements(self, indent: str) -> Iterator[str]:
        """The rays in XML, in the element order of the format."""
        rays = _rays(self.segments.result, self.segments.rows, self.precision_coords, self.precision_brightness, self.edge_name)
        return rays if indent == _INDENT else (textwrap.indent(ray, indent.removeprefix(_INDENT)) for ray in rays)


_INDENT = "  "
"""What `_rays` indents a ray by."""
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
