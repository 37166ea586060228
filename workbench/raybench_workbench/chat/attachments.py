"""The pictures that go with the next message, as thumbnails above the input field."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from raybench.agent.turn.history import AttachedPicture
from raybench.errors import elide_text
from raybench_workbench import theme
from raybench_workbench.attached_pictures import picture_from_image, read_picture
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    WrappedLabel,
    column_layout,
    describe_widget,
    push_button,
    row_layout,
)

MAX_PICTURES = 4
"""Number of pictures of a message."""
COLUMNS = 2
"""Number of thumbnails beside each other: what fits into the narrowest chat."""
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
PASTED = tr("Pasted picture")
NO_MODEL = tr("Only a model looks at pictures. Connect one first.")
TOO_MANY = tr("A message takes at most {most} pictures.", most=MAX_PICTURES)


class Thumbnail(QLabel):
    """A small copy of an attached picture, at most ``height`` high; its tool tip is the name."""

    def __init__(
        self, picture: AttachedPicture, height: int, width: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        ratio = self.devicePixelRatioF()
        image = QImage.fromData(picture.data).scaled(
            round(width * ratio),
            round(height * ratio),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        image.setDevicePixelRatio(ratio)
        self.setPixmap(QPixmap.fromImage(image))
        tip = literal_tool_tip(elide_text(picture.name, 60))
        describe_widget(self, name=tr("Picture: {name}", name=picture.name), tip=tip)


def pictures_from_mime_data(data: QMimeData) -> list[Path] | QImage | None:
    """The picture files, or else the image, in dropped or pasted data; None if it has none."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    if files := [path for path in paths if path.suffix.lower() in PICTURE_SUFFIXES]:
        return files
    if data.hasImage() and not data.hasText():
        image = data.imageData()
        return image if isinstance(image, QImage) else QImage(image)
    return None


class AttachmentStrip(QWidget):
    """The strip of pictures that go with the next message. It reads them in the background, and is
    hidden while it is empty and nothing was refused.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pictures: tuple[AttachedPicture, ...] = ()
        self.reading = 0
        """The number of pictures that are being read."""
        self.model = False
        """Whether a model is connected, which can look at pictures."""
        self.thumbnails: list[QWidget] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(theme.HALF)
        self._grid.setColumnStretch(COLUMNS, 1)
        self.refusal = WrappedLabel("", self, role="warning")
        column_layout(self._grid, self.refusal, on=self, margins=0, spacing=theme.HALF)
        self._show_pictures()

    def add_pictures(self, found: list[Path] | QImage) -> None:
        """Read picture files, or an image, and attach them."""
        if not self.model:
            self._show_refusal(NO_MODEL)
            return
        works: list[Callable[[], AttachedPicture]] = (
            [partial(picture_from_image, found, PASTED)]
            if isinstance(found, QImage)
            else [partial(read_picture, path) for path in found]
        )
        room = MAX_PICTURES - len(self.pictures) - self.reading
        self._show_refusal(TOO_MANY if len(works) > room else "")
        for work in works[: max(0, room)]:
            self.reading += 1
            run_in_background(self, work, self._attach_picture, self._report_reading_failure)
        self.changed.emit()

    def take_pictures(self) -> tuple[AttachedPicture, ...]:
        """Remove and return the pictures, because the message is sent."""
        pictures, self.pictures = self.pictures, ()
        self._show_refusal("")
        return pictures

    def put_back(self, pictures: tuple[AttachedPicture, ...]) -> None:
        """Attach pictures of messages that are not sent, up to the limit of one message."""
        several = (*pictures, *self.pictures)
        self.pictures = several[:MAX_PICTURES]
        self._show_refusal(TOO_MANY if len(several) > MAX_PICTURES else "")

    def _attach_picture(self, picture: AttachedPicture) -> None:
        self.reading -= 1
        self.pictures = (*self.pictures, picture)
        self._show_pictures()

    def _report_reading_failure(self, error: Exception) -> None:
        self.reading -= 1
        self._show_refusal(error_reason(error, tr("Reading the picture")))

    def _show_refusal(self, reason: str) -> None:
        self.refusal.setText(reason)
        self._show_pictures()

    def _remove_picture(self, picture: AttachedPicture) -> None:
        self.pictures = tuple(other for other in self.pictures if other is not picture)
        self._show_refusal("")

    def _show_pictures(self) -> None:
        for old in self.thumbnails:
            old.hide()
            old.deleteLater()
        self.thumbnails = [self._make_thumbnail(picture) for picture in self.pictures]
        for i, new in enumerate(self.thumbnails):
            self._grid.addWidget(new, *divmod(i, COLUMNS))
            new.show()
        self.refusal.setVisible(bool(self.refusal.text()))
        self.setVisible(bool(self.pictures) or bool(self.refusal.text()))
        self.changed.emit()

    def _make_thumbnail(self, picture: AttachedPicture) -> QWidget:
        box = QWidget(self)
        remove = push_button(
            "×",
            lambda: self._remove_picture(picture),
            name=tr("Remove {name}", name=picture.name),
            tip=tr("Remove this picture from the message"),
            role="chip",
        )
        shown = Thumbnail(picture, 5 * theme.GRID, 9 * theme.GRID, box)
        row_layout(shown, remove, 1, on=box, margins=0, spacing=theme.HALF)
        return box
