"""Keyrings that are locked, raise, or return what is no key: a key, none, or an error in one line
that does not hold it.
"""

from __future__ import annotations

import itertools
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from raybench.agent.models.server import KeyringFault, store_key, stored_key

KEY = "sk-secret-0123456789"


class Panic(BaseException):
    """As a library in Rust raises it."""


class Unreadable:
    """Neither a text nor anything that can be made one."""

    def __str__(self) -> str:
        raise ValueError(KEY)

    def __bool__(self) -> bool:
        raise RuntimeError(KEY)


ERRORS = (
    RuntimeError(KEY),
    PermissionError(13, KEY),
    Panic(KEY),
    SystemExit(KEY),
    KeyboardInterrupt(),
    RecursionError(),
    UnicodeError(KEY),
)
RETURNED = (None, "", KEY, KEY.encode(), 5, [], Unreadable(), "k\ny", "\ud800")
PRIORITIES = (5, 0, -1, None, "high", float("nan"), Unreadable(), *ERRORS)


def giving(value: Any) -> Any:
    def function(*_: object) -> Any:
        if isinstance(value, BaseException):
            raise value
        return value

    return function


def keyring(priority: Any, returned: Any, kept: Any) -> SimpleNamespace:
    class Backend:
        @property
        def priority(self) -> Any:
            return giving(priority)()

    return SimpleNamespace(
        get_keyring=Backend,
        get_password=giving(returned),
        set_password=giving(kept),
        delete_password=giving(kept),
    )


CASES = [
    *itertools.product(PRIORITIES, (KEY,), (None,)),
    *itertools.product((5,), (*RETURNED, *ERRORS), (None, *ERRORS)),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_whatever_a_keyring_does_there_is_a_key_or_none_or_an_error_without_it(
    number: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    priority, returned, kept = CASES[number]
    monkeypatch.setitem(sys.modules, "keyring", keyring(priority, returned, kept))
    found = stored_key("host")
    assert found is None or isinstance(found, str)
    if isinstance(returned, str) and priority == 5:
        assert found == returned
    for key in (KEY, ""):
        try:
            store_key("host", key)
            fault = ""
        except KeyringFault as error:
            fault = str(error)
        assert KEY not in fault
        assert len(fault.splitlines()) <= 1
        if priority == 5 and key and isinstance(kept, BaseException):
            assert type(kept).__name__ in fault
    assert KEY not in caplog.text


@pytest.mark.parametrize("module", [None, SimpleNamespace(), 5])
def test_a_package_that_is_no_keyring_gives_no_key_and_keeps_none(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", module)
    assert stored_key("host") is None
    with pytest.raises(KeyringFault):
        store_key("host", KEY)
