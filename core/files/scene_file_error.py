"""The one error of reading and writing scene files."""

from __future__ import annotations

from core.errors import RaybenchError, one_line


class SceneFileError(RaybenchError):
    """A file, a link or a text cannot be read or written as a scene; the text names it, the object and the remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))
