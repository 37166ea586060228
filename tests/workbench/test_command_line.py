"""The command line from outside: where its arguments may stand, and how it ends when somebody ends
it.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from full_disk import full_after

from raybench.errors import OUT_OF_MEMORY
from raybench.session import Session
from raybench_workbench.cli import COMMANDS, main, read_arguments
from raybench_workbench.commands.model_options import save_session

MIRRORS = [{"type": "Mirror", "p1": {"x": x, "y": -9}, "p2": {"x": x, "y": 9}} for x in (0, 9)]
RAY = {"type": "SingleRay", "p1": {"x": 4, "y": 0}, "p2": {"x": 5, "y": 0}}
RAYBENCH = [sys.executable, "-m", "raybench_workbench"]

FIRST_START = "Compiling the tracing kernels, for about a minute; only the first start does this.\n"
INSIDE = "find_rays_inside_glass_xml"


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A ray between two mirrors that goes on as long as it may."""
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({"version": 5, "objs": [*MIRRORS, RAY]}))
    return path


def wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line on stderr for arguments that no command accepts."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tol", "scene.json"],
            "raybench: error: 'tol' is neither a command nor a file; did you mean 'raybench tool'?",
        ),
        (
            ["xyzzy"],
            (
                "raybench: error: 'xyzzy' is neither a command nor a file; commands are trace,"
                " tool, ask, run, export, import, lens, coating, sweep, film, compare, optimise,"
                " tolerance,"
                " estimate, tour, shot, mcp, models, verify, eval, desktop"
            ),
        ),
        (
            [300 * "s"],  # longer than names of files may be
            (
                f"raybench: error: '{300 * 's'}' is neither a command nor a file; commands are"
                " trace, tool, ask, run, export, import, lens, coating, sweep, film, compare, optimise,"
                " tolerance, estimate, tour, shot, mcp, models, verify, eval, desktop"
            ),
        ),
        (
            ["trace", "a.json", "--out", "o", "--cvs"],
            "raybench trace: error: unrecognized arguments: --cvs; did you mean --csv?",
        ),
        (
            ["ask", "a.json", "which", "rays"],
            (
                "raybench ask: error: unrecognized arguments: rays; quote arguments that contain"
                " spaces"
            ),
        ),
        (["ask", "a.json", " "], "raybench ask: error: argument TEXT: the question is empty"),
        (
            ["shot", "a.json", "a.png", "--size", "9x9"],
            "raybench shot: error: argument --size: '9x9' is outside of 16x16 to 16384x16384",
        ),
        (
            ["shot", "a.json", "a.png", "--size", "9"],
            "raybench shot: error: argument --size: '9' is not a size such as 1280x800",
        ),
    ],
)
def test_wrong_usage_is_reported_with_a_suggestion(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wrong_usage(arguments, capsys) == message


def test_help_lists_commands_and_valid_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: raybench [FILE ...]\n")
    assert all(f"\n    {command} " in text for command in COMMANDS)
    examples = [
        shlex.split(line.split("   ")[0])
        for line in text.splitlines()
        if line.startswith("  raybench ")
    ]
    assert len(examples) == 8
    for _, *arguments in examples:
        assert read_arguments(arguments).command == (
            arguments[0] if arguments[0] in COMMANDS else "open"
        )


def test_debug_may_stand_before_the_command(
    endless: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["--debug", "trace", str(endless), "--out", str(tmp_path), "--max-segments", "10"])
        == 0
    )
    assert main(["--debug", "tool", str(tmp_path / "none.json"), "x"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_trace_is_written_as_csv_and_xml(endless: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "trace",
                str(endless),
                "--out",
                str(tmp_path),
                "--max-segments",
                "10",
                "--csv",
                "--xml",
            ]
        )
        == 0
    )
    with (tmp_path / "endless.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    rays = ElementTree.parse(tmp_path / "endless.xml").getroot()
    assert len(lines) == len(rays) == int(rays.attrib["count"]) == 10
    assert [line["id"] for line in lines] == [ray.attrib["id"] for ray in rays]
    assert float(lines[1]["length [mm]"]) == 9
    assert rays.attrib["unit"] == "mm"
    assert (
        main(["trace", str(endless), "--out", str(tmp_path / "plain"), "--max-segments", "10"]) == 0
    )
    assert [path.name for path in (tmp_path / "plain").iterdir()] == ["endless.npz"]


def test_a_file_as_output_folder_is_named(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(endless), "--out", str(endless)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"raybench: {endless}: ")
    assert "--out" in message
    assert message.count("\n") == 1


def test_a_closed_pipe_is_no_error(endless: Path) -> None:
    command = [
        *RAYBENCH,
        "tool",
        str(endless),
        "find_rays_by_polarization_xml",
        "--max-segments",
        "2000",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith("<?xml")
        running.stdout.close()
        assert "Broken" not in running.stderr.read()
        assert running.wait(60) == 0


def test_an_unknown_slash_command_is_an_error(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", str(endless), "/nope", "--offline", "--max-segments", "10"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("raybench: There is no command /nope.")
    assert captured.out == ""


def test_a_failing_slash_command_is_an_error(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "ask",
        str(endless),
        "/find_rays_inside_glass_xml Nowhere",
        "--offline",
        "--max-segments",
        "10",
    ]
    assert main(command) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("raybench: No object named 'Nowhere'.")
    assert captured.out == ""
    assert main([*command, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"].startswith("No object named 'Nowhere'.")


def test_an_answer_of_a_partial_trace_says_so(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["tool", str(endless), "find_rays_by_polarization_xml", "--max-segments", "10"]) == 0
    )
    assert (
        capsys.readouterr().err
        == f"{endless}: the trace is partial (segment limit), so the answer may be, too.\n"
    )


def test_a_tool_prints_texts_or_json(endless: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "tool",
                str(endless),
                "run_program",
                "system_stats()['segments']",
                "--max-segments",
                "12",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == "12\n"
    assert main(["tool", str(endless), "system_stats", "--max-segments", "12"]) == 0
    assert json.loads(capsys.readouterr().out)["trace"] == "segment limit"


def test_a_preview_is_what_a_model_reads(endless: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "tool",
                str(endless),
                "find_rays_by_polarization_xml",
                "--preview",
                "--max-segments",
                "2000",
            ]
        )
        == 0
    )
    message = capsys.readouterr().out
    assert message.startswith(
        "2 000 rays have a degree of polarization of 0 to 1 (R1).\nThe trace is partial (segment"
        " limit)"
    )
    assert f"[the first {message.count('<ray ')} of 2000 rays." in message
    assert len(message) < 6_500


def test_the_json_of_ask_holds_values(endless: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "ask",
                str(endless),
                "/describe_scene_xml",
                "--offline",
                "--json",
                "--max-segments",
                "10",
            ]
        )
        == 0
    )
    (called,) = json.loads(capsys.readouterr().out)["tool_calls"]
    assert called["result"].startswith("<?xml")
    assert called["values"]["trace"] == {"segments": 10, "completion": "segment limit"}


def test_the_tools_are_listed_with_signatures_or_schemas(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tool", "--list"]) == 0
    assert "fresnel_xml(n1 :float, n2 :float, angle :float)\n" in capsys.readouterr().out
    for arguments in (["--list", "--schema"], ["--schema"]):
        assert main(["tool", *arguments]) == 0
        entries = json.loads(capsys.readouterr().out)
        assert {"run_program", "query_rays_xml"} < {entry["name"] for entry in entries}
        assert all(entry.keys() == {"name", "description", "input_schema"} for entry in entries)


@pytest.fixture
def bench(tmp_path: Path) -> str:
    scene = tmp_path / "bench.json"
    objects = [
        {
            "type": "Detector",
            "p1": {"x": 100, "y": -50},
            "p2": {"x": 100, "y": 50},
            "name": "Screen",
        },
        {
            "type": "Glass",
            "path": [{"x": 40, "y": -30}, {"x": 60, "y": 30}, {"x": 20, "y": 30}],
            "name": "Wedge",
        },
        {
            "type": "Beam",
            "p1": {"x": 0, "y": -10},
            "p2": {"x": 0, "y": 10},
            "brightness": 0.4,
            "name": "Laser",
        },
    ]
    scene.write_text(
        json.dumps({"version": 5, "colorMode": "linear", "rayModeDensity": 1, "objs": objects})
    )
    return str(scene)


def test_options_stand_before_or_after_the_name(
    bench: str, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ["--json", '{"glass_name": "Wedge"}']
    texts = []
    for words in (
        [bench, *named, INSIDE],
        [*named, bench, INSIDE],
        [bench, INSIDE, *named],
        [bench, "--max-segments", "9000", INSIDE, "Wedge"],
    ):
        assert main(["tool", *words]) == 0
        texts.append(re.sub(r'revision="[0-9]+"|r[0-9]+-', "", capsys.readouterr().out))
    assert len(set(texts)) == 1
    assert '<rays count="' in texts[0]


def test_a_tool_may_need_no_scene(bench: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["fresnel_xml", "1.5", "1", "30"],
        ["fresnel_xml", "--json", '{"n1": 1.5, "n2": 1, "angle": 30}'],
    ):
        assert main(["tool", *words]) == 0
        assert '<fresnel n1="1.5" n2="1" angle="30"' in capsys.readouterr().out
    assert main(["tool", "search_help", "How do I zoom?"]) == 0
    assert "Zoom and pan" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["tool", INSIDE, "Wedge"])
    assert f"name a SCENE before {INSIDE}" in capsys.readouterr().err


def test_tools_correct_a_scene_without_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "many.json"
    lamp = {
        "type": "AngleSource",
        "name": "Lamp",
        "p1": {"x": 0, "y": 0},
        "p2": {"x": 100, "y": 0},
        "emisAngle": 360,
    }
    scene.write_text(json.dumps({"version": 5, "objs": [lamp], "rayModeDensity": 1e9}))
    assert main(["tool", str(scene), "measure", "escaped()"]) == 1
    problem = capsys.readouterr().err.removeprefix("raybench: ")
    assert problem.startswith("'Lamp' (angle source) would emit ")
    assert main(["tool", str(scene), "read_objects", "Lamp"]) == 0
    read = capsys.readouterr()
    assert json.loads(read.out)[0]["object"] == "Lamp"
    assert read.err == f"{scene}: the scene could not be traced. {problem}"
    assert (
        main(
            [
                "tool",
                str(scene),
                "change_scene",
                "--json",
                '{"changes": [{"settings": {"rayModeDensity": 1}}]}',
            ]
        )
        == 0
    )
    changed = capsys.readouterr()
    assert changed.out.startswith("Done: ")
    assert "--profile auto --save FILE writes the changed scene" in changed.err
    assert main(["tool", str(scene), "search_help", "zoom"]) == 0  # is not about the scene
    capsys.readouterr()
    correct_and_count = (
        "change_scene([{'settings': {'rayModeDensity': 1}}])\nsystem_stats()['segments']"
    )
    assert main(["tool", str(scene), "run_program", correct_and_count]) == 0
    assert int(capsys.readouterr().out) > 0


def test_a_filter_has_no_lasting_effect(bench: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tool", bench, "range_filter", "power", "0.5"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Applied range filter: power ≥ 0.5.")
    assert "has no effect on other commands" in told.err
    assert "raybench shot SCENE OUT.png --tool 'range_filter …'" in told.err


def test_tools_of_models_are_not_offered_without(
    bench: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", bench, "/help", "--offline"]) == 0
    offered = capsys.readouterr().out
    assert "/find_rays_inside_glass_xml" in offered
    assert "stray_light_auditor" not in offered
    assert main(["tool", bench, "run_program", "llm_query('hello')"]) == 1
    assert "name 'llm_query' is not defined" in capsys.readouterr().err


def test_a_measure_is_answered_once(bench: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", bench, "emitted(Laser)", "--offline"]) == 0
    printed = capsys.readouterr()
    assert (
        printed.out
        == "The emitted power of Laser is 8 (relative power) (R1).\n\n`emitted(Laser)`\n"
    )
    assert printed.err == "Sources: measure_xml\n"


def test_what_is_no_question_prints_three(bench: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", bench, "Which rays are inside Wedge and shiny?", "--offline"]) == 1
    told = capsys.readouterr()
    first, *numbered = told.out.splitlines()
    assert first == "Did you mean"
    assert numbered[0] == "1. Which rays are inside Wedge?"
    assert [line[:3] for line in numbered] == ["1. ", "2. ", "3. "]
    assert len(told.err.splitlines()) == 1
    assert (
        main(["ask", bench, "which rays from LASER reach screen, stronger than 0.1", "--offline"])
        == 0
    )
    assert (
        "are hitting Screen and from Laser and with a power of more than 0.1"
        in capsys.readouterr().out
    )


def test_measures_are_printed_with_their_units_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "screen.json"
    screen = {
        "type": "Detector",
        "p1": {"x": 100, "y": -50},
        "p2": {"x": 100, "y": 50},
        "name": "Screen",
    }
    beam = {
        "type": "Beam",
        "p1": {"x": 0, "y": -10},
        "p2": {"x": 0, "y": 10},
        "brightness": 0.4,
        "name": "Laser",
    }
    scene.write_text(
        json.dumps(
            {"version": 5, "colorMode": "linear", "rayModeDensity": 1, "objs": [screen, beam]}
        )
    )
    assert main(["tool", str(scene), "measure", "power(Screen)"]) == 0
    assert capsys.readouterr().out == "8 relative power = power(Screen)\n"
    assert (
        main(
            [
                "tool",
                str(scene),
                "measure",
                "share(Screen, Laser); deviation(Screen)",
                "focus(Screen)",
            ]
        )
        == 0
    )
    first, second, third = capsys.readouterr().out.splitlines()
    assert (first, second) == ("1 = share(Screen, Laser)", "0 deg = deviation(Screen)")
    assert third.startswith("undefined = focus(Screen): ")
    assert main(["tool", str(scene), "measure", "--json", '{"measures": "width(Screen)"}']) == 0
    assert capsys.readouterr().out == "20 mm = width(Screen)\n"
    for wrong, message in (
        ("powr(Screen)", "no measure 'powr'. Nearest: power("),
        ("power(Scren)", "Did you mean 'Screen'?"),
        ("power(", "character 7"),
    ):
        assert main(["tool", str(scene), "measure", wrong]) == 1
        captured = capsys.readouterr()
        assert (captured.out, len(captured.err.splitlines())) == ("", 1)
        assert message in captured.err


def test_the_measures_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments in (["tool", "measure", "--list"], ["tool", "any.json", "measure", "--list"]):
        assert main(arguments) == 0
        assert (
            "  power(object, source?)  [relative power]\n      Power that arrives"
            in capsys.readouterr().out
        )


def test_the_tools_are_listed_without_a_scene(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([], [str(endless)]):
        assert (
            wrong_usage(["tool", *arguments], capsys)
            == "raybench tool: error: name a SCENE and a tool, or give --list"
        )
    assert main(["tool", str(endless.with_name("none.json")), "xyzzy"]) == 1
    assert "There is no tool 'xyzzy'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "query_rays_xml 'SELECT id FROM rays LIMIT 3'",
            ", 3 rays lit: SQL SELECT id FROM rays LIMIT 3",
        ),
        ("/range_filter depth at_most=4", ", 5 rays lit: Show rays of depth ≤ 4"),
        ("describe_scene_xml", ", no rays lit: What is in the scene"),
        ("", ""),
    ],
)
def test_a_shot_lights_what_a_tool_finds(
    call: str,
    message: str,
    endless: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("PySide6")
    lit = []
    monkeypatch.setattr(
        "raybench_workbench.shot.save_screenshot",
        lambda *arguments, refine: lit.append(arguments[-1]) or (1280, 800),
    )
    scene = tmp_path / "short.json"
    scene.write_text(json.dumps({"version": 5, "objs": [*MIRRORS, RAY], "maxRayDepth": 9}))
    assert (
        main(
            ["shot", str(scene), "out.png", "--tool", call]
            if call
            else ["shot", str(scene), "out.png"]
        )
        == 0
    )
    assert capsys.readouterr().out == f"out.png: 1280 x 800 pixels{message}\n"
    assert [len(rays) if rays is not None else 0 for rays in lit] == [
        int(message[2]) if message[2:3].isdigit() else 0
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("nope", "There is no tool 'nope'"),
        (" ", "There is no tool ''"),
        ("fresnel_xml '1", "A quotation mark is not closed"),
    ],
)
def test_a_failing_tool_of_a_shot_is_reported(
    call: str, message: str, endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shot", str(endless), "out.png", "--tool", call]) == 1
    assert capsys.readouterr().err.startswith(f"raybench: {message}")


def test_a_question_says_that_no_model_answers(
    endless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, options, message in (
        ("What is in the scene?", [], "No model is connected, so"),
        ("What is in the scene?", ["--offline"], ""),
        (" /system_stats", [], ""),
    ):
        assert main(["ask", str(endless), text, "--max-segments", "10", *options]) == 0
        printed = capsys.readouterr().err
        assert printed.startswith(message or "Sources: ")


def test_a_swallowed_interrupt_ends_the_command(
    endless: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def swallowing() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("raybench.trace.trace.load_kernels", swallowing)
    assert main(["trace", str(endless), "--out", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "raybench: interrupted.\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.fixture
def compilation(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The first start: no kernels, and a compilation that goes on until this event is set."""
    from raybench.trace.compilation import loading, machine_code
    from raybench_workbench.commands import terminal

    ended = threading.Event()
    kept = loading.stored_machine_code
    for kernel in machine_code.ENTRY_POINTS.values():
        monkeypatch.setattr(kernel, "code", None)
    monkeypatch.setattr(loading, "_in_background", None)
    monkeypatch.setattr(loading, "are_kernels_ready", ended.is_set)
    monkeypatch.setattr(loading, "stored_machine_code", lambda: kept() if ended.is_set() else None)
    monkeypatch.setattr(loading, "compile_in_child_process", lambda: ended.wait(60))
    terminal.compile_in_background.cache_clear()
    yield ended
    ended.set()
    if (
        loading._in_background is not None
    ):  # a thread that outlives the test would look for kernels in the next one's fake, and find none
        loading._in_background.join()
    terminal.compile_in_background.cache_clear()


def test_a_first_small_trace_does_not_wait(
    endless: Path, tmp_path: Path, compilation: threading.Event, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["trace", str(endless), "--out", str(tmp_path / "first"), "--max-segments", "50"]) == 0
    )
    assert not compilation.is_set()
    assert capsys.readouterr().err == FIRST_START
    # a trace that takes longer than the compilation starts again with the compiled kernels
    threading.Timer(0.5, compilation.set).start()
    assert (
        main(["trace", str(endless), "--out", str(tmp_path / "second"), "--max-segments", "300000"])
        == 0
    )
    assert compilation.is_set()
    assert "300000 segments" in capsys.readouterr().out.replace(",", "")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["ask", "SCENE", "share(Screen)", "--offline"], "is 1 (100 %)"),
        (
            [
                "ask",
                "SCENE",
                "What happens to the power at Screen if Lens is moved by 5 mm to the left?",
                "--offline",
            ],
            "power(Screen)",
        ),
        (["tool", "SCENE", "measure", "nominal_focal_length(Lens)"], "100 mm"),
        (
            ["sweep", "SCENE", "Lens.y=0..1:3", "--measure", "share(Screen)", "--threads", "2"],
            "share(Screen)",
        ),
        (
            ["optimise", "SCENE", "--vary", "Screen.x=-20..20", "--goal", "least rms(Screen)"],
            "rms(Screen)",
        ),
    ],
)
def test_first_commands_do_not_wait_for_kernels(
    command: list[str],
    says: str,
    tmp_path: Path,
    compilation: threading.Event,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scene = tmp_path / "lens.json"
    objects = [
        {"type": "Beam", "p1": {"x": 0, "y": -5}, "p2": {"x": 0, "y": 5}},
        {
            "type": "IdealLens",
            "name": "Lens",
            "p1": {"x": 50, "y": -20},
            "p2": {"x": 50, "y": 20},
            "focalLength": 100,
        },
        {
            "type": "Detector",
            "name": "Screen",
            "p1": {"x": 140, "y": -20},
            "p2": {"x": 140, "y": 20},
        },
    ]
    scene.write_text(json.dumps({"version": 5, "objs": objects, "rayModeDensity": 1}))
    assert main([str(scene) if word == "SCENE" else word for word in command]) == 0
    assert not compilation.is_set()
    printed = capsys.readouterr()
    assert says in printed.out
    assert FIRST_START in printed.err


def test_an_interrupted_trace_says_so_in_one_line(endless: Path, tmp_path: Path) -> None:
    main(
        ["trace", str(endless), "--out", str(tmp_path), "--max-segments", "10"]
    )  # kernels are there
    command = [
        *RAYBENCH,
        "trace",
        str(endless),
        "--out",
        str(tmp_path / "out"),
        "--max-segments",
        "1000000000",
    ]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as running:
        while not (tmp_path / "out").exists():
            time.sleep(0.05)
        time.sleep(1.0)
        running.send_signal(signal.SIGINT)
        _, message = running.communicate(
            timeout=30
        )  # without polling it would run into its memory limit, a minute later
    assert message == "raybench: interrupted.\n"
    # where it comes while Python runs generated code, Python ends by the signal itself, which
    # shells tell as 130 too
    assert running.returncode in (130, -signal.SIGINT)


def test_a_full_disk_leaves_the_former_trace(
    endless: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "trace",
        str(endless),
        "--out",
        str(tmp_path),
        "--csv",
        "--xml",
        "--max-segments",
        "500",
    ]
    assert main(arguments) == 0
    written = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for suffix in (".npz", ".csv", ".xml"):  # as they are written, each longer than the one before
        path = endless.with_suffix(suffix)
        path.write_text("earlier")
        capsys.readouterr()
        with full_after(len(written[path]) - 1000):
            assert main(arguments) == 1
        assert f"raybench: {path}: cannot be written: " in capsys.readouterr().err
        assert path.read_text() == "earlier"
    assert set(tmp_path.iterdir()) == set(written)


def test_a_version_of_another_program_is_kept(
    endless: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session.open(endless)
    endless.write_text("{}")
    save_session(session, tmp_path / "other.json")
    assert capsys.readouterr().err == ""
    session = Session.open(tmp_path / "other.json")
    (tmp_path / "other.json").write_text("theirs")
    save_session(session, tmp_path / "other.json")
    kept = tmp_path / "other.json~"
    assert f"{kept}." in capsys.readouterr().err
    assert kept.read_text() == "theirs"
    assert '"SingleRay"' in (tmp_path / "other.json").read_text()


def test_of_many_problems_the_first_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.json"
    path.write_text(
        json.dumps({"version": 5, "objs": [{"type": f"Hologram {i}"} for i in range(300)]})
    )
    assert main(["trace", str(path), "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 101
    assert "Hologram 0" in "".join(lines[:3])
    assert re.fullmatch(r".*many\.json: \d+ more problems; the window lists them\.", lines[-1])


def test_lack_of_memory_is_told_in_one_line(
    endless: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 1.21 GiB")

    monkeypatch.setattr("raybench_workbench.commands.scenes.load_and_trace", none_left)
    assert main(["trace", str(endless), "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"raybench: {OUT_OF_MEMORY}\n"
