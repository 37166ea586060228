"""A project folder with tools, and the command line that a person uses them by."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.core.agent.project import write

from raybench_workbench.cli import main

HEAD = """
from __future__ import annotations

import datetime

from raybench.agent.context import tool_context, tool_options
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter
from raybench.agent.workers.llm_tool import LLMTool

"""


@dataclass
class Commands:
    """The command line about a small scene and a project folder that is trusted."""

    folder: Path
    scene: Path
    capsys: pytest.CaptureFixture[str]

    def project(self, tools: str = "", **workers: str) -> None:
        """Write the folder's ``tools.py``, after the usual imports, and its workers."""
        write(self.folder, tools=HEAD + tools, **workers)

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, output and errors of a command with the project."""
        self.capsys.readouterr()
        status = main(
            [
                *arguments,
                *(() if arguments[0] == "run" else ("--project", str(self.folder))),
                "--trust",
            ]
        )
        captured = self.capsys.readouterr()
        return status, captured.out, captured.err

    def tool(self, *arguments: str) -> str:
        """What a tool prints, or the error."""
        status, out, err = self("tool", str(self.scene), *arguments)
        return (err if status else out).strip()

    def listed(self) -> str:
        """The list of the project's own tools, and of what cannot be used."""
        return self("tool", "--list")[1].partition("\nOf the project ")[2]

    def schemas(self) -> dict[str, Any]:
        """What a model is given of each tool, by name."""
        return {d["name"]: d for d in json.loads(self("tool", "--schema")[1])}

    def scripted(self, *replies: object) -> tuple[str, str]:
        """The options for a model that gives these replies; a call is ``{"call": name, "arguments":
        {…}}``.
        """
        path = self.folder / "replies.json"
        path.write_text(json.dumps(replies))
        return "--model", f"scripted:{path}"

    def asked(
        self, *replies: object, question: str = "Go.", options: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """What ``raybench ask --json`` tells of a turn whose model gives these replies."""
        status, out, err = self(
            "ask", str(self.scene), question, *self.scripted(*replies), "--json", *options
        )
        assert status == 0, err
        return json.loads(out)  # type: ignore[no-any-return]

    def run(self, *arguments: str) -> Any:
        """The output of an entry tool, or the error."""
        status, out, err = self("run", str(self.folder), *arguments, "--json")
        return err.strip() if status else json.loads(out)["output"]


@pytest.fixture
def commands(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> Commands:
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))
    ray = {"type": "SingleRay", "name": "Laser", "p1": {"x": 4, "y": 0}, "p2": {"x": 5, "y": 0}}
    mirror = {"type": "Mirror", "name": "Mirror", "p1": {"x": 9, "y": -9}, "p2": {"x": 9, "y": 9}}
    scene = tmp_path / "ray.json"
    scene.write_text(json.dumps({"version": 5, "objs": [ray, mirror]}))
    folder = tmp_path / "project"
    folder.mkdir()
    return Commands(folder, scene, capsys)
