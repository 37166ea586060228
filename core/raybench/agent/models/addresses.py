"""The host in a server address, and whether the host is this computer."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def host_of(address: str) -> str:
    """The host name and port in an address, without user name and password."""
    try:
        host = urlsplit(address).netloc.rpartition("@")[2].lower().removesuffix(":443")
        return host or "the server"
    except ValueError:
        return "the server"


def is_local(address: str) -> bool:
    """Whether an address belongs to this computer."""
    try:
        host = (urlsplit(address).hostname or "").rstrip(".")
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # no address, or a name such as 127.0.0.1.example.com
        return False
