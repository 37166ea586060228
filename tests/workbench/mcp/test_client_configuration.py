"""``raybench mcp --install``: what it shows and writes."""

import json
import stat
import tomllib
from pathlib import Path

import pytest

from raybench_workbench.cli import main
from raybench_workbench.mcp.clients import CLIENTS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    return tmp_path


@pytest.mark.parametrize("client", CLIENTS)
def test_entry_is_shown_and_written_once(
    client: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--install", client, "--yes"]) == 0
    path = CLIENTS[client].file()
    read = tomllib.loads if path.suffix == ".toml" else json.loads
    (entry,) = read(path.read_text())[CLIENTS[client].servers].values()
    assert entry["args"] == ["mcp", "--attach"]
    assert Path(entry["command"]).is_absolute()
    assert '"--attach"' in capsys.readouterr().out
    assert main(["mcp", "--install", client, "--yes"]) == 0
    assert "uses Raybench already" in capsys.readouterr().out


def test_other_entries_stay_and_the_previous_file_is_kept(home: Path) -> None:
    scene = home / "scene.json"
    scene.write_text("{}")
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}')
    path.chmod(0o600)
    assert main(["mcp", str(scene), "--install", "cursor", "--yes"]) == 0
    whole = json.loads(path.read_text())
    assert whole["theme"] == "dark"
    assert whole["mcpServers"]["other"] == {"command": "x"}
    assert whole["mcpServers"]["raybench"]["args"] == ["mcp", str(scene)]
    backup = path.with_name("mcp.json~")
    assert '"theme": "dark"' in backup.read_text()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_section_of_a_toml_file_is_replaced_in_place(home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(
        'model = "m"\n[mcp_servers.raybench]\ncommand = "old"\nargs = ["a"]\ntimeout = 9\n\n# mine\n'
        "[tui]\nx = 1\n"
    )
    assert main(["mcp", "--install", "codex", "--yes"]) == 0
    whole = tomllib.loads(path.read_text())
    assert whole["model"] == "m"
    assert whole["tui"] == {"x": 1}
    assert whole["mcp_servers"]["raybench"]["args"] == ["mcp", "--attach"]
    assert whole["mcp_servers"]["raybench"]["timeout"] == 9
    assert "# mine\n[tui]" in path.read_text()


@pytest.mark.parametrize(
    "text", ['mcp_servers = {other = {command = "x"}}\n', "[mcp_servers]\nraybench = {}\n", "= 1\n"]
)
def test_toml_of_another_form_is_left_as_it_is(
    text: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)
    assert main(["mcp", "--install", "codex", "--yes"]) == 1
    assert "[mcp_servers.raybench]" in capsys.readouterr().err
    assert path.read_text() == text


def test_given_options_are_those_of_the_entry(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = home / "scene.json"
    scene.write_text("{}")
    given = ["--trust", "--allow", "change_scene", "--max-segments", "5000"]
    assert main(["mcp", str(scene), "--install", "cursor", "--yes", *given]) == 0
    whole = json.loads((home / ".cursor" / "mcp.json").read_text())
    args = whole["mcpServers"]["raybench"]["args"]
    assert args[:2] == ["mcp", str(scene)]
    assert sorted(args[2:]) == sorted(given)
    assert main(["mcp", "--install", "cursor", "--yes", "--project", str(home)]) == 1
    assert "Name the SCENE too" in capsys.readouterr().err


def test_file_with_comments_is_left_with_the_entry_to_put_in(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text("{ // mine\n}")
    assert main(["mcp", "--install", "cursor", "--yes"]) == 1
    assert '"raybench"' in capsys.readouterr().err
    assert path.read_text() == "{ // mine\n}"


def test_nothing_is_written_without_consent(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--install", "gemini"]) == 1  # standard input is no terminal
    assert "--yes" in capsys.readouterr().err
    assert not (home / ".gemini").exists()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for answer, written in (("n", False), ("y", True)):
        monkeypatch.setattr("builtins.input", lambda _, given=answer: given)
        assert main(["mcp", "--install", "gemini"]) == 0
        assert (home / ".gemini" / "settings.json").exists() is written
