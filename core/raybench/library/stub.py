"""The types of ``import raybench as rb`` for type checkers and editors, made of the kinds and
presets: ``python -m raybench.library.stub > core/raybench/__init__.pyi``.
"""

import inspect
import typing
from collections.abc import Iterator
from typing import Any

import raybench
from raybench.kinds.kinds import KINDS
from raybench.library.objects import MADE, maker

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
    kinds = {KINDS[name].__module__ for name in MADE if name in KINDS}
    modules = [f"import {module}" for module in sorted(kinds)]
    imports = sorted([*imports, "from raybench.scene.changes.presets import AddPreset"])
    places = "PLACES: dict[str, str]"
    return HEADER + "\n".join([*modules, *imports, "", places, "", *_functions()]) + "\n"


def _functions() -> Iterator[str]:
    for name in MADE:
        made = f"{KINDS[name].__module__}.{name}" if name in KINDS else "AddPreset"
        parameters = inspect.signature(maker(name)).parameters.values()
        listed = [_parameter_text(p) for p in parameters]
        yield f"def {name}({listed[0]}, *, {', '.join(listed[1:])}) -> {made}: ..."


def _parameter_text(parameter: inspect.Parameter) -> str:
    default = "" if parameter.default is parameter.empty and parameter.name == "name" else " = ..."
    return f"{parameter.name}: {_type_text(parameter.annotation)}{default}"


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
