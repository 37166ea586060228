"""Keys of models' servers in the system's keyring, if the optional package ``keyring`` is installed
and finds one that works.

A keyring may prompt the user, so nothing here may run in the GUI thread.
"""

from __future__ import annotations

import importlib
import logging
from typing import Any

from raybench.errors import RaybenchError

SERVICE = "raybench"
log = logging.getLogger(__name__)


class KeyringFault(RaybenchError):
    """The system's keyring cannot store a key."""


def stored_key(host: str) -> str | None:
    """The stored key of a server; empty if there is none, None without a working keyring."""
    try:
        keyring = _keyring()
        return None if keyring is None else str(keyring.get_password(SERVICE, host) or "")
    except BaseException as error:  # each system's keyring has errors of its own, and a panic of one in Rust is no Exception
        log.warning("the keyring gives no key for %s: %s", host, type(error).__name__)
        return None


def store_key(host: str, key: str) -> None:
    """Store a key for a server, or delete it if ``key`` is empty. Raises KeyringFault."""
    try:
        keyring = _keyring()
        if keyring is None:
            raise KeyringFault(
                "There is no keyring that works. Set ANTHROPIC_API_KEY before the program starts."
            )
        if key:
            keyring.set_password(SERVICE, host, key)
        elif keyring.get_password(SERVICE, host):
            keyring.delete_password(SERVICE, host)
    except KeyringFault:
        raise
    except BaseException as error:  # as above; its text may hold the key
        raise KeyringFault(
            f"The system's keyring does not keep the key ({type(error).__name__}). Unlock it, and"
            " connect again."
        ) from None


def _keyring() -> Any:
    """The package, if it is installed and finds a keyring that is recommended for use."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    return keyring if keyring.get_keyring().priority >= 1 else None
