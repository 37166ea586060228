"""Completion of parameters and measures while typing."""

from __future__ import annotations

from collections.abc import Mapping

from raybench.analysis.measures.bound import titles_for
from raybench.analysis.measures.grammar import quoted
from raybench.analysis.measures.table import MEASURES
from raybench.kinds.fields import fields_of
from raybench.scene.document import Document
from raybench.scene.settings import Settings
from raybench.study.terms.parameter import MOTIONS, SETTINGS, parameter_text

_PLAIN = ("number", "coordinate")
_POINT = "point"


def parameter_names(document: Document) -> list[str]:
    """The parameters of a document: motions and numeric fields of its objects, motions of groups,
    numeric settings.
    """
    out: list[str] = []
    for name in document.groups:
        out += [parameter_text(name, place) for place in MOTIONS]
    for obj in document.scene.objects:
        places = [*MOTIONS]
        for f in fields_of(type(obj)):
            if getattr(obj, f.name, None) is None:
                continue
            if f.about.kind in _PLAIN:
                places.append(f.json_name)
            elif f.about.kind == _POINT:
                places += [f"{f.json_name}.x", f"{f.json_name}.y"]
        parameters = getattr(obj, "params", None)
        if isinstance(parameters, Mapping):
            places += [f"params.{name}" for name in parameters]
        out += [parameter_text(obj.title, place) for place in places]
    out += [f"{SETTINGS}.{f.json_name}" for f in fields_of(Settings) if f.about.kind in _PLAIN]
    return list(dict.fromkeys(out))


def measure_names(document: Document) -> list[str]:
    """The measures with the objects of a document in their first argument, where there are any."""
    out: list[str] = []
    for name, measure in MEASURES.items():
        if not measure.parameters or measure.parameters[0].optional:
            out.append(f"{name}()")
        if sum(not p.optional for p in measure.parameters[1:]):
            continue  # needs more than one object
        if measure.parameters and (titles := titles_for(measure.parameters[0].role, document)):
            out += [f"{name}({quoted(title)})" for title in titles]
    return out
