"""What tools may know and do besides their arguments."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import time
from pathlib import Path
from typing import Any

import pytest
from tests.core.agent.call.edit_tool import EDIT
from tests.core.agent.project import context, registry, run, worker, write

from raybench.agent.call.approval import (
    ALLOW_ALL,
    READ_ONLY,
    ApprovalRequest,
    ApprovalRules,
    Decision,
)
from raybench.agent.call.context import (
    MOST_NESTED_CALLS,
    CallEnded,
    CallsTooDeep,
    EditRefused,
    ToolContext,
    ToolFailed,
    tool_context,
)
from raybench.agent.call.events import ToolFinished, ToolStarted
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.tools.tool import Tool
from raybench.analysis.context import TracedScene
from raybench.schema.parameters import InvalidSignature

CONTEXT = "from raybench.agent.call.context import ToolContext, tool_context, tool_options\n\n"


@tool_context(param="bench")
def named(x: int, bench: ToolContext) -> str:
    """Tell."""
    return f"{x} {bench.depth} {len(bench.scene.objects)} {len(bench.result)}"


NAMED = Tool.new("named", (named, {"effect": "read"}))


def test_the_context_parameter_is_hidden() -> None:
    assert NAMED.input_schema["properties"].keys() == {"x"}
    assert NAMED.signature == "(x :int) -> :string"
    ctx, _ = context()
    assert run(ctx.run(NAMED, {"x": 3})).text == "3 0 2 5"


def test_the_marked_parameter_must_be_there() -> None:
    @tool_context(param="nothing")
    def wrong(x: int) -> int:
        return x

    with pytest.raises(
        InvalidSignature, match="marked with @tool_context, but has no parameter 'nothing'"
    ):
        Tool.new("wrong", wrong)


def test_no_model_can_pass_a_context() -> None:
    def plain(ctx: str) -> str:
        return ctx

    ctx, _ = context()
    assert (
        run(ctx.run(Tool.new("plain", (plain, {"effect": "read"})), {"ctx": "mine"})).text == "mine"
    )
    outcome = run(ctx.run(NAMED, {"x": 1, "bench": "mine"}))
    assert outcome.text == "1 0 2 5"
    assert "Ignored unknown arguments: bench" in outcome.model_text
    loose = Tool.new("loose", (named, "skip"))
    assert (
        "cannot be given"
        in run(ctx.run(dataclasses.replace(loose, effect="read"), {"x": 1, "bench": "mine"})).text
    )


def test_the_context_parameter_can_be_named(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=CONTEXT
        + "@tool_context\ndef f(ctx, *rest):\n    return rest\n\n@tool_context\ndef g(*ctx):\n   "
        " return 1\n",
    )
    ctx, _ = context(tmp_path)
    for name in ("f", "g"):
        with pytest.raises(ToolFailed, match=r"multiple values|cannot"):
            run(ctx.call_tool(name, 3))


def test_nested_calls_have_the_same_context(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=CONTEXT
        + """
seen = []

@tool_context
async def outer(ctx: ToolContext) -> str:
    seen.append(ctx)
    return await ctx.call_worker("inner")

@tool_context
def inner(ctx: ToolContext) -> str:
    seen.append(ctx)
    return "done"
""",
    )
    ctx, _ = context(tmp_path, approvals=READ_ONLY)
    ctx = dataclasses.replace(ctx, attachments=(tmp_path / "tools.py",))
    assert run(ctx.call_tool("outer")) == "done"
    outer, inner = ctx.registry.find_tool("outer").handler.__globals__["seen"]  # type: ignore[union-attr]
    assert (outer.depth, inner.depth) == (0, 1)
    for field in (
        "approvals",
        "registry",
        "opened",
        "cost_tracker",
        "backend",
        "attachments",
        "message_callback",
        "turn",
    ):
        assert getattr(outer, field) is getattr(inner, field) is getattr(ctx, field)
    assert outer.state == inner.state == ctx.state
    assert outer.selection == ()
    assert outer.cancelled  # its call is over
    assert not ctx.cancelled


BINDING = (
    CONTEXT
    + """
def none() -> str:
    return "none"

def whole(value) -> str:
    return repr(value)

def text(value: str) -> str:
    return value

def defaulted(value: int = 7) -> int:
    return value

def several(a: int, b: int = 2) -> int:
    return 10 * a + b

def only_named(*, a: int, b: int) -> int:
    return 10 * a + b

def rest(**given):
    return given

def place(value, /):
    return value

def places(a, b, /):
    return a

def many(*values):
    return list(values)

@tool_context
def before(ctx, *values):
    return 1

async def later(value: int) -> int:
    return value + 1

class _Awaited:
    def __await__(self):
        raise AssertionError
    def __str__(self):
        return "not awaited"

def odd():
    return str(_Awaited())
"""
)


@pytest.mark.parametrize(
    ("name", "input", "output"),
    [
        ("none", None, "none"), ("none", "", "none"), ("none", {}, "none"),
        ("whole", {"a": 1}, "{'a': 1}"), ("whole", "x", "'x'"), ("whole", {}, "{}"), ("text", "x", "x"), ("text", "", ""),
        ("defaulted", None, 7), ("defaulted", 3, 3), ("several", {"a": 1}, 12), ("several", {"a": 1, "b": 3}, 13),
        ("only_named", {"a": 1, "b": 2}, 12), ("rest", {"a": 1}, {"a": 1}), ("place", {"a": 1}, {"a": 1}), ("many", 3, [3]),
        ("later", 3, 4), ("odd", None, "not awaited"),
    ],
)  # fmt: skip
def test_inputs_are_bound_as_the_function_takes_them(
    tmp_path: Path, name: str, input: Any, output: Any
) -> None:
    ctx, _ = context(write(tmp_path, tools=BINDING))
    assert run(ctx.call_tool(name, input)) == output


@pytest.mark.parametrize(
    ("name", "input", "message"),
    [
        ("none", "x", "takes no input"), ("several", 3, "takes a dict with a, b"), ("several", {"b": 2}, "'a' is missing"),
        ("rest", 3, "takes a dict"), ("places", {"a": 1, "b": 2}, "positional-only"), ("before", 3, "multiple values"),
        ("text", 3, "'value' must be a string"), ("text", {"other": "x"}, "must be a string"),
        ("text", None, "needs its input"), ("several", {"a": "1"}, "'a' must be an integer"),
    ],
)  # fmt: skip
def test_an_invalid_input_fails(tmp_path: Path, name: str, input: Any, message: str) -> None:
    ctx, _ = context(write(tmp_path, tools=BINDING))
    with pytest.raises(ToolFailed, match=message):
        run(ctx.call_tool(name, input))


def test_code_calls_code_and_workers_alike(tmp_path: Path) -> None:
    tools = (
        CONTEXT + "@tool_context\nasync def main(ctx, name: str) -> str:\n    return await"
        ' ctx.call_tool(name, "x")\n\n'
    )
    write(
        tmp_path,
        tools=tools + "def echo(value: str) -> str:\n    return 'echo ' + value\n",
        helper=worker(),
    )
    ctx, _ = context(tmp_path, ["reply of a model"])
    assert run(ctx.call_tool("main", "echo")) == "echo x"
    assert run(ctx.call_tool("main", "helper")) == "reply of a model"


def test_a_plain_function_can_call_tools(tmp_path: Path) -> None:
    tools = """
@tool_context
def main(ctx) -> str:
    return ctx.call("echo", "x") + str(len(ctx.call("find_rays_inside_glass_xml", "Main Prism")["ray"]) == 2)

@tool_context
async def wrong(ctx) -> str:
    return ctx.call("echo", "x")

def echo(value: str) -> str:
    return "echo " + value
"""
    ctx, _ = context(write(tmp_path, tools=CONTEXT + tools))
    assert run(ctx.call_tool("main")) == "echo xTrue"
    with pytest.raises(ToolFailed, match=r"Write: await ctx\.call_tool"):
        run(ctx.call_tool("wrong"))


@pytest.mark.parametrize(
    "how", ["return await ctx.call_tool('down', n + 1)", "return ctx.call('down', n + 1)"]
)
def test_every_hop_counts_to_the_limit(tmp_path: Path, how: str) -> None:
    kind = "async def" if "await" in how else "def"
    write(
        tmp_path,
        tools=CONTEXT + f"deepest = []\n\n@tool_context\n{kind} down(ctx, n: int = 0) -> int:\n   "
        f" deepest.append(ctx.depth)\n    {how}\n",
    )
    ctx, _ = context(tmp_path)
    with pytest.raises(
        ToolFailed,
        match=(
            f"down was not called: tool calls nest at most {MOST_NESTED_CALLS} deep, and this one"
            f" is at depth {MOST_NESTED_CALLS}"
        ),
    ):
        run(ctx.call_tool("down"))
    assert ctx.registry.find_tool("down").handler.__globals__["deepest"] == [0, 1, 2, 3, 4, 5]  # type: ignore[union-attr]


def test_hops_count_through_workers_and_their_models(tmp_path: Path) -> None:
    tools = (
        CONTEXT
        + "@tool_options(effect='read')\n@tool_context\nasync def code(ctx) -> str:\n    return"
        " await ctx.call_tool('helper', 'x')\n"
    )
    write(tmp_path, tools=tools, helper=worker(tools="code"))
    asks = [{"type": "tool_use", "id": "a", "name": "code", "input": {}}]
    ctx, events = context(tmp_path, [asks, asks, asks, "end", "end", "end"])
    run(ctx.call_tool("code"))
    first = next(e.outcome.text for e in events if isinstance(e, ToolFinished))
    assert (
        first == "code was not called: tool calls nest at most 5 deep, and this one is at depth 5."
    )
    assert [e.tool for e in events if isinstance(e, ToolStarted)] == ["code", "helper"] * 3 + [
        "code"
    ]
    assert issubclass(CallsTooDeep, RecursionError)


def test_only_a_models_calls_need_approval() -> None:
    asked: list[str] = []

    async def ask(request: ApprovalRequest) -> Decision:
        asked.append(request.tool.name)
        return Decision(True)

    def post(text: str) -> str:
        return f"posted {text}"

    ctx, _ = context(builtin=[Tool.new("post", post)], approvals=ApprovalRules("ask", ask))
    assert run(ctx.call_tool("post", "x")) == "posted x"
    assert asked == []
    assert run(ctx.run(ctx.registry.find_tool("post").tool, {"text": "x"})).ok  # type: ignore[arg-type]
    assert asked == ["post"]


@pytest.mark.parametrize(
    ("profile", "message"),
    [("read-only", "this turn is read-only"), ("ask", "the user declined"), ("auto", "")],
)
def test_a_call_is_refused_asked_or_allowed(profile: Any, message: str) -> None:
    asked: list[str] = []

    async def no(request: ApprovalRequest) -> Decision:
        asked.append(request.tool.name)
        return Decision(False)

    ctx, _ = context(builtin=[EDIT], approvals=ApprovalRules(profile, no))
    outcome = run(ctx.run(EDIT, {}))
    assert outcome.ok is (message == "")
    assert message in outcome.text
    assert asked == (["edit"] if profile == "ask" else [])


@pytest.mark.parametrize(
    ("approvals", "gated", "done"),
    [
        (READ_ONLY, True, False),
        (READ_ONLY, False, False),
        (ALLOW_ALL, True, True),
        (ALLOW_ALL, False, True),
        (ApprovalRules("auto"), False, True),
    ],
)
def test_an_edit_is_checked_whoever_calls(
    approvals: ApprovalRules, gated: bool, done: bool
) -> None:
    ctx, _ = context(builtin=[EDIT], approvals=approvals)
    before = ctx.document
    outcome = run(ctx.run(EDIT, {}, gated=gated))
    assert outcome.ok is done
    assert (ctx.document is before) is not done
    assert done or "this turn is read-only" in outcome.text


def test_nested_edits_need_the_models_permission() -> None:
    @tool_context
    async def sly(ctx: ToolContext) -> str:
        return str(await ctx.call_tool("edit"))

    ctx, _ = context(
        builtin=[EDIT, Tool.new("sly", (sly, {"effect": "read"}))], approvals=READ_ONLY
    )
    before = ctx.document
    outcome = run(ctx.run(ctx.registry.find_tool("sly").tool, {}))  # type: ignore[arg-type]
    assert "this turn is read-only" in outcome.text
    assert ctx.document is before


def test_edits_of_a_turn_are_one_step() -> None:
    ctx, _ = context(builtin=[EDIT])
    assert isinstance(ctx.opened, OpenDocument)
    session, before = ctx.opened.session, ctx.document
    for _ in range(2):
        run(ctx.call_tool("edit", "rename"))
    assert session.document is not before
    assert session.undo()
    assert session.document is before


def test_a_person_is_asked_once_about_an_edit() -> None:
    asked: list[ApprovalRequest] = []

    async def no(request: ApprovalRequest) -> Decision:
        asked.append(request)
        return Decision(False)

    ctx, _ = context(builtin=[EDIT], approvals=ApprovalRules("ask", no))
    assert "declined" in run(ctx.run(EDIT, {})).text
    with pytest.raises(ToolFailed, match="declined"):
        run(ctx.call_tool("edit", "Rename the prism"))
    assert [request.title for request in asked] == [
        "Main Prism renamed to rename",
        "Main Prism renamed to Rename the prism",
    ]
    ((_, found),) = asked[0].edit.steps  # type: ignore[union-attr]
    assert [str(d) for d in found] == ["rename: name Main Prism -> rename"]
    assert issubclass(EditRefused, ValueError)


def test_a_report_names_the_calling_call(tmp_path: Path) -> None:
    main = (
        "@tool_context\nasync def main(ctx) -> str:\n    return await ctx.call_tool('echo',"
        " 'x')\n\n"
    )
    tools = f"{CONTEXT}{main}def echo(v: str) -> str:\n    return v\n"
    ctx, events = context(write(tmp_path, tools=tools))
    run(ctx.call_tool("main"))
    started = [e for e in events if isinstance(e, ToolStarted)]
    assert [(e.tool, e.within) for e in started] == [("main", ""), ("echo", started[0].id)]
    assert [e.id for e in events if isinstance(e, ToolFinished)] == [started[1].id, started[0].id]
    assert len({e.id for e in started}) == 2


MADE = "These edits were made before: Main Prism renamed to rename."


@pytest.mark.parametrize("way", ["raises", "times out", "is stopped", "is stopped through another"])
def test_a_failed_call_reports_its_edits(way: str) -> None:
    @tool_context(effect="edit")
    async def some(ctx: ToolContext) -> None:
        await ctx.call_tool("edit", "rename")
        if way == "raises":
            raise ValueError("No light")
        await asyncio.sleep(5)

    @tool_context(effect="edit")
    async def outer(ctx: ToolContext) -> None:
        await ctx.call_tool("some")

    tools = [
        EDIT,
        Tool.new("some", (some, {"timeout_s": 0.2 if way == "times out" else 9.0})),
        Tool.new("outer", outer),
    ]
    ctx, events = context(builtin=tools)
    target = ctx.registry.find_tool("outer" if "another" in way else "some").tool

    async def go() -> None:
        task = asyncio.ensure_future(ctx.run(target, {}, gated=False))  # type: ignore[arg-type]
        while ctx.document.scene.objects[0].name != "rename":
            await asyncio.sleep(0.01)
        if "stopped" in way:
            await asyncio.sleep(0.05)
            task.cancel()
        await asyncio.wait({task})

    run(go())
    last = [e.outcome for e in events if isinstance(e, ToolFinished)][-1]
    assert not last.ok
    assert last.text.count(f". {MADE}") == last.text.count(MADE) == 1
    assert MADE in last.model_text


def test_a_timed_out_call_does_nothing_more() -> None:
    went: list[str] = []

    @tool_context
    def late(ctx: ToolContext) -> None:
        time.sleep(0.3)
        went.append(str(ctx.cancelled))
        try:
            ctx.call("edit")
        except CallEnded as error:
            went.append(str(error))

    ctx, _ = context(builtin=[EDIT, Tool.new("late", (late, {"timeout_s": 0.05}))])
    before = ctx.document

    async def go() -> str:
        outcome = await ctx.run(ctx.registry.find_tool("late").tool, {}, gated=False)  # type: ignore[arg-type]
        await asyncio.sleep(0.5)
        return outcome.text

    assert run(go()) == "late failed: timed out after 0.05 s."
    assert went == ["True", "edit: the call that requested this has ended."]
    assert ctx.document is before


def test_waiting_pauses_every_clock_above() -> None:
    async def slowly(request: ApprovalRequest) -> Decision:
        await asyncio.sleep(0.8)
        return Decision(True)

    class SlowDocument(OpenDocument):
        async def context(self) -> TracedScene:
            await asyncio.sleep(0.8)
            return await super().context()

    @tool_context
    async def asker(ctx: ToolContext) -> str:
        return (await ctx.run(EDIT, {})).text

    tools = [EDIT, Tool.new("asker", (asker, {"timeout_s": 0.6, "effect": "read"}))]
    ctx, _ = context(builtin=tools, approvals=ApprovalRules("ask", slowly))
    assert isinstance(ctx.opened, OpenDocument)
    ctx = dataclasses.replace(ctx, opened=SlowDocument(ctx.opened.session))
    outcome = run(ctx.run(tools[1], {}))
    assert outcome.text == "edited"
    assert outcome.milliseconds < 600


def test_private_tools_need_a_declared_caller(tmp_path: Path) -> None:
    secret = Tool.new("secret", (lambda: "s", {"visibility": "private", "effect": "read"}))

    @tool_context
    async def holder(ctx: ToolContext) -> str:
        return str(await ctx.call_tool("secret"))

    allowed = Tool.new("allowed", (holder, {"calls": ("secret",)}))
    refused = Tool.new("refused", (holder, {}))
    ctx, _ = context(builtin=[secret, allowed, refused])
    assert run(ctx.call_tool("allowed")) == "s"
    with pytest.raises(ToolFailed, match="Unknown tool 'secret'"):
        run(ctx.call_tool("refused"))


def test_a_missing_tool_is_named() -> None:
    ctx, _ = context()
    with pytest.raises(FileNotFoundError, match="Did you mean scale"):
        run(ctx.call_tool("scael", 3))
    assert registry().find_tool("scale")


def test_a_single_input_may_be_named(
    tmp_path: Path,
) -> None:
    tools = (
        "def text(value: str) -> str:\n    return value\n\ndef table(value: dict | None = None) ->"
        " dict:\n    return value\n"
    )
    ctx, _ = context(write(tmp_path, tools=tools))
    assert run(ctx.call_tool("text", {"value": "x"})) == "x"
    assert run(ctx.call_tool("table", {"value": "x"})) == {"value": "x"}


@pytest.mark.parametrize("how", ["await ctx.call_tool('busy')", "ctx.call('busy')"])
def test_a_callers_clock_pauses_for_tools(
    how: str,
) -> None:
    def busy() -> str:
        """Take a while."""
        time.sleep(0.9)
        return "done"

    @tool_context
    async def later(ctx: ToolContext) -> str:
        """Call twice."""
        return str(await ctx.call_tool("busy")) + str(await ctx.call_tool("busy"))

    @tool_context
    def at_once(ctx: ToolContext) -> str:
        """Call twice."""
        return str(ctx.call("busy")) + str(ctx.call("busy"))

    caller = later if "await" in how else at_once
    tools = [
        Tool.new("busy", (busy, {"effect": "read"})),
        Tool.new("caller", (caller, {"effect": "read", "timeout_s": 0.8})),
    ]
    ctx, _ = context(builtin=tools)
    outcome = run(ctx.run(tools[1], {}))
    assert outcome.text == "donedone"
    assert outcome.milliseconds < 800


def test_a_persons_tool_has_no_default_limit() -> None:
    def busy() -> str:
        """Take a while."""
        time.sleep(0.3)
        return "done"

    usual = dataclasses.replace(Tool.new("busy", (busy, {"effect": "read"})), timeout_s=0.1)
    stated = Tool.new("busy", (busy, {"effect": "read", "timeout_s": 0.1}))
    ctx, _ = context(builtin=[usual])
    mine = dataclasses.replace(ctx, by_person=True)
    assert not run(ctx.run(usual, {})).ok
    assert run(mine.run(usual, {})).ok
    assert "timed out after 0.1 s" in run(mine.run(stated, {})).text


def test_a_large_result_is_converted_in_its_thread() -> None:
    """A generator that is read on the agent's loop would hold everything else."""

    def endless() -> Any:
        """All rays."""
        return [{"id": i, "text": "x" * 50} for i in range(100_000)]

    ctx, _ = context(builtin=[Tool.new("endless", (endless, {"effect": "read"}))])
    gaps: list[float] = []

    async def go() -> None:
        task = asyncio.create_task(ctx.run(ctx.registry.find_tool("endless").tool, {}))  # type: ignore[arg-type]
        while not task.done():
            begun = time.thread_time()
            await asyncio.sleep(0.001)
            gaps.append(time.thread_time() - begun)

    run(go())
    assert max(gaps) < 0.25


@pytest.mark.security
def test_an_endless_iterator_is_no_result() -> None:
    def numbers() -> Any:
        """All numbers."""
        return itertools.count()

    def made() -> Any:
        """All numbers."""
        yield from itertools.count()

    def few() -> Any:
        """Some numbers."""
        return iter([1, 2])

    tools = [Tool.new(f.__name__, (f, {"effect": "read"})) for f in (numbers, made, few)]
    ctx, _ = context(builtin=tools)
    outcomes = [run(ctx.run(tool, {})) for tool in tools]
    assert [o.text for o in outcomes[:2]] == [
        "The result is an iterator of more than 1,000,000 items. Return a list."
    ] * 2
    assert outcomes[2].value == [1, 2]
