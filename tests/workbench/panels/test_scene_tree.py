"""The list of objects."""

from __future__ import annotations

from prism_window import prism_document

from core.scene.changes import Set
from workbench.shot import picture


def test_a_name_with_a_line_break_takes_one_line(open_window) -> None:
    window = open_window(prism_document())
    key = window.document.scene.objects[1].key
    seen = []
    for name in ("Left\nmirror", "Left mirror"):
        window.document.change(Set(key, {"name": name}))
        seen.append(picture(window.tree.list))
    assert seen[0] == seen[1]
