"""All columns of rays: columns that a trace stores, and columns that are computed.

To add a computed column, add a row to `DERIVED`. CSV, SQL, XML, data frames, the ray table and the
ray filter read `COLUMNS`. An incomplete row raises an error at import.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.rays.incidence import refractive_index_along_rows, row_incidences
from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.optics.polarization import polarization_ratio
from raybench.scene import RELATIVE
from raybench.scene.scene import Scene
from raybench.trace.codes import Flag
from raybench.trace.columns import (
    DEGREES,
    LENGTH,
    STORED,
    Column,
    IncompleteColumn,
    Point,
    Reading,
    check_columns,
)
from raybench.trace.results.result import TraceResult


def _name_reader(index: str) -> Callable[[Reading], list[Any]]:
    """Make a function that reads names of optical objects. The column ``index`` holds the indices
    of the objects; an index without a known name is returned as a number.
    """

    def read_names(reading: Reading) -> list[Any]:
        numbers = getattr(reading.result, index)[reading.rows].tolist()
        names = reading.result.object_names if reading.names is None else reading.names
        known = {i: names[i] if i < len(names) else i for i in set(numbers) if i >= 0}
        return [known.get(i) for i in numbers]

    return read_names


def _read_edge_labels(reading: Reading) -> list[str | None]:
    pairs = list(
        zip(
            reading.result.hit[reading.rows].tolist(),
            reading.result.edge[reading.rows].tolist(),
            strict=True,
        )
    )
    known = {
        (hit, edge): reading.edge_name(hit, edge)
        for hit, edge in set(pairs)
        if hit >= 0 and edge >= 0
    }
    return [known.get(pair) for pair in pairs]


def _component_reader(column: str, index: int) -> Callable[[Reading], list[Any]]:
    return lambda reading: getattr(reading.result, column)[reading.rows, index].tolist()


def _flag_reader(flag: Flag) -> Callable[[Reading], list[bool]]:
    return lambda reading: ((reading.result.flags[reading.rows] & int(flag)) != 0).tolist()


def _read_end_points(reading: Reading) -> list[Point | float]:
    p1, p2, escaped = (
        a[reading.rows].tolist()
        for a in (reading.result.p1, reading.result.p2, reading.result.escaped)
    )
    ends = zip(p1, p2, escaped, strict=True)
    return [
        math.degrees(math.atan2(y1 - y2, x2 - x1)) % 360 if gone else (x2, y2)
        for (x1, y1), (x2, y2), gone in ends
    ]


def _reader_with_none_if_escaped(
    numbers: Callable[[TraceResult], Floats],
) -> Callable[[Reading], list[Any]]:
    """Make a function that reads numbers (n,), with None for rays that escape."""

    def read(reading: Reading) -> list[Any]:
        pairs = zip(
            numbers(reading.result)[reading.rows].tolist(),
            reading.result.escaped[reading.rows].tolist(),
            strict=True,
        )
        return [None if gone else number for number, gone in pairs]

    return read


def _angles_or_none(angles: Floats) -> list[Any]:
    """Angles rounded to remove numerical noise; NaN becomes None."""
    return _replace_nan_with_none(np.round(angles, 9) + 0.0)


def _replace_nan_with_none(numbers: Floats) -> list[Any]:
    return [None if x != x else x for x in numbers.tolist()]


def _scene_reader(numbers: Callable[[Reading, Scene], Floats]) -> Callable[[Reading], list[Any]]:
    """Make a function that reads numbers (rows,) that depend on the scene. It returns None for NaN,
    and for all rows if the scene is unknown.
    """

    def read(reading: Reading) -> list[Any]:
        scene = reading.result.scene
        return (
            [None] * len(reading.rows)
            if scene is None
            else _replace_nan_with_none(numbers(reading, scene))
        )

    return read


def _polarized_reader(numbers: Callable[[TraceResult], Floats]) -> Callable[[Reading], list[Any]]:
    """Make a function that reads numbers (n,) of polarization. It returns None for NaN, and for all
    rows if polarization was not traced.
    """
    return lambda reading: (
        _replace_nan_with_none(numbers(reading.result)[reading.rows])
        if reading.result.is_polarized
        else [None] * len(reading.rows)
    )


def _received_power(reading: Reading, scene: Scene) -> Floats:
    from raybench.analysis.measures.light import Light  # with lenses and wave optics: not at start

    result = reading.result
    light = Light(scene, result, disabled=result.disabled)
    received = np.where(result.hit < 0, np.nan, 0.0)
    for index in np.unique(result.hit[result.hit >= 0]).tolist():
        rows = light.arriving_rows(index)
        # where two bodies touch, a row refers to one of them
        rows = rows[result.hit[rows] == index]
        received[rows] = result.total_arriving_power[rows]
    return received[reading.rows]


DERIVED: dict[str, Column] = {
    "row": Column("the segment's row in the trace", int, sql="row", read=lambda reading: reading.rows.tolist()),
    "id": Column(
        "revision and row: what answers and the chat call this segment", str, csv="id", sql="id", xml="id", title="ID",
        read=lambda reading: reading.result.segment_ids(reading.rows),
    ),
    "parent_id": Column(
        "id of the segment it came from", str, csv="parent", xml="parent",
        read=lambda reading: reading.result.segment_ids(reading.result.parent[reading.rows]),
    ),
    "source_name": Column("name of its source", str, csv="source", sql="source", xml="source", read=_name_reader("source")),
    "x1": Column("start", float, LENGTH, _component_reader("p1", 0), csv="start x", sql="x1"),
    "y1": Column("start, down", float, LENGTH, _component_reader("p1", 1), csv="start y", sql="y1"),
    "x2": Column("end; of an escaped ray another point on it", float, LENGTH, _component_reader("p2", 0), csv="end x"),
    "y2": Column("end, down", float, LENGTH, _component_reader("p2", 1), csv="end y"),
    "finite_x2": Column("end; none for an escaped ray", float, LENGTH, _reader_with_none_if_escaped(lambda reading: reading.p2[:, 0]), sql="x2"),
    "finite_y2": Column("end, down; none for an escaped ray", float, LENGTH, _reader_with_none_if_escaped(lambda reading: reading.p2[:, 1]), sql="y2"),
    "end": Column(
        "where it ends, or in which direction it escapes (degrees, counter-clockwise as seen)", tuple, LENGTH, _read_end_points, title="To",
    ),
    "length": Column(
        "length along the path; infinite for an escaped ray", float, LENGTH, lambda reading: reading.result.length[reading.rows].tolist(), csv="length",
        element="length", filter="length", title="Length",
    ),
    "finite_length": Column(
        "length along the path; none for an escaped ray", float, LENGTH, _reader_with_none_if_escaped(lambda reading: reading.length), sql="length"
    ),
    "direction": Column(
        "direction of travel at its start, 0 to 360, counter-clockwise as seen, 0 to the right", float, DEGREES, csv="direction",
        sql="direction", filter="angle",
        read=lambda reading: _angles_or_none(reading.result.direction[reading.rows]),
    ),
    "deviation": Column(
        "angle from the direction of its source ray to its own, -180 to 180, counter-clockwise", float, DEGREES, csv="deviation",
        sql="deviation", read=lambda reading: _angles_or_none(reading.result.deviation[reading.rows]),
    ),
    "power_s": Column("s-polarised power", float, RELATIVE, _component_reader("power", 0), csv="power s", sql="power_s", element="brightness_s"),
    "power_p": Column("p-polarised power", float, RELATIVE, _component_reader("power", 1), csv="power p", sql="power_p", element="brightness_p"),
    "total_power": Column(
        "power of both polarisations together", float, RELATIVE, lambda reading: reading.result.total_power[reading.rows].tolist(), csv="power",
        sql="power", element="brightness_total", filter="power", title="Power",
    ),
    "degree_of_polarization": Column(
        "degree of polarisation, 0 to 1", float, csv="degree of polarization", sql="degree_of_polarization",
        element="degree_of_polarization", title="DOP",
        read=lambda reading: reading.result.degree_of_polarization[reading.rows].tolist(),
    ),
    "stokes_1": Column(
        "Stokes parameter S1: power of s less that of p; none where polarization is not traced", float, RELATIVE, csv="S1", sql="stokes_1",
        read=_polarized_reader(lambda reading: reading.power[:, 0] - reading.power[:, 1]), polarized=True,
    ),
    "stokes_2": Column(
        "Stokes parameter S2: power at 45° less that at -45°", float, RELATIVE, csv="S2", sql="stokes_2",
        read=_polarized_reader(lambda reading: reading.stokes[:, 0]), polarized=True,
    ),
    "stokes_3": Column(
        "Stokes parameter S3: power of right less that of left circular light", float, RELATIVE, csv="S3", sql="stokes_3",
        read=_polarized_reader(lambda reading: reading.stokes[:, 1]), polarized=True,
    ),
    "azimuth": Column(
        "azimuth of its polarization about the ray, 0 for s, 90 for p; none for unpolarized or circular light", float, DEGREES,
        csv="azimuth", sql="azimuth", title="Azimuth", read=_polarized_reader(lambda reading: reading.polarization_ellipse.azimuth), polarized=True,
    ),
    "ellipticity": Column(
        "ellipticity of its polarization, -45 left circular, 0 linear, 45 right circular", float, DEGREES, csv="ellipticity",
        sql="ellipticity", title="Ellipticity", read=_polarized_reader(lambda reading: reading.polarization_ellipse.ellipticity), polarized=True,
    ),
    "polarization_ratio": Column(
        "p over s power", float, element="polarization_ratio", read=lambda reading: polarization_ratio(reading.result.power[reading.rows], reading.result.full_power).tolist()
    ),
    "object": Column(
        "name of the optical object at its end", str, csv="object", sql="object", xml="object", title="Hits",
        read=_name_reader("hit"),
    ),
    "edge_label": Column("label of that object's edge", str, csv="edge", sql="edge", xml="edge", read=_read_edge_labels),
    "is_tir": Column(
        "whether it was totally reflected at its start", bool, sql="is_tir", element="tir/is_tir_result", read=_flag_reader(Flag.TIR)
    ),
    "causes_tir": Column(
        "whether it is totally reflected at its end", bool, sql="causes_tir", element="tir/caused_tir", read=_flag_reader(Flag.CAUSES_TIR)
    ),
    "tir_count": Column(
        "total reflections on its path so far", int, csv="total reflections on the path", sql="tir_count", element="tir/tir_count",
        read=lambda reading: reading.result.lineage.tir_count[reading.rows].tolist(),
    ),
    "is_grazing": Column(
        "whether it starts at a surface that was met grazing", bool, element="grazing/is_grazing_result__angle", read=_flag_reader(Flag.GRAZING)
    ),
    "causes_grazing": Column(
        "whether it meets a surface within 5° of the critical angle, or of 90° where there is none", bool, csv="meets grazing",
        sql="causes_grazing", element="grazing/caused_grazing__angle", read=_flag_reader(Flag.CAUSES_GRAZING),
    ),
    "resampled": Column(
        "whether it stands for several weak reflections and carries their power", bool, csv="resampled", read=_flag_reader(Flag.RESAMPLED)
    ),
    "gap": Column(
        "whether its neighbour took another path, so that the two form no image", bool, csv="gap", element="gap", read=_flag_reader(Flag.GAP)
    ),
    "is_new": Column("whether it comes straight from a source", bool, element="is_new", read=_flag_reader(Flag.NEW)),
    "incidence_angle": Column(
        "angle at its end from the normal of the surface it meets, 0 to 90", float, DEGREES, sql="incidence_angle", on_request=True,
        read=_scene_reader(lambda reading, scene: np.round(row_incidences(reading.result, scene, reading.rows, reading.result.disabled).angle, 9)),
    ),
    "refractive_index": Column(
        "of the medium it starts in; none where it varies", float, sql="refractive_index", on_request=True,
        read=_scene_reader(lambda reading, scene: refractive_index_along_rows(reading.result, scene, reading.rows, reading.result.disabled)),
    ),
    "received": Column(
        "power that arrives at the object at its end from outside, as the measure power counts it", float, RELATIVE, sql="received",
        on_request=True, read=_scene_reader(_received_power),
    ),
    "optical_path": Column(
        "optical path from the source to its end, the sum of index times length; none for an escaped ray", float, LENGTH,
        csv="optical path", sql="opl", title="Optical path", on_request=True,
        read=lambda reading: [x if math.isfinite(x) else None for x in optical_path_lengths(reading.result)[reading.rows].tolist()],
    ),
}  # fmt: skip
"""Columns that are computed from the stored ones, and from the scene."""


COLUMNS: dict[str, Column] = check_columns([*STORED.items(), *DERIVED.items()])
"""All columns, by name."""


def columns_with_name(name_kind: str, order: Sequence[str] = ()) -> tuple[Column, ...]:
    """The columns that have a name of the kind ``name_kind``, one of `KINDS_OF_NAMES`. Columns in
    ``order`` come first; the others follow in the order of the table. Raises IncompleteColumn if a
    column in ``order`` has no such name.
    """
    chosen = {name: column for name, column in COLUMNS.items() if getattr(column, name_kind)}
    if unknown := [name for name in order if name not in chosen]:
        raise IncompleteColumn(
            f"There is no column {unknown[0]!r} of rays with a name for {name_kind}."
        )
    return tuple(chosen[name] for name in dict.fromkeys([*order, *chosen]))
