"""The log file of the window, in a process of its own: what is logged, or caught by nobody, is in
it, and on stderr once.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.system import log_file

START = (
    "import logging, threading\nfrom raybench.system.log_file import log_line,"
    " start_log\nstart_log()\n"
)


def run(code: str, state: Path) -> str:
    """What the code prints on stderr."""
    environment = {**os.environ, "RAYBENCH_STATE_DIR": str(state)}
    return subprocess.run(
        [sys.executable, "-c", START + code],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    ).stderr


def logged(state: Path) -> str:
    return (state / "log" / "raybench.log").read_text(encoding="utf-8")


def test_warnings_and_errors_are_in_the_log_and_on_stderr_once(tmp_path: Path) -> None:
    printed = run(
        "logging.getLogger('a').warning('the lamp is dim')\nlogging.getLogger('a').info('all is"
        " well')",
        tmp_path,
    )
    for text in (printed, logged(tmp_path)):
        assert text.count("the lamp is dim") == 1
        assert "all is well" not in text
    assert "WARNING a: the lamp is dim" in logged(tmp_path)


def test_an_exception_that_nothing_catches_is_in_the_log_with_its_traceback(tmp_path: Path) -> None:
    printed = run(
        "t = threading.Thread(target=lambda: 1 / 0, name='tracing')\nt.start()\nt.join()\n[][3]",
        tmp_path,
    )
    for text in (printed, logged(tmp_path)):
        assert text.count("ZeroDivisionError: division by zero") == 1
        assert text.count("IndexError: list index out of range") == 1
        assert text.count("Traceback") == 2
    assert "in the thread tracing" in logged(tmp_path)


def test_what_was_printed_by_others_is_only_written_to_the_log(tmp_path: Path) -> None:
    assert run("log_line('qt: a message of 100 %s')", tmp_path) == ""
    assert "qt: a message of 100 %s" in logged(tmp_path)


def test_what_was_printed_by_others_is_not_printed_again_where_no_log_is_written() -> None:
    code = "from raybench.system.log_file import log_line\nlog_line('qt: a message')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.security
def test_the_log_is_its_users_alone(tmp_path: Path) -> None:
    run("", tmp_path)
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o700


@pytest.mark.security
def test_a_log_that_others_could_have_written_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log").chmod(0o777)
    printed = run("logging.getLogger('a').warning('the lamp is dim')", tmp_path)
    assert "no log is written here" in printed
    assert "RAYBENCH_STATE_DIR" in printed
    assert "the lamp is dim" in printed
    assert list((tmp_path / "log").iterdir()) == []


@pytest.mark.security
def test_a_long_log_is_begun_anew(tmp_path: Path) -> None:
    run("for _ in range(4): logging.getLogger('a').warning('x' * 900_000)", tmp_path)
    sizes = [path.stat().st_size for path in (tmp_path / "log").iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= log_file.MAX_LOG_BYTES


def test_a_disk_without_space_is_not_told_at_every_line(tmp_path: Path) -> None:
    code = (
        "import resource, signal\nsignal.signal(signal.SIGXFSZ,"
        " signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
    )
    printed = run(
        f"{code}for _ in range(3): logging.getLogger('a').warning('the lamp is dim')", tmp_path
    )
    assert printed.splitlines() == ["the lamp is dim"] * 3
