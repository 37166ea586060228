"""The context is swapped as a whole, however many threads set and read it."""

from __future__ import annotations

import threading

import pytest

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import require_context
from raybench.errors import RaybenchError
from raybench.kinds.glasses import Glass
from raybench.scene.scene import Scene
from raybench.shapes.point import Vertex
from raybench.trace.results.result import TraceResult


def test_readers_see_one_whole_context() -> None:
    sides = []
    for k in range(2):
        scene = Scene.of(
            [Glass(path=(Vertex(0, 0), Vertex(10, 0), Vertex(0, 10 + k)), name=f"Glass {k}")]
        )
        result = TraceResult.from_segments(
            [{"p1": (1, 1), "p2": (2, 2), "brightness_s": 1, "brightness_p": 0}] * (k + 1)
        )
        sides.append((scene, result))
    tools.set_context_from_result(*sides[0])
    done = threading.Event()
    wrong: list[object] = []

    def write() -> None:
        for i in range(400):
            tools.set_context_from_result(*sides[i % 2])
            try:
                tools.set_context(sides[i % 2][0], [{"p1": (0, 0)}])
            except RaybenchError:
                continue
            wrong.append("a segment without p2 was taken")
        done.set()

    def read() -> None:
        while not done.is_set():
            seen = tools.get_context()
            k = int(seen["scene"].objects[0].name[-1])
            if len(seen["segments"]) != k + 1 or len(seen["lineage"]) != k + 1:
                wrong.append(seen)
            context = require_context()
            if len(context.result) != int(context.scene.objects[0].name[-1]) + 1:
                wrong.append(context)
            tools.find_rays_by_polarization_xml()

    threads = [threading.Thread(target=write), *(threading.Thread(target=read) for _ in range(3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tools.clear_context()
    assert wrong == []
    with pytest.raises(RuntimeError, match="No context set"):
        tools.find_rays_by_polarization_xml()
