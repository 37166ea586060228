"""Command lines of any options and arguments: each ends soon, with a status and, after an error,
one line that says why.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import sys
import time
from pathlib import Path

import pytest

from raybench_workbench import cli

pytestmark = pytest.mark.usefixtures("raybench_app")
COUNT = 3_000 if os.environ.get("RAYBENCH_LONG") else 24
SLOWEST = 20.0
"""Seconds of processor time."""
MOST_MEMORY = 1e9
MOST_WORDS = 2_000
ELSEWHERE = ("mcp", "bench", "tour", "desktop", "open")
"""Commands that serve, measure for minutes or have a window."""
SCENE = {
    "version": 5,
    "objs": [
        {"type": "Beam", "p1": {"x": 0, "y": -5}, "p2": {"x": 0, "y": 5}, "name": "Laser"},
        {
            "type": "IdealLens",
            "p1": {"x": 20, "y": -20},
            "p2": {"x": 20, "y": 20},
            "focalLength": 40,
            "name": "Lens",
        },
        {"type": "Blocker", "p1": {"x": 55, "y": -50}, "p2": {"x": 55, "y": 50}, "name": "Screen"},
    ],
}
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="10mm" viewBox="0 0 20 10"><rect'
    ' x="1" width="5" height="4"/></svg>'
)
WORKER = "---\nname: main\ndescription: Sums up.\n---\nSum up {{input}}.\n"
ODD = (
    "",
    " ",
    "-",
    "--",
    ".",
    "~",
    "x" * 300,
    "ü",
    "a\0b",
    "\x1b[31mred",
    "80 mm",
    "nan",
    "9" * 400,
    "'",
    '"',
    "{",
    "=",
)
WORDS = {
    "SCENE": (
        "s.json",
        "s.json",
        "s.json",
        "example:rainbow",
        "example:nope",
        "empty.json",
        "noise.raybench",
        "d.svg",
        "deep.json",
        "missing.json",
    ),
    "FILE": ("d.svg", "d.svg", "s.json", "o.json", "empty.json", "noise.raybench"),
    "FOLDER": ("project", "project", "folder", "s.json", "missing"),
    "OUT": (
        "o.json",
        "o.raybench",
        "o.csv",
        "o.npz",
        "o.png",
        "o.svg",
        "o.pdf",
        "o.xml",
        "o",
        "folder",
        "missing/o.csv",
        "/dev/full",
        ".png",
    ),
    "MEASURE": (
        "power(Screen)",
        "spot_rms(Screen)",
        "focal_length(Lens)",
        "power(Nobody)",
        "power",
        "power(",
        "power(Screen); hits(Screen)",
    ),
    "GOAL": (
        "power(Screen) = 1",
        "spot_rms(Screen) -> min",
        "min spot_rms(Screen)",
        "spot_rms(Screen) < 1",
        "max power(Lens)",
        "power(Screen) =",
    ),
    "RANGE": (
        "Lens.focalLength=10..50",
        "Lens.focalLength=10..50:3",
        "Lens.focalLength=10,20",
        "Screen.x=40..60:2",
        "Lens.nope=1..2",
        "Lens",
    ),
    "DEVIATION": (
        "Lens.focalLength±1",
        "Lens.x±0.1",
        "Screen.angle±1 deg",
        "Lens.focalLength±",
        "Nobody.x±1",
    ),
    "NUMBER": ("1", "2", "5", "0", "-1", "1.5", "1e9", "x", "１"),
    "SIZE": ("300x200", "85mm", "0x0", "1e3x2", "99999x99999"),
    "TEXT": (
        "power(Screen)",
        "what is the power on Screen?",
        "/help",
        "measure power(Screen)",
        "describe_scene_xml",
        "move Lens by 3 mm",
        '{"a": 1}',
    ),
}
"""Words by what they are, right and wrong ones."""
MEANT = {
    "SCENE": ("scene", "scenes", "other"),
    "FILE": ("drawing", "input", "attachments"),
    "FOLDER": ("folder", "project"),
    "OUT": ("out", "save", "worst"),
    "MEASURE": ("measure", "measures"),
    "GOAL": ("goal", "limit"),
    "RANGE": ("axes", "vary", "adjust"),
    "DEVIATION": ("vary",),
    "NUMBER": ("max_segments", "threads", "samples", "seed", "scale", "max_steps"),
    "SIZE": ("size",),
}
"""The arguments, as argparse names them, that take words of a kind; others take texts."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC", "RAYBENCH_MODEL"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return folder


def prepare(folder: Path) -> None:
    """The files that arguments name, as they were before the last command wrote to some."""
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "project").mkdir(exist_ok=True)
    (folder / "project" / "main.worker").write_text(WORKER)
    for path in (folder / "s.json", folder / "project" / "scene.json"):
        path.write_text(json.dumps(SCENE))
    (folder / "d.svg").write_text(DRAWING)
    (folder / "empty.json").write_text("")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "noise.raybench").write_bytes(bytes(range(256)))


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands that end by themselves."""
    (found,) = (
        a for a in cli._argument_parser()._actions if isinstance(a, argparse._SubParsersAction)
    )
    return {name: parser for name, parser in found.choices.items() if name not in ELSEWHERE}


def word(chance: random.Random, action: argparse.Action) -> str:
    """A word for an argument: mostly one of its kind."""
    if chance.random() < 0.05:
        return chance.choice([*ODD, *chance.choice(list(WORDS.values()))])
    if action.choices:
        return chance.choice([*map(str, action.choices), "none"])
    kinds = [kind for kind, names in MEANT.items() if action.dest in names] or ["TEXT"]
    known = WORDS[chance.choice(kinds)]
    return chance.choice(known[:2] if chance.random() < 0.7 else known)


def command_line(chance: random.Random, name: str, parser: argparse.ArgumentParser) -> list[str]:
    """A command with a random choice of its options and arguments, in either order."""
    given: list[str] = []
    options: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.dest == "debug":
            continue
        if not action.option_strings:
            least = 0 if action.nargs in ("?", "*") else 1
            most = 2 if action.nargs in ("*", "+") else 1
            given += [word(chance, action) for _ in range(chance.randint(least, most))]
        elif chance.random() < (
            0.95 if action.required else 0.6 if action.dest in ("measure", "goal", "out") else 0.2
        ):
            options.append(chance.choice(action.option_strings))
            options += [word(chance, action)] if action.nargs != 0 else []
    return [name, *given, *options] if chance.random() < 0.7 else [name, *options, *given]


def test_a_command_ends_soon_with_a_status_and_one_line_on_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(f"commands {os.environ.get('RAYBENCH_SEED', '')}")
    parsers = commands()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done: set[str] = set()
    for _ in range(COUNT):
        prepare(folder)
        name = chance.choice(tuple(parsers))
        arguments = command_line(chance, name, parsers[name])
        begun = time.thread_time()
        try:
            status = cli.main(arguments)
        except SystemExit as ended:  # wrong usage
            status = int(ended.code or 0)
        assert time.thread_time() - begun < SLOWEST, arguments
        err = capsys.readouterr().err
        assert status in (0, 1, 2), arguments
        assert "Traceback" not in err, arguments
        lines = [line for line in err.splitlines() if line.startswith("raybench: ")]
        assert len(lines) == (status == 1) or name in ("trace", "compare", "verify"), (
            arguments,
            err,
        )
        assert all(len(line) < MOST_WORDS for line in lines), arguments
        done |= {name} if status == 0 else set()
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < MOST_MEMORY
    assert len(done) > len(parsers) / 6, "some are right"
    assert sorted(p.name for p in folder.parent.iterdir()) == ["here"], (
        "nothing is written elsewhere"
    )
