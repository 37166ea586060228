"""Random studies of random scenes: a row is what the scene with its values measures, however the
rows are computed and wherever they were stopped; an optimum is never worse than its start; a study
in a file is the same study.
"""

from __future__ import annotations

import json
import math
import os
import pickle
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.core.study import random_studies as studies
from tests.core.study.random_studies import MOST

from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, unwrap_values
from raybench.errors import RaybenchError
from raybench.files.document_file import load_document, save_document
from raybench.scene.changes import Change, apply_changes, changes_from_json, changes_to_json
from raybench.scene.document import Document
from raybench.scene.labels import UnknownEdge
from raybench.study.experiment import Evaluator
from raybench.study.optimise import NoOptimum, optimise
from raybench.study.request import StudyRequest, run_request
from raybench.study.sweep import Sweep, refine_sweep
from raybench.study.table import save_table
from raybench.study.terms.goal import merit, read_goals
from raybench.study.terms.ranges import read_bounds
from raybench.study.tolerance import Tolerance
from raybench.study.what_if import what_if
from raybench.trace.trace import trace

STUDIES, BLOCK = (300, 20) if os.environ.get("RAYBENCH_LONG") else (2, 2)
FIRST = 10_000 * int(os.environ.get("RAYBENCH_SEED") or 0)
BLOCKS = range(FIRST, FIRST + STUDIES, BLOCK)
pytestmark = pytest.mark.long
Row = tuple[Measured, ...]


class Elsewhere(Executor):
    """An executor whose tasks and results are pickled, as for another process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        out: Future[Any] = Future()
        task = pickle.loads(pickle.dumps((fn, args)))
        out.set_result(pickle.loads(pickle.dumps(task[0](*task[1]))))
        return out


class Rows:
    """A listener that keeps the rows of a study."""

    def __init__(self) -> None:
        self.rows: list[tuple[tuple[float, ...], Row]] = []

    def begin(self, experiment: Any, count: int) -> None:
        pass

    def row(self, values: tuple[float, ...], measures: Row) -> None:
        self.rows.append((values, measures))

    def progress(self, evaluations: int, best: float) -> None:
        pass


def words(row: Row) -> list[str]:
    """What a row says, exactly; NaN is equal to NaN."""
    return [f"{m.value!r} {m.unit} {m.expression} {m.reason} {m.note}" for m in row]


def measured(document: Document, changes: tuple[Change, ...], expressions: list[str]) -> list[str]:
    """What measures say of a document with changes, of a trace of its own."""
    changed = apply_changes(changes, document)
    light = Light.from_document(changed, trace(changed, threads=2, max_segments=MOST))
    try:
        bound = bind_measures(expressions, changed)
    except UnknownEdge:  # of a body whose corners have moved, and with them the side of an edge
        bound = bind_measures(expressions, document)
    return words(tuple(b.evaluate(light) for b in bound))


def random_sweep(seed: int) -> tuple[Document, Sweep, Random] | None:
    chance, document = Random(seed), studies.random_document(seed)
    first = studies.first_changes(document, chance)
    begun = apply_changes(first, document)
    vary = studies.varied(begun, chance, chance.randint(2, 5))
    count = chance.choice((1, 1, 2))
    leading, following = vary[:count], vary[count:]
    if len(leading) < count:
        return None
    links = studies.link_texts(begun, chance, leading, following) if chance.random() < 0.4 else []
    axes = [studies.axis_text(v, chance, 8 if count == 1 else 4) for v in leading]
    measures = studies.measure_texts(begun, chance, 5)
    sweep = Sweep.build(document, axes, measures, MOST, links, first)
    return document, sweep, chance


@pytest.mark.parametrize("first", BLOCKS)
def test_a_row_of_a_sweep_is_what_the_scene_with_its_values_measures_however_it_is_computed(
    first: int, tmp_path: Path
) -> None:
    for seed in range(first, first + BLOCK):
        if (made := random_sweep(seed)) is None:
            continue
        document, sweep, chance = made
        before, expressions = document.revision, [m.expression for m in sweep.experiment.measures]
        points = list(sweep.run(threads=chance.choice((1, 2, 3, 7))))
        assert (document.revision, [p.index for p in points]) == (
            before,
            list(range(len(sweep))),
        ), seed
        assert len({tuple(p.values) for p in points} ^ set(sweep.points)) == 0, seed
        for p in points:
            refusal = ""
            try:
                changes = sweep.experiment.changes(p.values)
                written = changes_from_json(changes_to_json(changes, document), document)
                found = measured(document, written, expressions)
            except RaybenchError as error:
                refusal = str(error)
            assert (
                all(m.reason == refusal for m in p.measures)
                if refusal
                else words(p.measures) == found
            ), (seed, p.values)
        result = trace(document, max_segments=MOST)
        if len(result) < MOST // 4 and all(m.defined for m in points[0].measures):
            tried = what_if(
                document, result, sweep.experiment.changes(points[0].values), "; ".join(expressions)
            )
            if tried.result.segment_count < MOST:
                assert words(tuple(d.after for d in tried.differences)) == words(
                    points[0].measures
                ), seed
        again = list(sweep.run(threads=chance.choice((1, 2, 5))))
        away = list(sweep.run(Elsewhere(), threads=chance.choice((1, 2))))
        assert [words(p.measures) for p in again] == [words(p.measures) for p in points], seed
        assert [words(p.measures) for p in away] == [words(p.measures) for p in points], seed
        polls = chance.randint(0, len(points) + 2)
        asked = iter(range(10**9))
        part = list(
            sweep.run(
                threads=chance.choice((1, 2)), stop=lambda n=asked, polls=polls: next(n) >= polls
            )
        )
        assert [words(p.measures) for p in part] == [
            words(p.measures) for p in points[: len(part)]
        ], seed
        table = sweep.table(points)
        save_table(table, tmp_path / "table.npz")
        assert np.load(tmp_path / "table.npz")["rows"].tobytes() == table.rows.tobytes(), seed


@pytest.mark.parametrize("first", BLOCKS)
def test_a_refined_sweep_is_the_same_for_any_number_of_threads(first: int) -> None:
    for seed in range(first, first + BLOCK):
        made = random_sweep(seed)
        if made is None or len(made[1].axes) > 1 or made[1].axes[0].parameter.choices:
            continue
        sweep = made[1]
        points, found = list(sweep.run()), []
        for threads in (1, 3):
            with Evaluator(threads=threads) as evaluator:
                found.append(
                    [
                        (p.index, p.values, words(p.measures))
                        for p in refine_sweep(sweep, points, 9, evaluator)
                    ]
                )
        assert found[0] == found[1], seed
        assert [i for i, _, _ in found[0]] == list(
            range(len(points), len(points) + len(found[0]))
        ), seed


@pytest.mark.parametrize("first", BLOCKS)
def test_an_optimum_is_what_its_scene_measures_within_the_bounds_and_not_worse_than_the_start(
    first: int,
) -> None:
    for seed in range(first, first + BLOCK):
        chance, document = Random(seed), studies.random_document(seed)
        base = studies.first_changes(document, chance)
        begun = apply_changes(base, document)
        vary = studies.varied(begun, chance, chance.choice((2, 3, 4)))
        leading = vary[: chance.choice((1, 1, 2))]
        bounds, _ = studies.readable(
            begun, bounds=[studies.bounds_text(v, chance) for v in leading]
        )
        leading = [v for v in leading if any(t.startswith(v.text) for t in bounds)]
        goals = studies.goal_texts(begun, chance, chance.choice((1, 1, 2, 3)))
        if not bounds or not goals:
            continue
        others = studies.measure_texts(begun, chance, chance.choice((1, 2)))
        links = (
            studies.link_texts(begun, chance, leading, vary[2:]) if chance.random() < 0.3 else []
        )
        asked, polls = iter(range(10**9)), chance.choice((10**9, 10**9, chance.randint(0, 60)))
        limits, wanted = [read_bounds(t, begun) for t in bounds], read_goals(goals, begun)
        try:
            found = optimise(
                document, limits, wanted, first=base, measures=others, links=links, whole_range=chance.random() < 0.05, seed=seed, max_segments=MOST,
                threads=chance.choice((1, 2, 3)), stop=lambda n=asked, polls=polls: next(n) >= polls,
            )  # fmt: skip
        except NoOptimum:
            continue
        where = (seed, base, bounds, goals, links, found.values, found.merit, found.method)
        for b, value in zip(limits, found.values, strict=True):
            assert value in b.chosen if b.chosen else b.low <= value <= b.high, where
        expressions = [g.expression for g in wanted]
        unchanged = measured(document, base, expressions)
        assert words(found.before) == unchanged, where
        assert measured(document, found.changes, expressions) == words(found.after), where
        written = changes_from_json(changes_to_json(found.changes, document), document)
        assert measured(document, written, expressions) == words(found.after), where
        assert words(found.after) == measured(found.document, (), expressions), where
        asked = [m.expression for m, _ in found.measured]
        before, after = (tuple(pair[i] for pair in found.measured) for i in (0, 1))
        assert set(asked) == set(others) - set(expressions), where
        assert words(before) == measured(document, base, asked), where
        assert words(after) == measured(document, found.changes, asked), where
        for value, row in zip(found.merit, (found.before, found.after), strict=True):
            assert value == merit(wanted, row), where
        if all(b.contains_present_value for b in limits) and not links:
            assert not found.merit[1] > found.merit[0], where
        assert math.isfinite(found.merit[1]) or not any("undefined" in n for n in found.notes), (
            where
        )
        assert math.isfinite(found.merit[1]), where


@pytest.mark.parametrize("first", BLOCKS)
def test_a_tolerance_study_is_determined_by_its_seed_and_ends_where_nothing_deviates(
    first: int,
) -> None:
    for seed in range(first, first + BLOCK):
        chance, document = Random(seed), studies.random_document(seed)
        base = studies.first_changes(document, chance)
        begun = apply_changes(base, document)
        vary = studies.varied(begun, chance, 3)
        _, texts = studies.readable(
            begun, deviations=[studies.deviation_text(v, chance) for v in vary[:2]]
        )
        expressions = studies.measure_texts(begun, chance, 4)
        limits = studies.goal_texts(begun, chance, 3, constraints=True)
        adjust, goals = [], []
        if len(vary) > 2 and chance.random() < 0.03:
            ranges = [studies.bounds_text(vary[2], chance).replace("|", "..")]
            adjust, _ = studies.readable(begun, bounds=ranges)
            goals = studies.goal_texts(begun, chance, 1) if adjust else []
            adjust = adjust if goals else []
        if not texts:
            continue
        about = {
            "limits": limits,
            "adjust": adjust,
            "goals": goals,
            "first": base,
            "samples": 3 if adjust else 8,
            "seed": seed,
            "max_segments": MOST,
        }
        study = Tolerance.read(document, texts, expressions, **about)
        rows = list(study.run(threads=1))
        again = list(Tolerance.read(document, texts, expressions, **about).run(threads=3))
        assert [words(r) for r in again] == [words(r) for r in rows], seed
        away = list(study.run(Elsewhere()))
        assert [words(r) for r in away] == [words(r) for r in rows], seed
        asked = [m.expression for m in study.experiment.measures]
        for i, (point, row) in enumerate(zip(study.points, rows, strict=True)):
            for d, value in zip(study.deviations, point, strict=False):
                assert abs(value - d.nominal) <= d.by * (1 + 1e-12), seed
            values, own = study.split_row(point, row)
            if any(math.isnan(v) for v in values):
                continue
            assert measured(document, study.changes(i, row), asked) == words(own), (seed, i)
        with Evaluator(threads=2) as evaluator:
            nominal, sensitivities = study.nominal(evaluator), list(study.sensitivities(evaluator))
        if not adjust:
            nothing = tuple(d.nominal for d in study.deviations)
            assert measured(document, study.experiment.changes(nothing), asked) == words(nominal), (
                seed
            )
        for s, d in zip(sensitivities, study.deviations, strict=True):
            assert s.deviation is d
        for i, spread in enumerate(study.spreads(rows)):
            known = unwrap_values(
                np.array([r[i].value for r in rows if r[i].defined]),
                study.experiment.measures[i].period,
            ).tolist()
            assert spread.defined == len(known), seed
            if known and all(map(math.isfinite, known)):
                assert [spread.least, spread.most] == [min(known), max(known)], seed
                slack = 1e-12 * max(map(abs, known))
                assert spread.least - slack <= spread.mean <= spread.most + slack, seed
        worst = study.worst_samples(rows, len(rows))
        assert sorted(worst) == list(range(len(rows))), seed
        for y in study.yields(rows):
            assert 0 <= y.within <= y.samples == len(rows), seed
            low, high = y.interval
            assert 0 <= low <= y.share <= high + 1e-12 <= 1 + 1e-9, seed
        for v in [v for v in vary if v.now and not adjust][:1]:
            same = Tolerance.read(
                document,
                [f"{v.text}±{abs(v.now) * 1e-18!r}"],
                expressions,
                first=base,
                samples=3,
                seed=seed,
                max_segments=MOST,
            )
            unchanged = measured(
                document,
                same.experiment.changes((v.now,)),
                [m.expression for m in same.experiment.measures],
            )
            assert all(words(r) == unchanged for r in same.run()), (seed, v.text)


@pytest.mark.parametrize("first", BLOCKS)
def test_a_study_that_is_kept_in_a_file_is_the_same_study(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + BLOCK):
        if (made := random_sweep(seed)) is None:
            continue
        document, sweep, _ = made
        axes = tuple(
            f"{a.parameter.text}={'|'.join(a.parameter.choices) or ','.join(map(repr, a.values))}"
            for a in sweep.axes
        )
        expressions = tuple(m.expression for m in sweep.experiment.measures)
        request = StudyRequest(
            "sweep",
            axes,
            expressions,
            links=tuple(link.text for link in sweep.experiment.links),
            changes=tuple(map(json.dumps, changes_to_json(sweep.experiment.first, document))),
            seed=seed,
        )
        if len(trace(document, max_segments=10 * MOST)) >= MOST:
            continue
        kept = document.with_annotations(studies={"it": request.to_json()})
        save_document(kept, tmp_path / "kept.raybench")
        opened = load_document(tmp_path / "kept.raybench")
        read = StudyRequest.from_json(opened.studies["it"])
        assert read == request, seed
        one, other = Rows(), Rows()
        run_request(request, document, one, lambda: False)
        run_request(read, opened, other, lambda: False)
        assert [(v, words(r)) for v, r in one.rows] == [(v, words(r)) for v, r in other.rows], seed
