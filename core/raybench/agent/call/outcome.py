"""The outcome of a tool call: the returned value, and its forms for users, models, other programs
and transcripts.
"""

from __future__ import annotations

import inspect
import json
import logging
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np

from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import answer_page
from raybench.analysis.answers.preview import truncate_text
from raybench.analysis.answers.xml_answer import to_xml
from raybench.arrays import Integers
from raybench.bisection import largest_fitting_integer
from raybench.errors import as_sentence, error_type_and_message
from raybench.schema.json_values import (
    arguments_if_json_object,
    json_text,
    json_type,
    to_json_value,
)
from raybench.trace.results.ray_set import PackedRows, RaySet

MOST_STORED_ELEMENTS = 200
"""Maximum number of elements of each list of an answer that is stored, shown on a card or written
into a transcript.
"""
ROWS_OF_WHOLE = 60
"""The same where a model reads a page of less: each element may take time to compute."""
MOST_JSON_CHARACTERS = 20_000
"""Length limit of the JSON text; about 5000 tokens."""
GONE_REVISION = 0
"""The revision of an answer about a state of the document that no longer exists, or that another
version of the program traced.
"""
MOST_ROWS = 20
MOST_KEYS = 20
SAMPLED_ITEMS = 5
"""Number of a list's items from which its element types are determined."""
_RECORDED: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("tool", "sentence", "notes"), str),
    **dict.fromkeys(("ok", "cached", "ran", "stopped", "private", "within"), bool),
    "milliseconds": float,
}
"""The fields of an outcome that a transcript stores as they are, with their types."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class PngImage:
    """A picture that a tool returns, as the bytes of a PNG file. ``about`` describes the picture as
    JSON values.
    """

    png: bytes
    about: Mapping[str, Any]


@dataclass(frozen=True)
class ResultPreview:
    """The preview of a stored result: its types and sizes (``value_metadata``), its first rows, or
    what a function of the tool computes from it.
    """

    preview: Literal["metadata", "rows"] | Callable[[Any], Any] = "metadata"
    limit: int = MOST_ROWS

    @classmethod
    def find_preview_problem(cls, options: object) -> str:
        """Describe what is wrong with the ``native_result`` option of a tool; empty if it is
        valid.
        """
        if not isinstance(options, Mapping):
            return f"native_result is a mapping with preview and limit, not {options!r}."
        if unknown := [str(key) for key in options if key not in ("preview", "limit")]:
            return f"native_result accepts preview and limit, not {', '.join(unknown)}."
        preview, limit = options.get("preview", "metadata"), options.get("limit", MOST_ROWS)
        if not (
            preview in ("metadata", "rows")
            if isinstance(preview, str)
            else _accepts_one_argument(preview)
        ):
            return (
                "native_result's preview is 'metadata', 'rows' or a function of the result, not"
                f" {preview!r}."
            )
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            return f"native_result's limit is a whole number above 0, not {limit!r}."
        return ""

    def render_preview(self, result: Any, hint: str, rays: str = "") -> dict[str, Any]:
        """Make the preview of a result as a JSON object. If a preview function fails, the failure
        is logged, and types and sizes of the result are returned instead.

        Args:
            result: The whole result, as JSON values.
            hint: The sentence that explains how to get the whole result.
            rays: The name of the ray set that the call found.
        """
        shown = self._preview_content(result)
        kept = {"status": "ok", "full_result_cached": True, "cache_hint": hint}
        return shown | kept | ({"ray_set": rays} if rays else {})

    def _preview_content(self, result: Any) -> dict[str, Any]:
        if self.preview == "rows" and isinstance(result, list):
            return {"rows": result[: self.limit], "result_count": len(result)}
        if not callable(self.preview):
            return value_metadata(result)
        try:
            content = self.preview(result)
            if not isinstance(content, Mapping):
                raise TypeError(f"it returned {type(content).__name__}")
            encoded = json.dumps(to_json_value(content, strict=True), allow_nan=False)
            return cast(dict[str, Any], json.loads(encoded))
        except Exception as error:
            log.warning(
                "the preview of a result failed (%s); its metadata is shown instead",
                error_type_and_message(error),
            )
            return value_metadata(result)


def value_metadata(result: Any) -> dict[str, Any]:
    """The schema of a JSON value and, if it is a list, the number of its items."""
    if isinstance(result, list):
        items, keys = _items_preview(result)
        shown: dict[str, Any] = {
            "result_count": len(result),
            "schema": {"type": "array", "items": items},
        }
        return shown if keys is None else shown | {"sample_keys": keys}
    if isinstance(result, Mapping):
        schema, keys = _object_preview([result])
        return {"schema": schema, "sample_keys": keys}
    return {"schema": {"type": json_type(result)}}


def _items_preview(result: Sequence[Any]) -> tuple[dict[str, Any], list[str] | None]:
    sample = result[:SAMPLED_ITEMS]
    if not sample:
        return {}, None
    if not all(isinstance(item, Mapping) for item in sample):
        return {"type": _common_type(sample)}, None
    if any(item.keys() != sample[0].keys() for item in sample):
        return {"type": "object"}, None
    return _object_preview(sample)


def _object_preview(sample: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    keys = sorted(sample[0])
    shown = keys[:MOST_KEYS]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            key: {"type": _common_type([item[key] for item in sample])} for key in shown
        },
    }
    return schema | ({"truncated": True} if len(keys) > MOST_KEYS else {}), shown


def _common_type(values: Sequence[Any]) -> str:
    types = {json_type(value) for value in values}
    if types == {"integer", "number"}:
        return "number"
    return types.pop() if len(types) == 1 else "any"


def _accepts_one_argument(preview: object) -> bool:
    if not callable(preview):
        return False
    try:
        inspect.signature(preview).bind(None)
    except (TypeError, ValueError):
        return False
    return True


@dataclass(frozen=True, eq=False)
class ToolOutcome:
    """The outcome of a tool call.

    ``result``: the returned `Answer` or JSON values, or the error message if the call is not
    ``ok``. ``rays``: its named ray set, if any. ``milliseconds``: run time of the tool, 0 if the
    result was ``cached``. ``sentence``: text for users, the description of the call or the error.
    ``notes``: sentences for the model, such as the finding and warnings. ``preview``: the part of
    the result that a model reads.
    """

    tool: str
    arguments: Mapping[str, Any]
    result: Any
    ok: bool = True
    rays: RaySet | None = None
    milliseconds: float = 0.0
    sentence: str = ""
    notes: str = ""
    preview: str = ""
    cached: bool = False
    ran: bool = True
    """Whether the tool was run; False for a call that was refused."""
    stopped: bool = False
    private: bool = False
    picture: PngImage | None = None
    complete_sentence: bool = True
    """Whether the notes report all of the values."""
    edits: str = ""
    """A sentence on the edits that a call made before it was stopped or failed."""
    within: bool = False
    """Whether another tool made the call."""
    packed: bytes = b""
    """The `display_values` in place of the result, where a conversation stores them: JSON,
    compressed, since the rows of a table take fifty times as much memory as objects.
    """
    packed_rays: Mapping[str, RaySet] = field(default_factory=dict)
    packed_measures: Mapping[str, str] = field(default_factory=dict)
    """Likewise the `rays_by_place` and the `measures_by_place`."""

    @property
    def answer(self) -> Answer | None:
        return self.result if isinstance(self.result, Answer) else None

    @cached_property
    def without_trace(self) -> ToolOutcome:
        """A copy of this outcome without its trace, to save memory in a stored conversation."""
        if self.packed:
            return self
        values = json.dumps(to_json_value(self.display_values)).encode()
        rays = {place: rays.packed() for place, rays in self.rays_by_place.items()}
        return replace(
            self,
            result=None,
            packed=zlib.compress(values, 1),
            packed_rays=rays,
            packed_measures=self.measures_by_place,
        )

    @property
    def display_values(self) -> Any:
        """The result as JSON values for users, with at most `MOST_STORED_ELEMENTS` elements of each
        list; or the error.
        """
        if self.packed:
            return json.loads(zlib.decompress(self.packed))
        return self._display_page.values if self._display_page else self.result

    @cached_property
    def _display_page(self) -> Answer | None:
        if self.answer is None:
            return None
        if self.answer.whole is None:
            return answer_page(self.answer, MOST_STORED_ELEMENTS)
        return answer_page(self.answer.whole, ROWS_OF_WHOLE, limits=self.answer.limits)

    @cached_property
    def rays_by_place(self) -> Mapping[str, RaySet]:
        """The rays that list elements in the `display_values` describe, by the places of the
        elements (`Answer.elements_by_place`).
        """
        revision = self.revision
        if self._display_page is None or revision is None:
            return self.packed_rays
        return {
            place: RaySet(rows, self.sentence, revision)
            for place, element in self._display_page.elements_by_place().items()
            if (rows := element.ray_rows) is not None
        }

    @cached_property
    def measures_by_place(self) -> Mapping[str, str]:
        """The measures whose values list elements in the `display_values` state, by the places of
        the elements.
        """
        if self._display_page is None:
            return self.packed_measures
        elements = self._display_page.elements_by_place().items()
        return {place: element.by_measure for place, element in elements if element.by_measure}

    @cached_property
    def value(self) -> Any:
        """The whole result as JSON values; None after an error."""
        if not self.ok:
            return None
        return to_json_value(self.answer.values) if self.answer else self.display_values

    @property
    def revision(self) -> int | None:
        """The revision of the document that the call read; None if it read no document."""
        if self.rays is not None:
            return self.rays.revision
        shown = self.display_values if self.ok else None
        revision = shown.get("revision") if isinstance(shown, Mapping) else None
        return revision if isinstance(revision, int) else None

    @cached_property
    def text(self) -> str:
        """The whole result as text (an answer as XML), or the error."""
        return to_xml(self.answer) if self.answer else json_text(self.display_values)

    @property
    def model_text(self) -> str:
        """The text that is sent to a model: the notes, then the preview of the result."""
        return "\n".join(part for part in (self.notes, self.preview) if part)

    @property
    def json_result(self) -> dict[str, Any]:
        """The result of a successful call as a JSON object.

        ``summary``: the finding in words. ``result``: the values of the answer. ``rays``: name,
        count and revision of its ray set. Values that are too long are shortened (`shorten_lists`);
        ``omitted`` counts the missing elements by list name. NaN and infinities become texts.
        """
        from pydantic_core import from_json, to_json

        values = from_json(to_json(self.value, inf_nan_mode="strings"))
        result, omitted = shorten_lists(values, MOST_JSON_CHARACTERS)
        about: dict[str, Any] = {"summary": self.notes or self.sentence, "result": result}
        if self.rays is not None and self.rays.name:
            about["rays"] = {
                "name": self.rays.name,
                "count": len(self.rays),
                "revision": self.rays.revision,
            }
        return about | ({"omitted": omitted} if omitted else {})

    def to_json(self) -> dict[str, Any]:
        """The call, its arguments and its whole result for other programs. The result is a text
        and, unless it is plain text, also JSON values.
        """
        return {
            "tool": self.tool,
            "arguments": dict(self.arguments),
            "ok": self.ok,
            "sentence": self.sentence,
            "milliseconds": round(self.milliseconds, 3),
            "cached": self.cached,
            "result": self.text,
            "values": None if isinstance(self.value, str) else self.value,
        }

    def transcript_record(self, revision: int | None, *, compact: bool = False) -> dict[str, Any]:
        """The record of this call in a transcript. ``revision`` is the revision of the document in
        its turn. A ``compact`` record stores the full result and packed ray rows; `from_record`
        reads it.
        """
        rays = (
            None
            if self.rays is None
            else {
                "name": self.rays.name,
                "question": self.rays.question,
                "rows": _compact_rows(self.rays) if compact else self.rays.rows.tolist(),
                "current": self.rays.revision == revision,
            }
        )
        return {
            **{name: getattr(self, name) for name in _RECORDED},
            "arguments": to_json_value(dict(self.arguments)),
            "milliseconds": round(self.milliseconds, 3),
            "result": (
                b64encode(self.without_trace.packed).decode()
                if compact
                else to_json_value(self.display_values)
            ),
            "rays": rays,
            **(
                {"parts": self._compact_parts(revision), "measures": dict(self.measures_by_place)}
                if compact
                else {}
            ),
        }

    def _compact_parts(self, revision: int | None) -> dict[str, list[int] | dict[str, Any]]:
        """The `rays_by_place` in compact form; empty if they belong to another revision."""
        parts = self.rays_by_place.items()
        return {place: _compact_rows(r) for place, r in parts if r.revision == revision}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], revision: int) -> ToolOutcome:
        """Restore a call from its compact record. Its rays get ``revision`` if they had the
        revision of their turn, else `GONE_REVISION`: their state of the document no longer exists.
        Raises ValueError, KeyError, TypeError, AttributeError or OverflowError if the record is
        invalid.
        """
        found = record["rays"]
        rays = None
        if found is not None:
            rays = RaySet(
                _rows_of_record(found["rows"]),
                str(found["question"]),
                revision if found["current"] else GONE_REVISION,
                str(found["name"]),
            )
        fields: dict[str, Any] = {name: read(record[name]) for name, read in _RECORDED.items()}
        arguments, packed = dict(record["arguments"]), _decompressed_data(record["result"])
        parts = {
            str(place): RaySet(_rows_of_record(rows), fields["sentence"], revision)
            for place, rows in record.get("parts", {}).items()
        }
        return cls(
            arguments=arguments,
            result=None,
            rays=rays,
            packed=packed,
            packed_rays=parts,
            packed_measures={str(p): str(m) for p, m in record.get("measures", {}).items()},
            **fields,
        )

    def with_edits(self, edits: Sequence[str]) -> ToolOutcome:
        """A copy of this stopped or failed outcome whose error also describes the edits that the
        call had made.
        """
        made = f"These edits were made before: {'; '.join(edits)}."
        if not edits or made in self.result:  # a caller quotes the error of the call within it
            return self
        text = f"{as_sentence(self.result)} {made}"
        return replace(
            self,
            result=text,
            sentence=f"{as_sentence(self.sentence)} {made}",
            preview=truncate_text(text),
            edits=made,
        )


def _compact_rows(rays: RaySet) -> list[int] | dict[str, Any]:
    kept = rays.packed().kept
    if isinstance(kept, PackedRows):
        return {"count": kept.count, "packed": b64encode(kept.data).decode()}
    rows: list[int] = kept.tolist()
    return rows


def _rows_of_record(rows: Any) -> Integers | PackedRows:
    if isinstance(rows, Mapping):
        return PackedRows(int(rows["count"]), _decompressed_data(rows["packed"]))
    return np.array(rows, np.int64)


def _decompressed_data(text: str) -> bytes:
    data = b64decode(text, validate=True)
    try:
        zlib.decompress(data)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return data


def failed_outcome(
    tool: str,
    arguments: Mapping[str, Any],
    text: str,
    milliseconds: float = 0.0,
    *,
    sentence: str = "",
    ran: bool = False,
    stopped: bool = False,
) -> ToolOutcome:
    """The outcome of a call that failed or, if ``ran`` is false, was refused. ``sentence`` is by
    default the first line of ``text``.
    """
    sentence = sentence or (text.splitlines()[0] if text else f"{tool} failed.")
    return ToolOutcome(
        tool,
        arguments,
        text,
        False,
        milliseconds=milliseconds,
        sentence=sentence,
        preview=truncate_text(text),
        ran=ran,
        stopped=stopped,
    )


def unknown_tool_outcome(name: str, arguments: Any, tools: tuple[Tool, ...]) -> ToolOutcome:
    """The outcome of calling a tool that does not exist, or that the caller must not call."""
    known = ", ".join(tool.name for tool in tools if not tool.private) or "(none)"
    sentence = f"Unknown tool '{name}'"
    arguments = arguments_if_json_object(arguments)
    return failed_outcome(name, arguments, f"{sentence}. Tools: {known}", sentence=sentence)


def names_of_run_tools(outcomes: Iterable[ToolOutcome]) -> tuple[str, ...]:
    """The names of the tools that were run, without repetitions."""
    return tuple(dict.fromkeys(outcome.tool for outcome in outcomes if outcome.ran))


def outcomes_to_json(outcomes: Sequence[ToolOutcome]) -> dict[str, Any]:
    """The calls, and the ray sets that they found, as JSON for other programs."""
    sets = [outcome.rays for outcome in outcomes if outcome.rays is not None]
    return {
        "tools_used": list(names_of_run_tools(outcomes)),
        "tool_calls": [outcome.to_json() for outcome in outcomes],
        "ray_sets": [
            {
                "name": rays.name,
                "question": rays.question,
                "revision": rays.revision,
                "count": len(rays),
                "rows": rays.rows.tolist(),
            }
            for rays in sets
        ],
    }


def shorten_lists(value: Any, characters: int) -> tuple[Any, dict[str, int]]:
    """JSON values with lists cut so that their text fits into ``characters``, and the number of
    omitted elements by list name. A text is truncated; values that stay too long become truncated
    JSON text.
    """
    from pydantic_core import to_json

    def fits_length(value: Any) -> bool:
        return len(to_json(value).decode()) <= characters

    if fits_length(value):
        return value, {}
    if isinstance(value, str) or not fits_length(_truncate_lists(value, 0, "result", {})):
        text = value if isinstance(value, str) else to_json(value).decode()
        return text[:characters], {"characters": len(text) - characters}
    most = largest_fitting_integer(
        lambda count: fits_length(_truncate_lists(value, count, "result", {})),
        0,
        _longest_list_length(value),
    )
    omitted: dict[str, int] = {}
    return _truncate_lists(value, most, "result", omitted), omitted


def _longest_list_length(value: Any) -> int:
    inner = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    )
    return max((len(value) if isinstance(value, list) else 0, *map(_longest_list_length, inner)))


def _truncate_lists(value: Any, count: int, name: str, omitted: dict[str, int]) -> Any:
    """A copy of the value with at most ``count`` elements in each list. The numbers of omitted
    elements are added to ``omitted``.
    """
    if isinstance(value, Mapping):
        return {key: _truncate_lists(item, count, key, omitted) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > count:
        omitted[name] = omitted.get(name, 0) + len(value) - count
    return [_truncate_lists(item, count, name, omitted) for item in value[:count]]
