"""Backups of saved documents, and detection of files changed by other programs."""

from __future__ import annotations

import errno
import os
import stat
import tracemalloc
from pathlib import Path

import pytest
from full_disk import full_after

from raybench.errors import RaybenchError
from raybench.files.document_file import load_document
from raybench.files.versions import backup_of, digest_of, digest_on_disk, keep_previous
from raybench.kinds.blockers import Blocker
from raybench.scene.changes import Add, Delete, Move
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point


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
    assert not backup_of(path).exists()
    for count in (2, 3):
        add_wall(session)
        session.save()
        assert (walls(path), walls(backup_of(path))) == (count, count - 1)
    session.save()
    assert walls(backup_of(path)) == 2, "a save that changes nothing lost the version before"


def test_a_backup_has_the_permissions_and_the_time_of_the_file(
    session: Session, path: Path
) -> None:
    path.chmod(0o600)
    os.utime(path, ns=(10**18, 10**18))
    backup_of(path).write_text("an older one")
    add_wall(session)
    session.save()
    about = backup_of(path).stat()
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
    assert (walls(path), walls(backup_of(path))) == (2, 1)


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
    assert backup_of(link) == tmp_path / "scene.json~"
    assert walls(tmp_path / "scene.json~") == 1
    assert list(link.parent.iterdir()) == [link]


@pytest.mark.security
def test_a_backup_is_not_written_through_a_link(
    session: Session, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "victim").write_text("precious")
    backup_of(path).symlink_to("victim")
    add_wall(session)
    session.save()
    assert (tmp_path / "victim").read_text() == "precious"
    assert walls(backup_of(path)) == 1


def test_without_room_for_the_backup_nothing_is_changed(session: Session, path: Path) -> None:
    before = path.read_bytes()
    add_wall(session)
    with full_after(10), pytest.raises(RaybenchError, match="json~: cannot be written"):
        session.save()
    assert path.read_bytes() == before
    assert session.modified


def test_a_missing_or_an_empty_file_needs_no_backup(tmp_path: Path) -> None:
    keep_previous(tmp_path / "none.json", b"new")
    (tmp_path / "empty.json").touch()
    keep_previous(tmp_path / "empty.json", b"new")
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
    assert digest_on_disk(tmp_path / "a") == digest_of(b"one") != digest_of(b"two")
    assert [digest_on_disk(tmp_path / name) for name in ("pipe", "none", ".")] == [None] * 3


@pytest.mark.security
def test_a_file_of_any_size_takes_no_memory_to_compare_or_to_back_up(tmp_path: Path) -> None:
    path, content = tmp_path / "a", b"[]"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    tracemalloc.start()
    try:
        assert digest_on_disk(path) != digest_of(content)
        keep_previous(path, content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert backup_of(path).stat().st_size == 300_000_000
    assert peak < 20_000_000


def test_documents_with_annotations_have_backups_too(tmp_path: Path) -> None:
    session = Session(Document(unit="cm"))
    path = tmp_path / "mine.raybench"
    session.save(path)
    add_wall(session)
    session.save()
    assert load_document(path).unit == "cm"
    assert walls(backup_of(path)) == 0


@pytest.mark.parametrize("name", ["mine.json", "mine.raybench"])
def test_a_backup_can_be_opened_and_is_not_saved_over(tmp_path: Path, name: str) -> None:
    session = Session()
    for _ in range(2):
        add_wall(session)
        session.save(tmp_path / name)
    opened = Session.open(backup_of(tmp_path / name))
    assert len(opened.document.scene.objects) == 1
    assert opened.path is None
