"""How long the window is held at once while the agent answers; run as a module, prints JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.agent.models.scripted import ScriptedBackend, call
from workbench.shot import offscreen_window, settle

CHUNKS = 600
"""Words of the streamed answer."""
PAUSE = 0.004
"""Seconds between two of them."""
LINES = 12
"""Words of a line."""


def scene(rays: int) -> dict[str, Any]:
    """A plate of glass through which so many rays go."""
    plate = [{"x": x, "y": y, "arc": False} for x, y in ((100, -60), (140, -60), (140, 60), (100, 60))]
    return {
        "version": 5,
        "rayModeDensity": rays / 100,
        "objs": [
            {"type": "Beam", "name": "Lamp", "p1": {"x": 0, "y": -50}, "p2": {"x": 0, "y": 50}},
            {"type": "Glass", "name": "Plate", "path": plate, "partialReflect": False},
        ],
    }


def held(rays: int) -> dict[str, float]:
    """The longest times in milliseconds for which the window's thread worked at a time: on a streamed text, on a result with so many
    rays, on opening its card. Times of the processor in this thread, so that other programs do not count."""
    from PySide6.QtCore import QCoreApplication

    from workbench.chat.cards import ToolCard

    words = [f"word{i}" + ("\n" if i % LINES == LINES - 1 else "") for i in range(CHUNKS)]
    replies: Sequence[Any] = [[" ".join(words)], [call("find_rays_inside_glass_xml", glass_name="Plate")], "These."]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plate.json"
        path.write_text(json.dumps(scene(rays)))
        with offscreen_window(path) as window:
            settle(window)
            dock = window.chat_dock

            def longest(done: Callable[[], bool], seconds: float = 60.0) -> float:
                worst, until = 0.0, time.perf_counter() + seconds
                while not done() and time.perf_counter() < until:
                    begun = time.thread_time()
                    QCoreApplication.processEvents()
                    worst = max(worst, time.thread_time() - begun)
                    time.sleep(0.0005)
                return worst * 1e3

            longest(lambda: len(dock.composer.commands) > 1)
            dock.connect_model(ScriptedBackend(replies, PAUSE))
            dock.ask("Tell me much.")
            text = longest(lambda: not dock.busy)
            dock.ask("Which rays are in the plate?")
            result = longest(lambda: not dock.busy)
            result = max(result, longest(lambda: False, 0.5))
            card = dock.findChildren(ToolCard)[-1]
            begun = time.thread_time()
            card.toggle()
            opened = max((time.thread_time() - begun) * 1e3, longest(lambda: False, 0.3))
            found = card.outcome.rays if card.outcome is not None else None
    return {"rays": float(len(found) if found is not None else 0), "text_ms": text, "result_ms": result, "open_ms": opened}


if __name__ == "__main__":
    print(json.dumps(held(int(sys.argv[1]))))
