"""Scenes in the JSON format of Ray Optics Simulation: any version is read, version 5 is written.

What was read is kept beside the values: a property that was not changed is written back exactly as it stood, unknown ones included,
and a property equal to its default is left out.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from core.errors import RaybenchError, elided, in_quotes
from core.files.scene_file_error import SceneFileError as SceneFileError
from core.files.upgrade import VERSION, upgraded
from core.kinds.custom_surfaces import OutRay
from core.kinds.fields import Field, fields_of
from core.kinds.kinds import KINDS
from core.kinds.object import InvalidObject, SceneObject
from core.kinds.unread import Unread, UnreadDecoration
from core.scene.modules.module import Module
from core.scene.scene import Scene
from core.scene.settings import InvalidSetting, Observer, Settings
from core.shapes.bezier import CurveNode
from core.shapes.point import Point, Vertex

DEEPEST = 200
"""Levels of lists and objects that are read; a scene has about ten."""


class _Mismatch(Exception):
    """A JSON value does not have the form its field needs."""


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
    if _depth(data) > DEEPEST:
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


def _depth(data: Any) -> int:
    """How many lists and objects stand in each other."""
    depth, level = 0, [data]
    while level := [v for v in level if isinstance(v, dict | list)]:
        depth += 1
        level = [inner for v in level for inner in (v.values() if isinstance(v, dict) else v)]
    return depth


def _line_of(text: str, word: str) -> int:
    return text.count("\n", 0, text.find(word)) + 1


def write_json(path: Path, data: Any) -> None:
    """Replace a file's contents with JSON in one step, so that a failure leaves the old contents."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    beside = path.with_name(f".{path.name}.saving")
    try:
        # half of a surrogate pair, which JSON text may hold and UTF-8 may not, is written as the escape it was
        beside.write_bytes(text.encode("utf-8", "backslashreplace"))
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise SceneFileError(f"{path}: cannot be written: {error.strerror}. The file is as it was.") from None


def scene_from_json(data: Any) -> Scene:
    """The scene a JSON value describes; SceneFileError names the object and property that cannot be read."""
    data = upgraded(data)
    if not isinstance(data, dict):
        raise SceneFileError(f"a scene is a JSON object, this is {_kind_of(data)}.")
    objs = data.get("objs", [])
    if not isinstance(objs, list):
        raise SceneFileError(f"'objs' must be a list of objects, it is {_kind_of(objs)}.")
    values = {}
    for f in fields_of(Settings):
        if f.json_name in data:
            try:
                values[f.name] = _decode(f, data[f.json_name])
            except _Mismatch as error:
                raise SceneFileError(f"setting '{f.json_name}' {error}.") from None
    try:
        settings = Settings(**values)
    except InvalidSetting as error:
        raise SceneFileError(str(error)) from None
    name = data.get("name", "")
    modules = data.get("modules") or {}
    if not isinstance(modules, dict):
        raise SceneFileError(f"'modules' must map names to definitions, it is {_kind_of(modules)}.")
    scene = Scene(
        settings=settings,
        name=name if isinstance(name, str) else "",
        modules={n: Module.from_json(n, m) for n, m in modules.items()},
        read=data,
    )
    return scene.with_objects(object_from_json(o, i) for i, o in enumerate(objs))


def object_from_json(data: Any, index: int = 0) -> SceneObject:
    """The object a JSON value describes. Unknown kinds and unfinished objects become `Unread` ones.

    Raises SceneFileError, naming the object by its place and name, where a property cannot be read.
    """
    if not isinstance(data, dict):
        raise SceneFileError(f"object {index} must be a JSON object, it is {_kind_of(data)}.")
    type_, name = data.get("type"), data.get("name")
    name = name if isinstance(name, str) else ""
    kind = KINDS.get(type_) if isinstance(type_, str) else None
    if kind is None:
        return _unread(data, name, f"objects of type {elided(json.dumps(type_), 60)} are not supported")
    values: dict[str, Any] = {}
    for f in fields_of(kind):
        if data.get(f.json_name) is None and (f.required or f.json_name == "name"):
            if f.about.kind == "points":  # an instance of a module without points
                values[f.name] = ()
            elif f.required:
                return _unread(data, name, f"it is not finished: '{f.json_name}' is missing")
            continue
        if f.json_name in data:
            try:
                values[f.name] = _decode(f, data[f.json_name])
            except _Mismatch as error:
                who = f"object {index} {in_quotes(name)}" if name else f"object {index}"
                raise SceneFileError(f"{who} ({type_}): '{f.json_name}' {error}.") from None
    if data.get("notDone") is True:
        return _unread(data, name, "it is not finished")
    try:
        return kind(read=data, **values)
    except InvalidObject as error:
        raise SceneFileError(f"object {index}: {error}") from None


def _unread(data: Mapping[str, Any], name: str, reason: str) -> Unread:
    """An unfinished object keeps its place among the optical ones; one of an unknown kind has none, as the format has it."""
    type_ = data.get("type")
    optical = isinstance(type_, str) and type_ in KINDS and KINDS[type_].optical
    kind = Unread if optical else UnreadDecoration
    return kind(name=name, read=data, reason=f"{reason}.")


def _decode(f: Field, value: Any) -> Any:
    if value is None and f.default is None:
        return None
    match f.about.kind:
        case "number" | "coordinate":
            return _number(value)
        case "limit":
            limit = math.inf if value is None or value == "Infinity" else _number(value)
            return max(0.0, limit)
        case "flag":
            if not isinstance(value, bool):
                raise _Mismatch(f"must be true or false, it is {_kind_of(value)}")
            return value
        case "text":
            if not isinstance(value, str):
                raise _Mismatch(f"must be text, it is {_kind_of(value)}")
            return value
        case "choice":
            if value not in f.about.choices:
                raise _Mismatch(f"must be one of {list(f.about.choices)}, it is {json.dumps(value)[:60]}")
            return value
        case "point":
            return _point(value)
        case "path":
            if not isinstance(value, list):
                raise _Mismatch(f"must be a list of points, it is {_kind_of(value)}")
            return tuple(Vertex(*_point(v, f"[{i}]"), v.get("arc") is True) for i, v in enumerate(value))
        case "points":
            if not isinstance(value, list):
                raise _Mismatch(f"must be a list of points, it is {_kind_of(value)}")
            return tuple(_point(v, f"[{i}]") for i, v in enumerate(value))
        case "curve":
            if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
                raise _Mismatch(f"must be a list of nodes, it is {_kind_of(value)}")
            return tuple(_node(v, i) for i, v in enumerate(value))
        case "numbers":
            if not isinstance(value, list):
                raise _Mismatch(f"must be a list of numbers, it is {_kind_of(value)}")
            return tuple(_number(v) for v in value)
        case "out_rays":
            if not isinstance(value, list):
                raise _Mismatch(f"must be a list of rays, it is {_kind_of(value)}")
            return tuple(_out_ray(v, i) for i, v in enumerate(value))
        case _:
            if f.name == "observer" and value is not None:
                if not isinstance(value, dict):
                    raise _Mismatch(f"must hold c and r, it is {_kind_of(value)}")
                return Observer(_point(value.get("c")), _number(value.get("r")))
            if f.name == "random_seed" and value is not None and not isinstance(value, str):
                return str(_plain(_number(value)))
            return f.default if isinstance(f.default, tuple) and value == list(f.default) else value


def _number(value: Any) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise _Mismatch(f"must be a number, it is {json.dumps(value)[:60]}") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _Mismatch(f"must be a number, it is {_kind_of(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _Mismatch(f"must be a finite number, it is {number}")
    return number


def _point(value: Any, where: str = "") -> Point:
    if not isinstance(value, dict) or "x" not in value or "y" not in value:
        raise _Mismatch(f"{where} must be a point with x and y, it is {_kind_of(value)}".strip())
    try:
        return Point(_number(value["x"]), _number(value["y"]))
    except _Mismatch as error:
        raise _Mismatch(f"{where} {error}".strip()) from None


def _node(value: Mapping[str, Any], index: int) -> CurveNode:
    controls = (_point(value[k], f"[{index}].{k}") if value.get(k) is not None else None for k in ("c1", "c2"))
    return CurveNode(_point(value.get("a1"), f"[{index}].a1"), *controls)


def _out_ray(value: Any, index: int) -> OutRay:
    formulas = [value.get(k) for k in ("eqnTheta", "eqnP")] if isinstance(value, dict) else []
    if not formulas or not all(isinstance(f, str) or (isinstance(f, (int, float)) and not isinstance(f, bool)) for f in formulas):
        raise _Mismatch(f"[{index}] must hold the formulas eqnTheta and eqnP")
    return OutRay(*(str(f) for f in formulas))


def _kind_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"


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
    out |= _fields_to_json(scene.settings, scene.read)
    out |= {k: v for k, v in scene.read.items() if k not in out and k not in _names(Settings) and k not in ("name", "objs")}
    return out


def object_to_json(obj: SceneObject) -> dict[str, Any]:
    """An object as a JSON value. One that could not be read is returned as it was."""
    if isinstance(obj, Unread):
        return dict(obj.read)
    out = {"type": obj.type} | _fields_to_json(obj, obj.read)
    return out | {k: v for k, v in obj.read.items() if k not in out and k not in _names(type(obj))}


def _names(kind: type) -> frozenset[str]:
    return frozenset(f.json_name for f in fields_of(kind))


def _fields_to_json(value: Any, read: Mapping[str, Any]) -> dict[str, Any]:
    out = {}
    for f in fields_of(type(value)):
        now = getattr(value, f.name)
        encoded = read[f.json_name] if _unchanged(f, now, read) else _encode(f, now)
        default = _encode(f, () if f.about.kind == "points" else None) if f.required else _encode(f, f.default)
        if encoded != default or (f.json_name in read and f.required):
            out[f.json_name] = encoded
    return out


def _unchanged(f: Field, now: Any, read: Mapping[str, Any]) -> bool:
    if f.json_name not in read:
        return False
    try:
        return bool(_decode(f, read[f.json_name]) == now)
    except _Mismatch:
        return f.json_name == "name" and now == ""


def _encode(f: Field, value: Any) -> Any:
    if value is None:
        return None
    match f.about.kind:
        case "number" | "coordinate":
            return _plain(value)
        case "limit":
            return None if math.isinf(value) else _plain(value)
        case "point":
            return {"x": _plain(value.x), "y": _plain(value.y)}
        case "points":
            return [{"x": _plain(p.x), "y": _plain(p.y)} for p in value]
        case "curve":
            points = (zip(CurveNode._fields, node, strict=True) for node in value)
            return [{k: {"x": _plain(p.x), "y": _plain(p.y)} for k, p in node if p is not None} for node in points]
        case "numbers":
            return [_plain(v) for v in value]
        case "out_rays":
            return [{"eqnTheta": r.eqn_theta, "eqnP": r.eqn_p} for r in value]
        case "path":
            return [{"x": _plain(v.x), "y": _plain(v.y), "arc": v.arc} for v in value]
        case _:
            if isinstance(value, Observer):
                return {"c": {"x": _plain(value.c.x), "y": _plain(value.c.y)}, "r": _plain(value.r)}
            return list(value) if isinstance(value, tuple) else value


def _plain(value: float) -> float | int:
    """A number as people write it: 100, not 100.0."""
    return int(value) if value == int(value) and abs(value) < 1e15 else value
