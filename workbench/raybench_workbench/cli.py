"""The command line: reads the arguments, runs the command and reports how it ended. The code of a
command is imported when it runs; Qt is imported only for a window or a figure.
"""

import argparse
import difflib
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from raybench.errors import OUT_OF_MEMORY, RaybenchError, one_line
from raybench.system.extras import reinstall_remedy
from raybench.system.interrupt import INTERRUPTED_STATUS, INTERRUPTED_TEXT, remove_unfinished_files
from raybench_workbench.commands.table import (
    COMMANDS,
    FILES_ARGUMENT,
    NEW_OPTION,
    SCENE_HELP,
    Command,
)
from raybench_workbench.commands.terminal import (
    make_output_readable,
    open_missing_streams,
    print_error,
    start_line_logging,
)
from raybench_workbench.display import explain_load_error

EXIT_DONE, EXIT_FAILED = 0, 1
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
    start_line_logging(whole=options.debug)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return EXIT_DONE if status is None else int(status)
    except ImportError as error:
        if options.debug:
            raise
        if (error.name or "").startswith("PySide6"):
            problem = (
                "the window system cannot be loaded:"
                f" {explain_load_error(Path(error.path or ''), str(error))}."
            )
        else:
            problem = (
                f"a library cannot be loaded: {one_line(str(error))}."
                f" {reinstall_remedy('Raybench again, with the libraries that it needs')}"
            )
        print(f"raybench: {problem}", file=sys.stderr)
    except KeyboardInterrupt:
        if options.debug:
            raise
        print(INTERRUPTED_TEXT, file=sys.stderr)
        remove_unfinished_files()
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        # the reader, such as `head`, has closed the pipe; flushing at exit must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except (RaybenchError, RuntimeError, OSError, MemoryError) as error:
        if options.debug:
            traceback.print_exc()
        elif isinstance(error, MemoryError):
            print_error(OUT_OF_MEMORY)
        elif isinstance(error, OSError) and error.filename:
            print_error(f"{error.filename}: {error.strerror}")
        else:
            print_error(str(error))
    return EXIT_FAILED


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    """Parse the arguments: a command, or a file to open. Raises SystemExit on wrong usage, after
    printing a suggestion.
    """
    if arguments[:1] == ["--debug"]:
        arguments = [*arguments[1:2], "--debug", *arguments[2:]]
    parser = _argument_parser()
    first = next((a for a in arguments if not a.startswith("-")), "")
    if first not in (*COMMANDS, "open") and not {"-h", "--help", "--version"} & set(arguments):
        # `Path.exists` raises where the name is too long
        if re.fullmatch(r"[A-Za-z]+", first) and not os.path.exists(first):
            near = difflib.get_close_matches(first, COMMANDS, 1, 0.5)
            meant = (
                f"did you mean 'raybench {near[0]}'?"
                if near
                else f"commands are {', '.join(COMMANDS)}"
            )
            parser.error(f"'{first}' is neither a command nor a file; {meant}")
        arguments = ["open", *arguments]
    options, rest = parser.parse_known_args(arguments)
    rest = _place_unmatched_words(options, rest)
    if rest:
        known = re.findall(r"--[\w-]+", options.parser.format_usage())
        near = difflib.get_close_matches(rest[0].partition("=")[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else "quote arguments that contain spaces"
        options.parser.error(f"unrecognized arguments: {' '.join(rest)}; {hint}")
    return options


def _place_unmatched_words(options: argparse.Namespace, words: list[str]) -> list[str]:
    """Assign words that argparse left over, because they follow an option, to the free positional
    arguments of the commands tool and run. Returns the words that do not belong there.
    """
    if options.command == "run" and options.text is None and len(words) == 1:
        if not words[0].startswith("-"):
            options.text = words.pop()
    elif options.command == "tool" and not any(word.startswith("--") for word in words):
        for word in words:
            if options.scene is None:
                options.scene = word
            elif options.name is None:
                options.name = word
            else:
                options.arguments.append(word)
        return []
    return words


class _Version(argparse.Action):
    """The command-line option that prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata

        print(f"raybench {metadata.version('raybench')}")
        parser.exit()


def _argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="raybench",
        usage="raybench [FILE ...]\n       raybench COMMAND ...",
        description=(
            "A workbench for two-dimensional ray optics. Without a command it opens a window on"
            " each FILE, or on an example."
        ),
        epilog=EXAMPLES.format(sources=SCENE_HELP),
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
    # not listed: FILE alone does the same
    opened = Command("", "pictures", "open_window", (FILES_ARGUMENT, NEW_OPTION))
    for name, row in {"open": opened, **COMMANDS}.items():
        listed = {"help": row.about, "description": f"{row.about[:1].upper()}{row.about[1:]}."}
        command = commands.add_parser(name, parents=[common], **(listed if row.about else {}))  # type: ignore[arg-type]
        command.set_defaults(run=row.run, parser=command)
        into = command.add_mutually_exclusive_group(required=True) if row.exclusive else command
        for argument, keywords in row.arguments:
            into.add_argument(argument, **keywords)
    return parser
