"""Properties of objects in plain words: ``what is the line density of Grating``; and results of
`read_objects` as a person reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from raybench.agent.models.named_fields import has_field
from raybench.analysis.answers.words import in_words
from raybench.analysis.tools.clauses import Meant
from raybench.analysis.tools.phrases import Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import there_are
from raybench.kinds.fields import fields_of
from raybench.kinds.kinds import ROWS
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.changes.quantity import with_unit

_WORDS = r"[a-z][a-z0-9_/]*(?: [a-z0-9_/]+){0,3}?"
_LISTED = (
    r"(?:how many|which|what|list|show(?: me)?) {o}(?: (?:are|is)(?: there)?| exist)?"
    r"(?: in (?:the |this )?(?:scene|bench|setup|system))?(?= *[|]?$)"
)
LAST = 1000
"""The number of spare words for a question about a property, so that every other reading of the
question is preferred.
"""
_KINDS = {row.kind.__name__: row.kind for row in ROWS}


def _asked(question: PlainQuestion) -> Understanding:
    """Whether a text asks for a property of an object in the scene."""
    clauses = question.clauses()
    if found := clauses.take(_LISTED):
        listed = clauses.each(found["o"])
        return (
            clauses.ask(listed.problem)
            if isinstance(listed, Unclear)
            else clauses.whole({"names": [o.title for o in listed]})
        )
    objects: Sequence[SceneObject]
    if found := clauses.take(rf"(?P<field>{_WORDS}) of (?:the )?(?:light|rays?)(?= *[|]?$)"):
        objects, words = (
            [o for o in question.document.scene.objects if isinstance(o, Source)],
            found["field"],
        )
    elif found := clauses.take(
        rf"(?P<field>{_WORDS}) (?:of|for|at|on) {{o}}|how many (?P<number>{_WORDS}) (?:does|do|has)"
        r" {s}(?: have)?"
    ):
        obj = clauses.single(found["o"] or found["s"])
        objects = (
            [] if isinstance(obj, Unclear) else [obj]
        )  # other phrases may understand these words
        words = found["field"] or found["number"]
    elif found := clauses.take(rf"(?:how many |what (?:is|are) )?(?P<field>{_WORDS})(?= *[|]?$)"):
        objects, words = list(question.document.scene.objects), found["field"]
    else:
        return None
    words = re.sub(
        r"^(?:what|which|value|is|are|the|tell|show|me|of|how|many| )+ ", "", f" {words}"
    ).strip()
    having = [obj.title for obj in objects if has_field(obj, words)]
    if len(having) != 1:
        return clauses.ask(f"The {words} of which object? {there_are(having)}") if having else None
    found_all = clauses.whole({"names": having})
    return Meant(found_all, LAST) if isinstance(found_all, Meant) else found_all


def in_plain_words(records: Sequence[Mapping[str, Any]]) -> str:
    """The result of `read_objects`, a line for each object, numbers with their units; and of
    several their number.
    """
    lines = [
        f"- {in_words(str(record['object']))}: {', '.join(_values(record))}" for record in records
    ]
    return "\n".join([f"{len(lines)} objects:\n", *lines] if len(lines) > 1 else lines)


def _values(record: Mapping[str, Any]) -> list[str]:
    values, units = record.get("fields", {}), record.get("units", {})
    labels = (
        {f.json_name: f.about for f in fields_of(_KINDS[record["type"]])}
        if record["type"] in _KINDS
        else {}
    )
    out = []
    for name, value in values.items():
        if name not in labels or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        text = with_unit(value, units.get(name, ""), "scene unit")
        out.append(f"{labels[name].label.lower()} {text}")
    kind = _KINDS[record["type"]].label.lower() if record["type"] in _KINDS else str(record["type"])
    return out or [str(record.get("problem", kind))]


PROPERTY = Phrases("what is the wavelength of {source_name}", understood=_asked)
