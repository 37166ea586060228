"""The picture tests as a plugin for any application: the example of its README, in a project of its
own, in other processes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, QSequentialAnimationGroup, QVariantAnimation
from PySide6.QtGui import QHoverEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QGroupBox,
    QLabel,
    QListWidget,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench_workbench.picture_tests.pictures import (
    COVER_COLOR,
    MADE_WITH,
    Baselines,
    compare_images,
    painter_versions,
    still_picture,
)
from raybench_workbench.picture_tests.widget_tree import (
    describe_differences,
    read_tree,
    visible_widgets,
    write_tree,
)

pytestmark = pytest.mark.usefixtures("plain_app")
ROOT = Path(__file__).parents[3]
README = ROOT / "workbench" / "raybench_workbench" / "picture_tests" / "README.md"


@pytest.fixture
def project(tmp_path) -> Path:
    for name, text in re.findall(
        r"```\w+ (\S+)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def pytest_in(folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the tests of a project where no display and no platform of Qt are chosen but by
    ``variables``.
    """
    inherited = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("PYTEST_", "QT_", "DISPLAY", "WAYLAND_"))
    }
    # a quicker start, for most other plugins here are large
    environment = inherited | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
    plugins = (
        []
        if "PYTEST_DISABLE_PLUGIN_AUTOLOAD" in variables
        else ["-p", "pytest-qt", "-p", "raybench"]
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins, *options]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_another_application_is_tested_by_pictures(project):
    missing = pytest_in(project, PYTEST_DISABLE_PLUGIN_AUTOLOAD="")
    assert missing.returncode == 1
    assert "'greeting' has no expected picture" in missing.stdout
    made = pytest_in(project, "--update-shots")
    assert made.returncode == 0, made.stdout
    assert sorted(p.name for p in (project / "pictures").iterdir()) == [
        "greeting.png",
        "greeting.widgets.json",
        MADE_WITH,
    ]
    again = pytest_in(project)
    assert again.returncode == 0, again.stdout
    assert not (project / "screenshots-failed" / "index.html").exists(), (
        "what an earlier run kept is gone"
    )
    code = project / "greeter.py"
    code.write_text(code.read_text().replace('f"Hello, {', 'f"Good day, {'))
    (project / "test_greeter.py").write_text(
        (project / "test_greeter.py").read_text().replace('"Hello, Ada!"', '"Good day, Ada!"')
    )
    changed = pytest_in(project)
    assert changed.returncode == 1
    assert "Greeter > QLabel answer: text 'Hello, Ada!' is now 'Good day, Ada!'" in changed.stdout
    quoted = re.findall(
        r"^    ( *(?:'greeting' differs|Greeter > ).*)$",
        README.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(quoted) == 3
    for line in quoted:  # as the page says, but for the folder
        assert line.partition(" See ")[0] in changed.stdout
    page = (project / "screenshots-failed" / "index.html").read_text()
    assert page.count("data:image/png;base64,") == 4, (
        "expected, painted with the expected under it, difference"
    )
    assert "Good day, Ada!" in page
    assert not re.search(r"(src|href)='(?!data:)", page), "the page needs nothing beside it"


DIALOG = """
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit


def test_a_form(still_app, qtbot, shots):
    buttons = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(buttons.Save | buttons.Cancel | buttons.Help)
    field = QLineEdit(box)
    box.layout().insertWidget(0, field)
    qtbot.addWidget(box)
    box.show()
    field.setFocus()
    shots(box, "form")
"""


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb, an X server without a screen")
def test_offscreen_pictures_equal_those_of_a_display(project):
    (project / "test_form.py").write_text(DIALOG, encoding="utf-8")
    made = pytest_in(project, "--update-shots")
    assert made.returncode == 0, made.stdout
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        display = f":{server.stdout.readline().strip()}"
        seen = pytest_in(project, DISPLAY=display, QT_QPA_PLATFORM="xcb")
        server.terminate()
    assert seen.returncode == 0, seen.stdout


ELSEWHERE = """
from PySide6.QtWidgets import QLabel, QWidget


def test_a_clock_elsewhere(still_app, qtbot, shots):
    page, clock = QWidget(), QLabel("12:00")
    page.resize(50, 50)
    for widget in (page, clock):
        qtbot.addWidget(widget)
        widget.show()
    shots(page, "page", hide=[clock])
"""


def test_a_widget_to_hide_must_be_inside(project):
    (project / "test_elsewhere.py").write_text(ELSEWHERE, encoding="utf-8")
    made = pytest_in(project, "--update-shots")
    assert made.returncode == 1, made.stdout
    assert (
        "'page': 'QLabel' cannot be hidden, as it is not within the widget of the picture."
        in made.stdout
    )


STYLED = """
import pytest
from PySide6.QtWidgets import QDoubleSpinBox, QGraphicsScene, QGraphicsView


@pytest.mark.parametrize("sheet", ["", "QDoubleSpinBox { background: red; }", ""])
def test_a_number(still_app, qtbot, shots, sheet):
    assert still_app.styleSheet() == ""
    if sheet:
        still_app.setStyleSheet(sheet)
    number = QDoubleSpinBox(value=2.5)
    qtbot.addWidget(number)
    number.show()
    shots(number, "red" if sheet else "plain")


def test_raybench_has_a_style_sheet(raybench_app):
    assert raybench_app.styleSheet()


def test_a_number_after_that(still_app, qtbot, shots):
    test_a_number(still_app, qtbot, shots, "")


def test_a_view(still_app, qtbot, shots):
    scene = QGraphicsScene()
    scene.addRect(0, 0, 20, 20)
    view = QGraphicsView(scene)
    qtbot.addWidget(view)
    view.show()
    shots(view, "view")
"""


def test_pictures_do_not_depend_on_earlier_tests(project):
    (project / "test_styled.py").write_text(STYLED, encoding="utf-8")
    made = pytest_in(project, "--update-shots", LC_ALL="C")
    assert made.returncode == 0, made.stdout
    seen = pytest_in(project, LC_ALL="de_DE.UTF-8")
    assert seen.returncode == 0, seen.stdout


def test_damaged_pictures_are_named_and_made_again(project):
    pytest_in(project, "--update-shots")
    pictures = project / "pictures"
    picture, tree, made_with = (
        pictures / "greeting.png",
        pictures / "greeting.widgets.json",
        pictures / MADE_WITH,
    )
    good = made_with.read_bytes()
    picture.write_text("version https://git-lfs.github.com/spec/v1", encoding="utf-8")
    tree.write_text("<<<<<<< ours", encoding="utf-8")
    missing = pytest_in(project)
    assert (
        f"'greeting' has an expected picture that is no image, {picture}; look at it"
        in missing.stdout
    )
    made_with.write_text("<<<<<<< ours", encoding="utf-8")
    refused = pytest_in(project)
    assert f"'greeting': {made_with} is no table of versions." in refused.stdout
    assert "Traceback" not in missing.stdout + refused.stdout
    made_with.write_bytes(good)
    again = pytest_in(project, "--update-shots")
    assert again.returncode == 0, again.stdout
    assert pytest_in(project).returncode == 0
    assert read_tree(tree) is not None


def test_a_widget_without_a_size_has_no_picture(panel):
    panel.clock.resize(0, 20)
    with pytest.raises(RaybenchError, match="0 x 20 pixels has no picture"):
        still_picture(panel.clock)


@pytest.fixture
def panel(still_app, qtbot):
    panel = QWidget()
    qtbot.addWidget(panel)
    panel.box, panel.rows, panel.clock = QGroupBox("Readings"), QListWidget(), QLabel("12:00")
    panel.rows.addItems(["one", "two", "three"])
    inside = QVBoxLayout(panel.box)
    inside.addWidget(panel.clock)
    column = QVBoxLayout(panel)
    column.addWidget(panel.box)
    column.addWidget(panel.rows)
    panel.resize(200, 220)
    panel.show()
    return panel


def test_a_pointer_is_not_in_the_picture(panel):
    panel.rows.setStyleSheet("QListWidget::item:hover { background: #ff0000; }")
    before = still_picture(panel)
    place = QPointF(panel.rows.visualItemRect(panel.rows.item(1)).center())
    viewport = panel.rows.viewport()
    QApplication.sendEvent(
        viewport,
        QHoverEvent(QEvent.Type.HoverEnter, place, viewport.mapToGlobal(place), QPointF(-1, -1)),
    )
    assert panel.grab().toImage().convertToFormat(before.format()) != before, (
        "the row under the pointer is lit"
    )
    assert still_picture(panel) == before


def test_widgets_that_change_with_time_are_covered(panel):
    before = still_picture(panel, [panel.clock])
    panel.clock.setText("12:01")
    after = still_picture(panel, [panel.clock])
    assert before == after
    assert after.pixelColor(panel.clock.mapTo(panel, panel.clock.rect().center())) == COVER_COLOR


class Needle(QWidget):
    """Swings to its value."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0.0
        self.swing = QVariantAnimation(self)
        self.swing.setDuration(10_000)
        self.swing.setStartValue(0.0)
        self.swing.setEndValue(40.0)
        self.swing.valueChanged.connect(self._at)

    def _at(self, value: float) -> None:
        self.value = value
        self.update()


@pytest.mark.parametrize("joined", [False, True])
def test_what_swings_to_its_value_is_pictured_there(still_app, qtbot, joined):
    needle = Needle()
    qtbot.addWidget(needle)
    needle.show()
    if joined:
        group = QSequentialAnimationGroup(needle)
        group.addAnimation(needle.swing)
        group.start()
    else:
        needle.swing.start()
    still_picture(needle)
    assert needle.value == 40.0


def test_endless_animations_stand_in_pictures_alone(still_app, qtbot):
    bar = QProgressBar()
    bar.setRange(0, 0)
    bar.resize(200, 20)
    qtbot.addWidget(bar)
    bar.show()
    first = still_picture(bar)
    qtbot.wait(130)
    moved = bar.grab().toImage().convertToFormat(first.format())
    assert moved != first, "it moves on"
    assert still_picture(bar) == first


def test_differences_are_told_by_widgets(panel, tmp_path):
    image, tree = still_picture(panel), visible_widgets(panel)
    write_tree(tree, tmp_path / "tree.json")
    assert read_tree(tmp_path / "tree.json") == tree
    panel.rows.item(1).setText("TWO")
    panel.clock.setEnabled(False)
    new = QLabel("more", panel.box)
    panel.box.layout().addWidget(new)
    new.show()
    QApplication.processEvents()
    difference = compare_images(still_picture(panel), image)
    lines = describe_differences(tree, visible_widgets(panel), difference.changed)
    clock = "QWidget > QGroupBox > QLabel"
    assert f"{clock} 2 is new" in lines
    assert f"{clock}: enabled is now disabled" in lines
    assert "QWidget > QListWidget: text 'one two three' is now 'one TWO three'" in lines
    assert any(line.startswith("QWidget > QGroupBox: ") and " is now " in line for line in lines), (
        "it grew"
    )
    assert lines[-1].endswith("pixels differ")


def test_another_qt_has_pictures_of_its_own(panel, tmp_path):
    image, tree = still_picture(panel), visible_widgets(panel)
    here = Baselines(tmp_path, {"PySide6": "6.11.3", "numpy": "2.4.6"})
    here.store_picture("panel", image, tree)
    other = Baselines(tmp_path, {"PySide6": "6.10.1", "numpy": "2.4.6"})
    assert other.picture_path("panel") == tmp_path / "panel.png", (
        "compared with the same picture, not skipped"
    )
    assert other.version_difference == "PySide6 is 6.10.1, they are made with 6.11.3"
    other.store_picture("panel", image, tree)
    assert not other.version_folder.exists(), "it paints the same"
    painted = image.copy()
    painted.setPixel(3, 3, 0xFFFF0000)
    other.store_picture("panel", painted, tree)
    assert QImage(str(tmp_path / "PySide6-6.10.1" / "panel.png")).pixelColor(3, 3).red() == 255
    assert other.picture_path("panel") != here.picture_path("panel")
    assert QImage(str(here.picture_path("panel"))).convertToFormat(image.format()) == image
    assert json.loads((tmp_path / MADE_WITH).read_text()) == {"PySide6": "6.11.3", "numpy": "2.4.6"}


def test_the_versions_are_those_that_are_installed():
    found = painter_versions(["numpy", "not-installed-at-all"])
    assert set(found) == {"PySide6", "numpy"}


def test_one_changed_pixel_is_seen():
    wanted = QImage(20, 10, QImage.Format.Format_RGB32)
    wanted.fill(0x102030)
    assert compare_images(wanted, wanted.copy()) is None
    changed = wanted.copy()
    changed.setPixel(7, 3, 0x102031)
    difference = compare_images(changed, wanted)
    assert difference.text == "differs in 1 pixels (x 7 to 7, y 3 to 3)"
    assert difference.marked.pixelColor(7, 3).red() == 255
