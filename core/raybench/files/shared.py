"""Opening shared scenes: from a scene file, a text file with a link or pasted JSON, a link, or the
examples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file
from pathlib import Path

from raybench.errors import SceneFileError
from raybench.files.document_file import SUFFIX, document_from_json, load_document
from raybench.files.examples import PREFIX, named_examples
from raybench.files.links import is_link, scene_json_from_link
from raybench.files.pasted import read_pasted
from raybench.files.scene_json import read_file
from raybench.files.versions import digest_on_disk
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench.scene.scene import Scene

OWN = (".json", SUFFIX)
"""Suffixes of scene files, which a document can be saved to."""


@dataclass(frozen=True)
class Shared:
    """A shared document, or the objects of a text that has no whole scene.

    ``name`` is the file's name without its suffix or, for a link, the scene's name. ``path`` is the
    file to save to: None for links, texts and examples, which must not be overwritten. ``digest``
    is that of the file's contents (see `digest_on_disk`). An example is ``shipped``: nothing is
    lost if it is not saved.
    """

    what: Document | tuple[SceneObject, ...]
    name: str
    path: Path | None
    digest: str | None = None
    shipped: bool = False

    @cached_property
    def document(self) -> Document:
        """The document to open; for objects without a scene, a new document with them."""
        return self.what if isinstance(self.what, Document) else Document(scene=Scene.of(self.what))


def read_shared(source: Path | str, *, pipes: bool = True) -> Shared:
    """Read a scene from a file, a link or an example's name. Raises SceneFileError, naming the file
    or the fault of the link.

    ``.json`` and ``.raybench`` files contain a scene or document; any other file may contain text
    as for `read_pasted`, and may be a pipe such as ``/dev/stdin`` if ``pipes`` is set: that is
    waited for until somebody has written to it.
    """
    if isinstance(source, str) and ("://" in source or is_link(source)) and not is_file(source):
        document = document_from_json(scene_json_from_link(source))
        return Shared(document, _file_name(document.scene.name) or "link", None)
    if isinstance(source, str) and source.startswith(PREFIX) and not is_file(source):
        return _read_example(source)
    path = Path(source)
    if path.suffix.lower() in OWN:
        digest = digest_on_disk(
            path
        )  # before reading, so that a write meanwhile counts as a change
        return Shared(load_document(path), path.stem, path, digest)
    return Shared(read_file(path, read_pasted, pipes=pipes), path.stem, None)


def _read_example(name: str) -> Shared:
    known = named_examples()
    if name not in known:
        raise SceneFileError(f"{name}: there is no such example. There are {', '.join(known)}.")
    with as_file(known[name]) as path:
        return Shared(load_document(path), name.removeprefix(PREFIX), None, shipped=True)


def is_file(text: str) -> bool:
    """Whether a text is the name of a file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # not a valid file name, such as a long link
        return False


def _file_name(text: str) -> str:
    """A scene's name converted to a valid file name."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:80]
