"""Attachments of workers: which files are accepted, and their content blocks."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from raybench.agent.models.protocol import Block
from raybench.agent.turn.history import text_block
from raybench.errors import RaybenchError, named

IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
MOST_TEXT = 60_000
"""Maximum number of characters of an attached text."""


@dataclass(frozen=True)
class AttachmentPolicy:
    """Limits of attachments: number, total bytes, and file suffixes (any if empty)."""

    max_count: int = 4
    max_bytes: int = 10_000_000
    suffixes: tuple[str, ...] = ()

    def check(self, worker: str, paths: Iterable[Path]) -> None:
        """RaybenchError for the first violation."""
        paths = list(paths)
        if len(paths) > self.max_count:
            raise RaybenchError(
                f"{worker} takes at most {self.max_count} attachments, {len(paths)} were given."
            )
        for path in paths:
            if self.suffixes and path.suffix.lower() not in self.suffixes:
                raise RaybenchError(
                    f"{worker} takes no {path.suffix or 'file without an ending'}: {path}. It takes"
                    f" {', '.join(self.suffixes)}."
                )
            if not path.is_file():
                raise RaybenchError(f"{path}: there is no such file to attach.")
        total = sum(path.stat().st_size for path in paths)
        if total > self.max_bytes:
            raise RaybenchError(
                f"{worker} takes at most {self.max_bytes} bytes of attachments, these are {total}."
            )


def attached_block(path: Path) -> Block:
    """The content block of a file: an image, or text for any other type."""
    try:
        data = path.read_bytes()
        if media := IMAGES.get(path.suffix.lower()):
            return {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": media,
                    "data": base64.b64encode(data).decode(),
                },
            }
        text = data.decode("utf-8")
    except OSError as error:
        raise RaybenchError(f"{path}: this attachment cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise RaybenchError(
            f"{path}: this attachment is neither a picture nor text. Attach one of these."
        ) from None
    more = f"\n[cut: {len(text)} characters in all]" if len(text) > MOST_TEXT else ""
    return text_block(f"[Attached file {named(path.name)}]\n{text[:MOST_TEXT]}{more}")
