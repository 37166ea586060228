"""``raybench tool``, and the rays that a tool finds for ``raybench shot``: tools called by whoever types them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from workbench.commands.terminal import print_value
from workbench.commands.terminal_trace import traced_session

if TYPE_CHECKING:
    from core.trace.results.result import RaySet


def tool_command(options: argparse.Namespace) -> None:
    """List the tools, or call one and print what it answers; RaybenchError if it fails."""
    from core.agent.by_hand.typed_call import named_arguments, signatures, tool_at_hand, tools_at_hand, typed_call
    from core.trace.codes import Completion

    if options.schema:
        print_value([tool.definition for tool in tools_at_hand()])
        return
    if options.list:
        print(signatures())
        return
    if options.scene is None or options.name is None:
        options.parser.error("name a SCENE and a tool, or give --list")
    tool = tool_at_hand(options.name)
    named = named_arguments(options.named) if options.named is not None else None
    session = traced_session(options.scene, options.max_segments)
    print_value(typed_call(session, tool, [(word, False) for word in options.arguments], named).value)
    if session.result is not None and session.result.completion is not Completion.COMPLETE:
        limit = session.result.completion.text
        print(f"{options.scene}: the trace is partial ({limit}), so the answer may be, too.", file=sys.stderr)


def rays_of(scene: str, call: str) -> tuple[RaySet | None, str]:
    """The rays that a tool finds or, of a filter, leaves on show; None for a tool that is not about rays. And what was asked."""
    from core.agent.by_hand.slash import parse_command
    from core.agent.by_hand.typed_call import tool_at_hand, typed_call
    from core.trace.results.result import RaySet

    tool = tool_at_hand(call.strip().removeprefix("/").partition(" ")[0])
    _, arguments = parse_command(call, [tool])
    session = traced_session(scene)
    outcome = typed_call(session, tool, (), arguments)
    rows = session.view.shown(session.result) if outcome.rays is None and session.result is not None else None
    rays = outcome.rays if rows is None else RaySet(rows, outcome.sentence, session.document.revision)
    return rays, outcome.sentence
