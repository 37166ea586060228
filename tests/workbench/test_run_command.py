"""``raybench run``: a project's entry tool from the command line (SEED4-19 to SEED4-21), and the
example that ships.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest
from tests.core.agent.project import worker, write

from raybench.agent.models.protocol import TextDelta
from raybench_workbench.cli import main

MAIN = 'def main(input: str) -> str:\n    return f"got {input!r}"\n'
EXAMPLE = files("raybench_resources").joinpath("examples", "project")


@pytest.fixture(autouse=True)
def own_config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))


def replies(folder: Path, *texts: object) -> str:
    (folder / "replies.json").write_text(json.dumps(texts))
    return f"scripted:{folder / 'replies.json'}"


def test_seed4_20_the_example_runs_offline_with_recorded_replies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with as_file(EXAMPLE) as folder:
        assert (
            main(["run", str(folder), "--trust", "--model", f"scripted:{folder / 'replies.json'}"])
            == 0
        )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("- Main Prism: ")
    assert lines[-1].endswith("Coat the faces of the prism.")


def test_the_example_does_without_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    with as_file(EXAMPLE) as folder:
        assert main(["run", str(folder), "--trust", "--offline"]) == 0
    assert (
        "Without a model there is no verdict: judge is a task for a model, and none is connected."
        in capsys.readouterr().out
    )


def test_the_example_has_a_short_name_as_scenes_have(capsys: pytest.CaptureFixture[str]) -> None:
    main(["tool", "--list", "--project", "example:project", "--trust"])
    assert "tools.py::light_in_glasses" in capsys.readouterr().out


def test_only_what_needs_a_model_says_that_none_is_connected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, tools=MAIN, judge=worker())
    assert main(["run", str(tmp_path), "x", "--trust"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["run", str(tmp_path), "x", "--trust", "--tool", "judge"]) == 1
    message = capsys.readouterr().err
    assert message.startswith("raybench: judge is a task for a model, and none is connected.")
    assert "ANTHROPIC_API_KEY" in message


def test_functions_that_cannot_be_tools_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, tools=MAIN + "\ndef odd(x: 'Nowhere') -> str:\n    return 'x'\n")
    assert main(["run", str(tmp_path), "x", "--trust"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "got 'x'\n"
    assert "odd cannot be a tool: the type hint of 'x', Nowhere, cannot be resolved" in captured.err


def test_seed4_20_json_contains_output_calls_and_cost(capsys: pytest.CaptureFixture[str]) -> None:
    with as_file(EXAMPLE) as folder:
        arguments = [
            "run",
            str(folder),
            "--trust",
            "--model",
            f"scripted:{folder / 'replies.json'}",
            "--tool",
            "main",
            "--json",
        ]
        assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report.keys() == {
        "tool",
        "output",
        "tools_used",
        "tool_calls",
        "ray_sets",
        "usage",
        "error",
    }
    assert report["tools_used"] == [
        "find_rays_inside_glass_xml",
        "light_in_glasses",
        "find_rays_by_polarization_xml",
        "judge",
    ]
    assert [s["name"] for s in report["ray_sets"]] == ["R1", "R2", "R3"]
    assert report["error"] is None


def test_seed4_20_what_json_has_no_number_for_is_a_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path, tools="def main() -> list[float]:\n    return [float('nan'), float('inf'), 1.5]\n"
    )

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    assert main(["run", str(tmp_path), "--trust", "--json"]) == 0
    assert json.loads(capsys.readouterr().out, parse_constant=refuse)["output"] == [
        "NaN",
        "Infinity",
        1.5,
    ]
    assert main(["run", str(tmp_path), "--trust"]) == 0
    assert json.loads(capsys.readouterr().out, parse_constant=refuse) == ["NaN", "Infinity", 1.5]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["a text"], "got 'a text'"),
        (["--input", '"json"'], "got 'json'"),
        (["--input", "not json"], "got 'not json'"),
        (["--input", "FILE"], "got 'from a file'"),
        (["--tool", "main", "after an option"], "got 'after an option'"),
    ],
)
def test_seed4_20_the_input_is_text_json_or_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], output: str
) -> None:
    write(tmp_path, tools=MAIN)
    (tmp_path / "input.json").write_text('"from a file"')
    arguments = [str(tmp_path / "input.json") if a == "FILE" else a for a in arguments]
    assert main(["run", str(tmp_path), "--trust", *arguments]) == 0
    assert capsys.readouterr().out == f"{output}\n"


def test_an_input_that_cannot_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, tools=MAIN)
    (tmp_path / "input.txt").write_text("secret")
    read = Path.read_text

    def refuse(path: Path, *arguments: Any, **named: Any) -> str:
        if path.name == "input.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *arguments, **named)

    monkeypatch.setattr(Path, "read_text", refuse)
    assert main(["run", str(tmp_path), "--trust", "--input", str(tmp_path / "input.txt")]) == 1
    assert "input.txt: the input cannot be read (Permission denied)" in capsys.readouterr().err


def test_seed4_20_without_an_input_it_is_an_empty_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, tools="def main(given: dict) -> dict:\n    return {'given': given}\n")
    assert main(["run", str(tmp_path), "--trust"]) == 0
    assert json.loads(capsys.readouterr().out) == {"given": {}}


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({}, [], "Tool not found: main. There is no tools.py::main and no main.worker in "),
        ({}, [], " Tools there: (none)."),
        ({"tools": MAIN, "judge": worker()}, ["--tool", "zzz"], " Tools there: judge, main."),
        (
            {"tools": MAIN},
            ["--input", "nope.json"],
            "nope.json: there is no such file, and this is not JSON. Give a text as INPUT.",
        ),
        (
            {"tools": MAIN, "main": worker()},
            ["x"],
            "Ambiguous tools: tools.py::main and main.worker both exist. Rename",
        ),
        ({"tools": MAIN}, ["--tool", "mian"], "Did you mean main"),
        ({"tools": MAIN}, [], "main needs its input, 'input'."),
        ({"tools": MAIN}, ["x", "--input", "y"], "The input is given twice"),
        (
            {"tools": MAIN},
            ["x", "--attachments", "nope.txt"],
            "nope.txt: there is no such file to attach.",
        ),
        ({"tools": MAIN}, ["x", "--profile", "ask"], "There is no terminal to ask on"),
        ({"tools": MAIN}, ["x", "--scene", "nope.json"], "nope.json"),
        (
            {"tools": MAIN},
            ["x", "--model", "scripted:nope.json"],
            "nope.json: the replies cannot be read",
        ),
        ({"tools": "def main():\n    raise ValueError('too bad')\n"}, [], "too bad"),
        ({"tools": "x = 1\ny = z\n"}, [], "tools.py, line 2: NameError"),
        ({"main": "no front matter"}, [], "main.worker: a worker begins with front matter"),
        (
            {"main": worker()},
            ["x", "--offline"],
            "main is a task for a model, and none is connected",
        ),
    ],
)
def test_seed4_20_errors_are_one_line_on_stderr(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str],
    arguments: list[str],
    message: str,
) -> None:
    write(tmp_path, **files)
    assert main(
        ["run", str(tmp_path), "--trust", "--offline", *arguments]
    ) == 1 or "scripted" in str(arguments)
    if "scripted" in str(arguments):
        assert main(["run", str(tmp_path), "--trust", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("raybench: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("debug", [False, True])
def test_an_error_of_a_tool_is_told_with_its_place_and_a_traceback_only_where_it_is_wanted(
    tmp_path: Path, debug: bool
) -> None:
    """In a process of its own: pytest has handlers for what is logged."""
    write(tmp_path, tools='def main() -> str:\n    """Fail."""\n    raise ValueError("broken")\n')
    command = [
        sys.executable,
        "-m",
        "raybench_workbench",
        "run",
        str(tmp_path),
        "--trust",
        *(["--debug"] if debug else []),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert ("Traceback" in done.stderr) == debug
    if not debug:
        place = f"{tmp_path / 'tools.py'}, line 3; --debug prints the traceback"
        assert done.stderr.splitlines() == [f"raybench: main raised ValueError: broken ({place})"]


def test_a_tool_that_cannot_be_used_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = (
        "from raybench.agent.context import tool_context\n\n\n@tool_context(effect='read')\ndef"
        " main() -> str:\n    return ''\n"
    )
    write(tmp_path, tools=marked)
    assert main(["run", str(tmp_path), "--trust"]) == 1
    told = (
        f"raybench: {tmp_path / 'tools.py'}: main is marked with @tool_context, but has no"
        " parameter 'ctx'."
    )
    assert capsys.readouterr().err.splitlines() == [told]


def test_seed4_20_debug_prints_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path), "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_folder_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "nope")]) == 1
    assert (
        "there is no such folder. Name one that holds tools.py or *.worker files"
        in capsys.readouterr().err
    )


@pytest.mark.security
def test_a_folders_code_runs_only_when_it_is_trusted_and_that_is_remembered_until_it_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, tools=MAIN)
    assert main(["run", str(tmp_path), "x"]) == 1
    told = capsys.readouterr().err
    assert told.endswith(
        "was not run, for the folder is not trusted. Open it again and trust it, or give --trust.\n"
    )
    assert "There is no" not in told, "it may be in what was not run"
    assert main(["run", str(tmp_path), "--tool", "run_progrm"]) == 1
    assert (
        "not trusted. Open it again and trust it, or give --trust. Did you mean run_program"
        in capsys.readouterr().err
    )
    assert main(["run", str(tmp_path), "x", "--trust"]) == 0
    assert main(["run", str(tmp_path), "x"]) == 0
    write(tmp_path, tools=MAIN + "\n# changed\n")
    assert main(["run", str(tmp_path), "x"]) == 1


def test_seed4_19_a_worker_is_an_entry_tool_with_attachments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, main=worker("Read."))
    (tmp_path / "a.txt").write_text("x")
    model = replies(tmp_path, "read it")
    assert (
        main(
            [
                "run",
                str(tmp_path),
                "look",
                "--attachments",
                str(tmp_path / "a.txt"),
                "--model",
                model,
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == "read it\n"


def test_a_project_works_on_the_scene_that_is_given_and_can_save_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        tools="""
        from raybench.agent.call.context import tool_context

        @tool_context
        async def main(ctx) -> int:
            await ctx.apply([{"delete": o.title} for o in ctx.scene.objects])
            return len(ctx.scene.objects)
        """,
    )
    scene = tmp_path / "given.json"
    scene.write_text(
        '{"version": 5, "objs": [{"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y":'
        " 0}}]}"
    )
    given = [
        "run",
        str(tmp_path),
        "--trust",
        "--offline",
        "--scene",
        str(scene),
        "--save",
        str(tmp_path / "saved.json"),
    ]
    assert main([*given, "--profile", "read-only"]) == 1
    assert "this turn is read-only" in capsys.readouterr().err
    assert main([*given, "--profile", "auto"]) == 0
    assert capsys.readouterr().out == "1\n"
    assert json.loads((tmp_path / "saved.json").read_text()).get("objs", []) == []


def test_the_command_needs_no_window_system() -> None:
    import subprocess

    code = (
        "import sys; sys.modules['PySide6'] = None; from raybench_workbench.cli import main;"
        " sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(Path(__file__) / "nope")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "there is no such folder" in done.stderr


@pytest.mark.parametrize(
    ("typed", "allowed", "left"),
    [
        ("y\nn\n", [True, False], 0),
        ("\n\n", [False, False], 0),
        ("s\nn\n", [True, True], 1),
        ("", [False, False], 0),
    ],
)
def test_seed4_21_a_person_allows_once_for_the_session_or_not(
    typed: str,
    allowed: list[bool],
    left: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import asyncio
    import io

    from raybench.agent.call.approval import ApprovalRequest, ApprovalRules
    from raybench.agent.tools.tool import Tool
    from raybench_workbench.commands.model_options import TerminalUser

    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    approvals = ApprovalRules("ask", TerminalUser().decide)
    request = ApprovalRequest(Tool("post", effect="external"), {"text": "x" * 99})
    assert [asyncio.run(approvals.call_refusal(request)) == "" for _ in range(2)] == allowed
    assert capsys.readouterr().err.startswith(
        f"post(text='{'x' * 49}…) (external). Allow? [y/N, s: post for the session, or say why not]"
    )
    assert len(sys.stdin.readlines()) == left


@pytest.mark.parametrize(
    ("typed", "allowed", "asked"), [("n\ny\n", [False, True], 2), ("s\nn\n", [True, True], 1)]
)
def test_a_person_is_asked_one_question_at_a_time(
    typed: str,
    allowed: list[bool],
    asked: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import asyncio
    import io
    import time

    from raybench.agent.call.approval import ApprovalRequest, ApprovalRules
    from raybench.agent.tools.tool import Tool
    from raybench_workbench.commands.model_options import TerminalUser

    shown: list[int] = []

    class Terminal(io.StringIO):
        def readline(self, *size: Any) -> str:
            time.sleep(0.1)  # a person reads before answering
            shown.append(capsys.readouterr().err.count("Allow?"))
            return super().readline(*size)

    async def both() -> list[str]:
        approvals = ApprovalRules("ask", TerminalUser().decide)
        request = ApprovalRequest(Tool("post", effect="external"), {"text": "x"})
        return await asyncio.gather(
            approvals.call_refusal(request), approvals.call_refusal(request)
        )

    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    assert [reason == "" for reason in asyncio.run(both())] == allowed
    assert shown == [1] * asked


POSTING = """
from raybench.agent.context import tool_options

@tool_options(effect="EFFECT")
def post(text: str) -> str:
    \"\"\"Post a text.\"\"\"
    return f"posted {text}"
"""


@pytest.mark.parametrize("effect", ["external", "destructive"])
def test_a_model_calls_what_reaches_outside_where_it_is_allowed_by_name(
    effect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        tools=POSTING.replace("EFFECT", effect),
        main=worker("Post.", tools="post", effects=f"read, {effect}"),
    )
    model = replies(tmp_path, [{"call": "post", "arguments": {"text": "hello"}}], "Done.")
    given = ["run", str(tmp_path), "x", "--trust", "--model", model, "--json"]

    def result(*more: str) -> str:
        assert main([*given, *more]) == 0
        printed = capsys.readouterr()
        found = json.loads(printed.out)["tool_calls"][0]
        assert printed.err == ("" if found["ok"] else f"{found['result']}\n")
        return str(found["result"])

    assert "this turn is read-only" in result()
    assert "On the command line --allow post allows it." in result("--profile", "auto")
    assert result("--profile", "auto", "--allow", "post") == "posted hello"
    assert result("--allow", "post") == "posted hello"
    assert main([*given, "--allow", "posst"]) == 1
    assert (
        "--allow posst: there is no tool of this name. Did you mean post?"
        in capsys.readouterr().err
    )


def test_a_person_at_the_terminal_sees_what_an_edit_changes_and_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    scene = tmp_path / "given.json"
    scene.write_text(
        '{"version": 5, "objs": [{"type": "SingleRay", "name": "Ray", "p1": {"x": 0, "y": 0}, "p2":'
        ' {"x": 1, "y": 0}}]}'
    )
    move = {"call": "change_scene", "arguments": {"changes": [{"move": "Ray", "dx": 5}]}}
    model = replies(tmp_path, [move], [move], "Done.")
    monkeypatch.setattr(sys, "stdin", Terminal("it is screwed down\ny\n"))
    given = [
        "ask",
        str(scene),
        "Move it.",
        "--model",
        model,
        "--profile",
        "ask",
        "--json",
        "--save",
        str(tmp_path / "saved.json"),
    ]
    assert main(given) == 0
    said = capsys.readouterr()
    assert "Ray moved by (5, 0) mm" in said.err
    assert "(0, 0) mm -> (5, 0) mm" in said.err
    calls = json.loads(said.out)["tool_calls"]
    assert (
        calls[0]["result"]
        == "Ray moved by (5, 0) mm was not run: the user declined. The reason given: it is screwed"
        " down"
    )
    assert calls[1]["ok"]
    assert json.loads((tmp_path / "saved.json").read_text())["objs"][0]["p1"]["x"] == 5


def test_a_refused_change_writes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, saved = tmp_path / "given.json", tmp_path / "saved.json"
    scene.write_text(
        '{"version": 5, "objs": [{"type": "SingleRay", "name": "Ray", "p1": {"x": 0, "y": 0}, "p2":'
        ' {"x": 1, "y": 0}}]}'
    )
    given = ["--offline", "--profile", "auto", "--save", str(saved)]
    assert main(["ask", str(scene), '/change_scene {"rotate": "Ray"}', *given]) == 1
    assert "'rotate' needs by" in capsys.readouterr().err
    assert not saved.exists()
    assert main(["ask", str(scene), '/change_scene {"rotate": "Ray", "by": 5}', *given]) == 0
    assert saved.exists()


def test_ask_has_as_many_steps_as_it_is_given_and_answers_even_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "given.json"
    scene.write_text(
        '{"version": 5, "objs": [{"type": "SingleRay", "name": "Ray", "p1": {"x": 0, "y": 0}, "p2":'
        ' {"x": 1, "y": 0}}]}'
    )
    look = {"call": "read_objects", "arguments": {"names": ["Ray"]}}
    assert (
        main(
            [
                "ask",
                str(scene),
                "Look.",
                "--model",
                replies(tmp_path, *[[look]] * 5),
                "--max-steps",
                "3",
            ]
        )
        == 1
    )
    said = capsys.readouterr()
    assert said.out.startswith("Found so far:\n- Fields of Ray: ")
    assert "The model did not answer within 3 steps." in said.err


def test_the_agent_sees_a_picture_of_the_canvas_without_a_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PySide6")
    from tests.workbench.prism_window import prism_document

    from raybench.agent.by_hand.command_line import ask_question
    from raybench.agent.models.scripted import ScriptedBackend, call
    from raybench.session import Session
    from raybench_workbench.commands.model_options import session_canvas_painter

    backend = ScriptedBackend([[call("look_at_canvas", width=256)], "I see."])
    answer = ask_question(
        Session(prism_document()), "Look.", backend, paint=session_canvas_painter()
    )
    (outcome,) = answer.turn.outcomes
    assert outcome.ok, outcome.text
    assert outcome.picture is not None
    assert outcome.picture.png[16:20] == (256).to_bytes(4, "big")
    assert outcome.value["objects"][:2] == ["Lamp", "Main Prism"]
    without = ask_question(
        Session(prism_document()),
        "Look.",
        ScriptedBackend([[call("look_at_canvas", width=256)], "No."]),
    )
    assert "No picture can be made" in without.turn.outcomes[0].text


def test_the_agent_sees_the_aberrations_of_a_lens_system() -> None:
    pytest.importorskip("PySide6")
    from tests.core.lens.lenses import TRIPLET

    from raybench.agent.by_hand.command_line import ask_question
    from raybench.agent.models.scripted import ScriptedBackend, call
    from raybench.lens.opening import lens_document
    from raybench.session import Session
    from raybench_workbench.commands.model_options import session_canvas_painter

    calls = [call("plot_lens", plot="mtf", width=600), call("plot_lens", plot="spots")]
    answer = ask_question(
        Session(lens_document(TRIPLET, "Triplet")),
        "Draw its MTF.",
        ScriptedBackend([calls, "Here."]),
        paint=session_canvas_painter(),
    )
    wrong, drawn = sorted(answer.turn.outcomes, key=lambda outcome: outcome.ok)
    assert drawn.ok, drawn.text
    assert drawn.picture.png[16:20] == (600).to_bytes(4, "big")
    (panel,) = drawn.value["panels"]
    assert panel["x"] == "frequency (lines/mm)"
    assert panel["curves"]["14°, diffraction, 587.6 nm"][0] == [0, 1]
    assert "Choose overview" in wrong.text


def test_ctrl_c_during_an_answer_is_an_interrupt_and_no_answer() -> None:
    import signal

    from raybench.agent.by_hand.command_line import ask_question
    from raybench.agent.models.scripted import ScriptedBackend
    from raybench.session import Session

    def interrupt(event: object) -> None:
        if isinstance(event, TextDelta):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ask_question(
            Session(), "Hello?", ScriptedBackend(["one two three four"], pause=0.05), emit=interrupt
        )
