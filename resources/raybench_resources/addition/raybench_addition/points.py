"""An importer: each line of the file is a point source, ``x y``."""

from pathlib import Path

import raybench as rb


def read_points(path: Path) -> rb.Document:
    """Read a scene from a file. Raises RaybenchError for a line that is not two numbers."""
    scene = rb.Scene()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            x, y = map(float, line.split())
        except ValueError:
            raise rb.RaybenchError(f"line {number} is {line!r}; give two numbers, x y.") from None
        scene.add(rb.PointSource(at=(x, y)))
    return scene.document
