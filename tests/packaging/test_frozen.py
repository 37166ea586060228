"""In a folder without Python the program itself takes Python's place for its child processes
(`.ci/frozen.py`).
"""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / ".ci" / "frozen.py"
if not FROZEN.exists():
    pytest.skip("The recipe is in the checkout alone.", allow_module_level=True)


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs the program's start with these arguments, where the command line gives 7."""
    run = runpy.run_path(str(FROZEN))["run"]
    monkeypatch.setitem(run.__globals__, "start", lambda: 7)

    def given(*arguments: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["raybench", *arguments])
        return run()

    return given


@pytest.mark.parametrize("arguments", [(), ("tour",), ("ask", "-m"), ("-P",)])
def test_other_arguments_are_those_of_the_program(
    frozen: Callable[..., Any], arguments: tuple[str, ...]
) -> None:
    assert frozen(*arguments) == 7


@pytest.mark.parametrize("first", [(), ("-P",)])
def test_code_and_modules_run_as_by_python(
    frozen: Callable[..., Any], capsys: pytest.CaptureFixture[str], first: tuple[str, ...]
) -> None:
    assert frozen(*first, "-c", "import sys; print(__name__, sys.argv)", "one") == 0
    assert capsys.readouterr().out == "__main__ ['-c', 'one']\n"
    frozen(*first, "-m", "this", "two")
    assert "Zen" in capsys.readouterr().out
    assert sys.argv[1:] == ["two"]


def test_child_processes_are_started_by_no_other_options() -> None:
    found = 0
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("workbench/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if "sys.executable" in text else "")):
            if (
                isinstance(node, ast.List | ast.Tuple)
                and node.elts
                and ast.unparse(node.elts[0]) == "sys.executable"
            ):
                found += 1
                written = [word.value for word in node.elts if isinstance(word, ast.Constant)]
                assert {word for word in written if word.startswith("-")} <= {
                    "-P",
                    "-m",
                    "-c",
                }, f"{path}, line {node.lineno}"
    assert found > 1
