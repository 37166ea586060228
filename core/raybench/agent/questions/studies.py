"""Studies in words: *How does the power at {detector} depend on the angle of {object}?*

A parameter is "angle of Prism", "x of Lens", "focal length of Lens" or "Lens.x". The default range
is `TURN` for a rotation, and half to twice the value for a field, of an index half to twice what it
is above 1; the default deviation is that in `OFF`, and `SHARE_OFF` for a field. The answers report
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from raybench.agent.questions.example import Example, Unclear, value_in_unit
from raybench.agent.questions.objects import noun_in, objects_for_noun, things_by_name
from raybench.agent.questions.sentence import UNIT, Sentence, read_number
from raybench.agent.questions.slots import find_field, has_field, slot_for_kind
from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.grammar import quote_argument, read_measures
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.question import Question
from raybench.analysis.scene.objects import System
from raybench.errors import RaybenchError, suggest_names
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.sources import Source
from raybench.scene.document import Document

if TYPE_CHECKING:
    from raybench.study.terms.parameter import Parameter

TURN = (-30.0, 30.0)
"""Default range of a rotation, degrees."""
OFF = {"deg": 0.1, LENGTH: 0.1}
"""Default deviation of a rotation or a shift, by unit."""
SHARE_OFF = "1%"
VACUUM = {"refIndex": 1.0}
"""Values of fields of which the default range, half to twice, counts the difference."""
Reads = Callable[[str, Document], dict[str, Any] | None]
"""Reads a text that is a question or an edit of its own: the arguments of its call."""
_VALUE = rf"[-+−]?\d+(?:[.,]\d+)?(?: ?(?:{UNIT})(?!\w))?"
_PLACES = {
    "x": r"x(?: coordinate| position)?|horizontal position", "y": r"y(?: coordinate| position)?|vertical position",
    "angle": r"(?:rotation )?angle|rotation|orientation|tilt|turn",
}  # fmt: skip
LEAST = r"least|smallest|minimum|minimal|lowest|shortest|narrowest|minimi[sz]es?"
MOST = r"most|largest|greatest|biggest|maximum|maximal|highest|strongest|maximi[sz]es?"
_EXTREME = rf"(?:(?P<least>{LEAST})|(?P<most>{MOST}))"
_SPAN = rf"(?: (?:(?:between|from|in the range(?: from)?) )?(?P<low>{_VALUE}) (?:and|to) (?P<high>{_VALUE}))?"
_STEPS = rf"(?: (?:in|with|at) (?:(?P<count>\d{{1,3}}) (?:steps|values|points)|steps of (?P<step>{_VALUE})))?"
_PARAMETER = r"(?P<parameter>(?:the )?[\w.\[\]\"' /-]+?)"
_POLITE = re.compile(
    r"^(?:please|pls|can you|could you|would you|hey|hi|so|and|then)\b,? *|,? *(?:please|pls|thanks)$",
    re.IGNORECASE,
)
_SWEEPS = (
    rf"how (?:does|do|will|would) (?P<measure>.+?) (?:depends?|var(?:y|ies)|changes?) (?:on|with) {_PARAMETER}{_SPAN}{_STEPS}",
    rf"(?:plot|show|tabulate|graph|draw) (?P<measure>.+?) (?:against|versus|vs\.?|over|as a function of|depending on) {_PARAMETER}{_SPAN}{_STEPS}",
    rf"(?:sweep|scan|vary|step) {_PARAMETER}{_SPAN}{_STEPS}(?:,? (?:and )?(?:plot|show|tabulate|graph|draw|measure|list|report|watch|calculate) (?P<measure>.+?))",
)
_BEST = (
    rf"(?:for |at |with )?(?:which|what) {_PARAMETER}{_SPAN} (?:gives?|has|leads? to|yields?|brings?|makes) (?:an? |the )?{_EXTREME} (?P<measure>.+?)",
    rf"(?:for |at |with )?(?:which|what) {_PARAMETER}{_SPAN} {_EXTREME} (?P<measure>.+?)",
    rf"(?:for|at|with) (?:which|what) {_PARAMETER}{_SPAN} (?:is|are) (?P<measure>.+?) {_EXTREME}",
    rf"(?:which|what) {_PARAMETER}{_SPAN} makes (?P<measure>.+?) (?:equal to )?(?P<value>{_VALUE})",
    rf"(?:which|what) {_PARAMETER}{_SPAN} makes (?P<measure>.+?) {_EXTREME}",
    rf"{_EXTREME} (?P<measure>.+?) by (?:changing|varying|adjusting|choosing) {_PARAMETER}{_SPAN}",
)
_SENSITIVE = (
    rf"how sensitive(?:ly)? (?:is|are) (?P<measure>.+?) to (?:an? )?(?:(?:error|change|deviation)s? (?:of|in) )?{_PARAMETER}(?: (?:of|by|within) (?:±|\+/?-)? ?(?P<by>{_VALUE}))?",
)
_WHAT_IF = (
    r"what if (?:i |we )?(?P<change>.+?): (?P<measure>.+)",
    r"what (?:happens|would happen|will happen) (?:to|with) (?P<measure>.+?) (?:if|when) (?P<change>.+)",
    r"(?:what (?:happens|would happen|will happen|changes) )?(?:if|when) (?:i |we )?(?P<change>.+)",
    r"what if (?:i |we )?(?P<change>.+)",
    r"(?P<measure>.+?) (?:if|when) (?:i |we )?(?P<change>.+)",
    r"(?P<measure>.+?) (?P<change>without .+)",
)
_CONVERGED = (
    r"(?:has|have|is|are|did) (?P<measure>.+?) (?:well )?converged?",
    r"convergence of (?P<measure>.+)",
)
_COMPARE = (
    r"(?:what (?:has|have|is|did|was)? ?(?:i |we |been )?(?:changed?|different)|compare(?: it| this| the scene)?)"
    r"(?: (?:since|with|to|from|against) (?:revision (?P<revision>\d{1,9})|(?:the scene|it|the file) was (?:last )?(?:saved|opened)"
    r"|(?:the )?(?:last )?saved (?:scene|file|version|state)|i (?:last )?(?:saved|opened)(?: it| the scene)?))?(?:: ?(?P<measure>.+))?",
)  # fmt: skip
_GLASS = (
    r"(?:which|what|find an?|find|is there an?) (?P<family>glass(?:es)?|crystal|liquid|plastic|metal|material)\b.*?"
    r"(?:refractive index|index|n_?d?)(?: of| =| is|=)? ?(?P<n>\d+(?:[.,]\d+)?).*?(?:abbe number|abbe|v_?d?|ν)(?: of| =| is|=)? ?(?P<v>\d+(?:[.,]\d+)?)",
)


def _first_match_groups(patterns: tuple[str, ...], text: str) -> dict[str, str]:
    """The named groups of the first pattern that matches a text; empty if none matches."""
    text = text.rstrip(" ?.!")
    while (bare := _POLITE.sub("", text)) != text:
        text = bare
    for pattern in patterns:
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return {name: value for name, value in match.groupdict().items() if value} | {"": text}
    return {}


class _NotMeasured(Unclear):
    """What a study is about is no measure."""


def _require_measure(
    reads: Callable[[Sentence], dict[str, Any] | None],
) -> Callable[[Sentence], dict[str, Any] | None]:
    """Make a reader that returns None where the given reader does not understand the measure."""

    def read_measured(sentence: Sentence) -> dict[str, Any] | None:
        try:
            return reads(sentence)
        except _NotMeasured:
            return None

    return read_measured


def study_examples(measures_of: Reads, changes_of: Reads) -> list[Example]:
    """The examples of studies. ``measures_of`` and ``changes_of`` read the measure and the edit in
    a sentence.
    """

    def find_measures(found: dict[str, str], document: Document) -> list[str]:
        asked = re.sub(
            r"^(?:what (?:is|are|would|will|happens to)|the) |(?: (?:be|change|become))+$",
            "",
            found["measure"],
            flags=re.IGNORECASE,
        )
        size = re.sub(r"^(?:the )?spot(?: size)?\b", "rms radius", asked, flags=re.IGNORECASE)
        for text in (found["measure"], asked, f"how much {asked}", size):
            if (arguments := measures_of(text, document)) is not None:
                return [str(m) for m in read_measures(arguments["measures"])]
        raise _NotMeasured(
            f"“{found['measure']}” is not understood as a measure. Say such as: the power at a detector, or power(Screen)."
        )

    def read_sweep(sentence: Sentence) -> dict[str, Any] | None:
        found = _first_match_groups(_SWEEPS, sentence.text)
        if not found:
            return None
        measures = find_measures(found, sentence.document)
        parameter, written = find_parameter(found["parameter"], sentence.document)
        axis = _range_text(parameter, found, sentence.document, written) + _count_text(
            parameter, found, sentence.document
        )
        return {"axes": [axis], "measures": "; ".join(measures)}

    def read_optimisation(sentence: Sentence) -> dict[str, Any] | None:
        found = _first_match_groups(_BEST, sentence.text)
        if not found:
            return None
        measures = find_measures(found, sentence.document)
        parameter, written = find_parameter(found["parameter"], sentence.document)
        goal = f"{'least' if 'least' in found else 'most'} {measures[0]}"
        if "value" in found:
            row = MEASURES.get(measures[0].partition("(")[0])
            bar = "|" if row is not None and row.signed else ""
            value = re.sub(r" ?(?:degrees?|°)$", " deg", found["value"])
            goal = f"{bar}{measures[0]}{bar} = {value}"
        bounds = _range_text(parameter, found, sentence.document, written)
        # the best may be far from where the search starts
        return {"vary": [bounds], "goals": [goal], "whole_range": True}

    def read_tolerance(sentence: Sentence) -> dict[str, Any] | None:
        found = _first_match_groups(_SENSITIVE, sentence.text)
        if not found:
            return None
        measures = find_measures(found, sentence.document)
        parameter, _ = find_parameter(found["parameter"], sentence.document)
        off = f"{OFF[parameter.unit]:g}" if parameter.is_motion else SHARE_OFF
        if by := found.get("by"):
            off = (
                by.replace(" ", "")
                if by.endswith("%")
                else f"{value_in_unit(read_number(by), parameter.unit, sentence.document):g}"
            )
        return {"vary": [f"{parameter.text}±{off}"], "measures": measures}

    def read_what_if(sentence: Sentence) -> dict[str, Any] | None:
        document = sentence.document
        for pattern in _WHAT_IF:
            if not (found := _first_match_groups((pattern,), sentence.text)):
                continue
            change = re.sub(
                r"^without (.+)", r"switch off \1", found["change"], flags=re.IGNORECASE
            )
            changes = changes_of(change, document)
            if changes is None:
                continue
            if "measure" not in found:
                return {
                    "changes": changes["changes"],
                    "measures": _usual_measures(document, changes["changes"]),
                }
            try:
                return {
                    "changes": changes["changes"],
                    "measures": "; ".join(find_measures(found, document)),
                }
            except Unclear:
                continue
        return None

    def read_convergence(sentence: Sentence) -> dict[str, Any] | None:
        found = _first_match_groups(_CONVERGED, sentence.text)
        return {"measures": "; ".join(find_measures(found, sentence.document))} if found else None

    def read_comparison(sentence: Sentence) -> dict[str, Any] | None:
        found = _first_match_groups(_COMPARE, sentence.text)
        if not found:
            return None
        revision = {"revision": int(found["revision"])} if "revision" in found else {}
        return revision | (
            {"measures": "; ".join(find_measures(found, sentence.document))}
            if "measure" in found
            else {}
        )

    at, spanned = "the angle of {object:lens}", "from {low} to {high}"
    forms: tuple[tuple[str, Callable[[Sentence], dict[str, Any] | None], tuple[str, ...]], ...] = (
        ("sweep", read_sweep, (
            f"How does the power at {{screen}} depend on {at} [stop start begin until longer threshold limit]?",
            f"How does the RMS radius on {{screen}} depend on the x of {{object:lens}} {spanned}?",
            f"Sweep {at} {spanned} and plot the power at {{screen}}.")),
        ("optimise", read_optimisation, (
            "Which angle of {object:lens} gives the most power at {screen}?",
            "Which angle of {object:lens} gives the least deviation of {object:lens} [rotate until minimal]?",
            f"Minimise the RMS radius on {{screen}} by changing the x of {{object:lens}} {spanned} [optimise best smaller tighten].",
            f"Minimise the divergence after {{object:lens}} by changing the x of {{object:lens}} {spanned} [optimise best collimate shift have until].")),
        ("tolerance", read_tolerance, (f"How sensitive is the power at {{screen}} to {at} [accurately precisely aligned pointed positioned tolerance must]?",)),
        ("what_if", read_what_if, (
            "What happens to the power at {screen} if {object:lens} is rotated by {angle}?",
            "What if {object:lens} is moved by {distance:length} to the right?",
            "What if {object:glass} is made of {material}?")),
        ("convergence_xml", read_convergence, ("Has the power at {screen} converged [enough rays accurate reliable]?",)),
        ("compare", read_comparison, ("What has changed since the scene was saved?",)),
        ("find_glass", _glass_arguments, ("Which glass has an index of 1.62 and an Abbe number of 36?",)),
    )  # fmt: skip
    written = Example(
        "measure_xml",
        Question("{measures}"),
        {"measures": slot_for_kind("measures")},
        reads=lambda sentence: written_measures(sentence.text, sentence.document),
        rank=-1,
        offered=False,
        intent="measure_xml",
    )
    found = [written]
    for tool, reads, texts in forms:
        for question in map(Question, texts):
            slots = {name: slot_for_kind(kind, name) for name, kind in question.slots.items()}
            lit = tool not in ("compare", "find_glass")
            found.append(
                Example(
                    tool, question, slots, reads=_require_measure(reads), rank=1, lit=lit, intent=tool,
                )
            )  # fmt: skip
    return found


def _glass_arguments(sentence: Sentence) -> dict[str, Any] | None:
    found = _first_match_groups(_GLASS, sentence.text)
    if not found:
        return None
    family = found["family"] if found["family"] in ("crystal", "liquid", "plastic", "metal") else ""
    numbers = {
        "n_d": float(found["n"].replace(",", ".")),
        "v_d": float(found["v"].replace(",", ".")),
    }
    return numbers | ({"family": family} if family else {})


def find_parameter(text: str, document: Document) -> tuple[Parameter, bool]:
    """The parameter that a text refers to, and whether the text is in words rather than in the
    notation of studies. Raises Unclear.
    """
    from raybench.study.terms.parameter import parameter_text, read_parameter

    text = re.sub(r"^the ", "", text.strip())
    if re.search(r"\.\w", text):
        try:
            return read_parameter(text, document), False
        except RaybenchError as error:
            raise Unclear(str(error)) from None
    what, _, name = text.rpartition(" of ")
    if not what and " " in text:  # the prism angle
        name, _, what = text.rpartition(" ")
        known = any(re.fullmatch(pattern, what.lower()) for pattern in _PLACES.values())
        titles = {title.lower() for title in things_by_name(document)}
        if not known or not (name.lower() in titles or noun_in(name.lower())):
            what, name = "", ""
    if not what:
        what, name = text, ""
    what = re.sub(r"^the ", "", what.lower())
    place = next((axis for axis, pattern in _PLACES.items() if re.fullmatch(pattern, what)), "")
    things = things_by_name(document)
    title = _find_title(name, document) if name else ""
    if not title and place:
        title = _find_title("lens", document)
    elif not title:
        having = [o.title for o in document.scene.objects if has_field(o, what)]
        if not having:
            raise _NotMeasured(f"No object has a {what} that can be set in words.")
        if len(having) != 1:
            raise Unclear(f"The {what} of which object? {suggest_names(having)}")
        title = having[0]
    if not place:
        if what in ("position", "place", "location", "shift", "displacement"):
            raise Unclear(f"Which coordinate of {title}? Such as: x of {title}, or y of {title}.")
        thing = things[title]
        if isinstance(thing, System):
            raise Unclear(f"{title} is a group. Which of its objects?")
        place = find_field(thing, what).json_name
    try:
        return read_parameter(parameter_text(title, place), document), True
    except RaybenchError as error:
        raise Unclear(str(error)) from None


def _find_title(name: str, document: Document) -> str:
    """The title of the thing of a name or a noun. Raises Unclear."""
    name = re.sub(r"^the ", "", name.strip().lower())
    titles = {title.lower(): title for title in things_by_name(document)}
    if name in titles:
        return titles[name]
    if noun := noun_in(name):
        found = [o.title for o in objects_for_noun(noun, document)]
        if len(found) == 1:
            return found[0]
        raise Unclear(
            f"Which {noun}? {suggest_names(found)}"
            if found
            else f"There is no {noun} in this scene."
        )
    raise Unclear(f"There is no object {name}. {suggest_names(list(titles.values())[:12])}")


def _range_text(
    parameter: Parameter, found: dict[str, str], document: Document, in_words: bool
) -> str:
    """The range of a parameter in the notation of studies, from the sentence or by default. Raises
    Unclear if there is no default, or if a motion ``in_words`` could also mean a position.
    """
    if "low" in found:
        low, high = (
            value_in_unit(read_number(found[end]), parameter.unit, document)
            for end in ("low", "high")
        )
        if not low < high:
            raise Unclear(
                f"The range of {parameter.text} ends at {high:g}, which is not above {low:g}, where it begins."
            )
        if in_words and parameter.is_motion and not low <= 0 <= high:
            raise Unclear(
                f"{parameter.text} is counted from where it is now, which is 0, and the range {low:g} to"
                f" {high:g} leaves that out. Give a range around 0, such as from -5 to 5, or write"
                f" “{parameter.text} from {low:g} to {high:g}” if it is meant so."
            )
    elif parameter.place == "angle":
        low, high = TURN
    else:
        try:
            now = parameter.value_in(document)
        except RaybenchError as error:
            raise Unclear(str(error)) from None
        base = VACUUM.get(parameter.place, 0.0)
        if parameter.is_motion or now == base:
            raise Unclear(f"In which range of {parameter.text}? Such as: from -5 to 5.")
        low, high = sorted((base + (now - base) / 2, base + 2 * (now - base)))
    return f"{parameter.text}={low:g}..{high:g}"


def _count_text(parameter: Parameter, found: dict[str, str], document: Document) -> str:
    """The number of values in the notation of sweeps, from that number or from a step size. Raises
    Unclear if the steps do not fit.
    """
    if "count" in found:
        return f":{found['count']}"
    if "step" not in found:
        return ""
    if "low" not in found:
        raise Unclear(f"In which range of {parameter.text}? Such as: from -5 to 5.")
    low, high, step = (
        value_in_unit(read_number(found[n]), parameter.unit, document)
        for n in ("low", "high", "step")
    )
    intervals = round((high - low) / step) if step > 0 else 0
    if intervals < 1 or abs(low + intervals * step - high) > 1e-9 * (high - low):
        raise Unclear(
            f"Steps of {step:g} do not lead from {low:g} to {high:g}. Give another step, or a number of"
            " values: in 11 steps."
        )
    return f":{intervals + 1}"


def _usual_measures(document: Document, changes: list[dict[str, Any]]) -> str:
    """Measures that show the effect of changes: those of the detectors, and of the light that
    leaves changed objects.
    """
    objects = [o for o in document.scene.objects if o.optical and o.key not in document.disabled]
    detectors = [o for o in objects if isinstance(o, Detector)][:2]
    measures = [
        f"{name}({quote_argument(o.title)})"
        for o in detectors
        for name in ("power", "centroid", "rms")
    ]
    touched: list[str] = []
    for change in changes:
        for verb in {"rotate", "move", "set", "scale", "mirror", "material"} & change.keys():
            touched += [change[verb]] if isinstance(change[verb], str) else list(change[verb])
    for obj in objects:
        if obj.title in touched and not isinstance(obj, Detector | Source | Blocker):
            lens = isinstance(obj, IdealLens | SphericalLens)
            names = ("focus", "spot_rms") if lens else ("direction",)
            measures += [f"{name}({quote_argument(obj.title)})" for name in names]
    return "; ".join(measures or ["escaped()", "absorbed()"])


def written_measures(text: str, document: Document) -> dict[str, Any] | None:
    """Parse measures in their notation, such as ``power(Screen) / power(Lamp)``; None for other
    texts. Raises Unclear if the document has no such measures.
    """
    started = re.match(r"\s*(\w+)\s*\(", text)
    if started is None or started[1] not in MEASURES:
        return None
    written = re.sub(r"(?<=\)) and (?=\w+\()", "; ", text.rstrip(" ?."))
    try:
        bind_measures(written, document)
    except RaybenchError as error:
        raise Unclear(str(error)) from None
    return {"measures": written}
