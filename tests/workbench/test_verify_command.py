"""`raybench verify` from outside."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import raybench.verify.cases
from raybench.verify.cases import cases_of_scenes
from raybench_workbench.cli import main


def test_it_prints_the_computed_beside_the_exact_value(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["verify", "thin-lens-off-axis", "snell", "--save", str(tmp_path / "scenes")]) == 0
    head, *rows, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["case", "computed", "exact", "error", "scene:", "measure"]
    assert [row.rpartition(": ")[2] for row in rows] == [
        "incidence(Screen)",
        "focus_x(Lens)",
        "focus_y(Lens)",
    ]
    assert last == "3 of 3 cases hold."
    assert sorted(path.name for path in (tmp_path / "scenes").iterdir()) == [
        "snell.json",
        "thin-lens-off-axis.json",
    ]


def test_a_case_that_fails_is_named_and_the_status_is_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (snell,), (mirrors,) = cases_of_scenes(["snell"]), cases_of_scenes(["retroreflector"])
    monkeypatch.setattr(raybench.verify.cases, "CASES", (replace(snell, exact=26.0), mirrors))
    assert main(["verify"]) == 1
    out = capsys.readouterr().out
    assert "FAILED: the error may be 1e-09." in out
    assert out.endswith("1 of 2 cases hold.\n")
    assert main(["verify", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["holds"]
    assert [case["holds"] for case in found["cases"]] == [False, True]
    assert found["cases"][0]["source"] == "Hecht 4.4"


def test_an_unknown_case_is_an_error_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "snel"]) == 1
    assert capsys.readouterr().err.startswith("raybench: There is no case 'snel'. Nearest: snell")
