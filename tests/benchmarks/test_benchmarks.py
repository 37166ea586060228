"""The benchmark measures what it says: the scenes, the plain kernel beside them, and a whole small
run.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.benchmarks import window, window_much_light
from tests.benchmarks.__main__ import PARTS, main
from tests.benchmarks.plain_c import PlainKernel, compiled_kernel, fits
from tests.benchmarks.report import Column, Table, best_of
from tests.benchmarks.scenes import SYNTHETIC, comb, prism, room, synthetic_scene

from raybench.files.scene_json import load_scene
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.run.emission import initial_rays
from raybench.trace.trace import trace

RECORDED = Path(__file__).parents[3] / "shared/oracle/scenes/synthetic"


@pytest.mark.parametrize("name", SYNTHETIC)
def test_generated_scenes_are_like_the_recorded_ones(name: str) -> None:
    path = RECORDED / f"{name}.json"
    if not path.exists():
        pytest.skip("no recorded scenes beside this checkout")
    recorded, made = load_scene(path), SYNTHETIC[name]()
    assert Counter(o.type for o in made.objects) == Counter(o.type for o in recorded.objects)
    assert len(initial_rays(made)) == len(initial_rays(recorded))
    assert made.settings.max_ray_depth == recorded.settings.max_ray_depth


def test_nothing_in_a_room_touches_and_no_light_leaves_it() -> None:
    scene = room(200, 50)
    round_glasses = [o for o in scene.objects if isinstance(o, CircleGlass)]
    assert len(round_glasses) == 200
    centres = np.array([g.p1 for g in round_glasses])
    radii = np.array([math.dist(g.p1, g.p2) for g in round_glasses])
    apart = (
        np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
        - radii[:, None]
        - radii[None]
    )
    assert apart[~np.eye(200, dtype=bool)].min() > 0
    assert not trace(scene, max_segments=20_000).escaped.any()


def test_an_instance_of_the_measured_module_has_its_parts() -> None:
    scene = comb(1_500, 100)
    assert sum(isinstance(o, Mirror) for o in scene.optical) == 1_500
    assert (trace(scene).hit >= 0).any()


def test_a_recorded_scene_is_preferred() -> None:
    if not RECORDED.is_dir():
        pytest.skip("no recorded scenes beside this checkout")
    assert (
        synthetic_scene("b_room20_100", RECORDED).objects[5]
        != synthetic_scene("b_room20_100").objects[5]
    )
    assert len(synthetic_scene("a_prism_1k", RECORDED / "missing").objects) == 2


@pytest.mark.parametrize("scene", [prism(300), room(20, 30)], ids=["prism", "room"])
def test_the_plain_kernel_traces_the_same_light(scene: Scene) -> None:
    kernel = compiled_kernel()
    if isinstance(kernel, str):
        pytest.skip(kernel)
    plain = kernel.prepared(scene, 50_000)()
    ours = trace(scene.with_settings(max_ray_depth=4), max_segments=50_000)
    # what the strong first interactions give must be there too, to the last digit but a few
    strong = ours.total_power > 0.02
    found = {tuple(row) for row in np.round(plain[:, :6], 6).tolist()}
    expected = {
        tuple(row)
        for row in np.round(
            np.hstack([ours.p1, ours.p2, ours.power])[strong & ~ours.escaped], 6
        ).tolist()
    }
    assert len(expected) > 100
    assert len(expected - found) < 0.01 * len(
        expected
    )  # numbers at the edge of rounding may differ


def test_unsupported_scenes_do_not_fit_the_plain_kernel() -> None:
    assert fits(prism(10))
    assert not fits(Scene.of([IdealLens(p1=Point(0, 0), p2=Point(0, 9), focal_length=5)]))


def test_without_a_compiler_the_reason_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    message = compiled_kernel()
    assert not isinstance(message, PlainKernel)
    assert "no C compiler" in message


def test_the_best_of_several_runs_counts() -> None:
    times = iter([0.0, 5.0, 5.0, 7.0, 7.0, 10.0])
    assert best_of(lambda: None, 3, lambda: next(times), least=0.0) == 2.0


def test_brief_work_is_repeated_until_the_processor_has_its_clock_rate() -> None:
    runs: list[int] = []
    best_of(lambda: runs.append(0), 3, least=0.01)
    assert len(runs) > 3
    best_of(lambda: runs.append(0), 1, least=math.inf)  # a single run where one is wanted


def test_a_table_is_aligned_and_says_where_nothing_was_measured() -> None:
    columns = (Column("scene", "scene"), Column("n", "segments"), Column("speed", "speed", "M/s"))
    table = Table("t", "Title", columns, (("prism", 12345, 1.23456), ("room", 7, None)))
    assert table.to_text().split("\n") == [
        "Title",
        "",
        "scene  segments  speed",
        "                   M/s",
        "-----  --------  -----",
        "prism    12\u2009345   1.23",
        "room          7      —",
    ]
    assert table.to_json()["rows"][1] == {"scene": "room", "n": 7, "speed": None}
    assert table.to_json()["units"] == {"speed": "M/s"}


def test_every_part_measures_tiny_inputs() -> None:
    """In seconds, without a window: its parts have their own test below."""
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    assert "measuring tracing (1 of 13)" in done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["processors"] >= 1
    tables = {t["key"]: t for t in report["tables"]}
    assert list(tables) == list(PARTS)
    assert all(table["rows"] for table in tables.values())
    for row in tables["speed"]["rows"] + tables["objects"]["rows"] + tables["rays"]["rows"]:
        assert min(row["segments"], row["one_thread"], row["all_threads"]) > 0
        assert row["ratio"] is None or row["ratio"] > 0
    assert tables["speed"]["units"]["one_thread"] == "M segments/s"
    assert all(0 < row["best"] <= row["median"] for row in tables["editing"]["rows"])
    assert all(0 < row["kept"] <= 120 for row in tables["memory"]["rows"])
    asked = {row["question"]: row for row in tables["questions"]["rows"]}
    assert asked["find_rays_inside_glass_xml"]["rays"] > 0
    assert asked["rays_to_xml"]["rays"] == 100
    assert all(row["seconds"] is None or row["seconds"] > 0 for row in tables["start_up"]["rows"])


def test_an_unknown_part_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "speeed"])
    with pytest.raises(SystemExit):
        main()
    assert "no PART is speeed" in capsys.readouterr().err


def test_every_row_about_much_light_is_measured(raybench_app: object) -> None:
    found = window_much_light.measured(400, click=True)
    assert found["segments"] >= 400
    assert {key for _, _, key, _ in window.MUCH_LIGHT} <= found.keys()
    assert min(found["frame_ms"], found["click_ms"]) > 0
    assert found["worst_frame_ms"] >= found["frame_ms"]
