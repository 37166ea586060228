"""Escape sequences in names, types, replies and results reach no terminal: what is printed holds no
control characters but line breaks.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.errors import HIDDEN
from raybench.schema.json_values import json_document
from raybench.system.process import child_environment
from raybench_workbench import cli
from raybench_workbench.commands.terminal import ReadableStream

EVIL = "Lens\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202eback\u2028\U000e0041"
RAYBENCH = [sys.executable, "-m", "raybench_workbench"]


def printed(*arguments: str, **environment: str) -> tuple[str, str]:
    """What a command prints, each checked for control characters."""
    done = subprocess.run(
        [*RAYBENCH, *arguments],
        capture_output=True,
        timeout=300,
        env=child_environment(**environment),
    )
    out, err = (
        stream.decode(environment.get("PYTHONIOENCODING", "utf-8"))
        for stream in (done.stdout, done.stderr)
    )
    assert_nothing_hidden(out, err)
    return out, err


def printed_here(*arguments: str) -> tuple[str, str]:
    """The same for a command that this process runs, with streams of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in (("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
            patch.setattr(sys, f"__{name}__", stream)
        cli.main(arguments)
    for stream in (out, err):
        stream.seek(0)
    texts = out.read(), err.read()
    assert_nothing_hidden(*texts)
    return texts


def assert_nothing_hidden(*texts: str) -> None:
    for text in texts:
        assert not HIDDEN.search(text.replace("\n", "").replace("\t", "")), ascii(text)


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    body = [
        {"x": -30, "y": 20, "arc": False},
        {"x": 30, "y": 20, "arc": False},
        {"x": 0, "y": -20, "arc": False},
    ]
    objects = [
        {"type": "Glass", "path": body, "name": EVIL, "refIndex": 1.5},
        {
            "type": "SingleRay",
            "p1": {"x": -60, "y": 10},
            "p2": {"x": -50, "y": 8},
            "name": f"Source {EVIL}",
        },
        {"type": f"Type {EVIL}", "name": f"Unknown {EVIL}"},
        {"type": "Blocker", "p1": {"x": 60, "y": 10}, "p2": {"x": 60, "y": 8}, EVIL: 1},
    ]
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"version": 5, "objs": objects, EVIL: 1}))
    return path


@pytest.mark.security
def test_no_escapes_in_problems_and_file_names_of_a_trace(scene: Path, tmp_path: Path) -> None:
    named = tmp_path / f"{EVIL}.json"
    named.write_bytes(scene.read_bytes())
    out, err = printed(
        "trace", str(named), str(tmp_path / f"gone {EVIL}.json"), "--out", str(tmp_path)
    )
    assert "Lens\\x1b]0;owned\\x07\\x1b[2J\\x9b31m" in out
    assert "Type Lens\\x1b]0;owned" in err
    assert "gone Lens\\x1b" in err


@pytest.mark.parametrize(
    "call",
    [
        ("describe_scene_xml",),
        ("find_rays_inside_glass_xml", "nobody"),
        (EVIL,),
        ("describe_edges_xml", EVIL),
    ],
)
@pytest.mark.security
def test_no_escapes_in_answers_of_tools(scene: Path, call: tuple[str, ...]) -> None:
    assert any(printed_here("tool", str(scene), *call))


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.security
def test_no_escapes_in_a_models_reply(
    scene: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    replies = tmp_path / "replies.json"
    replies.write_text(json.dumps([f"It is done.{EVIL}\nAnd\tmore."]))
    out, _ = printed_here(
        "ask", str(scene), f"What is {EVIL}?", "--model", f"scripted:{replies}", *options
    )
    if options:
        assert json.loads(out)["answer"] == f"It is done.{EVIL}\nAnd\tmore."
    else:
        assert out.startswith("It is done.Lens\\x1b]0;owned\\x07")
        assert "\nAnd\tmore." in out


def test_no_escapes_in_a_projects_result_and_error(scene: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "tools.py").write_text(
        f"def main(fail: bool = False) -> str:\n    if fail:\n        raise KeyError({EVIL!r})\n   "
        f" return {EVIL!r}\n"
    )
    given = ("run", str(folder), "--trust", "--offline")
    config = {"RAYBENCH_CONFIG_DIR": str(tmp_path / "config")}
    assert "Lens\\x1b]0;owned" in printed(*given, **config)[0]
    assert "Lens" in printed_here(*given, "--input", '{"fail": true}')[1]


def test_no_escapes_in_wrong_usage_and_a_traceback() -> None:
    assert "\\x1b" in printed("trace", "a.json", f"--{EVIL}", "--out", "x")[1]
    assert "Traceback" in printed("--debug", "trace", EVIL, "--out", "/dev/null/x")[1]


def test_a_terminal_without_these_characters_is_shown_escapes(scene: Path) -> None:
    out, _ = printed(
        "ask",
        str(scene),
        "Which rays are inside Größe?",
        "--offline",
        "--json",
        PYTHONIOENCODING="ascii",
    )
    assert json.loads(out)["question"] == "Which rays are inside Größe?"


def test_a_readable_stream_keeps_lines_and_tabs() -> None:
    under = io.StringIO()
    stream = ReadableStream(under)
    print("a\tb\r\nc\rd\x1b[0mé\ud800", file=stream)  # type: ignore[call-overload]
    stream.writelines(["x\x00", "y"])
    assert under.getvalue() == "a\tb\nc\\rd\\x1b[0mé\\ud800\nx\\x00y"
    assert stream.getvalue() == under.getvalue()


def test_documents_of_json_hold_no_hidden_characters_and_say_the_same() -> None:
    text = json_document({"name": EVIL, "lines": "a\nb"})
    assert not HIDDEN.search(text.replace("\n", ""))
    assert json.loads(text) == {"name": EVIL, "lines": "a\nb"}


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by a shell")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_command_runs_though_its_standard_streams_are_closed(tmp_path: Path, closed: str) -> None:
    (tmp_path / "scene.json").write_text('{"version": 5, "objs": []}')
    command = f'"{sys.executable}" -m raybench_workbench trace scene.json --out . {closed}'
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=child_environment(),
        timeout=120,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert (tmp_path / "scene.npz").exists()
