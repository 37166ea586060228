"""The files of conversations: their user's alone, and none that another could have written."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from raybench.agent.answer_check.claims import CheckedPart, SourceCall
from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import Exchange, Transcript
from raybench.agent.turn.transcript_files import (
    SavedTranscript,
    TranscriptFiles,
    UnreadableTranscript,
)
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.results.ray_set import RaySet

SAID = Transcript((Exchange("How many rays?", TurnFinished("Two.")),))


def written(folder: Path, transcript: Transcript = SAID) -> list[Path]:
    files = TranscriptFiles(folder)
    files.queue_transcript(transcript, None, "")
    files.close()
    return [*folder.rglob("*.jsonl")]


def listed(folder: Path, name: str = "") -> list[SavedTranscript]:
    files = TranscriptFiles(folder)
    try:
        return files.list_transcripts(None, Document(scene=Scene(name=name)))
    finally:
        files.close()


def read(folder: Path) -> list[Transcript]:
    return [transcript.read(Document()) for transcript in listed(folder)]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.security
def test_conversations_are_their_users_alone(tmp_path: Path) -> None:
    folder = tmp_path / "conversations"
    (path,) = written(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {stat.S_IMODE(p.stat().st_mode) for p in (folder, path.parent)} == {0o700}
    assert [t.exchanges[0].question for t in read(folder)] == ["How many rays?"]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.security
def test_what_others_could_have_written_is_neither_read_nor_written_to(
    tmp_path: Path, inner: bool
) -> None:
    folder = tmp_path / "conversations"
    (path,) = written(folder)
    (path.parent if inner else folder).chmod(0o777)
    assert read(folder) == []
    assert written(folder) == [path], "nothing is added"


@pytest.mark.parametrize("name", ["Rainbow", "half a pair \ud83d", "../../up"])
def test_scenes_without_a_file_have_conversations_of_their_own_by_name(
    tmp_path: Path, name: str
) -> None:
    files = TranscriptFiles(tmp_path)
    files.queue_transcript(SAID, None, name)
    files.close()
    named, other, unnamed = (listed(tmp_path, n) for n in (name, "Telescope", ""))
    assert [transcript.title for transcript in named] == ["How many rays?"]
    assert other == unnamed == []
    assert [path.parent.parent for path in tmp_path.rglob("*.jsonl")] == [tmp_path]


FOUND = ToolOutcome(
    "find_rays", {}, {"count": 9}, True, RaySet(np.arange(9000), "all", 1, "R1"), 1.0, "all"
)
WHICH = Exchange("Which?", TurnFinished("All.", (FOUND,)), ("So: ", FOUND))


@pytest.mark.parametrize("rays", [9000, 0])
def test_what_is_read_is_what_was_written(tmp_path: Path, rays: int) -> None:
    found = replace(FOUND, rays=RaySet(np.arange(rays), "all", 1, "R1"))
    written(tmp_path, Transcript((replace(WHICH, parts=("So: ", found)),)))
    ((exchange,),) = (transcript.exchanges for transcript in read(tmp_path))
    text, outcome = exchange.parts
    assert isinstance(outcome, ToolOutcome)
    assert (text, outcome.value) == ("So: ", {"count": 9})
    assert outcome.rays is not None
    assert outcome.rays.rows.tolist() == [*range(rays)]
    assert exchange.to_json()["parts"][1]["rays"]["rows"] == [*range(rays)]


@pytest.mark.parametrize("key", ["call", "told"], ids=["present", "earlier"])
def test_checked_parts_name_their_calls(tmp_path: Path, key: str) -> None:
    parts = (
        CheckedPart("9", 0, 1, SourceCall("count", {"of": "rays"}, "R1")),
        CheckedPart("R2", 3, 5, reason="R2 does not exist"),
    )
    turn = replace(WHICH.turn, checked=parts)
    (path,) = written(tmp_path, Transcript((replace(WHICH, turn=turn),)))
    head, line = path.read_text().splitlines()
    record = json.loads(line)
    record["checked"] = [{key: c.pop("call"), **c} for c in record["checked"]]
    path.write_text(f"{head}\n{json.dumps(record)}\n")
    assert [t.exchanges[0].turn.checked for t in read(tmp_path)] == [parts]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("time",), 3),
        (("parts", 1, "rays", "rows"), [10**30]),
        (("parts", 1, "rays", "rows", "packed"), "eJw="),
        (("parts", 1, "result"), "no"),
        (("parts", 1, "milliseconds"), 10**400),
    ],
    ids=["time", "rows", "packed rows", "result", "milliseconds"],
)
def test_a_damaged_one_is_listed_and_says_that_it_cannot_be_read(
    tmp_path: Path, place: tuple[str | int, ...], value: object
) -> None:
    (path,) = written(tmp_path, Transcript((WHICH,)))
    head, line = path.read_text().splitlines()
    inner = record = json.loads(line)
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    path.write_text(f"{head}\n{json.dumps(record)}\n")
    (saved,) = listed(tmp_path)
    with pytest.raises(UnreadableTranscript, match=r"“Which\?” cannot be read: .*jsonl\.$"):
        saved.read(Document())


def test_a_turn_adds_its_line_and_replaces_that_of_the_unfinished_one(tmp_path: Path) -> None:
    unfinished = Exchange("Which?", TurnFinished("", stopped=True), ("So far " * 99,))
    files = TranscriptFiles(tmp_path)
    sizes = []
    for exchanges in ((WHICH,), (WHICH, unfinished), (WHICH, WHICH), (WHICH, WHICH)):
        files._write_transcript(Transcript(exchanges, "talk"), None, "")
        (path,) = tmp_path.rglob("*.jsonl")
        sizes.append((path.stat().st_size, path.stat().st_ino))
    files.close()
    assert len({inode for _, inode in sizes}) == 1, "the file is not written anew"
    assert sizes[2] == sizes[3]
    assert [e.question for e in read(tmp_path)[0].exchanges] == ["Which?"] * 2
    cut = path.read_bytes()[:-9]  # killed while it wrote the last line
    path.write_bytes(cut)
    assert len(read(tmp_path)[0].exchanges) == 1


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
def test_the_conversation_about_a_file_whose_name_is_no_text_is_kept(tmp_path: Path) -> None:
    files = TranscriptFiles(tmp_path / "conversations")
    files.queue_transcript(SAID, tmp_path / "caf\udce9.json", "")
    files.close()
    assert len([*(tmp_path / "conversations").rglob("*.jsonl")]) == 1


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_folder_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (path,) = written(tmp_path / "theirs")
    (tmp_path / "conversations").mkdir(mode=0o700)
    (tmp_path / "conversations" / path.parent.name).symlink_to(path.parent)
    assert read(tmp_path / "conversations") == []
