"""The functions as other programs read them: the SDK's own tool decorator, and readers of nothing
but signature and docstring.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from raybench.analysis.tool_registry import TOOLS, get_agentic_tools

TYPES = {str: "string", float: "number", int: "integer", bool: "boolean"}


def read_plainly(function: Callable[..., str]) -> dict[str, Any]:
    """A tool's schema from its signature and the ``Args:`` of its docstring, with no library: what
    a small framework does.
    """
    doc = inspect.getdoc(function) or ""
    section = re.search(r"^Args:\n(.*?)(?:\n\S|\Z)", doc, re.DOTALL | re.MULTILINE)
    texts: dict[str, str] = {}
    if section:
        for name, text in re.findall(
            r"^    (\w+): (.*?)(?=^    \w+: |\Z)", section[1] + "\n", re.DOTALL | re.MULTILINE
        ):
            texts[name] = " ".join(text.split())
    hints = get_type_hints(function)
    properties: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        choices = get_args(hints[name]) if get_origin(hints[name]) is Literal else ()
        about = {"enum": list(choices)} if choices else {}
        of = type(choices[0]) if choices else hints[name]
        properties[name] = {"type": TYPES[of], **about, "description": texts[name]}
        if parameter.default is not parameter.empty:
            properties[name]["default"] = parameter.default
    required = [
        n for n, p in inspect.signature(function).parameters.items() if p.default is p.empty
    ]
    return {
        "properties": properties,
        "required": required,
        "description": " ".join(doc.split("\n\n")[0].split()),
    }


@pytest.mark.parametrize("entry", get_agentic_tools(), ids=lambda e: e["name"])
def test_docstrings_agree_with_the_registry(
    entry: dict[str, Any],
) -> None:
    plain = read_plainly(entry["function"])
    assert plain["properties"] == entry["parameters"] == entry["input_schema"]["properties"]
    assert plain["required"] == entry["input_schema"].get("required", [])
    assert plain["description"] == entry["description"]
    assert get_type_hints(entry["function"])["return"] is str


def test_the_sdks_own_decorator_reads_the_same() -> None:
    anthropic = pytest.importorskip("anthropic")
    for entry in get_agentic_tools():
        theirs = anthropic.beta_tool(entry["function"]).to_dict()
        assert theirs["name"] == entry["name"]
        assert " ".join(theirs["description"].split()).startswith(entry["description"])
        ours = entry["input_schema"]
        assert set(theirs["input_schema"].get("required", [])) == set(ours.get("required", []))
        for name, about in theirs["input_schema"]["properties"].items():
            assert {k: about.get(k) for k in ("type", "default")} == {
                k: ours["properties"][name].get(k) for k in ("type", "default")
            }
            assert " ".join(about["description"].split()) == ours["properties"][name]["description"]
        assert set(theirs["input_schema"]["properties"]) == set(ours["properties"])


def test_names_and_schemas_keep_to_what_models_take() -> None:
    for function, entry in zip(TOOLS, get_agentic_tools(), strict=True):
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", entry["name"])
        assert entry["input_schema"]["type"] == "object"
        assert json.loads(json.dumps(entry["input_schema"])) == entry["input_schema"]
        assert len(entry["description"]) < 300
        assert "\n" not in entry["description"]
        assert "Raises:" in (function.__doc__ or "")
        assert "Returns:" in (function.__doc__ or "")
