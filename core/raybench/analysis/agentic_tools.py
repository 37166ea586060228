"""The analysis tools as functions for language models and scripts. Each function takes strings and
numbers, and returns XML about the active scene and its trace.

Register a scene once with `set_context_from_result`, then call any tool. The revision in every
answer identifies the trace. Each tool of `raybench.analysis.tools` is wrapped here as a function
whose name ends in ``_xml``.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_type_hints

from raybench.analysis.answers.rays_xml import rays_to_xml
from raybench.analysis.answers.xml_answer import to_xml
from raybench.analysis.context import (
    clear_context,
    get_context,
    require_context,
    set_context,
    set_context_from_result,
)
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.object import SceneObject
from raybench.scene.names import object_named
from raybench.scene.scene import Scene


def _xml_wrapper(tool: AnalysisTool) -> Callable[..., str]:
    """Wrap an analysis tool in a function that returns the answer as XML. The wrapper also records
    the rays of the answer in the context.
    """

    @functools.wraps(tool.function)
    def wrapper(*args: Any, **kwargs: Any) -> str:
        answer = tool.function(*args, **kwargs)
        if answer.rays is not None:
            require_context().record_answer(answer.rays)
        return to_xml(answer)

    wrapper.__name__ = wrapper.__qualname__ = tool.name
    wrapper.__module__ = __name__
    wrapper.__doc__ = (inspect.getdoc(tool.function) or "").replace(
        "Returns:\n    Root ", "Returns:\n    XML string with the root "
    )
    hints = {
        **get_type_hints(tool.function, include_extras=True),
        "return": str,
    }  # resolved here, where their names are known
    signature = inspect.signature(tool.function)
    parameters = [p.replace(annotation=hints[p.name]) for p in signature.parameters.values()]
    wrapper.__annotations__ = hints
    wrapper.__signature__ = signature.replace(parameters=parameters, return_annotation=str)  # type: ignore[attr-defined]
    return wrapper


WRAPPERS: Mapping[str, Callable[..., str]] = MappingProxyType(
    {name: _xml_wrapper(tool) for name, tool in tools().items()}
)
"""The wrappers by name, in the order of the tool catalogue."""
globals().update(WRAPPERS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., str]:
        """Tells type checkers about the wrappers, which are created at run time."""


def get_object_by_name(scene: Scene, name: str) -> SceneObject:
    """
    Find an object of a scene by its exact name.

    Args:
        scene: The scene to search.
        name: The object's name; for an object without one, its display name, such as "Glass 2".

    Returns:
        The object.

    Raises:
        ValueError: If no object, or more than one, has the name; the message lists the existing
            names.
    """
    return object_named(scene, name)


__all__ = [
    "clear_context",
    "get_context",
    "get_object_by_name",
    "rays_to_xml",
    "set_context",
    "set_context_from_result",
    *WRAPPERS,
]
