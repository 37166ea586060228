"""What the guides say of the window and of the command line, beside what there is."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from raybench.agent.catalogue.help import guide_sections
from raybench.files.examples import EXAMPLES
from raybench.materials.catalogue import shipped_materials
from raybench.verify.cases import CASES
from raybench_workbench.actions import ACTIONS, MENU_TABLE, flatten_menu_rows
from raybench_workbench.commands.table import COMMANDS

ROOT = Path(__file__).parents[2]
TEXT = "\n".join(passage.text for passage in guide_sections())


def test_keys_are_those_of_the_actions(qapp: QApplication) -> None:
    keys = {
        a.title if isinstance(a.title, str) else a.id.partition(".")[2].capitalize(): a.shortcut
        for a in ACTIONS
    }
    documented = re.findall(r"\*\*([^*]+)\*\*\s+\(`([^`]+)`\)", TEXT)
    assert len(documented) > 10
    for title, key in documented:
        shortcut = keys[title.replace("\n", " ")]
        assert shortcut is not None
        assert QKeySequence(shortcut).toString() == key


def test_actions_are_called_as_in_the_menus() -> None:
    there = {a.title for a in flatten_menu_rows(MENU_TABLE) if isinstance(a.title, str)} | {
        "Undo",
        "Redo",
    }
    assert {title.replace("\n", " ") for title in re.findall(r"\*\*([^*]+)\*\*", TEXT)} <= there


def test_commands_are_those_of_the_command_line() -> None:
    documented = set(re.findall(r"`raybench (\w+)", TEXT))
    assert documented == set(COMMANDS)


def test_numbers_of_what_is_shipped_are_right() -> None:
    texts = "\n".join(
        [
            TEXT,
            *((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md")),
        ]
    )
    for there, what in (
        (shipped_materials(), "glasses, crystals"),
        (EXAMPLES, "examples come"),
        (CASES, "closed forms"),
    ):
        stated = re.findall(rf"(\d+) {what}", texts)
        assert set(stated) == {str(len(there))}, what
