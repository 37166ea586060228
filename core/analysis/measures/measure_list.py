"""The type of a tool's parameter that takes measures: a text, or a list of texts, also as JSON."""

from __future__ import annotations

import json
from typing import Annotated, Any


def one_text(measures: Any) -> Any:
    """A list of measures, or the JSON of one, as one text with semicolons; anything else as it is."""
    if isinstance(measures, str) and measures.lstrip().startswith("["):
        try:
            measures = json.loads(measures)
        except (ValueError, RecursionError):
            return measures
    return "; ".join(measures) if isinstance(measures, list) and all(isinstance(m, str) for m in measures) else measures


class _ListIsText:
    """Joins a list of measures. The JSON schema stays that of the text."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(one_text, handler(source))


MeasureList = Annotated[str, _ListIsText()]
"""One measure, or several: separated by semicolons, or in a list."""
