"""The table of tools, collected from their files."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from core.analysis.tools.tool import AnalysisTool, IncompleteTool

ROOMS = ("rays", "scene", "interfaces", "light", "paths", "power")
"""The folders that hold a file a tool, in the order in which tools are listed."""
FIRST = (
    "find_rays_inside_glass_xml",
    "find_rays_crossing_edge_xml",
    "find_rays_by_angle_to_edge_xml",
    "find_rays_by_polarization_xml",
)
"""The tools that stand first in the table; the others follow by folder and file."""


@cache
def tools() -> Mapping[str, AnalysisTool]:
    """All tools by name. Imports their files at the first call; raises IncompleteTool where one lacks a part."""
    found: dict[str, AnalysisTool] = {}
    for room in ROOMS:
        package = import_module(f"core.analysis.tools.{room}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            tool = tool_in(module.name)
            if tool.name in found:
                raise IncompleteTool(f"{module.name}: there is a tool {tool.name} already. Give its function another name.")
            found[tool.name] = tool
    return MappingProxyType({name: found.pop(name) for name in FIRST} | found)


def tool_in(module: str) -> AnalysisTool:
    """The tool that a module declares; IncompleteTool if it declares none."""
    tool = getattr(import_module(module), "TOOL", None)
    if not isinstance(tool, AnalysisTool):
        raise IncompleteTool(f"{module} declares no TOOL. State TOOL = AnalysisTool(function=…, asks=…, phrases=…).")
    return tool
