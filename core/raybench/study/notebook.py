"""Studies for scripts and notebooks. Scenes are given by file name; parameters, goals and measures
are texts.

from raybench.study.notebook import optimise, sweep, tolerance

found = optimise("scene.json", vary=["Lens.x=-50..50"], goals=["least rms(Screen)"])
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raybench.files.shared import read_shared
from raybench.scene.changes import convert_to_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.study.experiment import Evaluator, with_initial_changes
from raybench.study.optimise import Optimum
from raybench.study.optimise import optimise as search
from raybench.study.sweep import Sweep
from raybench.study.table import Table
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_bounds
from raybench.study.tolerance import DEFAULT_SAMPLES, Sensitivity, Spread, Tolerance, Yield

Source = Document | Scene | Path | str
"""A document or a scene, or one as the command line takes it: a file, or a link."""
Texts = str | Iterable[str]
"""Several texts, or one."""


def sweep(
    scene: Source,
    axes: Texts,
    measures: Texts,
    *,
    links: Texts = (),
    changes: Any = (),
    executor: Executor | None = None,
) -> Table:
    """Evaluate measures over the values of one or two parameters. ``changes`` are applied to the
    scene first, as values or as JSON. Raises the errors of `Sweep.build`, and ChangeRefused.
    """
    document = _as_document(scene)
    study = Sweep.build(
        document,
        _as_tuple(axes),
        measures if isinstance(measures, str) else _as_tuple(measures),
        links=_as_tuple(links),
        first=convert_to_changes(changes, document),
    )
    return study.table(list(study.run(executor)))


def optimise(
    scene: Source,
    vary: Texts,
    goals: Texts,
    *,
    links: Texts = (),
    changes: Any = (),
    measures: Texts = (),
    whole_range: bool = False,
    keep_path: bool = True,
    seed: int = 0,
    executor: Executor | None = None,
) -> Optimum:
    """Find values of parameters, within bounds or from choices, that meet goals best. ``changes``
    are applied to the scene first. Raises the errors of `raybench.study.optimise.optimise`, and
    ChangeRefused.
    """
    document = _as_document(scene)
    first = convert_to_changes(changes, document)
    begun = with_initial_changes(document, first)
    return search(
        document,
        [read_bounds(text, begun) for text in _as_tuple(vary)],
        read_goals(_as_tuple(goals), begun),
        first=first,
        measures=_as_tuple(measures),
        links=_as_tuple(links),
        whole_range=whole_range,
        keep_path=keep_path,
        seed=seed,
        executor=executor,
    )


@dataclass(frozen=True)
class Tolerances:
    """The result of a tolerance study."""

    sensitivities: tuple[Sensitivity, ...]
    table: Table
    spreads: tuple[Spread, ...]
    yields: tuple[Yield, ...]


def tolerance(
    scene: Source,
    vary: Texts,
    measures: Texts,
    *,
    limits: Texts = (),
    adjust: Texts = (),
    goals: Texts = (),
    links: Texts = (),
    changes: Any = (),
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    executor: Executor | None = None,
) -> Tolerances:
    """Compute the effect of deviations, such as ``["Lens.x±0.1"]``, on measures. ``changes`` are
    applied to the scene first. ``adjust`` are the bounds of compensators, ``goals`` their goals.
    """
    document = _as_document(scene)
    limits, adjust, goals, links = map(_as_tuple, (limits, adjust, goals, links))
    study = Tolerance.read(
        document,
        _as_tuple(vary),
        _as_tuple(measures),
        limits=limits,
        adjust=adjust,
        goals=goals,
        links=links,
        first=convert_to_changes(changes, document),
        samples=samples,
        seed=seed,
    )
    with Evaluator(executor) as evaluator:
        sensitivities = tuple(study.sensitivities(evaluator))
        rows = list(evaluator.rows(study.experiment_to_evaluate(), study.points))
    return Tolerances(
        sensitivities, study.table(rows), tuple(study.spreads(rows)), tuple(study.yields(rows))
    )


def _as_document(scene: Source) -> Document:
    if isinstance(scene, Scene):
        return Document(scene=scene)
    if not isinstance(scene, Document | Path | str):
        raise TypeError(
            "A study takes a Document, a Scene, or a file, a link or an example by its name, not"
            f" {type(scene).__name__}."
        )
    return scene if isinstance(scene, Document) else read_shared(scene).document


def _as_tuple(texts: Texts) -> Sequence[str]:
    if not isinstance(texts, Iterable):
        raise TypeError(
            f"Give a text, such as 'Lens.x=-5..5', or a list of texts, not {type(texts).__name__}."
        )
    return [texts] if isinstance(texts, str) else list(texts)
