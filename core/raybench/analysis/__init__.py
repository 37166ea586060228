"""Analysis of a scene and its traced light.

The tools for scripts can be imported from here: ``from raybench.analysis import
find_rays_inside_glass_xml``. They are loaded on first access.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def __getattr__(name: str) -> Any:
    if (
        not name.startswith("_") and find_spec(f"{__name__}.{name}") is None
    ):  # submodules are left to the import system
        for module in ("raybench.analysis.agentic_tools", "raybench.analysis.tool_registry"):
            loaded = import_module(module)
            if name in loaded.__all__:
                return getattr(loaded, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
