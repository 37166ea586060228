"""The declaration of an analysis tool: a query on the traced scene with its descriptions for models
and users.
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import MOST, USUAL, answer_page, check_page, page_that_fits
from raybench.analysis.answers.weak_light import with_weak_light
from raybench.analysis.answers.words import in_words
from raybench.analysis.question import Question
from raybench.errors import RaybenchError

Words = str | Callable[[Mapping[str, Any]], str]
"""Description of a call, such as ``rays inside {glass_name}``: a text with slots for the arguments,
or a function of them. A slot may have a text for an argument that is not given,
``light at {detector_name|all detectors}``; what stands in square brackets is left out unless its
slots are given.
"""
_SLOT = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")

CAPS = frozenset({"max_paths", "max_groups", "top_n", "max_bundles"})
"""Parameters by which a tool computes only the first elements of a list: with an offset it computes
as many more.
"""


class IncompleteTool(RaybenchError):
    """A tool's declaration is incomplete; the message names the file and the missing part."""


@dataclass(frozen=True, kw_only=True)
class AnalysisTool:
    """The declaration of a tool.

    ``function`` takes strings and numbers, evaluates the active context, and returns an `Answer`;
    its docstring is the description for language models. ``asks`` describes a call to the user
    before it runs. ``questions`` are one to three examples that ask for it when no model is
    connected (`raybench.analysis.question`); their slots are parameters. All three are required.
    ``limit`` is the default number of elements of each list of an answer, 0 for a tool that lists
    nothing; the others get the parameters limit and offset, see `raybench.analysis.answers.page`.
    ``fits``: whether the default is as many as fit on a page. ``power``: whether the answer reports
    powers, which lack light too weak to follow (`raybench.analysis.answers.weak_light`).
    ``needs_scene``: whether it is about the active scene. ``needs_light``: whether it is about
    rays, so that it waits for the trace, and is suggested only for a scene with a source.
    ``tells_trace``: whether it waits because it tells how the trace ended, though it is not about
    rays. Raises IncompleteTool if one is empty, if a question gives no parameter of the function,
    or if that lacks a docstring section, a parameter type or the return type.
    """

    function: Callable[..., Answer]
    asks: Words
    questions: tuple[str | Question, ...]
    effect: Literal["read"] = "read"
    limit: int = USUAL
    fits: bool = False
    power: bool = False
    needs_scene: bool = True
    needs_light: bool = True
    tells_trace: bool = False

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
        if self.power:
            object.__setattr__(self, "function", _with_weak_light_note(self.function))
        if self.limit and not {"limit", "offset"} & parameters.keys():
            object.__setattr__(
                self,
                "function",
                _with_pages(self.function, 0 if self.fits else self.limit, self.fits),
            )

    @property
    def examples(self) -> tuple[Question, ...]:
        """Its example questions."""
        return tuple(q if isinstance(q, Question) else Question(q) for q in self.questions)

    @property
    def name(self) -> str:
        """The tool's name for models, users and scripts; the suffix indicates that the wrapper for
        scripts returns XML.
        """
        return f"{self.function.__name__}_xml"

    def question(self, arguments: Mapping[str, Any]) -> str:
        """The description of a call, such as ``rays inside Main Prism``. Raises KeyError if a
        required argument is missing.
        """
        if not isinstance(self.asks, str):
            return self.asks(arguments)
        values = {name: in_words(v) for name, v in arguments.items() if v is not None and v != ""}

        def if_given(part: re.Match[str]) -> str:
            return part[1] if all(slot[1] in values for slot in _SLOT.finditer(part[1])) else ""

        def value(slot: re.Match[str]) -> str:
            return values[slot[1]] if slot[2] is None else values.get(slot[1], slot[2])

        return _SLOT.sub(value, _OPTIONAL.sub(if_given, self.asks))


def _with_weak_light_note(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """A tool's function whose answer notes how much light was too weak to follow."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Answer:
        return with_weak_light(function(*args, **kwargs))

    return noted


def _with_pages(function: Callable[..., Answer], default: int, fits: bool) -> Callable[..., Answer]:
    """A tool's function with the parameters limit and offset, which give a page of its answer."""

    signature = inspect.signature(function)

    @functools.wraps(function)
    def paged(*args: Any, limit: int = default, offset: int = 0, **kwargs: Any) -> Answer:
        check_page(limit, offset, least=0 if fits else 1)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        for cap in CAPS & given.arguments.keys() if offset else ():
            if type(given.arguments[cap]) is int and 0 < given.arguments[cap] <= MOST:
                given.arguments[cap] = min(given.arguments[cap] + offset, MOST)
        answer = function(*given.args, **given.kwargs)
        return answer_page(answer, limit, offset) if limit else page_that_fits(answer, offset)

    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [
        inspect.Parameter(n, keyword, default=value, annotation="int")
        for n, value in (("limit", default), ("offset", 0))
    ]
    paged.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
    paged.__annotations__ = {**function.__annotations__, "limit": "int", "offset": "int"}
    fitting = "; 0 for as many as fit on a page" if fits else ""
    paging = (
        f"        limit: Maximum number of elements of each list, 1 to {MOST}{fitting}.\n"
        "        offset: How many elements of each list to skip.\n"
    )
    doc = inspect.getdoc(function) or ""
    doc = "\n".join(f"    {line}".rstrip() for line in doc.split("\n"))
    before, returns, after = doc.partition("    Returns:")
    args = before if "    Args:" in before else f"{before}    Args:\n\n"
    paged.__doc__ = f"\n{args.rstrip()}\n{paging}\n{returns}{after}\n    "
    return paged
