"""Approval of tool calls and edits: which run without a question, which need the consent of a
person, and which are refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from raybench.agent.tools.tool import EFFECT_REMEDY, Tool
from raybench.scene.changes import (
    Change,
    Changes,
    changes_as_tuple,
    describe_changes,
    documents_between_changes,
)
from raybench.scene.changes.differences import ValueDifference, document_differences
from raybench.scene.document import Document, use_negative_revisions

Profile = Literal["read-only", "ask", "auto"]
"""``read-only`` refuses everything that has side effects; ``ask`` asks about it; ``auto`` makes
edits, which can be undone, and asks about the rest.
"""


@dataclass(frozen=True, eq=False)
class ProposedEdit:
    """Proposed changes, with the documents before and after. An undo or redo has no changes, but a
    ``move`` in the history, described in words.
    """

    changes: tuple[Change, ...]
    documents: tuple[Document, ...]
    """The documents before each change, and after the last."""
    move: str = ""

    @classmethod
    @use_negative_revisions()
    def from_changes(cls, changes: Changes, document: Document) -> Self:
        """The edit that applies changes to a document. Raises ChangeRefused."""
        return cls(changes_as_tuple(changes), tuple(documents_between_changes(changes, document)))

    def for_document(self, document: Document) -> ProposedEdit:
        """The same changes applied to another document. Raises ChangeRefused. An undo or redo is
        returned unchanged.
        """
        return (
            self
            if self.move or document is self.before
            else ProposedEdit.from_changes(self.changes, document)
        )

    @property
    def before(self) -> Document:
        return self.documents[0]

    @property
    def after(self) -> Document:
        return self.documents[-1]

    @property
    def description(self) -> str:
        """A description of the first changes in words."""
        return self.move or describe_changes(self.changes, self.documents)

    @property
    def steps(self) -> tuple[tuple[str, tuple[ValueDifference, ...]], ...]:
        """Each change in words, with the values that it changes."""
        if self.move:
            return ((self.move, document_differences(self.before, self.after)),)
        pairs = zip(self.documents, self.documents[1:], strict=False)
        return tuple(
            (c.describe(a, b), document_differences(a, b))
            for c, (a, b) in zip(self.changes, pairs, strict=True)
        )

    @property
    def lines(self) -> list[str]:
        """The changes as lines of text: each change in words, then a line for each value before and
        after.
        """
        return [
            line
            for words, changed in self.steps
            for line in (words, *(f"  {d}" for d in changed if d.before and d.after))
        ]


@dataclass(frozen=True, eq=False)
class ApprovalRequest:
    """A request for approval of a tool call, or of an ``edit`` that a tool wants to make."""

    tool: Tool
    arguments: Mapping[str, Any]
    edit: ProposedEdit | None = None

    @property
    def title(self) -> str:
        """The action in words: the title of the edit, or the name of the tool."""
        return self.edit.description if self.edit is not None else self.tool.name


@dataclass(frozen=True)
class Decision:
    """The decision of a person on a request. ``always`` allows the tool for the rest of the
    conversation. ``reason`` is reported to the model.
    """

    allowed: bool
    always: bool = False
    reason: str = ""


Ask = Callable[[ApprovalRequest], Awaitable[Decision]]


@dataclass(frozen=True)
class ApprovalRules:
    """The approval rules of a turn: its profile, the function that asks a person, and the names of
    tools that are always allowed.
    """

    profile: Profile = "read-only"
    ask: Ask | None = None
    granted: set[str] = field(default_factory=set)

    def refusal_by_profile(self, tool: Tool, what: str = "") -> str | None:
        """Decide on a call by the profile alone. Returns the refusal as text for the model, an
        empty text if the call is allowed, or None if a person must decide.
        """
        what = what or tool.name
        remedy = f" {EFFECT_REMEDY}" * tool.assumed
        if (
            tool.effect == "read"
            or tool.name in self.granted
            or (self.profile == "auto" and tool.effect == "edit")
        ):
            return ""
        if self.profile == "read-only":
            way = (
                "The profile ask asks about it"
                + (", auto makes it" if tool.effect == "edit" else "")
                + " (--profile on the command line)."
            )
            return (
                f"{what} was not run: it has side effects ({tool.effect}); this turn is read-only."
                f" {way}{remedy}"
            )
        if self.ask is None:
            way = f"On the command line --allow {tool.name} allows it."
            return (
                f"{what} was not run: it needs approval ({tool.effect}), and this run has no way to"
                f" ask for it. {way}{remedy}"
            )
        return None

    async def call_refusal(self, request: ApprovalRequest) -> str:
        """Decide on a call or an edit, by the profile or by asking a person. Returns the refusal as
        text for the model; empty if it is allowed.
        """
        refused = self.refusal_by_profile(request.tool, request.title)
        if refused is not None:
            return refused
        assert self.ask is not None
        decision = await self.ask(request)
        if decision.allowed:
            if decision.always:
                self.granted.add(request.tool.name)
            return ""
        reason = decision.reason.strip()
        return (
            f"{request.title} was not run: the user"
            f" declined{f'. The reason given: {reason}' if reason else '.'}"
        )


async def _allow_all(request: ApprovalRequest) -> Decision:
    return Decision(True)


ALLOW_ALL = ApprovalRules("auto", _allow_all)
"""Everything is allowed: for calls that a person makes and for calls that a tool's code makes."""
READ_ONLY = ApprovalRules()
