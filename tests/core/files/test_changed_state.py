"""What the program keeps for itself, damaged in any way: conversations, unsaved changes, trusted
folders, traces. Read or left out.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.changed_text import ODD, changed, changed_value
from tests.core.readers import DOCUMENT, MOST_WORDS

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.project_code import ProjectCode, TrustedFolders
from raybench.agent.turn.transcript import (
    Exchange,
    Transcript,
    transcript_markdown,
    transcript_script,
)
from raybench.agent.turn.transcript_files import TranscriptFiles, UnreadableTranscript
from raybench.errors import RaybenchError, one_line
from raybench.files.recovery import Draft, RecoverySlot, claim_leftovers
from raybench.files.trace_npz import load_npz, save_npz
from raybench.trace.results.ray_set import RaySet
from raybench.trace.trace import trace

COUNT = 5_000 if os.environ.get("RAYBENCH_LONG") else 40
CODE = ProjectCode(Path("/projects/prism"), {"tools.py": b"x = 1\n"})
OTHERS = (
    '{"version": 1, "exchanges": []}',
    "[" * 100_000,
    '{"a": 1e999, "b": -0, "c": "\\ud800"}',
    "9" * 5_000,
    "2026-11-23T22:00:00+99:99",
    *ODD,
)


def conversations(folder: Path) -> Path:
    rays = RaySet(np.arange(3), "rays inside Main Prism", DOCUMENT.revision, "R1")
    outcome = ToolOutcome(
        "find_rays",
        {"glass_name": "Main Prism"},
        {"count": 3},
        True,
        rays,
        1.5,
        "rays inside",
        "Three (R1).",
        "",
        "",
    )
    exchange = Exchange(
        "Which?",
        TurnFinished("Three.", (outcome,)),
        ("So.", outcome),
        DOCUMENT,
        DOCUMENT,
    )
    files = TranscriptFiles(folder)
    files.queue_transcript(Transcript((exchange, exchange)), None, DOCUMENT.scene.name)
    files.queue_transcript(Transcript((exchange,)), None, DOCUMENT.scene.name)
    files.close()
    return min(folder.rglob("*.jsonl"))


def read_conversations(folder: Path, path: Path) -> bool:
    files = TranscriptFiles(folder)
    try:
        listed = files.list_transcripts(None, DOCUMENT)
    finally:
        files.close()
    found = []
    for saved in listed:
        with contextlib.suppress(UnreadableTranscript):
            found.append(saved.read(DOCUMENT))
    for transcript in found:
        json.loads(transcript.text())
        transcript_markdown(transcript.exchanges, transcript.title)
        compile(
            transcript_script(transcript.exchanges, transcript.title, DOCUMENT), "said.py", "exec"
        )
        assert transcript.to_messages() is not None
    return len(found) == 2


def unsaved(folder: Path) -> Path:
    slot = RecoverySlot.create(folder)
    slot.write(Draft(DOCUMENT, Path("/scenes/prism.json"), "0" * 64))
    slot.release()
    return slot.file


def read_unsaved(folder: Path, path: Path) -> bool:
    found = claim_leftovers(folder)
    for leftover in found:
        assert leftover.draft is not None or 0 < len(leftover.fault) < MOST_WORDS
        if leftover.draft is not None:
            assert isinstance(leftover.draft.title, str)
        leftover.slot.release()
    return any(leftover.draft is not None for leftover in found)


def trusted(folder: Path) -> Path:
    found = TrustedFolders(folder / "trusted-folders.json")
    for i in range(30):
        found.add(ProjectCode(Path(f"/projects/{i}"), {"tools.py": f"x = {i}\n".encode()}))
    found.add(CODE)
    return found.file


def read_trusted(folder: Path, path: Path) -> bool:
    found = TrustedFolders(path)
    right = CODE in found
    found.forget_folder(CODE.folder)
    found.add(CODE)
    assert CODE in found
    return right


def traced(folder: Path) -> Path:
    save_npz(trace(DOCUMENT.scene, max_segments=50), path := folder / "prism.npz")
    return path


def read_traced(folder: Path, path: Path) -> bool:
    why = ""
    try:
        result = load_npz(path)
    except RaybenchError as error:
        why = str(error)
    assert why or len(result.segments) == len(result)
    assert len(why) < MOST_WORDS
    return not why


OWN: dict[str, tuple[Callable[[Path], Path], Callable[[Path, Path], bool]]] = {
    "conversations": (conversations, read_conversations),
    "unsaved changes": (unsaved, read_unsaved),
    "trusted folders": (trusted, read_trusted),
    "traces": (traced, read_traced),
}


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Contents with values, letters or bytes changed; cut, empty or of something else."""
    way = chance.randrange(8)
    try:
        text: Any = content.decode()
    except UnicodeDecodeError:
        text = None
    if way < 4 and text is not None:
        lines = [*map(json.loads, text.splitlines() if text.startswith('{"version"') else [text])]
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(lines))
            lines[at] = changed_value(lines[at], chance)
        return "\n".join([*map(json.dumps, lines), ""]).encode("utf-8", "replace")
    if way < 5 and text is not None:
        return changed(text, (text, *OTHERS), chance).encode("utf-8", "replace")
    if way < 5:
        return changed_members(content, chance)
    if way == 5:
        return chance.choice(
            (
                b"",
                b"\0" * 500,
                chance.randbytes(200),
                *(other.encode("utf-8", "replace") for other in OTHERS),
            )
        )
    if way == 6:
        return content[: chance.randrange(len(content))]
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 40))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def changed_members(content: bytes, chance: random.Random) -> bytes:
    """An npz file whose arrays are other ones, of other forms and types, or changed; the archive
    itself is right.
    """
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files}
    for name in chance.choices(sorted(arrays), k=chance.choice((1, 1, 2, 4))):
        array = arrays.get(name)
        match chance.randrange(7):
            case 0:
                arrays.pop(name, None)
            case 1:
                arrays[name] = arrays[chance.choice(sorted(arrays))]
            case 2 if array is not None:
                arrays[name] = array[: len(array) // 2] if array.ndim else array
            case 3:
                arrays[name] = np.array(
                    chance.choice((0, 1e308, np.nan, True, "x", b"x", -(2**63), 1j, "2026-01-01"))
                )
            case 4 if array is not None and array.size and array.dtype.kind in "fiu":
                array = arrays[name] = array.copy()
                whole = None if array.dtype.kind == "f" else np.iinfo(array.dtype)
                odd = (np.nan, np.inf, -1.0, 1e300) if whole is None else (0, whole.max, whole.min)
                array.flat[chance.randrange(array.size)] = chance.choice(odd)
            case 5 if array is not None:
                arrays[name] = (
                    array.astype(chance.choice(("f2", "i1", "u8", "S3", "c16", "?")))
                    if array.dtype.kind in "fiub"
                    else array
                )
            case _ if "meta" in arrays:
                meta = str(arrays["meta"])
                arrays["meta"] = np.array(
                    json.dumps(changed_value(json.loads(meta), chance))
                    if meta.startswith("{")
                    else "[" * 3_000
                )
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("name", OWN)
@pytest.mark.security
def test_what_the_program_keeps_for_itself_is_read_or_left_out_whatever_it_holds(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write, read = OWN[name]
    chance = random.Random(f"{name} {os.environ.get('RAYBENCH_SEED', '')}")
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o700)
    path = write(kept)
    assert read(kept, path)
    content = path.read_bytes()
    right = 0
    for other in (*OTHERS[:5], *(damaged(content, chance) for _ in range(COUNT))):
        mode = path.stat().st_mode
        path.write_bytes(other.encode("utf-8", "replace") if isinstance(other, str) else other)
        path.chmod(mode)
        right += read(kept, path)
        assert all(len(line) < MOST_WORDS and line == one_line(line) for line in caplog.messages)
        caplog.clear()
    shutil.rmtree(kept)
    assert right > 0
