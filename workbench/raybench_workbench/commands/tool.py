"""``raybench tool``, and the rays that a tool finds for ``raybench shot`` and ``raybench export``."""

from __future__ import annotations

import argparse
import math
import os
import sys
from typing import TYPE_CHECKING

from raybench_workbench.commands.arguments import SOURCES, add_limit_option
from raybench_workbench.commands.project_options import (
    add_project_options,
    printing_aside,
    project_registry,
    registry_of,
)
from raybench_workbench.commands.terminal import print_value
from raybench_workbench.commands.terminal_trace import print_idle, print_if_partial, traced_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from raybench.agent.call.outcome import ToolOutcome
    from raybench.agent.catalogue.registry import ToolRegistry
    from raybench.trace.results.ray_set import RaySet

MEASURE = "measure"
"""The tool whose answer is printed as one line per measure instead of XML; with ``--list`` the
measures are listed.
"""


def add_tool_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scene",
        nargs="?",
        metavar="SCENE",
        help=f"{SOURCES}; may be left out for tools that need no scene",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the tool's name, see --list")
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="ARG",
        help="the tool's arguments in order, or as name=value",
    )
    parser.add_argument(
        "--json", dest="named", metavar="'{\"arg\": value}'", help="arguments by name"
    )
    parser.add_argument("--list", action="store_true", help="list the tools with their signatures")
    parser.add_argument(
        "--schema", action="store_true", help="list the tools with their schemas, as JSON"
    )
    add_project_options(parser)
    parser.add_argument(
        "--preview", action="store_true", help="print exactly what a model would read of the answer"
    )
    add_limit_option(parser)


def tool_command(options: argparse.Namespace) -> None:
    """List the tools, or call one and print its answer. Raises RaybenchError if it fails."""
    from raybench.agent.by_hand.command_line import (
        named_arguments,
        signatures,
        tool_without_model,
        tools_without_model,
        typed_call,
    )
    from raybench.analysis.measures.guide import listing
    from raybench.scene.document import Document
    from raybench.session import Session

    # the list says itself what cannot be used of a project
    listing_all = options.list and MEASURE not in (options.scene, options.name)
    with printing_aside():
        listed = listing_all and options.project is not None
        tools = project_registry(options.project, options.trust) if listed else registry_of(options)
        known = tools_without_model(tools)
    if options.schema:
        print_value([tool.definition for tool in known])
        return
    if options.list:
        print(signatures(tools) if listing_all else listing())
        return
    named_tool = next(
        (t for t in known if t.name == options.scene and not os.path.exists(t.name)), None
    )
    if named_tool is not None and named_tool.needs == "nothing":
        arguments = [options.name, *options.arguments] if options.name else []
        options.scene, options.name, options.arguments = None, named_tool.name, arguments
    elif named_tool is not None:
        options.parser.error(f"name a SCENE before {options.scene}")
    if options.name is None:
        options.parser.error("name a SCENE and a tool, or give --list")
    measuring = options.name == MEASURE
    tool = tool_without_model("measure_xml" if measuring else options.name, tools)
    named = named_arguments(options.named) if options.named is not None else None
    # measures may be separate words, but none of them is an argument's name
    words = (
        [("; ".join(options.arguments), True)]
        if measuring and options.arguments
        else [(word, False) for word in options.arguments]
    )
    if options.scene is None:
        session = Session(Document())
    else:
        session = traced_session(options.scene, options.max_segments, needed=tool.needs == "trace")
    view = session.view
    with printing_aside():
        outcome = typed_call(
            session, tool, words, named, tools=tools, max_segments=options.max_segments
        )
    if options.preview:
        print_value(outcome.model_text)
    else:
        print_value(
            "\n".join(measured_lines(outcome))
            if measuring
            else outcome.text
            if outcome.answer
            else outcome.value
        )
        print_idle(options.scene, session.document)
    if session.view != view:
        hint = f"raybench shot SCENE OUT.png --tool '{tool.name} …' makes a picture with it"
        print(
            f"{options.scene}: a filter or highlight has no effect on other commands; {hint}.",
            file=sys.stderr,
        )
    if session.modified and tool.effect == "edit":
        hint = (
            f"raybench ask SCENE '/{tool.name} …' --profile auto --save FILE writes the changed"
            " scene"
        )
        print(f"{options.scene}: tried on a copy, the file is as it was; {hint}.", file=sys.stderr)
    if session.result is not None:
        print_if_partial(options.scene, session.result)


def place_words(options: argparse.Namespace, words: Sequence[str]) -> None:
    """Put words into the first free of scene, name and arguments: argparse does not match words
    that stand after an option.
    """
    for word in words:
        if options.scene is None:
            options.scene = word
        elif options.name is None:
            options.name = word
        else:
            options.arguments.append(word)


def measured_lines(outcome: ToolOutcome) -> list[str]:
    """The answer of the tool ``measure`` as one line per measure, starting with value and unit."""
    from raybench.analysis.measures.measure import EXACT, Measured

    measures = outcome.value["measure"]
    return [
        Measured(
            math.nan if m["value"] is None else m["value"],
            m["unit"] or "",
            m["of"],
            m["reason"] or "",
            m["note"] or "",
        ).line(EXACT)
        for m in measures
    ]


def rays_of(scene: str, call: str, tools: ToolRegistry) -> tuple[RaySet | None, str]:
    """The rays that a tool call finds, or that a filter leaves visible; None if the tool has no
    rays. Also the call as a sentence.

    Args:
        scene: The scene, named as on the command line.
        call: The tool's name and its arguments.
        tools: The tools to choose from.
    """
    from raybench.agent.by_hand.command_line import tool_without_model, typed_call
    from raybench.agent.by_hand.slash import parse_command
    from raybench.trace.results.ray_set import RaySet

    tool = tool_without_model(call.strip().removeprefix("/").partition(" ")[0], tools)
    _, arguments = parse_command(call, [tool])
    session = traced_session(scene)
    outcome = typed_call(session, tool, (), arguments, tools=tools)
    rows = (
        session.view.visible_rows(session.result)
        if outcome.rays is None and session.result is not None
        else None
    )
    rays = (
        outcome.rays if rows is None else RaySet(rows, outcome.sentence, session.document.revision)
    )
    return rays, outcome.sentence
