"""Where to save: endings are added, and no file is replaced unasked."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from raybench_workbench.dialogs import MAX_NAME_LENGTH, ask_save_name, safe_file_name

KINDS = "PNG picture (*.png);;Rays as CSV (*.csv)"


@pytest.fixture
def asked(monkeypatch, qtbot, tmp_path):
    """A function that answers both dialogs, and the questions about replacing a file."""
    questions, parent = [], QWidget()
    qtbot.addWidget(parent)

    def ask(name, chosen="Rays as CSV (*.csv)", replace=QMessageBox.StandardButton.Yes):
        monkeypatch.setattr(
            QFileDialog,
            "getSaveFileName",
            lambda *_: (str(tmp_path / name) if name else "", chosen),
        )
        monkeypatch.setattr(QMessageBox, "question", lambda *a: questions.append(a[2]) or replace)
        return ask_save_name(parent, "Export", "figure.png", KINDS, (".png", ".csv"))

    return ask, questions


def test_a_name_without_ending_gets_that_of_the_chosen_kind(asked, tmp_path):
    ask, questions = asked
    assert ask("light") == tmp_path / "light.csv"
    assert ask("light", "PNG picture (*.png)") == tmp_path / "light.png"
    assert ask("light.2") == tmp_path / "light.2.csv"
    assert ask("light.PNG") == tmp_path / "light.PNG"
    assert ask("light", "") == tmp_path / "light.png"
    assert ask("") is None
    assert not questions


def test_a_file_that_the_ending_leads_to_is_replaced_only_if_allowed(asked, tmp_path):
    ask, questions = asked
    (tmp_path / "light.csv").write_text("kept")
    assert ask("light", replace=QMessageBox.StandardButton.No) is None
    assert questions == [f"light.csv already exists in {tmp_path.name}. Replace it?"]
    assert ask("light") == tmp_path / "light.csv"


@pytest.mark.parametrize(
    "title",
    [
        "../../etc/x",
        "/etc/passwd",
        "..",
        ".",
        "",
        " ",
        "a/b",
        "a\\b",
        "C:x",
        "\0",
        "a\nb",
        "\u202ea",
        "x" * 300,
        "*?|<>",
    ],
)
@pytest.mark.security
def test_a_title_from_a_scene_names_a_file_in_the_same_folder_on_any_system(title, tmp_path):
    name = safe_file_name(title, "scene")
    path = tmp_path / f"{name}.json"
    assert path.parent == tmp_path
    assert path.name == f"{name}.json"
    assert 0 < len(name) <= MAX_NAME_LENGTH
    assert not set(name) & set('/\\:*?"<>|\n\0\u202e')
    assert not name.startswith(".")
    path.write_text("")


def test_ordinary_titles_are_kept_and_names_of_devices_are_not():
    assert [safe_file_name(t, "") for t in ("Linse, 5 mm (neu)", "Größe", "a.b")] == [
        "Linse, 5 mm (neu)",
        "Größe",
        "a.b",
    ]
    assert [safe_file_name(t, "") for t in ("CON", "nul.x", "Com1", "console")] == [
        "_CON",
        "_nul.x",
        "_Com1",
        "console",
    ]
