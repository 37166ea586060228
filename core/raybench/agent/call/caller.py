"""Who makes a call: the open document, the permissions and the stored results that apply to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from raybench.agent.call.approval import READ_ONLY, Approvals
from raybench.agent.call.cache import ResultCache
from raybench.agent.call.open_document import KnownObjects, OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools.tool import Tool


@dataclass(frozen=True, eq=False)
class Caller:
    """The caller of a tool: a model, a person, a program, or another tool."""

    opened: OpenDocument
    approvals: Approvals = READ_ONLY
    """An edit by a tool that takes a context needs approval when it is made, since only then it is
    known what it would change; every other call with side effects before it runs.
    """
    cache: ResultCache[ToolOutcome] | None = None
    """The results of this conversation, for tools with ``cache``."""
    tool: Tool | None = None
    """The calling tool, if any: private tools can be called only by tools that declare them."""
    by_person: bool = False
    """Whether a person, who can stop it, runs the tool: it then has no time limit unless it states
    one.
    """
    naming: asyncio.Event | None = None
    """Set when the rays may be named, so that concurrent calls name theirs in the order of the
    calls.
    """
    known: KnownObjects | None = None
    """What the caller has been told of the scene, where it is a model or a person: remarks on it
    are not repeated.
    """
