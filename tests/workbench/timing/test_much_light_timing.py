"""The measurements of the window on much light, with a little of it: every row of the benchmark's
table finds its number.
"""

from __future__ import annotations

from raybench.benchmark.window import ROWS
from raybench_workbench.timing.much_light import measured


def test_every_row_of_the_table_is_measured(raybench_app):
    found = measured(400, click=True)
    assert found["segments"] >= 400
    assert {key for _, _, key, _ in ROWS} <= found.keys()
    assert min(found["frame_ms"], found["click_ms"]) > 0
    assert found["worst_frame_ms"] >= found["frame_ms"]
