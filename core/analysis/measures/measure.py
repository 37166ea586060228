"""What a measure is: a row of the table of measures, its parameters and units, and the value that it gives."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from core.errors import RaybenchError


class IncompleteMeasure(TypeError):
    """A row of the table of measures lacks something, or does not fit its function; a fault of the program."""


class Undefined(RaybenchError):
    """A measure has no value for some light; the text is the reason."""


class Unit(Enum):
    """The unit of a measure. Powers are relative to the brightness that a scene gives its sources, lengths are in scene units."""

    POWER = "relative power"
    LENGTH = "scene units"
    ANGLE = "deg"
    ONE = "1"

    def text(self, length: str) -> str:
        """The unit in words, for a document in which a scene unit is called ``length``, such as mm."""
        return length if self is Unit.LENGTH else self.value


class Role(Enum):
    """What an argument of a measure names."""

    SURFACE = "an object that light meets: anything optical but a source"
    OBJECT = "an object that light leaves: a source, or one that light meets"
    LINE = "an object that is one straight line, such as a detector, blocker, flat mirror or ideal lens"
    DETECTOR = "a detector"
    SOURCE = "a source"
    PATTERN = "a path pattern, such as Laser > Prism:N (refract) > * > Screen"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure: its name as the table shows it, what it names, and whether it may be left out."""

    name: str
    role: Role
    optional: bool = False

    def __str__(self) -> str:
        return self.name + "?" * self.optional


@dataclass(frozen=True)
class Measure:
    """One row of the table of measures. Its name is its function's, and its help is the function's docstring.

    ``function`` takes the light of a trace (`core.analysis.measures.light.Light`) and the arguments: indices into the scene's optical
    objects, None for one that is left out, and path patterns as text. It returns the value, or raises Undefined with the reason why
    there is none. Raises IncompleteMeasure.
    """

    function: Callable[..., float]
    unit: Unit
    parameters: tuple[Parameter, ...] = ()

    def __post_init__(self) -> None:
        require = self._require
        require(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", self.name) is not None, "has a name that is not lower_case")
        require(isinstance(self.unit, Unit), "has no unit")
        require(re.fullmatch(r"[A-Z].*\.", self.help) is not None, "has no help: a docstring from a capital letter to a full stop")
        names = [p.name for p in self.parameters]
        require(len(set(names)) == len(names), f"has two parameters of one name: {names}")
        optional = [p.optional for p in self.parameters]
        require(optional == sorted(optional), "has a parameter that must be given after one that may be left out")
        _, *taken = inspect.signature(self.function).parameters.values()
        agree = len(taken) == len(optional) and all((t.default is None) == o for t, o in zip(taken, optional, strict=True))
        require(agree, f"has the parameters {names}, but its function takes {[t.name for t in taken]}, None for what is left out")

    def _require(self, holds: bool, what: str) -> None:
        if not holds:
            raise IncompleteMeasure(f"The measure {self.name!r} {what}.")

    @property
    def name(self) -> str:
        return self.function.__name__

    @cached_property
    def help(self) -> str:
        """What it measures, in one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @property
    def usage(self) -> str:
        """How it is written: ``power(object, source?)``; what carries a question mark may be left out."""
        return f"{self.name}({', '.join(map(str, self.parameters))})"


@dataclass(frozen=True)
class Measured:
    """The value of a measure. ``value`` is NaN where it is undefined, and ``reason`` then says why; ``unit`` is in words, ``1`` for a
    plain number; ``expression`` is what was measured, as it is written."""

    value: float
    unit: str
    expression: str
    reason: str = ""

    @property
    def defined(self) -> bool:
        return not math.isnan(self.value)

    def __str__(self) -> str:
        """The value with its unit first: ``8 relative power = power(Screen)``."""
        if not self.defined:
            return f"undefined = {self.expression}: {self.reason}"
        unit = "" if self.unit == Unit.ONE.value else f" {self.unit}"
        return f"{self.value + 0.0:.9g}{unit} = {self.expression}"
