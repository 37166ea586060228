"""Atomic replacement of files: permissions, symbolic links, and failures."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from full_disk import full_after
from ordinary_user import folder_of_ordinary_user, ordinary_user

from raybench.agent.catalogue.project_code import ProjectCode, TrustedFolders
from raybench.errors import RaybenchError
from raybench.files import atomic
from raybench.files.atomic import (
    ABANDONED,
    FileWriteError,
    check_writable,
    replacing,
    write_bytes,
    write_text,
)
from raybench.files.document_file import save_document
from raybench.files.rays_csv import save_csv
from raybench.files.trace_npz import save_npz
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_the_contents_are_replaced_and_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_bytes(path, b"one")
    write_text(path, "two \ud83d ü")
    assert path.read_bytes() == "two \\ud83d ü".encode()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_its_permissions_by_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    with umask(mask):
        write_bytes(tmp_path / "a.json", b"")
    assert permissions(tmp_path / "a.json") == mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_an_existing_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"one")
    path.chmod(mode)
    with umask(0o022):
        write_bytes(path, b"two")
    assert permissions(path) == mode


def test_a_private_file_is_private_from_its_creation_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"one")
    path.chmod(0o600)
    seen: list[int] = []
    opened = os.open

    def looked_at(path: Path, flags: int, *mode: int) -> int:
        descriptor = opened(path, flags, *mode)
        if flags & os.O_CREAT:
            seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    monkeypatch.setattr(os, "open", looked_at)
    with umask(0):
        for target, mode in ((path, None), (tmp_path / "b.json", 0o600)):
            with replacing(target, mode=mode):
                assert all(permissions(p) == 0o600 for p in tmp_path.iterdir())
    assert seen == [0o600, 0o600]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can give files away"
)
def test_the_owner_of_a_file_keeps_it_when_the_superuser_saves(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"one")
    os.chown(path, 12345, 23456)
    write_bytes(path, b"two")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_a_symbolic_link_is_kept_and_its_target_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link, chain = (
        tmp_path / "real" / "a.json",
        tmp_path / "link.json",
        tmp_path / "chain.json",
    )
    target.write_bytes(b"one")
    link.symlink_to(Path("real") / "a.json")
    chain.symlink_to(link)
    write_bytes(chain, b"two")
    assert chain.is_symlink()
    assert link.is_symlink()
    assert target.read_bytes() == b"two"
    assert list(target.parent.iterdir()) == [target]


def test_the_target_of_a_dangling_link_is_made(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to("a.json")
    write_bytes(link, b"one")
    assert link.is_symlink()
    assert (tmp_path / "a.json").read_bytes() == b"one"


def test_a_symbolic_link_itself_can_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"one")
    link = tmp_path / "link.json"
    link.symlink_to("a.json")
    write_bytes(link, b"two", follow_links=False)
    assert not link.is_symlink()
    assert (tmp_path / "a.json").read_bytes() == b"one"


@pytest.mark.security
def test_a_planted_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    """The name of the temporary file is unpredictable, and an existing file of that name is not
    opened.
    """
    victim, path = tmp_path / "victim", tmp_path / "a.json"
    victim.write_bytes(b"precious")
    names = set()
    for _ in range(3):
        with replacing(path) as file:
            file.write(b"x")
            names |= {p.name for p in tmp_path.iterdir()} - {"victim", "a.json"}
    assert len(names) == 3
    (tmp_path / ".a.json.saving").symlink_to(victim)
    write_bytes(path, b"y")
    assert victim.read_bytes() == b"precious"


@pytest.mark.security
def test_a_link_with_the_very_name_of_the_temporary_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic.secrets, "token_hex", lambda _count: "guessed")
    victim, path = tmp_path / "victim", tmp_path / "a.json"
    victim.write_bytes(b"precious")
    (tmp_path / f".a.json.guessed{atomic.ENDING}").symlink_to(victim)
    with pytest.raises(FileWriteError):
        write_bytes(path, b"y")
    assert victim.read_bytes() == b"precious"


def test_a_failure_in_the_block_leaves_the_earlier_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"one")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"two")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path))
    document = Document(scene=Scene.of([PointSource(x=i, y=i) for i in range(100)]))
    result = trace(document.scene.with_settings(ray_mode_density=0.5))
    writers = {
        "scene.json": lambda path: save_document(document, path),
        "document.raybench": lambda path: save_document(document, path),
        "light.npz": lambda path: save_npz(result, path),
        "light.csv": lambda path: save_csv(result, path),
        "trusted-folders.json": (
            lambda path: TrustedFolders().add(ProjectCode(tmp_path / ("long" * 50), {}))
        ),
    }
    for name, write in writers.items():
        path = tmp_path / name
        path.write_text("{}")
        with full_after(100), pytest.raises(RaybenchError) as caught:
            write(path)
        assert str(caught.value).startswith(f"{path}: cannot be written: ")
        assert "Choose" in str(caught.value)
        assert path.read_text() == "{}"
    assert {p.name for p in tmp_path.iterdir()} == set(writers)
    for name, write in writers.items():
        write(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none/a.json", "Create the folder"),
        ("file/a.json", "parents are folders"),
        ("folder", "Add a file name"),
        ("n" * 300, "shorter name"),
        ("pipe", "a device or a pipe"),
        ("a\0b", "no file can have this name. Choose another name"),
        ("loop", "loop of symbolic links"),
    ],
)
@pytest.mark.parametrize(
    "write", [check_writable, partial(write_bytes, content=b"two")], ids=["beforehand", "written"]
)
def test_write_errors_name_the_file_and_the_remedy(
    tmp_path: Path, name: str, words: str, write: Callable[[Path], None]
) -> None:
    (tmp_path / "file").write_bytes(b"one")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FileWriteError, match=words) as caught:
        write(tmp_path / name)
    assert str(tmp_path / name).replace("\0", "\\x00") in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.fixture
def ordinary_folder() -> Iterator[Path]:
    """A folder that belongs to an ordinary user, as whom the test goes on: the superuser may write
    anywhere.
    """
    with folder_of_ordinary_user() as folder, ordinary_user():
        yield folder


def test_a_write_protected_file_is_not_replaced_though_its_folder_could_be_written(
    ordinary_folder: Path,
) -> None:
    path = ordinary_folder / "a.json"
    path.write_bytes(b"one")
    path.chmod(0o444)
    for write in (check_writable, partial(write_bytes, content=b"two")):
        with pytest.raises(FileWriteError, match="Allow writing to the file"):
            write(path)
    assert path.read_bytes() == b"one"
    assert list(ordinary_folder.iterdir()) == [path]


def test_in_a_write_protected_folder_the_earlier_file_is_whole(ordinary_folder: Path) -> None:
    path = ordinary_folder / "a.json"
    path.write_bytes(b"one")
    ordinary_folder.chmod(0o555)
    for write in (check_writable, partial(write_bytes, content=b"two")):
        with pytest.raises(FileWriteError, match="its folder"):
            write(path)
    assert path.read_bytes() == b"one"


def test_what_can_be_written_is_found_writable_and_stays_as_it_was(tmp_path: Path) -> None:
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    link.symlink_to(path)
    for _ in range(2):
        check_writable(path)
        check_writable(link)
        assert (
            sorted(p.name for p in tmp_path.iterdir() if p.exists())
            == ["a.json", "link.json"] * path.exists()
        )
        path.write_bytes(b"one")
    assert path.read_bytes() == b"one"


def test_temporary_files_of_killed_programs_are_removed_on_the_next_save(tmp_path: Path) -> None:
    old, young = tmp_path / f".a.json.{'0' * 16}.tmp", tmp_path / f".a.json.{'1' * 16}.tmp"
    other, users = tmp_path / f".b.json.{'0' * 16}.tmp", tmp_path / ".a.json.notes.tmp"
    for path in (old, young, other, users):
        path.write_bytes(b"half")
        if path is not young:
            os.utime(path, (1.0, path.stat().st_mtime - 2 * ABANDONED))
    write_bytes(tmp_path / "a.json", b"whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [young.name, other.name, users.name, "a.json"]
    )
