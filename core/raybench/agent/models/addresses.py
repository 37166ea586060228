"""The address of a model's server, and whether a key may be sent there."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from raybench.agent.models.protocol import BackendError


def host_of(address: str) -> str:
    """The host name and port in an address, without user name and password."""
    try:
        host = urlsplit(address).netloc.rpartition("@")[2].lower().removesuffix(":443")
        return host or "the server"
    except ValueError:
        return "the server"


def key_for_address(address: str, given: str, key: str) -> str:
    """The key that may be sent to an address: ``key``, or an empty text if the connection is not
    encrypted.

    BackendError if this is not an address of a server, or if a key ``given`` for this server would
    be sent unencrypted.
    """
    try:
        parts = urlsplit(address)
        usable = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        )
    except ValueError:
        usable = False
    if not usable or any(c.isspace() for c in address):
        shown = re.sub(r"//[^@/]*@", "//…@", address)
        raise BackendError(
            f"“{shown}” is not the address of a server. Give one such as http://localhost:8080."
        )
    if parts.scheme == "https" or _is_loopback(parts.hostname or ""):
        return key
    if given:
        raise BackendError(
            f"The connection to {host_of(address)} is not encrypted: others could read the key. Use"
            " https://, or no key."
        )
    return ""


def is_local(address: str) -> bool:
    """Whether an address is on this computer."""
    try:
        return _is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.0.0.1.example.com
        return False
