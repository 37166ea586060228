"""The examples of the guide to projects, in one project's folder and on the command line."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from tests.workbench.numbered.conftest import Commands

GUIDE = files("raybench_resources").joinpath("help/projects.md").read_text(encoding="utf-8")
TOOLS = "\n\n".join(re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL))
(JUDGE,) = re.findall(r"^```\n(---.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def test_every_example_of_the_guide_is_a_tool_that_runs(commands: Commands) -> None:
    (commands.folder / "tools.py").write_text(TOOLS)
    (commands.folder / "judge.worker").write_text(JUDGE)
    listed = commands.listed()
    assert "Not usable" not in listed
    assert "No effect is stated for doubled, unchecked: " in listed
    assert "rounded(value :float) -> :float\n    [tools.py::rounded, read, private]" in listed
    assert commands.tool("focal_length", "10") == "20.0"
    assert json.loads(commands.tool("many_glasses", "--preview"))["result_count"] == 50
    assert [commands.tool(name, "3") for name in ("halved", "doubled")] == ["1.5", "6.0"]
    assert commands.run("--tool", "unchecked", "--input", '{"x": 3}') == 1.5
    assert commands.tool("only_from", "Laser") == "Only Laser. 2 of 2 rays are shown."
    prism = ("example:prism", "power_inside", "Main Prism")
    assert float(commands("tool", *prism)[1]) > 0
    assert commands.tool("power_inside", "Nowhere").startswith("Not known: ")
    assert commands("tool", "example:prism", "turn_prism", "5")[1] == "Turned by 5 degrees.\n"
    verdict = commands.scripted('{"verdict": "Little."}')
    assert commands.run("--scene", "example:prism", *verdict) == "Little."
    assert commands.run("x", "--tool", "name_it", *commands.scripted("Tessar")) == "Tessar"


def test_a_refused_tool_without_a_stated_effect_names_the_line_to_write(commands: Commands) -> None:
    (commands.folder / "tools.py").write_text(TOOLS)
    (told,) = commands.asked([{"call": "doubled", "arguments": {"x": 2}}], "Done.")["tool_calls"]
    assert told["result"].endswith('if it only reads, write @tool_options(effect="read").')
