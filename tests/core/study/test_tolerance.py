"""Tolerances: sensitivities, Monte Carlo beside linear propagation, compensators, yield, and the
same table everywhere.
"""

from __future__ import annotations

import contextlib
import math
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import INDEX, lens_scene, prism_scene

from raybench.errors import RaybenchError
from raybench.files.document_file import save_document
from raybench.files.scene_json import scene_from_json
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import AddPreset, apply_changes, changes_from_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.study.experiment import Evaluator, InvalidSeed
from raybench.study.optimise import optimise
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import InvalidRange, draw_samples, read_bounds, read_deviation
from raybench.study.tolerance import InvalidTolerance, Tolerance, Yield, root_sum_square
from raybench_workbench.cli import main


def study(document: Document, vary: list[str], measures: list[str], **options: object) -> Tolerance:
    return Tolerance.read(document, vary, measures, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "by", "distribution"),
    [
        ("Lens.x±0.1", 0.1, "uniform"), ("Lens.x +- 0.1 mm", 0.1, "uniform"), ("Lens.x+/-100 µm normal", 0.1, "normal"),
        ("Lens.angle ± 0.5 deg", 0.5, "uniform"), ("Lens.focalLength±1 normal", 1.0, "normal"),
    ],
)  # fmt: skip
def test_deviations_are_read(text: str, by: float, distribution: str) -> None:
    found = read_deviation(text, lens_scene())
    assert found.by == pytest.approx(by)
    assert found.distribution == distribution
    assert found.nominal == (100 if "focal" in text else 0)


@pytest.mark.parametrize("name", ["A ± 1", "A +- 1", "5 +/- 2 ±"])
def test_a_name_may_hold_the_sign_of_a_deviation(name: str) -> None:
    scene = lens_scene()
    document = apply_changes(changes_from_json([{"set": "Lens", "name": name}], scene), scene)
    found = read_deviation(f'"{name}".x ± 0.1 mm normal', document)
    assert (found.parameter.text, found.by, found.distribution) == (f'"{name}".x', 0.1, "normal")


@pytest.mark.parametrize(
    ("text", "says"),
    [("Lens.x", "is not a deviation"), ("Lens.x±", "is not a deviation"), ("Lens.x±0", "above 0"), ("Lens.x±1 gauss", "is in 'gauss'"),
     ("Lens.x±-1", "above 0"), ("Lens.x±1e999", "too large")],
)  # fmt: skip
def test_what_is_no_deviation_is_told_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InvalidRange, match=says) as raised:
        read_deviation(text, lens_scene())
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Prism.x±1%", "Prism.x is counted from 0. Give its deviation in mm, not in %."),
        ("Prism.angle±1%", "Prism.angle is counted from 0. Give its deviation in deg, not in %."),
        ("Prism.cauchyB±1%", "Prism.cauchyB is 0. Give its deviation in µm², not in %."),
    ],
)
def test_a_share_of_0_is_refused_with_the_unit_of_the_parameter(text: str, says: str) -> None:
    scene = prism_scene()
    document = apply_changes(changes_from_json([{"set": "Prism", "cauchyB": 0}], scene), scene)
    with pytest.raises(InvalidRange, match=re.escape(says)):
        read_deviation(text, document)


@given(st.text(max_size=30))
def test_any_text_is_a_deviation_or_a_specific_error(text: str) -> None:
    for written in (text, f"Lens.x±{text}", f"Lens.{text}±1"):
        with contextlib.suppress(RaybenchError):
            read_deviation(written, lens_scene())


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_samples_have_the_stated_standard_deviation_and_stay_within(distribution: str) -> None:
    deviation = read_deviation(f"Lens.x±0.1 {distribution}", lens_scene())
    drawn = draw_samples([deviation], 100_000, 1)[:, 0]
    assert np.abs(drawn).max() <= 0.1
    assert drawn.std() == pytest.approx(deviation.standard_deviation, rel=0.01)


def test_samples_of_a_parameter_do_not_depend_on_other_parameters_or_their_number() -> None:
    one, two = (read_deviation(text, lens_scene()) for text in ("Lens.x±0.1 normal", "Lens.y±0.1"))
    np.testing.assert_array_equal(
        draw_samples([one], 50, 4)[:, 0], draw_samples([one, two], 50, 4)[:, 0]
    )
    np.testing.assert_array_equal(draw_samples([two], 50, 4), draw_samples([two], 90, 4)[:50])


def test_sensitivities_are_the_derivatives() -> None:
    """The spot of a beam of half width h at distance s behind a lens is h |1 - s / f|: its
    derivative by s is -h / f.
    """
    found = study(lens_scene(), ["Screen.x±0.01", "Lens.focalLength±0.01"], ["width(Screen)"])
    with Evaluator() as evaluator:
        nominal = found.nominal(evaluator)[0].value
        screen, focal = found.sensitivities(evaluator)
    assert screen.slope(0) == pytest.approx(
        -nominal / 20, rel=1e-6
    )  # width is proportional to f - s = 20
    assert focal.slope(0) == pytest.approx(nominal / 20 * 80 / 100, rel=1e-3)


def test_what_nothing_changes_has_no_sensitivity_and_no_spread_whatever_is_rounded() -> None:
    """Two mirrors at 45 degrees deviate light by 90 degrees, however they are turned together."""
    ray = SingleRay(p1=Point(-100, 5), p2=Point(0, 5), name="Ray")
    document = apply_changes(
        [AddPreset("PentaPrism", as_="Penta")], Document(scene=Scene.of([ray]))
    )
    found = study(document, ["Penta.angle±3"], ["deviation(Penta)"], samples=8)
    with Evaluator() as evaluator:
        nominal, (sensitivity,) = found.nominal(evaluator), list(found.sensitivities(evaluator))
    assert nominal[0].value == pytest.approx(-90)
    assert sensitivity.changes(0, nominal) == (0.0, 0.0)
    assert found.spreads(list(found.run(threads=1)))[0].deviation == 0.0


def test_the_variance_agrees_with_linear_propagation_within_its_confidence_interval() -> None:
    found = study(
        prism_scene(),
        ["Prism.angle±0.02", "Prism.refIndex±0.0005 normal"],
        ["deviation(Prism)"],
        samples=1000,
        seed=5,
    )
    with Evaluator() as evaluator:
        linear = root_sum_square(list(found.sensitivities(evaluator)), 0)
        rows = list(evaluator.rows(found.experiment_to_evaluate(), found.points))
    spread = found.spreads(rows)[0]
    confidence = 1.96 * math.sqrt(
        2 / (len(rows) - 1)
    )  # of a variance, relative, for a normal distribution: wide enough for ours
    assert (spread.deviation / linear) ** 2 == pytest.approx(1, abs=confidence)
    low, median, high = spread.quantiles
    assert spread.least < low < median < high < spread.most


def test_the_yield_counts_the_samples_within_the_limits() -> None:
    document = lens_scene()
    limits = ["width(Screen) < 4.0", "width(Screen) > 3.9"]
    found = study(document, ["Screen.x±1"], ["width(Screen)"], limits=limits, samples=400, seed=2)
    rows = list(found.run())
    widths = np.array([row[0].value for row in rows])
    below, above, both = found.yields(rows)
    assert below.within == (widths <= 4.0).sum()
    assert above.within == (widths >= 3.9).sum()
    assert both.within == ((widths <= 4.0) & (widths >= 3.9)).sum()
    low, high = below.interval
    assert 0 < low < below.share < high < 1
    worst = found.worst_samples(rows, 3)
    excess = np.maximum((widths - 4.0) / 4.0, (3.9 - widths) / 3.9)
    assert worst == np.argsort(-excess, kind="stable")[:3].tolist()


def test_a_range_is_one_limit_with_one_yield() -> None:
    document = lens_scene()

    def yields(*limits: str) -> dict[str, int]:
        found = study(
            document,
            ["Screen.x±1"],
            ["width(Screen)"],
            limits=limits,
            samples=50,
            seed=2,
        )
        return {y.of: y.within for y in found.yields(list(found.run()))}

    apart = yields("width(Screen) > 3.7", "width(Screen) < 3.8")
    assert list(apart) == ["width(Screen) > 3.7", "width(Screen) < 3.8", "all limits"]
    assert (
        yields("width(Screen) = 3.7..3.8")
        == yields("width(Screen) = 3.75 ± 0.05")
        == {"width(Screen) = 3.7..3.8": apart["all limits"]}
    )
    assert list(yields("width(Screen) = 3.7..3.8", "rays(Screen) > 0")) == [
        "width(Screen) = 3.7..3.8",
        "rays(Screen) > 0",
        "all limits",
    ]


def test_a_mean_of_directions_is_read_in_the_half_open_range() -> None:
    mirror = {
        "type": "Mirror",
        "name": "Fold",
        "p1": {"x": 100, "y": 190},
        "p2": {"x": 100, "y": 210},
    }
    ray = {
        "type": "SingleRay",
        "name": "Pointer",
        "p1": {"x": 0, "y": 200},
        "p2": {"x": 10, "y": 200},
    }
    document = Document(scene=scene_from_json({"version": 5, "objs": [ray, mirror]}))
    for by, read in ((1e-4, "180"), (0.01, "-179.998")):
        found = study(document, [f"Fold.angle±{by}"], ["direction(Fold)"], samples=50, seed=1)
        rows = list(found.run())
        spread = found.spreads(rows)[0]
        assert f"{spread.mean:.6g}" == read
        assert spread.least < spread.mean < spread.most < spread.least + 1
        assert found.table(rows).rows[:, -1].mean() == pytest.approx(spread.mean, rel=1e-12)


def test_a_sample_without_light_is_not_within_a_limit() -> None:
    document = lens_scene()
    found = study(
        document,
        ["Lamp.y±300"],
        [],
        limits=["rms(Screen) < 100"],
        samples=20,
    )
    rows = list(found.run())
    undefined = sum(not row[0].defined for row in rows)
    assert undefined
    assert found.yields(rows)[0].within == 20 - undefined
    assert not rows[found.worst_samples(rows, 1)[0]][0].defined


def test_a_compensator_is_adjusted_in_every_sample() -> None:
    """The screen follows the focus of a lens that stands wrong: the spot is as sharp as with the
    lens in its place.
    """
    document = lens_scene()
    compensated = study(
        document,
        ["Lens.x±5"],
        ["rms(Screen)"],
        adjust=["Screen.x=0..40"],
        goals=["least rms(Screen)"],
        samples=4,
    )
    rows = list(compensated.run())
    free = list(study(document, ["Lens.x±5"], ["rms(Screen)"], samples=4).run())
    assert max(row[0].value for row in rows) < 1e-5
    assert min(row[0].value for row in free) > 0.5
    table = compensated.table(rows)
    assert table.columns == ("Lens.x", "Screen.x", "rms(Screen)")
    np.testing.assert_allclose(table.rows[:, 1], 20 + table.rows[:, 0], atol=1e-3)
    lens, screen = compensated.changes(2, rows[2])
    assert (lens.dx, screen.dx) == tuple(table.rows[2, :2])  # type: ignore[attr-defined]


def test_the_changes_of_a_sample_make_its_scene() -> None:
    document = prism_scene()
    found = study(
        document, ["Prism.angle±1", "Prism.refIndex±0.01"], ["deviation(Prism)"], samples=5
    )
    rows = list(found.run())
    again = found.experiment.evaluate(found.points[3])
    assert again[0].value == rows[3][0].value
    assert len(found.changes(3, rows[3])) == 2


def test_the_same_table_comes_from_threads_and_from_processes() -> None:
    found = study(
        prism_scene(),
        ["Prism.angle±1", "Mirror 1.x±1"],
        ["deviation(Prism)", "escaped()"],
        samples=40,
        seed=9,
    )
    first = found.table(list(found.run(threads=1))).rows
    np.testing.assert_array_equal(found.table(list(found.run(threads=3))).rows, first)
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        np.testing.assert_array_equal(found.table(list(found.run(executor))).rows, first)


def test_an_experiment_survives_pickling_with_names_for_unnamed_objects() -> None:
    found = study(prism_scene(), ["Mirror 1.x±1"], ["escaped()"]).experiment
    copy = pickle.loads(pickle.dumps(found))
    assert copy.evaluate((0.5,))[0].value == found.evaluate((0.5,))[0].value


@pytest.mark.parametrize(
    ("vary", "samples", "says"), [([], 10, "Nothing deviates"), (["Lens.x±1"], 1, "2 to")]
)
def test_a_study_of_nothing_is_refused(vary: list[str], samples: int, says: str) -> None:
    with pytest.raises(InvalidTolerance, match=says):
        study(lens_scene(), vary, ["rms(Screen)"], samples=samples)


def test_a_seed_below_0_is_refused() -> None:
    document = lens_scene()
    with pytest.raises(InvalidSeed, match="The seed -1 is below 0"):
        study(document, ["Lens.x±1"], ["rms(Screen)"], seed=-1)
    with pytest.raises(InvalidSeed):
        optimise(
            document,
            [read_bounds("Screen.x=0..5", document)],
            read_goals(["least rms(Screen)"], document),
            seed=-1,
        )


@pytest.mark.parametrize(
    ("adjust", "goals", "says"),
    [
        ((), ("least rms(Screen)",), "A goal needs what is adjusted"),
        (("Screen.x=0..5",), (), "needs a goal"),
    ],
)
def test_half_a_compensation_is_refused(
    adjust: tuple[str, ...], goals: tuple[str, ...], says: str
) -> None:
    with pytest.raises(InvalidTolerance, match=says):
        study(lens_scene(), ["Lens.x±5"], ["rms(Screen)"], adjust=adjust, goals=goals)


def test_the_command_prints_sensitivities_spread_and_yield(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, out, worst = tmp_path / "scene.json", tmp_path / "samples.csv", tmp_path / "worst"
    save_document(prism_scene(), scene)
    command = [
        "tolerance",
        str(scene),
        "--vary",
        "Prism.angle+-0.5",
        "--measure",
        "deviation(Prism)",
        "--samples",
        "20",
    ]
    assert (
        main(
            [
                *command,
                "--limit",
                "deviation(Prism) < -46.5",
                "--out",
                str(out),
                "--worst",
                str(worst),
            ]
        )
        == 0
    )
    printed = capsys.readouterr().out
    for part in (
        "nominally",
        "Prism.angle ±0.5 deg",
        "20 samples, seed 0",
        "standard deviation",
        "5 %",
        "yield, deviation(Prism) < -46.5:",
    ):
        assert part in printed
    assert len(out.read_text().splitlines()) == 21
    assert len(list(worst.iterdir())) == 3
    assert main(["tolerance", str(scene), "--vary", "Prism.angle±1"]) == 1
    assert "Nothing is measured" in capsys.readouterr().err


def test_index_is_that_of_the_scene() -> None:
    assert read_deviation("Prism.refIndex±0.1", prism_scene()).nominal == INDEX


def test_the_deviation_for_a_yield_is_found() -> None:
    """Within ±1 of a focal length that is off by ±4 at most lies a quarter, and of ±2 a half."""
    given = {"limits": ["nominal_focal_length(Lens) = 99..101"], "samples": 50}
    one = study(lens_scene(), ["Lens.focalLength±4"], [], **given)
    with Evaluator() as evaluator:
        found = one.scale_for_yield(0.5, evaluator)
        assert found is not None
        assert found[0] == pytest.approx(0.5, rel=0.2)
        assert 0.5 <= found[1].share < 0.55
        with pytest.raises(InvalidTolerance, match="between 0 and 1"):
            one.scale_for_yield(95, evaluator)
    low, high = Yield("", 250, 1000).interval
    assert Yield("", 250, 1000).samples_for((high - low) / 2) == pytest.approx(1000, rel=0.01)
    assert Yield("", 0, 1000).samples_for(0.01) > 1


def test_a_stopped_search_for_a_yield_gives_the_best_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = {"limits": ["nominal_focal_length(Lens) = 99..101"], "samples": 20}
    one = study(lens_scene(), ["Lens.focalLength±1"], [], **given)
    with Evaluator() as evaluator:
        whole = one.scale_for_yield(0.5, evaluator)
        rows, left = evaluator.rows, [4]  # both ends, and two steps

        def rows_until_stopped(*arguments: Any) -> Any:
            left[0] -= 1
            return rows(*arguments) if left[0] >= 0 else iter(())

        monkeypatch.setattr(evaluator, "rows", rows_until_stopped)
        found = one.scale_for_yield(0.5, evaluator)
    assert found is not None
    assert whole is not None
    assert found[0] == pytest.approx(1)
    assert found[0] < whole[0]
