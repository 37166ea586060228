"""The catalogue of tools, discovered from their files."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from raybench.analysis.tools.tool import AnalysisTool, IncompleteTool

SUBPACKAGES = ("rays", "scene", "interfaces", "light", "paths", "power")
"""The subpackages with one tool per file, in the order in which tools are listed."""
FIRST = (
    "find_rays_inside_glass_xml",
    "find_rays_crossing_edge_xml",
    "find_rays_by_angle_to_edge_xml",
    "find_rays_by_polarization_xml",
)
"""The tools listed first; the others follow by subpackage and file."""


@cache
def tools() -> Mapping[str, AnalysisTool]:
    """All tools by name. Imports their files on the first call. Raises IncompleteTool if a
    declaration is incomplete.
    """
    by_name: dict[str, AnalysisTool] = {}
    for subpackage in SUBPACKAGES:
        package = import_module(f"raybench.analysis.tools.{subpackage}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            tool = tool_in(module.name)
            if tool.name in by_name:
                raise IncompleteTool(
                    f"{module.name}: there is a tool {tool.name} already. Give its function another"
                    " name."
                )
            by_name[tool.name] = tool
    return MappingProxyType({name: by_name.pop(name) for name in FIRST} | by_name)


def tool_in(module: str) -> AnalysisTool:
    """The tool declared by a module. Raises IncompleteTool if it declares none."""
    tool = getattr(import_module(module), "TOOL", None)
    if not isinstance(tool, AnalysisTool):
        raise IncompleteTool(
            f"{module} declares no TOOL. Declare TOOL = AnalysisTool(function=…, asks=…,"
            " questions=…)."
        )
    return tool
