"""Generates the types and documentation of ``import raybench as rb`` for type checkers, editors and
the reference from the kinds and presets: ``python -m raybench.library.stub >
core/raybench/__init__.pyi``.
"""

import inspect
import textwrap
import typing
from collections.abc import Iterator
from typing import Any

import raybench
from raybench.kinds.kinds import KINDS
from raybench.library.objects import MAKER_NAMES, maker_named

HEADER = '''"""Made by ``python -m raybench.library.stub``."""

from collections.abc import Sequence
from typing import Any

'''


def stub_text() -> str:
    """The text of the stub file."""
    imports = [
        f"from raybench.{place} import {name} as {name}"
        for name, place in sorted(raybench.PLACES.items(), key=lambda item: item[::-1])
    ]
    kinds = {KINDS[name].__module__ for name in MAKER_NAMES if name in KINDS}
    modules = [f"import {module}" for module in sorted(kinds)]
    imports = sorted([*imports, "from raybench.scene.changes.presets import AddPreset"])
    places = "PLACES: dict[str, str]"
    return HEADER + "\n".join([*modules, *imports, "", places, "", *_function_lines()]) + "\n"


def _function_lines() -> Iterator[str]:
    for name in MAKER_NAMES:
        make = maker_named(name)
        made = f"{KINDS[name].__module__}.{name}" if name in KINDS else "AddPreset"
        first, *others = map(_parameter_text, inspect.signature(make).parameters.values())
        yield f"def {name}({first}, *, {', '.join(others)}) -> {made}:"
        documentation = '"""' + inspect.cleandoc(make.__doc__ or "") + '\n"""'
        yield textwrap.indent(documentation.replace("\\", "\\\\"), "    ") + "\n"


def _parameter_text(parameter: inspect.Parameter) -> str:
    """The text of a parameter with its type, and its default (``...`` if the default is not a plain
    value).
    """
    default = repr(parameter.default)
    if not isinstance(parameter.default, bool | int | float | str) or default == "inf":
        default = "..."
    return f"{parameter.name}: {_type_text(parameter.annotation)} = {default}"


def _type_text(annotation: Any) -> str:
    if annotation is Any:
        return "Any"
    if typing.get_origin(annotation) is tuple:
        return "tuple[float, float]"
    if typing.get_origin(annotation) is not None:
        return "Sequence[tuple[float, ...]]"
    return str(annotation.__name__ if isinstance(annotation, type) else annotation)


if __name__ == "__main__":
    print(stub_text(), end="")
