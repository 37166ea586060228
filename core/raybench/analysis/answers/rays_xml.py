"""Writes ray segments as XML, each as an element ``<ray>``. The order of the child elements is part
of the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.answers.answer import Answer, Element, ElementList
from raybench.analysis.answers.record import Record, Root, WrittenForm
from raybench.analysis.answers.words import rays_found_sentence
from raybench.analysis.answers.xml_answer import (
    UNITS,
    needs_no_escaping,
    quoted_attribute,
    xml_document,
)
from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.rays.columns import columns_with_name
from raybench.trace.codes import Interaction
from raybench.trace.columns import LENGTH, NANOMETRES, Column, EdgeName, Reading
from raybench.trace.results.ray_set import Segment, Segments
from raybench.trace.results.result import TraceResult

MOST_COUNTED = 6
"""The most sources, interactions and directions that a summary names."""
ATTRIBUTES = columns_with_name(
    "xml", ("id", "parent_id", "interaction", "source_name", "object", "edge_label", "status")
)
"""The columns that are attributes of a ray."""
ELEMENTS = columns_with_name(
    "element",
    (
        "p1", "p2", "length", "power_s", "power_p", "total_power", "polarization_ratio", "degree_of_polarization", "wavelength", "gap",
        "is_new", "is_tir", "causes_tir", "tir_count", "is_grazing", "causes_grazing",
    ),
)  # fmt: skip
"""The columns that are child elements of a ray, in the order of the format."""


def rays_to_xml(
    segments: Iterable[Any],
    precision_coords: int = 4,
    precision_brightness: int = 6,
    *,
    unit: str = "mm",
    edge_name: EdgeName | None = None,
) -> str:
    """Write segments as an XML document with the root element ``<rays count="N">``.

    ``segments`` are segments of a `TraceResult` in any order, or anything that
    `TraceResult.from_segments` accepts. ``edge_name`` maps (hit, edge) to an edge label; by default
    the labels of the traced scene are used. Lengths are in ``unit``, powers in the unit of the
    result, wavelengths in nm. An escaping ray has the length ``inf``, and ``p2`` is any other point
    on it.
    """
    rows = segments_of_one_result(segments)
    if edge_name is None and (scene := rows.result.scene) is not None:
        edge_name = TracedScene(scene, rows.result, (), None).edge_title
    about = {
        "revision": rows.result.revision,
        "unit": unit,
        **UNITS,
        "power_unit": rows.result.power_unit,
    }
    listing = RayRows(rows, edge_name, precision_coords, precision_brightness)
    return xml_document(Element("rays", {"count": len(rows), **about}, (listing,)))


def segments_of_one_result(segments: Iterable[Any]) -> Segments:
    """The segments as rows of the trace that they come from, or of a new trace if they belong to
    none.
    """
    if isinstance(segments, Segments):
        return segments
    items = list(segments)
    if items and all(
        isinstance(item, Segment) and item.result is items[0].result for item in items
    ):
        return Segments(items[0].result, np.array([item.row for item in items], np.int64))
    return TraceResult.from_segments(items).segments


def rays_answer(
    context: TracedScene,
    selection: Mask | Rows,
    singular: str,
    plural: str,
    *,
    in_order: bool = False,
) -> Answer:
    """The answer to a query for rays. ``selection`` is a mask or a list of rows. With ``in_order``
    the rays keep the order of these rows; otherwise they have the order of the trace. ``singular``
    and ``plural`` are verb phrases, see `rays_found_sentence`.
    """
    rays = context.result.ray_set(selection)
    listed = selection.astype(np.int64) if in_order else rays.rows
    rows = RayRows(Segments(context.result, listed), context.edge_title)
    summary = (_summary_element(context.result, rays.rows),) if len(rays) > 1 else ()
    root = Rays(ray=rows, count=len(rows), context=context)
    return Answer(root, rays_found_sentence(len(rays), singular, plural), rays, summary=summary)


class Rays(Root, tag="rays"):
    ray: Annotated[ElementList, WrittenForm("Ray")]
    count: int


DIRECTIONS = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
"""Where rays go, in sectors of 45° about these directions as seen on the canvas."""


class FrequentValue(Record):
    name: str
    rays: int
    strongest: float


class RaysSummary(Record, tag="summary"):
    """The number of rays by source, by initial interaction and by direction, and the power of the
    strongest ray.
    """

    source: Sequence[FrequentValue]
    interaction: Sequence[FrequentValue]
    direction: Sequence[FrequentValue]


def _summary_element(result: TraceResult, rows: Rows) -> RaysSummary:
    power = result.total_power[rows]
    d = result.p2.take(rows, axis=0) - result.p1.take(rows, axis=0)
    sector = np.round(np.arctan2(-d[:, 1], d[:, 0]) / (np.pi / 4)).astype(int) % len(DIRECTIONS)
    sources = dict(enumerate(result.object_names))
    return RaysSummary(
        source=_most_frequent_values(result.source[rows], sources, power),
        interaction=_most_frequent_values(
            result.interaction[rows], dict(enumerate(Interaction.words())), power
        ),
        direction=_most_frequent_values(sector, dict(enumerate(DIRECTIONS)), power),
    )


def _most_frequent_values(
    column: NDArray[Any], words: Mapping[int, str], power: Floats
) -> list[FrequentValue]:
    """The most frequent values of a column, at most `MOST_COUNTED`, in order of decreasing
    frequency.
    """
    places = column.astype(np.int64) + 1  # -1 is unknown
    count = np.bincount(places)
    strongest = np.zeros(len(count))
    np.maximum.at(strongest, places, power)
    return [
        FrequentValue(name=words.get(i - 1, "?"), rays=int(count[i]), strongest=float(strongest[i]))
        for i in np.argsort(-count, kind="stable")[:MOST_COUNTED].tolist()
        if count[i]
    ]


class RayRows(ElementList):
    """Segments as the ``ray`` elements of an answer. The elements are created on first use."""

    def __init__(
        self,
        segments: Segments,
        edge_name: EdgeName | None = None,
        precision_coords: int = 4,
        precision_brightness: int = 6,
    ) -> None:
        super().__init__("ray")
        self.segments, self.edge_name = segments, edge_name
        self.digits = precision_coords, precision_brightness

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Element]:
        """Yield the rays as elements without children, for a table. An escaped ray has a direction
        instead of an end point.
        """
        result, rows = self.segments.result, self.segments.rows
        directions = np.round(result.direction[rows], 9).tolist()
        for ray, escaped, direction, row in zip(
            self.values, result.escaped[rows].tolist(), directions, rows, strict=True
        ):
            p1, p2 = ray["p1"], ray["p2"]
            end = (
                {"direction": direction}
                if escaped
                else {"x2": p2["x"], "y2": p2["y"], "length": ray["length"]}
            )
            about = {c.xml: ray[c.xml] for c in ATTRIBUTES if c.name != "parent_id"}
            power = {
                "power": ray["brightness_total"],
                "degree_of_polarization": ray["degree_of_polarization"] or None,
                "wavelength": ray["wavelength"],
            }
            yield Element(
                "ray", {**about, "x1": p1["x"], "y1": p1["y"], **end, **power}
            ).link_to_rays(np.array([row]))

    def slice_children(self, start: int, end: int) -> RayRows:
        return RayRows(self.segments[start:end], self.edge_name, *self.digits)

    def map_children(self, change: Callable[[Element], Element]) -> ElementList:
        """The rays as a list of elements. Rays are in short form already, so ``change`` is not
        applied.
        """
        return ElementList(self.tag, list(self))

    @property
    def _reading(self) -> Reading:
        result, rows = self.segments.result, self.segments.rows
        return Reading(result, rows, self.edge_name) if self.edge_name else Reading(result, rows)

    @property
    def values(self) -> list[dict[str, Any]]:
        """A dict for each ray, with the names of the XML. Values that do not apply are None, False
        or 0.
        """
        reading = self._reading
        columns: dict[str, list[Any]] = {
            column.xml: column.values(reading) for column in ATTRIBUTES
        }
        for column in ELEMENTS:
            values = column.values(reading)
            name = column.element.rpartition("/")[2].removesuffix("__angle")
            columns[name] = (
                [{"x": x, "y": y} for x, y in values] if column.value is tuple else values
            )
        return [
            {"index": i, **dict(zip(columns, each, strict=True))}
            for i, each in enumerate(zip(*columns.values(), strict=True))
        ]

    def xml_elements(self, indent: str) -> Iterator[str]:
        """The XML text of each ray, with child elements in the order of the format."""
        reading, inner = self._reading, f"{indent}  "
        parts: list[Iterable[str]] = [
            (f'{indent}<ray index="{i}"' for i in range(len(reading.rows))),
            *(_attribute_texts(column, reading) for column in ATTRIBUTES),
            repeat(">\n"),
        ]
        for (block, required), group in groupby(
            ELEMENTS, lambda c: (c.element.rpartition("/")[0], is_required_column(c))
        ):
            columns = list(group)
            if required:
                parts.append(_number_texts(columns, reading, self.digits, inner))
                continue
            deep = f"{inner}  " if block else inner
            texts = [_element_texts(column, reading, deep) for column in columns]
            if block:
                contents = map("".join, zip(*texts, strict=True))
                start, end = f"{inner}<{block}>\n", f"{inner}</{block}>\n"
                texts = [[f"{start}{content}{end}" if content else "" for content in contents]]
            parts += texts
        return map("".join, zip(*parts, repeat(f"{indent}</ray>"), strict=False))


def is_required_column(column: Column) -> bool:
    """Whether every ray element contains this column, as for numbers with a fixed number of
    decimals.
    """
    return column.value in (tuple, float) and column.unit != NANOMETRES


def _number_texts(
    columns: Sequence[Column], reading: Reading, digits: tuple[int, int], indent: str
) -> Iterable[str]:
    """Required columns as XML text: for each ray a child element for each column. ``digits`` are
    the numbers of decimals of coordinates and of other numbers.
    """
    template, numbers = "", list[Iterable[float]]()
    for column in columns:
        name, decimals = column.element, digits[0 if column.unit == LENGTH else 1]
        if column.value is tuple:
            template += f'{indent}<{name} x="%.{decimals}f" y="%.{decimals}f"/>\n'
            places: Floats = getattr(reading.result, column.name).take(reading.rows, axis=0)
            numbers += (np.round(places, decimals) + 0.0).T.tolist()
        else:
            template += f"{indent}<{name}>%.{decimals}f</{name}>\n"
            numbers.append(column.values(reading))
    return map(template.__mod__, zip(*numbers, strict=True))


def _element_texts(column: Column, reading: Reading, indent: str) -> Iterable[str]:
    """A column as XML text: a child element for each ray, empty for None and false."""
    block, _, name = column.element.rpartition("/")
    values, texts = column.values(reading), {}
    for value in set(values):
        absent = value is None or value is False or (block and not value)
        written = "true" if value is True else quoted_attribute(str(value))[1:-1]
        texts[value] = "" if absent else f"{indent}<{name}>{written}</{name}>\n"
    return map(texts.__getitem__, values)


def _attribute_texts(column: Column, reading: Reading) -> Iterable[str]:
    """A column as XML text: an attribute for each ray, empty for None."""
    name, values = column.xml, column.values(reading)
    different = set(values)
    if needs_no_escaping("".join(map(str, different))):  # most, such as the ids of 100 000 rays
        return ["" if value is None else f' {name}="{value}"' for value in values]
    texts = {
        value: "" if value is None else f" {name}={quoted_attribute(str(value))}"
        for value in different
    }
    return map(texts.__getitem__, values)
