"""Sheets around figures: their scale, title block and caption, from the dialog and the command."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from tests.workbench.prism_window import prism_document

from raybench.errors import RaybenchError
from raybench.files.document_file import load_document, save_document
from raybench.kinds.blockers import Blocker
from raybench.scene.changes import SetDocument
from raybench.scene.changes.transaction import apply_changes
from raybench.scene.document import Document
from raybench.scene.measurements import Measurement, Pin
from raybench.scene.scene import Scene
from raybench.scene.sheet import Sheet, read_ratio
from raybench.shapes.point import Point
from raybench_workbench import editing
from raybench_workbench.cli import main
from raybench_workbench.export import dialog as export_dialog
from raybench_workbench.export.dialog import ExportDialog
from raybench_workbench.export.sheet import SheetPage
from raybench_workbench.figure import figure_image, make_figure, pdf_bytes, svg_bytes
from raybench_workbench.theme import PAPER

pytestmark = pytest.mark.one_window

MM = 72 / 25.4
"""Points of a page in a millimetre."""


def rod(length=100.0, unit="mm"):
    """A rod with a dimension line beside it."""
    blocker = Blocker(p1=Point(0, 0), p2=Point(length, 0))
    pins = Pin(Point(0, 0)), Pin(Point(length, 0))
    measured = {"d": Measurement("dimension", pins, offset=(0.0, length / 5))}
    return Document(scene=Scene.of([blocker]), measurements=measured, unit=unit)


def sheet_figure(document, **given):
    page = SheetPage(Sheet(**given), "rod.raybench", "2026-01-02", document.unit)
    return make_figure(document, None, PAPER, page=page)


@pytest.mark.parametrize(
    ("document", "scale", "millimetres"),
    [(rod(), "1:1", 100), (rod(), "1:2", 50), (rod(10, "cm"), "1:1", 100), (rod(8), "10:1", 80)],
)
def test_lengths_on_a_page_are_true_to_scale(raybench_app, document, scale, millimetres):
    page = pypdfium2.PdfDocument(pdf_bytes(sheet_figure(document, scale=scale)))[0]
    paths = [o.get_bounds() for o in page.get_objects([pdfium.FPDF_PAGEOBJ_PATH])]
    level = [right - left for left, bottom, right, top in paths if top - bottom < 1.2 * MM]
    assert any(width == pytest.approx(millimetres * MM, abs=0.02 * MM) for width in level)


@pytest.mark.parametrize(
    ("length", "scale", "said"),
    [(100.0, "round", "2 : 1"), (3000.0, "round", "1 : 20"), (100.0, "1:5", "1 : 5")],
)
def test_the_title_block_says_the_scale_the_unit_and_who(raybench_app, length, scale, said):
    texts = {"title": "A rod", "author": "E. Abbe", "caption": "It is long."}
    drawn = sheet_figure(rod(length), scale=scale, **texts)
    drawing = ET.fromstring(svg_bytes(drawn))
    assert drawing.get("width") == "297mm"
    written = [text.strip() for text in drawing.itertext()]
    for text in (said, "mm", "2026-01-02", "rod.raybench", *texts.values()):
        assert text in written
    assert not drawn.is_cut
    assert sheet_figure(rod(length), scale="100:1").is_cut


def test_a_slide_has_its_shape_and_headline(raybench_app):
    drawn = sheet_figure(rod(), page="slide", title="A rod")
    picture = figure_image(drawn)
    assert picture.width() / picture.height() == pytest.approx(16 / 9, abs=0.005)
    assert "A rod" in [t.strip() for t in ET.fromstring(svg_bytes(drawn)).itertext()]


@pytest.mark.parametrize(
    "given",
    [{"page": "a9"}, {"scale": "1:0"}, {"scale": "big"}, {"margin": -1.0}, {"title": 3000 * "t"}],
)
def test_a_sheet_that_makes_no_sense_is_refused(given):
    with pytest.raises(RaybenchError):
        Sheet(**given)
    with pytest.raises(RaybenchError):
        apply_changes([SetDocument(sheet=given)], Document())


def test_a_document_keeps_its_sheet(tmp_path):
    path = tmp_path / "rod.raybench"
    sheet = Sheet("a3", "1:2", 15.0, "A rod", "E. Abbe", "It is long.")
    save_document(apply_changes([SetDocument(sheet=sheet.to_json())], rod()), path)
    assert load_document(path).sheet == sheet
    assert read_ratio("1 : 2") == 0.5


def test_the_command_draws_sheets(tmp_path, capsys):
    source = tmp_path / "rod.raybench"
    save_document(rod(), source)

    def export(name, *options):
        status = main(["export", str(source), str(tmp_path / name), *options])
        return status, "".join(capsys.readouterr())

    options = ["--title", "A rod", "--date", "", "--caption", "Long", "--drawing-scale", "1:1"]
    status, said = export("a.svg", "--sheet", "letter", *options)
    assert (status, "(279.4 x 215.9 mm), scale 1 : 1" in said) == (0, True)
    assert {"A rod", "Long"} <= {
        t.strip() for t in ET.parse(tmp_path / "a.svg").getroot().itertext()
    }
    status, said = export("b.svg", "--sheet", "a4", "--drawing-scale", "50:1")
    assert (status, "cut off" in said) == (0, True)
    for wrong in (["--title", "A rod"], ["--sheet", "a4", "--size", "80mm"]):
        status, said = export("c.svg", *wrong)
        assert status != 0
        assert "sheet" in said


def test_the_dialog_remembers_a_sheet_in_the_document(open_window, qtbot, monkeypatch, tmp_path):
    window = open_window(prism_document())
    monkeypatch.setattr(export_dialog, "ask_save_name", lambda *_: tmp_path / "a.png")
    export_dialog.ask_export(window)
    (dialog,) = window.findChildren(ExportDialog)
    qtbot.waitExposed(dialog)
    assert not dialog.title.isVisible()
    dialog.page.setCurrentIndex(dialog.page.findData("a4"))
    assert not dialog.width_field.isVisible()
    qtbot.keyClicks(dialog.author, "E. Abbe")
    dialog.caption.setPlainText("Light and glass.")
    dialog.drawing_scale.setCurrentText("1:0")
    assert not dialog.export_button.isEnabled()
    dialog.drawing_scale.setCurrentText("1:20")
    qtbot.waitUntil(lambda: not dialog.preview.pixmap().isNull())
    dialog.export_button.click()
    qtbot.waitUntil((tmp_path / "a.png").exists)
    kept = window.document.document.sheet
    assert (kept.author, kept.caption, kept.scale) == ("E. Abbe", "Light and glass.", "1:20")
    assert window.settings.sheet == Sheet(scale="1:20", author="E. Abbe")
    editing.undo_step(window)
    assert window.document.document.sheet is None
