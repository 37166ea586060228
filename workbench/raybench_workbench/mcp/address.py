"""The addresses of windows that let other programs connect. Each is stored in a file that only the
user can read. Also the configurations of clients that use them.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from raybench.files.recovery import recovery_folder
from raybench.system.files import is_private_file, private_folder


@dataclass(frozen=True)
class ServerAddress:
    """The address of a window's server, and the access token that is valid for this run."""

    url: str
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def configuration(self) -> str:
        """The entry for a client's configuration that connects to this window, valid while the
        window lets programs connect.
        """
        return _client_configuration({"type": "http", "url": self.url, "headers": self.headers})


def bridge_configuration() -> str:
    """The entry for a client's configuration that starts a bridge, which finds an open window in
    every run.
    """
    return _client_configuration({"command": "raybench", "args": ["mcp", "--attach"]})


def _client_configuration(server: dict[str, object]) -> str:
    return json.dumps({"mcpServers": {"raybench": server}}, indent=2)


def address_folder() -> Path:
    """The folder of the address files, beside the recovery files."""
    return recovery_folder().parent / "windows"


def publish_address(address: ServerAddress) -> Path:
    """Write an address to a file; returns its path. Raises RaybenchError or OSError if the folder
    is not private.
    """
    private_folder(address_folder().parent)
    port = address.url.rpartition(":")[2].partition("/")[0]
    path = private_folder(address_folder()) / f"{os.getpid()}-{port}.json"
    path.unlink(missing_ok=True)
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        json.dump(asdict(address), file)
    return path


def published_addresses() -> list[tuple[Path, ServerAddress]]:
    """The published addresses with their files, latest first. Files that cannot be read or that
    others could have written are ignored.
    """
    found: list[tuple[float, Path, ServerAddress]] = []
    for path in address_folder().glob("*.json"):
        with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
            if is_private_file(path):
                address = ServerAddress(**json.loads(path.read_text(encoding="utf-8")))
                if isinstance(address.url, str) and isinstance(address.token, str):
                    found.append((path.stat().st_mtime, path, address))
    found.sort(key=lambda row: row[:2], reverse=True)
    return [(path, address) for _, path, address in found]
