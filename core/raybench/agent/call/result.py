"""From the value that a tool returned to the outcome of its call: the named rays, the notes, and
the preview for a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from raybench.agent.call.cache import canonical
from raybench.agent.call.caller import Caller
from raybench.agent.call.open_document import KnownObjects
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.call.picture import Picture
from raybench.agent.call.result_preview import ResultPreview
from raybench.agent.tools.tool import Tool, code_name
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.preview import A_PAGE, CHARACTERS, cut, preview, preview_of_value
from raybench.analysis.answers.words import capitalized, rays_counted
from raybench.analysis.context import TracedScene
from raybench.errors import RaybenchError
from raybench.scene.problems.idle import idle_objects
from raybench.schema.jsonable import json_text, jsonable
from raybench.schema.values import InvalidValue, checked_result
from raybench.trace.codes import Completion

NOTES = 120
"""Characters of a preview that are kept for its notes besides the sentence: the name of a ray set,
a trace that is partial.
"""
MORE = frozenset({"limit", "max_paths", "top_n", "max_groups"})
"""Parameters by which a caller asks for more elements of a list than a preview has by default."""
MOST_RESULT = 256_000_000
"""Bytes of the values that a function may return, as `fits` counts them."""


class InvalidResult(RaybenchError):
    """A tool returned a value that does not fit its signature."""


@dataclass(frozen=True, eq=False)
class Call:
    """A call with valid arguments, which may run.

    ``values`` are its arguments as JSON, ``given`` the names that the caller used, ``dropped``
    those among them that the tool does not have. ``untraced`` is the error if the scene cannot be
    traced; ``traced`` then has no rays. ``known`` is what the caller was told.
    """

    tool: Tool
    values: Mapping[str, Any]
    given: frozenset[str]
    dropped: tuple[str, ...]
    traced: TracedScene
    untraced: str = ""
    known: KnownObjects | None = None

    @cached_property
    def remarks(self) -> tuple[str, str]:
        """Remarks on the scene, "" where there is nothing to say: objects without effect; a trace
        that is partial, dark or impossible.

        None on a scene that an edit has just changed, and none on objects that was the last one
        already.
        """
        told = self.known is not None and self.known.remark == self.idle
        return "" if told or self.tool.effect == "edit" else self.idle, self._about_trace

    @cached_property
    def idle(self) -> str:
        """What there is to say of objects without effect."""
        return idle_objects(self.traced.scene, self.traced.disabled)

    def remark(self) -> tuple[str, str]:
        """The `remarks`, of which the caller is now told."""
        remarks = self.remarks
        if self.known is not None and self.tool.effect != "edit":
            self.known.remark = self.idle
        return remarks

    @property
    def _about_trace(self) -> str:
        if not self.tool.waits:
            return ""
        if self.untraced:  # an edit may have corrected it
            return (
                f"The scene could not be traced. {self.untraced}"
                if self.tool.effect == "read"
                else ""
            )
        result = self.traced.result
        if result.completion != Completion.COMPLETE:
            return (
                f"The trace is partial ({result.completion.text}): there may be more rays than"
                " these."
            )
        return (
            ""
            if len(result)
            else " ".join(["There is no light in this scene.", *(w.text for w in result.warnings)])
        )

    @property
    def preview_size(self) -> int:
        """The most characters of a preview of the result."""
        return (CHARACTERS if MORE & self.given else A_PAGE) - sum(map(len, self.remarks))


@dataclass(frozen=True, eq=False)
class Result:
    """The return value of a function, converted in the thread in which it ran, since a large result
    takes time.
    """

    answer: Answer | None
    value: Any
    preview: str
    picture: Picture | None
    milliseconds: float
    warning: str = ""

    @classmethod
    def of(cls, returned: Any, call: Call, milliseconds: float) -> Self:
        """The result of a call that took the tool this long. InvalidResult if it does not fit the
        signature of a tool that is checked.
        """
        tool, size = call.tool, call.preview_size
        answer = returned if isinstance(returned, Answer) else None
        picture = returned if isinstance(returned, Picture) else None
        value = (
            None if answer else jsonable(picture.about if picture else returned, most=MOST_RESULT)
        )
        warning = ""
        if tool.parsed is not None and answer is None and picture is None:
            mismatch = (
                f"{tool.name} returned a value that does not fit its signature {tool.signature}: "
            )
            try:  # a type hint does not require a number to be finite
                faults = checked_result(
                    value, tool.parsed.returns, tool.check, finite=tool.extracted is None
                )
            except InvalidValue as error:
                raise InvalidResult(f"{mismatch}{error}.") from None
            warning = f"{mismatch}{'; '.join(faults)}." if faults else ""
        shown = (
            preview(answer, size - len(answer.full_sentence()) - NOTES)
            if answer
            else preview_of_value(value, size)
        )
        return cls(answer, value, shown, picture, milliseconds, warning)


async def outcome_of(call: Call, result: Result, caller: Caller) -> ToolOutcome:
    """The outcome of a call that returned a result: names its rays and makes notes and preview."""
    tool, answer, shown = call.tool, result.answer, result.preview
    asked = tool.question(call.values)
    # a project's function that calls a shipped tool as a script does leaves the rays in the context
    rays = answer.rays if answer else call.traced.answers[-1] if call.traced.answers else None
    if rays is not None:
        if caller.naming is not None:
            await caller.naming.wait()
        rays = await caller.opened.remember(asked, rays)
    name = rays.name if rays is not None else ""
    if tool.native_result is not None:
        whole = jsonable(answer.values) if answer else result.value
        kept_preview, _ = ResultPreview.of(tool.native_result).render(
            whole, cache_hint(tool, call.values), name
        )
        shown = cut(json_text(kept_preview))
    finding = (
        answer.full_sentence(name)
        if answer
        else ""
        if rays is None
        else f"{capitalized(asked)}: {rays_counted(len(rays))} ({name})."
    )
    unknown = f"Ignored unknown arguments: {', '.join(call.dropped)}." if call.dropped else ""
    remarks = call.remark()
    complete = answer.complete_sentence if answer is not None else True
    return ToolOutcome(
        tool.name,
        call.values,
        answer if answer is not None else result.value,
        True,
        rays,
        result.milliseconds,
        capitalized(asked),
        "\n".join(note for note in (finding, *remarks, unknown, result.warning) if note),
        shown,
        private=tool.private,
        picture=result.picture,
        complete_sentence=rays is not None if complete is None else complete,
    )


def cache_hint(tool: Tool, values: Mapping[str, Any]) -> str:
    """How a program gets the whole stored result of a call."""
    given = ", ".join(f"{code_name(name)}={_literal(values[name])}" for name in sorted(values))
    return (
        f"The full result is kept: {code_name(tool.name)}({given}) in a program returns it without"
        " running again."
    )


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{key!r}: {_literal(item)}" for key, item in sorted(value.items()))
            + "}"
        )
    return (
        f"[{', '.join(map(_literal, value))}]"
        if isinstance(value, list | tuple)
        else repr(canonical(value))
    )
