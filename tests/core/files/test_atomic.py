"""Files are replaced whole or not at all, and the previous version is kept."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tracemalloc
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
    ABANDONED_SECONDS,
    FileWriteError,
    backup_path,
    check_writable,
    content_digest,
    digest_on_disk,
    replace_file,
    write_backup,
    write_bytes,
    write_text,
)
from raybench.files.document_file import load_document, save_document
from raybench.files.rays_export import save_csv
from raybench.files.trace_npz import save_npz
from raybench.kinds.blockers import Blocker
from raybench.kinds.sources import PointSource
from raybench.scene.changes import Add, Delete, Move
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
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
            with replace_file(target, mode=mode):
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
        with replace_file(path) as file:
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
    (tmp_path / f".a.json.guessed{atomic.TEMPORARY_SUFFIX}").symlink_to(victim)
    with pytest.raises(FileWriteError):
        write_bytes(path, b"y")
    assert victim.read_bytes() == b"precious"


def test_a_failure_in_the_block_leaves_the_earlier_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"one")

    def interrupted() -> None:
        with replace_file(path) as file:
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
            os.utime(path, (1.0, path.stat().st_mtime - 2 * ABANDONED_SECONDS))
    write_bytes(tmp_path / "a.json", b"whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [young.name, other.name, users.name, "a.json"]
    )


def add_wall(session: Session) -> None:
    session.apply(Add(Blocker(p1=Point(0, 0), p2=Point(9, 9))))


def walls(path: Path) -> int:
    return path.read_text().count('"Blocker"')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.json"


@pytest.fixture
def session(path: Path) -> Session:
    """A session on a file with one wall."""
    first = Session()
    add_wall(first)
    first.save(path)
    return Session.open(path)


def test_every_save_keeps_the_previous_version(session: Session, path: Path) -> None:
    assert not backup_path(path).exists()
    for count in (2, 3):
        add_wall(session)
        session.save()
        assert (walls(path), walls(backup_path(path))) == (count, count - 1)
    session.save()
    assert walls(backup_path(path)) == 2, "a save that changes nothing lost the version before"


def test_a_backup_has_the_permissions_and_the_time_of_the_file(
    session: Session, path: Path
) -> None:
    path.chmod(0o600)
    os.utime(path, ns=(10**18, 10**18))
    backup_path(path).write_text("an older one")
    add_wall(session)
    session.save()
    about = backup_path(path).stat()
    assert (stat.S_IMODE(about.st_mode), about.st_mtime_ns) == (0o600, 10**18)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_system_that_lets_no_permissions_or_times_be_set_is_saved_to(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a network drive which belongs to somebody else: all files have the same
    permissions.
    """

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    path.chmod(0o600)  # those that a new file has here
    for name in ("fchmod", "utime"):
        monkeypatch.setattr(os, name, refused)
    add_wall(session)
    session.save()
    assert (walls(path), walls(backup_path(path))) == (2, 1)


def test_the_backup_of_a_linked_file_lies_beside_the_target(
    session: Session, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "mine.json"
    link.symlink_to(path)
    add_wall(session)
    session.save(link)
    assert link.is_symlink()
    assert walls(path) == 2
    assert backup_path(link) == tmp_path / "scene.json~"
    assert walls(tmp_path / "scene.json~") == 1
    assert list(link.parent.iterdir()) == [link]


@pytest.mark.security
def test_a_backup_is_not_written_through_a_link(
    session: Session, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "victim").write_text("precious")
    backup_path(path).symlink_to("victim")
    add_wall(session)
    session.save()
    assert (tmp_path / "victim").read_text() == "precious"
    assert walls(backup_path(path)) == 1


def test_without_room_for_the_backup_nothing_is_changed(session: Session, path: Path) -> None:
    before = path.read_bytes()
    add_wall(session)
    with full_after(10), pytest.raises(RaybenchError, match="json~: cannot be written"):
        session.save()
    assert path.read_bytes() == before
    assert session.modified


def test_a_missing_or_an_empty_file_needs_no_backup(tmp_path: Path) -> None:
    write_backup(tmp_path / "none.json", b"new")
    (tmp_path / "empty.json").touch()
    write_backup(tmp_path / "empty.json", b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["empty.json"]


def test_a_file_changed_by_another_program_is_noticed_until_saved_or_reloaded(
    session: Session, path: Path
) -> None:
    assert not session.changed_on_disk()
    text = path.read_text()
    about = path.stat()
    path.write_text(text.replace('"x": 9', '"x": 7'))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert session.changed_on_disk(), "same size and time, other contents"
    path.write_text(text)
    assert not session.changed_on_disk(), "the contents are back"
    os.utime(path)
    assert not session.changed_on_disk(), "only touched"
    path.write_text(text.replace('"x": 9', '"x": 7'))
    session.save()
    assert not session.changed_on_disk()
    path.unlink()
    assert not session.changed_on_disk()


def test_a_session_without_a_file_of_its_own_is_never_changed_on_disk(
    session: Session, path: Path
) -> None:
    other = Session(Document(), path)
    path.write_text("{}")
    assert not other.changed_on_disk()
    assert not Session().changed_on_disk()


def test_saving_under_another_name_follows_that_file(
    session: Session, path: Path, tmp_path: Path
) -> None:
    session.save(tmp_path / "other.json")
    path.write_text("{}")
    assert not session.changed_on_disk()
    (tmp_path / "other.json").write_text("{}")
    assert session.changed_on_disk()


def test_reloading_a_file_is_one_step_that_can_be_undone(session: Session, path: Path) -> None:
    add_wall(session)
    mine = session.document
    theirs = Session(Document(scene=Scene(name="theirs")))
    theirs.save(path)
    session.reload()
    assert session.document.scene.name == "theirs"
    assert not session.modified
    assert not session.changed_on_disk()
    assert session.history.undo_text == "scene.json reloaded"
    session.undo()
    assert session.document is mine
    assert session.modified
    session.redo()
    assert not session.modified


@pytest.mark.parametrize("gather", [False, True])
def test_a_turn_before_a_reload_is_reverted_without_a_second_copy_of_what_it_deleted(
    session: Session, gather: bool
) -> None:
    add_wall(session)
    session.save()
    names = [o.title for o in session.document.scene.objects]
    session.apply(Delete(names[0]), merge_key="turn")
    session.reload()
    if gather:
        session.apply(Move(names[-1], 1, 0), merge_key="turn", gather=True)
        session.undo()
    else:
        assert session.revert("turn") == ()
    assert [o.title for o in session.document.scene.objects] == names


def test_a_failed_reload_leaves_the_document(session: Session, path: Path) -> None:
    before = session.document
    path.write_text("{")
    with pytest.raises(RaybenchError, match="not JSON"):
        session.reload()
    assert session.document is before
    assert session.changed_on_disk()


def test_digests_are_of_contents_and_only_of_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    os.mkfifo(tmp_path / "pipe")
    assert digest_on_disk(tmp_path / "a") == content_digest(b"one") != content_digest(b"two")
    assert [digest_on_disk(tmp_path / name) for name in ("pipe", "none", ".")] == [None] * 3


@pytest.mark.security
def test_a_file_of_any_size_takes_no_memory_to_compare_or_to_back_up(tmp_path: Path) -> None:
    path, content = tmp_path / "a", b"[]"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    try:
        assert digest_on_disk(path) != content_digest(content)
        write_backup(path, content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert backup_path(path).stat().st_size == 300_000_000
    assert peak < 20_000_000


def test_documents_with_annotations_have_backups_too(tmp_path: Path) -> None:
    session = Session(Document(unit="cm"))
    path = tmp_path / "mine.raybench"
    session.save(path)
    add_wall(session)
    session.save()
    assert load_document(path).unit == "cm"
    assert walls(backup_path(path)) == 0


@pytest.mark.parametrize("name", ["mine.json", "mine.raybench"])
def test_a_backup_can_be_opened_and_is_not_saved_over(tmp_path: Path, name: str) -> None:
    session = Session()
    for _ in range(2):
        add_wall(session)
        session.save(tmp_path / name)
    opened = Session.open(backup_path(tmp_path / name))
    assert len(opened.document.scene.objects) == 1
    assert opened.path is None
