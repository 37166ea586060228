"""Importing from a project's code: modules are loaded from the content that was read and trusted,
not from the files as they are now.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from raybench.agent.catalogue.project_code import SOURCE, ProjectCode
from raybench.system.temporary_folder import temporary_folder

_projects: list[ProjectCode] = []
"""The projects that were run, the latest first."""
_imported: set[str] = set()
"""The top-level names of modules imported from these projects."""


def importable(code: ProjectCode) -> None:
    """Make a project's modules importable, before those of other projects but after all installed
    ones.

    Modules of the same names that were imported from a project before are removed, so that they are
    loaded again.
    """
    names = {name.partition(".")[0] for name in code.modules} & _imported
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]
    _projects[:] = [code, *(other for other in _projects if other.folder != code.folder)]
    if ProjectFinder not in sys.meta_path:
        sys.meta_path.insert(0, ProjectFinder)


class ProjectFinder:
    """Finds the modules of projects. It comes before the finder that reads folders, which would
    find the files as they are now.
    """

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        having = [code for code in _projects if name in code.modules]
        if path is not None:
            if name.partition(".")[0] not in _imported or not _lies_in(path, _projects):
                return None
            if not having:
                raise ModuleNotFoundError(
                    f"No module named {name!r} in the project's code as it was trusted", name=name
                )
            return _spec(name, having[0])
        if not having:
            return None
        found = _installed(name, target)
        if found is not None and not _lies_in([found.origin or ""], having):
            return found
        _imported.add(name)
        return _spec(name, having[0])


def _installed(name: str, target: ModuleType | None) -> ModuleSpec | None:
    """The spec of an installed module of this name; a folder without code does not count."""
    for finder in sys.meta_path:
        if (
            finder is not ProjectFinder
            and (spec := finder.find_spec(name, None, target)) is not None
        ):
            return spec if spec.loader is not None else None
    return None


def _lies_in(paths: Sequence[str], projects: Sequence[ProjectCode]) -> bool:
    """Whether one of the paths lies in a project's folder. Built-in modules have no absolute path."""
    real = [Path(path).resolve() for path in paths if os.path.isabs(path)]
    return any(path.is_relative_to(code.folder) for path in real for code in projects)


def _spec(name: str, code: ProjectCode) -> ModuleSpec:
    module = code.modules[name]
    if not module.file:
        spec = ModuleSpec(name, None, is_package=True)
    else:
        path = str(code.folder / module.file)
        loader = _Source if module.file.endswith(SOURCE) else _Compiled
        spec = ModuleSpec(
            name,
            loader(name, path, code.files[module.file]),
            origin=path,
            is_package=module.package,
        )
        spec.has_location = True
    if spec.submodule_search_locations is not None:
        spec.submodule_search_locations.append(str(code.folder.joinpath(*name.split("."))))
    return spec


class _Source(SourceFileLoader):
    """Runs a source that was read before; reads and writes no byte code."""

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    def get_data(self, path: str) -> bytes:
        return self._content if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._content, self.path, "exec", dont_inherit=True)


class _Compiled(ExtensionFileLoader):
    """Loads a compiled module that was read before, from a copy that nobody else can change."""

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        with temporary_folder() as folder:
            copy = folder / Path(self.path).name
            copy.write_bytes(self._content)
            return super().create_module(ModuleSpec(spec.name, self, origin=str(copy)))
