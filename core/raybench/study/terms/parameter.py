"""Parameters of studies: choices, checks of values, and completion of measure names."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from raybench.analysis.measures.bound import titles_for_role
from raybench.analysis.measures.grammar import quote_argument
from raybench.analysis.measures.table import MEASURES
from raybench.errors import in_quotes
from raybench.phrase import Phrase, join_with_commas
from raybench.scene.changes import apply_changes
from raybench.scene.document import Document, use_negative_revisions
from raybench.scene.parameters.parameter import (
    CHOICE_KINDS,
    FLAG_WORDS,
    InvalidParameter,
    Parameter,
    find_parameter,
)


def read_choices(text: str, choices: Sequence[str], document: Document) -> Parameter:
    """Read a parameter and check the choices for its value. A numeric parameter has numbers as
    values, and its field ``choices`` is empty.

    Raises InvalidParameter, UnknownName, or ChangeRefused if the parameter cannot have one of the
    choices.
    """
    found = find_parameter(text, document, numeric=False)
    if found.is_motion or found.unit not in CHOICE_KINDS:
        return found
    named = tuple(choice.strip() for choice in choices)
    if found.unit == "flag" and (wrong := [c for c in named if c.lower() not in FLAG_WORDS]):
        raise InvalidParameter(f"{found.text} is true or false, not {in_quotes(wrong[0], 40)}.")
    if len(set(named)) < len(named):
        raise InvalidParameter(f"{found.text}: a choice is given twice. Name different ones.")
    chosen = replace(found, choices=named, offered=len(named))
    for index in range(len(named)):
        check_value(chosen, index, document)
    now = chosen.text_in_document(document)
    return chosen if now in named else replace(chosen, choices=(*named, now))


def relative_value_notes(parameters: Iterable[Parameter]) -> list[str]:
    """A note, in one line, that the values of some parameters are motions, not positions. Empty
    without such parameters.
    """
    texts = [
        Phrase("{name} is how far it is turned", name=p.text)
        if p.place == "angle"
        else Phrase("{name} is how far it is moved", name=p.text)
        for p in parameters
        if p.is_motion
    ]
    return [Phrase("{motions} from where it stands.", motions=join_with_commas(texts))] * bool(
        texts
    )


@use_negative_revisions()
def check_value(parameter: Parameter, value: float, document: Document) -> None:
    """Raise ChangeRefused if the parameter cannot be set to this value."""
    apply_changes(parameter.change(value), document)


def check_distinct(parameters: Iterable[Parameter], document: Document) -> tuple[Parameter, ...]:
    """Return the parameters as a tuple. Raises InvalidParameter if one occurs twice, or if its
    object is not in the document.
    """
    seen: dict[object, Parameter] = {}
    for parameter in parameters:
        keys = parameter.target if isinstance(parameter.target, tuple) else (parameter.target,)
        if any(key is not None and document.scene.get(key) is None for key in keys):
            raise InvalidParameter(
                f"{parameter.text} refers to an object that is not in the document. Read it again"
                " with this document."
            )
        if parameter.identity in seen:
            raise InvalidParameter(f"{parameter.text} is given twice. Name different parameters.")
        seen[parameter.identity] = parameter
    return tuple(seen.values())


def measure_names(document: Document) -> list[str]:
    """The names of measures, for completion. A measure of objects is listed with each object of the
    document as its first argument.
    """
    out: list[str] = []
    for name, measure in MEASURES.items():
        if not measure.parameters or measure.parameters[0].optional:
            out.append(f"{name}()")
        if sum(not p.optional for p in measure.parameters[1:]):
            continue  # needs more than one object
        if measure.parameters and (titles := titles_for_role(measure.parameters[0].role, document)):
            out += [f"{name}({quote_argument(title)})" for title in titles]
    return out
