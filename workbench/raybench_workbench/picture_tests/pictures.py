"""Exact comparison of pictures of widgets with expected pictures, and the page that shows the
differences. A wrong digit changes only a few dozen pixels, so there is no tolerance.
"""

import base64
import contextlib
import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QHoverEvent, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QProxyStyle,
    QStyle,
    QStyleFactory,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench_workbench.export.picture_files import save_picture
from raybench_workbench.picture_tests.widget_tree import WidgetRecord, read_tree, write_tree
from raybench_workbench.shot import NotSettled, wait_until, widget_picture

DIFFERENCE_COLOR = (60, 60, 255)
"""Pixels that differ, as blue, green and red."""


@dataclass(frozen=True, eq=False)
class PictureDifference:
    """The difference between a picture and the expected one, which is None if missing. ``changed``
    (height, width) marks the differing pixels if both have the same size; ``marked`` is the
    darkened picture with these pixels in red.
    """

    text: str
    actual: QImage
    expected: QImage | None = None
    marked: QImage | None = None
    changed: NDArray[np.bool_] | None = None


def pixels(image: QImage) -> Any:
    """The blue, green and red bytes of a 32-bit image as an array (height, width, 3).

    The array shares the image's memory: keep a reference to the image, or copy the array.
    """
    lines = np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3]


def compare_images(actual: QImage, expected: QImage) -> PictureDifference | None:
    """The difference between an image and the expected image; None if they are equal."""
    if actual.size() != expected.size():
        wanted = f"{expected.width()} x {expected.height()}"
        sizes = f"{actual.width()} x {actual.height()} instead of {wanted} pixels"
        return PictureDifference(f"is {sizes}", actual, expected)
    painted, wanted_image = (
        image.convertToFormat(QImage.Format.Format_RGB32) for image in (actual, expected)
    )
    changed: NDArray[np.bool_] = (pixels(painted) != pixels(wanted_image)).any(axis=2)
    if not changed.any():
        return None
    rows, columns = (np.unique(places) for places in changed.nonzero())
    where = f"x {columns[0]} to {columns[-1]}, y {rows[0]} to {rows[-1]}"
    marked = QImage(wanted_image.size(), QImage.Format.Format_RGB32)
    pixels(marked)[:] = pixels(wanted_image) // 4
    pixels(marked)[changed] = DIFFERENCE_COLOR
    return PictureDifference(
        f"differs in {int(changed.sum())} pixels ({where})", actual, expected, marked, changed
    )


MADE_WITH = "made-with.json"
"""The file in the folder of the expected pictures that records the versions with which they are
made.
"""
QT_DISTRIBUTIONS = ("PySide6", "PySide6-Essentials")
"""The distributions of Qt, of which one is installed."""


def painter_versions(painters: Iterable[str]) -> dict[str, str]:
    """The installed versions of the distributions that affect painting; Qt's version is under
    ``PySide6``. Distributions that are not installed are left out.
    """
    found: dict[str, str] = {}
    for name in (*QT_DISTRIBUTIONS, *painters):
        try:
            found["PySide6" if name in QT_DISTRIBUTIONS else name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True)
class Baselines:
    """The expected pictures in ``folder``, as painted by the installed versions of Qt and of other
    painting packages.
    """

    folder: Path
    installed: dict[str, str]

    @property
    def baseline_versions(self) -> dict[str, str]:
        """The versions with which the expected pictures were made; the installed versions if there
        are no pictures yet.
        """
        path = self.folder / MADE_WITH
        if not path.exists():
            return dict(self.installed)
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except ValueError:
            raise RaybenchError(
                f"{path} is no table of versions. Write it as in an earlier commit."
            ) from None

    @property
    def version_folder(self) -> Path:
        """The folder of the expected pictures for the installed version of Qt: the common folder if
        its pictures were made with this version, else a folder for this version.
        """
        qt = self.installed.get("PySide6", "")
        return (
            self.folder
            if self.baseline_versions.get("PySide6") == qt
            else self.folder / f"PySide6-{qt}"
        )

    def picture_path(self, name: str) -> Path:
        """The path of the expected picture with a name: that of this Qt version, else the common
        one, which may not exist.
        """
        own = self.version_folder / f"{name}.png"
        return own if own.exists() else self.folder / f"{name}.png"

    def expected_widgets(self, name: str) -> list[WidgetRecord] | None:
        """The widgets recorded with the expected picture of this name."""
        return read_tree(self.picture_path(name).with_suffix(".widgets.json"))

    def store_picture(self, name: str, image: QImage, tree: list[WidgetRecord]) -> None:
        """Store a picture as the expected one: for all versions or, if the existing pictures were
        made with other versions, for this version only.
        """
        path, made_with = self.picture_path(name), self.folder / MADE_WITH
        if not path.exists() or compare_images(image, QImage(str(path))) is not None:
            path = self.version_folder / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            save_picture(image, path)
        if read_tree(path.with_suffix(".widgets.json")) != tree:
            write_tree(tree, path.with_suffix(".widgets.json"))
        if not made_with.exists():
            made_with.write_text(json.dumps(self.installed, indent=1) + "\n", encoding="utf-8")

    @property
    def version_difference(self) -> str:
        """A text that says which versions differ from those of the expected pictures; empty if none
        differ.
        """
        made = self.baseline_versions
        parts = [
            f"{n} is {v}, they are made with {made[n]}"
            for n, v in self.installed.items()
            if made.get(n, v) != v
        ]
        return "; ".join(parts)


PAGE_NAME = "index.html"
KINDS = ("expected", "actual", "diff")
SECTION_SUFFIX = ".difference.html"
"""Suffix of the part of the page on one picture: tests in several processes write theirs."""
_HEAD = """<!doctype html><html lang='en'><meta charset='utf-8'><title>Pictures that differ</title><style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; background: #f4f5f6; color: #1e2329; }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 0 }
section { background: #fff; border: 1px solid #d8dcdf; border-radius: 4px; padding: 16px; margin: 16px 0; }
.pictures { display: flex; flex-wrap: wrap; gap: 16px; margin-top: 8px; }
figure { margin: 0; flex: 1 1 300px; } img { max-width: 100%; border: 1px solid #d8dcdf; image-rendering: pixelated; }
figcaption { color: #5c6670; } li { font-family: ui-monospace, monospace; font-size: 12px; }
.blink { position: relative; } .blink img + img { position: absolute; left: 0; top: 0; visibility: hidden; }
.blink:hover img + img { visibility: visible; }
</style>"""


def clear_folder(folder: Path) -> None:
    """Remove the files that an earlier test run wrote into a folder; other files stay."""
    for section in folder.rglob(f"*{SECTION_SUFFIX}"):
        name = section.name.removesuffix(SECTION_SUFFIX)
        for kind in KINDS:
            section.with_name(f"{name}-{kind}.png").unlink(missing_ok=True)
        section.unlink()
    (folder / PAGE_NAME).unlink(missing_ok=True)


def write_failure(
    folder: Path, name: str, difference: PictureDifference, widgets: Sequence[str]
) -> None:
    """Write the pictures of a failed comparison, and its part of the report page, into a folder."""
    out = folder / name
    out.parent.mkdir(parents=True, exist_ok=True)
    shown = []
    for kind, image in zip(
        KINDS, (difference.expected, difference.actual, difference.marked), strict=True
    ):
        picture = out.with_name(f"{out.name}-{kind}.png")
        shown.append("")
        if image is not None:
            save_picture(image, picture)
            data = base64.b64encode(picture.read_bytes()).decode()
            alt = html.escape(picture.stem)
            shown[-1] = f"<img alt='{alt}' src='data:image/png;base64,{data}'>"
    expected, actual, marked = shown
    columns = {
        "expected": expected or "<p>No expected picture.</p>",
        "painted": f"<div class='blink'>{actual}{expected}</div>",
        "difference": marked,
    }
    figures = "".join(
        f"<figure>{picture}<figcaption>{title}</figcaption></figure>"
        for title, picture in columns.items()
        if picture
    )
    lines = "".join(f"<li>{html.escape(line)}</li>" for line in widgets)
    out.with_name(out.name + SECTION_SUFFIX).write_text(
        f"<section><h2>{html.escape(name)}</h2><p>It {html.escape(difference.text)}.</p>"
        f"<ul>{lines}</ul><div class='pictures'>{figures}</div></section>",
        encoding="utf-8",
    )


def write_failure_page(folder: Path) -> Path | None:
    """Write the report page with all failed comparisons in a folder; returns None if there are
    none.
    """
    sections = [
        path.read_text(encoding="utf-8") for path in sorted(folder.rglob(f"*{SECTION_SUFFIX}"))
    ]
    if not sections:
        return None
    count = (
        "1 picture that differs" if len(sections) == 1 else f"{len(sections)} pictures that differ"
    )
    hint = "Hold the pointer on a picture that was painted to see the expected one in its place."
    page = folder / PAGE_NAME
    text = f"{_HEAD}<h1>{count}</h1><p>{hint}</p>{''.join(sections)}</html>\n"
    page.write_text(text, encoding="utf-8")
    return page


COVER_COLOR = QColor(128, 128, 128)
"""What is painted over widgets that are left out of a picture."""
ACTIVATION_SECONDS = 2.0
"""Seconds that a desktop may take to make a window the active one."""
OUTSIDE_POINT = QPointF(-1, -1)
EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)

FIXED_STYLE_HINTS = {
    QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons: 0,
    QStyle.StyleHint.SH_DialogButtonLayout: 0,
}
"""What a style else takes from the desktop: icons on the buttons of dialogs, and their order, here
without icons as on Windows.
"""


class _PlatformNeutralStyle(QProxyStyle):
    """A style without the features that differ between desktops, see `FIXED_STYLE_HINTS`."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        return (
            FIXED_STYLE_HINTS[hint]
            if hint in FIXED_STYLE_HINTS
            else super().styleHint(hint, option, widget, returnData)
        )


def make_app_still(app: QApplication) -> None:
    """Give an application a style, a palette and a font that are the same on every machine, and
    stop its blinking cursor and its effects.

    The style is Fusion with a light palette, the font Open Sans of 13 pixels without hinting. A
    style sheet of the application's own stays.
    """
    from raybench_workbench.theme import load_fonts, text_font

    load_fonts()
    make_styled_app_still(app)
    app.styleHints().setColorScheme(Qt.ColorScheme.Light)
    app.setPalette(app.style().standardPalette())
    app.setFont(text_font())


def make_styled_app_still(app: QApplication) -> None:
    """Give an application with its own palette and font the same style and layout numbers on every
    desktop, and stop its blinking cursor and its effects.
    """
    QLocale.setDefault(QLocale.c())
    plain = QStyleFactory.create("Fusion")
    # offscreen nothing is to be replaced, and no call of the style passes through Python
    fixed = all(plain.styleHint(hint) == value for hint, value in FIXED_STYLE_HINTS.items())
    app.setStyle(plain if fixed else _PlatformNeutralStyle(plain))
    app.setCursorFlashTime(0)
    for effect in EFFECTS:
        app.setEffectEnabled(effect, False)


def still_picture(widget: QWidget, hide: Iterable[QWidget] = ()) -> QImage:
    """The image (RGB, 32 bits) of a widget at rest and without hover. The widgets ``hide`` within
    it are covered. Its window is made active if the application has no active window.

    Raises `raybench_workbench.shot.NotSettled` if it keeps changing, RaybenchError if it has no
    pixels, or if a widget to cover is not within it.
    """
    hide = list(hide)
    for each in hide:
        if each is not widget and not widget.isAncestorOf(each):
            name = each.accessibleName() or each.objectName() or type(each).__name__
            raise RaybenchError(
                f"'{name}' cannot be hidden, as it is not within the widget of the picture. Leave"
                " it out of `hide`."
            )
    if widget.size().isEmpty():
        raise RaybenchError(
            f"a widget of {widget.width()} x {widget.height()} pixels has no picture. Resize it"
            " before."
        )
    if QApplication.activeWindow() is None and widget.window().isVisible():
        widget.activateWindow()
        with contextlib.suppress(NotSettled):  # a desktop may refuse it
            wait_until(widget.isActiveWindow, ACTIVATION_SECONDS)
    # take the pointer, which an earlier test may have left there, off it and all within it
    leave = QHoverEvent(QEvent.Type.HoverLeave, OUTSIDE_POINT, OUTSIDE_POINT, OUTSIDE_POINT)
    for each in (widget, *widget.findChildren(QWidget)):
        each.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        in_view = isinstance(each.parentWidget(), QAbstractItemView)
        if in_view or each.testAttribute(Qt.WidgetAttribute.WA_Hover):
            QApplication.sendEvent(each, leave)
    image = widget_picture(widget).convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for each in hide:
        painter.fillRect(QRect(each.mapTo(widget, QPoint(0, 0)), each.size()), COVER_COLOR)
    painter.end()
    return image
