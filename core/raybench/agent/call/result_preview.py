"""The preview of a large result for a model."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from raybench.errors import error_text
from raybench.schema.jsonable import json_type, jsonable

MOST_ROWS = 20
MOST_KEYS = 20
SAMPLED = 5
"""Number of a list's items from which its element types are determined."""

log = logging.getLogger(__name__)


Warned = Literal["raised", "non_map", "non_encodable"]


@dataclass(frozen=True)
class ResultPreview:
    """The preview of a stored result: its types and sizes (``metadata``), its first rows, or the
    result of a function of it.
    """

    preview: Literal["metadata", "rows"] | Callable[[Any], Any] = "metadata"
    limit: int = MOST_ROWS

    @classmethod
    def problem(cls, options: object) -> str:
        """What is wrong with a tool's ``native_result``; nothing if it can be used."""
        if not isinstance(options, Mapping):
            return f"native_result is a mapping with preview and limit, not {options!r}."
        if unknown := [str(key) for key in options if key not in ("preview", "limit")]:
            return f"native_result accepts preview and limit, not {', '.join(unknown)}."
        preview, limit = options.get("preview", "metadata"), options.get("limit", MOST_ROWS)
        if not (
            preview in ("metadata", "rows") if isinstance(preview, str) else _takes_one(preview)
        ):
            return (
                "native_result's preview is 'metadata', 'rows' or a function of the result, not"
                f" {preview!r}."
            )
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            return f"native_result's limit is a whole number above 0, not {limit!r}."
        return ""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """From a tool's ``native_result``, which has no `problem`."""
        return cls(**options)

    def render(
        self, result: Any, hint: str, rays: str = ""
    ) -> tuple[dict[str, Any], Warned | None]:
        """The preview of a result as a JSON object, and the kind of failure if a preview function
        failed.

        Args:
            result: The whole result, as JSON values.
            hint: The sentence that explains how to get the whole result.
            rays: The name of the ray set that the call found.
        """
        shown, warned = self._content(result)
        kept = {"status": "ok", "full_result_cached": True, "cache_hint": hint}
        return shown | kept | ({"ray_set": rays} if rays else {}), warned

    def _content(self, result: Any) -> tuple[dict[str, Any], Warned | None]:
        if self.preview == "rows" and isinstance(result, list):
            return {"rows": result[: self.limit], "result_count": len(result)}, None
        if not callable(self.preview):
            return metadata(result), None
        warned: Warned
        try:
            content = self.preview(result)
        except Exception as error:
            warned, reason = "raised", error_text(error)
        else:
            if isinstance(content, Mapping):
                try:
                    return (
                        json.loads(json.dumps(jsonable(content, strict=True), allow_nan=False)),
                        None,
                    )
                except (TypeError, ValueError, RecursionError) as error:
                    warned, reason = "non_encodable", str(error)
            else:
                warned, reason = "non_map", f"it returned {type(content).__name__}"
        log.warning(
            "the preview of a result %s (%s); its metadata is shown instead", warned, reason
        )
        return metadata(result), warned


def metadata(result: Any) -> dict[str, Any]:
    """The schema of a JSON value and, for a list, the number of its items."""
    if isinstance(result, list):
        items, keys = _items(result)
        shown: dict[str, Any] = {
            "result_count": len(result),
            "schema": {"type": "array", "items": items},
        }
        return shown if keys is None else shown | {"sample_keys": keys}
    if isinstance(result, Mapping):
        schema, keys = _object([result])
        return {"schema": schema, "sample_keys": keys}
    return {"schema": {"type": json_type(result)}}


def _items(result: Sequence[Any]) -> tuple[dict[str, Any], list[str] | None]:
    sample = result[:SAMPLED]
    if not sample:
        return {}, None
    if not all(isinstance(item, Mapping) for item in sample):
        return {"type": _common(sample)}, None
    if any(item.keys() != sample[0].keys() for item in sample):
        return {"type": "object"}, None
    return _object(sample)


def _object(sample: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    keys = sorted(sample[0])
    shown = keys[:MOST_KEYS]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: {"type": _common([item[key] for item in sample])} for key in shown},
    }
    return schema | ({"truncated": True} if len(keys) > MOST_KEYS else {}), shown


def _common(values: Sequence[Any]) -> str:
    types = {json_type(value) for value in values}
    if types == {"integer", "number"}:
        return "number"
    return types.pop() if len(types) == 1 else "any"


def _takes_one(preview: object) -> bool:
    if not callable(preview):
        return False
    try:
        inspect.signature(preview).bind(None)
    except (TypeError, ValueError):
        return False
    return True
