"""Saves transcripts in the user's data folder, by scene file. A background thread writes them
during a conversation.

The first line of a file describes the conversation; each further line is an exchange. So a list of
conversations needs only first lines, and a turn appends a line.
"""

import contextlib
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any
from weakref import ref

from raybench.agent.turn.transcript import (
    VERSION,
    Exchange,
    Transcript,
    parse_time,
    state_digest,
)
from raybench.errors import RaybenchError, elide_text, one_line
from raybench.files.atomic import replace_file
from raybench.scene.document import Document
from raybench.system.files import NotPrivate, private_folder, user_folder

MOST_TRANSCRIPTS = 30
"""Maximum number of transcripts of a scene; older ones are deleted."""
JOIN_TIMEOUT = 5.0
"""Timeout in seconds for joining the thread on closing, in case the disk does not respond."""
REST_FACTOR = 5.0
"""Minimum interval between writes as a multiple of the last one's duration, so that writing uses at
most a sixth of a processor.
"""
UNTITLED = "untitled"
TRANSCRIPT_SUFFIX = ".jsonl"
MOST_TITLE_CHARACTERS = 200
"""Maximum characters of a title in a file."""
MOST_FIRST_LINE_BYTES = 65_536
"""Maximum bytes of the first line of a file."""
log = logging.getLogger(__name__)


def transcripts_folder() -> Path:
    """The folder of transcripts: in ``RAYBENCH_STATE_DIR`` if it is set, else in the user's data
    folder.
    """
    return user_folder("data") / "conversations"


class UnreadableTranscript(RaybenchError):
    """A saved transcript cannot be read; the message says why."""


@dataclass(frozen=True)
class SavedTranscript:
    """The first line of a transcript file, and ``latest_time``, the time at which the file was last
    written.
    """

    path: Path
    id: str
    title: str
    started: datetime
    latest_time: datetime

    @classmethod
    def from_file(cls, path: Path) -> "SavedTranscript":
        """Read the first line of a transcript file. Raises OSError or ValueError if it is not a
        transcript.
        """
        with path.open("rb") as file:
            head = json.loads(file.readline(MOST_FIRST_LINE_BYTES))
            latest = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
        try:
            if head["version"] != VERSION:
                raise ValueError(f"a transcript of version {head['version']}")
            started = parse_time(head["started"])
            return cls(path, str(head["id"]), str(head["title"]), started, latest)
        except (KeyError, TypeError) as error:
            raise ValueError(f"no transcript: {type(error).__name__} {error}") from None

    def read(self, document: Document) -> Transcript:
        """Read the whole transcript, as a conversation about ``document``. Raises
        UnreadableTranscript.
        """
        digest, exchanges = state_digest(document), list[Exchange]()
        try:
            with self.path.open("rb") as file:
                file.readline()
                for line in file:
                    if line.endswith(b"\n"):  # else the program was killed while it wrote it
                        record = json.loads(line)
                        exchanges.append(Exchange.from_record(record, document, digest))
        except (OSError, ValueError, RecursionError) as error:
            raise UnreadableTranscript(
                f"The conversation “{elide_text(self.title, 60)}” cannot be read:"
                f" {elide_text(one_line(str(error)))}. Its file is {self.path}."
            ) from None
        return Transcript(tuple(exchanges), self.id, self.started)


@dataclass
class _WrittenTranscript:
    """What the thread has written of a transcript: the exchanges, and the offsets at which the
    first line and each exchange end.
    """

    path: Path
    exchanges: list[ref[Exchange]]
    ends: list[int]


class TranscriptFiles:
    """The saved transcripts, one folder for each scene file, or for each name of a scene without a
    file, such as an example. Other users cannot read the folders.

    ``failed`` is called in the writing thread, with a one-line message, when writing begins to
    fail.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: Callable[[str], object] = log.warning
        self._failing = False
        self._wake = threading.Condition()
        self._waiting: dict[str, tuple[Transcript, Path | None, str]] = {}
        self._written: dict[str, _WrittenTranscript] = {}
        """The transcripts that were written, by their ids; used by the thread only."""
        self._closed = False
        self._thread = threading.Thread(
            target=self._write_queued_transcripts, name="transcripts", daemon=True
        )
        self._thread.start()

    def queue_transcript(self, transcript: Transcript, scene: Path | None, name: str) -> None:
        """Queue a transcript for writing. If it was written for another scene file before, because
        the scene was saved under a new name, its file is moved. ``name`` distinguishes scenes
        without a file.
        """
        with self._wake:
            self._waiting[transcript.id] = (transcript, scene, name)
            self._wake.notify()

    def list_transcripts(self, scene: Path | None, document: Document) -> list[SavedTranscript]:
        """The transcripts about a scene, the newest last. Empty if other users could have written
        the files.
        """
        found: list[SavedTranscript] = []
        folder = self._transcripts_path(scene, document.scene.name)
        if not folder.is_dir():
            return found
        try:
            for checked in (self.folder, folder):
                private_folder(checked)
        except (OSError, NotPrivate) as error:
            log.warning("conversations are left out: %s", elide_text(str(error)))
            return found
        for path in folder.glob(f"*{TRANSCRIPT_SUFFIX}"):
            try:
                found.append(SavedTranscript.from_file(path))
            except (OSError, ValueError, RecursionError) as error:
                log.warning("%s is left out: %s", path, elide_text(str(error)))
        return sorted(found, key=lambda transcript: transcript.latest_time)

    def close(self) -> None:
        """Write all queued transcripts and end the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(JOIN_TIMEOUT)

    def _transcripts_path(self, scene: Path | None, name: str) -> Path:
        if scene is not None:
            return self.folder / _text_digest(os.fsencode(scene.resolve()))
        return self.folder / (
            f"{UNTITLED}-{_text_digest(name.encode(errors='surrogatepass'))}" if name else UNTITLED
        )

    def _write_queued_transcripts(self) -> None:
        while True:
            with self._wake:
                while not (self._waiting or self._closed):
                    self._wake.wait()
                waiting, self._waiting = self._waiting, {}
                if not waiting:
                    return
            start = time.monotonic()
            for transcript, scene, name in waiting.values():
                try:
                    self._write_transcript(transcript, scene, name)
                except Exception as error:  # any error is reported, and the thread continues
                    if not self._failing:
                        self.failed(
                            "The conversation is not kept for the next start:"
                            f" {one_line(str(error))}"
                        )
                    self._failing = True
                else:
                    self._failing = False
            rest = time.monotonic() + REST_FACTOR * (time.monotonic() - start)
            with self._wake:
                while not self._closed and (left := rest - time.monotonic()) > 0:
                    self._wake.wait(left)

    def _write_transcript(self, transcript: Transcript, scene: Path | None, name: str) -> None:
        """Append the exchanges that the file lacks, or write all of them to a new file."""
        private_folder(self.folder)
        path = (
            private_folder(self._transcripts_path(scene, name))
            / f"{transcript.id}{TRANSCRIPT_SUFFIX}"
        )
        earlier = self._written.pop(transcript.id, None)
        if earlier is None or earlier.path != path or _size(path) != earlier.ends[-1]:
            head = {
                "version": VERSION,
                "id": transcript.id,
                "started": transcript.started.isoformat(),
                "title": elide_text(transcript.title, MOST_TITLE_CHARACTERS),
                "scene": None if scene is None else str(scene.resolve()),
            }
            ends: list[int] = []
            with replace_file(path, mode=0o600) as file:
                for record in (head, *(e.to_json(compact=True) for e in transcript.exchanges)):
                    file.write(_json_line(record))
                    ends.append(file.tell())
            if earlier is not None and earlier.path != path:
                earlier.path.unlink(missing_ok=True)
        else:
            pairs = zip(earlier.exchanges, transcript.exchanges, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0]() is pair[1], pairs))
            ends = earlier.ends[: same + 1]
            with path.open("r+b") as file:
                file.seek(ends[-1])
                for exchange in transcript.exchanges[same:]:
                    file.write(_json_line(exchange.to_json(compact=True)))
                    ends.append(file.tell())
                file.truncate()
        self._written[transcript.id] = _WrittenTranscript(
            path, [*map(ref, transcript.exchanges)], ends
        )
        with contextlib.suppress(FileNotFoundError):  # another window removed it
            files = sorted(
                path.parent.glob(f"*{TRANSCRIPT_SUFFIX}"), key=lambda file: file.stat().st_mtime
            )
            for old in files[:-MOST_TRANSCRIPTS]:
                old.unlink()


def _json_line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _size(path: Path) -> int | None:
    """The size of a file; None if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def _text_digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]
