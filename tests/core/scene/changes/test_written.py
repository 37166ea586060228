"""Every class of changes enters itself in the table of verbs."""

from __future__ import annotations

import pytest

from raybench.kinds.fields import number
from raybench.scene.changes.change import CHANGE_TYPES, Change, IncompleteChange, TargetedChange
from raybench.scene.changes.placing import Move
from raybench.scene.changes.written import changes_from_json, read_change
from raybench.scene.document import Document


def test_two_changes_with_one_verb_are_named() -> None:
    with pytest.raises(IncompleteChange, match=r"^Forgotten and Move have the same verb 'move'"):
        type("Forgotten", (Change,), {"verb": "move"})
    assert CHANGE_TYPES["move"] is Move


def test_a_new_verb_is_one_class() -> None:

    class Bend(TargetedChange):
        verb = "bend"
        needs = ("by",)

        by: float = number(0.0, "Angle", unit="deg")

    try:
        assert read_change({"bend": "Rod", "by": "90 deg"}) == Bend("Rod", 90.0)
        assert repr(Bend("Rod", 90.0)) == "Bend('Rod', by=90.0)"
        with pytest.raises(ValueError, match=r"'bend' needs by\. Write it as"):
            changes_from_json({"bend": "Rod"}, Document())
    finally:
        del CHANGE_TYPES["bend"]
