"""The command on lens files and lens systems: ``raybench lens``."""

import argparse
import json
import math
import sys

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes, write_text
from raybench.files.document_file import SUFFIX
from raybench.files.examples import EXAMPLE_PREFIX
from raybench.files.shared import read_shared
from raybench.lens.curves import Figure, lens_figure
from raybench.lens.figure import arrange_figure
from raybench.lens.formats import write_lens
from raybench.lens.glass import Glass, glass_from_text
from raybench.lens.in_document import lens_design, write_lens_part
from raybench.lens.lens_file import LensFileError
from raybench.lens.opening import read_glasses, read_lens_file
from raybench.lens.report import report_json, report_lens, report_text
from raybench.scene.document import Document
from raybench_workbench.display import paint_offscreen

FIGURE_SIZE = (900, 560)
"""The default size of a figure, in pixels."""


def report_on_lens(options: argparse.Namespace) -> None:
    """Print a report on a lens file or a lens system of a scene, or write the lens in another
    format. Raises RaybenchError.
    """
    document: Document | None = None
    notes: tuple[str, ...] = ()
    name = str(options.lens)
    if name.startswith(EXAMPLE_PREFIX) or options.lens.suffix.lower() in (".json", SUFFIX):
        document = read_shared(name).document
        system = lens_design(document, options.name).system
    elif options.name:
        raise RaybenchError("--lens chooses a lens of a scene; a lens file has one.")
    else:
        system, notes = read_lens_file(options.lens, chosen_glasses(options))
    for note in notes:
        print(f"{options.lens}: {note}", file=sys.stderr)
    if options.figure is not None:
        figure = lens_figure(system, options.figure)
        write_figure(figure, system.title or options.lens.stem, options)
        return
    if options.out is not None:
        try:
            data, omitted = (
                write_lens(system, options.out.name)
                if document is None
                else write_lens_part(document, options.name, options.out.name)
            )
        except LensFileError as error:
            raise RaybenchError(f"{options.out}: {error}") from None
        write_bytes(options.out, data)
        print(f"{options.out}: {len(system.surfaces)} surfaces")
        for sentence in omitted:
            print(f"{options.out}: {sentence}", file=sys.stderr)
        return
    report = report_lens(system, math.nan if options.mtf is None else options.mtf)
    if options.json:
        print(json.dumps(report_json(system, report), indent=1, ensure_ascii=False))
    else:
        print(report_text(system, report))


def write_figure(figure: Figure, title: str, options: argparse.Namespace) -> None:
    """Write a plot to the file that the options name, in their size and theme. Raises
    RaybenchError.
    """
    out = options.out
    suffix = out.suffix.lower() if out is not None else ""
    if suffix == ".csv":
        write_text(out, figure.csv())
    elif suffix in (".svg", ".pdf", ".png"):
        paint_offscreen()
        from raybench_workbench.app import make_application
        from raybench_workbench.plots.figure_view import save_drawing
        from raybench_workbench.theme import THEMES

        app = make_application(theme := options.theme or "paper")
        width, height = options.size or FIGURE_SIZE
        save_drawing(out, arrange_figure(figure, width, height, title), THEMES[theme])
        del app
    else:
        raise RaybenchError(
            f"The plot {figure.title} needs a file to write, such as --out plot.svg (.svg, .pdf, .png"
            " or .csv)."
        )
    print(f"{out}: {figure.title}")


def chosen_glasses(options: argparse.Namespace) -> dict[str, Glass]:
    """The glasses by name: those of catalogue files, and those chosen by options such as BK7=N-BK7.
    Prints which could not be read. Raises RaybenchError.
    """
    glasses: dict[str, Glass] = {}
    for path in options.catalogue or ():
        read, problems = read_glasses(path)
        glasses |= read
        for problem in problems:
            print(f"{path}: {problem}", file=sys.stderr)
    for text in options.glass or ():
        name, equals, chosen = text.partition("=")
        if not equals:
            raise RaybenchError(f"--glass {text}: write it as NAME=GLASS, such as BK7=N-BK7.")
        glasses[name.strip()] = glass_from_text(chosen)
    return glasses
