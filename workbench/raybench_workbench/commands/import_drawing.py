"""``raybench import``: an SVG or DXF drawing as the objects of a scene, without a window."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from raybench.errors import RaybenchError
from raybench.files.drawings import KINDS, TOLERANCE
from raybench.scene.units import UNITS


def add_import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("drawing", type=Path, metavar="FILE", help="an .svg or a .dxf file")
    parser.add_argument(
        "--as",
        dest="as_",
        choices=KINDS,
        default="glass",
        help="what its outlines become; glass by default",
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        metavar="S",
        help="factor to the drawing's own size; 1 by default",
    )
    parser.add_argument(
        "--unit", choices=UNITS, default="mm", help="length unit of the scene; mm by default"
    )
    parser.add_argument(
        "--tolerance", type=float, default=TOLERANCE, metavar="T",
        help=f"largest distance of flattened curves, in that unit; {TOLERANCE} by default",
    )  # fmt: skip
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="SCENE",
        help="the scene to write, .json or .raybench",
    )


def import_command(options: argparse.Namespace) -> None:
    """Write the scene as the options say, and print what it holds in a line. Raises RaybenchError."""
    from raybench.files.document_file import SUFFIX, left_out, save_document
    from raybench.files.drawings.conversion import imported, read_drawing
    from raybench.scene.document import Document
    from raybench.scene.scene import Scene

    if options.out.suffix.lower() not in (".json", SUFFIX):
        raise RaybenchError(f"{options.out}: a scene is a .json or a {SUFFIX} file.")
    drawing = read_drawing(options.drawing)
    what = imported(
        drawing, options.as_, scale=options.scale, unit=options.unit, tolerance=options.tolerance
    )
    document = Document(scene=Scene.of(what.objects, name=options.drawing.stem), unit=options.unit)
    save_document(document, options.out, backup=True)
    print(f"{options.out}: {what.summary} {options.unit}. {' '.join(what.notes)}".strip())
    if lost := left_out(document, options.out):
        print(f"{options.out}: {lost}.", file=sys.stderr)
