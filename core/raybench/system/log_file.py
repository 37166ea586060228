"""The log file for warnings and errors. It is needed if the output of the program is not visible,
as when it is started from a desktop menu.
"""

import logging
import sys
import threading
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from raybench.system.files import NotPrivate, private_folder, user_folder

MAX_LOG_BYTES = 1_000_000
"""Bytes of the log, after which it becomes ``raybench.log.1`` and a new one begins."""
log = logging.getLogger(__name__)
_file_only_log = logging.getLogger("printed")
"""What others print on stderr already."""
_file_only_log.propagate = False
_file_only_log.addHandler(logging.NullHandler())  # without a log file, too, stderr is left to them


class _LogFile(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:
        """Do nothing if the log file cannot be written, as on a full disk."""


def log_path() -> Path:
    """The path of the log file: in the folder ``RAYBENCH_STATE_DIR`` if it is set, otherwise in the
    user's state folder.
    """
    return user_folder("state") / "log" / "raybench.log"


def start_log() -> None:
    """Start writing log messages, from warnings up, and uncaught exceptions to the log file as well
    as to stderr.

    The folder of the log file is created for this user only. If that fails, a message is written to
    stderr, and no log file is written.
    """
    path = log_path()
    if logging.lastResort is not None:
        logging.getLogger().addHandler(logging.lastResort)
    try:
        file = _LogFile(
            private_folder(path.parent) / path.name,
            maxBytes=MAX_LOG_BYTES,
            backupCount=1,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, NotPrivate) as error:
        log.warning("%s: no log is written here: %s. Set RAYBENCH_STATE_DIR.", path, error)
        return
    file.setLevel(logging.WARNING)
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for logger in (logging.getLogger(), _file_only_log):
        logger.addHandler(file)
    before, before_in_thread = sys.excepthook, threading.excepthook

    def log_exception(
        kind: type[BaseException], error: BaseException, at: TracebackType | None
    ) -> None:
        _file_only_log.error("not caught", exc_info=(kind, error, at))
        before(kind, error, at)

    def log_thread_exception(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            name = args.thread.name if args.thread is not None else "?"
            _file_only_log.error(
                "not caught in the thread %s",
                name,
                exc_info=(args.exc_type, args.exc_value, args.exc_traceback),
            )
        before_in_thread(args)

    sys.excepthook, threading.excepthook = log_exception, log_thread_exception


def log_line(text: str) -> None:
    """Write a line to the log file only."""
    _file_only_log.warning("%s", text)
