"""Finds the analysis tools in the files of this package."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from raybench.analysis.tools.tool import AnalysisTool, IncompleteTool
from raybench.system.plugins import load_plugins

SUBPACKAGES = ("rays", "scene", "interfaces", "light", "paths", "power")
"""The subpackages of tools, in the order in which tools are listed."""
FIRST_TOOLS = (
    "find_rays_inside_glass_xml",
    "find_rays_crossing_edge_xml",
    "find_rays_by_angle_to_edge_xml",
    "find_rays_by_polarization_xml",
    "find_rays_xml",
    "find_rays_near_critical_angle_xml",
    "find_nearest_ray_xml",
    "query_rays_xml",
)
"""The tools listed first; the others follow by subpackage and file."""


@cache
def tools() -> Mapping[str, AnalysisTool]:
    """All analysis tools by name. The first call imports their modules. Raises IncompleteTool if a
    declaration is incomplete.
    """
    by_name: dict[str, AnalysisTool] = {}
    for subpackage in SUBPACKAGES:
        package = import_module(f"raybench.analysis.tools.{subpackage}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for tool in tools_in_module(module.name):
                if tool.name in by_name:
                    raise IncompleteTool(
                        f"{module.name}: there is a tool {tool.name} already. Give its function"
                        " another name."
                    )
                by_name[tool.name] = tool

    def add_module_tools(name: str, module: Any) -> None:
        for tool in tools_in_module(module.__name__):
            if tool.name in by_name:
                raise IncompleteTool(f"there is a tool {tool.name} already")
            by_name[tool.name] = tool

    load_plugins("tools", add_module_tools)
    return MappingProxyType({name: by_name.pop(name) for name in FIRST_TOOLS} | by_name)


def tools_in_module(module: str) -> list[AnalysisTool]:
    """The tools that a module declares, in order. Raises IncompleteTool if there are none."""
    declared = [v for v in vars(import_module(module)).values() if isinstance(v, AnalysisTool)]
    if not declared:
        raise IncompleteTool(
            f"{module} declares no tool. Declare TOOL = AnalysisTool(function=…, asks=…,"
            " questions=…)."
        )
    return declared
