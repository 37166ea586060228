"""Ray sets and objects in the conversation that refer to the canvas: a ray set is a small button, a
name in an answer is a link.

Hovering previews rays or marks the object on the canvas, a click highlights them or selects the
object, a second click zooms.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPushButton, QTextBrowser, QWidget

from raybench.agent.answer_check.claims import CheckedPart, SourceCall
from raybench.analysis.answers.words import capitalize_first, ray_count_text
from raybench.errors import elide_text
from raybench.kinds.object import SceneObject
from raybench.scene.hit_test import drawn_extent
from raybench.scene.names import object_names
from raybench.trace.results.ray_set import RaySet
from raybench.view import View, camera_for_boxes, extent_of_rays
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr

MAX_MARKS = 200
"""Number of checked parts that are marked."""
MAX_TIP_LENGTH = 200
"""Characters of a call in a tool tip."""
MAX_LINKS = 100
"""Number of links in an answer; more would block the window."""


def zoom_to_rays(document: WorkDocument, rays: RaySet) -> None:
    """Highlight rays and zoom to them; do nothing if the rays are from an earlier trace."""
    result = document.session.fresh_result
    if result is not None and len(rays) and rays.revision == result.revision:
        document.highlight(rays)
        _zoom_to_box(document, extent_of_rays(result, rays))


def _zoom_to_box(document: WorkDocument, box: tuple[float, float, float, float]) -> None:
    document.set_view(dataclasses.replace(document.session.view, camera=camera_for_boxes([box])))


class NameLinks(QObject):
    """Turns the names of ray sets and objects in answers into links."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection

    def link_names(self, answer: QTextBrowser) -> None:
        """Turn the names in a complete answer into links, except names that are part of a longer
        name or word.
        """
        text, left = answer.toPlainText(), MAX_LINKS
        sets = [
            name
            for name in dict.fromkeys(re.findall(r"\bR\d+\b", text))
            if name in self._document.session.answers
        ]
        objects = [name for name in object_names(self._document.scene) if name in text]
        for name in sorted({*sets, *objects}, key=len, reverse=True):
            scheme = "rays" if name in sets else "object"
            left -= _link_name_occurrences(answer.document(), name, scheme, left)
        answer.highlighted.connect(self._hover_link)
        answer.anchorClicked.connect(self._click_link)

    def _hover_link(self, url: QUrl) -> None:
        rays, obj = self._link_target(url)
        self._selection.hover_rays(rays)
        self._selection.objectHovered.emit(obj.key if obj is not None else None)

    def _click_link(self, url: QUrl) -> None:
        document, (rays, obj) = self._document, self._link_target(url)
        if rays is not None and len(rays):
            if document.session.view.highlight is rays:
                zoom_to_rays(document, rays)
            else:
                document.highlight(rays)
        if obj is not None:
            box = drawn_extent(document.scene, obj)
            if self._selection.keys == {obj.key} and box is not None:
                _zoom_to_box(document, box)
            self._selection.set({obj.key})

    def _link_target(self, url: QUrl) -> tuple[RaySet | None, SceneObject | None]:
        """The rays or the object that a link refers to in the current document; None for a link
        without a target.
        """
        name, document = url.path(QUrl.ComponentFormattingOption.FullyDecoded), self._document
        if url.scheme() == "rays":
            rays = document.session.answers.get(name)
            fresh = rays is not None and rays.revision == document.document.revision
            return rays if fresh else None, None
        return None, next((o for o in document.scene.objects if o.title == name), None)


def _link_name_occurrences(text: QTextDocument, name: str, scheme: str, limit: int) -> int:
    """Turn at most ``limit`` occurrences of a name into links; returns how many."""
    url = QUrl()
    url.setScheme(scheme)
    url.setPath(name, QUrl.ParsingMode.DecodedMode)
    link = QTextCharFormat()
    link.setAnchor(True)
    link.setAnchorHref(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    link.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    link.setToolTip(tr("Click to see it on the canvas, click again to zoom to it"))
    flags = QTextDocument.FindFlag.FindWholeWords | QTextDocument.FindFlag.FindCaseSensitively
    done = at = 0
    while done < limit and not (cursor := text.find(name, at, flags)).isNull():
        at = cursor.selectionEnd()
        if not cursor.charFormat().isAnchor():
            cursor.mergeCharFormat(link)
            done += 1
    return done


def mark_checked_parts(
    answer: QTextBrowser, checked: Sequence[CheckedPart], rays: Mapping[str, RaySet]
) -> None:
    """Mark the checked parts of a complete answer. A supported part gets a tool tip that names its
    tool call, and a link to the call's rays; an unsupported part is underlined.

    The shown text has no markup, so each part is searched after the previous one.
    """
    text, at = answer.toPlainText(), 0
    for part in checked[:MAX_MARKS]:
        found = re.compile(rf"(?<![\w.,]){re.escape(part.text)}(?!\w)").search(text, at)
        if found is None:
            continue
        at = found.end()
        cursor = QTextCursor(answer.document())
        cursor.setPosition(found.start())
        cursor.setPosition(found.end(), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        if part.reason:
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            form.setUnderlineColor(theme.current_theme().color("warning"))
            form.setToolTip(literal_tool_tip(capitalize_first(part.reason)))
        elif part.call is not None:
            form.setToolTip(literal_tool_tip(elide_text(_call_text(part.call), MAX_TIP_LENGTH)))
            if part.call.rays in rays and not cursor.charFormat().isAnchor():
                form.setAnchor(True)
                form.setAnchorHref(f"rays:{part.call.rays}")
        cursor.mergeCharFormat(form)


def _call_text(call: SourceCall) -> str:
    """The text of a call, such as ``measure_xml: power(Screen) (R1)``."""
    given = ", ".join(str(value) for value in call.arguments.values() if value not in ("", None))
    return f"{call.tool}: {given or 'the whole scene'}{f' ({call.rays})' if call.rays else ''}"


class RaySetChip(QPushButton):
    """A button for the rays of an answer. A click highlights ``rays``, the next click removes the
    highlight. A double click or Z also zooms to the rays.

    Disabled while the document has another revision than the rays.
    """

    def __init__(
        self,
        rays: RaySet,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(rays.name, parent)
        self.rays, self._document, self._selection = rays, document, selection
        self.setAccessibleName(
            tr("Highlight {name}: {question}", name=rays.name, question=rays.question)
        )
        theme.set_role(self, "chip")
        self.clicked.connect(lambda: document.highlight(None if self.is_highlighted else rays))
        document.viewChanged.connect(self._view_changed)
        document.changed.connect(self._update_state)
        self._update_state()
        self._view_changed(document.session.view)

    @property
    def is_highlighted(self) -> bool:
        return self._document.session.view.highlight is self.rays

    def zoom_to_rays(self) -> None:
        """Highlight the rays and zoom to them."""
        zoom_to_rays(self._document, self.rays)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom_to_rays()  # not the default, which is a press: its release would remove the highlight

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Z:
            self.zoom_to_rays()
        else:
            super().keyPressEvent(event)

    def _view_changed(self, _view: View) -> None:
        if self.is_highlighted != bool(self.property("lit")):
            self.setProperty("lit", self.is_highlighted)
            theme.set_role(self, "chip")

    def _update_state(self, *_documents: object) -> None:
        fresh = self.rays.revision == self._document.document.revision
        self.setEnabled(fresh and len(self.rays) > 0)
        if not fresh:
            self._preview_rays(False)
        about = (
            tr("Click to highlight them, double click (Z) to zoom to them.")
            if fresh
            else tr("The scene has changed since: ask again, or undo.")
        )
        self.setToolTip(
            literal_tool_tip(
                f"{ray_count_text(len(self.rays))}. {capitalize_first(self.rays.question)}. {about}"
            )
        )

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._preview_rays(self.isEnabled())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._preview_rays(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._preview_rays(self.isEnabled())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._preview_rays(False)

    def _preview_rays(self, on: bool) -> None:
        if on:
            self._selection.hover_rays(self.rays)
        elif self._selection.hovered is self.rays:
            self._selection.hover_rays(None)
