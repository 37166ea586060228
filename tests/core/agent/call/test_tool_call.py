"""The one way a tool is run."""

from __future__ import annotations

import asyncio
import resource
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.elements import element, listed
from tests.open_prism import SEGMENTS, TOOLS, open_prism, scale

from raybench.agent.call.approval import ALLOW_ALL, ApprovalRequest, ApprovalRules, Decision
from raybench.agent.call.call import MOST_RESULT_BYTES, call_tool
from raybench.agent.call.context import ToolContext
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool, tool_named
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.preview import truncate_text
from raybench.analysis.context import TracedScene, clear_context, get_context
from raybench.errors import RaybenchError
from raybench.kinds.sources import Beam
from raybench.scene.changes import Add, SetSettings
from raybench.shapes.point import Point
from raybench.trace.results.result import TraceResult

pytestmark = pytest.mark.quick


def run(
    name: str,
    arguments: Any,
    opened: OpenDocument | None = None,
    timeout_s: float = 12.0,
    **more: Any,
) -> ToolOutcome:
    tool = tool_named(TOOLS, name)
    assert tool
    return asyncio.run(
        call_tool(
            replace(tool, timeout_s=timeout_s),
            arguments,
            ToolContext(opened or open_prism(), ToolRegistry(), **more),
        )
    )


def test_an_answer_names_the_rays_it_found() -> None:
    opened = open_prism()
    outcome = run("find_rays_inside_glass_xml", {"glass_name": "Main Prism"}, opened)
    assert outcome.ok
    assert outcome.sentence == "Rays inside Main Prism"
    assert outcome.rays is opened.session.answers["R1"]
    assert outcome.rays.rows.tolist() == [2, 4]
    assert outcome.rays.question == "rays inside Main Prism"
    assert outcome.model_text.startswith("2 rays are inside Main Prism (R1).\n<?xml")
    assert outcome.milliseconds > 0


def test_a_tool_has_the_context_during_its_call() -> None:
    clear_context()
    run("find_rays_inside_glass_xml", {"glass_name": "Main Prism"})
    assert get_context() == {}


def test_a_tools_own_error_is_its_answer() -> None:
    outcome = run("find_rays_inside_glass_xml", {"glass_name": "Nonexistent"})
    assert not outcome.ok
    assert outcome.rays is None
    assert outcome.text == "No object named 'Nonexistent'. Named objects: ['Main Prism', 'Laser']"


def test_only_faults_of_tools_are_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for function, logged in (
        (lambda: np.zeros(3) + np.zeros(4), True),
        (raising(RaybenchError("Give a name.")), False),
    ):
        caplog.clear()
        outcome = asyncio.run(
            call_tool(
                Tool("odd", function, effect="read"), {}, ToolContext(open_prism(), ToolRegistry())
            )
        )
        assert not outcome.ok
        assert ("Traceback" in caplog.text) is logged


def raising(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


def ending() -> None:
    sys.exit(3)


async def ending_later() -> None:
    sys.exit(3)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (ending, "it raised SystemExit: 3"),
        (ending_later, "it raised SystemExit: 3"),
        (raising(KeyboardInterrupt()), "it raised KeyboardInterrupt"),
        (raising(StopIteration(4)), "it raised StopIteration: 4"),
        (raising(RecursionError("deep")), "deep"),
        (raising(KeyError("k")), "KeyError: 'k'"),
        (lambda: 10**5000, "Exceeds the limit"),
    ],
)
def test_whatever_a_function_raises_the_program_goes_on(
    function: Callable[[], Any], text: str
) -> None:
    tool = Tool.new("end", (function, {"effect": "read", "timeout_s": 3}))
    outcome = asyncio.run(call_tool(tool, {}, ToolContext(open_prism(), ToolRegistry())))
    assert not outcome.ok
    assert outcome.text.startswith(text)
    assert outcome.milliseconds < 2000


@pytest.mark.parametrize("function", [ending, ending_later])
def test_a_tool_that_exits_is_logged(
    function: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(
        call_tool(
            Tool.new("end", (function, {"effect": "read"})),
            {},
            ToolContext(open_prism(), ToolRegistry()),
        )
    )
    (record,) = caplog.records
    assert record.exc_info is not None
    place = traceback.extract_tb(record.exc_info[2])[-1]
    assert (place.filename, place.lineno) == (__file__, function.__code__.co_firstlineno + 1)


def test_wrong_arguments_never_reach_the_function() -> None:
    outcome = run("scale", {"factor": "2"})
    assert not outcome.ok
    assert "'factor' must be a number, got \"2\"." in outcome.text
    assert "Parameters: factor: number" in outcome.model_text
    assert outcome.sentence == "scale: 'factor' must be a number, got \"2\"."


def test_a_dropped_argument_is_reported() -> None:
    outcome = run("scale", {"factor": 2, "facto": 3})
    assert outcome.text == "x=2"
    assert "Ignored unknown arguments: facto." in outcome.model_text


def test_a_fault_of_a_tool_is_an_outcome(caplog: pytest.LogCaptureFixture) -> None:
    outcome = run("broken", {})
    assert not outcome.ok
    assert outcome.text == "KeyError: 'missing'"
    assert "broken raised" in caplog.text


def test_a_slow_tool_is_left_alone() -> None:
    start = time.perf_counter()
    outcome = run("slow", {"seconds": 30.0}, timeout_s=0.05)
    assert outcome.text == "slow failed: timed out after 0.05 s."
    assert time.perf_counter() - start < 20


def test_waiting_for_the_trace_does_not_count() -> None:
    class Slow(OpenDocument):
        async def context(self) -> TracedScene:
            await asyncio.sleep(0.6)
            return await super().context()

    outcome = run("scale", {"factor": 2.0}, Slow(open_prism().session), timeout_s=0.5)
    assert outcome.ok
    assert outcome.milliseconds < 500


def shared(depth: int) -> list[Any]:
    """A list that is copied 2^depth times when it is written out."""
    value: list[Any] = ["x"]
    for _ in range(depth):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "function",
    [
        lambda: "x" * (MOST_RESULT_BYTES + 1),
        lambda: np.broadcast_to(np.zeros(1), 3 * 10**9 // 8),
        lambda: {"rows": [np.zeros(10**4)] * 1000},
        lambda: iter(["x" * 1000] * 300_000),
        lambda: shared(60),
    ],
)
def test_a_huge_result_is_refused_before_conversion(
    function: Callable[[], Any],
) -> None:
    tool = Tool.new("huge", (function, {"effect": "read", "timeout_s": 20}))
    resource.setrlimit(resource.RLIMIT_AS, (_memory() + 2 * 10**9, resource.RLIM_INFINITY))
    try:
        outcome = asyncio.run(call_tool(tool, {}, ToolContext(open_prism(), ToolRegistry())))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert not outcome.ok
    assert (
        outcome.text
        == "The result needs more than 256 MB. Return a part of it, or write it to a file."
    )


def _memory() -> int:
    """Bytes of this process's address space."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def many_rays(rays: int) -> Answer:
    """Answer at length."""
    return Answer(
        element(
            "rays",
            listed("ray", [element("ray", index=i, text="x" * 90) for i in range(rays)]),
            count=rays,
        ),
        f"{rays} rays",
    )


def test_a_long_answer_is_cut_between_rays() -> None:
    tool = Tool.new("many_rays", (many_rays, {"effect": "read"}))
    outcome = asyncio.run(
        call_tool(tool, {"rays": 1000}, ToolContext(open_prism(), ToolRegistry()))
    )
    assert outcome.text.count("<ray ") == len(outcome.value["ray"]) == 1000
    assert len(outcome.model_text) < 2_800
    shown = outcome.model_text.count("<ray ")
    assert shown > 15
    assert f"[the first {shown} of 1000 rays." in outcome.model_text


def test_a_long_text_without_rays_is_cut_too() -> None:
    assert truncate_text("x" * 10_000, cap=100).startswith(
        "x" * 100 + "\n[cut: 10000 characters in all."
    )


def test_a_partial_trace_is_reported() -> None:
    import dataclasses

    from raybench.trace.codes import Completion

    opened = open_prism()
    result = TraceResult.from_segments(SEGMENTS, revision=opened.document.revision)
    opened.session.result = dataclasses.replace(result, completion=Completion.SEGMENT_LIMIT)
    outcome = run("find_rays_inside_glass_xml", {"glass_name": "Main Prism"}, opened)
    assert "The trace is partial (segment limit)" in outcome.model_text


@pytest.mark.parametrize(
    ("effect", "profile", "approved", "allowed"),
    [
        ("read", "read-only", None, True),
        ("edit", "read-only", True, False),
        ("external", "auto", None, False),
        ("external", "auto", True, True),
        ("edit", "auto", None, True),
        ("destructive", "ask", True, True),
        ("edit", "ask", False, False),
        ("edit", "ask", None, False),
    ],
)
def test_only_reading_needs_no_word(
    effect: Any, profile: Any, approved: bool | None, allowed: bool
) -> None:
    tool = Tool.new("scale", (scale, {"effect": effect}))

    async def ask(request: ApprovalRequest) -> Decision:
        return Decision(bool(approved))

    approvals = ApprovalRules(profile, None if approved is None else ask)
    reason = asyncio.run(approvals.call_refusal(ApprovalRequest(tool, {})))
    assert (reason == "") is allowed


def test_an_unapproved_call_is_not_made() -> None:
    outcome = asyncio.run(
        call_tool(
            Tool.new("scale", scale), {"factor": 1.0}, ToolContext(open_prism(), ToolRegistry())
        )
    )
    assert not outcome.ok
    way = "The profile ask asks about it (--profile on the command line)."
    assert (
        outcome.text
        == f"scale was not run: it has side effects (external); this turn is read-only. {way} Its"
        ' effect is not stated: if it only reads, write @tool_options(effect="read").'
    )


def test_an_untraceable_scene_can_be_corrected():
    opened = open_prism()
    opened.session.apply(
        [Add(Beam(p1=Point(0, 0), p2=Point(0, 50))), SetSettings({"rayModeDensity": 2.0**53})]
    )
    tools = {tool.name: tool for tool in agent_tools()}

    async def calls() -> list[ToolOutcome]:
        context = ToolContext(opened, ToolRegistry(tuple(tools.values())), approvals=ALLOW_ALL)
        edit = {"changes": [{"settings": {"rayModeDensity": 1}}]}
        of_prism = {"names": ["Main Prism"]}
        given = (
            ("focus_xml", {"object_name": "Main Prism"}),
            ("system_stats", {}),
            ("read_objects", of_prism),
            ("change_scene", edit),
        )
        return [await context.run(tools[name], arguments) for name, arguments in given]

    focus, stats, read, changed = asyncio.run(calls())
    assert not focus.ok
    assert focus.text.startswith("focus_xml: the scene could not be traced. ")
    assert stats.ok
    assert "Lower the ray density" in stats.notes
    assert read.ok
    assert not read.notes
    assert changed.ok
    assert changed.value.startswith("Done: ")
    assert not changed.notes
    assert asyncio.run(opened.context()).result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_help", {"query": "zoom"}),
        ("find_glass", {"name": "water"}),
        ("object_kinds", {}),
        ("list_presets", {}),
        ("fresnel_xml", {"n1": 1.0, "n2": 1.5, "angle": 30.0}),
        ("grep", {"pattern": "a", "text": "b"}),
        ("read_objects", {"names": ["Main Prism"]}),
        ("select_objects", {"names": ["Main Prism"]}),
        ("describe_edges_xml", {"object_name": "Main Prism"}),
        ("nested_bodies_xml", {}),
        ("refractive_index_xml", {"glass_name": "Main Prism"}),
    ],
)
def test_tools_without_light_do_not_wait(name: str, arguments: dict[str, Any]) -> None:
    class Tracing(OpenDocument):
        async def context(self) -> TracedScene:
            return await asyncio.Future()

    tools = agent_tools()
    tool = tool_named(tools, name)
    assert tool is not None
    session = open_prism().session
    session.result = None
    context = ToolContext(Tracing(session), ToolRegistry(tools))
    outcome = asyncio.run(asyncio.wait_for(context.run(tool, arguments), 20))
    assert outcome.ok, outcome.text
    assert "There is no light" not in outcome.notes
