"""The line at the top of the chat that names the connected model and opens a form to connect
another.
"""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from raybench.agent.models.addresses import host_of, is_local
from raybench.agent.models.anthropic import (
    DEFAULT_HOST,
    DEFAULT_MODEL,
    MODELS,
    environment_key,
)
from raybench.agent.models.any_server import AnyServer, server_backend, text_protocol_backend
from raybench.agent.models.protocol import Backend
from raybench.agent.models.server import ServerBackend, store_key, stored_key
from raybench.agent.models.text_protocol import TextBackend
from raybench.agent.turn.loop import MAX_STEPS
from raybench_workbench import theme
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.widgets import (
    ElidedLabel,
    WrappedLabel,
    column_layout,
    push_button,
    row_layout,
    set_vertical_scrolling,
)

STEPS_LIMIT = 50
LEAST_HEIGHT = 90
"""Smallest height of the form in pixels, with which it scrolls."""
SERVERS = (("Anthropic", ""), ("Local server", "http://localhost:11434"), ("Another address", ""))
"""The servers that the form offers, with their addresses; the last is any other."""
TOOL_USE, IN_TEXT = "Tool use", "As text"


class FormArea(QScrollArea):
    """A scroll area that is as high as its form where there is room, and scrolls the form
    otherwise.
    """

    def __init__(self, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._content = content
        set_vertical_scrolling(self, content)

    def sizeHint(self) -> QSize:
        width, layout = self.viewport().width(), self._content.layout()
        assert layout is not None
        return QSize(layout.sizeHint().width(), layout.totalHeightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._content.minimumSizeHint().width(), LEAST_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ConnectStrip(QWidget):
    """The line with the connected model. The signal ``testRequested`` carries a backend to test,
    ``offlineRequested`` asks to disconnect, ``newConversationRequested`` asks for a new
    conversation.

    The key is stored only in this widget, in the backend and, if the person wants it, in the
    system's keyring.
    """

    testRequested = Signal(object)
    offlineRequested = Signal()
    newConversationRequested = Signal()
    stepsChanged = Signal(int)
    """The largest number of replies of the model in a turn."""
    searchAllowed = Signal(bool)
    """Whether the provider's own web search may be used."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.set_role(self, "bar")
        self._testing: Backend | None = None
        self._tried = ("", "")
        """The host and the typed key of the last test."""
        self._stored: dict[str, str | None] = {}
        """The key of each host that was looked up in the keyring: empty for none, None without a
        keyring.
        """
        self.state = ElidedLabel(self, role="dim", selectable=False)
        self.button = push_button("", lambda: self._set_form_open(self.form.isHidden()))
        self.renew = push_button(
            "New",
            self.newConversationRequested.emit,
            tip="Begin a new conversation",
        )
        self.renew.hide()
        line = row_layout((self.state, 1), self.renew, self.button)

        content = QWidget()
        self.server = QComboBox(content)
        for title, address in SERVERS:
            self.server.addItem(title, address)
        self.server.activated.connect(self._choose_server)
        self.model = QComboBox(content)
        self.model.setEditable(True)
        self.model.addItems(MODELS)
        self.model.setCurrentText(DEFAULT_MODEL)
        if (line_edit := self.model.lineEdit()) is not None:
            line_edit.setPlaceholderText("its name there")
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.url = QLineEdit(content)
        self.url.setPlaceholderText(f"https://{DEFAULT_HOST}")
        self.url.setToolTip(
            "Any server with the Messages API or chat completions, for example"
            " http://localhost:11434/v1"
        )
        self.protocol = QComboBox(content)
        self.protocol.addItems([TOOL_USE, IN_TEXT])
        self.protocol.setToolTip(
            "How the model calls tools: by its own tool use or, for models without, written as text"
            " in its replies"
        )
        self.key = QLineEdit(content)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setToolTip(
            "Kept in memory until the program ends, or in the system's keyring; never written to a"
            " file."
        )
        self.key_place = WrappedLabel(parent=content, role="dim")
        self.keep = QCheckBox("Keep the key in the system's keyring", content)
        self.keep.hide()
        self.url.textChanged.connect(self._show_server)
        self.steps = QSpinBox(content)
        self.steps.setRange(1, STEPS_LIMIT)
        theme.indent_number_text(self.steps)
        self.steps.setValue(MAX_STEPS)
        self.steps.setToolTip(
            "The most replies of the model to one question, each with its calls; the last one"
            " answers"
        )
        self.steps.valueChanged.connect(self.stepsChanged)
        self.search = QCheckBox("Search the web", content)
        self.search.setToolTip(
            "Let Anthropic's models search the web themselves. What they search for leaves this"
            " computer."
        )
        self.search.toggled.connect(self.searchAllowed)
        self.test = push_button("Test and connect", self._test_backend, role="")
        self.leave = push_button("Go offline", self._leave_form, role="")
        self.result = WrappedLabel(parent=content)
        self.result.hide()
        fields = QFormLayout(content)
        fields.setContentsMargins(0, theme.HALF, theme.HALF, theme.HALF)
        fields.setSpacing(theme.HALF)
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, field in (
            ("Server", self.server),
            ("Model", self.model),
            ("Address", self.url),
            ("Key", self.key),
            ("Calls", self.protocol),
            ("Steps", self.steps),
        ):
            field.setAccessibleName(title)
            label = QLabel(title, content)
            label.setBuddy(field)
            theme.set_role(label, "dim")
            fields.addRow(label, field)
            if field is self.key:
                fields.addRow(self.key_place)
                fields.addRow(self.keep)
        fields.addRow(self.search)
        buttons = row_layout(self.test, self.leave, 1)
        fields.addRow(buttons)
        fields.addRow(self.result)
        self.form = FormArea(content, self)
        self.form.hide()

        column_layout(line, self.form, on=self, margins=(theme.GRID, 2, theme.HALF, 2), spacing=0)
        for edit in (self.url, self.key, self.model.lineEdit()):
            if edit is not None:
                edit.returnPressed.connect(self._test_backend)
        self.url.editingFinished.connect(self._look_up_key)
        self._shown: Backend | None = None
        self.show_backend(None)
        self._show_server()

    def show_backend(self, backend: Backend | None) -> None:
        """Show which model answers; None means the offline agent."""
        self.leave.setVisible(backend is not None)
        self.button.setText("Change" if backend else "Connect a model")
        model = backend.inner if isinstance(backend, TextBackend) else backend
        if isinstance(model, ServerBackend | AnyServer):
            in_text = model is not backend
            self.state.set_full_text(
                f"{model.name} at {model.host}{', calls as text' if in_text else ''}"
            )
            if (
                self.form.isHidden() or backend is not self._shown
            ):  # what is being typed stays at the end of a turn
                self.model.setCurrentText(model.model)
                self.url.setText(model.base_url if model.host != DEFAULT_HOST else "")
                self.protocol.setCurrentText(IN_TEXT if in_text else TOOL_USE)
        else:
            self.state.set_full_text(backend.name if backend else "Offline")
        self._shown = backend

    def show_check_result(self, backend: Backend, error: str) -> bool:
        """Show the result of testing a backend; returns whether that backend was the last one
        tested and works.
        """
        if backend is not self._testing:
            return False
        self._end_connection_test()
        self._show_result(error, "error")
        if not error:
            self._store_key()
            self._set_form_open(False)
        return not error

    def open_form(self) -> None:
        """Open the form to connect a model."""
        self._set_form_open(True)

    def _choose_server(self, index: int) -> None:
        """Fill the form for the server chosen from the list, or let the user type an address."""
        address = self.server.itemData(index)
        self.url.setText(address)
        if address:
            self.model.clearEditText()  # the server's own, which it lists
            self.model.setFocus()
        else:
            self.model.setCurrentText(DEFAULT_MODEL)
            self.url.setFocus() if index else self.key.setFocus()

    def _show_server(self, *_: object) -> None:
        """Show which server the typed address belongs to, and where its key comes from."""
        address = self.url.text().strip()
        known = [i for i, (_, listed) in enumerate(SERVERS[:-1]) if listed == address]
        self.server.setCurrentIndex(known[0] if known else len(SERVERS) - 1)
        stored = self._stored.get(self._server_of_key)
        local = is_local(address)
        self.keep.setVisible(stored is not None and not local)
        if local:
            text = "A server on this computer needs no key."
        elif environment_key() and not address:
            text = "Without one here, the key is that of ANTHROPIC_API_KEY."
        elif stored:
            text = (
                "Without one here, the key is the one in the system's keyring. Without the tick it"
                " is removed there."
            )
        elif stored is not None:
            text = "Kept until the program ends, in memory only, unless it goes into the keyring."
        else:
            text = (
                "Kept until the program ends, in memory only. To keep it, set ANTHROPIC_API_KEY"
                " before the program starts."
            )
        self.key_place.setText(text)

    @property
    def _server_of_key(self) -> str:
        """The server that the typed key belongs to."""
        address = self.url.text().strip()
        return host_of(address) if address else DEFAULT_HOST

    def _look_up_key(self) -> None:
        """Look up the server's key in the keyring. This runs in a thread, because the keyring may
        ask the user to unlock it.
        """
        host = self._server_of_key
        if host not in self._stored and not is_local(self.url.text().strip()):

            def show_key(key: str | None) -> None:
                self._stored[host] = key
                if host == self._server_of_key:
                    self.keep.setChecked(bool(key))
                self._show_server()

            def show_failure(error: Exception) -> None:
                self._show_result(error_reason(error, "Asking the system's keyring"), "error")

            run_in_background(self, lambda: stored_key(host), show_key, show_failure)

    def _store_key(self) -> None:
        """Store the key that has just worked or delete the stored key, depending on the check box."""
        host, typed = self._tried
        stored = self._stored.get(host)
        wanted = (typed or stored or "") if self.keep.isChecked() else ""
        if stored is None or wanted == stored:
            return
        self._stored[host] = wanted

        def show_failure(error: Exception) -> None:
            self._stored = {}  # looked up again
            self.open_form()
            self._show_result(error_reason(error, "The system's keyring"), "error")
            self._show_server()

        run_in_background(
            self, lambda: store_key(host, wanted), lambda _: self._show_server(), show_failure
        )

    def _set_form_open(self, opened: bool) -> None:
        self.form.setVisible(opened)
        if opened:
            self._look_up_key()
            self.model.setFocus()
        else:
            self._show_result("", "dim")

    def _test_backend(self) -> None:
        if self._testing is not None:
            return
        kind = text_protocol_backend if self.protocol.currentText() == IN_TEXT else server_backend
        key = self.key.text().strip()
        self._tried = self._server_of_key, key
        if not key and not (environment_key() and not self.url.text().strip()):
            key = self._stored.get(self._server_of_key) or ""
        self._testing = kind(self.model.currentText().strip(), self.url.text().strip(), key)
        if (
            self.test.hasFocus()
        ):  # Qt would pass it on, out of the form that may have to be corrected
            self.url.setFocus()
        self.test.setEnabled(False)
        self.test.setText("Testing …")
        self._show_result("", "dim")
        self.testRequested.emit(self._testing)

    def _end_connection_test(self) -> None:
        self._testing = None
        self.test.setEnabled(True)
        self.test.setText("Test and connect")

    def _leave_form(self) -> None:
        self._end_connection_test()
        self._set_form_open(False)
        self.offlineRequested.emit()

    def _show_result(self, text: str, role: str) -> None:
        theme.set_role(self.result, role)
        self.result.setText(text)
        self.result.setVisible(bool(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.form.isHidden():
            self._set_form_open(False)
            self.button.setFocus()
        else:
            super().keyPressEvent(event)
