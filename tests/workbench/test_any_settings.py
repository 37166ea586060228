"""Settings files and window states of any content: each value is one that can be chosen, and the
window comes up.
"""

from __future__ import annotations

import base64
import json
import os
import random
from pathlib import Path

import pytest
from prism_window import prism_document
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMenu
from tests.changed_text import ODD, changed

from raybench_workbench.preferences.choices import PREFERENCES
from raybench_workbench.preferences.settings import MAX_RECENT, Settings

LONG = bool(os.environ.get("RAYBENCH_LONG"))
FILES, WINDOWS, STATES = (5_000, 60, 1_500) if LONG else (40, 1, 12)
KEYS = (
    *(row.name for row in PREFERENCES),
    "recent",
    "recent",
    "recent",
    "welcomed",
    "window",
    "window",
    "zz",
    "",
)
VALUES = (
    *(
        "true",
        "false",
        "null",
        "0",
        "-1",
        "9",
        "2.5",
        "1e309",
        "NaN",
        "-Infinity",
        "9" * 400,
        "9" * 5_000,
        "[]",
        "{}",
        '""',
        '"neon"',
    ),
    *(
        '"dark"',
        '"ask"',
        '"auto"',
        '"mm"',
        '["rays", "foci"]',
        '["rays", 1]',
        "[[]]",
        '["/tmp/a.json", "", "..", "~", 5, "a\\u0000b"]',
    ),
    *(
        '{"geometry": "", "state": "", "digest": ""}',
        '{"geometry": "AAAA", "state": "é"}',
        '{"geometry": 1}',
        '"\\ud800"',
        "[",
    ),
    *("[" * 100_000, '"' + "x" * 300_000 + '"', *(json.dumps(odd) for odd in ODD)),
)


def text(chance: random.Random) -> bytes:
    """The text of a settings file with values of any type; or one of those with changes."""
    members = [
        f"{json.dumps(chance.choice(KEYS))}: {chance.choice(VALUES)}"
        for _ in range(chance.choice((0, 1, 3, 10, 40)))
    ]
    found = f"{{{', '.join(members)}}}"
    if chance.random() < 0.3:
        found = changed(found, (found, '{"recent": ["/a"], "welcomed": true}'), chance)
    return found.encode(chance.choice(("utf-8", "utf-8", "utf-8", "latin-1", "utf-16")), "replace")


@pytest.mark.long
def test_whatever_a_settings_file_holds_each_value_is_one_that_can_be_chosen(
    tmp_path: Path,
) -> None:
    chance = random.Random(f"settings {os.environ.get('RAYBENCH_SEED', '')}")
    chosen = 0
    for i in range(FILES):
        file = tmp_path / f"{i}.json"
        file.write_bytes(text(chance))
        settings = Settings(file)
        for row in PREFERENCES:
            value = settings.get(row)
            assert row.is_allowed(value)
            chosen += value != row.default
        assert all(isinstance(path, Path) and path.name for path in settings.recent)
        assert isinstance(settings.was_welcome_shown, bool)
        settings.restore_window(lambda given: None, lambda given: None)
        settings.remember_file(tmp_path / "scene.json")
        assert settings.recent[0] == tmp_path / "scene.json"
        assert len(settings.recent) <= MAX_RECENT
        settings.forget_file(tmp_path / "scene.json")
        settings.read_again()
        settings.wait_until_written()
        assert tmp_path / "scene.json" not in Settings(file).recent
        file.unlink()
    assert chosen > 0 or not LONG


@pytest.mark.long
@pytest.mark.security
def test_a_window_opens_with_any_settings(open_window, tmp_path: Path) -> None:
    chance = random.Random(f"windows {os.environ.get('RAYBENCH_SEED', '')}")
    for _ in range(WINDOWS):
        (tmp_path / "settings.json").write_bytes(text(chance))
        window = open_window(prism_document())
        assert window.canvas.isVisible()
        assert len(window.document.result) > 0
        for menu in window.findChildren(QMenu):
            menu.aboutToShow.emit()
        window.document.session.discard()
        window.close()
        window.show_theme("dark")


def changed_bytes(data: bytes, chance: random.Random) -> QByteArray:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 30))):
        at = chance.randrange(len(out) + 1)
        match chance.randrange(4):
            case 0 if at < len(out):
                out[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
            case 1:
                del out[at : at + chance.choice((1, 4, 40))]
            case 2:
                out[at:at] = chance.choice(
                    (b"\xff" * 4, b"\x7f\xff\xff\xff", bytes(out[at : at + 60]), b"\0" * 8)
                )
            case _:
                out[at : at + 4] = chance.choice(
                    (b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0" * 4, b"\0\0\x27\x10")
                )
        if not out:
            break
    return QByteArray(bytes(out))


@pytest.mark.long
@pytest.mark.security
def test_a_damaged_state_of_a_window_is_not_restored(open_window, tmp_path: Path) -> None:
    """Qt itself would be ended by some."""
    chance = random.Random(f"states {os.environ.get('RAYBENCH_SEED', '')}")
    window = open_window(prism_document())
    window.rays_dock.show()
    right = window.saveGeometry(), window.saveState()
    (settings := Settings(file := tmp_path / "states.json")).remember_window(*right)
    settings.wait_until_written()
    given = list[QByteArray]()
    assert Settings(file).restore_window(given.append, given.append)
    assert tuple(given) == right
    for _ in range(STATES):
        parts = list(right)
        which = chance.randrange(2)
        parts[which] = changed_bytes(bytes(parts[which].data()), chance)
        values = json.loads(file.read_text())
        values["window"] |= {
            name: base64.b64encode(part.data()).decode()
            for name, part in zip(("geometry", "state"), parts, strict=True)
        }
        file.write_text(json.dumps(values))
        assert Settings(file).restore_window(given.append, given.append) is (tuple(parts) == right)
    assert all(part in right for part in given)
