"""Ctrl-C and kills at any moment of a command: one line, and each file that it writes is whole, or
as it was.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from raybench.files.document_file import document_to_json, load_document
from raybench.files.recovery import claim_leftovers
from raybench.files.trace_npz import load_npz
from raybench.scene.changes import Move
from raybench.session import Session
from raybench.system.interrupt import INTERRUPTED_TEXT

LONG = bool(os.environ.get("RAYBENCH_LONG"))
ROOT = Path(__file__).parents[2]
SCENE = str(ROOT / "resources" / "raybench_resources" / "scenes" / "prism.json")
VARY = ("--vary", "Main Prism.x=-1..1")

ARRIVES = """
import signal, sys, atexit
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == {name!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
if {name!r} == "afterwards":
    atexit.register(signal.raise_signal, signal.SIGINT)
signal.signal(signal.SIGINT, {handler})
sys.argv = ["raybench", "tool", "--list"]
from raybench_workbench import __main__ as program
ignore = program.ignore_interrupts
program.ignore_interrupts = lambda: ignore() if {name!r} != "the end" else signal.raise_signal(signal.SIGINT)
sys.exit(program.start())
"""


def started(
    name: str, handler: str = "signal.default_int_handler"
) -> subprocess.CompletedProcess[str]:
    """The list of tools, where Ctrl-C arrives as a module is imported, or at the interpreter's end."""
    return subprocess.run(
        [sys.executable, "-c", ARRIVES.format(name=name, handler=handler)],
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    "name",
    [
        "raybench_workbench.cli",
        "argparse",
        "raybench_workbench.commands.questions",
        "raybench.agent.catalogue.registry",
        "the end",
    ],
)
def test_ctrl_c_is_told_whenever_it_arrives(name: str) -> None:
    done = started(name)
    assert (done.returncode, done.stderr) == (130, f"{INTERRUPTED_TEXT}\n")


WITH_WINDOW = """
import atexit, sys
import raybench_workbench.app
from raybench_workbench import cli
from raybench_workbench.__main__ import start

class Module:
    def __del__(self):
        print("modules are removed")

def main():
    atexit.register(print, "exit handlers run")
    return 3

removed, cli.main = Module(), main
sys.exit(start())
"""


def test_a_program_with_a_window_ends_before_modules_are_removed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITH_WINDOW], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "exit handlers run\n", "")


WRITES = """
import signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # where the tests run under nohup, it is ignored
from raybench.files.atomic import replace_file
from raybench.trace.compilation import kernel_cache
from raybench_workbench import cli

def write():
    kernel_cache._temporary_root()
    with replace_file("out") as file:
        file.write(b"half")
        print("half written", flush=True)
        for _ in range(600):
            time.sleep(0.1)  # a signal in the instant before a single long one would be handled after it

cli.main = write
from raybench_workbench.__main__ import start
sys.exit(start())
"""


@pytest.mark.parametrize(
    ("number", "told"),
    [(signal.SIGINT, f"{INTERRUPTED_TEXT}\n"), (signal.SIGTERM, ""), (signal.SIGHUP, "")],
)
def test_nothing_half_written_stays_where_a_signal_ends_a_command(
    number: int, told: str, tmp_path: Path
) -> None:
    (tmp_path / "out").write_bytes(b"earlier")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    words = [sys.executable, "-c", WRITES]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "half written\n"
        assert len(list(tmp_path.iterdir())) == 3
        running.send_signal(number)
        _, printed = running.communicate(timeout=20)
    assert (running.returncode, printed) == (128 + number, told)
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_bytes() == b"earlier"


def test_nothing_half_written_stays_where_ctrl_c_has_ended_the_reader_of_messages_too(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    reads, writes = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", WRITES],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=writes,
    ) as running:
        os.close(writes)
        assert running.stdout is not None
        assert running.stdout.readline() == b"half written\n"
        os.close(reads)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=20) == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("number", "told"), [(signal.SIGINT, f"{INTERRUPTED_TEXT}\n"), (signal.SIGTERM, "")]
)
def test_a_server_for_other_programs_ends_by_a_signal(
    number: int, told: str, tmp_path: Path
) -> None:
    pytest.importorskip("mcp")
    environment = {**os.environ}
    about = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "1"},
    }
    words = [sys.executable, "-m", "raybench_workbench", "mcp", SCENE]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, env=environment, text=True, **pipes) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        print(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}),
            file=running.stdin,
            flush=True,
        )
        assert json.loads(running.stdout.readline())["id"] == 1
        running.send_signal(number)
        _, printed = running.communicate(timeout=20)
    assert (running.returncode, printed) == (128 + number, told)


def test_ctrl_c_while_the_interpreter_is_taken_down_changes_nothing() -> None:
    done = started("afterwards")
    assert (done.returncode, done.stderr) == (0, "")
    assert "find_rays_inside_glass_xml" in done.stdout


def test_a_job_in_the_background_of_a_shell_is_not_interrupted() -> None:
    done = started("raybench_workbench.cli", "signal.SIG_IGN")
    assert (done.returncode, done.stderr) == (0, "")
    assert "find_rays_inside_glass_xml" in done.stdout


WINDOW = """
import sys, time
from PySide6.QtCore import QTimer
from raybench.system.interrupt import INTERRUPTED_TEXT
from raybench.scene.changes import Move
from raybench_workbench import app, document

class WorkDocument(document.WorkDocument):  # changed once it is open, and quiet afterwards
    def replace_session(self, session, *conversation):
        super().replace_session(session, *conversation)
        if session.path is not None:
            QTimer.singleShot(500, self.edit)

    def edit(self):
        self.change(Move([o.key for o in self.document.scene.objects], 7, 0))
        print("changed", flush=True)
        if sys.argv[2] == "stuck":
            time.sleep(60)

document.WorkDocument = WorkDocument
sys.exit(app.run_application([sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("number", "state", "told"),
    [
        (signal.SIGINT, "idle", "raybench: interrupted.\n"),
        (signal.SIGTERM, "idle", ""),
        (signal.SIGINT, "stuck", "raybench: interrupted.\n"),
    ],
)
def test_a_window_that_is_told_to_end_keeps_the_last_change_for_recovery(
    number: int, state: str, told: str, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "RAYBENCH_CONFIG_DIR": str(tmp_path),
    }
    words = [sys.executable, "-c", WINDOW, SCENE, state]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "changed\n"
        running.send_signal(number)  # long before a change is written by itself
        _, printed = running.communicate(timeout=20)
    assert running.returncode == 128 + number
    assert [
        line
        for line in printed.splitlines(keepends=True)
        if "This plugin does not support" not in line
    ] == [told] * bool(told)
    (left,) = claim_leftovers(recovery_folder_in(tmp_path))
    assert left.draft is not None
    session = Session.open(SCENE)
    session.apply(Move([o.key for o in session.document.scene.objects], 7, 0))
    assert document_to_json(left.draft.document) == document_to_json(session.document)


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb, an X server without a screen")
def test_a_window_whose_display_goes_away_keeps_the_last_change_for_recovery(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        display = f":{server.stdout.readline().strip()}"
        environment = {
            **os.environ, "RAYBENCH_STATE_DIR": str(tmp_path), "RAYBENCH_CONFIG_DIR": str(tmp_path),
            "DISPLAY": display, "QT_QPA_PLATFORM": "xcb",
        }  # fmt: skip
        words = [sys.executable, "-c", WINDOW, SCENE, "idle"]
        with subprocess.Popen(
            words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            changed = running.stdout.readline()
            server.kill()
            _, printed = running.communicate(timeout=60)
    if "platform plugin" in printed:
        pytest.skip("Qt has no platform for X here")
    assert changed == "changed\n"
    assert (
        printed
        == "raybench: the display was closed. Unsaved changes are kept, and offered at the next"
        " start.\n"
    )
    assert running.returncode == 1
    (left,) = claim_leftovers(recovery_folder_in(tmp_path))
    assert left.draft is not None


def recovery_folder_in(state: Path) -> Path:
    (path,) = state.rglob("*.raybench")
    return path.parent


@dataclass(frozen=True)
class Command:
    """Words of a command that writes ``out`` into the current folder, and how many seconds it takes
    at most.
    """

    words: tuple[str, ...]
    out: str
    seconds: float = 2.0


COMMANDS = {
    "trace": Command(("trace", SCENE, "--out", ".", "--csv", "--xml"), "prism.npz", 1.0),
    "trace as a table": Command(("trace", SCENE, "--out", ".", "--csv", "--xml"), "prism.csv", 1.0),
    "export png": Command(("export", SCENE, "out.png"), "out.png"),
    "export svg": Command(("export", SCENE, "out.svg"), "out.svg"),
    "export pdf": Command(("export", SCENE, "out.pdf"), "out.pdf"),
    "export xml": Command(("export", SCENE, "out.xml"), "out.xml"),
    "shot": Command(("shot", SCENE, "out.png"), "out.png", 3.0),
    "tour": Command(("tour",), "tour.png", 4.0),
    "sweep": Command(
        ("sweep", SCENE, "Main Prism.x=-1..1:40", "--measure", "power(Screen)", "--out", "out.csv"),
        "out.csv",
    ),
    "optimise": Command(
        ("optimise", SCENE, *VARY, "--goal", "most power(Screen)", "--out", "out.json"), "out.json"
    ),
    "tolerance": Command(
        (
            "tolerance",
            SCENE,
            "--vary",
            "Main Prism.x±1",
            "--measure",
            "power(Screen)",
            "--samples",
            "40",
            "--out",
            "out.csv",
        ),
        "out.csv",
    ),
    "ask": Command(
        (
            "ask",
            SCENE,
            "turn Main Prism by 5 deg",
            "--offline",
            "--profile",
            "auto",
            "--save",
            "out.json",
        ),
        "out.json",
    ),
}


def whole(path: Path, content: bytes) -> bool:
    """Whether a file that a command wrote has a beginning and an end."""
    match path.suffix:
        case ".npz":
            return len(load_npz(path)) > 0
        case ".json":
            return bool(load_document(path).scene.objects)
        case ".csv":
            return (
                content.endswith(b"\n")
                and len(
                    {line.count(b",") for line in content.splitlines() if not line.startswith(b"#")}
                )
                == 1
            )
        case suffix:
            start, end = {".png": (b"\x89PNG", b"IEND\xaeB`\x82"), ".pdf": (b"%PDF", b"%%EOF")}.get(
                suffix, (b"<", b">")
            )
            return content.startswith(start) and content.rstrip().endswith(end)


def in_start_of_python(told: bytes) -> bool:
    """Whether Ctrl-C came before any line of the program was run."""
    return told.rstrip().endswith(b"KeyboardInterrupt") and str(ROOT).encode() not in told


# one of each way to write a file
FEW = ("trace as a table", "export pdf", "shot", "optimise", "ask")


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS if LONG else FEW)
def test_a_command_that_is_ended_at_any_moment_leaves_its_file_whole_or_as_it_was(
    name: str, tmp_path: Path
) -> None:
    command, chance = COMMANDS[name], random.Random(name)
    path, earlier = tmp_path / command.out, b"earlier"
    for _ in range(40 if LONG else 1):
        for number in (signal.SIGINT, signal.SIGKILL):
            moments = (
                [chance.uniform(0.1, command.seconds)]
                if LONG
                else [command.seconds / 2**k for k in range(1, 5)]
            )
            for after in moments:  # each earlier, until the command has not ended by itself
                path.write_bytes(earlier)
                arguments = [sys.executable, "-m", "raybench_workbench", *command.words]
                environment = {
                    **os.environ,
                    "QT_QPA_PLATFORM": "offscreen",
                }
                with subprocess.Popen(
                    arguments,
                    cwd=tmp_path,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                ) as running:
                    time.sleep(after)
                    running.send_signal(number)
                    _, told = running.communicate(timeout=60)
                assert not re.search(rb"Traceback|Fatal|Error", told) or in_start_of_python(told), (
                    told.decode()
                )
                content = path.read_bytes()
                assert content == earlier or whole(path, content), (after, number, content[:100])
                if number == signal.SIGINT:
                    assert running.returncode in (0, 130, -signal.SIGINT) or in_start_of_python(
                        told
                    )
                    assert not list(tmp_path.glob(".*.tmp")), "a temporary file is left"
                for left in tmp_path.glob(".*.tmp"):
                    left.unlink()
                if running.returncode != 0:
                    break
            assert LONG or running.returncode != 0, "it ended before it was interrupted"


def test_next_to_nothing_is_imported_before_ctrl_c_is_handled() -> None:
    """What is imported before shows a traceback where Ctrl-C arrives."""
    code = (
        "import sys; before = set(sys.modules); import raybench_workbench.__main__;"
        " print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == [
        "__future__",
        "raybench",
        "raybench.system",
        "raybench.system.interrupt",
        "raybench_workbench",
        "raybench_workbench.__main__",
    ]
