"""Completion of names in a command that is being typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from raybench.agent.by_hand.slash import words_of
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.page import page_parameters
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.schema.signature import SignatureError


def _emits(o: SceneObject) -> bool:
    return not isinstance(o, Unread) and row_of(o).emits is not None


_FITTING: dict[str, Callable[[SceneObject], bool]] = {
    "glass": lambda o: isinstance(o, GlassBody),
    "inside": lambda o: isinstance(o, GlassBody),
    "crosses": lambda o: isinstance(o, GlassBody),
    "detector": lambda o: isinstance(o, Detector),
    "aperture": lambda o: isinstance(o, Aperture),
    "source": _emits,
    "object": lambda o: o.optical and not _emits(o),
}
"""The objects that a parameter accepts, by the first word of its name."""


def fitting_names(tool: Tool, rest: str, document: Document) -> Sequence[str] | None:
    """The candidates for the next argument of a command, after the arguments typed so far
    (``rest``); None if any object is accepted.

    For an edge, the labels of the object that precedes it.
    """
    if tool.parsed is None:
        return None
    try:
        names = [f.name for f in tool.parsed.parameters]
        complete = (
            rest[: len(rest) - len(rest.rsplit(" ", 1)[-1])]
            if rest.count('"') % 2 == 0
            else rest[: rest.rindex('"')]
        )
        words = [word for word, _ in words_of(complete)]
    except (SignatureError, ValueError):
        return None
    free = [name for name in names if name not in page_parameters(names)]
    written: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name if equals and name in free else next((n for n in free if n not in written), "")
        written[name] = value if equals else word
    typed = rest[len(complete) :].partition("=")
    now = (
        typed[0]
        if typed[1] and typed[0] in names
        else next((n for n in free if n not in written), "")
    )
    if not now:
        return []
    first = now.partition("_")[0]
    objects = document.scene.objects
    if first == "edge":
        bodies = [o for o in objects if o.title in written.values()]
        return [
            e.reference
            for o in bodies[:1]
            for e in labelled_edges(o, document.edge_labels.get(o.key, {}))
        ]
    fits = _FITTING.get(first) or _FITTING.get(first.removesuffix("s"))
    return None if fits is None else list(dict.fromkeys(o.title for o in objects if fits(o)))
