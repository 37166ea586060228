"""Recovery files: contents, locking, damage, and background writing."""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from full_disk import full_after

from raybench.files.document_file import document_to_json, load_document
from raybench.files.recovery import (
    Draft,
    RecoveryError,
    RecoverySlot,
    RecoveryWriter,
    claim_leftovers,
    recovery_folder,
)
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex


def document(name: str = "Bench") -> Document:
    glass = Glass(path=(Vertex(0, 0), Vertex(9, 0), Vertex(0, 9, True), Vertex(3, 4)), name="Prism")
    scene = Scene.of([glass, Blocker(p1=Point(0, 0), p2=Point(1, 1))])
    return Document(
        scene=Scene(name=name, settings=scene.settings).with_objects(scene.objects),
        unit="cm",
        hidden={glass.key},
    )


def leave(folder: Path, draft: Draft) -> Path:
    """A recovery file as left by a killed program."""
    slot = RecoverySlot.create(folder)
    slot.write(draft)
    slot.release()
    return slot.file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "recovery"


def test_the_folder_is_the_users_or_the_one_that_is_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path))
    assert recovery_folder() == tmp_path / "recovery"
    monkeypatch.delenv("RAYBENCH_STATE_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert recovery_folder() == tmp_path / "xdg" / "raybench" / "recovery"


def test_a_recovered_draft_has_its_path_and_digest(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = Draft(document(), Path("bench.json"), "0123", datetime(2026, 3, 1, 14, 32, tzinfo=UTC))
    leave(folder, before)
    (found,) = claim_leftovers(folder)
    assert found.draft is not None
    assert document_to_json(found.draft.document) == document_to_json(before.document)
    assert (found.draft.path, found.draft.digest, found.draft.time) == (
        tmp_path / "bench.json",
        "0123",
        before.time,
    )
    assert (found.draft.title, found.draft.pid, found.fault) == ("bench.json", os.getpid(), "")


def test_a_document_without_a_file_is_called_by_its_scene() -> None:
    assert Draft(document("Periscope")).title == "Periscope"
    assert Draft(Document()).title == "Untitled"


@pytest.mark.security
def test_recovery_files_are_their_owners_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        file = leave(folder, Draft(document()))
    finally:
        os.umask(before)
    assert {p.name: stat.S_IMODE(p.stat().st_mode) for p in (folder, *folder.iterdir())} == {
        "recovery": 0o700,
        file.name: 0o600,
        file.with_suffix(".lock").name: 0o600,
    }


def test_a_recovery_file_can_be_opened_by_hand_and_leaves_nothing_in_what_is_saved(
    folder: Path, tmp_path: Path
) -> None:
    session = Session.open(leave(folder, Draft(document(), tmp_path / "bench.json")))
    session.save(tmp_path / "mine.raybench")
    assert "recovery" not in json.loads((tmp_path / "mine.raybench").read_text())
    assert load_document(tmp_path / "mine.raybench").scene == document().scene


def test_a_locked_slot_is_not_offered_and_a_leftover_only_once(folder: Path) -> None:
    slot = RecoverySlot.create(folder)
    slot.write(Draft(document()))
    assert claim_leftovers(folder) == []
    slot.release()
    (first,) = claim_leftovers(folder)
    assert claim_leftovers(folder) == []
    first.slot.release()
    (again,) = claim_leftovers(folder)
    again.slot.remove()
    assert claim_leftovers(folder) == []
    assert list(folder.iterdir()) == []


def test_a_running_programs_document_is_not_offered_until_it_is_killed(folder: Path) -> None:
    code = f"""
from pathlib import Path
from raybench.files.recovery import Draft, RecoverySlot
from raybench.scene.document import Document
slot = RecoverySlot.create(Path({str(folder)!r}))
slot.write(Draft(Document()))
print("written", flush=True)
input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "written\n"
        assert claim_leftovers(folder) == []
        program.kill()
    (found,) = claim_leftovers(folder)
    assert found.draft is not None
    assert found.draft.pid == program.pid


def test_the_latest_is_offered_first(folder: Path) -> None:
    for day in (2, 3, 1):
        leave(folder, Draft(document(f"day {day}"), time=datetime(2026, 3, day, tzinfo=UTC)))
    assert [f.draft.title for f in claim_leftovers(folder) if f.draft] == [
        "day 3",
        "day 2",
        "day 1",
    ]


def test_temporary_files_and_locks_of_killed_programs_are_removed(folder: Path) -> None:
    file = leave(folder, Draft(document()))
    (folder / f".{file.name}.0123456789abcdef.tmp").write_text("half")
    (folder / "0000000000000000.lock").touch()
    (folder / ".0000000000000000.raybench.0123456789abcdef.tmp").write_text("half")
    (folder / "notes.txt").write_text("the user's")
    (found,) = claim_leftovers(folder)
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        [file.name, file.with_suffix(".lock").name, "notes.txt"]
    )
    found.slot.remove()
    assert [p.name for p in folder.iterdir()] == ["notes.txt"]


def test_without_a_folder_there_are_no_leftovers(tmp_path: Path) -> None:
    assert claim_leftovers(tmp_path / "none") == []
    (tmp_path / "file").touch()
    assert claim_leftovers(tmp_path / "file") == []


def test_a_damaged_recovery_file_is_reported_and_kept(folder: Path) -> None:
    file = leave(folder, Draft(document("whole")))
    damaged = leave(folder, Draft(document("damaged")))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    whole, bad = claim_leftovers(folder)
    assert whole.draft is not None
    assert whole.slot.file == file
    assert bad.draft is None
    assert bad.fault.startswith(f"{damaged}: ")
    assert "JSON" in bad.fault
    assert damaged.exists()


def test_damaged_metadata_does_not_keep_the_document_from_coming_back(folder: Path) -> None:
    for about in (
        {"path": 5, "digest": [], "time": "yesterday", "pid": "x"},
        None,
        [],
        {"time": "2026-03-01T14:32:00"},
    ):
        file = leave(folder, Draft(document(), Path("/tmp/x.json")))
        file.write_text(json.dumps(json.loads(file.read_text()) | {"recovery": about}))
        (found,) = claim_leftovers(folder)
        assert found.draft is not None
        assert found.draft.path is None
        assert found.draft.document.scene == document().scene
        assert found.draft.time.tzinfo is not None
        found.slot.remove()


def test_arbitrary_damage_does_not_crash_the_search(folder: Path) -> None:
    chance = random.Random(5)
    file = leave(folder, Draft(document(), Path("/tmp/x.json")))
    whole = file.read_bytes()
    damages: list[Callable[[bytes], bytes]] = [
        lambda b: b[: chance.randrange(len(b))],
        lambda b: (
            b[: (i := chance.randrange(len(b)))] + bytes([chance.randrange(256)]) + b[i + 1 :]
        ),
        lambda b: b.replace(
            chance.choice([b'"', b"{", b"[", b":", b"0"]),
            chance.choice([b"", b"]", b"9e999", b"null"]),
            3,
        ),
        lambda b: bytes(len(b)),
        lambda b: b"[" * 100_000,
    ]
    for i in range(300):
        file.write_bytes(damages[i % len(damages)](whole))
        (found,) = claim_leftovers(folder)
        assert (found.draft is None) == bool(found.fault)
        assert len(found.fault.splitlines()) <= 1
        found.slot.release()


@pytest.mark.security
def test_a_folder_that_others_can_write_to_holds_no_recovery_files(
    folder: Path, tmp_path: Path
) -> None:
    leave(folder, Draft(document()))
    folder.chmod(0o777)
    assert claim_leftovers(folder) == []
    with pytest.raises(RecoveryError, match=r"can be written by other users.*RAYBENCH_STATE_DIR"):
        RecoverySlot.create(folder)
    folder.chmod(0o700)
    assert len(claim_leftovers(folder)) == 1
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(RecoveryError, match="is a link"):
        RecoverySlot.create(tmp_path / "link")


# --- writing in the background


@pytest.fixture
def failures() -> list[str]:
    return []


@pytest.fixture
def writer(folder: Path, failures: list[str]) -> Iterator[RecoveryWriter]:
    writer = RecoveryWriter(folder, failures.append, pause=0.01, between=0.02)
    yield writer
    writer.close()


def soon(holds: Callable[[], bool]) -> None:
    """Wait until a condition that another thread fulfils is true."""
    done = threading.Event()
    for _ in range(2000):
        if holds():
            return
        done.wait(0.005)
    raise AssertionError("it never came about")


def files(folder: Path) -> list[Path]:
    return [*folder.glob("*.raybench")] if folder.exists() else []


def name_in(file: Path) -> str:
    return load_document(file).scene.name


def test_only_the_latest_draft_is_written_after_a_delay(
    folder: Path, writer: RecoveryWriter
) -> None:
    written = set()
    for i in range(300):
        writer.put_draft(Draft(document(f"{i}")))
        written |= {name_in(f) for f in files(folder)}
    soon(lambda: [name_in(f) for f in files(folder)] == ["299"])
    assert len(written) < 100


def test_continued_changes_are_written_at_intervals(folder: Path, writer: RecoveryWriter) -> None:
    def put_another() -> bool:
        writer.put_draft(Draft(document("going on")))
        return bool(files(folder))

    soon(put_another)


def test_nothing_is_left_after_saving_or_closing(folder: Path, writer: RecoveryWriter) -> None:
    for end in (writer.discard_draft, writer.close):
        writer.put_draft(Draft(document()))
        soon(lambda: bool(files(folder)))
        end()
        soon(lambda: list(folder.iterdir()) == [])


def test_a_draft_that_was_dropped_at_once_is_never_written(
    folder: Path, writer: RecoveryWriter
) -> None:
    for _ in range(50):
        writer.put_draft(Draft(document()))
        writer.discard_draft()
    writer.put_draft(Draft(document("kept")))
    soon(lambda: [name_in(f) for f in files(folder)] == ["kept"])
    writer.discard_draft()
    soon(lambda: files(folder) == [])


def test_a_recovered_file_stays_until_it_is_replaced(folder: Path, writer: RecoveryWriter) -> None:
    leave(folder, Draft(document("left")))
    (found,) = claim_leftovers(folder)
    writer.put_draft(Draft(document("other")))
    soon(lambda: len(files(folder)) == 2)
    writer.discard_draft()
    writer.take_over(found.slot)
    soon(lambda: files(folder) == [found.slot.file])
    assert name_in(found.slot.file) == "left"
    writer.put_draft(Draft(document("edited")))
    soon(lambda: name_in(found.slot.file) == "edited")
    writer.close()
    assert list(folder.iterdir()) == []


def test_a_failed_write_is_reported_once_and_retried(
    folder: Path, writer: RecoveryWriter, failures: list[str], tmp_path: Path
) -> None:
    writer.put_draft(Draft(document("first")))
    soon(lambda: bool(files(folder)))
    with full_after(100):
        writer.put_draft(Draft(document("second")))
        soon(lambda: bool(failures))
        writer.put_draft(Draft(document("third")))
        assert [name_in(f) for f in files(folder)] == ["first"]
    soon(lambda: [name_in(f) for f in files(folder)] == ["third"])
    assert len(failures) == 1
    assert failures[0].startswith("Unsaved changes are not kept for recovery: ")
    assert str(folder) in failures[0]


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path, failures: list[str]) -> None:
    (tmp_path / "file").touch()
    writer = RecoveryWriter(
        tmp_path / "file" / "recovery", failures.append, pause=0.01, between=0.02
    )
    writer.put_draft(Draft(document()))
    soon(lambda: bool(failures))
    writer.close()
    assert "RAYBENCH_STATE_DIR" in failures[0]
