"""Whatever people share a scene by: a file, a text file that holds a link or pasted JSON, or the link itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from core.files.document_file import SUFFIX, document_from_json, load_document
from core.files.links import is_link, scene_json_from_link
from core.files.pasted import read_pasted
from core.files.scene_json import read_file
from core.files.versions import digest_on_disk
from core.kinds.object import SceneObject
from core.scene.document import Document
from core.scene.scene import Scene

OWN = (".json", SUFFIX)
"""What the names of files end with that hold a scene and nothing else, and that a scene can be saved to."""


@dataclass(frozen=True)
class Shared:
    """What was shared: a document or, where a text held objects alone, these.

    ``name`` is what to call it: the file's name without its end or, of a link, the scene's. ``path`` is the file that saving may write to:
    None for links and texts, which saving must not replace. ``digest`` is of what that file held (see `digest_on_disk`).
    """

    what: Document | tuple[SceneObject, ...]
    name: str
    path: Path | None
    digest: str | None = None

    @cached_property
    def document(self) -> Document:
        """The document to open; objects alone become the scene of one."""
        return self.what if isinstance(self.what, Document) else Document(scene=Scene.of(self.what))


def read_shared(source: Path | str) -> Shared:
    """Read a scene from a file's path or a link. Raises SceneFileError in one line that names the file or the link's fault.

    ``.json`` and ``.raybench`` files hold a scene; any other file may hold what can be pasted.
    """
    if isinstance(source, str) and ("://" in source or is_link(source)) and not _is_file(source):
        document = document_from_json(scene_json_from_link(source))
        return Shared(document, _file_name(document.scene.name) or "link", None)
    path = Path(source)
    if path.suffix.lower() in OWN:
        digest = digest_on_disk(path)  # first: a file that is written to meanwhile then counts as changed, not as known
        return Shared(load_document(path), path.stem, path, digest)
    return Shared(read_file(path, read_pasted), path.stem, None)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, as links are
        return False


def _file_name(text: str) -> str:
    """A scene's name as a part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:80]
