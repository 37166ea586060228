"""The command line. Only what a command needs is imported, and Qt only where there is a window."""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import RaybenchError
from workbench.run_command import add_run_options, run_command
from workbench.terminal import add_model_options, approvals_of, backend_of, print_value

if TYPE_CHECKING:
    from core.files.shared import Shared
    from core.scene.document import Document
    from core.session import Session
    from core.trace.result import RaySet, TraceResult

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
WIPE = "\x1b[K\r"
"""Clears the rest of a terminal's line and goes back to its start."""
SOURCES = "a .json scene, a .raybench document, a link to a scene, or a text file that holds a link or pasted JSON"
RECORDED = Path("../shared/oracle/scenes/synthetic")
"""Where recorded scenes lie beside a checkout, for `raybench bench`."""
COMMANDS = ("trace", "tool", "ask", "run", "tour", "shot", "bench")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 when done, 1 on an error told in one line on stderr, 2 on wrong usage, 130 when interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["--debug"]:
        arguments = [*arguments[1:2], "--debug", *arguments[2:]]
    if next((a for a in arguments if not a.startswith("-")), "") not in COMMANDS:
        arguments = ["open", *arguments] if not {"-h", "--help", "--version"} & set(arguments) else arguments
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if options.command == "run" and options.text is None and len(rest) == 1 and not rest[0].startswith("-"):
        options.text = rest.pop()  # argparse gives up on INPUT where options stand between FOLDER and it
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
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
        print("raybench: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read the output, such as `head`, has had enough; what is buffered must not fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (RaybenchError, RuntimeError, OSError) as error:
        if options.debug:
            traceback.print_exc()
        else:
            text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
            print(f"raybench: {' '.join(text.split())}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="raybench",
        description="A workbench for two-dimensional ray optics. Without a command it opens a window on FILE, or on an example.",
        epilog="raybench [FILE] opens the workbench.",
    )
    parser.add_argument("--version", action="version", version=f"raybench {metadata.version('raybench')}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", help="print a traceback on an error")
    commands = parser.add_subparsers(dest="command", required=True, metavar=f"{{{','.join(COMMANDS)}}}")

    opened = commands.add_parser("open", parents=[common])
    opened.add_argument("file", nargs="?", metavar="FILE", help=SOURCES)
    opened.set_defaults(run=_open)

    traced = commands.add_parser("trace", parents=[common], help="trace scenes and write their segments as npz")
    traced.add_argument("scenes", nargs="+", metavar="SCENE", help=SOURCES)
    traced.add_argument("--out", type=Path, required=True, metavar="DIR", help="where DIR/<scene>.npz goes")
    traced.add_argument("--csv", action="store_true", help="write DIR/<scene>.csv too: a line a segment, units in the headings")
    traced.add_argument("--xml", action="store_true", help="write DIR/<scene>.xml too, as the tools tell of rays")
    traced.add_argument("--threads", type=_positive, metavar="N", help="threads to trace with; all processors by default")
    traced.add_argument("--max-segments", type=_positive, metavar="N", help="stop each scene after N segments")
    traced.set_defaults(run=_trace)

    tool = commands.add_parser("tool", parents=[common], help="trace a scene and ask one tool about it")
    tool.add_argument("scene", nargs="?", metavar="SCENE", help=SOURCES)
    tool.add_argument("name", nargs="?", metavar="NAME")
    tool.add_argument("arguments", nargs="*", metavar="ARG", help="the tool's arguments in order, or as name=value")
    tool.add_argument("--json", dest="named", metavar="'{\"arg\": value}'", help="arguments by name")
    tool.add_argument("--list", action="store_true", help="list the tools with their signatures")
    tool.add_argument("--schema", action="store_true", help="list the tools with their schemas, as JSON")
    tool.add_argument("--max-segments", type=_positive, metavar="N", help="stop the trace after N segments")
    tool.set_defaults(run=_tool)

    asked = commands.add_parser("ask", parents=[common], help="ask the agent one question about a scene")
    asked.add_argument("scene", metavar="SCENE", help=SOURCES)
    asked.add_argument("text", metavar="TEXT")
    add_model_options(asked)
    asked.add_argument("--save", type=Path, metavar="FILE", help="write the document here afterwards")
    asked.add_argument("--max-segments", type=_positive, metavar="N", help="stop the trace after N segments")
    asked.add_argument("--json", action="store_true", help="print answer, tool calls, ray sets and usage as JSON")
    asked.set_defaults(run=_ask)

    running = commands.add_parser("run", parents=[common], help="run a project folder's entry tool, code or worker")
    add_run_options(running)
    running.set_defaults(run=_run)

    shot = commands.add_parser("shot", parents=[common], help="a picture of the window on a scene")
    shot.add_argument("scene", metavar="SCENE", help=SOURCES)
    shot.add_argument("out", type=Path, metavar="OUT.png")
    shot.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH")
    shot.add_argument("--theme", choices=("light", "dark", "paper"), default="dark")
    shot.add_argument("--tool", metavar="'NAME ARGS'", help="light up the rays this tool returns")
    shot.add_argument("--canvas", action="store_true", help="the canvas alone")
    shot.set_defaults(run=_shot)

    tour = commands.add_parser("tour", parents=[common], help="show the main job without a display, a network or a key")
    tour.add_argument("file", nargs="?", metavar="FILE", help=SOURCES)
    tour.add_argument("--out", type=Path, default=Path("."), metavar="DIR", help="where tour.png and tour.md go")
    tour.set_defaults(run=_tour)

    bench = commands.add_parser("bench", parents=[common], help="measure how fast this machine traces, edits, answers and starts")
    bench.add_argument("--json", action="store_true", help="print the measurements as JSON")
    bench.add_argument("--quick", action="store_true", help="a few small measurements, in seconds instead of minutes")
    bench.add_argument("--scenes", type=Path, metavar="DIR", help=f"recorded scenes to measure; {RECORDED} where that is there")
    bench.set_defaults(run=_bench)
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
    if width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 16384 and 16 <= int(height) <= 16384:
        return int(width), int(height)
    raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")


def _open(options: argparse.Namespace) -> int:
    if not has_display():
        print("There is no display, so this is a tour without a window.")
        options.out = Path(".")
        return _tour(options)
    from workbench.app import run

    return run(options.file)


def has_display() -> bool:
    """Whether a window can be shown to somebody."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def _tour(options: argparse.Namespace) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from workbench.tour import tour

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
            shared, result = _load_and_trace(scene, options.max_segments, options.threads)
        except RaybenchError as error:
            if options.debug:
                raise
            print(f"raybench: {error}", file=sys.stderr)
            failed += 1
            continue
        # scenes of one name, from several folders or links, do not overwrite each other
        name = next(n for n in (shared.name, *(f"{shared.name}-{i}" for i in range(2, len(names) + 3))) if n not in names)
        names.add(name)
        save_npz(result, options.out / f"{name}.npz", shared.document.unit)
        _export(options, name, shared.document, result)
        print(f"{name}: {len(result)} segments, {result.milliseconds:.1f} ms, {result.completion.text}")
        _print_problems(scene if shared.path else name, shared.document, result)
    return FAILED if failed else DONE


def _export(options: argparse.Namespace, name: str, document: Document, result: TraceResult) -> None:
    """Write a trace in the other forms that were asked for."""
    if not (options.csv or options.xml):
        return
    from core.analysis.context import TracedScene
    from core.analysis.rays_xml import rays_to_xml
    from core.files.rays_csv import save_csv

    edge_name = TracedScene.of(document, result).edge_title
    if options.csv:
        save_csv(result, options.out / f"{name}.csv", unit=document.unit, edge_name=edge_name)
    if options.xml:
        xml = rays_to_xml(result.segments, unit=document.unit, edge_name=edge_name)
        (options.out / f"{name}.xml").write_text(xml, encoding="utf-8")


def _tool(options: argparse.Namespace) -> int:
    from core.agent.typed_call import named_arguments, signatures, tool_at_hand, tools_at_hand, typed_call

    if options.schema:
        print_value([tool.definition for tool in tools_at_hand()])
        return DONE
    if options.list:
        print(signatures())
        return DONE
    if options.scene is None or options.name is None:
        print("raybench tool: name a SCENE and a tool, or give --list.", file=sys.stderr)
        return WRONG_USAGE
    tool = tool_at_hand(options.name)
    named = named_arguments(options.named) if options.named is not None else None
    outcome = typed_call(_traced_session(options.scene, options.max_segments), tool, [(word, False) for word in options.arguments], named)
    print_value(outcome.value)
    return DONE


def _traced_session(scene: str, max_segments: int | None = None) -> Session:
    from core.session import Session

    shared, result = _load_and_trace(scene, max_segments, None)
    session = Session.of_shared(shared)
    session.result = result
    return session


def _ask(options: argparse.Namespace) -> int:
    from core.agent.ask import ask
    from core.agent.jsonable import json_document
    from core.session import Session
    from core.trace.trace import DEFAULT_LIMIT

    approvals = approvals_of(options)
    backend = backend_of(options)
    session = Session.open(options.scene)
    _compile_once()
    if backend is None and not options.offline and not options.text.lstrip().startswith("/"):
        print("No model is connected, so the offline agent answers. Set ANTHROPIC_API_KEY or give --base-url.", file=sys.stderr)
    answer = ask(
        session,
        options.text,
        backend,
        profile=approvals.profile,
        approve=approvals.ask,
        max_segments=options.max_segments or DEFAULT_LIMIT,
    )
    if options.json:
        print(json_document(answer.to_json()))
    elif answer.text:
        print(answer.text)
    if options.save is not None:
        session.save(options.save)
    if answer.error:
        raise RaybenchError(answer.error)
    return DONE


def _run(options: argparse.Namespace) -> int:
    run_command(options)
    return DONE


def _shot(options: argparse.Namespace) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rays, told = None, ""
    if options.tool is not None:
        rays, sentence = _rays_of(options.scene, options.tool)
        told = f", {len(rays)} rays lit: {sentence}" if rays is not None else f", no rays lit: {sentence}"
    from workbench.shot import shoot

    shoot(options.scene, options.out, options.size, options.theme, options.canvas, rays)
    print(f"{options.out}: {options.size[0]} x {options.size[1]} pixels{told}")
    return DONE


def _rays_of(scene: str, call: str) -> tuple[RaySet | None, str]:
    """The rays that a tool finds or, of a filter, leaves on show; None for a tool that is not about rays. And what was asked."""
    from core.agent.slash import parse_command
    from core.agent.typed_call import tool_at_hand, typed_call
    from core.trace.result import RaySet

    tool = tool_at_hand(call.removeprefix("/").split(maxsplit=1)[0] if call.strip() else "")
    _, arguments = parse_command(call, [tool])
    session = _traced_session(scene)
    outcome = typed_call(session, tool, (), arguments)
    rows = session.view.shown(session.result) if outcome.rays is None and session.result is not None else None
    rays = outcome.rays if rows is None else RaySet(rows, outcome.sentence, session.document.revision)
    return rays, outcome.sentence


def _bench(options: argparse.Namespace) -> int:
    import json

    from core.benchmark.extent import FULL, QUICK
    from core.benchmark.report import benchmark

    folder = options.scenes or (RECORDED if RECORDED.is_dir() else None)
    if folder is not None and not folder.is_dir():
        raise RaybenchError(f"{folder}: there is no such folder. Give --scenes a folder of scenes, or leave it out.")
    _compile_once()
    measured = benchmark(
        QUICK if options.quick else FULL,
        folder,
        told=lambda text: print(f"bench: {text}", file=sys.stderr, flush=True),
        shown=(lambda text: None) if options.json else (lambda text: print(f"{text}\n", flush=True)),
    )
    if options.json:
        print(json.dumps(measured, indent=2, ensure_ascii=False))
    return DONE


def _load_and_trace(scene: str, max_segments: int | None, threads: int | None) -> tuple[Shared, TraceResult]:
    from core.files.shared import read_shared
    from core.trace.trace import DEFAULT_LIMIT, trace

    shared = read_shared(scene)
    document = shared.document
    _compile_once()
    person = sys.stderr.isatty()
    result = trace(
        document.scene,
        threads=threads,
        max_segments=max_segments or DEFAULT_LIMIT,
        disabled=document.disabled,
        revision=document.revision,
        progress=_progress(shared.name) if person else None,
    )
    if person:
        print(WIPE, end="", file=sys.stderr, flush=True)
    return shared, result


def _progress(name: str) -> Callable[[int], None]:
    """Tells a person at a terminal, how far a trace of over a second is."""
    begun, told = time.monotonic(), [0.0]

    def tell(segments: int) -> None:
        now = time.monotonic()
        if now - begun > 1 and now - told[0] > 0.2:
            told[0] = now
            print(f"{name}: {segments:,} segments so far (Ctrl-C stops){WIPE}", end="", file=sys.stderr, flush=True)

    return tell


def _compile_once() -> None:
    from core.trace.compile_kernels import compile_here, kernels_ready

    if not kernels_ready():
        print("Compiling the tracing kernels; only the first start does this.", file=sys.stderr)
        compile_here(lambda text, share: None)


def _print_problems(whence: str, document: Document, result: TraceResult) -> None:
    from core.scene.problems import problems_of

    for text in dict.fromkeys([p.text for p in problems_of(document.scene)] + [w.text for w in result.warnings]):
        print(f"{whence}: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
