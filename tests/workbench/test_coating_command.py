"""The command ``raybench coating``."""

from __future__ import annotations

import csv

import pytest

from raybench_workbench.cli import main


def test_a_coating_is_printed_and_plotted(capsys, tmp_path):
    assert main(["coating"]) == 0
    assert "V-coat 633" in capsys.readouterr().out
    film = '{"index": 1.38, "quarterWaves": 1, "at": 550}'
    assert main(["coating", film, "--index", "1.5"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    numbers = rows[rows.index(["at", "550", "nm"]) + 2]
    assert [float(n) for n in numbers] == pytest.approx([0, 0.01411, 0.01411, 0.98589, 0.98589, 0])
    for suffix in ("svg", "csv"):
        assert main(["coating", film, "--angle", "30", "--out", str(tmp_path / f"a.{suffix}")]) == 0
    assert "reflected" in (tmp_path / "a.svg").read_text()
    columns = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
    assert {row["curve"] for row in columns} == {"reflected", "transmitted"}
    assert main(["coating", "nobody's"]) == 1
    assert "There is no coating" in capsys.readouterr().err
