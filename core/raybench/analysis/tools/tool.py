"""The declaration of an analysis tool: a function that examines the traced scene, with descriptions
for models and users.
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import (
    DEFAULT_LIMIT,
    MOST_PAGE_ELEMENTS,
    PAGE_PARAMETERS,
    answer_page,
    check_count,
    check_page,
    largest_fitting_page,
)
from raybench.analysis.answers.weak_light import add_weak_light_note
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.question import Question
from raybench.analysis.tools.offered import Offered
from raybench.errors import RaybenchError
from raybench.optics.interface import check_wavelength

Words = str | Callable[[Mapping[str, Any]], str]
"""Description of a call, such as ``rays inside {glass_name}``: a text with slots for the arguments,
or a function of them. A slot may have a text for an argument that is not given,
``light at {detector_name|all detectors}``; what stands in square brackets is left out unless its
slots are given.
"""
_SLOT = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True)
class ParameterCheck:
    """An annotation for the type of a parameter. ``check`` is a function of the name and the value
    of the parameter that raises RaybenchError. `Count` is an example.
    """

    check: Callable[[str, Any], None]


Count = Annotated[int, ParameterCheck(check_count)]
"""A number from 1 to `MOST_PAGE_ELEMENTS`."""
CountOrNone = Annotated[int, ParameterCheck(functools.partial(check_count, least=0))]
"""A number from 0 to `MOST_PAGE_ELEMENTS`."""
Wavelength = Annotated[float, ParameterCheck(lambda _, value: check_wavelength(value))]
"""A wavelength in nm."""


class IncompleteTool(RaybenchError):
    """The declaration of a tool is incomplete; the message names the file and the missing part."""


@dataclass(frozen=True, kw_only=True)
class AnalysisTool:
    """The declaration of an analysis tool.

    ``function`` takes strings and numbers, evaluates the active context, and returns an `Answer`;
    its docstring is the description for language models. ``asks`` describes a call to the user
    before it runs. ``questions`` are one to three example questions for use without a model
    (`raybench.analysis.question`); their slots are parameters. These three are required.

    ``limit``: the default number of elements of each list of an answer, 0 for a tool without lists;
    other tools get the parameters limit and offset, see `raybench.analysis.answers.page`.
    ``limits``: parameters that limit a single list instead, by the tag of the list. ``fits``: by
    default, as many elements as fit on a page. ``power``: the answer reports powers, in which
    untraced light is missing (`raybench.analysis.answers.weak_light`). ``needs_scene``: the tool
    examines the active scene. ``needs_light``: the tool examines rays; it waits for the trace, and
    is suggested only for a scene with a source. ``tells_trace``: the tool reports how the trace
    ended, and waits for the trace although it examines no rays. ``offered`` and ``brief``: when the
    tool is offered to a model, and in which words.

    Raises IncompleteTool if a required part is missing, if a question gives no parameter of the
    function, or if the function lacks a docstring section, a parameter type or the return type.
    """

    function: Callable[..., Answer]
    asks: Words = ""
    questions: tuple[str | Question, ...] = ()
    effect: Literal["read"] = "read"
    limit: int = DEFAULT_LIMIT
    limits: Mapping[str, str] = field(default_factory=dict)
    fits: bool = False
    power: bool = False
    needs_scene: bool = True
    needs_light: bool = True
    tells_trace: bool = False
    offered: Offered = "on demand"
    brief: str = ""

    def __post_init__(self) -> None:
        where = self.function.__module__
        if not self.asks:
            raise IncompleteTool(f"{where}: TOOL has an empty asks; describe a call for users.")
        if not self.questions:
            raise IncompleteTool(
                f"{where}: TOOL has no questions; give one to three examples that ask for it, such"
                ' as questions=("Which rays reach {object_name}?",).'
            )
        doc = inspect.getdoc(self.function) or ""
        parameters = inspect.signature(self.function).parameters
        used = {name for q in self.examples for name in (*q.slots, *q.given)}
        if unknown := used - parameters.keys():
            raise IncompleteTool(
                f"{where}: the questions give {', '.join(sorted(unknown))}, which"
                f" {self.function.__name__} does not take."
            )
        sections = [
            "Returns:",
            "Raises:",
            *(["Args:"] if parameters else []),
            *(f"{name}: " for name in parameters),
        ]
        if missing := [section.strip(": ") for section in sections if section not in doc]:
            raise IncompleteTool(
                f"{where}: the docstring of {self.function.__name__} lacks {', '.join(missing)}."
            )
        if untyped := [p.name for p in parameters.values() if p.annotation is p.empty]:
            raise IncompleteTool(
                f"{where}: {self.function.__name__} has parameters without a type:"
                f" {', '.join(untyped)}."
            )
        if inspect.signature(self.function).return_annotation not in (Answer, "Answer"):
            raise IncompleteTool(
                f"{where}: {self.function.__name__} does not say that it returns an Answer."
            )
        object.__setattr__(self, "function", _wrap_with_common_steps(self))

    @property
    def examples(self) -> tuple[Question, ...]:
        """The example questions that ask for this tool."""
        return tuple(q if isinstance(q, Question) else Question(q) for q in self.questions)

    @property
    def name(self) -> str:
        """The name of the tool for models, users and scripts. Its suffix ``_xml`` says that the
        wrapper for scripts returns XML.
        """
        return f"{self.function.__name__}_xml"

    def question(self, arguments: Mapping[str, Any]) -> str:
        """A description of a call with these arguments, such as ``rays inside Main Prism``. Raises
        KeyError if a required argument is missing.
        """
        if not isinstance(self.asks, str):
            return self.asks(arguments)
        values = {
            name: value_in_words(v) for name, v in arguments.items() if v is not None and v != ""
        }

        def keep_if_given(part: re.Match[str]) -> str:
            return part[1] if all(slot[1] in values for slot in _SLOT.finditer(part[1])) else ""

        def slot_value(slot: re.Match[str]) -> str:
            return values[slot[1]] if slot[2] is None else values.get(slot[1], slot[2])

        return _SLOT.sub(slot_value, _OPTIONAL.sub(keep_if_given, self.asks))


def _wrap_with_common_steps(tool: AnalysisTool) -> Callable[..., Answer]:
    """Wrap the function of a tool. The wrapper checks the arguments, adds the question and a note
    on weak light to the answer, and has the parameters ``limit`` and ``offset``, which select a
    page of the answer.
    """
    function, signature = tool.function, inspect.signature(tool.function)
    parameters = signature.parameters
    checks = {
        name: checked.check
        for name, parameter in parameters.items()
        for checked in getattr(parameter.annotation, "__metadata__", ())
        if isinstance(checked, ParameterCheck)
    }
    defaults = {p.name: p.default for p in parameters.values() if p.default is not p.empty}
    default, limiting = 0 if tool.fits else tool.limit, set(tool.limits.values())
    page = (
        {}
        if not tool.limit or PAGE_PARAMETERS & parameters.keys()
        else {"limit": default, "offset": 0}
    )

    @functools.wraps(function)
    def checked_call(*args: Any, **kwargs: Any) -> Answer:
        asked = "limit" in kwargs
        limit, offset = (
            (kwargs.pop(name, value) for name, value in page.items()) if page else (0, 0)
        )
        if page:
            check_page(limit, offset, least=0 if tool.fits else 1)
        given = signature.bind(*args, **kwargs).arguments
        if asked and limit:
            given = dict.fromkeys(limiting, limit) | given
        given = defaults | given
        for name, check in checks.items():
            check(name, given[name])
        answer = function(**given)
        if tool.power:
            answer = add_weak_light_note(answer)
        if answer.rays is not None and not answer.rays.question:
            answer = replace(answer, rays=replace(answer.rays, question=tool.question(given)))
        if not page:
            return answer
        limits = {tag: given[name] for tag, name in tool.limits.items()}
        if limit:
            return answer_page(answer, limit, offset, limits=limits)
        fitting_page = largest_fitting_page(answer, offset, limits)
        if offset or "without" in fitting_page.root.attributes:
            return fitting_page
        return replace(fitting_page, whole=answer, limits=limits)

    if not page:
        return checked_call
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation="int")
        for name, value in page.items()
    ]
    checked_call.__signature__ = signature.replace(parameters=[*parameters.values(), *more])  # type: ignore[attr-defined]
    checked_call.__annotations__ = {**function.__annotations__, "limit": "int", "offset": "int"}
    fitting = "; 0 for as many as fit on a page" if tool.fits else ""
    paging = (
        "        limit: Maximum number of elements of each list, 1 to"
        f" {MOST_PAGE_ELEMENTS}{fitting}.\n        offset: How many elements of each list to skip.\n"
    )
    doc = inspect.getdoc(function) or ""
    doc = "\n".join(f"    {line}".rstrip() for line in doc.split("\n"))
    before, returns, after = doc.partition("    Returns:")
    args = before if "    Args:" in before else f"{before}    Args:\n\n"
    checked_call.__doc__ = f"\n{args.rstrip()}\n{paging}\n{returns}{after}\n    "
    return checked_call
