"""The code of a project folder, read once: the code that was reviewed and trusted is executed, even
if the files change later.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path

from raybench.errors import ForeignError
from raybench.system.bounded_file import read_bounded

SOURCE = (".py", ".pyw")
NATIVE = (".so", ".pyd", ".dll", ".dylib")
BYTE_CODE = (".pyc", ".pyo")
MOST_FILES = 5_000
MOST_BYTES = 200_000_000
"""Maximum size of a folder's code: a folder with more is not a project."""
MOST_ENTRIES = 50_000
"""Maximum number of files and folders that are visited."""


class InvalidProject(ForeignError):
    """A folder contains code that cannot be reviewed before it runs, or too much code; the text
    names the file.
    """


@dataclass(frozen=True)
class Module:
    """A module's source: ``file`` is relative to the project's folder, empty for a folder without
    an ``__init__.py``.
    """

    file: str
    package: bool


@dataclass(frozen=True, eq=False)
class ProjectCode:
    """All files of a folder that an import could run, by their paths relative to it, with ``/``."""

    folder: Path
    files: Mapping[str, bytes]

    @cached_property
    def digest(self) -> str:
        """A hash of all names and contents."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(
                name.encode(errors="surrogatepass") + b"\0" + hashlib.sha256(content).digest()
            )
        return digest.hexdigest()

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        """The modules by their dotted names. As Python does, a package goes before a file, and a
        compiled module before a source.
        """
        found: dict[str, Module] = {}
        for suffix in (*reversed(SOURCE_SUFFIXES), *reversed(EXTENSION_SUFFIXES)):
            found |= {
                name.removesuffix(suffix).replace("/", "."): Module(name, False)
                for name in self.files
                if _names(name, suffix)
            }
        for name in [n for n in found if n.rpartition(".")[2] == "__init__"]:
            found[name.rpartition(".")[0]] = Module(found.pop(name).file, True)
        for name in list(found):
            while name := name.rpartition(".")[0]:
                found.setdefault(name, Module("", True))
        found.pop("", None)
        return found


def read_project_code(folder: Path) -> ProjectCode:
    """Read what an import could run from a folder: sources and compiled modules, in packages too.

    InvalidProject for links to code and for byte code without its source, and where there is too
    much or something cannot be read.
    """
    folder = folder.resolve()
    files: dict[str, bytes] = {}
    size = 0
    try:
        for path in _code_files(folder):
            files[path.relative_to(folder).as_posix()] = content = read_bounded(path, MOST_BYTES)
            size += len(content)
            if len(files) > MOST_FILES or size > MOST_BYTES:
                raise InvalidProject(
                    f"{folder} holds over {MOST_FILES} files or {MOST_BYTES // 10**6} MB of code."
                    " Make a folder for the project alone."
                )
    except OSError as error:
        raise InvalidProject(
            f"{error.filename or folder}: this cannot be read ({error.strerror})."
        ) from None
    return ProjectCode(folder, files)


def _code_files(folder: Path) -> Iterator[Path]:
    """The files of code in a folder and in those within it that could be packages."""
    todo, visited, linked = [folder], 0, dict[tuple[int, int], bool]()
    while todo:
        here = todo.pop()
        with os.scandir(here) as entries:
            for entry in entries:
                path, visited = Path(entry.path), visited + 1
                if visited > MOST_ENTRIES:
                    raise InvalidProject(
                        f"{folder} holds over {MOST_ENTRIES} files and folders. Make a folder for"
                        " the project alone."
                    )
                if entry.is_dir(follow_symlinks=False):
                    todo += [path] * _could_be_package(path)
                elif path.suffix in BYTE_CODE and not any(
                    path.with_suffix(suffix).exists() for suffix in SOURCE
                ):
                    raise InvalidProject(
                        f"{path} is byte code without its source, which nobody can read. Remove it,"
                        " or add the source."
                    )
                elif entry.is_symlink():
                    if _leads_to_code(path, linked):
                        raise InvalidProject(
                            f"{path} is a link. Code of a project lies in its own folder: put a"
                            " copy in the link's place."
                        )
                elif path.suffix in SOURCE + NATIVE:
                    if not entry.is_file():
                        raise InvalidProject(f"{path} is not a regular file. Remove it.")
                    yield path


def _could_be_package(path: Path) -> bool:
    return "." not in path.name and path.name != "__pycache__"


def _leads_to_code(link: Path, linked: dict[tuple[int, int], bool]) -> bool:
    """Whether a link leads to code. ``linked`` caches the results for folders, by device and inode
    number.
    """
    code = SOURCE + NATIVE + BYTE_CODE
    if link.suffix in code:
        return True
    if not (_could_be_package(link) and link.is_dir()):
        return False
    about = link.stat()
    place = about.st_dev, about.st_ino
    if place not in linked:
        linked[place] = any(p.suffix in code for p in link.iterdir())
    return linked[place]


def _names(file: str, suffix: str) -> bool:
    """Whether a file with this ending has the name of a module."""
    stem = file.removesuffix(suffix)
    return stem != file and "." not in stem
