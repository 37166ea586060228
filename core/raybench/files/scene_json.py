"""Reads and writes scenes in the JSON format of Ray Optics Simulation. All versions can be read;
version 5 is written.

The JSON that was read is kept with the values: unchanged and unknown properties are written back
exactly as they were, and properties equal to their default are omitted.
"""

import itertools
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.upgrade import VERSION, upgrade_scene
from raybench.kinds.fields import described_fields
from raybench.kinds.unread import json_type_words
from raybench.scene.codec import (
    MAX_DEPTH,
    FormMismatch,
    decode_field,
    fields_to_json,
    json_names,
    nesting_depth,
    object_to_json,
    read_object_or_unread,
)
from raybench.scene.modules.module import Module
from raybench.scene.scene import Scene
from raybench.scene.settings import InvalidSetting, Settings
from raybench.system.files import read_bounded

MAX_FILE_BYTES = 256_000_000
"""Maximum bytes of a scene file."""


def load_scene(path: Path | str) -> Scene:
    """Read a scene from a file. Raises SceneFileError."""
    return read_file(Path(path), lambda text: parse_json(text, scene_from_json))


T = TypeVar("T")


def read_file(path: Path, decode: Callable[[str], T], *, pipes: bool = False) -> T:
    """Read the text in a file and return the result of ``decode`` for it. With ``pipes`` the path
    may be that of a pipe, such as ``/dev/stdin``.

    Raises SceneFileError, naming the file, if it cannot be read or decoded.
    """
    try:
        return decode(
            read_bounded(path, MAX_FILE_BYTES, pipes=pipes)
            .decode("utf-8-sig")
            .replace("\r\n", "\n")
            .replace("\r", "\n")
        )
    except FileNotFoundError:
        raise SceneFileError(f"{path}: there is no such file. Check its name and folder.") from None
    except IsADirectoryError:
        raise SceneFileError(f"{path}: this is a folder. Name a scene file in it.") from None
    except UnicodeDecodeError as error:
        raise SceneFileError(
            f"{path}: this is not a text file (byte {error.start} is not UTF-8). Name a scene, or"
            " save its text as UTF-8."
        ) from None
    except OSError as error:
        raise SceneFileError(f"{path}: cannot be read: {error.strerror}.") from None
    except RaybenchError as error:
        raise SceneFileError(f"{path}: {error}") from None


def parse_json(text: str, decode: Callable[[Any], T]) -> T:
    """Parse JSON text and return the result of ``decode`` for its value.

    NaN and infinities, which are not valid JSON, become texts in the objects of a scene. Raises
    SceneFileError for invalid JSON, and for NaN and infinities outside of objects.
    """
    words: list[NotFiniteNumber] = []

    def parse_non_finite(word: str) -> NotFiniteNumber:
        words.append(NotFiniteNumber(word))
        return words[-1]

    def parse_number(word: str) -> float | NotFiniteNumber:
        return value if math.isfinite(value := float(word)) else parse_non_finite(word)

    try:
        data = json.loads(
            text,
            parse_constant=parse_non_finite,
            parse_float=parse_number,
            object_pairs_hook=with_unique_keys,
        )
    except json.JSONDecodeError as error:
        raise SceneFileError(
            f"this is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from None
    except DuplicateKey:
        raise _duplicate_key_error(text) from None
    except RecursionError:
        raise _too_deep_error() from None
    except ValueError as error:
        if isinstance(error, RaybenchError):
            raise
        raise SceneFileError(
            "this JSON contains a number with too many digits. Shorten it."
        ) from None
    if nesting_depth(data) > MAX_DEPTH:
        raise _too_deep_error()
    decoded = decode(data)
    if (word := _number_outside_objects(data)) is not None:
        index = next(i for i, each in enumerate(words) if each is word)
        raise SceneFileError(
            f"{word} in line {_line_of_number(text, index)} is not a JSON number. Give a finite"
            " number."
        )
    return decoded


class NotFiniteNumber(str):
    """The text of a number in a file that is NaN or infinite. The object that contains the number
    is loaded as an object with an invalid value.
    """


def _number_outside_objects(value: Any) -> NotFiniteNumber | None:
    """The first NaN or infinity in a JSON value, not counting those in the objects of a scene."""
    match value:
        case NotFiniteNumber():
            return value
        case dict():
            inner = [v for k, v in value.items() if k != "objs"]
        case list():
            inner = value
        case _:
            return None
    return next((word for v in inner if (word := _number_outside_objects(v)) is not None), None)


_STRING_OR_FLOAT = re.compile(
    r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity|-?\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)'
)


def _line_of_number(text: str, index: int) -> int:
    """The number of the line that contains a NaN or infinity; ``index`` counts the NaNs and
    infinities in the JSON text.
    """
    numbers = (
        t
        for t in _STRING_OR_FLOAT.finditer(text)
        if t[0][0] != '"' and not math.isfinite(float(t[0]))
    )
    return text.count("\n", 0, next(itertools.islice(numbers, index, None)).start()) + 1


def _too_deep_error() -> SceneFileError:
    return SceneFileError(
        f"this JSON is nested too deeply for a scene: more than {MAX_DEPTH} levels. Remove nested"
        " lists and objects."
    )


class DuplicateKey(Exception):
    """A key occurs twice in the same JSON object."""


def with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict from the pairs of a JSON object. Raises DuplicateKey if a key occurs twice, since
    saving would lose one of its values.
    """
    result = dict(pairs)
    if len(result) < len(pairs):
        raise DuplicateKey
    return result


_COLON = re.compile(r"\s*:")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')


def find_repeated_key(text: str) -> tuple[re.Match[str], re.Match[str]]:
    """Find the first key in JSON text that occurs twice in the same object. Returns both
    occurrences.
    """
    objects: list[dict[str, re.Match[str]]] = []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            objects.append({})
        elif token[0] == "}":
            objects.pop()
        elif _COLON.match(text, token.end()):
            first = objects[-1].setdefault(json.loads(token[0]), token)
            if first is not token:
                return first, token
    raise ValueError("no key occurs twice")


def _duplicate_key_error(text: str) -> SceneFileError:
    first, again = find_repeated_key(text)
    line = text.count("\n", 0, again.start()) + 1
    column = again.start() - text.rfind("\n", 0, again.start())
    word = json.dumps(json.loads(first[0]), ensure_ascii=False)[:60]
    return SceneFileError(
        f"{word} occurs twice in one object of this JSON, again in line {line}, column {column}."
        " Remove one of the two."
    )


def json_bytes(data: Any) -> bytes:
    """JSON data encoded as the contents of a file."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # an unpaired surrogate, allowed in JSON but not in UTF-8, is written as an escape sequence
    return text.encode("utf-8", "backslashreplace")


def scene_from_json(data: Any) -> Scene:
    """Decode a scene. An object that cannot be read becomes an `UnreadObject` object with the
    reason.

    Raises SceneFileError if the value is not a scene or a setting cannot be read.
    """
    data = upgrade_scene(data)
    if not isinstance(data, dict):
        raise SceneFileError(f"a scene is a JSON object, this is {json_type_words(data)}.")
    objs = data.get("objs", [])
    if not isinstance(objs, list):
        raise SceneFileError(f"'objs' must be a list of objects, it is {json_type_words(objs)}.")
    values = {}
    for f in described_fields(Settings):
        if f.json_name in data:
            try:
                values[f.name] = decode_field(f, data[f.json_name])
            except FormMismatch as error:
                raise SceneFileError(f"setting '{f.json_name}' {error}.") from None
    try:
        settings = Settings(**values)
    except InvalidSetting as error:
        raise SceneFileError(str(error)) from None
    name = data.get("name", "")
    modules = data.get("modules") or {}
    if not isinstance(modules, dict):
        raise SceneFileError(
            f"'modules' must map names to definitions, it is {json_type_words(modules)}."
        )
    scene = Scene(
        settings=settings,
        name=name if isinstance(name, str) else "",
        modules={n: Module.from_json(n, m) for n, m in modules.items()},
        read=data,
    )
    return scene.with_objects(read_object_or_unread(o, i) for i, o in enumerate(objs))


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """Encode a scene as JSON values in version 5 of the format, for `json.dumps`."""
    out: dict[str, Any] = {"version": VERSION}
    if scene.name:
        out["name"] = scene.name
    elif not isinstance(scene.read.get("name", ""), str):
        out["name"] = scene.read["name"]
    if scene.modules:
        out["modules"] = {name: module.read for name, module in scene.modules.items()}
    elif "modules" in scene.read:
        out["modules"] = scene.read["modules"]
    out["objs"] = [object_to_json(o) for o in scene.objects]
    out |= fields_to_json(scene.settings, scene.read)
    out |= {
        k: v
        for k, v in scene.read.items()
        if k not in out and k not in json_names(Settings) and k not in ("name", "objs")
    }
    return out
