"""The commands that ask questions, ``raybench ask``, ``tool`` and ``run``, and the rays found by a
tool for the commands that make pictures.
"""

import argparse
import asyncio
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from raybench.agent.by_hand import command_line
from raybench.agent.by_hand.command_line import RunResult
from raybench.agent.by_hand.slash import parse_command
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import (
    ToolFinished,
    TurnEvent,
    TurnFinished,
    sent_back_line,
    unsupported_line,
)
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import Backend, RetryNotice
from raybench.agent.turn.history import AttachedPicture
from raybench.agent.view_tools.state_tool import ViewDraft
from raybench.analysis.answers.words import capitalize_first
from raybench.analysis.measures.measure import EXACT, Measured
from raybench.analysis.measures.table import measure_listing
from raybench.errors import RaybenchError
from raybench.files.atomic import check_writable
from raybench.files.shared import names_existing_file
from raybench.schema.json_values import json_document
from raybench.session import Session
from raybench.trace.results.ray_set import RaySet
from raybench_workbench.commands.model_options import (
    approvals_from_options,
    backend_from_options,
    print_to_stderr,
    print_value,
    project_registry,
    registry_from_options,
    save_if_changed,
    session_canvas_painter,
)
from raybench_workbench.commands.table import PROJECT_SCENES
from raybench_workbench.commands.terminal import (
    compile_in_background,
    print_idle_objects,
    print_if_partial,
    traced_session,
)


def ask_agent(options: argparse.Namespace) -> None:
    """Run a turn of the agent and print its answer. Raises RaybenchError if it fails."""
    if options.save is not None:
        check_writable(options.save)
    registry = registry_from_options(options)
    approvals = approvals_from_options(options, registry.tools)
    backend = backend_from_options(options)
    pictures = _read_pictures(options.attach, backend)
    session = Session.open(options.scene)
    opened = session.document
    compile_in_background()
    if backend is None and not options.offline and not options.text.lstrip().startswith("/"):
        print(
            "No model is connected, so the offline agent answers. Set ANTHROPIC_API_KEY, or give"
            " --server or --base-url.",
            file=sys.stderr,
        )
    with print_to_stderr(options.json):
        answer = command_line.ask_question(
            session,
            options.text,
            backend,
            profile=approvals.profile,
            approve=approvals.ask,
            granted=approvals.granted,
            emit=_print_retry,
            max_segments=options.max_segments,
            paint=session_canvas_painter(),
            registry=registry,
            small=options.tools == "small",
            pictures=pictures,
            **({} if options.max_steps is None else {"max_steps": options.max_steps}),
        )
    if pictures and backend is not None and backend.reason_without_pictures:
        print(backend.reason_without_pictures, file=sys.stderr)
    if options.json:
        print(json_document(answer.to_json()))
    elif answer.text and (answer.text != answer.error or answer.turn.choices):
        print(answer.text)
        _print_sources(answer.turn)
    if approvals.profile != "ask":  # there the person has just decided
        _print_failed_actions(answer.turn.outcomes, registry, f"{answer.error}\n{answer.text}")
    save_if_changed(session, opened, options.save)
    if answer.turn.choices:
        raise RaybenchError(
            "The sentence is not a question that is understood without a model. Ask one of those"
            " that are printed."
        )
    if answer.error:
        raise RaybenchError(answer.error)


def _print_sources(turn: TurnFinished) -> None:
    """Print on stderr the sources of an answer, and its unsupported parts."""
    if turn.returned:
        print(sent_back_line(turn.returned), file=sys.stderr)
    if turn.unsupported_parts:
        print(unsupported_line(turn), file=sys.stderr)
    if turn.sources:
        print(f"Sources: {', '.join(turn.sources)}", file=sys.stderr)


def _read_pictures(paths: Sequence[Path], backend: Backend | None) -> list[AttachedPicture]:
    """Read the pictures for a question. Raises RaybenchError if a picture is refused, or if there
    is no model to look at it.
    """
    if not paths:
        return []
    if backend is None:
        raise RaybenchError("Only a model looks at pictures. Give --model or --base-url.")
    from raybench_workbench.attached_pictures import read_picture  # loads Qt

    return [*map(read_picture, paths)]


def _print_failed_actions(
    outcomes: Iterable[ToolOutcome], registry: ToolRegistry, said: str
) -> None:
    """Print why edits and other actions failed, unless a later call made them or the text ``said``
    already tells it.
    """
    acting = {tool.name for tool in registry.tools if tool.effect != "read"}
    for outcome in {o.tool: o for o in outcomes if o.tool in acting}.values():
        if not outcome.ok and outcome.text not in said:
            print(outcome.text, file=sys.stderr)


MEASURE_TOOL = "measure"
"""The tool whose answer is printed as one line per measure instead of XML; with ``--list`` the
measures are listed.
"""


def call_tool(options: argparse.Namespace) -> None:
    """List the tools, or call one and print its answer. Raises RaybenchError if it fails."""
    # the list says itself what cannot be used of a project
    listing_all = options.list and MEASURE_TOOL not in (options.scene, options.name)
    with print_to_stderr():
        listed = listing_all and options.project is not None
        tools = (
            project_registry(options.project, options.trust)
            if listed
            else registry_from_options(options)
        )
        known = command_line.tools_without_model(tools)
    if options.schema:
        print_value([tool.definition for tool in known])
        return
    if options.list:
        print(command_line.list_signatures(tools) if listing_all else measure_listing())
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
    measuring = options.name == MEASURE_TOOL
    tool = command_line.tool_without_model("measure_xml" if measuring else options.name, tools)
    named = command_line.parse_json_arguments(options.named) if options.named is not None else None
    words = [(word, False) for word in options.arguments]
    if measuring and words:  # they may be separate words, but none of them is an argument's name
        words = [("; ".join(options.arguments), True)]
    if options.scene is None:
        session = Session()
    else:
        session = traced_session(options.scene, options.max_segments, needed=tool.needs == "trace")
    view = session.view
    with print_to_stderr():
        outcome = command_line.run_typed_call(
            session, tool, words, named, tools=tools, max_segments=options.max_segments
        )
    if options.preview:
        print_value(outcome.model_text)
    else:
        if measuring:
            print("\n".join(_measure_result_lines(outcome)))
        else:
            print_value(outcome.text if outcome.answer else outcome.value)
        print_idle_objects(options.scene, session.document)
    if session.view != view:
        print(
            f"{options.scene}: a filter or highlight has no effect on other commands; raybench shot"
            f" SCENE OUT.png --tool '{tool.name} …' makes a picture with it.",
            file=sys.stderr,
        )
    if session.modified and tool.effect == "edit":
        print(
            f"{options.scene}: tried on a copy, the file is as it was; raybench ask SCENE"
            f" '/{tool.name} …' --profile auto --save FILE writes the changed scene.",
            file=sys.stderr,
        )
    if session.result is not None:
        print_if_partial(options.scene, session.result)


def _measure_result_lines(outcome: ToolOutcome) -> list[str]:
    """The result of the tool ``measure`` as lines of text, one for each measure, which start with
    value and unit.
    """
    return [
        Measured(
            math.nan if m["value"] is None else m["value"],
            m["unit"] or "",
            m["of"],
            m["reason"] or "",
            m["note"] or "",
        ).line(EXACT)
        for m in outcome.value["measure"]
    ]


def rays_from_options(options: argparse.Namespace) -> tuple[RaySet | None, str]:
    """The rays that the tool call in the option --tool finds, or that a filter leaves visible, and
    the call as a sentence. The rays are None if the tool finds none.
    """
    tools = registry_from_options(options)
    name = options.tool.strip().removeprefix("/").partition(" ")[0]
    tool = command_line.tool_without_model(name, tools)
    _, arguments = parse_command(options.tool, [tool])
    session = traced_session(options.scene)
    outcome = command_line.run_typed_call(session, tool, (), arguments, tools=tools)
    rays = outcome.rays
    if rays is None and session.result is not None:
        rows = session.view.visible_rows(session.result)
        if rows is not None:
            rays = RaySet(rows, outcome.sentence, session.document.revision)
    return rays, outcome.sentence


def run_project(options: argparse.Namespace) -> None:
    """Run a project's tool and print its output. Raises RaybenchError if it fails."""
    if options.save is not None:
        check_writable(options.save)
    given = _read_input(options)
    registry = project_registry(options.folder, options.trust)
    with print_to_stderr(options.json):
        tool = registry.find_tool(options.tool)
    for problem in registry.problems:
        if problem != tool.problem:  # which the error tells
            print(problem, file=sys.stderr)
    if options.input is None and isinstance(given, str):
        given = command_line.convert_typed_input(tool, given)
    own = [options.folder / name for name in PROJECT_SCENES if (options.folder / name).is_file()]
    scene = options.scene or (str(own[0]) if own else None)
    session = Session() if scene is None else Session.open(scene)
    if scene is not None:
        compile_in_background()
    opened = session.document
    approvals = approvals_from_options(options, registry.tools)
    backend = backend_from_options(options)

    async def run() -> RunResult:
        context = ToolContext(
            OpenDocument(session, paint=session_canvas_painter()),
            registry,
            approvals,
            backend,
            model=options.model or "",
            message_callback=_print_event,
            state=ViewDraft.from_view(session.view),
        )
        try:
            return await command_line.run_tool(
                context, tool.name, given, tuple(options.attachments)
            )
        finally:
            if backend is not None:
                await backend.close()

    with print_to_stderr(options.json):
        result = asyncio.run(run())
    print_value(result.to_json() if options.json else result.output)
    if approvals.profile != "ask":
        _print_failed_actions(result.calls, registry, f"{result.error}\n{result.output}")
    save_if_changed(session, opened, options.save)
    if result.error:
        raise RaybenchError(result.error)


def _read_input(options: argparse.Namespace) -> Any:
    """The input given by the options: the parsed value if it is valid JSON, else the text; None
    without input.
    """
    if options.text is not None and options.input is not None:
        raise RaybenchError("The input is given twice. Give INPUT or --input.")
    if options.input is None:
        return options.text
    text: str = options.input
    if names_existing_file(text):
        try:
            text = Path(text).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise RaybenchError(
                f"{text}: the input is not text. Attach it with --attachments."
            ) from None
        except OSError as error:
            raise RaybenchError(f"{text}: the input cannot be read ({error.strerror}).") from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if text == options.input and Path(text).suffix == ".json":
            raise RaybenchError(
                f"{text}: there is no such file, and this is not JSON. Give a text as INPUT."
            ) from None
        return text


def _print_retry(event: TurnEvent) -> None:
    """Print a line on stderr for a request that is sent again."""
    if isinstance(event, RetryNotice):
        print(capitalize_first(f"{event} …"), file=sys.stderr)


def _print_event(event: TurnEvent) -> None:
    """Print a line on stderr for a request that is sent again and, at a terminal, for a finished
    tool call.
    """
    _print_retry(event)
    if isinstance(event, ToolFinished) and sys.stderr.isatty():
        outcome = event.outcome
        mark = "✓" if outcome.ok else "✗"
        print(f"{mark} {outcome.sentence} ({outcome.milliseconds:.0f} ms)", file=sys.stderr)
