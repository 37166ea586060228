"""The code of a project folder. It is read once, and the code that a person trusted is the code
that runs, even if the files change later.
"""

import hashlib
import json
import os
import site
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

from raybench.errors import ForeignError, RaybenchError, error_type_and_message
from raybench.files.atomic import write_text
from raybench.system.files import is_private_file, read_bounded, temporary_folder, user_folder

SOURCE_ENDINGS = (".py", ".pyw")
TEXT_SUFFIXES = (*SOURCE_ENDINGS, ".pth")
"""Suffixes of texts that Python runs: ``site.addsitedir`` runs lines of a ``.pth`` file."""
NATIVE_SUFFIXES = (".so", ".pyd", ".dll", ".dylib")
BYTE_CODE_SUFFIXES = (".pyc", ".pyo")
MOST_FILES = 5_000
MOST_BYTES = 200_000_000
"""Maximum size of a folder's code: a folder with more is not a project."""
MOST_ENTRIES = 50_000
"""Maximum number of files and folders that are visited."""
TOOLS_FILE = "tools.py"


class InvalidProject(ForeignError):
    """A folder contains code that cannot be reviewed before it runs, or too much code. The message
    names the file.
    """


Module = tuple[str, bool]
"""A module's source, relative to the project's folder and empty for a folder without an
``__init__.py``, and whether it is a package.
"""


@dataclass(frozen=True, eq=False)
class ProjectCode:
    """The contents of all files of a folder that an import could run, by relative path (with
    ``/``).
    """

    folder: Path
    files: Mapping[str, bytes]

    @cached_property
    def digest(self) -> str:
        """A hash of the names and contents of all files."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(
                name.encode(errors="surrogatepass") + b"\0" + hashlib.sha256(content).digest()
            )
        return digest.hexdigest()

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        """The modules by dotted name. As in Python, a package takes precedence over a file, and a
        compiled module over a source file.
        """
        found: dict[str, Module] = {}
        for suffix in (*reversed(SOURCE_SUFFIXES), *reversed(EXTENSION_SUFFIXES)):
            found |= {
                name.removesuffix(suffix).replace("/", "."): (name, False)
                for name in self.files
                if name.endswith(suffix) and "." not in name.removesuffix(suffix)
            }
        for name in [n for n in found if n.rpartition(".")[2] == "__init__"]:
            found[name.rpartition(".")[0]] = found.pop(name)[0], True
        for name in list(found):
            while name := name.rpartition(".")[0]:
                found.setdefault(name, ("", True))
        found.pop("", None)
        return found


def read_project_code(folder: Path) -> ProjectCode:
    """Read all files of a folder that an import could run: sources and compiled modules, also in
    packages.

    Raises InvalidProject for links to code, for byte code without its source, for too much code,
    and for files that cannot be read.
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
    """The code files in a folder and its subfolders, without hidden folders, virtual environments,
    and byte code beside its source. `ProjectFinder` imports nothing from these.
    """
    todo, visited, linked = [folder], 0, dict[tuple[int, int], bool]()
    while todo:
        here = todo.pop()
        with os.scandir(here) as entries:
            for entry in entries:
                visited += 1
                if visited > MOST_ENTRIES:
                    raise InvalidProject(
                        f"{folder} holds over {MOST_ENTRIES} files and folders. Make a folder for"
                        " the project alone."
                    )
                suffix, is_link = os.path.splitext(entry.name)[1], entry.is_symlink()
                is_folder = entry.is_dir(follow_symlinks=False)
                if not (
                    is_link
                    or is_folder
                    or suffix in (*TEXT_SUFFIXES, *NATIVE_SUFFIXES, *BYTE_CODE_SUFFIXES)
                ):
                    continue
                path = Path(entry.path)
                if is_folder:
                    todo += [path] * _belongs_to_project(path)
                elif suffix in BYTE_CODE_SUFFIXES and not any(
                    path.with_suffix(source).exists() for source in SOURCE_ENDINGS
                ):
                    raise InvalidProject(
                        f"{path} is byte code without its source, which nobody can read. Remove it,"
                        " or add the source."
                    )
                elif is_link:
                    if _leads_to_code(path, linked):
                        raise InvalidProject(
                            f"{path} is a link. Code of a project lies in its own folder: put a"
                            " copy in the link's place."
                        )
                elif suffix in TEXT_SUFFIXES + NATIVE_SUFFIXES:
                    if not entry.is_file():
                        raise InvalidProject(f"{path} is not a regular file. Remove it.")
                    yield path


def _belongs_to_project(folder: Path) -> bool:
    return not (
        folder.name.startswith(".")
        or folder.name == "__pycache__"
        or (folder / "pyvenv.cfg").exists()
        or (folder / "conda-meta").exists()
    )


def _leads_to_code(link: Path, linked: dict[tuple[int, int], bool]) -> bool:
    """Whether a symbolic link points to code. ``linked`` caches the results for folders, by device
    and inode number.
    """
    code = TEXT_SUFFIXES + NATIVE_SUFFIXES + BYTE_CODE_SUFFIXES
    if link.suffix in code:
        return True
    if not (link.is_dir() and _belongs_to_project(link)):
        return False
    about = link.stat()
    place = about.st_dev, about.st_ino
    if place not in linked:
        linked[place] = any(p.suffix in code for p in link.iterdir())
    return linked[place]


Trust = Callable[[ProjectCode], bool]
"""Asks whether the code of a folder may run."""


class TrustedFolders:
    """The folders whose code the user trusts, stored in a file by path and content. After a change
    of the code the user is asked again.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    @property
    def file(self) -> Path:
        if self._file is None:
            self._file = user_folder("config") / "trusted-folders.json"
        return self._file

    def __contains__(self, code: ProjectCode) -> bool:
        return self._read_folders().get(str(code.folder)) == code.digest

    def add(self, code: ProjectCode) -> None:
        """Trust the present code of a folder and store this in the file. Raises RaybenchError if
        the file cannot be written.
        """
        self._write_folders(self._read_folders() | {str(code.folder): code.digest})

    def forget_folder(self, folder: Path) -> None:
        """Stop trusting a folder."""
        self._write_folders(
            {
                path: digest
                for path, digest in self._read_folders().items()
                if path != str(folder.resolve())
            }
        )

    def trust(self, ask: Trust) -> Trust:
        """Make the function that decides whether code is trusted: it was trusted before, or ``ask``
        allows it. A new permission is stored.
        """

        def is_trusted(code: ProjectCode) -> bool:
            if code in self:
                return True
            if not ask(code):
                return False
            self.add(code)
            return True

        return is_trusted

    def _read_folders(self) -> dict[str, str]:
        try:
            read = (
                json.loads(self.file.read_text(encoding="utf-8"))
                if is_private_file(self.file)
                else None
            )
        except (OSError, ValueError, RecursionError):
            # nothing is trusted by a file that is not there, or that others could have written
            return {}
        return (
            {k: v for k, v in read.items() if isinstance(v, str)} if isinstance(read, dict) else {}
        )

    def _write_folders(self, folders: dict[str, str]) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RaybenchError(
                f"{self.file}: the trusted folder cannot be remembered ({error.strerror})."
                " RAYBENCH_CONFIG_DIR can name another folder."
            ) from None
        write_text(self.file, json.dumps(folders, indent=2), mode=0o600)


_projects: list[ProjectCode] = []
"""The projects that were run, the latest first."""
_imported: dict[str, Path] = {}
"""The top-level names of modules imported from these projects, each with the project's folder."""
_OWN_PACKAGES = ("raybench", "raybench_resources", "raybench_workbench")


def make_importable(code: ProjectCode) -> None:
    """Make the modules of a project importable. They take precedence over modules of other
    projects, but not over installed modules.

    Modules with the same names or from the same folder that were imported before are removed, so
    that they are loaded again.
    """
    named = {part.partition(".")[0] for file in code.files for part in file.split("/")}
    again = {name for name, folder in _imported.items() if name in named or folder == code.folder}
    for name in [name for name in sys.modules if name.partition(".")[0] in again]:
        del sys.modules[name]
    for name in again:
        del _imported[name]
    _projects[:] = [code, *(other for other in _projects if other.folder != code.folder)]
    if ProjectFinder not in sys.meta_path:
        sys.meta_path.insert(0, ProjectFinder)


class ProjectFinder:
    """An import finder that comes before all others. For a file in a project folder that another
    finder would import, it loads the content that was trusted, and refuses a file that was not.
    """

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top = name.partition(".")[0]
        if top in _OWN_PACKAGES and top in sys.modules:
            return None
        found = _spec_from_other_finders(name, path, target)
        if found is not None and found.loader is not None:
            place = _place_in_project(found.origin or "")
            return found if place is None else _trusted_spec(found, *place)
        # nothing, or a folder without code, which does not hide a project's module
        owner = _imported.get(top)
        for code in _projects:
            if name in code.modules and (path is None or code.folder == owner):
                _imported[top] = code.folder
                return _module_spec(name, code)
        if found is None and path is not None and owner is not None:
            raise ModuleNotFoundError(
                f"No module named {name!r} in the project's code as it was trusted", name=name
            )
        return found


def _spec_from_other_finders(
    name: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """The import spec from the finders after `ProjectFinder` in ``sys.meta_path``; None if they
    have none. Finders before it are not asked, since they may ask `ProjectFinder` in turn, as
    coverage tools do.
    """
    own = sys.meta_path.index(ProjectFinder) if ProjectFinder in sys.meta_path else -1
    for finder in sys.meta_path[own + 1 :]:
        if (spec := finder.find_spec(name, path, target)) is not None:
            return spec
    return None


@cache
def _installed_folders() -> tuple[str, ...]:
    """The folders of installed packages, each with a separator at its end."""
    named = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return tuple(
        os.path.join(os.path.realpath(path), "") for path in (*named, site.getusersitepackages())
    )


def _place_in_project(origin: str) -> tuple[ProjectCode, str] | None:
    """The project that a file belongs to, directly or through links, and the file's path in the
    project. None for other files, for packages installed in a project folder, and for built-in
    modules.
    """
    if not os.path.isabs(origin):
        return None
    for path in (os.path.realpath(origin), os.path.normpath(origin)):
        for code in _projects:
            inside = os.path.join(code.folder, "")
            installed = tuple(f for f in _installed_folders() if f.startswith(inside))
            if path.startswith(inside) and not path.startswith(installed):
                return code, Path(path.removeprefix(inside)).as_posix()
    return None


def _trusted_spec(found: ModuleSpec, code: ProjectCode, file: str) -> ModuleSpec:
    """The spec, with trusted content, of a module that another finder found in a project folder.
    Raises ModuleNotFoundError if the file was not trusted.
    """
    if file not in code.files:
        raise ModuleNotFoundError(
            f"No module named {found.name!r} in the project's code as it was trusted:"
            f" {code.folder / file} was added since, or is byte code, hidden, in an archive or in a"
            " virtual environment. Open the project again, or put the source into the folder.",
            name=found.name,
        )
    _imported[found.name.partition(".")[0]] = code.folder
    spec = _file_spec(found.name, code, file, found.submodule_search_locations is not None)
    spec.submodule_search_locations = found.submodule_search_locations
    return spec


def _module_spec(name: str, code: ProjectCode) -> ModuleSpec:
    """The spec of a project module with this name."""
    file, package = code.modules[name]
    if file:
        spec = _file_spec(name, code, file, package)
    else:
        spec = ModuleSpec(name, None, is_package=True)
    if spec.submodule_search_locations is not None:
        spec.submodule_search_locations.append(str(code.folder.joinpath(*name.split("."))))
    return spec


def _file_spec(name: str, code: ProjectCode, file: str, package: bool) -> ModuleSpec:
    """The spec of a module with the trusted content of a file."""
    path, content = str(code.folder / file), code.files[file]
    loader = _SourceLoader if file.endswith(SOURCE_ENDINGS) else _CompiledLoader
    spec = ModuleSpec(name, loader(name, path, content), origin=path, is_package=package)
    spec.has_location = True
    return spec


class _SourceLoader(SourceFileLoader):
    """An import loader for a source file whose content was read before. It does not use byte code
    files.
    """

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    def get_data(self, path: str) -> bytes:
        return self._content if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._content, self.path, "exec", dont_inherit=True)


class _CompiledLoader(ExtensionFileLoader):
    """An import loader for a compiled module that was read before. It loads a private copy of the
    file.
    """

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        with temporary_folder() as folder:
            copy = folder / Path(self.path).name
            copy.write_bytes(self._content)
            return super().create_module(ModuleSpec(spec.name, self, origin=str(copy)))


class ToolsFileError(ForeignError):
    """The ``tools.py`` of a project failed when it was executed. The message names file and
    line.
    """


def run_tools_file(code: ProjectCode) -> ModuleType:
    """Run the ``tools.py`` of a project and return the module. Raises ToolsFileError, which names
    the line, if it fails.

    The other modules of the project can be imported with the content that was read, also later
    while its tools run. They replace modules with the same names of a project that was run before.
    """
    path = code.folder / TOOLS_FILE
    name = f"raybench_project_{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    make_importable(code)
    sys.modules[name] = module  # dataclasses and type hints look their module up by name
    try:
        exec(compile(code.files[TOOLS_FILE], str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ToolsFileError(_error_with_line(error, path)) from error
    return module


def _error_with_line(error: BaseException, path: Path) -> str:
    """The message of an error with the innermost file and line of the project in its traceback."""
    what = error_type_and_message(error)
    if isinstance(error, SyntaxError):
        return (
            f"{error.filename or path}, line {error.lineno or 1}: {type(error).__name__}:"
            f" {error.msg}. Correct it and try again."
        )
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if Path(f.filename).is_relative_to(path.parent)
    ]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(path)
    return f"{where}: {' '.join(what.split()).rstrip('.')}. Correct it and try again."
