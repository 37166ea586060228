"""Reads shared scenes from files, links and pasted text, and the example scenes.

A link is the address of the web application, ``#``, and the scene: MessagePack, compressed as an
LZMA "alone" stream, in URL-safe base64 without padding. Links are untrusted input, so the sizes of
the unpacked data are bounded. Pasted text may also be an answer of a language model, with fences,
comments and trailing commas.
"""

import base64
import binascii
import json
import lzma
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file
from pathlib import Path
from typing import Any

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.atomic import digest_on_disk
from raybench.files.document_file import SUFFIX, document_from_json, load_document
from raybench.files.examples import EXAMPLE_PREFIX, named_examples
from raybench.files.scene_json import parse_json, read_file, scene_to_json
from raybench.files.upgrade import upgrade_scene
from raybench.kinds.object import SceneObject
from raybench.scene.codec import object_from_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.system.known_formats import describe_format, describe_lens_text
from raybench.system.plugins import load_plugins

ADDRESS = "https://phydemo.app/ray-optics/simulator/"
MAX_MESSAGE_BYTES = 4_000_000
"""Maximum number of bytes of MessagePack. Known scenes have up to 0.1 MB; Python values take up to
70 times as much.
"""
MAX_LIST_ITEMS = 200_000
"""Maximum number of items of a list or mapping: the decoder allocates the claimed number before it
reads the items.
"""
DECOMPRESSOR_MEMORY = 100_000_000
"""Memory limit of the decompressor in bytes; the web application's own links need 32 MB."""

_PRESET = {"id": lzma.FILTER_LZMA1, "preset": 6, "dict_size": 1 << 25}
# streams with the usual settings begin with the bytes 5D 00 00, which are XQAA in base64
_LINK = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://[^#]*#|#|(?=XQAA))([A-Za-z0-9_+/-]*)={0,2}")


def is_scene_link(text: str) -> bool:
    """Whether a text is a link to a scene, or the part of such a link after the ``#``. Line breaks
    that mail programs insert are ignored.
    """
    return _scene_in_link(text) is not None


def _scene_in_link(text: str) -> str | None:
    match = _LINK.fullmatch("".join(text.split()).removeprefix("<").removesuffix(">"))
    return match[1] if match else None


def scene_json_from_link(text: str) -> dict[str, Any]:
    """The JSON value of the scene in a link. Raises SceneFileError if the link contains no scene,
    or a scene that is too large.
    """
    part = _scene_in_link(text)
    if part is None:
        raise SceneFileError(
            "this is not a link to a scene. Copy the whole address, with everything after the '#'."
        )
    if not part.startswith("XQAA"):
        raise SceneFileError(
            "this link contains no scene: after its '#' there is only a name. Open it in a browser,"
            " and share it from there."
        )
    try:
        packed = base64.b64decode(part.translate(_STANDARD) + "=" * (-len(part) % 4), validate=True)
    except binascii.Error:
        raise _damaged_link_error() from None
    scene = _unpack_data(_decompress_data(packed))
    try:
        json.dumps(scene, allow_nan=False)
    except ValueError as error:
        raise SceneFileError(
            f"this link contains a number that is not allowed in a scene ({error})."
        ) from None
    except (TypeError, RecursionError):
        raise _damaged_link_error() from None
    if not isinstance(scene, dict):
        raise SceneFileError(
            "this link contains no scene, but something else. Copy it again from the scene's page."
        )
    return scene


_STANDARD = str.maketrans("-_", "+/")


def link_from_scene(scene: Scene) -> str:
    """Make a link that opens a plain scene in Raybench and in the web application, see
    `raybench.files.plain_scene.plain_scene`.

    Raises SceneFileError if an unknown property kept in the scene cannot be encoded.
    """
    import msgpack

    try:
        plain = msgpack.packb(scene_to_json(scene))
    except (OverflowError, ValueError) as error:
        raise SceneFileError(
            f"this scene cannot be put into a link ({error}). Share it as a file."
        ) from None
    packed = lzma.compress(plain, format=lzma.FORMAT_ALONE, filters=[_PRESET])
    return f"{ADDRESS}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _damaged_link_error() -> SceneFileError:
    return SceneFileError("this link is damaged or cut short. Copy the whole address again.")


def _decompress_data(packed: bytes) -> bytes:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=DECOMPRESSOR_MEMORY)
    try:
        out = decompressor.decompress(packed, MAX_MESSAGE_BYTES + 1)
    except (lzma.LZMAError, EOFError):
        raise _damaged_link_error() from None
    if len(out) > MAX_MESSAGE_BYTES:
        raise SceneFileError(
            f"this link unpacks to more than {MAX_MESSAGE_BYTES // 1_000_000} MB, more than any"
            " scene needs. It is not opened."
        )
    return out


def _unpack_data(data: bytes) -> Any:
    import msgpack

    try:
        return msgpack.unpackb(
            data,
            max_array_len=MAX_LIST_ITEMS,
            max_map_len=MAX_LIST_ITEMS,
            ext_hook=_decode_extension,
        )
    except (msgpack.UnpackException, ValueError):
        raise _damaged_link_error() from None


def _decode_extension(code: int, data: bytes) -> None:
    """Decode an extension type in the data of a link: the JavaScript value undefined becomes None.
    Raises an error for other types.
    """
    if (code, data) != (0, b"\0"):
        raise _damaged_link_error()


_ADDRESS = re.compile(r"\s*<?(?:[A-Za-z][A-Za-z0-9+.-]*://|www\.)\S+\s*")
_MARKUP = re.compile(r"\s*<[?!A-Za-z]")
_FENCE = re.compile(r"^[ \t]*(```++|~~~++)[^\n`]*+$", re.MULTILINE)
# strings come first in both, so their contents are left alone; an unterminated string ends with its
# line, for linear time
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])', re.DOTALL)


def read_pasted_text(text: str) -> Document | tuple[SceneObject, ...]:
    """Read a pasted text: a scene gives a document to open, objects without a scene are returned as
    a tuple, to be inserted into the current document.

    Raises SceneFileError, naming the line and column of the text, or the object and property, that
    cannot be read.
    """
    data = scene_json_from_text(text)
    if isinstance(data, list):
        objects = upgrade_scene(data)["objs"] if any(isinstance(o, dict) for o in data) else data
        return tuple(object_from_json(o, i) for i, o in enumerate(objects))
    return document_from_json(data)


def scene_json_from_text(text: str) -> Any:
    """The JSON value in a pasted text: a dict for a scene, or a list of objects, which has one item
    for a single object.

    Raises SceneFileError, naming line and column of the text, if it is not JSON even without
    fences, comments and trailing commas.
    """
    if not text.strip():
        raise SceneFileError(
            "there is no text to read. Copy a scene, some objects or a link first."
        )
    if is_scene_link(text):
        return scene_json_from_link(text)
    text = _blank_outside_fence(text.removeprefix("\ufeff"))
    if other := _describe_other_format(text):
        raise SceneFileError(other)
    # spaces in place of comments and last commas: every character keeps its line and column
    text = _COMMENT.sub(_without_comment, text)
    text = _LAST_COMMA.sub(lambda m: " " if m[0] == "," else m[0], text)
    data = parse_json(text, lambda value: value)
    if isinstance(data, dict) and isinstance(data.get("type"), str) and "objs" not in data:
        return [data]
    if not isinstance(data, dict | list):
        raise SceneFileError(
            "this is JSON, but neither a scene nor objects. Copy it from its first '{' to its last"
            " '}'."
        )
    return data


def _describe_other_format(text: str) -> str:
    """A description of a text that contains no scene, with advice on how to open it, if its format
    is recognised; otherwise empty.
    """
    if _ADDRESS.fullmatch(text):
        return (
            "this is an address without a scene. Copy the link of a scene with everything after its"
            " '#' (File → Open link), or save the file at this address and open that."
        )
    if _MARKUP.match(text):
        if "<svg" in text:
            return (
                "this is an SVG drawing. Save it as a file with the suffix .svg, and choose File →"
                " Import drawing."
            )
        return "this is a web page or another XML text. Copy a scene, some objects or a link."
    return ""


def _blank_outside_fence(text: str) -> str:
    """The text with everything outside its first fenced code block replaced by blanks, if it has
    such a block. The closing fence may be missing.
    """
    opening = _FENCE.search(text)
    if opening is None:
        return text
    closing = next(
        (m for m in _FENCE.finditer(text, opening.end()) if m[1].startswith(opening[1])), None
    )
    end = closing.start() if closing else len(text)
    return _replace_with_spaces(text[: opening.end()]) + text[opening.end() : end]


def _without_comment(match: re.Match[str]) -> str:
    token = match[0]
    if token.startswith('"'):
        return token
    if token.startswith("/*") and not (token.endswith("*/") and len(token) >= 4):
        line, column = (
            match.string.count("\n", 0, match.start()) + 1,
            match.start() - match.string.rfind("\n", 0, match.start()),
        )
        raise SceneFileError(
            f"the comment that begins in line {line}, column {column} has no end. Close it with */."
        )
    return _replace_with_spaces(token)


def _replace_with_spaces(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


SCENE_SUFFIXES = (".json", SUFFIX)
"""Suffixes of scene files, which a document can be saved to."""
LENS_SUFFIXES = (".zmx", ".seq", ".len")
"""Suffixes of lens files."""


@dataclass(frozen=True)
class SharedContent:
    """The content of a file, link or text: a document, or objects without a scene.

    ``name`` is the file's name without its suffix or, for a link, the scene's name. ``path`` is the
    file to save to: None for links, texts and examples, which must not be overwritten. ``digest``
    is the hash of the file (see `digest_on_disk`). With ``is_example``, nothing is lost if the
    document is not saved. ``notes`` say how the document differs from a lens file.
    """

    what: Document | tuple[SceneObject, ...]
    name: str
    path: Path | None
    digest: str | None = None
    is_example: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def document(self) -> Document:
        """The document to open. Objects without a scene become a new document."""
        return self.what if isinstance(self.what, Document) else Document(scene=Scene.of(self.what))


def read_shared(source: Path | str, *, pipes: bool = True) -> SharedContent:
    """Read a scene from a file, from a link, or by the name of an example. Raises SceneFileError,
    which names the file or describes the fault of the link.

    ``.json`` and ``.raybench`` files contain a scene or document, files with an ending in
    `LENS_SUFFIXES` a lens. Any other file contains text as for `read_pasted_text`. With ``pipes``
    it may be a pipe such as ``/dev/stdin``; reading waits until a process has written to the pipe.
    """
    if (
        isinstance(source, str)
        and ("://" in source or is_scene_link(source))
        and not names_existing_file(source)
    ):
        document = document_from_json(scene_json_from_link(source))
        name = re.sub(r"[^\w.-]+", "-", document.scene.name).strip("-.")[:80]
        return SharedContent(document, name or "link", None)
    if (
        isinstance(source, str)
        and source.startswith(EXAMPLE_PREFIX)
        and not names_existing_file(source)
    ):
        known = named_examples()
        if source not in known:
            known_names = ", ".join(known)
            raise SceneFileError(f"{source}: there is no such example. There are {known_names}.")
        with as_file(known[source]) as path:
            return SharedContent(
                load_document(path), source.removeprefix(EXAMPLE_PREFIX), None, is_example=True
            )
    path = Path(source)
    try:
        return _read_path(path, pipes)
    except SceneFileError:
        if sentence := describe_format(path) or describe_lens_text(path):
            raise SceneFileError(f"{path}: {sentence}") from None
        raise


def _read_path(path: Path, pipes: bool) -> SharedContent:
    if path.suffix.lower() in SCENE_SUFFIXES:
        digest = digest_on_disk(
            path
        )  # before reading, so that a write meanwhile counts as a change
        return SharedContent(load_document(path), path.stem, path, digest)
    if path.suffix.lower() in LENS_SUFFIXES:
        from raybench.lens.opening import open_lens  # loads the presets

        document, notes = open_lens(path)
        return SharedContent(document, path.stem, None, notes=notes)
    if (importer := importers().get(path.suffix.lower())) is not None:
        return SharedContent(_read_with_importer(importer, path), path.stem, None)
    return SharedContent(read_file(path, read_pasted_text, pipes=pipes), path.stem, None)


Importer = Callable[[Path], Scene | Document]
"""Reads a file of another format."""


@cache
def importers() -> Mapping[str, Importer]:
    """The importers that other packages provide, by file name suffix, such as ``.xyz``."""
    found: dict[str, Importer] = {}
    load_plugins("importers", lambda name, read: found.setdefault(f".{name.lower()}", read))
    return found


def _read_with_importer(importer: Importer, path: Path) -> Document:
    try:
        read = importer(path)
    except (RaybenchError, OSError) as error:
        raise SceneFileError(f"{path}: {error}") from None
    except Exception as error:
        raise SceneFileError(
            f"{path}: it cannot be read: {type(error).__name__}: {error}"
        ) from error
    return read if isinstance(read, Document) else Document(scene=read)


def names_existing_file(text: str) -> bool:
    """Whether a text is the path of an existing file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # not a valid file name, such as a long link
        return False
