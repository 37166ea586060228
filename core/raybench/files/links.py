"""Links to scenes, as the web application creates them for sharing.

A link is the address of the web application, ``#``, and the scene: MessagePack, compressed as an
LZMA "alone" stream, in URL-safe base64 without padding. Links are untrusted input, so the sizes of
the unpacked data are bounded.
"""

from __future__ import annotations

import base64
import binascii
import lzma
import math
import re
from typing import Any

from raybench.errors import SceneFileError
from raybench.files.scene_json import scene_to_json
from raybench.scene.materials import with_cauchy_only
from raybench.scene.scene import Scene

ADDRESS = "https://phydemo.app/ray-optics/simulator/"
LARGEST = 4_000_000
"""Maximum number of bytes of MessagePack. Known scenes have up to 0.1 MB; Python values take up to
70 times as much.
"""
LARGEST_LIST = 200_000
"""Maximum number of items of a list or mapping: the decoder allocates the claimed number before it
reads the items.
"""
MEMORY = 100_000_000
"""Memory limit of the decompressor in bytes; the web application's own links need 32 MB."""

_PRESET = {"id": lzma.FILTER_LZMA1, "preset": 6, "dict_size": 1 << 25}
# streams with the usual settings begin with the bytes 5D 00 00, which are XQAA in base64
_LINK = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://[^#]*#|#|(?=XQAA))([A-Za-z0-9_+/-]*)={0,2}")


def is_link(text: str) -> bool:
    """Whether a text is a link to a scene, or the part of one after the ``#``. Line breaks inserted
    by mail programs are ignored.
    """
    return _scene_part(text) is not None


def _scene_part(text: str) -> str | None:
    match = _LINK.fullmatch("".join(text.split()).removeprefix("<").removesuffix(">"))
    return match[1] if match else None


def scene_json_from_link(text: str) -> dict[str, Any]:
    """The scene in a link as a JSON value. Raises SceneFileError if there is none or it is too
    large.
    """
    part = _scene_part(text)
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
        raise _damaged() from None
    scene = _plain(_unpacked(_decompressed(packed)))
    if not isinstance(scene, dict):
        raise SceneFileError(
            "this link contains no scene, but something else. Copy it again from the scene's page."
        )
    return scene


_STANDARD = str.maketrans("-_", "+/")


def link_from_scene(scene: Scene) -> str:
    """A link that opens a scene in Raybench and in the web application. Annotations of a
    ``.raybench`` document are not included; materials are replaced by their best fits of Cauchy's
    formula.

    Raises SceneFileError if an unknown property kept in the scene cannot be encoded.
    """
    import msgpack

    try:
        plain = msgpack.packb(_plain(scene_to_json(with_cauchy_only(scene)[0]), "this scene"))
    except (OverflowError, ValueError) as error:
        raise SceneFileError(
            f"this scene cannot be put into a link ({error}). Share it as a file."
        ) from None
    packed = lzma.compress(plain, format=lzma.FORMAT_ALONE, filters=[_PRESET])
    return f"{ADDRESS}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _damaged() -> SceneFileError:
    return SceneFileError("this link is damaged or cut short. Copy the whole address again.")


def _decompressed(packed: bytes) -> bytes:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=MEMORY)
    try:
        out = decompressor.decompress(packed, LARGEST + 1)
    except (lzma.LZMAError, EOFError):
        raise _damaged() from None
    if len(out) > LARGEST:
        raise SceneFileError(
            f"this link unpacks to more than {LARGEST // 1_000_000} MB, more than any scene needs."
            " It is not opened."
        )
    return out


def _unpacked(data: bytes) -> Any:
    import msgpack

    try:
        return msgpack.unpackb(
            data, max_array_len=LARGEST_LIST, max_map_len=LARGEST_LIST, ext_hook=_extension
        )
    except (msgpack.UnpackException, ValueError):
        raise _damaged() from None


def _extension(code: int, data: bytes) -> None:
    """Decode an extension type: JavaScript's undefined becomes null, others are errors."""
    if (code, data) != (0, b"\0"):
        raise _damaged()


def _plain(value: Any, what: str = "this link") -> Any:
    """The value itself. Raises SceneFileError about ``what`` it is in if it cannot be represented
    in JSON.
    """
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as inner:
                if not all(isinstance(k, str) for k in inner):
                    raise _damaged()
                waiting += inner.values()
            case list() as items:
                waiting += items
            case float() as number if not math.isfinite(number):
                raise SceneFileError(
                    f"{what} contains the number {number}, which is not allowed in a scene."
                )
            case None | bool() | int() | float() | str():
                pass
            case _:
                raise _damaged()
    return value
