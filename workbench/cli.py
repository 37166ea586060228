"""The command line. A command imports only what it needs, and Qt only if it has a window or a figure."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import RaybenchError
from core.interrupt import STATUS, TEXT
from workbench.commands.desktop import add_desktop_options, desktop_command
from workbench.commands.export import export_command
from workbench.commands.import_drawing import add_import_options, import_command
from workbench.commands.mcp import add_mcp_options, mcp_command
from workbench.commands.optimise import add_optimise_options, optimise_command
from workbench.commands.project_options import add_project_options, printing_aside, registry_of
from workbench.commands.run import add_run_options, run_command
from workbench.commands.sweep import add_sweep_options, sweep_command
from workbench.commands.terminal import add_model_options, approvals_of, backend_of, painter, save_changed
from workbench.commands.terminal_output import make_output_readable, open_missing_streams
from workbench.commands.terminal_trace import compile_beside, compile_once, load_and_trace, load_compiled
from workbench.commands.tolerance import add_tolerance_options, tolerance_command
from workbench.commands.tool import place_words, rays_of, tool_command
from workbench.commands.verify import add_verify_options, verify_command

if TYPE_CHECKING:
    from core.scene.document import Document
    from core.trace.results.result import TraceResult

DONE, FAILED = 0, 1
MOST_PROBLEMS = 100
"""Problems of a scene that `raybench trace` prints."""
SMALLEST, LARGEST = 16, 16384
"""Limits of a picture's width and height, in pixels."""
NARROWEST, WIDEST = 10, 1000
"""Limits of a figure's width on paper, in millimetres."""
SOURCES = (
    "a .json scene, a .raybench document, a link to a scene, a text file that holds a link or pasted JSON, or an example (example:rainbow)"
)
RECORDED = Path("../shared/oracle/scenes/synthetic")
"""Default folder of recorded scenes for `raybench bench`, relative to a checkout."""
COMMANDS = (
    "trace",
    "tool",
    "ask",
    "run",
    "export",
    "import",
    "sweep",
    "optimise",
    "tolerance",
    "tour",
    "shot",
    "mcp",
    "bench",
    "verify",
    "desktop",
)
EXAMPLES = """examples:
  raybench scene.json                                        open a scene in the window
  raybench tour                                              demonstrate the program without a display or a model
  raybench ask example:rainbow "power(Eye)"                   ask about one of the examples that come with the program
  raybench trace scene.json --out results                    write results/scene.npz
  raybench tool --list                                       the tools that answer questions about the light
  raybench tool scene.json find_rays_inside_glass_xml Prism  ask one of them
  raybench tool scene.json measure 'power(Screen)'           a number with its unit, as 'raybench tool measure --list' describes
  raybench ask scene.json "Which rays are inside Prism?"     ask in words

FILE and SCENE are {sources}.
raybench COMMAND --help describes a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 on success, 1 after an error (one line on stderr), 2 on wrong usage, 130 when interrupted."""
    open_missing_streams()
    make_output_readable()
    options = read_arguments(list(sys.argv[1:] if argv is None else argv))
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except ImportError as error:
        if options.debug or not (error.name or "").startswith("PySide6"):
            raise
        print(f"raybench: the window system cannot be loaded: {error}. On Debian, .ci/system installs what it needs.", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        if options.debug:
            raise
        print(TEXT, file=sys.stderr)
        return STATUS
    except BrokenPipeError:
        # the reader, such as `head`, has closed the pipe; flushing at exit must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (RaybenchError, RuntimeError, OSError) as error:
        if options.debug:
            traceback.print_exc()
        else:
            text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
            print(f"raybench: {' '.join(text.split())}", file=sys.stderr)
        return FAILED


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    """Parse the arguments: a command, or a file to open. Raises SystemExit on wrong usage, after printing a suggestion."""
    if arguments[:1] == ["--debug"]:
        arguments = [*arguments[1:2], "--debug", *arguments[2:]]
    parser = _parser()
    first = next((a for a in arguments if not a.startswith("-")), "")
    if first not in COMMANDS and not {"-h", "--help", "--version"} & set(arguments):
        if re.fullmatch(r"[A-Za-z]+", first) and not Path(first).exists():
            near = difflib.get_close_matches(first, COMMANDS, 1, 0.5)
            meant = f"did you mean 'raybench {near[0]}'?" if near else f"commands are {', '.join(COMMANDS)}"
            parser.error(f"'{first}' is neither a command nor a file; {meant}")
        arguments = ["open", *arguments]
    options, rest = parser.parse_known_args(arguments)
    if options.command == "run" and options.text is None and len(rest) == 1 and not rest[0].startswith("-"):
        options.text = rest.pop()  # argparse does not match INPUT if options are between FOLDER and INPUT
    if options.command == "tool" and not any(word.startswith("--") for word in rest):
        place_words(options, rest)
        rest = []
    if rest:
        known = re.findall(r"--[\w-]+", options.parser.format_usage())
        near = difflib.get_close_matches(rest[0].partition("=")[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else "quote arguments that contain spaces"
        options.parser.error(f"unrecognized arguments: {' '.join(rest)}; {hint}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="raybench",
        usage="raybench [FILE]\n       raybench COMMAND ...",
        description="A workbench for two-dimensional ray optics. Without a command it opens a window on FILE, or on an example.",
        epilog=EXAMPLES.format(sources=SOURCES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"raybench {metadata.version('raybench')}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", help="print a traceback on an error")
    commands = parser.add_subparsers(title="commands", prog="raybench", dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], what: str = "") -> argparse.ArgumentParser:
        about: dict[str, Any] = {"help": what, "description": f"{what[:1].upper()}{what[1:]}."} if what else {}
        command = commands.add_parser(name, parents=[common], **about)
        command.set_defaults(run=run, parser=command)
        return command

    opened = add("open", _open)
    opened.add_argument("file", nargs="?", metavar="FILE", help=SOURCES)

    traced = add("trace", _trace, "trace scenes and write their segments as npz")
    traced.add_argument("scenes", nargs="+", metavar="SCENE", help=SOURCES)
    traced.add_argument("--out", type=Path, required=True, metavar="DIR", help="where DIR/<scene>.npz goes")
    traced.add_argument("--csv", action="store_true", help="also write DIR/<scene>.csv: one line per segment, units in the headings")
    traced.add_argument("--xml", action="store_true", help="also write DIR/<scene>.xml, with rays as in the tools' answers")
    traced.add_argument("--threads", type=_positive, metavar="N", help="threads to trace with; all processors by default")
    traced.add_argument("--max-segments", type=_positive, metavar="N", help="stop each scene after N segments")

    tool = add("tool", _tool, "trace a scene and ask one tool about it")
    tool.add_argument("scene", nargs="?", metavar="SCENE", help=f"{SOURCES}; may be left out for tools that need no scene")
    tool.add_argument("name", nargs="?", metavar="NAME", help="the tool's name, see --list")
    tool.add_argument("arguments", nargs="*", metavar="ARG", help="the tool's arguments in order, or as name=value")
    tool.add_argument("--json", dest="named", metavar="'{\"arg\": value}'", help="arguments by name")
    tool.add_argument("--list", action="store_true", help="list the tools with their signatures")
    tool.add_argument("--schema", action="store_true", help="list the tools with their schemas, as JSON")
    add_project_options(tool)
    tool.add_argument("--preview", action="store_true", help="print exactly what a model would read of the answer")
    tool.add_argument("--max-segments", type=_positive, metavar="N", help="stop the trace after N segments")

    asked = add("ask", _ask, "ask the agent one question about a scene")
    asked.add_argument("scene", metavar="SCENE", help=SOURCES)
    about = "a question in words, or a tool as in '/find_rays_inside_glass_xml Prism'"
    asked.add_argument("text", type=_question, metavar="TEXT", help=about)
    add_model_options(asked)
    add_project_options(asked)
    asked.add_argument("--max-steps", type=_positive, metavar="N", help="the most replies of the model; 8 by default")
    asked.add_argument("--save", type=Path, metavar="FILE", help="write the document here afterwards")
    asked.add_argument("--max-segments", type=_positive, metavar="N", help="stop the trace after N segments")
    asked.add_argument("--json", action="store_true", help="print answer, tool calls, ray sets and usage as JSON")

    running = add("run", _run, "run a project folder's entry tool, code or worker")
    add_run_options(running)

    add_mcp_options(add("mcp", _mcp, "serve the tools to another program over the Model Context Protocol"), SOURCES, _positive)

    shot = add("shot", _shot, "a picture of the window on a scene")
    shot.add_argument("scene", metavar="SCENE", help=SOURCES)
    shot.add_argument("out", type=Path, metavar="OUT.png", help="where the picture goes")
    shot.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH", help="in pixels; 1280x800 by default")
    shot.add_argument("--theme", choices=("light", "dark", "paper"), default="dark", help="the window's colours; dark by default")
    shot.add_argument("--tool", metavar="'NAME ARGS'", help="highlight the rays this tool returns, or that a filter leaves")
    add_project_options(shot)
    shot.add_argument("--canvas", action="store_true", help="the canvas alone")

    export = add("export", _export_figure, "write a scene as a figure (png, svg, pdf) or its rays as data (csv, npz, xml)")
    export.add_argument("scene", metavar="SCENE", help=SOURCES)
    export.add_argument(
        "out", type=Path, metavar="OUT", help="output file; its suffix .png, .svg, .pdf, .csv, .npz or .xml selects the format"
    )
    export.add_argument(
        "--size",
        type=_figure_size,
        metavar="WxH|85mm",
        help="size of a figure in pixels, or its width on paper in mm, cm or in; by default the aspect ratio of its area",
    )
    export.add_argument(
        "--scale",
        type=_scale,
        metavar="N",
        help="pixels per line width: larger lines and texts; 1 by default, 3.125 (300 to the inch) in a picture with a width on paper",
    )
    export.add_argument("--theme", choices=("light", "dark", "paper"), default="paper", help="colours of a figure; paper by default")
    export.add_argument(
        "--area",
        choices=("view", "scene", "crop"),
        default="scene",
        help="what a figure shows: the scene's own view, all of the scene (default), or its crop box",
    )
    export.add_argument("--transparent", action="store_true", help="no background")
    export.add_argument("--tool", metavar="'NAME ARGS'", help="highlight the rays this tool returns in a figure, or write only those")
    add_project_options(export)
    export.add_argument("--max-segments", type=_positive, metavar="N", help="stop the trace after N segments")

    add_import_options(add("import", _import, "make a scene of an SVG or DXF drawing: glass, mirrors, blockers or a drawing"))

    add_sweep_options(add("sweep", _sweep, "a table of measures over the values of one or two parameters"), SOURCES, _positive)
    add_optimise_options(add("optimise", _optimise, "values of parameters for which goals are met best"), SOURCES, _positive)
    add_tolerance_options(add("tolerance", _tolerance, "how much measures change if parameters deviate, and the yield"), SOURCES, _positive)

    tour = add("tour", _tour, "demonstrate the program without a display, a network or a key")
    tour.add_argument("file", nargs="?", metavar="FILE", help=SOURCES)
    tour.add_argument("--out", type=Path, default=Path("."), metavar="DIR", help="where tour.png and tour.md go")

    add_verify_options(add("verify", _verify, "compute closed forms of optics and compare them with the exact values"))

    add_desktop_options(add("desktop", _desktop, "add Raybench to the menu of a Linux desktop, with its file type, or remove it"))

    bench = add("bench", _bench, "measure how fast this machine traces, edits, answers and starts")
    bench.add_argument("--json", action="store_true", help="print the measurements as JSON")
    bench.add_argument("--quick", action="store_true", help="a few small measurements, in seconds instead of minutes")
    bench.add_argument("--scenes", type=Path, metavar="DIR", help=f"folder of recorded scenes to measure; {RECORDED} if it exists")
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return number


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    if not all(SMALLEST <= int(pixels) <= LARGEST for pixels in (width, height)):
        raise argparse.ArgumentTypeError(f"'{text}' is outside of {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}")
    return int(width), int(height)


def _figure_size(text: str) -> tuple[int, int] | float:
    """Pixels, or a width on paper in millimetres."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?(mm|cm|in)", text)
    if match is None:
        try:
            return _size(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, or a width on paper such as 85mm") from None
    millimetres = float(match[1]) * {"mm": 1.0, "cm": 10.0, "in": 25.4}[match[2]]
    if not NARROWEST <= millimetres <= WIDEST:
        raise argparse.ArgumentTypeError(f"'{text}' is outside of {NARROWEST} mm to {WIDEST} mm")
    return millimetres


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0.1 to 16")
    return scale


def _question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the question is empty")
    return text


def _open(options: argparse.Namespace) -> int:
    if not has_display():
        print("There is no display, so this is a tour without a window.")
        options.out = Path(".")
        return _tour(options)
    from workbench.commands.display import display_problem

    if problem := display_problem():
        raise RaybenchError(f"No window can be opened. {problem} raybench tour needs none.")
    from workbench.app import run

    return run(options.file)


def has_display() -> bool:
    """Whether there is a display for a window."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def _tour(options: argparse.Namespace) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from workbench.commands.tour import tour

    _make_folder(options.out)
    tour(options.file, options.out)
    return DONE


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RaybenchError(f"{path}: this cannot be a folder to write to ({error.strerror}). Give another one with --out.") from None


def _trace(options: argparse.Namespace) -> int:
    from core.files.trace_npz import save_npz

    _make_folder(options.out)
    failed, names = 0, set[str]()
    for scene in options.scenes:
        try:
            shared, result = load_and_trace(scene, options.max_segments, options.threads)
        except RaybenchError as error:
            if options.debug:
                raise
            print(f"raybench: {error}", file=sys.stderr)
            failed += 1
            continue
        # number the files of scenes with the same name, so that they do not overwrite each other
        name = next(n for n in (shared.name, *(f"{shared.name}-{i}" for i in range(2, len(names) + 3))) if n not in names)
        names.add(name)
        save_npz(result, options.out / f"{name}.npz", shared.document.unit)
        _export(options, name, shared.document, result)
        print(f"{name}: {len(result)} segments, {result.milliseconds:.1f} ms, {result.completion.text}")
        _print_problems(scene if shared.path else name, shared.document, result)
    return FAILED if failed else DONE


def _export(options: argparse.Namespace, name: str, document: Document, result: TraceResult) -> None:
    """Write a trace in the optional formats chosen by ``options``."""
    if not (options.csv or options.xml):
        return
    from core.analysis.answers.rays_xml import rays_to_xml
    from core.analysis.context import TracedScene
    from core.files.atomic import write_text
    from core.files.rays_csv import save_csv

    edge_name = TracedScene.of(document, result).edge_title
    if options.csv:
        save_csv(result, options.out / f"{name}.csv", unit=document.unit, edge_name=edge_name)
    if options.xml:
        xml = rays_to_xml(result.segments, unit=document.unit, edge_name=edge_name)
        write_text(options.out / f"{name}.xml", xml)


def _desktop(options: argparse.Namespace) -> int:
    desktop_command(options)
    return DONE


def _tool(options: argparse.Namespace) -> int:
    tool_command(options)
    return DONE


def _ask(options: argparse.Namespace) -> int:
    from core.agent.by_hand.ask import ask
    from core.schema.jsonable import json_document
    from core.session import Session
    from core.trace.trace import DEFAULT_LIMIT

    registry = registry_of(options)
    approvals = approvals_of(options, registry.tools)
    backend = backend_of(options)
    session = Session.open(options.scene)
    opened = session.document
    compile_beside()
    if backend is None and not options.offline and not options.text.lstrip().startswith("/"):
        print("No model is connected, so the offline agent answers. Set ANTHROPIC_API_KEY or give --base-url.", file=sys.stderr)
    with printing_aside(options.json):
        answer = ask(
            session,
            options.text,
            backend,
            profile=approvals.profile,
            approve=approvals.ask,
            granted=approvals.granted,
            max_segments=options.max_segments or DEFAULT_LIMIT,
            paint=painter(),
            registry=registry,
            **({} if options.max_steps is None else {"max_steps": options.max_steps}),
        )
    if options.json:
        print(json_document(answer.to_json()))
    elif answer.text and answer.text != answer.error:
        print(answer.text)
    if options.save is not None:
        save_changed(session, opened, options.save)
    if answer.error:
        raise RaybenchError(answer.error)
    return DONE


def _run(options: argparse.Namespace) -> int:
    run_command(options)
    return DONE


def _mcp(options: argparse.Namespace) -> int:
    mcp_command(options)
    return DONE


def _sweep(options: argparse.Namespace) -> int:
    sweep_command(options)
    return DONE


def _optimise(options: argparse.Namespace) -> int:
    optimise_command(options)
    return DONE


def _tolerance(options: argparse.Namespace) -> int:
    tolerance_command(options)
    return DONE


def _verify(options: argparse.Namespace) -> int:
    return DONE if verify_command(options) else FAILED


def _export_figure(options: argparse.Namespace) -> int:
    print(export_command(options))
    return DONE


def _import(options: argparse.Namespace) -> int:
    print(import_command(options))
    return DONE


def _shot(options: argparse.Namespace) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rays, summary = None, ""
    if options.tool is not None:
        from core.analysis.answers.words import rays_counted

        rays, sentence = rays_of(options.scene, options.tool, registry_of(options))
        summary = f", {rays_counted(len(rays))} lit: {sentence}" if rays is not None else f", no rays lit: {sentence}"
    from workbench.shot import save_shot

    load_compiled()
    save_shot(options.scene, options.out, options.size, options.theme, options.canvas, rays)
    print(f"{options.out}: {options.size[0]} x {options.size[1]} pixels{summary}")
    return DONE


def _bench(options: argparse.Namespace) -> int:
    import json

    from core.benchmark.extent import FULL, QUICK
    from core.benchmark.report import benchmark

    folder = options.scenes or (RECORDED if RECORDED.is_dir() else None)
    if folder is not None and not folder.is_dir():
        raise RaybenchError(f"{folder}: there is no such folder. Give --scenes a folder of scenes, or omit it.")
    compile_once()
    measured = benchmark(
        QUICK if options.quick else FULL,
        folder,
        progress=lambda text: print(f"bench: {text}", file=sys.stderr, flush=True),
        output=(lambda text: None) if options.json else (lambda text: print(f"{text}\n", flush=True)),
    )
    if options.json:
        print(json.dumps(measured, indent=2, ensure_ascii=False))
    return DONE


def _print_problems(label: str, document: Document, result: TraceResult) -> None:
    from core.scene.problems import problems_of

    texts = list(dict.fromkeys([w.text for w in result.warnings] + [p.text for p in problems_of(document.scene)]))
    for text in texts[:MOST_PROBLEMS]:
        print(f"{label}: {text}", file=sys.stderr)
    if len(texts) > MOST_PROBLEMS:
        print(f"{label}: {len(texts) - MOST_PROBLEMS} more problems; the window lists them.", file=sys.stderr)
