"""The commands that ask: ``raybench ask``, ``tool`` and ``run``, the rays that a tool finds for
pictures, and ``write_tour``, a demonstration without a display, a network or a key.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench_workbench.commands.model_options import (
    PROJECT_ARGUMENTS,
    TRUST,
    approvals_of,
    backend_of,
    model_arguments,
    print_value,
    printing_aside,
    project_folder,
    project_registry,
    registry_of,
    save_changed,
    session_painter,
)
from raybench_workbench.commands.terminal import (
    SCENE,
    SOURCES,
    argument,
    compile_in_background,
    limit_argument,
    positive_integer,
    print_idle,
    print_if_partial,
    traced_session,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from raybench.agent.by_hand.command_line import Reply
    from raybench.agent.call.events import TurnEvent
    from raybench.agent.call.outcome import ToolOutcome
    from raybench.agent.catalogue.registry import ToolRegistry
    from raybench.session import Session
    from raybench.trace.results.ray_set import RaySet


def ask_command(options: argparse.Namespace) -> None:
    """Run a turn of the agent and print its answer. Raises RaybenchError if it fails."""
    from raybench.agent.by_hand.command_line import ask_question
    from raybench.files.atomic import check_writable
    from raybench.schema.json_values import json_document
    from raybench.session import Session

    if options.save is not None:
        check_writable(options.save)
    registry = registry_of(options)
    approvals = approvals_of(options, registry.tools)
    backend = backend_of(options)
    session = Session.open(options.scene)
    opened = session.document
    compile_in_background()
    if backend is None and not options.offline and not options.text.lstrip().startswith("/"):
        print(
            "No model is connected, so the offline agent answers. Set ANTHROPIC_API_KEY or give"
            " --base-url.",
            file=sys.stderr,
        )
    with printing_aside(options.json):
        answer = ask_question(
            session,
            options.text,
            backend,
            profile=approvals.profile,
            approve=approvals.ask,
            granted=approvals.granted,
            max_segments=options.max_segments,
            paint=session_painter(),
            registry=registry,
            **({} if options.max_steps is None else {"max_steps": options.max_steps}),
        )
    if options.json:
        print(json_document(answer.to_json()))
    elif answer.text and (answer.text != answer.error or answer.turn.choices):
        print(answer.text)
    if approvals.profile != "ask":  # there the person has just decided
        effects = {tool.name: tool.effect for tool in registry.tools}
        for text in _not_made(answer, effects):
            print(text, file=sys.stderr)
    save_changed(session, opened, options.save)
    if answer.turn.choices:
        raise RaybenchError(
            "The sentence is not a question that is understood without a model. Ask one of those"
            " that are printed."
        )
    if answer.error:
        raise RaybenchError(answer.error)


def _not_made(answer: Reply, effects: Mapping[str, str]) -> list[str]:
    """Why calls with side effects failed, where the tool was not called again with success and the
    answer does not say it: a model may.
    """
    last = {
        outcome.tool: outcome
        for outcome in answer.turn.outcomes
        if effects.get(outcome.tool, "read") != "read"
    }
    said = f"{answer.error}\n{answer.text}"
    return [o.text for o in last.values() if not o.ok and o.text not in said]


def _read_question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the question is empty")
    return text


ASK_ARGUMENTS = (
    SCENE,
    argument(
        "text",
        "a question in words, or a tool as in '/find_rays_inside_glass_xml Prism'",
        "TEXT",
        type=_read_question,
    ),
    *model_arguments(),
    *PROJECT_ARGUMENTS,
    argument(
        "--max-steps", "the most replies of the model; 8 by default", "N", type=positive_integer
    ),
    argument("--save", "write the document here afterwards", "FILE", type=Path),
    limit_argument(),
    argument("--json", "print answer, tool calls, ray sets and usage as JSON"),
)


MEASURE = "measure"
"""The tool whose answer is printed as one line per measure instead of XML; with ``--list`` the
measures are listed.
"""


TOOL_ARGUMENTS = (
    argument(
        "scene", f"{SOURCES}; may be left out for tools that need no scene", "SCENE", nargs="?"
    ),
    argument("name", "the tool's name, see --list", "NAME", nargs="?"),
    argument("arguments", "the tool's arguments in order, or as name=value", "ARG", nargs="*"),
    argument("--json", "arguments by name", "'{\"arg\": value}'", dest="named"),
    argument("--list", "list the tools with their signatures"),
    argument("--schema", "list the tools with their schemas, as JSON"),
    *PROJECT_ARGUMENTS,
    argument("--preview", "print exactly what a model would read of the answer"),
    limit_argument(),
)


def tool_command(options: argparse.Namespace) -> None:
    """List the tools, or call one and print its answer. Raises RaybenchError if it fails."""
    from raybench.agent.by_hand.command_line import (
        list_signatures,
        named_arguments,
        tool_without_model,
        tools_without_model,
        typed_call,
    )
    from raybench.analysis.measures.table import measure_listing
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
        print(list_signatures(tools) if listing_all else measure_listing())
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


SCENES = ("scene.raybench", "scene.json")
"""File names of a project's own scene."""


RUN_ARGUMENTS = (
    argument(
        "folder", "a folder with tools.py, *.worker files, or both", "FOLDER", type=project_folder
    ),
    argument("text", "the input, as text", "INPUT", nargs="?"),
    argument("--tool", "the tool to run; main by default", "NAME", default="main"),
    argument("--input", "the input as JSON, or as a file that holds JSON or text", "JSON|PATH"),
    argument("--scene", f"the scene to use; by default the folder's {' or '.join(SCENES)}", "FILE"),
    argument("--attachments", "files for the tool", "PATH", nargs="+", type=Path, default=[]),
    *model_arguments(),
    TRUST,
    argument("--save", "write the document here afterwards", "FILE", type=Path),
    argument("--json", "print output, tool calls, ray sets and usage as JSON"),
)


def run_command(options: argparse.Namespace) -> None:
    """Run the tool and print its output. Raises RaybenchError if it fails."""
    import asyncio

    from raybench.agent.by_hand.command_line import RunResult, run_tool, typed_input
    from raybench.agent.call.context import ToolContext
    from raybench.agent.call.open_document import OpenDocument
    from raybench.agent.view_tools.state_tool import ViewDraft
    from raybench.files.atomic import check_writable
    from raybench.schema.json_values import json_document

    if options.save is not None:
        check_writable(options.save)
    given = _read_input(options)
    registry = project_registry(options.folder, options.trust)
    with printing_aside(options.json):
        tool = registry.find_tool(options.tool)
    for problem in registry.problems:
        if problem != tool.problem:  # which the error tells
            print(problem, file=sys.stderr)
    input_value = (
        typed_input(tool, given) if options.input is None and isinstance(given, str) else given
    )
    session = _make_session(options)
    opened = session.document
    approvals = approvals_of(options, registry.tools)
    backend = backend_of(options)

    async def run() -> RunResult:
        context = ToolContext(
            OpenDocument(session, paint=session_painter()),
            registry,
            approvals,
            backend,
            model=options.model or "",
            message_callback=_print_call if sys.stderr.isatty() else lambda event: None,
            state=ViewDraft.from_view(session.view),
        )
        try:
            return await run_tool(context, tool.name, input_value, tuple(options.attachments))
        finally:
            if backend is not None:
                await backend.close()

    with printing_aside(options.json):
        result = asyncio.run(run())
    if options.json:
        print(json_document(result.to_json()))
    else:
        print_value(result.output)
    save_changed(session, opened, options.save)
    if result.error:
        raise RaybenchError(result.error)


def _make_session(options: argparse.Namespace) -> Session:
    from raybench.session import Session

    own = next(
        (str(options.folder / name) for name in SCENES if (options.folder / name).is_file()), None
    )
    scene = options.scene or own
    if scene is None:
        return Session()
    session = Session.open(scene)
    compile_in_background()
    return session


def _read_input(options: argparse.Namespace) -> Any:
    """The input from the options: parsed JSON if it is JSON, else text; None without input."""
    from raybench.files.shared import is_file

    if options.text is not None and options.input is not None:
        raise RaybenchError("The input is given twice. Give INPUT or --input.")
    if options.input is None:
        return options.text
    text: str = options.input
    if is_file(text):
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


def _print_call(event: TurnEvent) -> None:
    """Print a line on stderr for a finished tool call."""
    from raybench.agent.call.events import ToolFinished

    if isinstance(event, ToolFinished):
        outcome = event.outcome
        mark = "✓" if outcome.ok else "✗"
        print(f"{mark} {outcome.sentence} ({outcome.milliseconds:.0f} ms)", file=sys.stderr)


def write_tour(source: Path | str | None, out: Path) -> None:
    """Write ``tour.png``, the window with an answer's rays highlighted, and ``tour.md``, the
    conversation, into ``out``; print each step.

    ``source`` is a scene file or a link, None the example. Raises RaybenchError if it cannot be
    read or traced, or ``out`` not written.
    """
    from raybench.agent.questions.starters import starter_questions
    from raybench.analysis.answers.words import grouped_digits
    from raybench.files.atomic import write_text
    from raybench_workbench.chat.dock import ChatDock
    from raybench_workbench.export.picture_files import save_picture
    from raybench_workbench.shot import offscreen_window, picture, wait_until, wait_until_settled

    with offscreen_window(source) as window:
        document, chat = window.document, window.chat_dock
        assert isinstance(chat, ChatDock)
        name = (
            "the example"
            if source is None
            else Path(source).name
            if document.session.path
            else "the scene"
        )
        _print_step(
            "opened",
            f"{name}: {len(document.scene.objects)} objects"
            + (f", “{document.scene.name}”" if document.scene.name else ""),
        )
        wait_until(lambda: window.service.awaits_kernels or not window.service.waiting)
        if window.service.awaits_kernels:
            _print_step(
                "compiling",
                "the tracing kernels, in the background, for about a minute; only the first start"
                " does this",
            )
        wait_until_settled(window, compiled=False)
        result = document.session.fresh_result
        if result is not None:
            _print_step(
                "traced",
                f"{grouped_digits(len(result))} segments, {result.milliseconds:.1f} ms,"
                f" {result.completion.text}",
            )
        elif document.scene.objects:
            raise RaybenchError(
                f"{name} could not be traced. {window.messages.error.label.full_text}".strip()
            )
        else:
            _print_step("traced", "nothing: the scene is empty")
        chat.connect_model(None)
        lit: RaySet | None = None
        for question in starter_questions(document.document):
            chat.ask(question)
            wait_until(lambda: not chat.busy)
            turn = chat.exchanges[-1].turn
            _print_step("asked", question)
            _print_step("answered", turn.error or turn.answer.split("\n")[0])
            lit = document.session.view.highlight
            if lit is not None and len(lit):
                break  # if no ray matches, ask the next question
        wait_until_settled(window, compiled=False)
        if lit is not None and result is not None:
            _print_step(
                "lit",
                f"{grouped_digits(len(lit))} of {grouped_digits(len(result))} segments ({lit.name}:"
                f" {lit.question})",
            )
        out.mkdir(parents=True, exist_ok=True)
        image, text = out / "tour.png", out / "tour.md"
        save_picture(picture(window), image)
        write_text(text, chat.transcript(f"A tour of {document.scene.name or name}"))
        _print_step("wrote", f"{image} and {text}")


def _print_step(what: str, text: str) -> None:
    print(f"{what:9} {text}", flush=True)
