"""What every test may rely on: no display, no proxy, no key from the machine it runs on, no files
of its user's, and Ctrl-C.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "raybench", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # the machine may be busy
settings.load_profile("raybench")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in list(os.environ):
    if _name.startswith(("ANTHROPIC_", "OPENAI_")) or _name.lower() in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        del os.environ[_name]
# else each program that a test starts, and each worker, compiles all modules again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
_own = tempfile.TemporaryDirectory(prefix="raybench-tests-")
os.environ["RAYBENCH_STATE_DIR"] = os.path.join(_own.name, "state")
os.environ["RAYBENCH_CONFIG_DIR"] = os.path.join(_own.name, "config")
os.environ["PYTHON_KEYRING_BACKEND"] = (
    "keyring.backends.null.Keyring"  # a key of this machine is no part of a test
)
atexit.register(_own.cleanup)
signal.signal(
    signal.SIGINT, signal.default_int_handler
)  # a shell's background job starts with SIGINT ignored, and so would its children


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m quick`` alone, files without such tests are not even imported."""
    if config.getoption("markexpr") != "quick" or collection_path.suffix != ".py":
        return None
    return "pytest.mark.quick" not in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, because tests of windows and of programs also wait."""
    return (os.cpu_count() or 1) + 1


LIMIT = 3600 if os.environ.get("RAYBENCH_LONG") else 120
"""Seconds of processor time after which a test has failed."""


class TookTooLong(BaseException):
    """A test used more processor time than it may. No `except Exception` catches it."""


if hasattr(signal, "setitimer"):

    def _too_long(*_: object) -> None:
        raise TookTooLong(f"more than {LIMIT} seconds of processor time")

    signal.signal(signal.SIGPROF, _too_long)
    # what does not return to Python, such as a kernel, ends the process, with a traceback
    faulthandler.register(signal.SIGVTALRM, all_threads=True, chain=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol() -> Generator[None, Any, Any]:
        """Limit the processor time of each test: a busy machine ends none."""
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * LIMIT)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Reports of tests about lone surrogates can be sent by a worker, which would end otherwise."""
    return _sendable((yield))


def _sendable(data: Any) -> Any:
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode()
    if isinstance(data, dict):
        return {_sendable(key): _sendable(value) for key, value in data.items()}
    return [_sendable(item) for item in data] if isinstance(data, list | tuple) else data
