"""Code of a project runs as it was trusted and no other: not byte code, not what links lead to, not
what was changed since.
"""

from __future__ import annotations

import importlib
import marshal
import os
import py_compile
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.core.agent.project import registry, write

from raybench.agent.catalogue import project_code
from raybench.agent.catalogue.project_code import (
    InvalidProject,
    ToolsFileError,
    TrustedFolders,
    read_project_code,
)
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.errors import RaybenchError

MAIN = "from raybench_test_part import VALUE\n\ndef main() -> int:\n    return VALUE\n"
LATE = "def main() -> int:\n    import raybench_test_part\n    return raybench_test_part.VALUE\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def main_of(found: ToolRegistry) -> Callable[[], Any]:
    handler = found.find_tool("main").handler
    assert callable(handler)
    return handler


@pytest.mark.security
def test_byte_code_that_was_put_in_the_place_of_a_source_does_not_run(folder: Path) -> None:
    part = folder / "raybench_test_part.py"
    write(folder, tools=MAIN)
    part.write_text("VALUE = 666\n")
    at = part.stat()
    py_compile.compile(str(part))
    part.write_text("VALUE = 1\n  ")
    os.utime(part, ns=(at.st_atime_ns, at.st_mtime_ns))
    assert part.stat().st_size == at.st_size, "Python itself would believe the byte code"
    (folder / "__pycache__").chmod(0o755)
    assert main_of(registry(folder))() == 1


def test_no_byte_code_is_written_into_the_folder(folder: Path) -> None:
    write(folder, tools=MAIN)
    (folder / "raybench_test_part.py").write_text("VALUE = 1\n")
    assert main_of(registry(folder))() == 1
    assert {p.name for p in folder.iterdir()} == {"tools.py", "raybench_test_part.py"}


@pytest.mark.parametrize(
    "place", ["raybench_test_part.pyc", "package/__init__.pyc", "package/inner/module.pyo"]
)
@pytest.mark.security
def test_byte_code_without_its_source_is_refused(folder: Path, place: str) -> None:
    write(folder, tools=MAIN)
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile("VALUE = 666", "x", "exec"))
    )
    with pytest.raises(
        InvalidProject,
        match=(
            r"is byte code without its source, which nobody can read. Remove it, or add the source"
        ),
    ):
        registry(folder).find_tool("main")
    path.with_suffix(".py").write_text("VALUE = 1\n")
    assert (
        read_project_code(folder).files[Path(place).with_suffix(".py").as_posix()] == b"VALUE = 1\n"
    )


@pytest.mark.parametrize(
    "what",
    ["a package", "a module", "tools.py", "a compiled module", "a package inside of another"],
)
@pytest.mark.security
def test_links_to_code_are_refused(folder: Path, tmp_path: Path, what: str) -> None:
    write(folder, tools=LATE)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "__init__.py").write_text("VALUE = 666\n")
    link = folder / "raybench_test_part"
    if what == "a package":
        link.symlink_to(outside)
    elif what == "a package inside of another":
        (folder / "inner").mkdir()
        link = folder / "inner" / "linked"
        link.symlink_to(outside)
    else:
        link = (
            folder
            / {
                "a module": "raybench_test_part.py",
                "tools.py": "tools.py",
                "a compiled module": "part.so",
            }[what]
        )
        link.unlink(missing_ok=True)
        link.symlink_to(outside / "__init__.py")
    with pytest.raises(
        InvalidProject, match=f"{link.name} is a link. Code of a project lies in its own folder"
    ):
        registry(folder).find_tool("main")


def test_links_to_data_are_no_matter_and_nothing_is_imported_through_them(
    folder: Path, tmp_path: Path
) -> None:
    write(folder, tools="def main() -> int:\n    import data.deep.part\n")
    (tmp_path / "measured/deep").mkdir(parents=True)
    (tmp_path / "measured/table.csv").write_text("1,2")
    (tmp_path / "measured/deep/part.py").write_text("raise SystemExit(1)")
    (folder / "data").symlink_to(tmp_path / "measured")
    with pytest.raises(ModuleNotFoundError):
        main_of(registry(folder))()


@pytest.mark.security
def test_many_links_to_a_folder_of_many_files_are_looked_through_soon(folder: Path) -> None:
    (folder / "many").mkdir()
    for i in range(2_000):
        (folder / "many" / f"{i}.txt").touch()
    (folder / "links").mkdir()
    for i in range(2_000):
        (folder / "links" / f"link{i}").symlink_to("../many")
    begun = time.thread_time()
    assert read_project_code(folder).files == {}
    assert time.thread_time() - begun < 5


def test_files_beside_a_linked_tools_file_are_not_imported(folder: Path, tmp_path: Path) -> None:
    """Such a folder is refused as a whole: its tools.py would be another one tomorrow."""
    outside = tmp_path / "outside"
    outside.mkdir()
    write(outside, tools=MAIN)
    (outside / "raybench_test_part.py").write_text("VALUE = 666\n")
    (folder / "tools.py").symlink_to(outside / "tools.py")
    trusted = TrustedFolders(tmp_path / "trusted.json")
    with pytest.raises(InvalidProject, match="is a link"):
        ToolRegistry((), folder, trusted.trust(lambda code: True)).find_tool("main")
    assert not trusted.file.exists()


@pytest.mark.security
def test_what_a_tool_imports_late_is_what_was_trusted(folder: Path) -> None:
    write(folder, tools=LATE)
    (folder / "raybench_test_part.py").write_text("VALUE = 1\n")
    late = main_of(registry(folder))
    (folder / "raybench_test_part.py").write_text("VALUE = 666\n")
    assert late() == 1


@pytest.mark.parametrize(
    "name",
    [
        "raybench_test_package.later",
        "raybench_test_package.inner.later",
        "raybench_test_space.later",
    ],
)
def test_what_a_tool_imports_late_from_a_package_is_what_was_trusted(
    folder: Path, name: str
) -> None:
    write(folder, tools=f"def main() -> int:\n    from {name} import VALUE\n    return VALUE\n")
    path = folder.joinpath(*name.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True)
    if "space" not in name:
        (folder / "raybench_test_package/__init__.py").write_text("")
    path.write_text("VALUE = 1\n")
    late = main_of(registry(folder))
    path.write_text("VALUE = 666\n")
    assert late() == 1


@pytest.mark.security
def test_a_module_that_was_added_after_the_trust_is_not_imported(folder: Path) -> None:
    (folder / "raybench_test_package").mkdir()
    (folder / "raybench_test_package/__init__.py").write_text("")
    write(
        folder,
        tools=(
            "import importlib, raybench_test_package\n\ndef main(name: str) -> None:\n   "
            " importlib.import_module(name)\n"
        ),
    )
    main: Any = main_of(registry(folder))
    (folder / "raybench_test_added.py").write_text("")
    (folder / "raybench_test_package/added.py").write_text("")
    with pytest.raises(ModuleNotFoundError):
        main("raybench_test_added")
    with pytest.raises(ModuleNotFoundError, match="in the project's code as it was trusted"):
        main("raybench_test_package.added")


ON_PATH = """
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / name) for name in ("vendor-1.0", "lib.zip", ".hidden", "link")]

def main(name: str = "raybench_test_vendored") -> int:
    import importlib
    return importlib.import_module(name).VALUE
"""


@pytest.mark.parametrize("name", ["raybench_test_vendored", "raybench_test_wide.part"])
@pytest.mark.security
def test_what_is_imported_by_a_path_within_the_folder_is_what_was_trusted(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    write(folder, tools=ON_PATH)
    part = folder.joinpath("vendor-1.0", *name.split(".")).with_suffix(".py")
    part.parent.mkdir(parents=True)
    part.write_text("VALUE = 1\n")
    main: Any = main_of(registry(folder))
    part.write_text("VALUE = 666\n")
    py_compile.compile(str(part))
    assert main(name) == 1
    main = main_of(registry(folder))
    assert main(name) == 666, "it is trusted now"


@pytest.mark.parametrize(
    "place",
    [
        "vendor-1.0/raybench_test_planted.py",
        "vendor-1.0/raybench_test_planted/__init__.py",
        "vendor-1.0/raybench_test_planted.pyc",
        "lib.zip",
        ".hidden/raybench_test_planted.py",
        "link/raybench_test_planted.py",
    ],
)
@pytest.mark.security
def test_what_a_path_within_the_folder_brings_and_was_not_trusted_is_refused(
    folder: Path, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    write(folder, tools=ON_PATH)
    (folder / "vendor-1.0").mkdir()
    main: Any = main_of(registry(folder))
    source = tmp_path / "outside/raybench_test_planted.py"
    source.parent.mkdir()
    source.write_text("VALUE = 666\n")
    path = folder / place
    if place.startswith("link"):
        path.parent.symlink_to(source.parent)
    elif place.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(source, source.name)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("VALUE = 666\n")
        if place.endswith(".pyc"):
            py_compile.compile(str(source), str(path))
    importlib.invalidate_caches()
    with pytest.raises(
        ModuleNotFoundError, match="was added since, or is byte code, hidden, in an"
    ):
        main("raybench_test_planted")


def test_the_current_folder_brings_no_other_code_than_the_trusted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Python was started in the project's folder, its own search would find the files as they
    are now.
    """
    write(folder, tools=LATE)
    (folder / "raybench_test_part.py").write_text("VALUE = 1\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", str(folder), *sys.path])
    late = main_of(registry(folder))
    (folder / "raybench_test_part.py").write_text("VALUE = 666\n")
    assert late() == 1


def test_installed_modules_go_before_a_projects(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name in ("json", "time", "colorsys", "numpy"):
        (folder / f"{name}.py").write_text("VALUE = 666\n")
        monkeypatch.delitem(sys.modules, name, raising=False) if name == "colorsys" else None
    write(
        folder,
        tools=(
            "import colorsys, json, numpy, time\n\ndef main() -> list:\n    return [json, numpy,"
            " time, colorsys]\n"
        ),
    )
    assert not any(hasattr(module, "VALUE") for module in main_of(registry(folder))())


@pytest.mark.parametrize(
    "name",
    [
        "part.py",
        "part.so",
        "part.pyd",
        "package/__init__.py",
        "package/part.py",
        "space/deep/part.py",
        "part.cpython-311-x86_64-linux-gnu.so",
        "vendor-1.0/part.py",
        "lib/python3.11/part.py",
        "vendor/part.pth",
    ],
)
def test_whatever_could_be_imported_is_part_of_what_is_trusted(folder: Path, name: str) -> None:
    write(folder, tools="x = 1\n")
    before = read_project_code(folder).digest
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"one")
    after = read_project_code(folder).digest
    path.write_bytes(b"two")
    assert len({before, after, read_project_code(folder).digest}) == 3


def test_what_no_import_finds_is_no_part_of_what_is_trusted(folder: Path) -> None:
    write(folder, tools="x = 1\n")
    before = read_project_code(folder).digest
    for name in (
        "notes.txt",
        ".venv/lib/a.py",
        "venv/pyvenv.cfg",
        "venv/lib/python3.11/site-packages/a.py",
        "__pycache__/tools.cpython-311.pyc",
        "scene.json",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    assert read_project_code(folder).digest == before


@pytest.mark.security
def test_a_compiled_module_is_loaded_as_it_was_trusted(folder: Path) -> None:
    compiled = pytest.importorskip("scipy._lib._fpumode").__file__
    assert compiled is not None
    path = folder / Path(compiled).name
    path.write_bytes(Path(compiled).read_bytes())
    write(folder, tools="def main() -> object:\n    import _fpumode\n    return _fpumode\n")
    late = main_of(registry(folder))
    path.write_bytes(b"not what was trusted")
    module = late()
    assert isinstance(module, ModuleType)
    assert module.get_fpu_mode is not None


def test_a_pipe_that_is_named_like_a_module_is_refused(folder: Path) -> None:
    write(folder, tools="x = 1\n")
    os.mkfifo(folder / "part.py")
    with pytest.raises(InvalidProject, match=r"part\.py is not a regular file"):
        read_project_code(folder)


@pytest.mark.parametrize(
    ("name", "limit"), [("MOST_FILES", 3), ("MOST_BYTES", 30), ("MOST_ENTRIES", 3)]
)
@pytest.mark.security
def test_a_folder_with_too_much_code_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    monkeypatch.setattr(project_code, name, limit)
    for i in range(5):
        (folder / f"part{i}.py").write_text("# ten bytes\n")
    with pytest.raises(InvalidProject, match="Make a folder for the project alone"):
        read_project_code(folder)


def test_a_file_of_any_size_is_refused_without_reading_it_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_code, "MOST_BYTES", 1000)
    with (folder / "part.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(
        InvalidProject, match=r"part\.py: this cannot be read \(larger than 1,000 bytes\)"
    ):
        read_project_code(folder)


@pytest.mark.parametrize(
    ("swapped", "content"),
    [
        ("raybench_test_part.py", "VALUE = 666\n"),
        ("tools.py", 'main = (lambda: 666, {"signature": "() -> :int"})\n'),
    ],
)
@pytest.mark.security
def test_code_that_was_changed_between_the_question_and_the_run_does_not_run(
    folder: Path, tmp_path: Path, swapped: str, content: str
) -> None:
    write(folder, tools=MAIN)
    (folder / "raybench_test_part.py").write_text("VALUE = 1\n")

    def swap(code: object) -> bool:
        (folder / swapped).write_text(content)
        return True

    assert (
        main_of(ToolRegistry((), folder, TrustedFolders(tmp_path / "trusted.json").trust(swap)))()
        == 1
    )


@pytest.mark.security
def test_a_list_of_trusted_folders_that_others_could_write_trusts_nothing(
    folder: Path, tmp_path: Path
) -> None:
    write(folder, tools="x = 1\n")
    trusted = TrustedFolders(tmp_path / "config/trusted.json")
    before = os.umask(0)
    try:
        trusted.add(read_project_code(folder))
    finally:
        os.umask(before)
    assert read_project_code(folder) in trusted
    trusted.file.chmod(0o666)
    assert read_project_code(folder) not in trusted


def test_the_line_of_an_error_in_a_module_of_the_project_is_reported(folder: Path) -> None:
    write(folder, tools="import raybench_test_part\n")
    (folder / "raybench_test_part.py").write_text("x = 1\n1 / 0\n")
    with pytest.raises(ToolsFileError, match=r"raybench_test_part\.py, line 2: ZeroDivisionError"):
        registry(folder).find_tool("main")


def test_where_trust_cannot_be_remembered_the_remedy_is_told(folder: Path, tmp_path: Path) -> None:
    write(folder, tools="x = 1\n")
    (tmp_path / "config").write_text("a file in the place of the folder")
    with pytest.raises(
        RaybenchError,
        match=r"cannot be remembered \(.+\)\. RAYBENCH_CONFIG_DIR can name another folder\.",
    ):
        TrustedFolders(tmp_path / "config/trusted.json").add(read_project_code(folder))
