"""Finds the tools in the ``tools.py`` of a project: functions, state tools, prompts for a model,
and `Tool` records.
"""

import dataclasses
import difflib
import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from raybench.agent.tools.exposure import InvalidExposure, InvalidName, check_exposure, check_name
from raybench.agent.tools.tool import FoundTool, InvalidTool, Tool, ToolForm, bind_call
from raybench.agent.view_tools.state_tool import StateTool, state_record
from raybench.errors import ForeignError, elide_text, error_type_and_message
from raybench.schema.parameters import InvalidArguments, InvalidContext, InvalidSignature
from raybench.schema.signature import SignatureError


def project_tools(module: ModuleType, path: Path) -> list[FoundTool]:
    """All public tools of a module that was run from the file ``path``. An invalid tool is included
    with its ``problem``.

    A function, or a class of state tools, from which another tool of the module is made is not a
    tool itself.
    """
    found, records = list[FoundTool](), set[int]()
    for name, value in _public_attributes(module):
        if _is_tool_record(value) and id(value) not in records:
            records.add(id(value))  # the same under two names is one tool
            handler = value.function if isinstance(value, Tool) else value
            found.append(_make_found_tool(name, handler, path, _tool_maker(name, value)))
    made_of = [getattr(f.handler, "made_of", None) for f in found if inspect.isfunction(f.handler)]
    parts = {
        id(part) for f in found for part in (f.handler, type(f.handler), *made_of)
    }  # what a module holds may not be hashable
    for name, value in _public_attributes(module):
        if (
            not isinstance(value, FunctionType | type)
            or value.__module__ != module.__name__
            or id(value) in parts
        ):
            continue
        if isinstance(value, FunctionType):
            found.append(_make_found_tool(name, value, path, _tool_maker(name, value)))
        elif issubclass(value, StateTool) and not _is_base_class(value, module):
            given = getattr(value, "name", name)
            given = given if isinstance(given, str) else name
            found.append(_make_found_tool(given, value, path, _state_tool_maker(value)))
    return found


def _is_base_class(kind: type[StateTool], module: ModuleType) -> bool:
    """Whether a state tool class lacks methods that a derived class in the same module defines."""
    return inspect.isabstract(kind) and any(
        isinstance(other, type) and other is not kind and issubclass(other, kind)
        for other in vars(module).values()
    )


def _public_attributes(module: ModuleType) -> list[tuple[str, Any]]:
    """The public names of a module and their values, as a copy, since resolving a type hint may run
    code that adds names.
    """
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(name, str) and not name.startswith("_")
    ]


def _is_tool_record(value: Any) -> bool:
    try:
        return isinstance(value, Tool | ToolForm) and not isinstance(value, type)
    # before Python 3.12 this asks for each attribute, which an object of the project's may answer
    # with any error
    except Exception:
        return False


def _tool_maker(name: str, value: Any) -> Callable[[], Tool]:
    name = value.name if isinstance(value, StateTool) else name
    return lambda: Tool.new(name, value)


def _state_tool_maker(kind: type[StateTool]) -> Callable[[], Tool]:
    """Make a function that creates the tool record of a state tool class. Each call of the tool
    creates a new instance, with the context if the class accepts one.
    """

    def make_tool() -> Tool:
        for name in sorted(kind.__abstractmethods__):
            near = difflib.get_close_matches(name, vars(kind), 1)
            hint = f"Rename {near[0]} to {name}." if near else f"Write def {name}(self, …)."
            raise InvalidTool(f"the state tool {kind.__name__} has no method {name}. {hint}")
        for name in ("name", "description"):
            if not isinstance(getattr(kind, name, None), str):
                raise InvalidTool(
                    f"the state tool {kind.__name__} has no {name}. Write {name} = … in its class."
                )
        if list(inspect.signature(kind.apply_to_state).parameters)[1:2] != ["state"]:
            raise InvalidTool(
                f"the state tool {kind.__name__} takes no state. Write def apply_to_state(self,"
                " state, …)."
            )
        needed = [
            p
            for p in inspect.signature(kind).parameters.values()
            if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        if len(needed) > 1:
            raise InvalidTool(
                f"the state tool {kind.__name__} is made of {len(needed)} values. Let it take none,"
                " or the ToolContext."
            )
        construct: Any = kind
        return state_record(kind, lambda context: construct(context) if needed else construct())

    return make_tool


def _make_found_tool(name: str, handler: Any, path: Path, make: Callable[[], Tool]) -> FoundTool:
    callable = False
    try:
        tool = make()
        check_name(tool)
        check_exposure(tool)
        _check_parameter_names(tool)
    except (InvalidTool, InvalidExposure, InvalidSignature) as error:
        problem = _invalid_tool_message(path, error)
        if (
            isinstance(error, InvalidName | InvalidSignature)
            and inspect.isfunction(handler)
            and not isinstance(error, InvalidContext)
        ):
            callable = True
            problem += " Other tools can call it, a model cannot."
    except Exception as error:  # code of the project's, which may fail in any way
        problem = _invalid_tool_message(
            path, f"{name} cannot be a tool: {error_type_and_message(error)}"
        )
    else:
        if tool.expose is None:  # the person's own: no reason to withhold it from programs
            tool = dataclasses.replace(tool, expose="both")
        handler = tool.function if isinstance(handler, Tool) else handler
        return FoundTool(tool.name, "code", handler, path, tool)
    return FoundTool(name, "code", handler, path, None, problem, callable)


def _check_parameter_names(tool: Tool) -> None:
    """Raise InvalidTool if the function of a tool does not accept the parameters in its
    signature.
    """
    try:
        stated = tool.parsed_signature
    except SignatureError:  # which each call reports
        return
    if stated is None or tool.function is None or tool.extracted is not None:
        return
    try:
        bind_call(tool, dict.fromkeys(stated.parameters))
    except InvalidArguments:
        hidden = getattr(tool.function, "context_parameter", None)
        names = [name for name in inspect.signature(tool.function).parameters if name != hidden]
        raise InvalidTool(
            f"{tool.name}: its signature {tool.signature} does not fit its function, which takes"
            f" {', '.join(names) or 'nothing'}. Give both the same names."
        ) from None


def _invalid_tool_message(path: Path, what: object) -> str:
    return elide_text(f"{path}: {what}", ForeignError.LONGEST)
