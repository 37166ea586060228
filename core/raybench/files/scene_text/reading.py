"""Parsing of a scene's text part by part: unchanged parts are not decoded again, and faults have
positions.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from raybench.bisection import largest_that_fits
from raybench.errors import RaybenchError, elided
from raybench.files.scene_text.layout import Part, SceneText
from raybench.scene.codec import MAX_DEPTH, nesting

_SPACE = re.compile(r"[ \t\n\r]*")
_WORDS = {
    "Expecting ',' delimiter": "a comma or a closing bracket is missing before this",
    "Expecting ':' delimiter": "a colon is missing before this",
    "Expecting value": "a value is missing here",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing here",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text must not contain line breaks or tabs: write \\n or \\t",
    "Invalid \\escape": "this is not an escape sequence: write \\\\ for a backslash",
    "Illegal trailing comma before end of object": "a comma has nothing after it",
    "Illegal trailing comma before end of array": "a comma has nothing after it",
}
"""Messages of Python's JSON parser, reworded for the editor."""


class TextFault(RaybenchError):
    """A scene's text cannot be used; ``start`` and ``end`` are the indices of what is wrong,
    ``line`` and ``column`` count from 1.
    """

    def __init__(self, text: str, start: int, end: int, reason: str) -> None:
        self.start = max(0, min(start, len(text)))
        self.end = max(self.start, min(end, len(text)))
        self.line = text.count("\n", 0, self.start) + 1
        self.column = self.start - text.rfind("\n", 0, self.start)
        self.reason = reason[:1].upper() + reason[1:].rstrip(".")
        super().__init__(
            f"Line {self.line}, column {self.column}:"
            f" {self.reason}{'' if self.reason.endswith('?') else '.'}"
        )


UNCHANGED = object()
"""Placeholder for the value of an unchanged part."""


@dataclass(frozen=True, slots=True)
class ReadPart:
    """A part of a text as it was read: ``part`` has the name of a module, and the key of an object
    only where it is unchanged.

    ``name_start`` is the index of the name of an entry or a module. An ``item`` is an object or a
    definition, no entry of the scene.
    """

    part: Part
    value: Any
    name_start: int
    item: bool = False


def read_parts(text: str, base: SceneText | None = None) -> tuple[ReadPart, ...]:
    """The parts of a text. Objects and definitions that are as in ``base`` are not decoded. Raises
    TextFault.
    """
    return tuple(_Reader(text, base).entries())


class _Reader:
    """Reads the JSON of a scene: its own entries here, the values with the reader of the standard
    library.
    """

    def __init__(self, text: str, base: SceneText | None) -> None:
        self.text, self.at = text, 0
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._unique, parse_constant=self._constant, parse_float=self._float
        )
        self.same: dict[int, Part] = {}
        if base is not None:
            self.same = dict(_unchanged(text, base))

    def entries(self) -> Iterator[ReadPart]:
        self._skip()
        self._expect("{", "a scene begins with {")
        seen = set[str]()
        for name_start, name in self._names(seen):
            if name == "objs" and self._peek() == "[":
                yield from self._objects()
            elif name == "modules" and self._peek() == "{":
                yield from self._modules()
            else:
                start, value = self.at, self._value()
                yield ReadPart(Part(name, None, start, self.at), value, name_start)
        self._skip()
        if self.at < len(self.text):
            raise self._fault("nothing may follow the scene")

    def _objects(self) -> Iterator[ReadPart]:
        opened = self.at
        self.at += 1
        self._skip()
        if self._peek() == "]":
            yield ReadPart(Part("objs", None, opened, self.at + 1), [], opened)
        else:
            while True:
                start = self.at
                value, part = self._part()
                yield ReadPart(
                    Part("objs", part.owner if part is not None else None, start, self.at),
                    value,
                    start,
                    True,
                )
                self._skip()
                if self._peek() != ",":
                    break
                self.at += 1
                self._skip()
        self._expect("]", "a comma or a closing bracket is missing before this")

    def _modules(self) -> Iterator[ReadPart]:
        self.at += 1
        for name_start, name in self._names(set()):
            start = self.at
            value, part = self._part()
            same = part is not None and part.owner == name
            value = self._at(start) if value is UNCHANGED and not same else value
            yield ReadPart(Part("modules", name, start, self.at), value, name_start, True)

    def _part(self) -> tuple[Any, Part | None]:
        """The value here, or UNCHANGED with the part it was."""
        part = self.same.get(self.at)
        if part is None:
            return self._value(), None
        self.at += part.end - part.start
        return UNCHANGED, part

    def _names(self, seen: set[str]) -> Iterator[tuple[int, str]]:
        """The names of an object's entries with their positions, after its opening bracket; stops
        at each value, then at its end.
        """
        self._skip()
        if self._peek() == "}":
            self.at += 1
            return
        while True:
            self._skip()
            name_start = self.at
            if self._peek() != '"':
                raise self._fault("a name in double quotes is missing here")
            name = self._value()
            if name in seen:
                raise self._fault(
                    f"{json.dumps(name)[:60]} is there twice: remove one of the two", name_start
                )
            seen.add(name)
            self._skip()
            self._expect(":", "a colon is missing before this")
            self._skip()
            yield name_start, name
            self._skip()
            if self._peek() == ",":
                self.at += 1
                continue
            self._expect("}", "a comma or a closing bracket is missing before this")
            return

    def _at(self, start: int) -> Any:
        self.at = start
        return self._value()

    def _value(self) -> Any:
        start = self.at
        try:
            value, self.at = self.decoder.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            raise TextFault(
                self.text, error.pos, error.pos + 1, _WORDS.get(error.msg, error.msg)
            ) from None
        except RecursionError:
            raise self._fault("this is nested too deeply", start) from None
        except ValueError:
            raise self._fault("a number has too many digits", start) from None
        except _Wrong as error:
            where = start
            if error.word and (found := re.compile(re.escape(error.word)).search(self.text, start)):
                where = found.start()
            raise TextFault(self.text, where, where + len(error.word), str(error)) from None
        if nesting(value) > MAX_DEPTH:
            raise self._fault("this is nested too deeply", start)
        return value

    def _skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _expect(self, sign: str, reason: str) -> None:
        if self._peek() != sign:
            raise self._fault(reason)
        self.at += 1

    def _fault(self, reason: str, at: int | None = None) -> TextFault:
        at = self.at if at is None else at
        return TextFault(self.text, at, at + 1, reason)

    @staticmethod
    def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            times = Counter(name for name, _ in pairs)
            twice = json.dumps(
                next(name for name, count in times.items() if count > 1), ensure_ascii=False
            )
            raise _Wrong(f"{elided(twice, 60)} is there twice: remove one of the two", twice)
        return out

    @staticmethod
    def _constant(word: str) -> float:
        raise _Wrong(f"{word} is not a JSON number: give a finite one", word)

    @staticmethod
    def _float(word: str) -> float:
        value = float(word)
        if not math.isfinite(value):
            raise _Wrong(f"{elided(word, 40)} is too large: give a finite number", word)
        return value


class _Wrong(Exception):
    """A value that cannot be used; ``word`` is how it is written."""

    def __init__(self, reason: str, word: str) -> None:
        super().__init__(reason)
        self.word = word


def _unchanged(text: str, base: SceneText) -> Iterator[tuple[int, Part]]:
    """The objects and definitions of ``base`` that stand before or after all that differs, by their
    place in the text.
    """
    old = base.text
    first, behind = common_ends(old, text)
    shift = len(text) - len(old)
    for part in base.parts:
        if part.owner is None or old[part.start] != "{":
            continue
        if part.end <= first:
            yield part.start, part
        elif part.start >= len(old) - behind:
            yield part.start + shift, part


def common_ends(a: str, b: str) -> tuple[int, int]:
    """The lengths of the longest common start of two texts, and of the longest common end that does
    not overlap it.
    """
    limit = min(len(a), len(b))
    first = largest_that_fits(lambda n: a[:n] == b[:n], 0, limit + 1)
    return first, largest_that_fits(
        lambda n: a[len(a) - n :] == b[len(b) - n :], 0, limit - first + 1
    )


def place_of(text: str, part: Part, path: str) -> tuple[int, int]:
    """The indices of the value at a path, such as ``path[2].x``, within a part; if it does not
    exist, the start of its container.
    """
    steps: list[str | int] = [
        int(i) if i else name for i, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    ]
    at, end = part.start, part.end
    for step in steps:
        inner = _inner(text, at, step)
        if inner is None:
            return at, at + 1
        at, end = inner
    return at, end


def _inner(text: str, at: int, step: str | int) -> tuple[int, int] | None:
    """The place of an item of the JSON list or object that begins at an index."""
    decode = json.JSONDecoder().raw_decode
    if text[at : at + 1] != ("{" if isinstance(step, str) else "["):
        return None
    at, count = at + 1, 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] in "}]":
            return None
        name: str | int = count
        if isinstance(step, str):
            name, at = decode(text, at)
            at = _SPACE.match(text, at).end() + 1  # type: ignore[union-attr]
            at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        _, end = decode(text, at)
        if name == step:
            return at, end
        count += 1
        at = _SPACE.match(text, end).end()  # type: ignore[union-attr]
        if text[at : at + 1] != ",":
            return None
        at += 1
