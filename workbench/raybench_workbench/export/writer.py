"""Writing a figure or its rays to a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.rays_export import RAY_WRITERS, Progress
from raybench_workbench.figure import FIGURES, Figure


def writer(figure: Figure, out: Path) -> Callable[[Progress], None]:
    """What writes a figure to a file or, if the suffix is one of `RAY_WRITERS`, its rays: those
    that are highlighted, or all.
    """
    suffix, result = out.suffix.lower(), figure.result

    def write(progress: Progress) -> None:
        if suffix in FIGURES:
            data = FIGURES[suffix](replace(figure, progress=progress))
            progress(1.0)
            write_bytes(out, data)
        elif result is None or result.revision != figure.document.revision:
            raise RaybenchError("There is no light to export yet. Wait until the scene is traced.")
        else:
            RAY_WRITERS[suffix](
                out,
                figure.document,
                result,
                figure.view.highlight if suffix != ".npz" else None,
                progress,
            )

    return write
