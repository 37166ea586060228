"""A project's tools on the command line: the options ``--project`` and ``--trust``, and where what
its code prints goes.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench_workbench.commands.terminal import confirm

if TYPE_CHECKING:
    from raybench.agent.catalogue.project_code import ProjectCode
    from raybench.agent.catalogue.registry import ToolRegistry


def project_folder(text: str) -> Path:
    """The folder of a project as it is written on the command line: a path, or ``example:project``
    for the one that ships.
    """
    from raybench.files.examples import PROJECT

    name, folder = PROJECT
    return Path(str(folder)) if text == name else Path(text)


def add_project_options(parser: argparse.ArgumentParser) -> None:
    """The options that `registry_of` reads."""
    parser.add_argument(
        "--project",
        type=project_folder,
        metavar="FOLDER",
        help="a project folder, whose tools.py and *.worker files add tools",
    )
    add_trust_option(parser)


def add_trust_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trust",
        action="store_true",
        help="trust the current version of the folder's tools.py, which runs as a program",
    )


def registry_of(options: argparse.Namespace) -> ToolRegistry:
    """The shipped tools, and those of the project that the options name; what cannot be used of it
    is printed on stderr.
    """
    from raybench.agent.by_hand.command_line import registry

    if options.project is None:
        return registry()
    found = project_registry(options.project, options.trust)
    with printing_aside():
        problems = found.problems
    for problem in problems:
        print(problem, file=sys.stderr)
    return found


def project_registry(folder: Path | None, trust: bool, *, asks: bool = True) -> ToolRegistry:
    """The shipped tools and those of a folder, whose code runs if it is trusted; RaybenchError if
    the folder does not exist.

    ``asks`` says whether a person at the terminal may be asked to trust it.
    """
    from raybench.agent.catalogue.default_tools import agent_tools
    from raybench.agent.catalogue.project_code import TOOLS, TrustedFolders
    from raybench.agent.catalogue.registry import ToolRegistry

    if folder is not None and not folder.is_dir():
        raise RaybenchError(
            f"{folder}: there is no such folder. Name one that holds tools.py or *.worker files."
        )

    def ask(code: ProjectCode) -> bool:
        question = (
            f"{code.folder / TOOLS} runs as a program on this machine, with all your rights. Trust"
            " this version?"
        )
        return trust or (asks and sys.stdin.isatty() and confirm(question))

    return ToolRegistry(agent_tools(), folder, TrustedFolders().trust(ask))


@contextlib.contextmanager
def printing_aside(on: bool = True) -> Iterator[None]:
    """Print on stderr what tools print, where ``on``: stdout is for the answer alone then."""
    with contextlib.redirect_stdout(sys.stderr) if on else contextlib.nullcontext():
        yield
