"""The examples of the agent's README run as they stand."""

from __future__ import annotations

import re
from importlib.resources import files

from raybench.agent.tools.tool import Tool


def test_the_examples_run_as_they_stand() -> None:
    readme = files("raybench.agent").joinpath("README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names: dict[str, object] = {"__name__": "example"}
    exec(first, names)
    assert names["brightest"]
    exec(compile(second, "example", "exec", dont_inherit=True), names)
    assert Tool.new("main", names["main"]).signature == "(input :string) -> :string"
