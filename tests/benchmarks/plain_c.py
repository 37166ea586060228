"""A reference tracer in plain C that tests every primitive for every ray, compiled when the
benchmark runs.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.kinds.primitives import ARC, FULL_LINE, GLASS_INDEX, LINE, Surface
from raybench.scene.scene import Scene
from raybench.system.files import temporary_folder
from raybench.trace.results.result import ESCAPE_LENGTH
from raybench.trace.run.emission import initial_rays
from raybench.trace.tables.compiled import compile_scene

SOURCE = Path(__file__).with_name("plain_kernel.c")
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC")
ROW = 8

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PlainKernel:
    """The compiled kernel and the compiler command."""

    run: Callable[..., int]
    compiler: str

    def prepared(self, scene: Scene, limit: int) -> Callable[[], Floats]:
        """A function that traces a scene and returns at most ``limit`` segments as rows (n, 8): end
        points, power in s and p, parent and primitive. The next call overwrites the rows.
        """
        t, rays = compile_scene(scene).tables, initial_rays(scene)
        start = np.empty((len(rays), 6))
        start[:, 0:2], start[:, 2:4], start[:, 4:6] = (
            rays.start,
            rays.direction,
            rays.power[:, None] / 2,
        )
        surface, index = (
            t.surface[t.owner],
            np.ascontiguousarray(t.parameters[t.owner, GLASS_INDEX]),
        )
        rows = np.empty((limit, ROW))
        far, depth = ESCAPE_LENGTH * scene.settings.length_scale, t.max_depth

        def trace() -> Floats:
            n = self.run(
                len(t.primitive), t.primitive.ctypes, t.geometry.ctypes, surface.ctypes, index.ctypes, len(rays), start.ctypes,
                t.shortest, t.weakest_reflected, depth, far, limit, rows.ctypes,
            )  # fmt: skip
            return rows[:n]

        return trace


def fits(scene: Scene) -> bool:
    """Whether the plain kernel supports everything in a scene."""
    t = compile_scene(scene).tables
    known = (Surface.NONE, Surface.REFRACT, Surface.REFLECT)
    return bool(
        np.isin(t.primitive, (LINE, ARC, FULL_LINE)).all()
        and np.isin(t.surface, known).all()
        and not len(t.graded)
    )


def compiled_kernel() -> PlainKernel | str:
    """The compiled kernel, or the reason why there is none."""
    compiler = next((c for c in COMPILERS if shutil.which(c)), None)
    if compiler is None:
        return f"no C compiler found ({', '.join(COMPILERS)})"
    with temporary_folder() as folder:
        library = folder / "plain_kernel.so"
        command = [compiler, *FLAGS, str(SOURCE), "-o", str(library), "-lm"]
        made = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if made.returncode:
            error = next(iter(made.stderr.splitlines()), "no error message")
            return f"{compiler} could not compile the plain kernel: {error}"
        run: Any = ctypes.CDLL(str(library)).trace
    pointer, number, count = ctypes.c_void_p, ctypes.c_double, ctypes.c_long
    run.restype = count
    run.argtypes = [
        count,
        pointer,
        pointer,
        pointer,
        pointer,
        count,
        pointer,
        number,
        number,
        count,
        number,
        count,
        pointer,
    ]
    return PlainKernel(run, " ".join([compiler, *FLAGS[:3]]))
