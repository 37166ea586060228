"""Runs a tool call: checks the arguments, asks for approval, looks in the cache, waits for the
trace, and limits the time. All callers use `call_tool`.
"""

from __future__ import annotations

import inspect
import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from raybench.agent.call.approval import ApprovalRequest
from raybench.agent.call.open_document import KnownObjects
from raybench.agent.call.outcome import PngImage, ResultPreview, ToolOutcome, failed_outcome
from raybench.agent.call.scope import CallScope, ExitRaised, OutOfTime, run_in_own_thread
from raybench.agent.tools.exposure import may_call
from raybench.agent.tools.offer import definition_text
from raybench.agent.tools.tool import Tool, bind_call, python_identifier
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import paging_parameters
from raybench.analysis.answers.preview import (
    A_PAGE,
    PREVIEW_CHARACTERS,
    answer_preview,
    preview_of_value,
    truncate_text,
)
from raybench.analysis.answers.words import capitalize_first, grouped_digits, ray_count_text
from raybench.analysis.context import TracedScene, override_context
from raybench.errors import RaybenchError, error_message, one_line
from raybench.scene.problems.table import objects_without_effect_text
from raybench.schema.json_values import arguments_if_json_object, json_text, to_json_value
from raybench.schema.parameters import InvalidArguments, InvalidSignature
from raybench.schema.signature import SignatureError
from raybench.schema.values import InvalidValue, check_tool_result
from raybench.trace.codes import Completion

if TYPE_CHECKING:
    from raybench.agent.call.context import ToolContext

MOST_CACHED_RESULTS = 200
"""Maximum number of results; then the least recently used one is dropped."""
MOST_CACHED_REVISIONS = 3
"""Maximum number of revisions, since results hold the trace of their revision; then results of the
least recently used one are dropped.
"""
NOTE_CHARACTERS = 120
"""Characters of a preview that are kept for its notes besides the sentence: the name of a ray set,
a trace that is partial.
"""
LIMIT_PARAMETERS = frozenset({"limit", "max_paths", "top_n", "max_groups"})
"""Parameters by which a caller asks for more elements of a list than a preview has by default."""
MOST_RESULT_BYTES = 256_000_000
"""Bytes of the values that a function may return, as `fits_memory_size` counts them."""
LONG_TRACE_SEGMENTS = 1_000_000
"""Number of segments from which on a timeout is attributed to the length of the trace."""
log = logging.getLogger(__name__)


def cache_key(tool: str, arguments: object, revision: int) -> str:
    """The key of a call in the result cache. Calls with equal keys have the same result.

    In names, hyphens equal underscores; the order of arguments does not matter; 1.0 equals 1, and a
    tuple equals a list. The key contains the scene's revision, so the cache never returns an answer
    about an older scene.
    """
    given = arguments if isinstance(arguments, Mapping) else {"non_map": arguments}
    return json.dumps(
        [tool, revision, isinstance(arguments, Mapping), canonical_value(given)], default=repr
    )


def canonical_value(value: Any) -> Any:
    """A JSON value in a form that is identical for equal values: an object becomes the sorted list
    of its pairs.
    """
    if isinstance(value, Mapping):
        pairs = [[str(key).replace("-", "_"), canonical_value(item)] for key, item in value.items()]
        return {"": sorted(pairs, key=json.dumps)}
    if isinstance(value, list | tuple):
        return [canonical_value(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ResultCache:
    """A cache of call outcomes by key. Two concurrent calls may both miss the cache and run; the
    later result is kept.
    """

    def __init__(self, most: int = MOST_CACHED_RESULTS) -> None:
        self._results: dict[str, tuple[int, ToolOutcome]] = {}
        """Each result with its revision, the most recently used one last."""
        self._most = most

    def get(self, key: str) -> ToolOutcome | None:
        entry = self._results.pop(key, None)
        if entry is None:
            return None
        self._results[key] = entry
        return entry[1]

    def put(self, key: str, result: ToolOutcome, revision: int = 0) -> None:
        self._results.pop(key, None)
        self._results[key] = (revision, result)
        revisions = list(dict.fromkeys(of for of, _ in reversed(self._results.values())))[
            :MOST_CACHED_REVISIONS
        ]
        kept = [(name, entry) for name, entry in self._results.items() if entry[0] in revisions]
        self._results = dict(kept[-self._most :])


class InvalidResult(RaybenchError):
    """A tool returned a value that does not match its signature."""


@dataclass(frozen=True, eq=False)
class Call:
    """A call with valid arguments that is allowed to run.

    ``values``: its arguments as JSON. ``given``: the argument names that the caller used.
    ``dropped``: those that the tool does not have. ``untraced``: the error if the scene cannot be
    traced; ``traced`` then has no rays. ``known``: what the caller, if it is a model or a person,
    has already been told about the scene.
    """

    tool: Tool
    values: Mapping[str, Any]
    given: frozenset[str]
    dropped: tuple[str, ...]
    traced: TracedScene
    untraced: str = ""
    known: KnownObjects | None = None

    def _unreported_remarks(self) -> list[str]:
        """The remarks on the scene that this caller has not received yet: on objects without
        effect, unless the call changed the scene, and on a partial, dark or impossible trace.
        """
        remarks = []
        if self.tool.effect != "edit":
            idle = objects_without_effect_text(self.traced.scene, self.traced.disabled)
            if self.known is None or self.known.remark != idle:
                remarks.append(idle)
            if self.known is not None:
                self.known.remark = idle
        result = self.traced.result
        if not self.tool.waits_for_trace:
            pass
        elif self.untraced:
            if self.tool.effect == "read":  # an edit may have corrected it
                remarks.append(f"The scene could not be traced. {self.untraced}")
        elif result.completion != Completion.COMPLETE:
            remarks.append(
                f"The trace is partial ({result.completion.text}): there may be more rays than"
                " these."
            )
        elif not len(result):
            remarks += ["There is no light in this scene.", *(w.text for w in result.warnings)]
        return remarks

    def make_outcome(self, returned: Any, milliseconds: float) -> ToolOutcome:
        """Convert the value that the tool returned to an outcome. Rays are named later. It runs in
        the thread of the tool, since a large result takes time. Raises InvalidResult if the value
        cannot be written as JSON, or does not match the signature.
        """
        tool, notes = self.tool, self._unreported_remarks()
        room = (PREVIEW_CHARACTERS if LIMIT_PARAMETERS & self.given else A_PAGE) - sum(
            map(len, notes)
        )
        if self.dropped:
            usage = f" {tool.parameters.usage}" if tool.offered == "on demand" else ""
            notes.append(f"Ignored unknown arguments: {', '.join(self.dropped)}.{usage}")
        picture = returned if isinstance(returned, PngImage) else None
        result, rays, complete = returned, None, True
        if isinstance(returned, Answer):
            rays = returned.rays
            stated = returned.complete_sentence
            complete = rays is not None if stated is None else stated
            shown = answer_preview(returned, room - len(returned.full_sentence()) - NOTE_CHARACTERS)
        else:
            result = self._json_result(picture.about if picture else returned)
            shown = preview_of_value(result, room)
            if tool.parsed_signature is not None and picture is None:
                notes.append(self._describe_type_mismatch(result))
            if self.traced.answers:
                # a project's function that calls a shipped tool as a script does leaves them there
                rays = self.traced.answers[-1]
        return ToolOutcome(
            tool.name,
            self.values,
            result,
            True,
            rays,
            milliseconds,
            capitalize_first(tool.question(self.values)),
            "\n".join(filter(None, notes)),
            shown,
            private=tool.private,
            picture=picture,
            complete_sentence=complete,
        )

    def _json_result(self, returned: Any) -> Any:
        """The returned value as JSON values. Raises InvalidResult for a value that JSON cannot
        represent, such as an object of a class.
        """
        try:
            return to_json_value(returned, strict=True, most=MOST_RESULT_BYTES)
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, RaybenchError):
                raise
            remedy = (
                "Collect what it yields in a list and return that."
                if inspect.isasyncgen(returned)
                else "Return numbers, texts, lists, dicts or dataclasses."
            )
            raise InvalidResult(
                f"{self.tool.name} returned what is no result: {error_message(error)}. {remedy}"
            ) from None

    def _describe_type_mismatch(self, value: Any) -> str:
        """Describe how a returned value differs from the signature. Used for tools that only warn
        about this.
        """
        tool = self.tool
        assert tool.parsed_signature is not None
        text = f"{tool.name} returned a value that does not fit its signature {tool.signature}: "
        try:  # a type hint does not require a number to be finite
            faults = check_tool_result(
                value, tool.parsed_signature.returns, tool.check, finite=tool.extracted is None
            )
        except InvalidValue as error:
            raise InvalidResult(f"{text}{error}.") from None
        return f"{text}{'; '.join(faults)}." if faults else ""

    async def with_rays_named(self, outcome: ToolOutcome, caller: ToolContext) -> ToolOutcome:
        """The outcome with the name of its ray set, the finding, and the preview for a model."""
        tool, rays, name, finding = self.tool, outcome.rays, "", ""
        if rays is not None:
            if caller.naming is not None:
                await caller.naming.wait()
            rays = await caller.opened.store_rays(tool.question(self.values), rays)
            name = rays.name
            finding = f"{outcome.sentence}: {ray_count_text(len(rays))} ({name})."
        if outcome.answer is not None:
            finding = outcome.answer.full_sentence(name)
        shown = outcome.preview
        if tool.native_result is not None:
            rendered = ResultPreview(**tool.native_result).render_preview(
                outcome.value, cache_hint(tool, self.values), name
            )
            shown = truncate_text(json_text(rendered))
        notes = "\n".join(filter(None, [finding, outcome.notes]))
        return replace(outcome, rays=rays, notes=notes, preview=shown)


def cache_hint(tool: Tool, values: Mapping[str, Any]) -> str:
    """A sentence that tells a program how to get the whole stored result of a call."""
    given = ", ".join(
        f"{python_identifier(name)}={_as_literal(values[name])}" for name in sorted(values)
    )
    return (
        f"The full result is kept: {python_identifier(tool.name)}({given}) in a program returns it without"
        " running again."
    )


def _as_literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{key!r}: {_as_literal(item)}" for key, item in sorted(value.items()))
            + "}"
        )
    return (
        f"[{', '.join(map(_as_literal, value))}]"
        if isinstance(value, list | tuple)
        else repr(canonical_value(value))
    )


async def call_tool(
    tool: Tool, arguments: Any, caller: ToolContext, nested: ToolContext | None = None
) -> ToolOutcome:
    """Call a tool: check its arguments, wait for the trace of the scene if the tool needs it, run
    the tool, and name the rays that it found.

    ``caller`` is the context of the calling tool or turn. ``nested`` is the context of this call;
    its clock is paused while the call waits for a person or a trace. Errors of the tool are
    returned as an outcome that is not ok. Cancelling raises CancelledError.
    """
    nested = nested or replace(caller, scope=CallScope())
    scope, opened, approvals = nested.scope, caller.opened, caller.approvals
    if not may_call(caller.tool, tool):
        who = (
            ""
            if caller.tool is None
            else f" It is private, and {caller.tool.name} does not name it among its calls."
        )
        return failed_outcome(
            tool.name, arguments_if_json_object(arguments), f"Unknown tool '{tool.name}'.{who}"
        )
    try:
        checked = tool.parameters.check(arguments)
        function = bind_call(tool, checked.values, nested)
    except (InvalidArguments, InvalidSignature, SignatureError) as error:
        message = (
            f"{tool.name} cannot be called: its signature has a {error}."
            if isinstance(error, SignatureError)
            else str(error)
        )
        # the list of parameters and the definition are for the model
        said = message.partition(" Parameters: ")[0]
        if caller.tool is None and tool.offered == "on demand":
            message = f"{said}\n\n{definition_text(tool, tool.definition)}"
        return failed_outcome(
            tool.name, arguments_if_json_object(arguments), message, sentence=said
        )
    unasked = paging_parameters(checked.values) - set(arguments)
    values = {
        name: value for name, value in to_json_value(checked.values).items() if name not in unasked
    }
    if tool.cache:
        kept = caller.cache.get(cache_key(tool.name, values, opened.document.revision))
        if kept is not None:
            return replace(kept, milliseconds=0.0, cached=True)
    with scope.pause_clocks():
        reason = (
            approvals.refusal_by_profile(tool) or ""
            if asks_approval_per_edit(tool)
            else await approvals.call_refusal(ApprovalRequest(tool, values))
        )
    if reason:
        return failed_outcome(tool.name, values, reason)
    untraced = ""
    try:
        with scope.pause_clocks():
            traced = await opened.context() if tool.waits_for_trace else opened.current_context()
    except Exception as error:
        untraced = _error_line(error)
        if tool.needs == "trace":
            return failed_outcome(
                tool.name, values, f"{tool.name}: the scene could not be traced. {untraced}"
            )
        traced = TracedScene.from_untraced_document(opened.document)
    known = caller.known if caller.tool is None else None
    call = Call(tool, values, frozenset(arguments), checked.dropped, traced, untraced, known)
    start = scope.seconds_without_pauses
    seconds = math.inf if caller.by_person and not tool.limited else tool.timeout_s
    try:
        outcome = await scope.run_with_timeout(
            seconds + start, _run_function(call, function, scope)
        )
    except Exception as error:
        milliseconds = (scope.seconds_without_pauses - start) * 1e3
        message = _error_line(error)
        if isinstance(error, OutOfTime):
            message = f"{tool.name} failed: timed out after {seconds:g} s."
            if (count := len(traced.result)) >= LONG_TRACE_SEGMENTS:
                message += (
                    f" The trace has {grouped_digits(count)} segments: give the scene a largest"
                    " depth, such as “set the largest depth to 100”, or fewer rays."
                )
        elif not isinstance(error, RaybenchError):  # a fault of the tool, not of its caller
            log.exception("%s raised", tool.name)
        return failed_outcome(tool.name, values, message, milliseconds, ran=True)
    outcome = await call.with_rays_named(outcome, caller)
    if tool.cache:
        revision = traced.result.revision
        caller.cache.put(cache_key(tool.name, values, revision), outcome, revision)
    return outcome


async def _run_function(call: Call, function: Callable[[], Any], scope: CallScope) -> ToolOutcome:
    """Call the function of a tool in a thread of its own, and convert the returned value to an
    outcome. A task for a model is awaited in the agent's event loop.
    """
    start = scope.seconds_without_pauses

    def make_outcome(returned: Any) -> ToolOutcome:
        return call.make_outcome(returned, (scope.seconds_without_pauses - start) * 1e3)

    scope.running = True
    with override_context(call.traced):
        try:
            if call.tool.is_model_task and inspect.iscoroutinefunction(call.tool.function):
                return make_outcome(await function())
            return await run_in_own_thread(function, make_outcome)
        except SystemExit as error:  # would end the event loop
            raise ExitRaised(error) from None


def asks_approval_per_edit(tool: Tool) -> bool:
    """Whether a tool makes its edits through its context, which asks for approval of each edit."""
    return tool.effect == "edit" and getattr(tool.function, "context_parameter", None) is not None


def _error_line(error: Exception) -> str:
    """An error as one line of text. The type is added if the message alone is unclear, as for a
    KeyError.
    """
    text = one_line(error_message(error).strip())
    if text and not isinstance(error, KeyError):
        return text
    return f"{type(error).__name__}: {text}".rstrip(": ")
