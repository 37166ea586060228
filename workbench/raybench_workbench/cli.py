"""The command line. A command imports only what it needs, and Qt only if it has a window or a
figure.
"""

import argparse
import difflib
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from raybench.errors import OUT_OF_MEMORY, RaybenchError, one_line
from raybench.system.extras import install
from raybench.system.interrupt import STATUS, TEXT, remove_unfinished
from raybench_workbench.commands.desktop import DESKTOP_ARGUMENTS, desktop_command
from raybench_workbench.commands.mcp import MCP_ARGUMENTS, mcp_command
from raybench_workbench.commands.model_options import PROJECT_ARGUMENTS, registry_of
from raybench_workbench.commands.questions import (
    ASK_ARGUMENTS,
    RUN_ARGUMENTS,
    TOOL_ARGUMENTS,
    ask_command,
    place_words,
    rays_of,
    run_command,
    tool_command,
)
from raybench_workbench.commands.scenes import (
    COMPARE_ARGUMENTS,
    EXPORT_ARGUMENTS,
    IMPORT_ARGUMENTS,
    TRACE_ARGUMENTS,
    VERIFY_ARGUMENTS,
    compare_command,
    export_command,
    import_command,
    trace_command,
    verify_command,
)
from raybench_workbench.commands.studies import (
    OPTIMISE_ARGUMENTS,
    SWEEP_ARGUMENTS,
    TOLERANCE_ARGUMENTS,
    optimise_command,
    sweep_command,
    tolerance_command,
)
from raybench_workbench.commands.terminal import (
    FILE,
    SCENE,
    SOURCES,
    THEMES,
    Argument,
    argument,
    load_compiled,
    log_in_lines,
    make_folder,
    make_output_readable,
    open_missing_streams,
    pixel_size,
    print_error,
)
from raybench_workbench.display import missing_libraries, paint_offscreen

DONE, FAILED = 0, 1
EXAMPLES = """examples:
  raybench scene.json                                        open a scene in the window
  raybench tour                                              demonstrate the program without a display or a model
  raybench ask example:rainbow "power(Eye)"                  ask about one of the examples that come with the program
  raybench trace scene.json --out results                    write results/scene.npz
  raybench tool --list                                       the tools that answer questions about the light
  raybench tool scene.json find_rays_inside_glass_xml Prism  ask one of them
  raybench tool scene.json measure 'power(Screen)'           a number with its unit, as 'raybench tool measure --list' describes
  raybench ask scene.json "Which rays are inside Prism?"     ask in words

FILE and SCENE are {sources}.
raybench COMMAND --help describes a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 on success, 1 after an error (one line on stderr), 2 on wrong usage,
    130 when interrupted.
    """
    open_missing_streams()
    make_output_readable()
    options = read_arguments(list(sys.argv[1:] if argv is None else argv))
    log_in_lines(whole=options.debug)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return DONE if status is None else int(status)
    except ImportError as error:
        if options.debug:
            raise
        if (error.name or "").startswith("PySide6"):
            problem = (
                "the window system cannot be loaded:"
                f" {missing_libraries(Path(error.path or ''), str(error))}."
            )
        else:
            problem = (
                f"a library cannot be loaded: {one_line(str(error))}."
                f" {install('Raybench again, with the libraries that it needs')}"
            )
        print(f"raybench: {problem}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        if options.debug:
            raise
        print(TEXT, file=sys.stderr)
        remove_unfinished()
        return STATUS
    except BrokenPipeError:
        # the reader, such as `head`, has closed the pipe; flushing at exit must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (RaybenchError, RuntimeError, OSError, MemoryError) as error:
        if options.debug:
            traceback.print_exc()
        else:
            text = (
                f"{error.filename}: {error.strerror}"
                if isinstance(error, OSError) and error.filename
                else str(error)
            )
            text = OUT_OF_MEMORY if isinstance(error, MemoryError) else text
            print_error(text)
        return FAILED


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    """Parse the arguments: a command, or a file to open. Raises SystemExit on wrong usage, after
    printing a suggestion.
    """
    if arguments[:1] == ["--debug"]:
        arguments = [*arguments[1:2], "--debug", *arguments[2:]]
    parser = _argument_parser()
    first = next((a for a in arguments if not a.startswith("-")), "")
    if first not in (*COMMANDS, "open") and not {"-h", "--help", "--version"} & set(arguments):
        if re.fullmatch(r"[A-Za-z]+", first) and not os.path.exists(
            first
        ):  # `Path.exists` raises where the name is too long
            near = difflib.get_close_matches(first, COMMANDS, 1, 0.5)
            meant = (
                f"did you mean 'raybench {near[0]}'?"
                if near
                else f"commands are {', '.join(COMMANDS)}"
            )
            parser.error(f"'{first}' is neither a command nor a file; {meant}")
        arguments = ["open", *arguments]
    options, rest = parser.parse_known_args(arguments)
    if (
        options.command == "run"
        and options.text is None
        and len(rest) == 1
        and not rest[0].startswith("-")
    ):
        options.text = (
            rest.pop()
        )  # argparse does not match INPUT if options are between FOLDER and INPUT
    if options.command == "tool" and not any(word.startswith("--") for word in rest):
        place_words(options, rest)
        rest = []
    if rest:
        known = re.findall(r"--[\w-]+", options.parser.format_usage())
        near = difflib.get_close_matches(rest[0].partition("=")[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else "quote arguments that contain spaces"
        options.parser.error(f"unrecognized arguments: {' '.join(rest)}; {hint}")
    return options


@dataclass(frozen=True)
class Command:
    """A command: what it does, in a few words, its arguments, and the function that runs it with
    them and returns the exit status, None for 0. Of ``exclusive`` arguments one is given.
    """

    about: str
    arguments: tuple[Argument, ...]
    run: Callable[[argparse.Namespace], int | None]
    exclusive: bool = False


class _Version(argparse.Action):
    """Prints the version, which is looked for only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata

        print(f"raybench {metadata.version('raybench')}")
        parser.exit()


def _argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="raybench",
        usage="raybench [FILE]\n       raybench COMMAND ...",
        description=(
            "A workbench for two-dimensional ray optics. Without a command it opens a window on"
            " FILE, or on an example."
        ),
        epilog=EXAMPLES.format(sources=SOURCES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-V", "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--debug", action="store_true", help="print a traceback on an error")
    commands = parser.add_subparsers(
        title="commands", prog="raybench", dest="command", required=True, metavar="COMMAND"
    )
    opened = commands.add_parser("open", parents=[common])  # not listed: FILE alone does the same
    opened.set_defaults(run=_open_window, parser=opened)
    opened.add_argument(FILE.name, **FILE.keywords)
    for name, row in COMMANDS.items():
        description = f"{row.about[0].upper()}{row.about[1:]}."
        command = commands.add_parser(
            name, parents=[common], help=row.about, description=description
        )
        command.set_defaults(run=row.run, parser=command)
        into = command.add_mutually_exclusive_group(required=True) if row.exclusive else command
        for each in row.arguments:
            into.add_argument(each.name, **each.keywords)
    return parser


def _open_window(options: argparse.Namespace) -> int:
    if not has_display():
        print("There is no display, so this is a tour without a window.")
        options.out = Path(".")
        _run_tour(options)
        return DONE
    from raybench_workbench.display import display_problem

    if problem := display_problem():
        raise RaybenchError(f"No window can be opened. {problem} raybench tour needs none.")
    from raybench_workbench.app import run

    return run(options.file)


def has_display() -> bool:
    """Whether there is a display for a window."""
    return sys.platform in ("win32", "darwin") or any(
        os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    )


TOUR_ARGUMENTS = (
    FILE,
    argument("--out", "where tour.png and tour.md go", "DIR", type=Path, default=Path(".")),
)


def _run_tour(options: argparse.Namespace) -> None:
    paint_offscreen()
    from raybench_workbench.commands.questions import write_tour

    make_folder(options.out, "--out")
    write_tour(options.file, options.out)


SHOT_ARGUMENTS = (
    SCENE,
    argument("out", "where the picture goes", "OUT.png", type=Path),
    argument(
        "--size", "in pixels; 1280x800 by default", "WxH", type=pixel_size, default=(1280, 800)
    ),
    argument("--theme", "the window's colours; dark by default", choices=THEMES, default="dark"),
    argument(
        "--tool", "highlight the rays this tool returns, or that a filter leaves", "'NAME ARGS'"
    ),
    *PROJECT_ARGUMENTS,
    argument("--canvas", "the canvas alone"),
)


def _take_shot(options: argparse.Namespace) -> None:
    paint_offscreen()
    rays, summary = None, ""
    if options.tool is not None:
        from raybench.analysis.answers.words import rays_counted

        rays, sentence = rays_of(options.scene, options.tool, registry_of(options))
        summary = (
            f", {rays_counted(len(rays))} lit: {sentence}"
            if rays is not None
            else f", no rays lit: {sentence}"
        )
    from raybench_workbench.shot import save_shot

    load_compiled()
    width, height = save_shot(
        options.scene, options.out, options.size, options.theme, options.canvas, rays
    )
    print(f"{options.out}: {width} x {height} pixels{summary}")


COMMANDS = {
    "trace": Command(
        "trace scenes and write their segments as npz", TRACE_ARGUMENTS, trace_command
    ),
    "tool": Command("trace a scene and ask one tool about it", TOOL_ARGUMENTS, tool_command),
    "ask": Command("ask the agent one question about a scene", ASK_ARGUMENTS, ask_command),
    "run": Command("run a project folder's entry tool, code or worker", RUN_ARGUMENTS, run_command),
    "export": Command(
        "write a scene as a figure (png, svg, pdf) or its rays as data (csv, npz, xml)",
        EXPORT_ARGUMENTS,
        export_command,
    ),
    "import": Command(
        "make a scene of an SVG or DXF drawing: glass, mirrors, blockers or a drawing",
        IMPORT_ARGUMENTS,
        import_command,
    ),
    "sweep": Command(
        "a table of measures over the values of one or two parameters",
        SWEEP_ARGUMENTS,
        sweep_command,
    ),
    "compare": Command(
        "what is different in another scene, and what that does to measures",
        COMPARE_ARGUMENTS,
        compare_command,
    ),
    "optimise": Command(
        "values of parameters for which goals are met best", OPTIMISE_ARGUMENTS, optimise_command
    ),
    "tolerance": Command(
        "how much measures change if parameters deviate, and the yield",
        TOLERANCE_ARGUMENTS,
        tolerance_command,
    ),
    "tour": Command(
        "demonstrate the program without a display, a network or a key", TOUR_ARGUMENTS, _run_tour
    ),
    "shot": Command("a picture of the window on a scene", SHOT_ARGUMENTS, _take_shot),
    "mcp": Command(
        "serve the tools to another program over the Model Context Protocol",
        MCP_ARGUMENTS,
        mcp_command,
    ),
    "verify": Command(
        "compute closed forms of optics and compare them with the exact values",
        VERIFY_ARGUMENTS,
        verify_command,
    ),
    "desktop": Command(
        "add Raybench to the menu of a Linux desktop, with its file type, or remove it",
        DESKTOP_ARGUMENTS,
        desktop_command,
        exclusive=True,
    ),
}
"""All commands, by name, as they are listed."""
