"""Every kind has a painter, and every painter a kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage

from core.kinds.kinds import KINDS, ROWS
from core.kinds.rows.row import IncompleteKind
from workbench import theme
from workbench.canvas.icons import kind_icon
from workbench.canvas.object_painter import PAINTERS, complete


def test_a_kind_without_a_painter_is_named() -> None:
    row = replace(ROWS[0], painter="lamp")
    with pytest.raises(IncompleteKind, match=rf"^{row.kind.__name__} \(core\.kinds\.sources\) has no painter: PAINTERS .* has no 'lamp'"):
        complete(PAINTERS, [row])


def test_a_painter_without_a_kind_is_named() -> None:
    assert complete(PAINTERS, ROWS) is PAINTERS
    with pytest.raises(IncompleteKind, match=r"^The painter 'lamp' in PAINTERS of workbench\.canvas\.object_painter is named by no"):
        complete({**PAINTERS, "lamp": PAINTERS["beam"]}, ROWS)


def icon(kind: str) -> QImage:
    return kind_icon(kind, theme.DARK).pixmap(20, 20).toImage()


def test_every_kind_has_a_picture_for_an_icon(raybench_app: object) -> None:
    empty = icon("Mirror")
    empty.fill(0)
    unread = icon("NoSuchKind")
    assert unread not in (empty, icon("Mirror"))
    for kind in KINDS:
        assert icon(kind) not in (empty, unread), kind
