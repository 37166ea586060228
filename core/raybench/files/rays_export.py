"""Export of rays to CSV, npz and XML files, chosen by the suffix of the file name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from raybench.analysis.answers.rays_xml import rays_to_xml
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.files.rays_csv import save_csv
from raybench.files.trace_npz import save_npz
from raybench.scene.document import Document
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

Progress = Callable[[float], object]


class Writer(Protocol):
    """Writes the rays of a set, or all rays of a trace. ``progress`` is called with the part that
    is done; an error that it raises ends the work, and no file is written.
    """

    def __call__(
        self,
        out: Path,
        document: Document,
        result: TraceResult,
        rays: RaySet | None,
        progress: Progress = ...,
    ) -> None: ...


def _no_progress(done: float) -> None:
    """A progress function that does nothing."""


def _npz(
    out: Path,
    document: Document,
    result: TraceResult,
    rays: RaySet | None,
    progress: Progress = _no_progress,
) -> None:
    if rays is not None:
        raise RaybenchError(
            f"{out}: an .npz file can only contain a whole trace. Leave --tool out, or write .csv"
            " or .xml."
        )
    progress(0.0)
    save_npz(
        replace(result, milliseconds=0.0, preparing_ms=0.0), out, document.unit
    )  # the same rays give the same bytes


def _csv(
    out: Path,
    document: Document,
    result: TraceResult,
    rays: RaySet | None,
    progress: Progress = _no_progress,
) -> None:
    save_csv(
        result,
        out,
        rays,
        unit=document.unit,
        edge_name=TracedScene.of(document, result).edge_title,
        progress=progress,
    )


def _xml(
    out: Path,
    document: Document,
    result: TraceResult,
    rays: RaySet | None,
    progress: Progress = _no_progress,
) -> None:
    segments = (
        result.segments if rays is None else [result.segments[row] for row in rays.rows.tolist()]
    )
    xml = rays_to_xml(
        segments, unit=document.unit, edge_name=TracedScene.of(document, result).edge_title
    )
    progress(1.0)
    write_text(out, xml)


RAY_WRITERS: Mapping[str, Writer] = {".csv": _csv, ".npz": _npz, ".xml": _xml}
"""The export function by file suffix."""
