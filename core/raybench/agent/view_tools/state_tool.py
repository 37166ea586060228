"""State tools: tools that change the ray filter of the view. A state tool has a method that
computes a result, a method that changes a draft of the view, and a function for the model that
hides the draft.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_type_hints

from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.words import grouped_digits, ray_count_text
from raybench.analysis.rays.ray_filter import NO_FILTER, RayFilter
from raybench.errors import as_sentence
from raybench.trace.results.ray_set import RaySet
from raybench.view import View

if TYPE_CHECKING:
    from raybench.agent.call.context import ToolContext


@dataclass
class ViewDraft:
    """A draft of the view during one turn. At the end of the turn it is applied as one new view."""

    ray_filter: RayFilter = NO_FILTER
    specific_rays: RaySet | None = None

    @classmethod
    def from_view(cls, view: View) -> Self:
        return cls(view.ray_filter, view.specific_rays)

    def take_changes(self, draft: ViewDraft, before: ViewDraft) -> None:
        """Copy the changes of a call into this draft. ``draft`` is the call's own copy, ``before``
        that copy before the call.
        """
        for each in dataclasses.fields(self):
            if (value := getattr(draft, each.name)) is not getattr(before, each.name):
                setattr(self, each.name, value)

    def apply_to_view(self, view: View) -> View:
        """A copy of the view with the filter and the picked rays of this draft."""
        return dataclasses.replace(
            view, ray_filter=self.ray_filter, specific_rays=self.specific_rays
        )


DYNAMIC_QUERY = "dynamic_query"
"""The key of the filter in a dict that stands for a draft of the view."""


def merge_filter(
    state: ViewDraft | dict[str, Any], new_filter: RayFilter | Mapping[str, Any] | None
) -> None:
    """Add the conditions of ``new_filter`` to the filter of the draft. An empty filter changes
    nothing.

    Accepts ``{"must": [...], "should": [...], "must_not": [...]}``, and raises InvalidFilter, like
    `RayFilter.from_json`. In tests a dict with the filter as `DYNAMIC_QUERY` may replace the draft.
    """
    if not new_filter:
        return
    new = new_filter if isinstance(new_filter, RayFilter) else RayFilter.from_json(new_filter)
    if isinstance(state, ViewDraft):
        state.ray_filter = state.ray_filter.merged_with(new)
    else:
        before = RayFilter.from_json(state.get(DYNAMIC_QUERY, {}))
        state[DYNAMIC_QUERY] = before.merged_with(new).to_json()


class StateTool(ABC):
    """The base class of tools that change the draft of the view.

    A subclass has a ``name``, a ``description`` for the model (with an ``Args:`` section for its
    parameters), a method `_run`, which only computes, and a method `apply_to_state`, which calls
    `_run` and changes the draft.
    """

    name: ClassVar[str]
    description: ClassVar[str]

    @abstractmethod
    def _run(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the result for these arguments, without side effects."""

    @abstractmethod
    def apply_to_state(self, state: Any, *args: Any, **kwargs: Any) -> str:
        """Change the draft in place. Returns a short sentence about the change for the model."""

    def as_agent_callable(self, state: ViewDraft | dict[str, Any]) -> Callable[..., str]:
        """Make a function with the name, docstring and parameters of this tool that changes
        ``state``. The function has no parameter for the state.
        """
        signature = agent_signature(type(self))

        def call(*args: Any, **kwargs: Any) -> str:
            bound = signature.bind(*args, **kwargs)
            if not isinstance(state, ViewDraft):
                return self.apply_to_state(state, *bound.args, **bound.kwargs)
            before = dataclasses.replace(state)
            draft = dataclasses.replace(state)  # of a call that fails nothing is left
            sentence = self.apply_to_state(draft, *bound.args, **bound.kwargs)
            state.take_changes(draft, before)
            return sentence

        call.__name__ = call.__qualname__ = self.name
        call.__doc__ = self.description
        call.__signature__ = signature  # type: ignore[attr-defined]
        call.__annotations__ = {
            p.name: p.annotation
            for p in signature.parameters.values()
            if p.annotation is not p.empty
        }
        return call

    def as_tool(self, name: str) -> Tool:
        """A tool record with this name. The tool changes the view draft of the turn in which it is
        called.
        """
        return state_record(type(self), lambda context: self, name, self.description)


@functools.cache
def agent_signature(kind: type[StateTool]) -> inspect.Signature:
    """The signature of `apply_to_state` without ``self`` and ``state``, and with resolved types."""
    signature = inspect.signature(kind.apply_to_state)
    hints = get_type_hints(kind.apply_to_state, include_extras=True)
    parameters = [
        p.replace(annotation=hints.get(p.name, p.empty))
        for p in list(signature.parameters.values())[2:]
    ]
    return signature.replace(parameters=parameters, return_annotation=hints.get("return", str))


def state_record(
    kind: type[StateTool],
    make: Callable[[ToolContext], StateTool],
    name: str = "",
    description: str = "",
    **options: Any,
) -> Tool:
    """The tool record of a state tool class. The tool changes the view draft of its turn, which is
    applied at the end of the turn.

    ``make`` creates the instance for a call. Name and description are by default those of the
    class; other ``options`` are fields of `Tool`. Options that `tool_options` sets on the class
    override them.
    """
    name, signature = name or kind.name, agent_signature(kind)

    def call_tool(*args: Any, tool_context: ToolContext, **values: Any) -> str:
        sentence = as_sentence(
            make(tool_context).as_agent_callable(tool_context.state)(*args, **values).strip()
        )
        result = tool_context.result
        rows = tool_context.state.apply_to_view(View()).visible_rows(result)
        total = ray_count_text(len(result))
        return (
            f"{sentence} {total} are shown."
            if rows is None
            else f"{sentence} {grouped_digits(len(rows))} of {total} are shown."
        )

    hidden = inspect.Parameter("tool_context", inspect.Parameter.KEYWORD_ONLY)
    call_tool.__name__ = call_tool.__qualname__ = name
    call_tool.__doc__ = description or kind.description
    call_tool.__signature__ = signature.replace(parameters=[*signature.parameters.values(), hidden])  # type: ignore[attr-defined]
    call_tool.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()} | {
        "return": str
    }
    call_tool.context_parameter = hidden.name  # type: ignore[attr-defined]
    call_tool.made_of = kind  # type: ignore[attr-defined]
    usual = {"effect": "read", "expose": "both", "in_order": True, **options}
    return Tool.new(name, (call_tool, usual | getattr(kind, "tool_options", {})))
