"""Answers in XML: one root element that carries revision and units, well formed whatever the names in it hold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from core.analysis.context import TracedScene
from core.hidden_characters import HIDDEN

HEADER = '<?xml version="1.0" encoding="UTF-8"?>'
UNITS: Mapping[str, str] = {"wavelength_unit": "nm", "angle_unit": "deg", "power_unit": "relative"}
"""The units of every answer besides its length unit. A power is relative to the brightness that the scene gives its sources."""
STALE = "The scene was edited after this trace: this is about the scene as it was traced. Trace it again to ask about it as it stands."
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(tag: str, /, *children: str, **attributes: Any) -> str:
    """An element with its children, which are elements themselves, one a line.

    ``attributes`` are texts, numbers and truth values; None leaves one out, a trailing underscore is dropped (``from_``).
    """
    if not children:
        return f"<{tag}{_attributes(attributes)}/>"
    inner = "\n".join(children).replace("\n", "\n  ")
    return f"<{tag}{_attributes(attributes)}>\n  {inner}\n</{tag}>"


def leaf(tag: str, value: Any, /, **attributes: Any) -> str:
    """An element that holds a text, a number or a truth value."""
    return f"<{tag}{_attributes(attributes)}>{text(shown(value))}</{tag}>"


def document(root: str, /, *children: str, context: TracedScene | None = None, **attributes: Any) -> str:
    """A whole answer. The root carries the attributes, then the context's revision and length unit, and the other units."""
    return f"{HEADER}\n{element(root, *children, **attributes, **provenance(context))}"


def provenance(context: TracedScene | None) -> dict[str, Any]:
    """What every root says: which trace the answer is about, whether that is out of date, and the units."""
    if context is None:
        return dict(UNITS)
    about: dict[str, Any] = {"revision": context.result.revision, "unit": context.unit, **UNITS}
    if context.stale:
        about |= {"stale": True, "note": STALE}
    return about


def shown(value: Any) -> str:
    """A value as text: numbers with nine digits, ``inf``, ``-inf`` and ``nan`` for those without any, ``true`` and ``false``."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        number = float(value)
        return f"{number + 0.0:.9g}" if math.isfinite(number) else str(number)
    return str(value)


def text(value: str) -> str:
    """Text for an element, in one line: escaped, and without what XML cannot hold. Hidden characters are kept as references."""
    return _referred(escape(fit(value), {'"': "&quot;", "'": "&apos;"}))


def attribute(value: str) -> str:
    """Text for an attribute, in one line, quotes included; hidden characters are kept as references."""
    return _referred(quoteattr(fit(value)))


def fit(value: str) -> str:
    """The text with what XML cannot hold, such as control characters, written as in JSON: ``\\u0001``."""
    return _UNFIT.sub(lambda m: f"\\u{ord(m[0]):04x}", value)


def _referred(escaped: str) -> str:
    return HIDDEN.sub(lambda m: f"&#{ord(m[0])};", escaped)


def _attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(f" {name.rstrip('_')}={attribute(shown(value))}" for name, value in attributes.items() if value is not None)
