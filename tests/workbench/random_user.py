"""A user who does anything: actions, gestures, keys, texts and clicks at random in a real window,
with edits of programs in between.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid
from tests.edge_values import edge_change

from raybench.errors import RaybenchError
from raybench.files.document_file import save_document
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.outline import object_edges
from raybench.scene.changes.written import changes_from_json
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench import files, saving
from raybench_workbench.actions import ACTIONS
from raybench_workbench.main_window import MainWindow
from raybench_workbench.window.tabs import TabWindow

LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
NONE = Qt.KeyboardModifier.NoModifier
MODIFIERS = (
    NONE,
    NONE,
    NONE,
    *(getattr(Qt.KeyboardModifier, f"{name}Modifier") for name in ("Shift", "Control", "Alt")),
)
K = Qt.Key
KEYS = (
    *(
        K.Key_Escape,
        K.Key_Escape,
        K.Key_Return,
        K.Key_Tab,
        K.Key_Backtab,
        K.Key_Delete,
        K.Key_Backspace,
        K.Key_Space,
        K.Key_F2,
        K.Key_Menu,
    ),
    *(
        K.Key_Left,
        K.Key_Right,
        K.Key_Up,
        K.Key_Down,
        K.Key_Home,
        K.Key_End,
        K.Key_PageUp,
        K.Key_PageDown,
        K.Key_Plus,
        K.Key_Minus,
    ),
    *(
        K.Key_0,
        K.Key_1,
        K.Key_5,
        K.Key_Period,
        K.Key_A,
        K.Key_D,
        K.Key_H,
        K.Key_L,
        K.Key_K,
        K.Key_S,
        K.Key_V,
        K.Key_Z,
    ),
)
TEXTS = (
    "0|1|-1|1.5|120|3 mm|2 cm|1/3|45 deg|0.1 rad|1e9|-1e30|1e400|nan|| |x|5,5|1+|2*(|500 nm|0.5"
    " um|100 50|&File|=1+1|a\0b|<b>x</b>|Lens|Main"
    " Prism|Näme|\u202eabc|e\u0301|\u200b|\\frac{1}{x}|x^2+y|\\sin(t|N-BK7|Screen.power|power(Screen)|Main"
    " Prism.x=0..1:3|least rms(Screen)|" + "ü" * 80
).split("|")
QUESTIONS = (
    *(
        "Which rays go through the prism?",
        "How much light reaches the screen?",
        "/help",
        "/measure power(Screen)",
        "undo",
        "R1",
        "?",
    ),
    *(
        "move the prism by 5",
        "Where is the focus?",
        "list the objects",
        "what is TIR",
        "/find_rays_inside_glass_xml Main Prism",
        "/",
    ),
)
NEVER = (
    *("file.quit", "file.close", "file.new_tab", "file.new_window", "file.open_tab"),
    *("mcp.allow", "window.reset"),
)
"""What would end the window or open another one, open a port, or take long."""


class RandomUser:
    """Does one thing after the other; ``did`` has their words, newest last. Dialogs are answered in
    nested event loops, too.
    """

    def __init__(
        self,
        window: MainWindow,
        chance: random.Random,
        folder: Path,
        patch: pytest.MonkeyPatch,
        log: str | None = None,
    ) -> None:
        """``folder`` has the files to choose; ``log`` is a file to which all is written that was
        begun.
        """
        self.window, self.chance, self.folder = window, chance, folder
        self.did: list[str] = []
        self._log = log
        self._touched: dict[int, int] = {}
        self._held: Qt.MouseButton | None = None
        self._at = QPointF(300, 300)
        for name in (
            "getOpenFileName",
            "getSaveFileName",
        ):  # Qt's own look through folders of the system
            patch.setattr(QFileDialog, name, self._file)
        patch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(self.folder))
        self._start_answering()
        self._in_answer = False
        self.ways: list[tuple[int, Callable[[], str]]] = [
            (16, self.action),
            (22, self.gesture),
            (10, self.keys),
            (10, self.type_text),
            (18, self.click),
            (5, self.menu),
            (5, self.wheel),
            (4, self.travel),
            (6, self.program_edit),
            (4, self.pick),
            (2, self.ask),
            (3, self.edit_json),
            (2, self.document),
            (1, self.theme),
            (1, self.resize),
            (6, self.wait),
        ]

    def act(self) -> str:
        """Do something; returns what, in words."""
        way = self.chance.choices([w for _, w in self.ways], [n for n, _ in self.ways])[0]
        try:
            what = f"{way.__name__} {way()}"
        except RuntimeError as error:
            if "already deleted" not in str(error):
                raise
            what = f"{way.__name__} (widget gone)"
        self._say(what)
        for _ in range(self.chance.choice((0, 1, 1, 3))):
            QApplication.processEvents()
        return what

    def _say(self, what: str) -> None:
        self.did.append(what)
        self._note(what)

    def _note(self, text: str) -> None:
        if self._log is not None:
            with open(self._log, "a") as file:
                file.write(f"{text}\n")

    def change_window(self, window: MainWindow) -> None:
        """Come to rest in the window, and go on in another one."""
        if isValid(self.window) and not self.window.isHidden():
            self.finish()
        self._held = None
        self.window = window
        if isValid(self._answering):
            self._answering.setParent(window)
        else:
            self._start_answering()

    def _start_answering(self) -> None:
        self._answering = QTimer(self.window, interval=15)
        self._answering.timeout.connect(self._answer)
        self._answering.start()

    def finish(self) -> None:
        """Release the mouse, stop the agent, which may wait for a decision, and close what is open,
        so that the window is at rest.
        """
        if self.window.chat_dock.busy:
            self.window.chat_dock.stop()
        if self._held is not None:
            self.release()
        for _ in range(30):
            popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if popup is None:
                break
            popup.close()
            QApplication.processEvents()
        for widget in QApplication.topLevelWidgets():
            if not isinstance(widget, TabWindow | MainWindow) and widget.isVisible():
                widget.close()
        self.window.activateWindow()
        self.window.canvas.setFocus()
        QTest.keyClick(self.window.canvas, K.Key_Escape)
        QTest.keyClick(self.window.canvas, K.Key_Escape)
        QTest.keyClick(self.window.canvas, K.Key_Escape)
        self.window.canvas.activate_drawing_mode(None)
        QApplication.processEvents()

    # --- where

    def _widgets(self, *kinds: type) -> list[Any]:
        """The visible, enabled widgets of some kinds, in the window that has the focus of all."""
        top = (
            QApplication.activePopupWidget()
            or QApplication.activeModalWidget()
            or self.chance.choice(self._tops())
        )
        found = [
            w
            for w in top.findChildren(QWidget)
            if isinstance(w, kinds) and w.isVisible() and w.isEnabled()
        ]
        return found

    def _tops(self) -> list[QWidget]:
        return [self.window] * 3 + [
            w
            for w in QApplication.topLevelWidgets()
            if w.isVisible() and w is not self.window.window() and w.isWindow()
        ]

    def _place(self) -> QPointF:
        """A place on the canvas: a corner or an edge of an object, or anywhere."""
        canvas, chance = self.window.canvas, self.chance
        objects = self.window.document.scene.objects
        if objects and chance.random() < 0.75:
            left, top, right, bottom = edges_bounding_box(object_edges(chance.choice(objects))) or (
                0,
                0,
                0,
                0,
            )
            if max(abs(v) for v in (left, top, right, bottom)) < 1e6:
                x, y = (
                    chance.choice((left, right, (left + right) / 2)),
                    chance.choice((top, bottom, (top + bottom) / 2)),
                )
                at = canvas.camera.to_screen(Point(x, y))
                if canvas.rect().contains(at.toPoint()):
                    return at
        return QPointF(chance.randrange(canvas.width()), chance.randrange(canvas.height()))

    # --- the canvas

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
        QTest.mousePress(self.window.canvas, button, modifiers, at.toPoint())
        self._held, self._at = button, at

    def move(self, to: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        canvas = self.window.canvas
        held = self._held or Qt.MouseButton.NoButton
        at = QPointF(to.toPoint())
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove,
            at,
            canvas.mapToGlobal(at),
            Qt.MouseButton.NoButton,
            held,
            modifiers,
        )
        QApplication.sendEvent(canvas, event)
        self._at = at
        if self.chance.random() < 0.5:
            QApplication.processEvents()

    def release(self) -> None:
        assert self._held is not None
        QTest.mouseRelease(self.window.canvas, self._held, NONE, self._at.toPoint())
        self._held = None

    def gesture(self) -> str:
        """A click, a double click, or a drag, of which something else may happen in the middle."""
        chance = self.chance
        if self._held is not None:
            self.move(self._place(), chance.choice(MODIFIERS))
            self.release()
            return "released"
        modifiers, button = (
            chance.choice(MODIFIERS),
            chance.choice((LEFT, LEFT, LEFT, LEFT, LEFT, LEFT, RIGHT, MIDDLE)),
        )
        at = self._place()
        if chance.random() < 0.15:
            QTest.mouseDClick(self.window.canvas, button, modifiers, at.toPoint())
            return f"double click {at.toTuple()}"
        self.press(at, button, modifiers)
        if chance.random() < 0.3:
            self.release()
            return f"click {button.name} {modifiers.name} {at.toTuple()}"
        words = [f"drag {button.name} {modifiers.name} {at.toTuple()}"]
        near = chance.random() < 0.5
        for _ in range(chance.choice((1, 2, 4))):
            step = QPointF(chance.randrange(-60, 61), chance.randrange(-60, 61))
            self.move(
                self._at + step if near else self._place(),
                chance.choice((modifiers, modifiers, chance.choice(MODIFIERS))),
            )
            words.append(str(self._at.toTuple()))
            if chance.random() < 0.12:
                words.append(
                    "in it: "
                    + chance.choice(
                        (
                            self.keys,
                            self.travel,
                            self.program_edit,
                            self.action,
                            self.document,
                            self.wheel,
                        )
                    )()
                )
        if self._held is not None and chance.random() < 0.93:
            self.release()
        else:
            words.append("held")
        return " ".join(words)

    def wheel(self) -> str:
        chance = self.chance
        widget = (
            self.window.canvas
            if chance.random() < 0.5
            else chance.choice(self._widgets(QWidget) or [self.window.canvas])
        )
        at = QPointF(
            chance.randrange(max(1, widget.width())), chance.randrange(max(1, widget.height()))
        )
        angle = QPoint(0, chance.choice((120, -120, 15, -15, 1200, -600)))
        event = QWheelEvent(
            at,
            widget.mapToGlobal(at),
            QPoint(),
            angle,
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        return f"{type(widget).__name__} {angle.y()}"

    # --- the window

    def action(self) -> str:
        row = self.chance.choice(ACTIONS)
        if self.chance.random() < 0.5:  # tools and what acts on a selection, more often
            row = self.chance.choice(
                [
                    r
                    for r in ACTIONS
                    if r.id.startswith(("insert.", "arrange.", "edit.", "measure."))
                ]
            )
        if row.id in NEVER:
            return f"{row.id} not"
        action = self.window.actions_by_id[row.id]
        if not action.isEnabled():
            self.window.refresh_actions()
            return f"{row.id} disabled"
        self._note(f"  trigger {row.id}")
        action.trigger()
        return row.id

    def keys(self) -> str:
        chance = self.chance
        target = chance.choice(
            (self.window.canvas, QApplication.focusWidget() or self.window.canvas)
        )
        words = []
        for _ in range(chance.choice((1, 1, 2, 5))):
            key, modifiers = chance.choice(KEYS), chance.choice(MODIFIERS)
            if modifiers & Qt.KeyboardModifier.AltModifier:
                modifiers = NONE
            words.append(f"{modifiers.name}+{key.name}")
            self._note(f"  key {words[-1]} to {type(target).__name__}")
            QTest.keyClick(target, key, modifiers)
        return f"{' '.join(words)} to {type(target).__name__}"

    def type_text(self) -> str:
        edits = [
            e
            for e in self._widgets(QLineEdit, QAbstractSpinBox)
            if not (isinstance(e, QLineEdit) and e.isReadOnly())
        ]
        if not edits:
            return "nowhere"
        edit, text = self.chance.choice(edits), self.chance.choice(TEXTS)
        edit.setFocus()
        if isinstance(edit, QLineEdit) and self.chance.random() < 0.8:
            edit.selectAll()
        words = f"{text!r} into {type(edit).__name__} {edit.accessibleName()!r}"
        self._note(f"  type {words}")
        if text.isascii() and "\0" not in text:
            QTest.keyClicks(edit, text)
        elif isinstance(edit, QLineEdit):  # as an input method does
            edit.insert(text)
            edit.setModified(True)
        end = self.chance.choice((K.Key_Return, K.Key_Return, K.Key_Tab, K.Key_Escape, None, None))
        if end is not None:
            QTest.keyClick(edit, end)
        return f"{words}, {end.name if end else 'left'}"

    def click(self) -> str:
        """A click on any button, list, tab, header or choice that is seen."""
        kinds = (
            QAbstractButton,
            QAbstractItemView,
            QTabBar,
            QComboBox,
            QHeaderView,
            QPlainTextEdit,
            QTextEdit,
        )
        widgets = self._widgets(*kinds)
        if not widgets:
            return "nothing"
        widget = self.chance.choice(widgets)
        if isinstance(widget, QComboBox):
            return self._choose(widget)
        if isinstance(widget, QAbstractItemView | QPlainTextEdit | QTextEdit) and not isinstance(
            widget, QHeaderView
        ):
            widget = widget.viewport()
        if widget.width() < 1 or widget.height() < 1:
            return "an empty widget"
        centre = widget.rect().center()
        inside = QPoint(
            self.chance.randrange(widget.width()), self.chance.randrange(widget.height())
        )
        at = centre if isinstance(widget, QAbstractButton) else inside
        modifiers = self.chance.choice(MODIFIERS)
        words = f"{type(widget).__name__} {_name(widget)} {modifiers.name}"
        self._note(f"  click {words}")
        if self.chance.random() < 0.15:
            QTest.mouseDClick(widget, LEFT, modifiers, at)
            return f"double {words}"
        QTest.mouseClick(widget, LEFT, modifiers, at)
        return words

    def _choose(self, combo: QComboBox) -> str:
        if not combo.count():
            return "an empty choice"
        i = self.chance.randrange(combo.count())
        words = f"choice {combo.accessibleName()!r}: {combo.itemText(i)!r}"
        self._note(f"  {words}")
        combo.setCurrentIndex(i)
        combo.activated.emit(i)
        return words

    def menu(self) -> str:
        """A context menu anywhere; its entries are chosen by `_answer`."""
        chance = self.chance
        if chance.random() < 0.3:
            menu = chance.choice(list(self.window.menus.values()))
            self._note(f"  menu {menu.title()}")
            menu.aboutToShow.emit()
            entries = [
                a
                for a in menu.actions()
                if a.isEnabled() and not a.isSeparator() and a.menu() is None and not self._never(a)
            ]
            if entries:
                entry = chance.choice(entries)
                self._note(f"  entry {entry.text()}")
                text = entry.text()
                entry.trigger()
                return f"{menu.title()} > {text}"
            return menu.title()
        widgets = self._widgets(QWidget)
        if not widgets:
            return "nowhere"
        widget = chance.choice(widgets)
        at = QPoint(
            chance.randrange(max(1, widget.width())), chance.randrange(max(1, widget.height()))
        )
        self._note(f"  context menu {type(widget).__name__} {_name(widget)}")
        QApplication.sendEvent(
            widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
        )
        return f"context {type(widget).__name__} {_name(widget)}"

    def _never(self, action: Any) -> bool:
        return any(action is self.window.actions_by_id[name] for name in NEVER)

    def pick(self) -> str:
        """Select an item of a list, or edit it."""
        views = [v for v in self._widgets(QAbstractItemView) if not isinstance(v, QHeaderView)]
        if not views:
            return "nothing"
        view = self.chance.choice(views)
        size = view.viewport().size()
        index = view.indexAt(
            QPoint(
                self.chance.randrange(max(1, size.width())),
                self.chance.randrange(max(1, size.height())),
            )
        )
        if not index.isValid():
            return "no item"
        self._note(f"  pick {type(view).__name__} {view.accessibleName()!r} row {index.row()}")
        view.scrollTo(index)
        at = view.visualRect(index).center()
        self.chance.choice((QTest.mouseClick, QTest.mouseClick, QTest.mouseDClick))(
            view.viewport(), LEFT, self.chance.choice(MODIFIERS), at
        )
        if self.chance.random() < 0.2:
            QTest.keyClick(view, K.Key_F2)
            focus = QApplication.focusWidget()
            if isinstance(focus, QLineEdit):
                focus.setText(self.chance.choice(TEXTS))
                QTest.keyClick(focus, self.chance.choice((K.Key_Return, K.Key_Escape, K.Key_Tab)))
        return f"{type(view).__name__} {view.accessibleName()!r} row {index.row()}"

    def theme(self) -> str:
        name = self.chance.choice(("dark", "light"))
        self.window.actions_by_id[f"theme.{name}"].trigger()
        return name

    def resize(self) -> str:
        size = self.chance.choice(((1280, 800), (800, 600), (1920, 1080), (1000, 500), (640, 480)))
        self.window.window().resize(*size)
        return str(size)

    def wait(self) -> str:
        end = time.monotonic() + self.chance.choice((0.0, 0.02, 0.1, 0.6))
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)
        return ""

    # --- the document

    def travel(self) -> str:
        many, back = self.chance.choice((1, 1, 2, 6)), self.chance.random() < 0.6
        for _ in range(many):
            action = self.window.actions_by_id["edit.undo" if back else "edit.redo"]
            if action.isEnabled():
                action.trigger()
        return f"{'undo' if back else 'redo'} {many}"

    def program_edit(self) -> str:
        """An edit as a program or a model makes it, at any moment."""
        names = tuple(o.title for o in self.window.document.scene.objects) or ("Nothing",)
        written = [edge_change(names, self.chance) for _ in range(self.chance.choice((1, 1, 2)))]
        self._note(f"  program {str(written)[:300]}")
        try:
            changes = changes_from_json(written, self.window.document.document)
            reason = self.window.document.apply_or_refuse(
                changes, self.chance.choice((None, None, "turn 1", "turn 2"))
            )
        except RaybenchError as error:
            return f"unreadable: {str(error)[:60]}"
        if len(self.window.document.scene.objects) > 60 and not reason:
            self.window.document.undo()
        return f"{str(written)[:100]}: {reason[:60] or 'made'}"

    def ask(self) -> str:
        dock = self.window.chat_dock
        if dock.busy:
            if self.chance.random() < 0.5:
                dock.stop()
                return "stop"
            return "busy"
        question = self.chance.choice(QUESTIONS)
        self._note(f"  ask {question}")
        dock.ask(question)
        return question

    def edit_json(self) -> str:
        """Change the scene's text, where it is shown: a number, a piece, anything."""
        if self.window.json_dock.made is None or not self.window.json.isVisible():
            self.window.json_dock.show()
            self.window.json_dock.raise_()
            return "shown"
        editor = self.window.json.editor
        text = editor.toPlainText()
        if not text:
            return "empty"
        cursor = editor.textCursor()
        at = self.chance.randrange(len(text))
        digits = [i for i, c in enumerate(text[:20_000]) if c.isdigit()]
        if digits and self.chance.random() < 0.7:
            at = self.chance.choice(digits)
            cursor.setPosition(at)
            cursor.setPosition(at + 1, cursor.MoveMode.KeepAnchor)
            new = self.chance.choice("0123456789")
        else:
            cursor.setPosition(at)
            cursor.setPosition(
                min(len(text), at + self.chance.choice((0, 1, 5))), cursor.MoveMode.KeepAnchor
            )
            new = self.chance.choice(("", "{", "}", ",", '"', "x", "null", "\n", "1"))
        self._note(f"  json {new!r} at {at}")
        cursor.insertText(new)
        return f"{new!r} at {at}"

    def document(self) -> str:
        """Another document, or the same saved, changed on disk and read again."""
        session, chance = self.window.document.session, self.chance
        which = chance.choice(("save", "save", "disk", "new"))
        file = self.folder / chance.choice(("a.raybench", "b.json"))
        self._note(f"  document {which} {file.name}")
        if which == "save" and len(session.document.scene.objects) < 80:
            saving.save_to_file(self.window, file)
        elif which == "disk" and session.path is not None:
            save_document(session.base, session.path)
            files.reload_document(self.window)
        elif which == "new" and chance.random() < 0.3:
            self.window.document.replace_session(
                Session(session.document if chance.random() < 0.7 else None)
            )
        return f"{which} {file.name}"

    # --- dialogs

    def _answer(self) -> None:
        """Answer a menu or a dialog that waits in an event loop of its own."""
        # anew, since Qt fires no timer again within its own slot, where a dialog may ask in turn
        self._answering.start()
        shown = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if shown is None or self._in_answer:
            return
        self._in_answer = True
        try:
            times = self._touched[id(shown)] = self._touched.get(id(shown), 0) + 1
            self._note(f"  answer {type(shown).__name__} {shown.windowTitle()!r}")
            if times > 3 or self.chance.random() < 0.2:
                self._touched.pop(id(shown))
                shown.close()
            elif isinstance(shown, QMenu):
                entries = [
                    a
                    for a in shown.actions()
                    if a.isEnabled()
                    and not a.isSeparator()
                    and a.menu() is None
                    and not self._never(a)
                ]
                shown.close()
                if entries:
                    entry = self.chance.choice(entries)
                    self._note(f"  chosen {entry.text()!r}")
                    self._in_answer = False  # it may ask in turn
                    entry.trigger()
            elif shown.isModal():
                self._in_answer = False
                self.chance.choice((self.type_text, self.click, self.click))()
            else:
                QTest.keyClick(shown, self.chance.choice(KEYS))
        finally:
            self._in_answer = False

    def _file(self, *_: Any) -> tuple[str, str]:
        existing = [str(p) for p in self.folder.iterdir() if p.is_file()]
        new = [
            str(self.folder / name)
            for name in ("new.json", "new.png", "new.svg", "new", "missing/x.json")
        ]
        return self.chance.choice((*existing, *new, "")), ""


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return repr(
        widget.accessibleName() or text or widget.objectName() or type(widget.parent()).__name__
    )
