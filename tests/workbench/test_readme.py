"""What README.md and the guide to Python show runs as it stands, in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from raybench.system.process import child_environment
from raybench_workbench.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
HELP = files("raybench_resources").joinpath("help")
TEXT = README + HELP.joinpath("python.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^raybench (?:ask|sweep) example:.*$", README, re.MULTILINE)


RUN_EACH = """
import os, pathlib
for i, program in enumerate(eval(input())):
    pathlib.Path(str(i)).mkdir()
    os.chdir(str(i))
    exec(compile(program, program, "exec"), {"__name__": "__main__"})
    os.chdir("..")
"""


def test_programs_run_in_an_empty_folder(tmp_path: Path) -> None:
    assert len(PROGRAMS) > 5
    done = subprocess.run(
        [sys.executable, "-c", RUN_EACH],
        input=repr(PROGRAMS),
        cwd=tmp_path,
        env=child_environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run_in_an_empty_folder(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    out, err = capsys.readouterr()
    assert len((out + err).splitlines()) > 1


def test_the_first_block_sets_up_and_tours_and_sets_up_and_tests() -> None:
    first = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[0].splitlines()
    assert [line.split(" && ")[-1].split()[0] for line in first] == [
        ".venv/bin/raybench",
        ".venv/bin/python",
    ]
