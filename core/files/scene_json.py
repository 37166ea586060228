"""Scenes in the JSON format of Ray Optics Simulation: any version is read, version 5 is written.

What was read is kept beside the values: a property that was not changed is written back exactly as it stood, unknown ones included,
and a property equal to its default is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from core.errors import RaybenchError, SceneFileError
from core.files.atomic import write_bytes
from core.files.upgrade import VERSION, upgraded
from core.kinds.fields import fields_of
from core.scene.codec import DEEPEST, Mismatch, decode_field, fields_to_json, json_names, kind_of, nesting, object_or_unread, object_to_json
from core.scene.modules.module import Module
from core.scene.scene import Scene
from core.scene.settings import InvalidSetting, Settings


def load_scene(path: Path | str) -> Scene:
    """Read a scene file. Raises SceneFileError in one line; nothing is partly loaded."""
    return read_file(Path(path), lambda text: parse(text, scene_from_json))


def save_scene(scene: Scene, path: Path | str) -> None:
    """Write a scene file, whole or not at all."""
    write_json(Path(path), scene_to_json(scene))


T = TypeVar("T")


def read_file(path: Path, decode: Callable[[str], T]) -> T:
    """What ``decode`` makes of the text in a file; SceneFileError says in one line what is wrong and where."""
    try:
        return decode(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise SceneFileError(f"{path}: there is no such file. Check its name and folder.") from None
    except IsADirectoryError:
        raise SceneFileError(f"{path}: this is a folder. Name a scene file in it.") from None
    except UnicodeDecodeError as error:
        raise SceneFileError(
            f"{path}: this is not a text file (byte {error.start} is not UTF-8). Name a scene, or save its text as UTF-8."
        ) from None
    except OSError as error:
        raise SceneFileError(f"{path}: cannot be read: {error.strerror}.") from None
    except RaybenchError as error:
        raise SceneFileError(f"{path}: {error}") from None


def parse(text: str, decode: Callable[[Any], T]) -> T:
    """What ``decode`` makes of JSON text. NaN and infinities, which JSON does not have, are refused wherever they stand."""
    constants: list[str] = []

    def note(word: str) -> float:
        constants.append(word)
        return float(word)

    def number(word: str) -> float:
        return value if math.isfinite(value := float(word)) else note(word)

    try:
        data = json.loads(text, parse_constant=note, parse_float=number, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise SceneFileError(f"this is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        if isinstance(error, RaybenchError):
            raise
        raise SceneFileError("this JSON holds a number of thousands of digits, which nothing can read. Shorten it.") from None
    if nesting(data) > DEEPEST:
        raise _too_deep()
    decoded = decode(data)
    if constants:
        raise SceneFileError(f"{constants[0]} in line {_line_of(text, constants[0])} is not a number that JSON has. Give a finite number.")
    return decoded


def _too_deep() -> SceneFileError:
    return SceneFileError(f"this JSON is nested too deeply for a scene: more than {DEEPEST} levels. Remove what is nested in it.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys stand once: of a key that stands twice, one value would be lost on saving."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(k for i, (k, _) in enumerate(pairs) if any(k == other for other, _ in pairs[:i]))
        raise SceneFileError(
            f"{json.dumps(twice, ensure_ascii=False)[:60]} stands twice in one object of this JSON. Remove one of the two."
        )
    return found


def _line_of(text: str, word: str) -> int:
    return text.count("\n", 0, text.find(word)) + 1


def write_json(path: Path, data: Any) -> None:
    """Make a file hold JSON. Raises FileWriteError where it cannot be written, and leaves the file as it was."""
    write_bytes(path, json_bytes(data))


def json_bytes(data: Any) -> bytes:
    """The contents of a JSON file."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # half of a surrogate pair, which JSON text may hold and UTF-8 may not, is written as the escape it was
    return text.encode("utf-8", "backslashreplace")


def scene_from_json(data: Any) -> Scene:
    """The scene a JSON value describes. Objects that cannot be read are kept as `Unread` ones, with the reason.

    Raises SceneFileError, naming what is wrong, where the value is no scene or a setting cannot be read.
    """
    data = upgraded(data)
    if not isinstance(data, dict):
        raise SceneFileError(f"a scene is a JSON object, this is {kind_of(data)}.")
    objs = data.get("objs", [])
    if not isinstance(objs, list):
        raise SceneFileError(f"'objs' must be a list of objects, it is {kind_of(objs)}.")
    values = {}
    for f in fields_of(Settings):
        if f.json_name in data:
            try:
                values[f.name] = decode_field(f, data[f.json_name])
            except Mismatch as error:
                raise SceneFileError(f"setting '{f.json_name}' {error}.") from None
    try:
        settings = Settings(**values)
    except InvalidSetting as error:
        raise SceneFileError(str(error)) from None
    name = data.get("name", "")
    modules = data.get("modules") or {}
    if not isinstance(modules, dict):
        raise SceneFileError(f"'modules' must map names to definitions, it is {kind_of(modules)}.")
    scene = Scene(
        settings=settings,
        name=name if isinstance(name, str) else "",
        modules={n: Module.from_json(n, m) for n, m in modules.items()},
        read=data,
    )
    return scene.with_objects(object_or_unread(o, i) for i, o in enumerate(objs))


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """The scene as a JSON value in the format's version 5, ready for `json.dumps`."""
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
    out |= {k: v for k, v in scene.read.items() if k not in out and k not in json_names(Settings) and k not in ("name", "objs")}
    return out
