"""Parses slash commands, which have the form ``/name "first argument" name=value``."""

import contextlib
import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args, get_origin

from typing_extensions import is_typeddict

from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.page import paging_parameters
from raybench.errors import RaybenchError, elide_text
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.schema.signature import SignatureError, primitive_types, type_without_null
from raybench.schema.values import coerce_value

_QUOTED = r"\"[^\"]*\"|'[^']*'"
_BRACKETS = rf"\((?:{_QUOTED}|[^()\"'])*\)"
_WORD = re.compile(rf"(?:{_QUOTED}|{_BRACKETS}|[^\s\"'])+")
_UNQUOTED = re.compile(rf"\"([^\"]*)\"|'([^']*)'|({_BRACKETS})")
_START = re.compile(r"(?:\w+=(?=[\[{]))?\S")
"""The start of a word; after ``name=`` if a JSON list or object follows."""


class InvalidCommand(RaybenchError):
    """A slash command cannot be parsed. The message shows the syntax."""


def parse_command(text: str, tools: Sequence[Tool]) -> tuple[Tool, dict[str, Any]]:
    """Parse a slash command. Returns the tool and its arguments by name. Words are quoted as in a
    shell.
    """
    name, _, rest = text.strip().removeprefix("/").partition(" ")
    tool = next((t for t in tools if t.name == name), None)
    if tool is None:
        near = difflib.get_close_matches(name, [t.name for t in tools], 3, 0.5)
        hint = (
            f"Did you mean {', '.join('/' + n for n in near)}?"
            if near
            else "Type /help for a list."
        )
        raise InvalidCommand(f"There is no command /{elide_text(name, 60)}. {hint}")
    try:
        words = split_words(rest)
    except ValueError:
        raise InvalidCommand(
            f'A quotation mark is not closed in: {elide_text(rest)} Write /{name} "a name".'
        ) from None
    return tool, arguments_from_words(tool, words, "/")


def arguments_from_words(
    tool: Tool, words: Iterable[tuple[str, bool]], prefix: str = ""
) -> dict[str, Any]:
    """Convert the words of a slash command to arguments by name. Each word is paired with whether
    it began with a quotation mark.

    Words are positional or ``name=value``; limit and offset must be named. They are converted to
    the types of the schema; a word that cannot be converted stays text, and the check of the
    arguments reports it later. A single JSON object of arguments by name is accepted too.
    ``prefix`` precedes the tool's name in the messages of InvalidCommand.
    """
    try:
        types = tool.parsed_signature.parameters if tool.parsed_signature is not None else {}
    except SignatureError as error:
        raise InvalidCommand(
            f"{prefix}{tool.name} cannot be called: its signature has a {error}."
        ) from None
    words = list(words)
    if len(words) == 1 and (by_name := _json_object_arguments(*words[0], types)):
        return by_name
    paging = paging_parameters(types)
    free = [name for name in types if name not in paging]
    arguments: dict[str, Any] = {}
    for word, quoted in words:
        given, equals, value = word.partition("=")
        if equals and given in types and not quoted:
            if given in arguments:
                raise InvalidCommand(f"'{given}' is given twice. Usage: {prefix}{tool.usage}")
        elif free:
            given, value = free[0], word
        else:
            raise InvalidCommand(
                f"One argument too many: '{elide_text(word)}'. Quote names with spaces. Usage:"
                f" {prefix}{tool.usage}"
            )
        arguments[given] = convert_word(value, types[given])
        free = [p for p in free if p != given]
    return arguments


def _json_object_arguments(word: str, quoted: bool, types: Mapping[str, Any]) -> dict[str, Any]:
    """Parse a word that is a JSON object of arguments by name. Returns an empty dict for any other
    word, or if the object may be meant as the first argument.
    """
    first = type_without_null(next(iter(types.values()), Any))
    if quoted or not word.startswith("{") or is_typeddict(first) or first in (Any, dict[str, Any]):
        return {}
    with contextlib.suppress(ValueError, RecursionError):
        given = json.loads(word)
        return dict(given) if given.keys() <= types.keys() else {}
    return {}


def split_words(rest: str) -> list[tuple[str, bool]]:
    """Split a line into words and remove their quotation marks. Each word is paired with whether it
    began with a quotation mark. Raises ValueError if a quotation mark is not closed.

    A JSON list or object is one word and is kept as written. Measures such as ``power(Main Prism);
    share("A, B")`` are one word too: text in parentheses is kept, and a word that ends with a
    semicolon continues.
    """
    words: list[tuple[str, bool]] = []
    position = 0
    while start := _START.search(rest, position):
        position = start.start()
        if rest[start.end() - 1] in "[{":
            with contextlib.suppress(ValueError, RecursionError):
                _, end = json.JSONDecoder().raw_decode(rest, start.end() - 1)
                if not rest[end : end + 1].strip():
                    words.append((rest[position:end], False))
                    position = end
                    continue
        word = _WORD.match(rest, position)
        if word is None:
            raise ValueError(rest)
        text, quoted = _UNQUOTED.sub(r"\1\2\3", word[0]), word[0][0] in "\"'"
        if (
            words
            and not words[-1][1]
            and not quoted
            and (words[-1][0].endswith(";") or text.startswith(";"))
        ):
            words[-1] = f"{words[-1][0]} {text}", False
        else:
            words.append((text, quoted))
        position = word.end()
    return words


def convert_word(text: str, hint: Any) -> Any:
    """Convert a word to the type of its parameter. The word is returned unchanged if it cannot be
    converted.

    A list is written as JSON, or as items separated by commas; a single object stands for a list of
    one object.
    """
    inner = type_without_null(hint)
    if get_origin(inner) is list and text.startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            return [json.loads(text)]
    if get_origin(inner) is list and not text.startswith("[") and text != "null":
        return [convert_word(item.strip(), get_args(inner)[0]) for item in text.split(",")]
    if inner in (primitive_types()[name] for name in ("string", "keyword", "datetime")):
        return text
    try:
        if inner in (int, float, bool) and text != "null":
            return coerce_value(text, inner)[0]
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _emits_light(obj: SceneObject) -> bool:
    return not isinstance(obj, UnreadObject) and kind_row_of(obj).emits is not None


_FITTING: dict[str, Callable[[SceneObject], bool]] = {
    "glass": lambda obj: isinstance(obj, GlassBody),
    "inside": lambda obj: isinstance(obj, GlassBody),
    "crosses": lambda obj: isinstance(obj, GlassBody),
    "detector": lambda obj: isinstance(obj, Detector),
    "aperture": lambda obj: isinstance(obj, Aperture),
    "source": _emits_light,
    "object": lambda obj: obj.optical and not _emits_light(obj),
}
"""The objects that a parameter accepts, by the first word of its name."""


def argument_candidates(tool: Tool, rest: str, document: Document) -> Sequence[str] | None:
    """The names that the next argument of a command accepts. ``rest`` is the text of the arguments
    typed so far. For an edge, these are the edge labels of the object before. None if the argument
    accepts anything.
    """
    try:
        if tool.parsed_signature is None:
            return None
        parameters = tool.parsed_signature.parameters
        quoted = rest.count('"') % 2 == 1
        complete = rest[: rest.rindex('"')] if quoted else rest[: rest.rfind(" ") + 1]
        written = arguments_from_words(tool, split_words(complete))
    except InvalidCommand:  # more than the tool takes
        return []
    except (SignatureError, ValueError):
        return None
    taken = written.keys() | paging_parameters(parameters)
    name, equals, _ = rest[len(complete) :].partition("=")
    free = [name for name in parameters if name not in taken]
    now = name if equals and name in parameters else next(iter(free), "")
    if not now:
        return []
    first = now.partition("_")[0]
    objects = document.scene.objects
    if first == "edge":
        bodies = [obj for obj in objects if obj.title in written.values()]
        return [
            e.reference
            for obj in bodies[:1]
            for e in labelled_edges(obj, document.edge_labels.get(obj.key, {}))
        ]
    fits = _FITTING.get(first) or _FITTING.get(first.removesuffix("s"))
    return None if fits is None else list(dict.fromkeys(obj.title for obj in objects if fits(obj)))
