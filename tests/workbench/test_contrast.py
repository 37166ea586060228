"""The contrast of texts with what is behind them, in every theme: at least 4.5 to 1."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette

from raybench_workbench import theme
from raybench_workbench.canvas.strokes import contrast_ratio
from raybench_workbench.json_view.editor import _COLOURS, _mark_format

LEAST = 4.5
GROUNDS = ("canvas", "panel", "field", "hover", "selected_row", "user_tint")
TEXTS = ("text", "dim", "accent", "error", "warning", "good")


def over(color: QColor, ground: QColor) -> QColor:
    """A colour that lets a part of the ground through, on it."""
    a = color.alphaF()
    mixed = [
        a * c + (1 - a) * g for c, g in zip(color.getRgbF()[:3], ground.getRgbF()[:3], strict=True)
    ]
    return QColor.fromRgbF(*mixed)


@pytest.fixture(params=theme.THEMES)
def look(request, monkeypatch):
    look = theme.THEMES[request.param]
    monkeypatch.setattr(theme, "_current", look)
    return look


def test_every_text_can_be_read_on_every_ground(look):
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS]
    pairs += [
        ("on_accent", "accent"),
        ("detector", "canvas"),
        ("source", "canvas"),
        ("decoration", "canvas"),
    ]
    found = {pair: contrast_ratio(look.color(pair[0]), look.color(pair[1])) for pair in pairs}
    assert {pair: round(c, 2) for pair, c in found.items() if c < LEAST} == {}


def test_disabled_texts_and_placeholders_can_be_read(look):
    palette, role = theme._make_palette(look), QPalette.ColorRole
    disabled = [
        palette.color(QPalette.ColorGroup.Disabled, r)
        for r in (role.WindowText, role.Text, role.ButtonText)
    ]
    for color in (*disabled, palette.color(role.PlaceholderText)):
        for ground in ("panel", "field", "hover"):
            assert contrast_ratio(color, look.color(ground)) >= LEAST


def test_the_colours_of_json_can_be_read_on_marks(look):
    field = look.color("field")
    for kind in ("selected", "fault", "changed", "found"):
        ground = over(_mark_format(kind).background().color(), field)
        for color in _COLOURS.values():
            assert contrast_ratio(look.color(color), ground) >= LEAST, (kind, color)
