"""Questions about a scene and its light.

The tools for scripts are here too: ``from core.analysis import find_rays_inside_glass_xml``. They are imported when first asked for.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is None:  # a module of this package is imported, not looked for
        for module in ("core.analysis.agentic_tools", "core.analysis.tool_registry"):
            found = import_module(module)
            if name in found.__all__:
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
