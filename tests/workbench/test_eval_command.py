"""``raybench eval``: a bank of tasks put to recorded models, to none, and to a server."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.messages_server import MessagesServer, say, use

from raybench.agent.eval.bank import read_bank
from raybench.agent.models.scripted import ScriptedBackend
from raybench_workbench.cli import main
from raybench_workbench.commands import evaluation

TASKS = read_bank()


def written_replies(path: Path, *fields: str) -> str:
    """A file of replies: for each task the answer in one of these fields of the bank, in turn. The
    name of the model that replays it.
    """

    def replies(answer: str | Sequence[Any]) -> list[Any]:
        if isinstance(answer, str):
            return [answer]
        return [[{"call": "change_scene", "arguments": {"changes": answer}}], "Answer: done"]

    path.write_text(
        json.dumps(
            {t.name: replies(getattr(t, fields[i % len(fields)])) for i, t in enumerate(TASKS)}
        )
    )
    return f"scripted:{path}"


def scores(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def test_recorded_answers_are_scored_by_theme_and_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = written_replies(tmp_path / "right.json", "right")
    assert main(["eval", "--model", right, "--jobs", "2", "--json"]) == 0
    found = scores(capsys)
    assert [a["task"] for a in found["attempts"] if not a["right"]] == []
    assert found["total"]["all"]["right"] == len(TASKS)
    wrong = written_replies(tmp_path / "wrong.json", "wrong")
    assert main(["eval", "--model", wrong, "--jobs", "2", "--json"]) == 0
    found = scores(capsys)
    assert [a["task"] for a in found["attempts"] if a["right"]] == []
    assert found["kinds"]["design"]["calls"] == found["kinds"]["design"]["asked"]
    assert all(a["faults"] for a in found["attempts"])


def test_the_offline_agent_is_asked_the_plain_question(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["eval", "--offline", "--only", "monitor-main-share", "--only", "relay-sharp"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "✓ monitor-main-share (1 calls" in printed.err
    assert "✗ relay-sharp (0 calls" in printed.err
    assert printed.out.splitlines()[-1].split()[:3] == ["all", "1/2", "0.5"]
    assert printed.out.splitlines()[-1].endswith("—")


def test_a_small_model_at_a_server_answers_in_short_calls_badly_and_gives_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    replies = [
        say('<tool_call>{"name": "measure_xml", "arguments": {"measures": "share(Main)"}}'),
        say("Answer: 40 %"),
        use("change_scene", changes=[{"set": "Sampler", "transRatio": 0.5}]),
        say("ok"),
        use("change_scene", change="Sampler", transRatio=1.2),
        say("I do not know."),
        say("Answer: done"),
    ]
    themes = ["monitor-main-share", "monitor-quarter", "monitor-too-much", "chip-share"]
    only = [word for name in themes for word in ("--only", name)]
    with MessagesServer(replies, form="chat") as server:
        command = ["eval", *only, "--base-url", f"{server.url}/v1", "--model", "tiny", "--json"]
        assert main(command) == 0
    found = scores(capsys)
    by_task = {a["task"]: a for a in found["attempts"]}
    assert {name: by_task[name]["right"] for name in themes} == {
        "monitor-main-share": True,
        "chip-share": False,
        "monitor-quarter": True,
        "monitor-too-much": False,
    }
    assert by_task["monitor-too-much"]["faults"] == ["does not say that this is impossible"]
    assert by_task["chip-share"]["faults"] == ["gives no share; it is 0.923077"]
    assert found["total"]["all"]["tokens_in"] > 0
    assert found["total"]["all"]["cost"] is None
    assert "Answer: impossible" in json.dumps(server.requests[0]["messages"][-1])


def test_a_run_goes_on_where_it_ended_and_is_compared_with_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = str(tmp_path / "one.json"), str(tmp_path / "other.json")
    first = written_replies(tmp_path / "first", "right", "wrong")
    second = written_replies(tmp_path / "second", "wrong", "right")
    guides = ["--only", "gratings"]
    assert main(["eval", "--model", first, "--only", "grating-orders", "--out", one]) == 0
    assert main(["eval", "--model", first, *guides, "--repeat", "2", "--out", one]) == 0
    assert capsys.readouterr().err.count("grating-orders") == 2
    assert main(["eval", "--model", second, *guides, "--out", other]) == 0
    capsys.readouterr()
    assert main(["eval", "--compare", one, other]) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["gratings", "4/8", "2/4"] in printed
    assert {tuple(row[1:]) for row in printed if row[0].startswith("grating-")} == {
        ("2/2", "0/1"),
        ("0/2", "1/1"),
    }
    assert main(["eval", "--model", second, *guides, "--out", one]) == 1
    assert "Give " in capsys.readouterr().err


def test_ctrl_c_prints_what_is_finished(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(ScriptedBackend):
        async def stream_turn(self, *asked: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()
            yield

    connected = []

    def backend(options: object, task: str) -> ScriptedBackend:
        connected.append(task)
        return ScriptedBackend(["Answer: 5"]) if task == "grating-orders" else Interrupted([])

    monkeypatch.setattr(evaluation, "backend_from_options", backend)
    command = ["eval", "--model", "m", "--only", "grating-orders", "--only", "guides"]
    assert main(command) == 130
    assert connected[1:] == ["grating-orders", "rod-acceptance"]  # and no other task
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1].split()[:2] == ["all", "1/1"]
    assert printed.err.endswith("raybench: interrupted.\n")


def test_a_model_that_does_not_reply_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").write_text("[]")
    model, out = f"scripted:{tmp_path / 'none'}", str(tmp_path / "out")
    assert main(["eval", "--model", model, "--out", out]) == 1
    printed = capsys.readouterr().err.splitlines()
    assert len(printed) == 4
    assert (
        printed[-1] == f"raybench: {model} does not reply. The script has no more replies. Add one."
    )
    written_replies(tmp_path / "none", "right")
    assert main(["eval", "--model", model, "--only", TASKS[0].name, "--out", out, "--json"]) == 0
    assert scores(capsys)["total"]["all"]["right"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "nothing", "--offline"], "--only nothing: there is no such task or theme."),
        (["no-such-folder", "--offline"], "no-such-folder: tasks.yaml cannot be read"),
        (["--compare", "no-such-file", "other"], "no-such-file: this cannot be read"),
        ([], "No model is connected."),
    ],
)
def test_errors_say_what_to_do(
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert main(["eval", *words]) == 1
    assert said in capsys.readouterr().err


def test_the_tasks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--list", "--only", "impossible"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == sum(bool(t.impossible) for t in TASKS)
    assert all(" impossible " in line for line in listed)
