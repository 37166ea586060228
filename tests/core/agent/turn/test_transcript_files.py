"""The files of conversations: their user's alone, and none that another could have written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import Exchange, Transcript
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.results.ray_set import RaySet

SAID = Transcript((Exchange("How many rays?", TurnFinished("Two.")),))


def written(folder: Path) -> list[Path]:
    files = TranscriptFiles(folder)
    files.queue_transcript(SAID, None, "")
    files.close()
    return [*folder.rglob("*.json")]


def read(folder: Path) -> list[Transcript]:
    files = TranscriptFiles(folder)
    try:
        return files.read(None, Document())
    finally:
        files.close()


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
    files = TranscriptFiles(tmp_path)
    named, other, unnamed = (
        files.read(None, Document(scene=Scene(name=n))) for n in (name, "Telescope", "")
    )
    files.close()
    assert [transcript.title for transcript in named] == ["How many rays?"]
    assert other == unnamed == []
    assert [path.parent.parent for path in tmp_path.rglob("*.json")] == [tmp_path]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("time",), "2026-11-23T22:00:00"),
        (("parts", 0, "rays", "rows"), [10**30]),
        (("parts", 0, "milliseconds"), 10**400),
    ],
    ids=["no offset", "rows", "milliseconds"],
)
def test_a_damaged_one_beside_a_right_one_is_read_or_left_out(
    tmp_path: Path, place: tuple[str | int, ...], value: object
) -> None:
    (path,) = written(tmp_path)
    outcome = ToolOutcome(
        "find_rays", {}, {}, True, RaySet(np.arange(3), "all", 1, "R1"), 1.0, "all", "", ""
    )
    damaged = json.loads(Transcript((Exchange("Which?", TurnFinished("All."), (outcome,)),)).text())
    inner = damaged["exchanges"][0]
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    (path.parent / "damaged.json").write_text(json.dumps(damaged))
    assert "How many rays?" in [transcript.title for transcript in read(tmp_path)]


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
def test_the_conversation_about_a_file_whose_name_is_no_text_is_kept(tmp_path: Path) -> None:
    files = TranscriptFiles(tmp_path / "conversations")
    files.queue_transcript(SAID, tmp_path / "caf\udce9.json", "")
    files.close()
    assert len([*(tmp_path / "conversations").rglob("*.json")]) == 1


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_folder_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (path,) = written(tmp_path / "theirs")
    (tmp_path / "conversations").mkdir(mode=0o700)
    (tmp_path / "conversations" / path.parent.name).symlink_to(path.parent)
    assert read(tmp_path / "conversations") == []
