"""The window in other languages: every text is translated, keeps its slots, and fits its field."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QTranslator
from tests.translations import FOLDER, update_files

from raybench.lens.operands import OPERANDS
from raybench_workbench.translation import ENGLISH, LANGUAGES

LONG = bool(os.environ.get("RAYBENCH_LONG"))
OTHERS = sorted(set(LANGUAGES) - {ENGLISH})
SLOT = re.compile(r'\{[^{}"]*\}')


def texts_of_file(path: Path) -> dict[tuple[str, str], str]:
    """The translations by their English texts and meanings; those that are unfinished are empty."""
    return {
        (str(message.findtext("source")), message.findtext("comment", "")): ""
        if message.find("translation").get("type")  # type: ignore[union-attr]
        else str(message.findtext("translation"))
        for message in ElementTree.parse(path).iter("message")
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_with_its_slots(language: str) -> None:
    texts = texts_of_file(FOLDER / f"raybench_{language}.ts")
    assert [text for text, translated in texts.items() if not translated] == []
    for (text, _), translated in texts.items():
        assert set(SLOT.findall(translated)) == set(SLOT.findall(text)), text
    assert len({texts[name, "operand"] for name in OPERANDS}) == len(OPERANDS), "chosen by name"


def test_translation_files_are_those_of_the_code(tmp_path: Path) -> None:
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    update_files(tmp_path)
    for language in OTHERS:
        name = f"raybench_{language}.ts"
        texts = texts_of_file(FOLDER / name)
        assert texts_of_file(tmp_path / name) == texts, "run python -m tests.translations"
        read = QTranslator()
        assert read.load(str(FOLDER / f"raybench_{language}.qm"))
        assert {key: read.translate("", *key) for key in texts} == texts


@pytest.mark.parametrize("language", OTHERS)
def test_texts_of_the_window_are_translated_and_fit(language: str) -> None:
    tests = Path(__file__).with_name("test_nothing_clipped.py")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "window_language",
         "-k", "dialog or each_panel" + " or settings or properties_is" * LONG, str(tests)],
        env=os.environ | {"WINDOW_LANGUAGE": language, "PYTHONPATH": str(tests.parent)},
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout


def test_a_word_and_its_second_meaning_have_their_own_translations() -> None:
    german = QTranslator()
    german.load(str(FOLDER / "raybench_de.qm"))
    assert german.translate("", "Light") != german.translate("", "Light", "Theme")
    assert german.translate("", "Cut", "Edit") == german.translate("", "Cut") != ""


GERMAN = """
from raybench_workbench import translation
translation.use_language("de")
from raybench_workbench.app import make_application
app = make_application()
from raybench_workbench.panels.number_edit import NumberEdit
edit = NumberEdit("Radius", "length")
edit.set_value(1.5)
assert edit.text() == "1,5", edit.text()
edit.setText("2,25 cm")
edit.setModified(True)
edit.commit()
assert edit.value == 22.5, edit.value
edit.setText("3 kg")
edit.setModified(True)
edit.commit()
assert edit.refusal.startswith("Radius hat die Einheit „kg“; eine von nm, µm"), edit.refusal
from raybench.presets import PRESETS
from raybench_workbench.translation import translated_message
try:
    PRESETS["BiconvexLens"](thickness=1.0).objects_for_unit("mm")
except ValueError as error:
    assert "wölben sie sich um 7,82 mm" in translated_message(error), translated_message(error)
from raybench.scene.changes import Move, Rotate, SetSettings
from raybench.session import Session
from raybench_workbench.translation import tr
session = Session.open("example:prism")
session.apply([Move("Main Prism", dx=1.5), Rotate("Screen", -2)])
assert tr(session.history.undo_text) == (
    "Main Prism um (1,5; 0) mm verschoben, Screen um 2° im Uhrzeigersinn gedreht"
), tr(session.history.undo_text)
from raybench_workbench.document import WorkDocument
from raybench_workbench.parameters.model import NumberModel
numbers = NumberModel(WorkDocument(session))
numbers.update_numbers()
numbers.filter_rows("wellenlänge", None)
assert numbers.rows
from raybench_workbench.lens_data.surface_model import SurfaceModel
model = SurfaceModel(lambda design, text: given.append(design) or "")
given = []
model.show_design(Session.open("example:triplet").document.parts[0].preset.lens_design)
radius = model.index(1, 1)
assert radius.data() == "21,52", radius.data()
assert model.setData(radius, "21,75 mm")
assert given[0].system.surfaces[0].radius == 21.75
session.apply(SetSettings({"showGrid": True}))
assert tr(session.history.undo_text) == "Einstellungen: Raster zeigen aus -> an"
from raybench.scene.changes import LinkNumber, Set
from raybench.scene.changes.differences import document_differences
before = session.document
session.apply(Set("Main Prism", {"refIndex": 1.6}))
(found,) = document_differences(before, session.document)
texts = [tr(text) for text in (found.subject, found.label, found.before, found.after)]
assert texts == ["Main Prism", "Brechzahl", "1,5", "1,6"], texts
from raybench.scene.measurements import Measurement, Pin
from raybench.shapes.point import Point
from raybench_workbench.measuring.measurements import read_measurements
pins = Pin(Point(0.0, 0.0)), Pin(Point(1.5, 0.0))
line = Measurement("distance", pins, text="V1.0 {}")
(drawn,) = read_measurements(session.document, None, {"": line}).values()
assert drawn.text == "V1.0 1,5 mm", drawn.text
from raybench.lens.operands import Operand
from raybench_workbench.lens_merit.operand_list import operand_text
assert operand_text(Operand("power")) == "Brechkraft"
from raybench_workbench.plots.themed_plot import PlotAxis
assert PlotAxis("left").tickStrings([0.5, 1.0], 1.0, 0.5) == ["0,5", "1,0"]
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.studies.panel import StudyPanel
document = WorkDocument()
assert document.apply_or_refuse(LinkNumber("Lens")).startswith("'Lens' nennt keinen Parameter.")
panel = StudyPanel(document, Selection(document))
panel.show()
panel.player.show()
assert panel.minimumSizeHint().width() < 560, "it is too wide for a window of 1024 pixels"
"""


def test_numbers_and_sentences_are_german_in_a_german_window() -> None:
    subprocess.run([sys.executable, "-c", GERMAN], check=True)
