"""Completions at the cursor: commands after a slash, names of objects, questions that fit."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MAX_COMPLETIONS = 8
MIN_TYPED_CHARACTERS = 4
"""Number of characters from which on questions are offered."""


@dataclass(frozen=True)
class Completion:
    """Completions at the cursor: ``texts`` that may replace the text from ``start`` to the cursor,
    and ``questions`` that may replace the whole text.
    """

    start: int
    texts: tuple[str, ...]
    questions: tuple[str, ...] = ()


def find_completions(
    before: str,
    commands: Sequence[str],
    names: Sequence[str],
    parameter_names: Callable[[str, str], Sequence[str] | None] = lambda c, p: None,
    matching_questions: Callable[[str], Sequence[str]] = lambda text: (),
) -> Completion:
    """The completions for ``before``, the text up to the cursor. ``parameter_names`` returns the
    names for a parameter of a command, or None for all names; ``matching_questions`` returns the
    questions that match a text.

    Text after an initial slash matches commands that contain it. Object names are completed after
    two letters, or at once inside an open quotation mark. After a command they are quoted.
    """
    if before.startswith("/") and " " not in before:
        typed = before[1:].lower()
        matches = [c for c in commands if typed in c.lower()]
        matches.sort(key=lambda c: (not c.lower().startswith(typed), c))
        texts = tuple(f"/{c}" for c in matches[:MAX_COMPLETIONS])
        return Completion(0, texts if texts != (before,) else ())
    command = before.startswith("/")
    if command:
        name, _, rest = before[1:].partition(" ")
        there = parameter_names(name, rest)
        names = names if there is None else there
    quoted = re.search(r'"([^"]*)$', before) if command and before.count('"') % 2 else None
    if quoted:
        return Completion(quoted.start(), _matching_names(quoted[1], names, command, minimum=0))
    questions = (
        ()
        if command or len(before) < MIN_TYPED_CHARACTERS
        else tuple(q for q in matching_questions(before) if q != before)
    )
    for word in re.finditer(r"(?<![\w\"])\w", before):
        typed = before[word.start() :]
        if texts := _matching_names(typed, names, command, minimum=2):
            return Completion(word.start(), texts, questions[: MAX_COMPLETIONS - len(texts)])
    if command and re.search(r"\s$", before):
        return Completion(len(before), _matching_names("", names, command, minimum=0))
    return Completion(len(before), (), questions)


def _matching_names(typed: str, names: Sequence[str], quote: bool, minimum: int) -> tuple[str, ...]:
    if len(typed) < minimum:
        return ()
    matches = [n for n in names if n.lower().startswith(typed.lower()) and n != typed]
    return tuple(_quote_name(n) if quote else n for n in matches[:MAX_COMPLETIONS])


def _quote_name(name: str) -> str:
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}" if re.search(r"\W", name) else name
