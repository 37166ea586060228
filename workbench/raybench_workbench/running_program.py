"""Passing files to a running program: a second start of the program sends its file through a local
socket of the user, and ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal

from raybench.errors import RaybenchError
from raybench.system.files import private_folder, user_folder

if TYPE_CHECKING:  # the first window does without the network
    from PySide6.QtNetwork import QLocalSocket

ANSWER_MS = 3000
"""How long the running program may take to take a file over; then a new one opens it."""
SPEAK_MS = 1000
"""How long a program that connects may take to say what it wants."""
MAX_REQUEST_BYTES = 65_536
"""Maximum size of a request in bytes."""
TAKEN_REPLY = b"taken\n"


_DISPLAYS = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")


def socket_name() -> str:
    """The name of the socket on which this user's program listens: a file in the user's state
    folder, which nobody else can create, or a pipe on Windows. It depends on the display and the
    state folder.
    """
    folder = user_folder("state").absolute()
    place = "\n".join([str(folder), *(os.environ.get(name, "") for name in _DISPLAYS)])
    digest = hashlib.sha256(place.encode(errors="surrogatepass")).hexdigest()[:16]
    return f"raybench-{digest}" if sys.platform == "win32" else str(folder / f"open-{digest}")


def is_program_running() -> bool:
    """Whether a running program accepts files."""
    return _connect_to_program() is not None


def hand_over_file(source: str) -> bool:
    """Let the running program open a file or a link; returns whether it does. False if no program
    runs, or if it does not answer in time.
    """
    socket = _connect_to_program()
    if socket is None:
        return False
    if os.path.exists(source):
        source = os.path.abspath(source)
    socket.write(json.dumps({"open": source}).encode() + b"\n")
    deadline = QDeadlineTimer(ANSWER_MS)
    while not socket.canReadLine():
        if not socket.waitForReadyRead(max(0, deadline.remainingTime())):
            return False
    return bytes(socket.readLine().data()) == TAKEN_REPLY


def _connect_to_program() -> QLocalSocket | None:
    """A connection to the running program; None if there is none. A killed program leaves its
    socket, but nobody answers there.
    """
    if sys.platform != "win32" and not os.path.exists(socket_name()):
        return None
    from PySide6.QtNetwork import QLocalSocket

    socket = QLocalSocket()
    socket.connectToServer(socket_name())
    return socket if socket.waitForConnected(ANSWER_MS) else None


class FileReceiver(QObject):
    """Receives the files that later starts of the program hand over. It receives none without a
    private folder, or while another program does.
    """

    requested = Signal(str)
    """The absolute path of a file, or a link, to open."""

    def __init__(self, parent: QObject | None = None) -> None:
        from PySide6.QtNetwork import QLocalServer

        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept_peers)

    def listen(self) -> bool:
        """Begin to receive files; returns whether that succeeded."""
        try:
            private_folder(user_folder("state"))
        except (RaybenchError, OSError):
            return False
        # Qt would put its socket in the place of another program's
        return not is_program_running() and self._server.listen(socket_name())

    def close(self) -> None:
        """Stop receiving files."""
        self._server.close()

    def _accept_peers(self) -> None:
        while self._server.hasPendingConnections():
            peer = self._server.nextPendingConnection()
            peer.disconnected.connect(peer.deleteLater)
            peer.readyRead.connect(partial(self._read_request, peer))
            QTimer.singleShot(SPEAK_MS, peer, peer.abort)
            self._read_request(peer)

    def _read_request(self, peer: QLocalSocket) -> None:
        if not peer.canReadLine():
            if peer.bytesAvailable() > MAX_REQUEST_BYTES:
                peer.abort()
            return
        try:
            source = json.loads(bytes(peer.readLine(MAX_REQUEST_BYTES).data()))["open"]
        except (ValueError, TypeError, LookupError, RecursionError):
            source = None
        if not isinstance(source, str):
            peer.abort()
            return
        peer.write(TAKEN_REPLY)
        peer.flush()  # opening may take longer than the other program waits
        peer.disconnectFromServer()
        self.requested.emit(source)
