"""``raybench ask`` and ``raybench run`` with ``--protocol text``: models without tool use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.messages_server import MessagesServer, Reply, say

from raybench_workbench.cli import main


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "ray.json"
    ray = {"type": "SingleRay", "name": "Laser", "p1": {"x": 4, "y": 0}, "p2": {"x": 5, "y": 0}}
    mirror = {"type": "Mirror", "name": "Mirror", "p1": {"x": 9, "y": -9}, "p2": {"x": 9, "y": 9}}
    path.write_text(json.dumps({"version": 5, "objs": [ray, mirror]}))
    return path


def written(tool: str, **arguments: Any) -> Reply:
    return say(json.dumps({"tool": tool, "args": arguments}))


@pytest.mark.parametrize(("form", "path"), [("messages", ""), ("chat", ""), ("chat", "/v1")])
def test_seed2_31_and_32_a_question_is_answered_by_calls_written_as_text(
    form: str, path: str, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = [
        written("describe_object", object_name="Mirror"),
        written("describe_scene_xml"),
        say("There are two objects."),
    ]
    with MessagesServer(replies, form=form) as server:
        command = [
            "ask",
            str(scene),
            "What is there?",
            "--protocol",
            "text",
            "--base-url",
            server.url + path,
            "--model",
            "small",
            "--json",
        ]
        assert main(command) == 0
        answered = json.loads(capsys.readouterr().out)
    assert answered["answer"] == "There are two objects."
    assert answered["tools_used"] == ["describe_scene_xml"]
    assert answered["usage"]["input_tokens"] == 300
    assert all("tools" not in request for request in server.requests)
    assert server.requests[0]["model"] == "small"


def test_seed2_33_without_a_model_a_plain_question_is_understood(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "ask",
                str(scene),
                "Show only rays with power above 0.1",
                "--protocol",
                "text",
                "--offline",
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["tools_used"] == ["range_filter"]


def test_edits_are_checked_by_the_profile(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved.json"
    call = written("change_scene", changes=[{"move": "Mirror", "dx": 3, "dy": 0}])
    for profile, ok in (("read-only", False), ("auto", True)):
        with MessagesServer([call, say("Moved.")], form="chat") as server:
            given = [
                "--protocol",
                "text",
                "--base-url",
                server.url,
                "--profile",
                profile,
                "--save",
                str(saved),
                "--json",
            ]
            assert main(["ask", str(scene), "Move it.", *given]) == 0
        (made,) = json.loads(capsys.readouterr().out)["tool_calls"]
        assert made["ok"] is ok
        assert saved.exists() is ok  # what was refused is not written
    assert (
        next(o for o in json.loads(saved.read_text())["objs"] if o["type"] == "Mirror")["p1"]["x"]
        == 12
    )


@pytest.mark.parametrize(
    ("profile", "said"), [("read-only", "change_scene was not run: "), ("auto", "")]
)
def test_an_edit_that_was_refused_is_told_though_the_model_does_not_say_so(
    profile: str, said: str, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = written("change_scene", changes=[{"move": "Mirror", "dx": 3, "dy": 0}])
    with MessagesServer([call, say("Moved.")], form="chat") as server:
        given = ["--protocol", "text", "--base-url", server.url, "--profile", profile]
        assert main(["ask", str(scene), "Move it.", *given]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Moved.")
    assert (err.startswith(said), "auto makes it" in err) == (True, bool(said))
    assert ("--save FILE" in err) == (profile == "auto"), "what was changed is in no file"


def test_without_a_model_a_refused_edit_is_told_once(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", str(scene), "Move Mirror by 3 mm to the left", "--offline"]) == 1
    assert capsys.readouterr().err.count("was not run") == 1


def test_a_worker_answers_in_its_form_which_is_no_call(
    tmp_path: Path, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    front = (
        "description: Judge.\ntools: [describe_scene_xml]\nsignature: '(input :string) -> {verdict"
        " :string, count :int}'"
    )
    (tmp_path / "main.worker").write_text(f"---\n{front}\n---\nJudge the scene.\n")
    replies = [
        written("describe_scene_xml"),
        say('{"verdict": "good"}'),
        say('{"verdict": "good", "count": 2}'),
    ]
    with MessagesServer(replies, form="chat") as server:
        given = ["--scene", str(scene), "--protocol", "text", "--base-url", server.url, "--json"]
        assert main(["run", str(tmp_path), "Is it good?", *given]) == 0
    ran = json.loads(capsys.readouterr().out)
    assert ran["output"] == {"verdict": "good", "count": 2}
    assert ran["tools_used"] == ["describe_scene_xml"]
    assert "count: expected field" in server.requests[2]["messages"][-1]["content"]


def test_scripted_replies_are_read_as_text(
    tmp_path: Path, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "replies.json"
    script.write_text(json.dumps(['{"tool": "foo", "args": {}}', '{"tool": "foo", "args": {}}']))
    assert (
        main(["ask", str(scene), "Go.", "--protocol", "text", "--model", f"scripted:{script}"]) == 0
    )
    assert capsys.readouterr().out == "Tool call rejected: Unknown tool 'foo'.\n"


def test_a_server_that_is_not_there_is_one_line(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            ["ask", str(scene), "Go.", "--protocol", "text", "--base-url", "http://127.0.0.1:9/v1"]
        )
        == 1
    )
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith("raybench: 127.0.0.1:9 cannot be reached.")
    )


@pytest.mark.parametrize("command", ["ask", "run", "mcp"])
def test_an_address_that_is_empty_is_wrong_usage_and_asks_no_other_server(
    command: str, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(
            [
                command,
                str(scene),
                *(["Go."] if command != "mcp" else []),
                "--model",
                "small",
                "--base-url",
                "",
            ]
        )
    assert ended.value.code == 2
    assert "--base-url: the address is empty." in capsys.readouterr().err
