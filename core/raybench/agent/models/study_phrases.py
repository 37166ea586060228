"""Studies in plain words: ``which angle of Prism gives the least deviation``, ``how sensitive is
the spot on Screen to Lens.x``, ``how does the power at Screen depend on the angle of Prism from -10
to 10``; and glasses by their numbers.

A parameter is "angle of Prism", "x of Lens", "focal length of Lens" or "Lens.x". The default range
is `TURN` for a rotation, and half to twice the value for a field, of an index half to twice what it
is above 1; the default deviation is that in `OFF`, and `SHARE_OFF` for a field. The answers report
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from raybench.agent.models.named_fields import field_of, has_field, number
from raybench.analysis.measures.grammar import read_measures
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.scene.systems import System
from raybench.analysis.tools.clauses import NUMBER, Clauses, Meant
from raybench.analysis.tools.marks import OBJECT
from raybench.analysis.tools.measure_phrases import measures_asked
from raybench.analysis.tools.phrases import Open, Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import RaybenchError, there_are
from raybench.kinds.fields import LENGTH
from raybench.kinds.object import SceneObject

if TYPE_CHECKING:
    from raybench.study.terms.parameter import Parameter

TURN = (-30.0, 30.0)
"""Default range of a rotation, degrees."""
OFF = {"deg": 0.1, LENGTH: 0.1}
"""Default deviation of a rotation or a shift, by unit."""
SHARE_OFF = "1%"
VACUUM = {"refIndex": 1.0}
"""Values of fields of which the default range, half to twice, counts the difference."""
_VALUE = rf"[-+−]?{NUMBER}(?: ?(?:°|%|(?:deg(?:rees?)?|nm|[uµμ]m|mm|cm|m|in)(?!\w)))?"
_DEGREES = r" ?(?:degrees?|°)$"
_TURNED = r"(?:rotation )?angle|rotation|orientation|tilt|turn"
_PLACES = {"x": r"x(?: coordinate| position)?|horizontal position", "y": r"y(?: coordinate| position)?|vertical position", "angle": _TURNED,
           "params.r1": "r1|(?:first|front) radius", "params.r2": "r2|(?:second|back|rear) radius",
           "params.d": "(?:centre |center )?thickness"}  # fmt: skip
_POSITIONS = ("position", "place", "location", "shift", "displacement")
"""Words for a motion without its direction."""
_LEAST = r"least|smallest|minimum|minimal|lowest|shortest|narrowest"
_MOST = r"most|largest|greatest|biggest|maximum|maximal|highest|strongest"
_PLOT = "(?:plot|tabulate|graph|draw|chart|show|list|measure|compute|calculate)"
_EXTREME = rf"(?:(?P<least>{_LEAST})|(?P<most>{_MOST}))"
_PARAMETER = (
    rf"(?:(?P<dotted>{OBJECT})\.(?P<place>[\w.\[\]]+)|(?P<what>[a-z][a-z0-9 -]*?) of"
    rf" (?P<of>{OBJECT}))"
)


_SWEEP = "(?:sweep|scan|vary|step)"
_ALONE = r"(?P<what>[a-z][a-z0-9 -]*?)(?= (?:from|between|in|by|with) | ?[|]| *$)"
"""A parameter without its object."""


def _place(words: str) -> str:
    """The parameter of motions and lenses that words such as *front radius* mean; empty for other
    words.
    """
    return next((axis for axis, pattern in _PLACES.items() if re.fullmatch(pattern, words)), "")


def _of_the_only(clauses: Clauses, what: str) -> SceneObject | System | Unclear:
    """The only object that has a property; for a motion the only lens. Raises Open."""
    if _place(what):
        return clauses.only("lens")
    having = [obj for obj in clauses.document.scene.objects if has_field(obj, what)]
    if len(having) == 1:
        return having[0]
    raise Open(f"The {what} of which object? {there_are([obj.title for obj in having])}")


def _take_alone(clauses: Clauses, before: str) -> re.Match[str] | None:
    """Take a parameter without its object, if an object has it."""
    found = clauses.copy().take(f"{before} {_ALONE}")
    if found is None:
        return None
    has = _place(found["what"]) or any(
        has_field(obj, found["what"]) for obj in clauses.document.scene.objects
    )
    return clauses.take(f"{before} {_ALONE}") if has else None


def _parameter(clauses: Clauses, found: Mapping[str, str | None] | re.Match[str]) -> Parameter:
    """The parameter that `_PARAMETER` or `_ALONE` matched. Raises Open if it is ambiguous."""
    from raybench.study.terms.parameter import (
        parameter_names,  # studies, for which no window waits
        parameter_text,
        read_parameter,
    )

    given = found.groupdict() if isinstance(found, re.Match) else found
    mark, place, what = (
        given.get("dotted") or given.get("of"),
        given.get("place") or "",
        given["what"] or "",
    )
    thing = clauses.marked(mark) if mark else _of_the_only(clauses, what)
    if isinstance(thing, Unclear):
        raise Open(thing.problem)
    if what:
        place = _place(what)
        if not place:
            if what in _POSITIONS:
                raise Open(
                    f"Which coordinate of {thing.title}? Such as: x of {thing.title}, or y of"
                    f" {thing.title}."
                )
            if isinstance(thing, System):
                raise Open(f"{thing.title} is a group. Which of its objects?")
            place = field_of(thing, what).json_name
    title = thing.title if re.fullmatch(r"\w+(?: \w+)*", thing.title) else f'"{thing.title}"'
    own = parameter_text(thing.title, "")
    known = (
        name.removeprefix(own) for name in parameter_names(clauses.document) if name.startswith(own)
    )
    place = next((name for name in known if name.casefold() == place.casefold()), place)
    try:
        return read_parameter(f"{title}.{place}", clauses.document)
    except RaybenchError as error:
        raise Open(str(error)) from None


def _span(clauses: Clauses) -> re.Match[str] | None:
    """Take a range, such as "between -10 and 10°", if one is given."""
    found = clauses.take(
        rf"(?:between|from|in the range(?: from)?) (?P<low>{_VALUE}) (?:and|to) (?P<high>{_VALUE})"
    )
    clauses.remainder = " ".join(clauses.remainder.split())
    return found


def _bounds(
    clauses: Clauses, parameter: Parameter, span: re.Match[str] | None, in_words: bool
) -> str:
    """The range of a parameter in the notation of studies, given or default. Raises Open if there
    is no default, or if a motion that is given ``in_words`` could as well be to a place.
    """
    from raybench.study.terms.parameter import InvalidParameter

    if span is not None:
        low, high = (number(span[end], parameter.unit, clauses.document) for end in ("low", "high"))
        if not low < high:
            raise Open(
                f"The range of {parameter.text} ends at {high:g}, which is not above {low:g}, where"
                " it begins."
            )
        if in_words and parameter.is_motion and not low <= 0 <= high:
            raise Open(
                f"{parameter.text} is counted from where it is now, which is 0, and the range"
                f" {low:g} to {high:g} leaves that out. Give a range around 0, such as from -5 to"
                f" 5, or write “{parameter.text} from {low:g} to {high:g}” if it is meant so."
            )
    elif parameter.place == "angle":
        low, high = TURN
    else:
        try:
            now = parameter.value_in(clauses.document)
        except InvalidParameter as error:
            raise Open(str(error)) from None
        if parameter.is_motion or now == VACUUM.get(parameter.place, 0.0):
            raise Open(f"In which range of {parameter.text}? Such as: from -5 to 5.")
        base = VACUUM.get(parameter.place, 0.0)
        low, high = sorted((base + (now - base) / 2, base + 2 * (now - base)))
    return f"{parameter.text}={low:g}..{high:g}"


def _study(clauses: Clauses, made: Callable[[list[str]], dict[str, Any]]) -> Understanding:
    """The arguments of a study of the measures that the other clauses ask for; Unclear if only the
    parameter is ambiguous.
    """
    clauses.remainder = re.sub(r"^(?:\| ?)+|(?: ?\|)+$", "", clauses.remainder).strip()
    if not clauses.remainder:
        return Unclear("Which measure? Such as: and show the focal length.")
    found = measures_asked(clauses)
    if not isinstance(found, Meant):
        return found
    try:
        return Meant(made([str(m) for m in read_measures(found["measures"])]), found.spare)
    except Open as problem:
        return Unclear(str(problem))


def _best(question: PlainQuestion) -> Understanding:
    """Whether a text asks for which value of a parameter a measure is least, most or has a value."""
    clauses = question.clauses()
    span = _span(clauses)
    which = rf"(?:which|what) {_PARAMETER}(?: \|)?"
    found = (
        clauses.take(
            rf"(?:(?:for|at|with) )?{which} (?:gives?|has|leads? to|yields?|brings?|results? in)"
            rf" (?:an? )?{_EXTREME}"
        )
        or clauses.take(rf"{which} (?:(?P<least>minimi[sz]es)|(?P<most>maximi[sz]es))")
        or clauses.take(rf"(?:for|at|with) {which} (?:is|are)")
        or clauses.take(rf"{which} makes")
        or clauses.take(
            rf"(?:optimi[sz]e|adjust|vary|find|choose) {_PARAMETER}(?: \|)? (?:for|to get|so"
            rf" that|such that) (?:an? )?{_EXTREME}"
        )
        or clauses.take(rf"(?:by|over) (?:varying|changing|adjusting|choosing) {_PARAMETER}")
    )
    if found is None:
        return None
    wanted = {"least": None, "most": None, **found.groupdict(), "value": None}
    if (
        not wanted["least"]
        and not wanted["most"]
        and (verb := clauses.take(r"(?P<least>minimi[sz]e)|(?P<most>maximi[sz]e)")) is not None
    ):
        wanted |= verb.groupdict()
    if not wanted["least"] and not wanted["most"]:
        last = clauses.take(rf"(?:an? )?{_EXTREME}(?= ?$)") or clauses.take(
            rf"(?:equal to |exactly )?(?P<value>{_VALUE})(?= ?$)"
        )
        if last is None:
            return None
        wanted |= last.groupdict()

    def made(measures: list[str]) -> dict[str, Any]:
        bounds = _bounds(clauses, _parameter(clauses, wanted), span, bool(wanted["what"]))
        if wanted["value"]:
            measure = MEASURES.get(measures[0].partition("(")[0])
            bar = "|" if measure is not None and measure.signed else ""
            goal = f"{bar}{measures[0]}{bar} = {re.sub(_DEGREES, ' deg', wanted['value'])}"
        else:
            goal = f"{'least' if wanted['least'] else 'most'} {measures[0]}"
        return {
            "vary": [bounds],
            "goals": [goal],
            "whole_range": True,
        }  # the best may be far from where the search starts

    return _study(clauses, made)


def _dependence(question: PlainQuestion) -> Understanding:
    """Whether a text asks how measures depend on a parameter, or to change it in steps."""
    clauses = question.clauses()
    on = (
        r"(?:(?:depends?|depending|varies|vary|changes?) (?:on|with)|against|versus|vs|over|as a"
        r" function of)"
    )
    found = clauses.take(f"{on} {_PARAMETER}") or _take_alone(clauses, on)
    if found is not None:
        if clauses.take(rf"how (?:does|do|will|would)|{_PLOT}") is None:
            return None
    elif (found := clauses.take(f"{_SWEEP} {_PARAMETER}") or _take_alone(clauses, _SWEEP)) is None:
        return None
    else:
        clauses.take(rf"(?:and |then )*{_PLOT}")
    steps = clauses.take(
        r"(?:in|with|at) (?P<count>\d{1,3}) (?:steps|values|points)|(?:in|with) steps of"
        rf" (?P<step>{_VALUE})"
    )
    span = _span(clauses)

    def made(measures: list[str]) -> dict[str, Any]:
        parameter = _parameter(clauses, found)
        axis = _bounds(clauses, parameter, span, bool(found["what"]))
        if steps is not None:
            axis += _count(clauses, parameter, span, steps.groupdict())
        return {"axes": [axis], "measures": "; ".join(measures)}

    return _study(clauses, made)


def _count(
    clauses: Clauses,
    parameter: Parameter,
    span: re.Match[str] | None,
    steps: Mapping[str, str | None],
) -> str:
    """The number of values in the notation of sweeps, from that number or from a step size. Raises
    Open if the steps do not fit.
    """
    if steps["count"]:
        return f":{steps['count']}"
    if span is None:
        raise Open(f"In which range of {parameter.text}? Such as: from -5 to 5.")
    low, high, step = (
        number(text, parameter.unit, clauses.document)
        for text in (span["low"], span["high"], str(steps["step"]))
    )
    intervals = round((high - low) / step) if step > 0 else 0
    if intervals < 1 or abs(low + intervals * step - high) > 1e-9 * (high - low):
        raise Open(
            f"Steps of {step:g} do not lead from {low:g} to {high:g}. Give another step, or a"
            " number of values: in 11 steps."
        )
    return f":{intervals + 1}"


def _sensitivity(question: PlainQuestion) -> Understanding:
    """Whether a text asks how sensitive measures are to a parameter."""
    clauses = question.clauses()
    found = clauses.take(rf"to (?:an? )?(?:(?:error|change|deviation) (?:of|in) )?{_PARAMETER}")
    if (
        found is None
        or clauses.take(r"how sensitive(?:ly)? (?:is|are|does|do)|sensitivity of") is None
    ):
        return None
    by = clauses.take(rf"(?:of|by|within) (?:±|\+/?-)? ?(?P<by>{_VALUE})")

    def made(measures: list[str]) -> dict[str, Any]:
        parameter = _parameter(clauses, found)
        off = f"{OFF[parameter.unit]:g}" if parameter.is_motion else SHARE_OFF
        if by is not None:
            off = (
                by["by"].replace(" ", "")
                if by["by"].endswith("%")
                else f"{number(by['by'], parameter.unit, clauses.document):g}"
            )
        return {"vary": [f"{parameter.text}±{off}"], "measures": measures}

    return _study(clauses, made)


def _glass(question: PlainQuestion) -> Understanding:
    """Whether a text asks which glass has an index and an Abbe number."""
    clauses = question.clauses()
    index = clauses.take(
        rf"(?:an? )?(?:refractive index|index|n_?d?)(?: of| =| is|=)? ?(?P<n>{NUMBER})"
    )
    abbe = clauses.take(rf"(?:an? )?(?:abbe number|abbe|v_?d?|ν)(?: of| =| is|=)? ?(?P<v>{NUMBER})")
    if index is None or abbe is None:
        return None
    kind = rf"(?P<kind>glass(?:es)?|crystal|liquid|plastic|metal|material|{OBJECT})"
    asked = clauses.take(
        rf"(?:which|what|find an?|find|is there an?) {kind}(?:"
        r" (?:has|have|with|is|comes|near(?:est)?(?: to)?|closest to))*"
    )
    if asked is None:
        return None
    clauses.remainder = clauses.remainder.replace("and", "").strip()
    family = asked["kind"] if asked["kind"] in ("crystal", "liquid", "plastic", "metal") else ""
    return clauses.whole(
        {"n_d": float(index["n"]), "v_d": float(abbe["v"])} | ({"family": family} if family else {})
    )


OPTIMISE = Phrases(
    "which angle of {object_name} gives the least deviation of {object_name}",
    "what angle of {object_name} makes the deviation of {object_name} 40 degrees",
    understood=_best,
)
SWEEP = Phrases(
    "how does the direction after {object_name} depend on the angle of {object_name}",
    understood=_dependence,
)
TOLERANCE = Phrases(
    "how sensitive is the power at {object_name} to the angle of {object_name}",
    understood=_sensitivity,
)
GLASS = Phrases("which glass has an index of 1.62 and an Abbe number of 36", understood=_glass)
