"""Experiments: a document, parameters that are varied, and measures that are evaluated. Studies
evaluate an experiment at many points, on threads or on an executor, and get the results in order.
"""

import dataclasses
import itertools
import json
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from types import TracebackType
from typing import Any, Protocol, Self

from raybench.analysis.measures.bound import Bound, FunctionMeasure, bind_measures, required_rows
from raybench.analysis.measures.kinds_of_path import KindsByKey, kinds_of_path
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError, elide_text
from raybench.files.document_file import document_from_json, document_to_json
from raybench.kinds.aspects.emission import TooManyRays
from raybench.kinds.object import InvalidObject
from raybench.scene.changes import Change, ChangeRefused, apply_changes
from raybench.scene.document import Document, use_negative_revisions
from raybench.scene.parameters.following import link_at
from raybench.scene.parameters.link import InvalidLink, Link, order_links, read_link
from raybench.scene.parameters.parameter import InvalidParameter, Parameter, read_parameter
from raybench.study.terms.parameter import check_distinct, read_choices
from raybench.trace.keep import Keep, RowsNotKept
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.trace.run.progress import StopEvent
from raybench.trace.run.sharing import MOST_THREADS
from raybench.trace.trace import trace

Values = tuple[float, ...]
"""One number for each parameter, in its unit, or the index of a choice."""
Stop = Callable[[], bool]


class InvalidSeed(RaybenchError):
    """A number is no valid seed for random numbers."""


def check_random_seed(seed: int) -> None:
    """Raise InvalidSeed if the number is no valid seed for random numbers."""
    if not isinstance(seed, Integral):
        raise InvalidSeed(
            f"The seed {elide_text(repr(seed), 60)} is no whole number. Give one from 0."
        )
    if seed < 0:
        raise InvalidSeed(f"The seed {seed} is below 0. Give a whole number from 0.")


@use_negative_revisions()
def with_initial_changes(document: Document, changes: Sequence[Change]) -> Document:
    """The document with which a study begins: with the ``changes`` applied, but with the revision
    of the open document. The study may refer to objects that the changes create. Raises
    ChangeRefused.
    """
    return dataclasses.replace(apply_changes(changes, document), revision=document.revision)


class Evaluable(Protocol):
    """An experiment that a study evaluates at many points. It can be pickled, so that other
    processes can evaluate it.
    """

    def evaluate(
        self, values: Values, memory: TraceMemory | None = None, stop: Stop | None = None
    ) -> tuple[Measured, ...]:
        """Evaluate the measures at a point, given by the ``values`` of the parameters."""
        ...


@dataclass(frozen=True)
class Experiment:
    """A document with parameters that are varied, links between parameters, and measures.

    ``first`` are changes that are applied first: parameters and measures refer to the resulting
    `base_document`. With ``follows_paths``, measures contain the kinds of path of
    their light. Evaluations are independent, so that the same values give the same measures in any
    order, thread or process.
    """

    document: Document
    parameters: tuple[Parameter, ...]
    measures: tuple[Bound, ...]
    links: tuple[Link, ...] = ()
    max_segments: int = DEFAULT_LIMIT
    first: tuple[Change, ...] = ()
    follows_paths: bool = False

    @classmethod
    def build(
        cls,
        document: Document,
        parameters: Sequence[Parameter],
        measures: str | Sequence[str | FunctionMeasure],
        links: Sequence[str] = (),
        max_segments: int = DEFAULT_LIMIT,
        *,
        first: Sequence[Change] = (),
        follows_paths: bool = False,
    ) -> Self:
        """Make an experiment. Raises InvalidParameter for a parameter that occurs twice,
        InvalidLink, or the errors of `bind_measures`.
        """
        begun = with_initial_changes(document, first) if first else document
        several = check_distinct(parameters, begun)
        follow = order_links([read_link(text, begun) for text in links], several)
        for each in (*several, *(link.parameter for link in follow)):
            if (held := link_at(begun, each)) is not None:
                raise InvalidParameter(
                    f"{each.text} follows by a link of the document: {held.text}. Vary what it"
                    " follows, or unlink it."
                )
        bound = bind_measures(measures, begun)
        return cls(document, several, bound, follow, max_segments, tuple(first), follows_paths)

    @cached_property
    def base_document(self) -> Document:
        """The document whose parameters are varied."""
        return with_initial_changes(self.document, self.first) if self.first else self.document

    @property
    def without_parameters(self) -> Self:
        """The experiment without parameters and links. It evaluates the document with which the
        study begins.
        """
        return dataclasses.replace(self, parameters=(), links=())

    @use_negative_revisions()
    def changes(self, values: Values) -> tuple[Change, ...]:
        """The changes that set the parameters to ``values``, followed by the changes that set the
        linked parameters. They are applied after the ``first`` changes. Links read other values
        from the document after the preceding changes. Raises InvalidLink, or ChangeRefused if a
        change before a link cannot be applied.
        """
        return (*self.first, *self._parameter_changes(values))

    def _parameter_changes(self, values: Values) -> tuple[Change, ...]:
        changes = [p.change(value) for p, value in zip(self.parameters, values, strict=True)]
        given: dict[object, float] = {
            p.identity: value - p.origin for p, value in zip(self.parameters, values, strict=True)
        }
        document, made = self.base_document, 0
        for link in self.links:
            document, made = apply_changes(changes[made:], document), len(changes)
            here = {p.identity: p.value_in_document(document) - p.origin for _, p in link.uses}
            value = link.value(here | given)
            given[link.parameter.identity] = value - link.parameter.origin
            changes.append(link.parameter.change(value))
        return tuple(changes)

    def document_with_values(self, values: Values) -> Document:
        """The document with the parameters set to ``values``. Raises ChangeRefused or InvalidLink."""
        return apply_changes(self._parameter_changes(values), self.base_document)

    @use_negative_revisions()
    def trace_with_values(
        self, values: Values, memory: TraceMemory | None = None, *, threads: int | None = 1
    ) -> tuple[Document, TraceResult]:
        """The document with the parameters set to ``values``, and its trace with all rows.

        Raises ChangeRefused, InvalidLink, InvalidObject or TooManyRays if the values cannot be set
        or the scene cannot be traced.
        """
        document = self.document_with_values(values)
        limit = self.max_segments
        return document, trace(document, threads=threads, max_segments=limit, memory=memory)

    @cached_property
    def _unrequested_rows_read(self) -> threading.Event:
        """An event that is set when a measure has read rows that it did not request; after that,
        traces keep all rows.
        """
        return threading.Event()

    @cached_property
    def _known_path_kinds(self) -> KindsByKey:
        return {}

    @use_negative_revisions()
    def evaluate(
        self,
        values: Values,
        memory: TraceMemory | None = None,
        stop: Stop | None = None,
        draw: int = 0,
    ) -> tuple[Measured, ...]:
        """Evaluate the measures at a point. They are undefined, with a reason, if the values cannot
        be set or the scene cannot be traced.

        ``memory`` holds what the next evaluation by the same owner can reuse; ``stop`` ends the
        trace early; ``draw`` is that of `raybench.trace.trace.trace`.
        """
        try:
            document = self.document_with_values(values)

            def measure(keep: Keep | None) -> tuple[Measured, ...]:
                limit = self.max_segments
                result = trace(
                    document, threads=1, max_segments=limit, stop=stop, memory=memory, draw=draw,
                    keep=keep,
                )  # fmt: skip
                return self._measures_of_light(Light.from_document(document, result))

            if self._unrequested_rows_read.is_set() or (
                self.follows_paths and not self._known_path_kinds
            ):
                return measure(None)
            try:
                return measure(required_rows(self.measures, document, paths=self.follows_paths))
            except RowsNotKept:  # the light takes a path of a new kind, or a measure reads more
                known = len(self._known_path_kinds)
                row = measure(None)
                if len(self._known_path_kinds) == known:
                    self._unrequested_rows_read.set()
                return row
        except (ChangeRefused, InvalidLink, InvalidObject, TooManyRays) as error:
            return self.undefined_measures(str(error))

    def _measures_of_light(self, light: Light) -> tuple[Measured, ...]:
        """The measures of traced light. Raises RowsNotKept."""
        row = tuple(m.evaluate(light) for m in self.measures)
        if not self.follows_paths:
            return row
        return tuple(
            dataclasses.replace(value, paths=kinds_of_path(m, light, self._known_path_kinds))
            for m, value in zip(self.measures, row, strict=True)
        )

    def undefined_measures(self, reason: str) -> tuple[Measured, ...]:
        """All measures of the experiment as undefined, with a reason."""
        unit = self.base_document.unit
        return tuple(
            Measured(
                math.nan, m.unit.symbol(unit, self.base_document.power_unit), m.expression, reason
            )
            for m in self.measures
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the experiment as JSON and texts, since keys of objects are valid in one process
        only.
        """
        parameters = [(p.text, p.choices, p.offered) for p in self.parameters]
        measures = [m if isinstance(m, FunctionMeasure) else m.expression for m in self.measures]
        links = [link.text for link in self.links]
        return _restore_experiment, (
            json.dumps(document_to_json(_with_aliases_as_names(self.base_document))),
            parameters,
            measures,
            links,
            self.max_segments,
            self.follows_paths,
        )


def _with_aliases_as_names(document: Document) -> Document:
    """The document in which unnamed objects have their aliases as names, so that texts refer to the
    same objects after the document is read again.
    """
    objects = tuple(
        o if o.name else dataclasses.replace(o, name=o.title) for o in document.scene.objects
    )
    return dataclasses.replace(document, scene=dataclasses.replace(document.scene, objects=objects))


def _restore_experiment(
    text: str,
    parameters: list[tuple[str, tuple[str, ...], int]],
    measures: list[str | FunctionMeasure],
    links: list[str],
    max_segments: int,
    follows_paths: bool,
) -> Experiment:
    document = document_from_json(json.loads(text))
    several = [
        read_choices(name, choices[:offered], document)
        if choices
        else read_parameter(name, document)
        for name, choices, offered in parameters
    ]
    return Experiment.build(
        document, several, measures, links, max_segments, follows_paths=follows_paths
    )


TASKS_PER_THREAD = 4
"""Queued tasks per thread of the executor."""
FIRST_BATCH = 16
"""Points in the first tasks for an executor elsewhere, which costs about a millisecond a task."""
MOST_POINTS_PER_TASK = 64
TASK_S = 0.02
"""Seconds that a task should take: few enough to see rows appear, enough that waking the caller
costs little beside it.
"""
POLL_S, GRACE_S = 0.05, 0.2
"""Seconds between polls of a stop while a task is waited for, and those that a task has to end
after it.
"""
Row = tuple[Measured, ...]
Batch = tuple[list[Row], float]
"""The rows of one task, and the seconds that they took."""


class Evaluator:
    """Evaluates experiments on an executor or on its own threads. By default there are as many
    threads as processors, up to a limit.

    The values are the same for any executor and number of threads. An evaluator is a context
    manager, which stops running tasks at the end. Raises RaybenchError for a number of threads
    below 1.
    """

    def __init__(
        self, executor: Executor | None = None, threads: int | None = None, stop: Stop | None = None
    ) -> None:
        if threads is not None and threads < 1:
            raise RaybenchError(
                f"threads is {threads}; give a whole number of at least 1, or None for all"
                " processors."
            )
        processors = os.cpu_count() or 1
        self._many = min(threads or processors, max(processors, MOST_THREADS))
        self._elsewhere = executor
        self._own = ThreadPoolExecutor(self._many, "study") if executor is None else None
        self._memory, self._ended = threading.local(), StopEvent()
        self._stop = stop

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # traces under way stop too: after Ctrl-C, or when the caller leaves early
        self._ended.set()
        if self._own is not None:
            self._own.shutdown(wait=True, cancel_futures=True)

    @property
    def stopped(self) -> bool:
        """Whether the caller has requested a stop."""
        return self._stop is not None and self._stop()

    def evaluate_point(self, experiment: Evaluable, values: Values) -> Row:
        """Evaluate the measures at one point in the calling thread."""
        return self._evaluate_in_this_thread(experiment, (values,))[0][0]

    def rows(self, experiment: Evaluable, points: Iterable[Values]) -> Iterator[Row]:
        """Yield the measures at the points, in order, as soon as they are computed. Ends early when
        ``stop`` returns True.

        ``stop`` is polled before each task and while waiting for one. After a stop, running tasks
        are dropped if they take longer than `GRACE_S` seconds.
        """
        waiting: deque[Future[Batch]] = deque()
        several = iter(points)
        size = FIRST_BATCH if self._elsewhere is not None else 1
        try:
            while not self.stopped and (batch := tuple(itertools.islice(several, size))):
                waiting.append(self._submit_points(experiment, batch))
                if len(waiting) >= TASKS_PER_THREAD * self._many:
                    if not self._wait_for_task(waiting[0]):
                        return
                    rows, seconds = waiting.popleft().result()
                    size = max(
                        1, min(MOST_POINTS_PER_TASK, int(len(rows) * TASK_S / max(seconds, 1e-9)))
                    )
                    yield from rows
            while waiting and self._wait_for_task(waiting[0]):
                yield from waiting.popleft().result()[0]
        finally:
            for future in waiting:
                future.cancel()

    def _wait_for_task(self, task: Future[Batch]) -> bool:
        """Wait for a task. Returns False if the task has not ended `GRACE_S` seconds after a
        requested stop.
        """
        while not self.stopped:
            if wait((task,), POLL_S).done:
                return True
        return bool(wait((task,), GRACE_S).done)

    def _submit_points(self, experiment: Evaluable, points: Sequence[Values]) -> Future[Batch]:
        if self._elsewhere is not None:
            return self._elsewhere.submit(evaluate_batch, experiment, points)
        assert self._own is not None
        return self._own.submit(self._evaluate_in_this_thread, experiment, points)

    def _evaluate_in_this_thread(self, experiment: Evaluable, points: Sequence[Values]) -> Batch:
        if not hasattr(self._memory, "kept"):
            self._memory.kept = TraceMemory()
        return evaluate_batch(experiment, points, self._memory.kept, self._ended)


def evaluate_batch(
    experiment: Evaluable,
    points: Sequence[Values],
    memory: TraceMemory | None = None,
    stop: Stop | None = None,
) -> Batch:
    """Evaluate the measures at some points, as one task, which may run in another process."""
    begun, memory = time.perf_counter(), memory or TraceMemory()
    rows = [experiment.evaluate(values, memory, stop) for values in points]
    return rows, time.perf_counter() - begun
