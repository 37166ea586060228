"""The background trace: the latest document wins, and nothing is lost on the way."""

from __future__ import annotations

import dataclasses
import threading

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt

from raybench.analysis.context import get_context
from raybench.errors import RaybenchError
from raybench.scene.changes import Move, SetDocument, SetSettings
from raybench.session import Session
from raybench.trace.codes import Completion
from raybench.trace.compilation import machine_code
from raybench.trace.compilation.loading import is_machine_code_loaded
from raybench.trace.trace import load_kernels, trace
from raybench_workbench.document import WorkDocument
from raybench_workbench.shot import widget_picture
from raybench_workbench.tracing import TraceService, TraceState


class SlowTracer:
    """The real tracer behind a gate: it waits until it is let through, or cancelled."""

    def __init__(self):
        self.gate = threading.Event()
        self.started = []

    def __call__(self, document, *, stop, **rest):
        self.started.append((document.revision, rest.get("max_source_rays")))
        while not self.gate.wait(0.005):
            if stop():
                break
        return trace(document, stop=stop, **rest)


@pytest.fixture
def bench(qtbot, raybench_app):
    document = WorkDocument(Session(prism_document()))
    service = TraceService(document)
    yield document, service
    service.close()


def slowed(service, monkeypatch):
    tracer = SlowTracer()
    monkeypatch.setattr(service.worker, "_prepare_tracer", lambda: tracer)
    return tracer


def shift(document, dx=1.0):
    key = document.scene.objects[1].key
    document.change(Move(key, dx, 0))


def test_a_full_trace_becomes_the_session_s_and_the_tools_context(bench, qtbot):
    document, service = bench
    with qtbot.waitSignal(document.fullResultReady, timeout=60_000):
        service.start()
    result = document.session.result
    assert result.revision == document.document.revision
    assert document.result is result
    assert get_context()["scene"] is document.scene
    assert service.state is TraceState.COMPLETE


def test_a_newer_document_cancels_the_older_trace_which_is_never_shown(bench, qtbot, monkeypatch):
    document, service = bench
    tracer = slowed(service, monkeypatch)
    shown = []
    document.resultChanged.connect(lambda r: shown.append(r.revision))
    shift(document)
    qtbot.waitUntil(lambda: len(tracer.started) == 1)
    for _ in range(3):
        shift(document)
    last = document.document.revision
    # one in between may have begun, if the worker was quicker than the hand, but none is waited for
    qtbot.waitUntil(lambda: tracer.started[-1][0] == last)
    tracer.gate.set()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=10_000)
    assert shown == [last]


@pytest.mark.parametrize("same", [lambda document: document, dataclasses.replace])
def test_another_session_is_traced_also_if_its_document_is_the_same(bench, qtbot, same):
    document, service = bench
    service.start()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    document.replace_session(Session(same(document.document)))
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=10_000)
    assert service.state is TraceState.COMPLETE
    assert not service.awaits_trace


def test_a_drag_traces_few_rays_and_letting_go_all(bench, qtbot, monkeypatch):
    document, service = bench
    tracer = slowed(service, monkeypatch)
    tracer.gate.set()
    document.change(SetSettings({"rayModeDensity": 20.0}))
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    full = document.session.result
    monkeypatch.setattr(type(service.worker.budget), "rays", 10)
    gesture = document.begin_gesture()
    key = document.scene.objects[1].key
    gesture.update(Move(key, 5, 0))
    qtbot.waitUntil(lambda: document.result is not full)
    assert document.result.completion == Completion.REDUCED
    assert document.result.source_ray.max() < 2000
    assert len(document.result) < len(full) / 10
    assert document.session.result is full, "answers are never about a reduced trace"
    gesture.finish()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=10_000)
    assert document.session.result.completion == Completion.COMPLETE
    assert tracer.started[-1][1] is None


def test_a_reduced_trace_that_comes_after_letting_go_is_dropped(bench, qtbot, monkeypatch):
    document, service = bench
    tracer = slowed(service, monkeypatch)
    kept = []
    document.fullResultReady.connect(lambda r: kept.append(r.completion))
    monkeypatch.setattr("raybench.trace.run.frame_budget.FIRST_RAYS", 2)
    gesture = document.begin_gesture()
    key = document.scene.objects[1].key
    gesture.update(Move(key, 5, 0))
    qtbot.waitUntil(lambda: len(tracer.started) == 1)
    assert tracer.started[0][1] == 2
    monkeypatch.setattr(service, "_request_trace", lambda **_: None)
    gesture.finish()
    tracer.gate.set()
    qtbot.waitUntil(lambda: not service.busy)
    qtbot.wait(20)
    assert kept == []
    assert document.result is None


def test_an_error_is_reported_and_the_next_document_is_traced(bench, qtbot, monkeypatch):
    document, service = bench
    messages = []
    document.failed.connect(messages.append)

    def tracer(document, **rest):
        if len(messages) == 0:
            raise RaybenchError("'Lamp' emits too many rays. Lower the ray density.")
        return trace(document, **rest)

    monkeypatch.setattr(service.worker, "_prepare_tracer", lambda: tracer)
    service.start()
    qtbot.waitUntil(lambda: bool(messages))
    assert messages == ["'Lamp' emits too many rays. Lower the ray density."]
    assert service.state is TraceState.FAILED
    shift(document)
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    assert service.state is TraceState.COMPLETE


def test_a_trace_that_is_stopped_before_it_begins_has_some_light(bench, qtbot, monkeypatch):
    document, service = bench
    ready, prepare = threading.Event(), service.worker._prepare_tracer
    monkeypatch.setattr(service.worker, "_prepare_tracer", lambda: ready.wait() and prepare())
    service.start()
    qtbot.waitUntil(lambda: service.worker._running is not None)
    service.stop()
    ready.set()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None)
    assert document.result.completion == Completion.CANCELLED
    assert len(document.result) > 10
    assert service.state is TraceState.PARTIAL


def test_a_stop_while_an_older_trace_ends_keeps_some_light_of_the_newer_document(
    bench, qtbot, monkeypatch
):
    document, service = bench
    started, go = [], threading.Event()

    def tracer(document, **rest):
        started.append(document.revision)
        go.wait()
        return trace(document, **rest)

    monkeypatch.setattr(service.worker, "_prepare_tracer", lambda: tracer)
    service.start()
    qtbot.waitUntil(lambda: len(started) == 1)
    shift(document)
    service.stop()
    go.set()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None)
    assert document.result.revision == document.document.revision == started[-1]
    assert document.result.completion == Completion.CANCELLED
    assert len(document.result) > 10


class SlowCompilation:
    """The first start on a machine, where the compilation ends when it is told to."""

    def __init__(self, monkeypatch):
        import raybench.trace.compilation.loading as compiling

        self.on, self.end = [], threading.Event()
        for kernel in machine_code.ENTRY_POINTS.values():
            monkeypatch.setattr(kernel, "code", None)
        monkeypatch.setattr(compiling, "are_kernels_ready", self.end.is_set)
        monkeypatch.setattr(compiling, "compile_in_child_process", self.compile)

    def compile(self, progress):
        self.on.append(threading.current_thread())
        progress("kernel 1 of 2", 0.5)
        self.end.wait(60)


@pytest.fixture
def compilation(monkeypatch):
    slow = SlowCompilation(monkeypatch)
    yield slow
    slow.end.set()


def test_a_small_scene_is_traced_while_the_first_start_compiles_beside_the_window(
    bench, qtbot, compilation
):
    document, service = bench
    texts = []
    service.compilingChanged.connect(texts.append)
    service.start()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    assert not compilation.end.is_set()
    assert document.session.result.completion == Completion.COMPLETE
    qtbot.waitUntil(lambda: bool(texts))
    assert texts == ["Compiling the tracing kernels, 50 %"]
    assert compilation.on[0] is not threading.main_thread()
    first = document.session.result
    compilation.end.set()
    qtbot.waitUntil(lambda: document.session.result is not first, timeout=60_000)
    assert texts[-1] == ""
    assert len(document.session.result) == len(first)
    assert len(compilation.on) == 1


def test_the_first_start_is_told_over_the_canvas_of_a_window_that_can_be_used(
    compilation, open_window, hand, qtbot, monkeypatch
):
    monkeypatch.setattr(TraceService, "awaits_kernels", False)  # `open_window` would wait
    window = open_window(prism_document())
    line = window.messages.compiling
    qtbot.waitUntil(line.isVisible)
    assert (
        line.label.full_text
        == "First start: slow for about a minute. Compiling the tracing kernels, 50 %"
    )
    middle = window.canvas.mapFromGlobal(line.mapToGlobal(line.rect().center()))
    assert window.canvas.rect().contains(middle)
    mouse, before = hand(window.canvas), window.document.document
    mouse.click(200, 220)
    assert window.selection.keys
    qtbot.keyClick(window.canvas, Qt.Key.Key_Right)
    assert window.document.document is not before
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.document == before
    assert not compilation.end.is_set()
    compilation.end.set()
    qtbot.waitUntil(lambda: not line.isVisible())


def test_a_compiler_that_fails_is_told_over_the_canvas_until_it_is_dismissed_and_python_traces(
    open_window, qtbot, monkeypatch
):
    from raybench.trace.compilation import kernel_cache, loading

    class FailingCompilation(SlowCompilation):
        def compile(self, progress):
            raise loading._compilation_failed_error("compiled: no compiler.", "Install one.")

    monkeypatch.setattr(loading, "_failed", False)
    monkeypatch.setattr(kernel_cache, "_problem", "")
    FailingCompilation(monkeypatch)
    window = open_window(prism_document())
    line = window.messages.kernels
    qtbot.waitUntil(line.isVisible)
    told = (
        "Tracing is about a hundred times slower, because its kernels cannot be compiled: no"
        " compiler. Install one."
    )
    assert line.label.full_text == told
    assert not window.messages.compiling.isVisible()
    qtbot.waitUntil(lambda: window.status.state.text() == "complete")
    assert not is_machine_code_loaded()
    assert len(window.document.session.fresh_result) > 10
    shift(window.document)
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None)
    assert line.isVisible()
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert not line.isVisible()


def test_a_picture_at_the_first_start_waits_for_the_kernels_and_equals_a_later_one(
    compilation, open_window
):
    threading.Timer(1.5, compilation.end.set).start()
    first = widget_picture(open_window(prism_document()).canvas)
    assert compilation.end.is_set()
    assert is_machine_code_loaded()
    assert first == widget_picture(open_window(prism_document()).canvas)


def test_while_kernels_are_compiled_a_part_of_many_rays_is_a_preview(
    bench, qtbot, compilation, monkeypatch
):
    document, service = bench
    monkeypatch.setattr("raybench_workbench.tracing.LONGEST_PREVIEW", 20.0)
    states = []
    service.stateChanged.connect(states.append)
    document.change(SetSettings({"rayModeDensity": 400.0}))
    qtbot.waitUntil(lambda: document.result is not None and not service.busy, timeout=60_000)
    assert document.result.completion == Completion.REDUCED
    assert document.session.result is None, "answers are never about a preview"
    assert service.awaits_trace
    assert TraceState.PREPARING in states
    seen = len(document.result)
    shift(document)
    qtbot.waitUntil(lambda: document.result.revision == document.document.revision, timeout=60_000)
    compilation.end.set()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    assert service.state is TraceState.COMPLETE
    assert len(document.result) > 10 * seen


def test_once_the_kernels_are_loaded_a_cache_that_is_deleted_is_not_missed(
    bench, qtbot, monkeypatch
):
    from raybench.trace.compilation import kernel_cache, loading

    load_kernels()
    for module in (kernel_cache, loading):
        monkeypatch.setattr(module, "stored_machine_code", lambda: None)
    compilations = []
    monkeypatch.setattr(loading, "compile_in_child_process", compilations.append)
    document, service = bench
    service.start()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    assert document.session.result.completion == Completion.COMPLETE
    assert not service.awaits_trace
    assert compilations == []


def test_a_cache_that_cannot_be_used_is_reported_and_the_scene_is_traced(bench, qtbot, monkeypatch):
    from raybench.trace.compilation import kernel_cache

    document, service = bench
    monkeypatch.setattr(kernel_cache, "_problem", "")
    kernel_cache.record_kernels_not_stored("the disk is full")
    messages = []
    service.kernelProblem.connect(messages.append)
    service.start()
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
    assert messages == [kernel_cache.kernel_problem()]
    assert "every start compiles them: the disk is full. RAYBENCH_CACHE_DIR" in messages[0]


def test_a_change_that_light_does_not_see_is_not_traced_again(bench, qtbot):
    document, service = bench
    with qtbot.waitSignal(document.fullResultReady, timeout=60_000):
        service.start()
    qtbot.waitUntil(lambda: not service.busy)
    before = document.session.result
    document.apply(SetDocument(unit="m"))
    assert not service.busy
    assert document.session.fresh_result.p1 is before.p1


def test_a_defect_after_the_trace_is_reported_and_the_next_document_traced(
    bench, qtbot, monkeypatch
):
    document, service = bench
    messages = []
    document.failed.connect(messages.append)

    def update_estimate(result):
        raise MemoryError("4 GB")

    with monkeypatch.context() as patched:
        patched.setattr(service.worker.budget, "update_estimate", update_estimate, raising=True)
        service.start()
        qtbot.waitUntil(
            lambda: not service.busy and service.state is TraceState.FAILED, timeout=60_000
        )
    assert messages == ["Tracing failed: MemoryError: 4 GB. Undo the last change."]
    shift(document)
    qtbot.waitUntil(lambda: document.session.fresh_result is not None, timeout=60_000)
