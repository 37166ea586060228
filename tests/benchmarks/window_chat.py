"""How long the event loop is blocked while the agent answers; run as a module, prints JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.system.files import temporary_folder
from raybench_workbench.shot import offscreen_window, wait_until_settled

from .window_events import longest_hold

CHUNKS = 600
"""Words of the streamed answer."""
PAUSE = 0.004
"""Seconds between two of them."""
LINES = 12
"""Words of a line."""


def scene(rays: int) -> dict[str, Any]:
    """A plate of glass through which so many rays go."""
    plate = [
        {"x": x, "y": y, "arc": False} for x, y in ((100, -60), (140, -60), (140, 60), (100, 60))
    ]
    return {
        "version": 5,
        "rayModeDensity": rays / 100,
        "objs": [
            {"type": "Beam", "name": "Lamp", "p1": {"x": 0, "y": -50}, "p2": {"x": 0, "y": 50}},
            {"type": "Glass", "name": "Plate", "path": plate, "partialReflect": False},
        ],
    }


def measure(rays: int) -> dict[str, float]:
    """The longest times in milliseconds for which the window's thread worked at a time: on a
    streamed text, on a result with so many rays, on opening its card.
    """
    from raybench_workbench.chat.cards import ToolCard

    words = [f"word{i}" + ("\n" if i % LINES == LINES - 1 else "") for i in range(CHUNKS)]
    replies: Sequence[Any] = [
        [" ".join(words)],
        [call("find_rays_inside_glass_xml", glass_name="Plate")],
        "These.",
    ]
    with temporary_folder() as folder:
        path = folder / "plate.json"
        path.write_text(json.dumps(scene(rays)))
        with offscreen_window(path) as window:
            wait_until_settled(window)
            dock = window.chat_dock
            longest_hold(done=lambda: len(dock.composer.commands) > 1)
            dock.connect_model(ScriptedBackend(replies, PAUSE))
            dock.ask("Tell me much.")
            text = longest_hold(done=lambda: not dock.busy)
            dock.ask("Which rays are in the plate?")
            result = max(longest_hold(done=lambda: not dock.busy), longest_hold(seconds=0.5))
            card = dock.findChildren(ToolCard)[-1]
            opened = longest_hold(card.toggle, seconds=0.3)
            rays_found_sentence = card.outcome.rays if card.outcome is not None else None
    return {
        "rays": float(len(rays_found_sentence) if rays_found_sentence is not None else 0),
        "text_ms": text,
        "result_ms": result,
        "open_ms": opened,
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
