"""Names of a scene are shown as they stand: Qt takes texts with tags for HTML, and reads the
pictures that these name.
"""

from __future__ import annotations

import dataclasses

import pytest
from prism_window import prism_document
from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer
from PySide6.QtGui import QAction, QColor, QHelpEvent, QImage, QTextDocument
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMenu, QToolTip, QWidget

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.turn.transcript import Exchange, transcript_markdown
from raybench.analysis.rays.ray_filter import MatchCondition, RayFilter
from raybench.files.document_file import save_document
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench.view import PickedRays
from raybench_workbench import saving
from raybench_workbench.canvas.picking import find_hit_at_pixel, rays_near_pixel
from raybench_workbench.chat.answer_text import AnswerText
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.help_list import HelpList
from raybench_workbench.chat.result_view import ResultView
from raybench_workbench.compare import CompareDialog, show_differences_from
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.help_windows import CommandPalette
from raybench_workbench.panels import document_lists
from raybench_workbench.shot import wait_seconds, wait_until_settled
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.threads import run_with_progress
from raybench_workbench.window import layout

pytestmark = pytest.mark.one_window


@pytest.fixture
def name(tmp_path):
    """The name of an object that is a picture, if it is taken for HTML."""
    image = QImage(80, 80, QImage.Format.Format_RGB32)
    image.fill(QColor("#d02020"))
    assert image.save(str(tmp_path / "red.png"))
    return f"Lens & <img src='{tmp_path / 'red.png'}'>"


def indexes(model, parent=QModelIndex()):  # noqa: B008
    for row in range(model.rowCount(parent)):
        for column in range(9):
            if model.hasIndex(row, column, parent):
                yield model.index(row, column, parent)
        yield from indexes(model, model.index(row, 0, parent))


def read_as_html(window):
    """All texts of a window that Qt reads as HTML where they have tags: tool tips, and labels that
    do not say what their text is.
    """
    for widget in window.findChildren(QWidget):
        yield widget.toolTip()
        if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.AutoText:
            yield widget.text()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from (
                str(i.data(Qt.ItemDataRole.ToolTipRole) or "") for i in indexes(widget.model())
            )
    yield from (action.toolTip() for action in window.findChildren(QAction))


@pytest.mark.security
def test_no_name_is_read_as_html_anywhere_in_the_window(open_window, name):
    window = open_window(prism_document())
    document = window.document
    for obj in document.scene.objects:
        document.change(Set(obj.key, {"name": f"{name} {obj.key}"}))
    for dock in (window.inspector_dock, window.rays_dock, window.plots_dock):
        dock.show()
    window.selection.set({document.scene.objects[-1].key})
    layout.show_history(window)
    wait_until_settled(window)
    shown = RayFilter(must=(MatchCondition("source", (document.scene.objects[0].key,)),))
    document.set_view(
        dataclasses.replace(document.session.view, picked=PickedRays.from_rows(5), ray_filter=shown)
    )
    wait_until_settled(window)
    wait_seconds(0.2)
    assert "img" in window.inspector.facts.texts["Source"]
    texts = list(read_as_html(window))
    assert any("img" in text for text in texts), "names are in tool tips"
    assert not [text for text in texts if "<img" in text]


def test_the_tip_of_a_ray_shows_the_letters_of_its_source(open_window, name):
    window = open_window(prism_document())
    canvas, document = window.canvas, window.document
    for obj in document.scene.objects:
        document.change(Set(obj.key, {"name": f"{name} {obj.key}"}))
    wait_until_settled(window)
    result = document.result
    middles = (
        canvas.camera.to_screen(Point(*(0.5 * (result.p1[row] + result.p2[row])).tolist()))
        for row in range(len(result))
    )
    at = next(
        p
        for p in middles
        if canvas.rect().contains(p.toPoint())
        and len(rays_near_pixel(canvas, p))
        and find_hit_at_pixel(canvas, p) is None
    )
    QApplication.sendEvent(
        canvas, QHelpEvent(QEvent.Type.ToolTip, at.toPoint(), canvas.mapToGlobal(at.toPoint()))
    )
    assert "img" in QToolTip.text()
    assert "<img" not in QToolTip.text()


@pytest.mark.security
def test_no_name_in_the_table_of_an_answer_is_read_as_html(open_window, qtbot, name):
    window = open_window(prism_document())
    document, dock = window.document, window.chat_dock
    for obj in document.scene.objects:
        document.change(Set(obj.key, {"name": f"{name} {obj.key}"}))
    wait_until_settled(window)
    dock.show()
    dock.ask("/describe_scene_xml")
    qtbot.waitUntil(lambda: not dock.busy)
    (card,) = dock.findChildren(ToolCard)
    card.toggle()
    arguments = ResultView("find_rays", {"glass_name": name}, None, WorkDocument(), Selection())
    qtbot.addWidget(arguments)
    assert name in arguments.text
    texts = [*read_as_html(card), *read_as_html(arguments)]
    assert any("img" in text for text in texts)
    assert not [text for text in texts if "<img" in text]


@pytest.mark.security
def test_no_name_in_a_comparison_with_a_file_is_read_as_html(open_window, qtbot, tmp_path, name):
    window = open_window(prism_document())
    other = prism_document()
    renamed = tuple(dataclasses.replace(o, name=f"{name} {o.key}") for o in other.scene.objects)
    save_document(
        dataclasses.replace(other, scene=dataclasses.replace(other.scene, objects=renamed)),
        tmp_path / "other.raybench",
    )
    show_differences_from(window, tmp_path / "other.raybench")
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareDialog)))
    texts = list(read_as_html(window.findChildren(CompareDialog)[-1]))
    assert any("img" in text for text in texts)
    assert not [text for text in texts if "<img" in text]


@pytest.mark.security
def test_what_a_worker_of_any_folder_says_of_itself_is_not_read_as_html(
    raybench_app, qtbot, tmp_path
):
    (tmp_path / "judge.worker").write_text(
        "---\ndescription: Judges <img src=red.png>.\n---\nJudge."
    )
    commands = HelpList([ToolRegistry((), tmp_path).find_tool("judge").tool], "")
    qtbot.addWidget(commands)
    texts = list(read_as_html(commands))
    assert any("img" in text for text in texts)
    assert not [text for text in texts if "<img" in text]


@pytest.mark.security
def test_no_name_of_a_file_is_read_as_html_in_a_question(open_window, name, tmp_path):
    path = tmp_path / "<img src=red.png>.json"
    save_document(prism_document(), path)
    window = open_window(path)
    window.document.change(Set(window.document.scene.objects[0].key, {"name": "Other"}))
    save_document(Document(), path)  # another program changes it
    texts = []

    def read():
        box = QApplication.activeModalWidget()
        texts.extend(label.text() for label in box.findChildren(QLabel))
        box.reject()

    QTimer.singleShot(50, read)
    saving.save_document(window)
    QTimer.singleShot(50, read)
    assert not saving.may_leave_document(window)
    assert len([text for text in texts if "img src" in text]) == 3
    assert not [text for text in texts if "<img" in text]


@pytest.mark.security
def test_no_name_of_a_file_is_read_as_html_while_it_is_written(open_window, qtbot):
    window, ended = open_window(prism_document()), []
    dialog = run_with_progress(
        lambda progress: None, "Writing <img src=red.png>.csv", window, ended.append, ended.append
    )
    (label,) = dialog.findChildren(QLabel)
    assert "img src" in label.text()
    assert "<img" not in label.text()
    qtbot.waitUntil(lambda: bool(ended))


@pytest.mark.security
def test_a_reply_loads_nothing(raybench_app, qtbot, name):
    answer = AnswerText()
    qtbot.addWidget(answer)
    path = name.partition("'")[2].partition("'")[0]
    answer.append_text(f"Two rays.\n\n![red]({path})\n\n<img src='{path}'>")
    answer.finish()
    answer.resize(300, 300)
    answer.show()
    image = answer.grab().toImage()
    reds = sum(
        image.pixelColor(x, y) == QColor("#d02020")
        for x in range(image.width())
        for y in range(image.height())
    )
    assert reds == 0
    assert "Two rays." in answer.toPlainText()


PICTURES = (
    *(
        "![a](IMAGE)",
        "\\![a](IMAGE)",
        "![a][b]\n\n[b]: IMAGE",
        "<img src='IMAGE'>",
        "\\<img src='IMAGE'>",
        "`<IMG\nsrc='IMAGE'>",
    ),
    *("```\n```\n<img src='IMAGE'>", "`` ` <img src='IMAGE'>"),
)


@pytest.mark.parametrize("text", PICTURES)
@pytest.mark.security
def test_a_conversation_as_markdown_fetches_no_picture(raybench_app, name, text):
    """A model that was told so by a name could send what it has read in the address of a picture."""
    text = text.replace("IMAGE", name.partition("'")[2].partition("'")[0])
    outcome = ToolOutcome(
        "find_rays", {"glass_name": f"`{text}"}, {}, True, None, 1.0, f"Rays in {text}", "", ""
    )
    exchange = Exchange(text, TurnFinished(f"Two rays.\n\n{text}", (outcome,)), (outcome,))
    shown = QTextDocument()
    shown.setMarkdown(transcript_markdown([exchange], text))
    assert "<img" not in shown.toHtml()
    assert "Two rays." in shown.toPlainText()


@pytest.mark.security
def test_a_tool_tip_shows_the_letters_of_a_name(raybench_app, qtbot, name):
    widget = QLabel("x")
    qtbot.addWidget(widget)
    widget.show()
    QToolTip.showText(widget.mapToGlobal(widget.rect().center()), literal_tool_tip(name), widget)
    (tip,) = [w for w in raybench_app.topLevelWidgets() if w.inherits("QTipLabel")]
    image = tip.grab().toImage()
    QToolTip.hideText()
    reds = sum(
        image.pixelColor(x, y) == QColor("#d02020")
        for x in range(image.width())
        for y in range(image.height())
    )
    assert reds == 0
    assert literal_tool_tip("two\nlines & a sign") == "two\nlines & a sign"


def test_a_name_with_an_ampersand_is_whole_in_menus_and_in_the_palette(open_window):
    window = open_window(prism_document())
    document_lists.save_view(window, "Lens & screen")
    menu = QMenu()
    document_lists.fill_views_menu(window, menu)
    assert "Lens & screen" in [a.iconText() for a in menu.actions()]
    undo = window.actions_by_id["edit.undo"]
    document = window.document
    document.change(Set(document.scene.objects[0].key, {"name": "A & B"}))
    assert "A & B" in undo.iconText()
    palette = CommandPalette([("Edit", undo)], window)
    assert "A & B" in palette.list.item(0).text()
    palette.deleteLater()
