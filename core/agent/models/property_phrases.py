"""Properties of objects in plain words: ``what is the line density of Grating``; and results of `read_objects` as a person reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.agent.models.change_rows import field_of
from core.analysis.answers.words import in_words
from core.analysis.tools.clauses import Meant
from core.analysis.tools.phrases import Open, Phrases, Understanding
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.unclear import Unclear
from core.kinds.fields import fields_of
from core.kinds.kinds import ROWS
from core.scene.changes.quantity import with_unit

LAST = 1000
"""The number of spare words for a question about a property, so that every other reading of the question is preferred."""
_KINDS = {row.kind.__name__: row.kind for row in ROWS}


def _asked(question: PlainQuestion) -> Understanding:
    """Whether a text asks for a property of an object in the scene."""
    clauses = question.clauses()
    found = clauses.take(r"(?P<field>[a-z][a-z0-9_]*(?: [a-z0-9_]+){0,2}?) (?:of|for|at) {o}")
    if found is None:
        return None
    words = re.sub(r"^(?:what|which|value|is|are|the|tell|show|me|of| )+ ", "", f" {found['field']}").strip()
    obj = clauses.single(found["o"])
    if isinstance(obj, Unclear):
        return None  # other phrases may understand these words
    try:
        field_of(obj, words)
    except Open:
        return None
    found_all = clauses.whole({"names": [obj.title]})
    return Meant(found_all, LAST) if isinstance(found_all, Meant) else found_all


def in_plain_words(records: Sequence[Mapping[str, Any]]) -> str:
    """The result of `read_objects`, a line for each object, numbers with their units."""
    return "\n".join(f"- {in_words(str(record['object']))}: {', '.join(_values(record))}" for record in records)


def _values(record: Mapping[str, Any]) -> list[str]:
    values, units = record.get("fields", {}), record.get("units", {})
    labels = {f.json_name: f.about for f in fields_of(_KINDS[record["type"]])} if record["type"] in _KINDS else {}
    out = []
    for name, value in values.items():
        if name not in labels or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        text = with_unit(value, units.get(name, ""), "scene unit")
        out.append(f"{labels[name].label.lower()} {text}")
    return out or [str(record.get("problem", "nothing that is a number"))]


PROPERTY = Phrases("what is the wavelength of {source_name}", understood=_asked)
