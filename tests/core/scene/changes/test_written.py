"""The table of changes is complete, or importing it names what is missing."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import raybench.scene.changes
from raybench.scene.changes.change import Change
from raybench.scene.changes.placing import Move
from raybench.scene.changes.written import VERBS, IncompleteChange, check_classes, with_verb


def forgotten(**entries: str) -> type[Change]:
    return type("Forgotten", (Change,), {"__module__": "tests", **entries})


def test_a_class_of_changes_that_is_not_in_the_table_is_named() -> None:
    with pytest.raises(
        IncompleteChange,
        match=r"^Forgotten \(tests\) is not in VERBS of core/raybench/scene/changes/written\.py",
    ):
        check_classes([Move], [Move, forgotten(verb="forget")])


def test_a_class_of_changes_without_a_verb_is_named() -> None:
    with pytest.raises(IncompleteChange, match=r"^Forgotten \(tests\) has no verb\."):
        check_classes([forgotten()], [])


def test_two_changes_with_one_verb_are_named() -> None:
    with pytest.raises(IncompleteChange, match=r"^Forgotten and Move have the same verb 'move'"):
        check_classes([Move, forgotten(verb="move")], [])


def test_every_change_in_the_sources_is_in_the_table() -> None:
    for module in pkgutil.iter_modules(raybench.scene.changes.__path__, "raybench.scene.changes."):
        importlib.import_module(module.name)
    assert {kind for kind in with_verb(Change) if kind.__module__.startswith("raybench.")} == set(
        VERBS.values()
    )
