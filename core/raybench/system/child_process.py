"""Python child processes: the same import path as this process, without the current folder; and
children that end with this process.

``python -m`` and ``python -c`` put the current folder first in the import path, so that a
``random.py`` there, next to a downloaded scene, would be executed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import raybench
from raybench.system.interrupt import end_groups, groups

Run = Callable[[Sequence[str], Mapping[str, str]], str]
"""Runs a command in an environment and returns what it printed; CalledProcessError if it fails."""


def child_environment(**more: str) -> dict[str, str]:
    """The environment for a child of ``sys.executable``: this process's import path without the
    current folder, and the variables ``more``.

    The folder of this program is kept, since in development it may be the current folder.
    """
    root = str(Path(raybench.__path__[0]).parent)
    path = [p for p in sys.path if os.path.isabs(p) and (p == root or not _is_current_folder(p))]
    if root not in path:  # it was imported by a relative entry
        path.append(root)
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path), **more}


def _is_current_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False


@contextlib.contextmanager
def own_children() -> Iterator[Run]:
    """Children that end with the block, and where a signal ends this process, with all that they
    have started.

    Otherwise they would write anew what is removed then. On Windows only the command that is
    running ends.
    """
    try:
        yield _run
    finally:
        end_groups()


def _run(command: Sequence[str], environment: Mapping[str, str]) -> str:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(
        command, env=environment, text=True, start_new_session=True, **pipes
    ) as child:
        if os.name == "posix":
            groups.add(child.pid)
        try:
            printed, _ = child.communicate()
        except BaseException:
            child.kill()
            raise
    if child.pid in groups and not _is_group(child.pid):
        groups.discard(child.pid)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return str(printed)


def _is_group(number: int) -> bool:
    """Whether a process of a group is left, so that its number is no other's."""
    try:
        os.killpg(number, 0)
    except OSError:
        return False
    return True
