"""A project's tools in ``raybench ask``, ``tool``, ``shot``, ``export`` and ``run``, and in the
window.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.core.agent.project import ONLY_BELOW, worker, write

from raybench_workbench.cli import main

TOOLS = (
    '''
from __future__ import annotations

from typing import TYPE_CHECKING

from raybench.agent.context import tool_context, tool_options
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter
from raybench.agent.workers.llm_tool import LLMTool

if TYPE_CHECKING:
    from raybench.agent.context import ToolContext

print("loading")


@tool_options(effect="read")
def rows(count: int = 3) -> list[int]:
    """The first rows."""
    print("counting")
    return list(range(count))


@tool_context(effect="edit")
async def shift(ctx: ToolContext, name: str, dx: float) -> str:
    """Move an object."""
    await ctx.apply([{"move": name, "dx": dx, "dy": 0}])
    return f"moved {name}"


def plain(a: int, b: int = 2) -> int:
    """Add."""
    return a + b


def send(text: str) -> str:
    """Send it somewhere."""
    return f"sent {text}"

'''
    + ONLY_BELOW
    + '''

name_it = LLMTool("Name this: {{about}}", "(about :string) -> :string", "Name a lens.")


def odd(x: Nowhere) -> str:
    """Never."""
    return "x"
'''
)


@pytest.fixture(autouse=True)
def own_config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))


@pytest.fixture
def scene(tmp_path: Path) -> str:
    ray = {"type": "SingleRay", "name": "Laser", "p1": {"x": 4, "y": 0}, "p2": {"x": 5, "y": 0}}
    mirror = {"type": "Mirror", "name": "Mirror", "p1": {"x": 9, "y": -9}, "p2": {"x": 9, "y": 9}}
    path = tmp_path / "ray.json"
    path.write_text(json.dumps({"version": 5, "objs": [ray, mirror]}))
    return str(path)


@pytest.fixture
def project(tmp_path: Path) -> list[str]:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, tools=TOOLS, judge=worker(description="Judges.", tools="rows, scael, send"))
    return ["--project", str(folder), "--trust"]


def test_the_list_has_what_is_there_and_what_was_refused_with_its_reason(
    project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", "--list", *project]) == 0
    shipped, own = capsys.readouterr().out.split("\nOf the project ")
    own, refused = own.split("\n\nNot usable:\n")
    assert "find_rays_inside_glass_xml(" in shipped
    assert "rows(count :int?) -> [:int]\n    [tools.py::rows, read] The first rows." in own
    assert "only_below(power :float?)\n    [tools.py::only_below, read] Show only weak rays." in own
    assert "name_it(about :string)\n    [tools.py::name_it, read, asks a model] Name a lens." in own
    assert "judge(input :string)\n    [judge.worker, read, asks a model] Judges." in own
    assert "odd" not in own
    lines = [line.strip() for line in refused.splitlines()]
    assert "odd cannot be a tool: the type hint of 'x', Nowhere, cannot be resolved" in lines[0]
    assert lines[1].startswith("judge.worker: it lists the tool scael, which does not exist.")
    assert "whose effect is external, but allows read. Write effects: read, external" in lines[2]
    assert len(lines) == 3
    assert main(["tool", "--schema", *project]) == 0
    assert {"rows", "shift", "only_below"} <= {
        d["name"] for d in json.loads(capsys.readouterr().out)
    }


def test_one_of_its_tools_is_called_and_what_it_prints_goes_elsewhere(
    project: list[str], scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", scene, "rows", "2", *project]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == [0, 1]
    assert captured.err.splitlines()[:1] == ["loading"]
    assert "counting" in captured.err
    assert (
        main(["tool", scene, "send", "hello", *project]) == 0
    )  # external: a person's own call is its approval
    assert capsys.readouterr().out == "sent hello\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("odd", "odd cannot be a tool: the type hint of 'x', Nowhere, cannot be resolved"),
        ("name_it", "name_it is a task for a model"),
        ("judge", "judge is a task for a model"),
        ("rosw", "There is no tool 'rosw'. Did you mean rows?"),
    ],
)
def test_a_tool_that_cannot_be_called_says_why(
    name: str, message: str, project: list[str], scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", scene, name, "x", *project]) == 1
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_a_folder_that_is_not_trusted_or_not_there_is_told(
    project: list[str], scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tool", "--list", *project[:2]]) == 0
    listed = capsys.readouterr().out
    assert (
        "tools.py was not run, for the folder is not trusted. Open it again and trust it, or give"
        " --trust." in listed
    )
    assert "judge(input" in listed
    assert main(["ask", scene, "/rows 2", "--project", str(tmp_path / "nowhere")]) == 1
    assert "there is no such folder" in capsys.readouterr().err


def test_a_question_has_the_projects_tools(
    project: list[str], scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = tmp_path / "replies.json"
    calls = [
        {"call": n, "arguments": a}
        for n, a in (("rows", {"count": 2}), ("send", {"text": "hi"}), ("name_it", {"about": "it"}))
    ]
    replies.write_text(json.dumps([calls[:2] + calls[2:], "Big Lens", "Done."]))
    given = ["ask", scene, "Go.", "--model", f"scripted:{replies}", "--json", *project]
    assert main(given) == 0
    answer = json.loads(capsys.readouterr().out)  # although the project prints
    assert [(c["tool"], c["ok"]) for c in answer["tool_calls"]] == [
        ("rows", True),
        ("send", False),
        ("name_it", True),
    ]
    assert answer["tool_calls"][2]["result"] == "Big Lens"
    assert main([*given, "--allow", "send"]) == 0
    assert json.loads(capsys.readouterr().out)["tools_used"] == ["rows", "send", "name_it"]


def test_an_edit_of_ones_own_is_checked_by_the_profile(
    project: list[str], scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies, saved = tmp_path / "replies.json", tmp_path / "saved.json"
    replies.write_text(
        json.dumps([[{"call": "shift", "arguments": {"name": "Mirror", "dx": 3}}], "Done."])
    )
    for profile in ("read-only", "auto"):
        given = ["--profile", profile, "--save", str(saved)]
        assert main(["ask", scene, "Go.", "--model", f"scripted:{replies}", *given, *project]) == 0
        assert saved.exists() == (profile == "auto")  # what was refused is not written
    assert (
        next(o for o in json.loads(saved.read_text())["objs"] if o["type"] == "Mirror")["p1"]["x"]
        == 12
    )
    capsys.readouterr()


def test_a_picture_and_an_export_show_the_rays_that_a_tool_of_ones_own_leaves(
    project: list[str], scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shot.png"
    assert (
        main(["shot", scene, str(out), "--size", "400x300", "--tool", "only_below 2", *project])
        == 0
    )
    assert "2 rays lit: Only below: power 2" in capsys.readouterr().out
    assert out.read_bytes().startswith(b"\x89PNG")
    assert (
        main(
            ["export", scene, str(tmp_path / "rays.csv"), "--tool", "only_below 0.000001", *project]
        )
        == 0
    )
    assert len((tmp_path / "rays.csv").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (["5", "--tool", "plain"], 7),
        (["5 b=3", "--tool", "plain"], 8),
        (["--input", '{"a": 4}', "--tool", "plain"], 6),
        (["2", "--tool", "rows"], [0, 1]),
        (["2", "--tool", "send"], "sent 2"),
    ],
)
def test_what_is_typed_is_converted_as_for_other_commands(
    given: list[str], output: object, project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", project[1], "--trust", "--json", *given]) == 0
    assert json.loads(capsys.readouterr().out)["output"] == output


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--input", '{"a": 4, "c": 1}', "--tool", "plain"], "plain takes no c; it takes a, b."),
        (["five", "--tool", "plain"], "'a'"),
        (["five", "--tool", "rows"], "'count'"),
        (["'1", "--tool", "plain"], "A quotation mark is not closed"),
    ],
)
def test_an_input_that_does_not_fit_is_told(
    given: list[str], message: str, project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", project[1], "--trust", *given]) == 1
    assert message in capsys.readouterr().err.splitlines()[-1]
