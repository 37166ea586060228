"""Saves transcripts in the user's data folder, sorted by scene file. A background thread writes
them during a conversation.
"""

import contextlib
import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from raybench.agent.turn.transcript import Transcript
from raybench.errors import elide_text, one_line
from raybench.files.atomic import write_text
from raybench.scene.document import Document
from raybench.system.files import NotPrivate, private_folder, user_folder

MOST = 30
"""Maximum number of transcripts of a scene; older ones are deleted."""
PATIENCE = 5.0
"""Timeout in seconds for joining the thread on closing, in case the disk does not respond."""
REST = 5.0
"""Minimum interval between writes as a multiple of the last one's duration, so that writing uses at
most a sixth of a processor.
"""
UNTITLED = "untitled"
log = logging.getLogger(__name__)


def transcripts_folder() -> Path:
    """The folder of transcripts: in ``RAYBENCH_STATE_DIR`` if that is set, else in the user's data
    folder.
    """
    return user_folder("data") / "conversations"


class TranscriptFiles:
    """The saved transcripts: one folder for each scene file and, for scenes without a file such as
    examples, for each name. Other users cannot read the folders.

    ``failed`` is called in the thread that writes, with a one-line message, when writing starts to
    fail.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: Callable[[str], object] = log.warning
        self._failing = False
        self._wake = threading.Condition()
        self._waiting: dict[str, tuple[Transcript, Path | None, str]] = {}
        self._indices_by_key: dict[str, Path] = {}
        """The file of each transcript that was written; used by the thread only."""
        self._closed = False
        self._thread = threading.Thread(
            target=self._write_queued_transcripts, name="transcripts", daemon=True
        )
        self._thread.start()

    def queue_transcript(self, transcript: Transcript, scene: Path | None, name: str) -> None:
        """Queue a transcript for writing. If it was written for another scene file before, because
        the scene was saved under a new name, its file is moved.

        ``name`` is the scene's own, which distinguishes scenes without a file.
        """
        with self._wake:
            self._waiting[transcript.id] = (transcript, scene, name)
            self._wake.notify()

    def read(self, scene: Path | None, document: Document) -> list[Transcript]:
        """All readable transcripts about a scene, the newest last. The list is empty if other users
        could have written the files.
        """
        found: list[Transcript] = []
        folder = self._transcripts_path(scene, document.scene.name)
        if not folder.is_dir():
            return found
        try:
            for checked in (self.folder, folder):
                private_folder(checked)
        except (OSError, NotPrivate) as error:
            log.warning("conversations are left out: %s", elide_text(str(error)))
            return found
        for path in folder.glob("*.json"):
            try:
                found.append(
                    Transcript.from_json(json.loads(path.read_text(encoding="utf-8")), document)
                )
            except (OSError, ValueError, RecursionError) as error:
                log.warning("%s is left out: %s", path, elide_text(str(error)))
        return sorted(found, key=lambda transcript: transcript.latest)

    def close(self) -> None:
        """Write all queued transcripts and end the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(PATIENCE)

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
            rest = time.monotonic() + REST * (time.monotonic() - start)
            with self._wake:
                while not self._closed and (left := rest - time.monotonic()) > 0:
                    self._wake.wait(left)

    def _write_transcript(self, transcript: Transcript, scene: Path | None, name: str) -> None:
        private_folder(self.folder)
        path = private_folder(self._transcripts_path(scene, name)) / f"{transcript.id}.json"
        write_text(
            path, transcript.text(scene=None if scene is None else str(scene.resolve())), mode=0o600
        )
        earlier = self._indices_by_key.get(transcript.id, path)
        self._indices_by_key[transcript.id] = path
        if earlier != path:
            earlier.unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):  # another window removed it
            files = sorted(path.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in files[:-MOST]:
                old.unlink()


def _text_digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]
