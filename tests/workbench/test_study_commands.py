"""``raybench sweep``, ``tolerance`` and ``optimise``: what they print and write, against closed
forms of an ideal lens.

A beam of width w reaches a screen at a distance d behind a lens of focal length f with the width w
|1 - d/f|.
"""

from __future__ import annotations

import csv
import json
import re
import signal
from pathlib import Path

import pytest
from tests.core.study.scenes import weak_scene

from raybench.files.document_file import load_document, save_document
from raybench.kinds.mirrors import Mirror
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.cli import main

OBJECTS = [
    {"type": "Beam", "name": "Laser", "p1": {"x": 0, "y": -10}, "p2": {"x": 0, "y": 10}},
    {
        "type": "IdealLens",
        "name": "Lens",
        "p1": {"x": 50, "y": -20},
        "p2": {"x": 50, "y": 20},
        "focalLength": 100,
    },
    {"type": "Detector", "name": "Screen", "p1": {"x": 100, "y": -30}, "p2": {"x": 100, "y": 30}},
]
AT_LENS = 20.0
"""Width of the beam in the lens."""
WIDTH = "arriving_width(Screen)"


@pytest.fixture
def scene(tmp_path: Path) -> str:
    path = tmp_path / "lens.json"
    path.write_text(json.dumps({"version": 5, "rayModeDensity": 1, "objs": OBJECTS}))
    return str(path)


def width(distance: float, focal_length: float = 100.0) -> float:
    return AT_LENS * abs(1 - distance / focal_length)


def test_a_sweep_prints_rows_as_they_come(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", scene, "Screen.x=0..50:3", "--measure", WIDTH]) == 0
    printed = capsys.readouterr()
    title, *rows = printed.out.splitlines()
    assert title.split("  ") == ["Screen.x [mm]", f"{WIDTH} [mm]"]
    values = [[float(cell) for cell in row.split()] for row in rows]
    assert [x for x, _ in values] == [0, 25, 50]
    assert [w for _, w in values] == pytest.approx([width(50), width(75), 0], abs=1e-9)
    assert "Screen.x is how far it is moved from where it stands." in printed.err


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "Screen.x=0..50:3", "--measure", WIDTH, "--out", "none/a.csv"),
        ("tolerance", "--vary", "Screen.x±1", "--measure", WIDTH, "--out", "none/a.csv"),
        (
            "optimise",
            "--vary",
            "Screen.x=-50..50",
            "--goal",
            f"least {WIDTH}",
            "--out",
            "none/a.json",
        ),
        ("ask", "move Screen by 1, 0", "--offline", "--profile", "auto", "--save", "none/a.json"),
    ],
    ids=lambda words: words[0],
)
def test_an_unwritable_file_is_reported_first(
    words: tuple[str, ...], scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = words
    assert main([command, scene, *rest]) == 1
    printed = capsys.readouterr()
    assert printed.err.splitlines()[-1].endswith(
        "Create the folder, or choose another one. Nothing was changed."
    )
    assert printed.out == ""


def test_a_refined_sweep_adds_rows_and_counts_them(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "widths.csv"
    assert (
        main(
            [
                "sweep",
                scene,
                "Lens.focalLength=25..100:2",
                "--measure",
                WIDTH,
                "--refine",
                "4",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    printed = capsys.readouterr()
    with open(out, encoding="utf-8") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    assert len(rows) == len(printed.out.splitlines()) - 1 == 6
    assert [f for f, _ in rows] == sorted(f for f, _ in rows)
    assert [w for _, w in rows] == pytest.approx([width(50, f) for f, _ in rows])
    assert f"{out}: 6 rows" in printed.err


def test_a_sweep_says_once_what_is_undefined(
    scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", scene, "Laser.y=0..100:3", "--measure", "rms(Screen)"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("undefined") == 2
    assert (
        printed.err.count("rms(Screen) is undefined in 2 of 3 rows: No light arrives at 'Screen'.")
        == 1
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["sweep", "{}", "M0.transRatio=0.1,0.2", "--measure", "share(Out)"],
        ["optimise", "{}", "--vary", "M0.transRatio=0.1..0.2", "--goal", "most share(Out)"],
        [
            "tolerance",
            "{}",
            "--vary",
            "M0.transRatio±0.01",
            "--measure",
            "share(Out)",
            "--samples",
            "3",
        ],
    ],
)
def test_studies_say_how_much_light_is_omitted(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weak.raybench"
    save_document(weak_scene(), path)
    assert main([text.replace("{}", str(path)) for text in arguments]) == 0
    said = "".join(capsys.readouterr())
    assert said.count("Rays too weak to follow carried ") == 1
    assert " % of the power; the colour mode linear follows weaker ones.\n" in said


def test_tolerances_have_sensitivities_a_yield_and_worst_samples(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, worst = tmp_path / "samples.csv", tmp_path / "worst"
    options = [
        "--vary",
        "Screen.x±10",
        "--measure",
        WIDTH,
        "--limit",
        f"{WIDTH} < 10.5",
        "--samples",
        "50",
        "--seed",
        "3",
    ]
    assert main(["tolerance", scene, *options, "--out", str(out), "--worst", str(worst)]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[:3] == [
        f"{WIDTH}: 10 mm nominally",
        "  Screen.x ±10 mm: +2 .. -2 mm",
        "50 samples, seed 3",
    ]
    linear = float(
        next(line for line in lines if "linear propagation" in line)
        .split(": ")[1]
        .removesuffix(" mm")
    )
    assert linear == pytest.approx(AT_LENS / 100 * 10 / 3**0.5), "of a uniform distribution"
    with open(out, encoding="utf-8") as file:
        rows = [
            {title.split(" ")[0]: float(cell) for title, cell in row.items()}
            for row in csv.DictReader(file)
        ]
    widths = [row[WIDTH] for row in rows]
    assert widths == pytest.approx([width(50 + row["Screen.x"]) for row in rows])
    within = sum(w < 10.5 for w in widths)
    assert f"yield, {WIDTH} < 10.5: {2 * within} % ({within} of 50;" in lines[-1]
    places = [
        load_document(worst / f"worst-{n}.raybench").scene.objects[-1].p1.x for n in (1, 2, 3)
    ]
    assert [width(x - 50) for x in places] == pytest.approx(sorted(widths)[:-4:-1]), (
        "the widest first"
    )


@pytest.mark.parametrize(
    ("link", "written", "status"), [("sqrt(Screen.x)", 2, 0), ("sqrt(-1 - Screen.x^2)", 0, 1)]
)
def test_impossible_samples_are_not_written(
    scene: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    recwarn: pytest.WarningsRecorder,
    link: str,
    written: int,
    status: int,
) -> None:
    options = [
        "--vary",
        "Screen.x±10",
        "--measure",
        WIDTH,
        "--link",
        f"Lens.x = {link}",
        "--samples",
        "5",
        "--worst",
        str(tmp_path / "worst"),
    ]
    assert main(["tolerance", scene, *options]) == status
    assert len(list((tmp_path / "worst").iterdir())) == written
    told = "without 3 samples that cannot be made" if written else "no sample can be written"
    assert f"{told}: Lens.x = {link} gives nan. Choose a smaller range" in capsys.readouterr().err
    assert not recwarn.list


def test_a_sensitivity_that_is_undefined_says_so(
    scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [
        "--vary",
        "Screen.x±0.1",
        "--link",
        "Lens.x = sqrt(Screen.x)",
        "--measure",
        WIDTH,
        "--samples",
        "5",
    ]
    assert main(["tolerance", scene, *options]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"Screen\.x ±0\.1 mm: undefined \.\. [+-][\d.]+ mm", printed), printed
    assert "nan .." not in printed


def test_a_tolerance_needs_a_measure(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tolerance", scene, "--vary", "Screen.x±10"]) == 1
    assert "Give --measure or --limit." in capsys.readouterr().err


def test_an_optimum_is_written_where_asked(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, out = Path(scene).read_text(), tmp_path / "best.json"
    search = ["optimise", scene, "--vary", "Screen.x=-20..80", "--goal", "least rms(Screen)"]
    assert main(search) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].split() == ["Screen.x", "0", "->", "50", "mm"]
    assert "Nothing was written" in printed.err
    assert main([*search, "--json", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    (parameter,), (goal,) = found["parameters"], found["goals"]
    assert parameter["after"] == pytest.approx(50, abs=1e-6)
    assert goal["met"]
    assert goal["after"] == pytest.approx(0, abs=1e-6)
    assert load_document(out).scene.objects[-1].p1.x == pytest.approx(150)
    assert Path(scene).read_text() == before


@pytest.mark.parametrize(("name", "said"), [("out.json", True), ("OUT.RAYBENCH", False)])
def test_a_plain_file_says_what_it_omits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: bool
) -> None:
    document = Document(scene=Scene.of([Mirror(name="M", p1=Point(0, 0), p2=Point(0, 9))]))
    save_document(document, tmp_path / "scene.raybench")
    given = ["--offline", "--profile", "auto", "--save", str(tmp_path / name)]
    assert main(["ask", str(tmp_path / "scene.raybench"), "disable M", *given]) == 0
    assert ("M is disabled, so it is left out." in capsys.readouterr().err) is said
    assert bool(load_document(tmp_path / name).disabled) is not said


@pytest.mark.parametrize("command", ["tolerance", "optimise"])
def test_ctrl_c_ends_a_study_with_its_results(
    command: str,
    scene: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    presses = iter([signal.SIGINT])
    monkeypatch.setattr(
        "raybench_workbench.commands.studies.print_progress",
        lambda text: [signal.raise_signal(n) for n in presses],
    )
    words, out = {
        "tolerance": (
            ["--vary", "Screen.x±10", "--measure", WIDTH, "--samples", "5000"],
            tmp_path / "samples.csv",
        ),
        "optimise": (
            ["--vary", "Screen.x=-20..80", "--goal", "least rms(Screen)"],
            tmp_path / "best.json",
        ),
    }[command]
    assert main([command, scene, *words, "--threads", "1", "--out", str(out)]) == 130
    printed = capsys.readouterr()
    assert "Ctrl-C again ends at once" in printed.err
    if command == "tolerance":
        assert 1 < len(out.read_text(encoding="utf-8").splitlines()) < 5000
    else:
        assert "Stopped; the best so far." in printed.out
        assert len(load_document(out).scene.objects) == 3
