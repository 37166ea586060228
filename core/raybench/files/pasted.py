"""Decoding of pasted text: links, scenes, lists of objects, and answers of language models with
fences, comments and trailing commas.
"""

from __future__ import annotations

import re
from typing import Any

from raybench.errors import SceneFileError
from raybench.files.document_file import document_from_json
from raybench.files.links import is_link, scene_json_from_link
from raybench.files.scene_json import parse
from raybench.files.upgrade import upgraded
from raybench.kinds.object import SceneObject
from raybench.scene.codec import object_from_json
from raybench.scene.document import Document

_ADDRESS = re.compile(r"\s*<?(?:[A-Za-z][A-Za-z0-9+.-]*://|www\.)\S+\s*")
_MARKUP = re.compile(r"\s*<[?!A-Za-z]")
_FENCE = re.compile(r"^[ \t]*(```++|~~~++)[^\n`]*+$", re.MULTILINE)
# strings come first in both, so their contents are left alone; an unterminated string ends with its
# line, for linear time
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])', re.DOTALL)


def read_pasted(text: str) -> Document | tuple[SceneObject, ...]:
    """A pasted scene as a document to open, or pasted objects to insert into the current document.

    Raises SceneFileError, naming the line and column of the text, or the object and property, that
    cannot be read.
    """
    data = scene_json_from_text(text)
    if isinstance(data, list):
        objects = upgraded(data)["objs"] if any(isinstance(o, dict) for o in data) else data
        return tuple(object_from_json(o, i) for i, o in enumerate(objects))
    return document_from_json(data)


def scene_json_from_text(text: str) -> Any:
    """The JSON value in a pasted text: a mapping for a scene, a list for objects to insert (a
    single object gives a list of one).

    Raises SceneFileError, naming line and column of the text, if it is not JSON even without
    fences, comments and trailing commas.
    """
    if not text.strip():
        raise SceneFileError(
            "there is no text to read. Copy a scene, some objects or a link first."
        )
    if is_link(text):
        return scene_json_from_link(text)
    text = _within_fence(text.removeprefix("\ufeff"))
    if other := _other_format(text):
        raise SceneFileError(other)
    data = parse(_only_json(text), lambda value: value)
    if isinstance(data, dict) and isinstance(data.get("type"), str) and "objs" not in data:
        return [data]
    if not isinstance(data, dict | list):
        raise SceneFileError(
            "this is JSON, but neither a scene nor objects. Copy it from its first '{' to its last"
            " '}'."
        )
    return data


def _other_format(text: str) -> str:
    """What a text is that is recognised by its beginning and holds no scene, and what to do with
    it; empty for others.
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


def _only_json(text: str) -> str:
    """The text with comments and last commas replaced by spaces, so that every character keeps its
    line and column.
    """
    return _LAST_COMMA.sub(
        lambda m: " " if m[0] == "," else m[0], _COMMENT.sub(_without_comment, text)
    )


def _within_fence(text: str) -> str:
    """The text with everything outside its first fenced block blanked, if it has one; the closing
    fence may be missing.
    """
    opening = _FENCE.search(text)
    if opening is None:
        return text
    closing = next(
        (m for m in _FENCE.finditer(text, opening.end()) if m[1].startswith(opening[1])), None
    )
    end = closing.start() if closing else len(text)
    return _blank(text[: opening.end()]) + text[opening.end() : end]


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
    return _blank(token)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
