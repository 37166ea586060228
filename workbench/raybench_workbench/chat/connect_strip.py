"""The line at the top of the chat that names the connected model and opens a form to connect
another.
"""

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
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
)
from raybench.agent.models.any_server import AnyServer, server_backend, text_protocol_backend
from raybench.agent.models.known_servers import (
    KNOWN_SERVERS,
    key_in_environment,
    key_variable,
    known_server,
)
from raybench.agent.models.protocol import Backend
from raybench.agent.models.server import ServerBackend, store_key, stored_key
from raybench.agent.models.text_protocol import TextBackend
from raybench.agent.turn.loop import MAX_STEPS
from raybench.analysis.answers.words import count_with_noun
from raybench_workbench import theme
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedLabel,
    WrappedLabel,
    column_layout,
    push_button,
    row_layout,
    set_vertical_scrolling,
)

STEPS_LIMIT = 50
MIN_FORM_HEIGHT = 90
"""Smallest height of the form in pixels, with which it scrolls."""
TOOL_USE, IN_TEXT = tr("Tool use"), tr("As text")


class FittedFormArea(QScrollArea):
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
        return QSize(self._content.minimumSizeHint().width(), MIN_FORM_HEIGHT)

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
        self._listed = ("", "")
        """The address and the key with which the models were listed."""
        self._stored: dict[str, str | None] = {}
        """The key of each host that was looked up in the keyring: empty for none, None without a
        keyring.
        """
        self.state = ElidedLabel(self, role="dim", selectable=False)
        self.button = push_button("", lambda: self._set_form_open(self.form.isHidden()))
        self.renew = push_button(
            tr("New"),
            self.newConversationRequested.emit,
            tip=tr("Begin a new conversation"),
        )
        self.renew.hide()
        line = row_layout((self.state, 1), self.renew, self.button)

        content = QWidget()
        self.server = QComboBox(content)
        for known in KNOWN_SERVERS:
            self.server.addItem(known.title)
        self.server.addItem(tr("Another address"))
        self.server.activated.connect(self._choose_server)
        self.model = QComboBox(content)
        self.model.setEditable(True)
        self.model.addItems(MODELS)
        self.model.setCurrentText(DEFAULT_MODEL)
        if (line_edit := self.model.lineEdit()) is not None:
            line_edit.setPlaceholderText(tr("its name there"))
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        if (completer := self.model.completer()) is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.models_note = WrappedLabel(parent=content, role="dim")
        self.models_note.hide()
        self.url = QLineEdit(content)
        self.url.setPlaceholderText(tr("https://{host}", host=DEFAULT_HOST))
        self.url.setToolTip(
            tr(
                "Any server with the Messages API or chat completions, for example"
                " http://localhost:11434/v1"
            )
        )
        self.protocol = QComboBox(content)
        self.protocol.addItems([TOOL_USE, IN_TEXT])
        self.protocol.setToolTip(
            tr(
                "How the model calls tools: by its own tool use or, for models without,"
                " written as text in its replies"
            )
        )
        self.key = QLineEdit(content)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setToolTip(
            tr(
                "Kept in memory until the program ends, or in the system's keyring; never"
                " written to a file."
            )
        )
        self.key_place = WrappedLabel(parent=content, role="dim")
        self.keep = QCheckBox(tr("Keep the key in the system's keyring"), content)
        self.keep.hide()
        self.url.textChanged.connect(self._show_server)
        self.steps = QSpinBox(content)
        self.steps.setRange(1, STEPS_LIMIT)
        theme.indent_number_text(self.steps)
        self.steps.setValue(MAX_STEPS)
        self.steps.setToolTip(
            tr(
                "The most replies of the model to one question, each with its calls; the"
                " last one answers"
            )
        )
        self.steps.valueChanged.connect(self.stepsChanged)
        self.search = QCheckBox(tr("Search the web"), content)
        self.search.setToolTip(
            tr(
                "Let Anthropic's models search the web themselves. What they search for"
                " leaves this computer."
            )
        )
        self.search.toggled.connect(self.searchAllowed)
        self.test = push_button(tr("Test and connect"), self._test_backend, role="")
        self.leave = push_button(tr("Go offline"), self._leave_form, role="")
        self.result = WrappedLabel(parent=content)
        self.result.hide()
        fields = QFormLayout(content)
        fields.setContentsMargins(0, theme.HALF, theme.HALF, theme.HALF)
        fields.setSpacing(theme.HALF)
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, field in (
            (tr("Server"), self.server),
            (tr("Model"), self.model),
            (tr("Address"), self.url),
            (tr("Key"), self.key),
            (tr("Calls"), self.protocol),
            (tr("Steps"), self.steps),
        ):
            field.setAccessibleName(title)
            label = QLabel(title, content)
            label.setBuddy(field)
            theme.set_role(label, "dim")
            fields.addRow(label, field)
            if field is self.model:
                fields.addRow(self.models_note)
            if field is self.key:
                fields.addRow(self.key_place)
                fields.addRow(self.keep)
        fields.addRow(self.search)
        buttons = row_layout(self.test, self.leave, 1)
        fields.addRow(buttons)
        fields.addRow(self.result)
        self.form = FittedFormArea(content, self)
        self.form.hide()

        column_layout(line, self.form, on=self, margins=(theme.GRID, 2, theme.HALF, 2), spacing=0)
        for edit in (self.url, self.key, self.model.lineEdit()):
            if edit is not None:
                edit.returnPressed.connect(self._test_backend)
        self.url.editingFinished.connect(self._finish_address)
        self.key.editingFinished.connect(self._ask_server)
        self._shown: Backend | None = None
        self.show_backend(None)
        self._show_server()

    def show_backend(self, backend: Backend | None) -> None:
        """Show which model answers; None means the offline agent."""
        self.leave.setVisible(backend is not None)
        self.button.setText(tr("Change") if backend else tr("Connect a model"))
        model = backend.inner if isinstance(backend, TextBackend) else backend
        if isinstance(model, ServerBackend | AnyServer):
            in_text = model is not backend
            self.state.set_full_text(
                tr(
                    "{name} at {host}{value}",
                    name=model.name,
                    host=model.host,
                    value=", calls as text" if in_text else "",
                )
            )
            if (
                self.form.isHidden() or backend is not self._shown
            ):  # what is being typed stays at the end of a turn
                self.model.setCurrentText(model.model)
                self.url.setText(model.base_url if model.host != DEFAULT_HOST else "")
                self.protocol.setCurrentText(IN_TEXT if in_text else TOOL_USE)
        else:
            self.state.set_full_text(backend.name if backend else tr("Offline"))
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
        known = KNOWN_SERVERS[index] if index < len(KNOWN_SERVERS) else None
        own = known is not None and host_of(known.address) == DEFAULT_HOST
        self.url.setText(known.address if known else "")
        self.server.setCurrentIndex(index)
        self.key.clear()
        self._show_models(MODELS if own else ())
        self.model.setCurrentText(DEFAULT_MODEL if own else "")
        self._listed = ("", "")
        if known is None:
            self.url.setFocus()
            return
        self._ask_server()
        self.key.setFocus() if known.needs_key else self.model.setFocus()

    def _finish_address(self) -> None:
        """Look up the key of a typed address, and list its models. A key typed earlier may belong
        to another server; it is sent only when the user tests the connection.
        """
        self._look_up_key(lambda: None if self.key.text() else self._list_models())

    def _ask_server(self) -> None:
        """Look up the server's key, and then list its models."""
        self._look_up_key(self._list_models)

    def _list_models(self) -> None:
        """Ask the server for its models in the background, and fill the list with them."""
        asked = self.url.text().strip(), self._key_for_server
        known = known_server(self._address)
        has_key = bool(asked[1] or self._environment_key)
        meant = known is not None and host_of(known.address) == host_of(self._address)
        tested = self._tried == (self._server_of_key, self.key.text().strip())
        if asked == self._listed or (
            # a key goes to another address only when the person tests the connection
            not (meant or tested) if has_key else known is not None and known.needs_key
        ):
            return
        self._listed = asked
        host, backend = host_of(self._address), server_backend("", *asked)

        async def list_models() -> list[str]:
            try:
                return await backend.list_models()
            finally:
                await backend.close()

        def show(models: list[str]) -> None:
            if asked == self._listed:
                self._show_models(models)
                self._show_models_note(
                    tr(
                        "{host} lists {models}.",
                        host=host,
                        models=count_with_noun(len(models), "model"),
                    )
                )

        def show_failure(error: Exception) -> None:
            if asked == self._listed:
                self._show_models_note(error_reason(error, tr("Listing the models")))

        self._show_models_note(tr("Asking {host} for its models …", host=host))
        run_in_background(self, lambda: asyncio.run(list_models()), show, show_failure)

    def _show_models(self, models: Sequence[str]) -> None:
        """List models without changing a typed name. If no model is chosen and the server runs on
        this computer, choose the first.
        """
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(models)
        first = models[0] if models and is_local(self._address) else ""
        self.model.setCurrentText(typed or first)
        self._show_models_note("")

    def _show_models_note(self, text: str) -> None:
        self.models_note.setText(text)
        self.models_note.setVisible(bool(text))

    def _show_server(self, *_: object) -> None:
        """Show which server the typed address belongs to, and where its key comes from."""
        address = self.url.text().strip()
        known = known_server(self._address)
        self.server.setCurrentIndex(KNOWN_SERVERS.index(known) if known else len(KNOWN_SERVERS))
        variable = key_variable(self._address)
        stored = self._stored.get(self._server_of_key)
        local = is_local(address)
        self.keep.setVisible(stored is not None and not local)
        if local:
            text = tr("A server on this computer needs no key.")
        elif self._environment_key:
            text = tr("Without one here, the key is that of {variable}.", variable=variable)
        elif stored:
            text = tr(
                "Without one here, the key is the one in the system's keyring. Without the"
                " tick it is removed there."
            )
        elif stored is not None:
            text = tr(
                "Kept until the program ends, in memory only, unless it goes into the keyring."
            )
        else:
            text = tr("Kept until the program ends, in memory only.")
            if variable:
                text += tr(
                    " To keep it, set {variable} before the program starts.", variable=variable
                )
        self.key_place.setText(text)

    @property
    def _address(self) -> str:
        """The address of the server, by default Anthropic's."""
        return self.url.text().strip() or f"https://{DEFAULT_HOST}"

    @property
    def _server_of_key(self) -> str:
        """The server that the typed key belongs to."""
        return host_of(self._address)

    @property
    def _environment_key(self) -> str:
        """The server's key in the environment."""
        return key_in_environment(self._address)

    @property
    def _key_for_server(self) -> str:
        """The typed key, else the key from the keyring, unless the environment has a key."""
        typed = self.key.text().strip()
        if typed or self._environment_key:
            return typed
        return self._stored.get(self._server_of_key) or ""

    def _look_up_key(self, done: Callable[[], object] = lambda: None) -> None:
        """Look up the server's key in the keyring, and call ``done``. This runs in a thread,
        because the keyring may ask the user to unlock it.
        """
        host = self._server_of_key
        if host in self._stored or is_local(self._address):
            done()
        else:

            def show_key(key: str | None) -> None:
                self._stored[host] = key
                if host == self._server_of_key:
                    self.keep.setChecked(bool(key))
                self._show_server()
                done()

            def show_failure(error: Exception) -> None:
                self._show_result(error_reason(error, tr("Asking the system's keyring")), "error")

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
            self._show_result(error_reason(error, tr("The system's keyring")), "error")
            self._show_server()

        run_in_background(
            self, lambda: store_key(host, wanted), lambda _: self._show_server(), show_failure
        )

    def _set_form_open(self, opened: bool) -> None:
        self.form.setVisible(opened)
        if opened:
            # a server that is not connected yet is not asked before it is chosen
            self._look_up_key(self._list_models if self._shown else lambda: None)
            self.model.setFocus()
        else:
            self._show_result("", "dim")

    def _test_backend(self) -> None:
        if self._testing is not None:
            return
        kind = text_protocol_backend if self.protocol.currentText() == IN_TEXT else server_backend
        self._tried = self._server_of_key, self.key.text().strip()
        model, address = self.model.currentText().strip(), self.url.text().strip()
        self._testing = kind(model, address, self._key_for_server)
        if (
            self.test.hasFocus()
        ):  # Qt would pass it on, out of the form that may have to be corrected
            self.url.setFocus()
        self.test.setEnabled(False)
        self.test.setText(tr("Testing …"))
        self._show_result("", "dim")
        self.testRequested.emit(self._testing)

    def _end_connection_test(self) -> None:
        self._testing = None
        self.test.setEnabled(True)
        self.test.setText(tr("Test and connect"))

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
