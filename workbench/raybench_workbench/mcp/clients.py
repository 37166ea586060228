"""The configuration files of known clients, and the entry that makes a client use Raybench."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raybench.errors import RaybenchError

NAME = "raybench"


def _application_data_path(*parts: str) -> Path:
    """A path below the folder in which applications store their settings on this system."""
    if sys.platform == "darwin":
        return Path.home().joinpath("Library", "Application Support", *parts)
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home()).joinpath(*parts)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config").joinpath(*parts)


@dataclass(frozen=True)
class Client:
    """A client: its title, its configuration file, and the name of the mapping of servers there. A
    file that ends with .toml has a section for each server.
    """

    title: str
    file: Callable[[], Path]
    servers: str = "mcpServers"
    with_type: bool = False
    """Whether an entry says that it is started as a program."""


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop", lambda: _application_data_path("Claude", "claude_desktop_config.json")
    ),
    "claude-code": Client("Claude Code", lambda: Path.home() / ".claude.json", with_type=True),
    "codex": Client("Codex", lambda: Path.home() / ".codex" / "config.toml", "mcp_servers"),
    "cursor": Client("Cursor", lambda: Path.home() / ".cursor" / "mcp.json"),
    "gemini": Client("Gemini CLI", lambda: Path.home() / ".gemini" / "settings.json"),
    "lm-studio": Client("LM Studio", lambda: Path.home() / ".lmstudio" / "mcp.json"),
    "vscode": Client(
        "Visual Studio Code",
        lambda: _application_data_path("Code", "User", "mcp.json"),
        "servers",
        with_type=True,
    ),
    "windsurf": Client(
        "Windsurf", lambda: Path.home() / ".codeium" / "windsurf" / "mcp_config.json"
    ),
}
"""The clients whose configuration can be written, by name."""


@dataclass(frozen=True)
class Installation:
    """A configuration file with and without the entry for Raybench. ``entry`` is the text of the
    entry alone.
    """

    path: Path
    before: str
    after: str
    entry: str

    def write(self) -> None:
        """Write the file. The previous version is kept beside it with the same permissions. Raises
        RaybenchError.
        """
        from raybench.files.atomic import backup_path, write_text

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.before:
                mode = stat.S_IMODE(self.path.stat().st_mode)
                write_text(backup_path(self.path), self.before, mode=mode)
            write_text(self.path, self.after)
        except OSError as error:
            raise RaybenchError(f"{self.path}: {error.strerror or error}") from None


def plan_installation(client: str, command: str, arguments: Sequence[str]) -> Installation:
    """The configuration file of a client, changed so that an entry starts ``command`` with
    ``arguments``. Other entries stay. Raises RaybenchError if the file is not valid.
    """
    known = CLIENTS[client]
    path = known.file()
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise RaybenchError(f"{path}: it cannot be read: {error}") from None
    server: dict[str, Any] = {"command": command, "args": list(arguments)}
    if known.with_type:
        server = {"type": "stdio", **server}
    if path.suffix == ".toml":
        section = "\n".join(
            [f"[{known.servers}.{NAME}]", *(f"{k} = {json.dumps(v)}" for k, v in server.items())]
        )
        after = _with_toml_section(before, known.servers, section, server)
        if after is None:
            raise _unreadable_file_error(path, section)
        return Installation(path, before, after, section)
    entry = json.dumps({known.servers: {NAME: server}}, indent=2, ensure_ascii=False)
    try:
        whole = json.loads(before) if before.strip() else {}
        servers = whole.setdefault(known.servers, {})
        servers[NAME] = {**servers.get(NAME, {}), **server}  # an environment, for instance, stays
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise _unreadable_file_error(path, entry) from None
    return Installation(path, before, json.dumps(whole, indent=2, ensure_ascii=False) + "\n", entry)


def _unreadable_file_error(path: Path, entry: str) -> RaybenchError:
    return RaybenchError(
        f"{path}: it has another form than expected, so it is left as it is. Put this into it:\n{entry}"
    )


def _with_toml_section(
    text: str, servers: str, section: str, server: Mapping[str, Any]
) -> str | None:
    """The text of a TOML file with the values ``server`` in the section ``section`` below
    ``servers``. They replace the values of an existing section, or are added at the end; other
    lines stay. None if that is not possible.
    """
    import tomllib

    head = re.compile(rf"^\[{re.escape(servers)}\.{NAME}\][^\n]*$", re.MULTILINE)
    if (found := head.search(text)) is None:
        after = f"{text.rstrip()}\n\n{section}\n".lstrip()
    else:
        following = re.compile(r"^\[", re.MULTILINE).search(text, found.end())
        end = following.start() if following else len(text)
        own = "|".join(server)
        kept = re.sub(rf"^(?:{own})\s*=.*\n?", "", text[found.end() : end], flags=re.MULTILINE)
        after = text[: found.start()] + section + kept + text[end:]
    try:
        tomllib.loads(text)
        written = tomllib.loads(after)[servers][NAME]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    return after if all(written.get(key) == value for key, value in server.items()) else None
