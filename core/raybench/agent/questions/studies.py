"""Studies in words: the forms that run, such as *How does the power at Screen depend on the angle
of Prism?*, and those that are offered for other sentences that say what is varied or wanted.

The default range is `TURN` for a rotation, and half to twice the value for a field, of an index
half to twice what it is above 1; the default deviation is that in `OFF`, and `SHARE_OFF` for a
field. The answers report them.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from raybench.agent.questions.example import Example, Unclear, value_in_unit
from raybench.agent.questions.objects import objects_for_noun
from raybench.agent.questions.sentence import UNIT, Number, Piece, Sentence
from raybench.agent.questions.slots import find_field, has_field, numeric_fields, slot_for_kind
from raybench.agent.questions.words import canonical_words, has_little_meaning, split_words
from raybench.analysis.measures.bound import can_be_argument
from raybench.analysis.measures.grammar import Expression, quote_argument, read_measures
from raybench.analysis.measures.measure import Role
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.question import Question
from raybench.analysis.scene.objects import System
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.sources import Source
from raybench.scene.changes.placing import object_centre
from raybench.scene.document import Document
from raybench.scene.names import object_named

if TYPE_CHECKING:
    from raybench.scene.parameters.parameter import Parameter

TURN = (-30.0, 30.0)
"""Default range of a rotation, degrees."""
OFF = {"deg": 0.1, LENGTH: 0.1}
"""Default deviation of a rotation or a shift, by unit."""
SHARE_OFF = "1%"
VACUUM = {"refIndex": 1.0}
"""Values of fields of which the default range, half to twice, counts the difference."""
_MOST, _LEAST = r"most|largest|greatest|maximum", r"least|smallest|minimum"
_FORMS = tuple((tool, re.compile(rf"(?:please |pls )?{form}", re.IGNORECASE)) for tool, form in (
    ("convergence_xml", r"(?:has|have) (?P<measures>.+) converged"),
    ("sweep", r"how do(?:es)? (?P<measures>.+) (?:depend on|(?:change|vary) with) (?P<varied>.+)"),
    ("sweep", r"(?:sweep|scan|vary) (?P<varied>.+?),? and (?:plot|show|measure) (?P<measures>.+)"),
    ("sweep", r"plot (?P<measures>.+) (?:against|versus|vs|over) (?P<varied>.+)"),
    ("optimise", rf"which (?P<varied>.+) (?:gives|has|makes) the (?:(?P<most>{_MOST})|(?P<least>{_LEAST})) (?P<measures>.+)"),
    ("optimise", rf"which (?P<varied>.+) makes (?P<measures>.+) (?P<target>[-+−]?[\d.,]+(?: ?(?:{UNIT}))?)"),
    ("optimise", r"(?:(?P<most>maximi[sz]e)|(?P<least>minimi[sz]e)) (?P<measures>.+) by (?:changing|varying) (?P<varied>.+)"),
    ("tolerance", r"how sensitive is (?P<measures>.+) to (?P<varied>.+)"),
))  # fmt: skip
"""The sentences that run, by their tools."""
_PLACES = {
    "x": ("x", "x coordinate", "x position", "horizontal position"), "y": ("y", "y coordinate", "y position", "vertical position"),
    "angle": ("angle", "rotation angle", "rotation", "orientation", "tilt", "turn", "incidence angle", "off axis"),
    "": ("position", "place", "where", "distance", "gap", "apart", "slide", "sit", "lie", "shift"),
}  # fmt: skip
"""Words for the motions of an object; along the light where they do not say which way."""
_WANTED = {
    "most": frozenset(canonical_words("largest maximise peak")),
    "least": frozenset(canonical_words("smallest minimise")),
    "": frozenset(canonical_words(
        "best optimise optimal sharpest sharp collimated parallel brightest weakest narrowest uniform same"
    )),
}  # fmt: skip
"""Words that ask for the best of a measure, by its sense."""
_SWEPT = frozenset(
    canonical_words(
        "depend sweep plot against versus vs function tabulate graph scan stop start before longer"
    )
)
_SENSITIVE = frozenset(canonical_words("sensitive tolerance precisely accurately exactly"))
_MAKES = frozenset(canonical_words("make bring set move"))
_WISHES = split_words("want need like so so.")
_STEPS = frozenset(canonical_words("steps values points"))
_OF_RANGES = {"", *canonical_words("within"), *_STEPS}
_FILLING = (
    _WANTED["most"]
    | _WANTED["least"]
    | _SWEPT
    | _SENSITIVE
    | frozenset(canonical_words(
        "best make bring set center changing varying adjusting tuning choosing step value error within plot show report watch list"
        " measure lead yield has how howmuch degree go what which where find point possible take must should have need long until"
        " such move put rotate instead"
    ))
)  # fmt: skip
"""Words of studies beside those of what is varied and measured."""
_SMALL = frozenset((
    "divergence", "arriving_divergence", "half_angle", "rms", "least_rms", "spot_rms", "spot_width", "width", "beam_width",
    "arriving_width", "defocus", "chromatic_shift", "spherical_aberration", "wavefront_error", "rms_spot", "ray_aberration",
    "escaped", "escaped_between", "escaping_share", "absorbed", "ghost_power", "scattered_power", "separation", "returned",
    "deviation", "distortion", "axial_colour", "lateral_colour",
))  # fmt: skip
"""Measures that are better the smaller they are."""
_TELLING = frozenset(("index", "density", "wavelength", "brightness", "thickness", "radius"))
"""Last words of the names of fields that say which."""
_SHARE_OF_GAP = 0.8
"""Part of the way to its neighbours by which an object is moved."""
Measures = Callable[[Sentence], list[str]]
"""Reads the measures that a sentence asks for."""
Reads = Callable[[Sentence], dict[str, Any] | None]
"""Reads a sentence: the arguments of its call."""


@dataclass(frozen=True)
class Varied:
    """What a sentence asks to vary: the ``label`` of a parameter, its object, and the ``pieces``
    that name it. ``vague`` says that they only say that something moves.
    """

    label: str
    title: str
    pieces: tuple[Piece, ...] = ()
    written: Parameter | None = None
    vague: bool = False

    @property
    def text(self) -> str:
        return self.written.text if self.written else f"the {self.label} of {self.title}"

    def parameter_in(self, document: Document) -> Parameter:
        """The parameter. Raises Unclear."""
        from raybench.scene.parameters.parameter import parameter_text, read_parameter

        if self.written is not None:
            return self.written
        place = self.label
        if place not in _PLACES:
            place = find_field(object_named(document.scene, self.title), place).json_name
        try:
            return read_parameter(parameter_text(self.title, place), document)
        except RaybenchError as error:
            raise Unclear(str(error)) from None


def parameters_to_vary(sentence: Sentence) -> list[Varied]:
    """The parameters that a sentence may ask to vary, those with the longest names first."""
    pieces, document, found = sentence.pieces, sentence.document, list[Varied]()
    found += (Varied("", "", (p,), p.value) for p in pieces if p.kind == "parameter")
    fields = {f.about for o in document.scene.optical for f in numeric_fields(o)}
    names = {n for f in fields for n in (f.label.lower(), *f.words)} - {"power"}
    names |= {f.label.lower().split()[-1] for f in fields} & _TELLING
    labels = {canonical_words(n): n for n in sorted(names, key=len, reverse=True)}
    labels |= {canonical_words(w): w for words in _PLACES.values() for w in words}
    for i, j in itertools.combinations(range(len(pieces) + 1), 2):
        inside = pieces[i:j]
        label = labels.get(tuple(p.word for p in inside if p.word), "")
        if (
            label
            and inside[0].word
            and inside[-1].word
            and all(p.kind in ("word", "noun") for p in inside)
        ):
            found += _parameters_of_label(label, i, j, sentence)
    return sorted(found, key=lambda v: (v.vague, -len(v.pieces)))  # fmt: skip


def _parameters_of_label(label: str, i: int, j: int, sentence: Sentence) -> Iterator[Varied]:
    """The parameter that the pieces from ``i`` to ``j`` name, of the object beside them or, without
    one, of the nearest that has it.
    """
    pieces, document = sentence.pieces, sentence.document
    k = j
    while k < len(pieces) and pieces[k].typed in ("of", "between", "the", "for", "my"):
        k += 1
    if k > j and k < len(pieces) and pieces[k].kind in ("thing", "noun"):
        beside, taken = [k], pieces[i : k + 1]
    elif i and pieces[i - 1].kind in ("thing", "noun"):
        beside, taken = [i - 1], pieces[i - 1 : j]
    else:
        named = (k for k, p in enumerate(pieces) if p.kind in ("thing", "noun"))
        beside, taken = sorted(named, key=lambda k: abs(k - i)), pieces[i:j]
    holders = [o for k in beside for o in _objects_for_piece(pieces[k], document)]
    if len(taken) == j - i:
        holders += document.scene.optical[::-1]
        holders.sort(key=lambda o: label == "wavelength" and not isinstance(o, Source))
    place = next((axis for axis, words in _PLACES.items() if label in words), None)
    for holder in holders:
        if isinstance(holder, System):
            if place is not None:
                yield Varied(place or "x", holder.title, taken, vague=not place)
                return
        elif place in (None, "angle") and has_field(holder, label):  # a polarizer's axis
            field = find_field(holder, label).about.label.lower() if place else label
            yield Varied(field, holder.title, taken)
            return
        elif place is not None:
            axis = place or _light_axis_at(holder.title, document)
            yield Varied(axis, holder.title, taken, vague=not place)
            return


def _objects_for_piece(piece: Piece, document: Document) -> list[Any]:
    """The object that a name or a noun refers to; for a plural noun the last one."""
    if piece.kind == "thing":
        return [piece.value]
    found = objects_for_noun(piece.value, document)
    return found[-1:] if piece.text.endswith("s") else found


# --- sentences that are a study


def read_study(
    sentence: Sentence, read: Callable[[str], Sentence], measures_of: Measures
) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments of a study that is written in one of the forms; None if it is
    none. Raises Unclear.
    """
    text = sentence.text.rstrip(" ?.!")
    found = ((tool, m) for tool, form in _FORMS if (m := form.fullmatch(text)) is not None)
    for tool, match in found:
        said = match.groupdict()
        if not (measures := measures_of(read(match["measures"]))):
            continue
        if tool == "convergence_xml":
            return tool, {"measures": "; ".join(measures)}
        varied, numbers = _varied_in(read(match["varied"]))
        if varied is None:
            continue
        parameter = varied.parameter_in(sentence.document)
        if tool == "tolerance":
            off = f"{OFF[parameter.unit]:g}" if parameter.is_motion else SHARE_OFF
            for number in (n.value for n in numbers):
                off = number.with_unit.replace(" ", "")
                if number.unit != "%":
                    off = f"{value_in_unit(number, parameter.unit, sentence.document):g}"
            return tool, {"vary": [f"{parameter.text}±{off}"], "measures": measures}
        span = next((n.value for n in numbers if n.value.bound == "range"), None)
        axis = _range_text(parameter, span, sentence.document, varied.written is None)
        if tool == "sweep":
            count = _count_text(read(match["varied"]), parameter, span)
            return tool, {"axes": [axis + count], "measures": "; ".join(measures)}
        if (target := said.get("target")) is not None:
            row = MEASURES.get(measures[0].partition("(")[0])
            bar = "|" if row is not None and row.signed else ""
            goal = f"{bar}{measures[0]}{bar} = {target}"
        else:
            goal = f"{'most' if said.get('most') else 'least'} {measures[0]}"
        # the best may be far from where the search starts
        return tool, {"vary": [axis], "goals": [goal], "whole_range": True}
    return None


def _varied_in(part: Sentence) -> tuple[Varied | None, list[Piece]]:
    """The one parameter that a part of a sentence consists of, and the numbers beside it."""
    for varied in parameters_to_vary(part):
        rest = [p for p in part.pieces if not any(p is t for t in varied.pieces)]
        words = (p for p in rest if p.kind != "number" and not has_little_meaning(p.word))
        if not varied.vague and not {p.word for p in words} - _OF_RANGES:
            return varied, [p for p in rest if p.kind == "number"]
    return None, []


def _range_text(
    parameter: Parameter, span: Number | None, document: Document, in_words: bool
) -> str:
    """The range of a parameter in the notation of studies, from the sentence or by default. Raises
    Unclear if there is no default, or if a motion ``in_words`` could also mean a position.
    """
    if span is not None:
        low, high = (
            value_in_unit(Number(end, span.unit), parameter.unit, document)
            for end in (span.text, span.high)
        )
        if not low < high:
            raise Unclear(
                f"The range of {parameter.text} ends at {high:g}, which is not above {low:g}, where it begins."
            )
        if in_words and parameter.is_motion and not low <= 0 <= high:
            raise Unclear(
                f"{parameter.text} is counted from where it is now, which is 0, and the range {low:g} to {high:g} leaves that"
                f" out. Give a range around 0, such as from -5 to 5, or write “{parameter.text} from {low:g} to {high:g}” if"
                " it is meant so."
            )
    elif parameter.place == "angle":
        low, high = TURN
    else:
        try:
            now = parameter.value_in_document(document)
        except RaybenchError as error:
            raise Unclear(str(error)) from None
        base = VACUUM.get(parameter.place, 0.0)
        if parameter.is_motion or now == base:
            raise Unclear(f"In which range of {parameter.text}? Such as: from -5 to 5.")
        low, high = sorted((base + (now - base) / 2, base + 2 * (now - base)))
    return f"{parameter.text}={low:g}..{high:g}"


def _count_text(part: Sentence, parameter: Parameter, span: Number | None) -> str:
    """The number of values in the notation of sweeps, read from *in 11 steps* or *in steps of 5*.
    Raises Unclear if the range is no multiple of the step.
    """
    for piece, behind in zip(part.pieces, (*part.pieces[1:], Piece("", "")), strict=True):
        number = piece.value
        if piece.kind != "number" or number.bound == "range":
            continue
        if behind.word in _STEPS:
            return f":{number.text}"
        if span is None:
            raise Unclear(f"In which range of {parameter.text}? Such as: from -5 to 5.")
        low, high, step = (
            value_in_unit(Number(text, unit), parameter.unit, part.document)
            for text, unit in ((span.text, span.unit), (span.high, span.unit), (number.text, number.unit))
        )  # fmt: skip
        intervals = round((high - low) / step) if step > 0 else 0
        if intervals < 1 or abs(low + intervals * step - high) > 1e-9 * (high - low):
            raise Unclear(
                f"Steps of {step:g} do not lead from {low:g} to {high:g}. Give another step, or a number of values: in 11 steps."
            )
        return f":{intervals + 1}"
    return ""


def study_examples(
    read: Callable[[str, Document], Sentence], measures_of: Measures, what_if_of: Reads
) -> list[Example]:
    """The example questions for studies. ``read`` reads a part of a sentence, ``measures_of`` the
    measures in it, ``what_if_of`` a sentence that supposes a change.
    """

    def study(tool: str) -> Reads:
        def read_as(sentence: Sentence) -> dict[str, Any] | None:
            found = read_study(sentence, lambda text: read(text, sentence.document), measures_of)
            return found[1] if found is not None and found[0] == tool else None

        return read_as

    at, spanned = "the angle of {object:lens}", "from {low} to {high}"
    forms: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("sweep", (
            f"How does the power at {{screen}} depend on {at} [stop start begin until longer threshold limit]?",
            f"How does the RMS radius on {{screen}} depend on the x of {{object:lens}} {spanned}?",
            f"Sweep {at} {spanned} and plot the power at {{screen}}.")),
        ("optimise", (
            "Which angle of {object:lens} gives the most power at {screen}?",
            "Which angle of {object:lens} gives the least deviation of {object:lens} [rotate until minimal]?",
            f"Minimise the RMS radius on {{screen}} by changing the x of {{object:lens}} {spanned} [optimise best smaller tighten sharp crisp narrowest weakest couple].",
            f"Minimise the divergence after {{object:lens}} by changing the x of {{object:lens}} {spanned} [optimise best collimate afocal parallel lossless nothing shift have until].")),
        ("tolerance", (f"How sensitive is the power at {{screen}} to {at} [accurately precisely aligned pointed positioned tolerance must]?",)),
        ("what_if", (
            "What happens to the power at {screen} if {object:lens} is rotated by {angle}?",
            "What if {object:lens} is moved by {distance:length} to the right?",
            "What if {object:glass} is made of {material}?")),
        ("convergence_xml", ("Has the power at {screen} converged [enough rays accurate reliable]?",)),
    )  # fmt: skip
    return [
        Example(
            tool, question, {name: slot_for_kind(kind, name) for name, kind in question.slots.items()},
            reads=what_if_of if tool == "what_if" else study(tool), rank=1, intent=tool,
        )
        for tool, texts in forms
        for question in map(Question, texts)
    ]  # fmt: skip


# --- sentences for which a study is offered


def suggest_studies(sentence: Sentence, measures_like: Measures) -> Iterator[str]:
    """The studies that a sentence may ask for, in words, best first. ``measures_like`` finds the
    measures that are most similar to a part of it.
    """
    document, said = sentence.document, {p.word for p in sentence.pieces}
    typed = [p.typed for p in sentence.pieces]
    numbers = [p.value for p in sentence.pieces_of_kinds("number")]
    span = next((n for n in numbers if n.bound == "range"), None)
    values = [n for n in numbers if n is not span and not (n.bound or n.axis)]
    changes = any(word.startswith("chang") for word in typed)
    sense = next((s for s in ("least", "most") if said & _WANTED[s]), "")
    wanted = bool(sense or (said & _WANTED[""] and not changes) or "until" in typed)
    wanted |= ("so", "that") in itertools.pairwise(typed)
    if re.search(r"\b(?:before|in front of) (?!(?:the )?(?:light|beam|ray)|it\b)", sentence.text):
        said -= {"befor"}  # a place
    wish = said & _MAKES or typed[:1] == ["which"] or _WISHES & {*typed}
    target = values[0].with_unit if values and not wanted and wish else ""
    lines = [p.value for p in sentence.pieces_of_kinds("thing") if hasattr(p.value, "p2")]
    if "center" in said and lines:
        target = f"{math.dist(lines[-1].p1, lines[-1].p2) / 2:g}"
        sentence = _with_words(sentence, "position spot")
    asked_at = typed[:2] in (["at", "what"], ["at", "which"], ["for", "which"])
    if said & _SENSITIVE:
        kind = "tolerance"
    elif wanted or target:
        kind = "optimise"
    elif said & _SWEPT or span is not None or changes or asked_at:
        kind = "sweep"
    else:
        return
    for varied in _likely_parameters(sentence, span):
        if asked_at and not (
            span
            or said & _SWEPT
            or varied.label == "wavelength"
            or any(p.kind in ("thing", "noun") for p in varied.pieces)
        ):
            continue
        held = [
            p for p in sentence.pieces_of_kinds("thing", "noun")
            if varied.title in [o.title for o in _objects_for_piece(p, document)]
        ]  # fmt: skip
        taken = (*varied.pieces, *held)
        rest = sentence.of_pieces(
            p for p in sentence.pieces
            if p.kind != "number" and p.word not in _FILLING and not any(p is t for t in taken)
        )  # fmt: skip
        if sense == "least" and "spot" in said:
            rest = _with_words(rest, "RMS radius")
        words = (p.word for p in rest.pieces if p.kind == "word" and p.word)
        if all(map(has_little_meaning, words)):
            if kind == "optimise" and not sense:
                continue
            rest = _with_words(rest, "power reaches")
        for asked in (rest, rest.of_pieces([*rest.pieces, *held])):
            for written in measures_like(asked):
                measure, small = words_for_measure(written), written.partition("(")[0] in _SMALL
                if kind == "tolerance":
                    yield f"How sensitive is {measure} to {varied.text}?"
                elif target:
                    yield f"Which {varied.text.removeprefix('the ')} makes {measure} {target}?"
                elif kind == "sweep":
                    ranged = varied.text + _range_in_words(varied, numbers, span, document)
                    yield f"How does {measure} depend on {ranged}?"
                else:
                    ranged = varied.text + _range_in_words(varied, numbers, span, document)
                    least = sense == "least" or (small and not sense)
                    yield f"{'Minimise' if least else 'Maximise'} {measure} by changing {ranged}."


def _with_words(sentence: Sentence, words: str) -> Sentence:
    more = [Piece("word", word, None, word, word) for word in canonical_words(words)]
    return sentence.of_pieces([*more, *sentence.pieces])


def _likely_parameters(sentence: Sentence, span: Number | None) -> list[Varied]:
    """What a sentence may ask to vary. If it names no parameter: the wavelength for a range in nm,
    else the angle, the position or the focal length of its first object.
    """
    document, said = sentence.document, {p.word for p in sentence.pieces}
    varied = list({v.text: v for v in parameters_to_vary(sentence)[::-1]}.values())[:-3:-1]
    if span is not None and span.unit == "nm" and not (varied and varied[0].label == "wavelength"):
        sources = objects_for_noun("source", document)
        said_so = tuple(p for p in sentence.pieces if p.word == "wavelength")
        return [Varied("wavelength", o.title, said_so) for o in sources[:1]]
    named = [
        o
        for p in sentence.pieces_of_kinds("thing", "noun")
        for o in _objects_for_piece(p, document)
        if not isinstance(o, System)
    ][:1]
    if varied or not named:
        return varied
    (first,) = named
    if said & {*canonical_words("rotate tilt turn")}:
        return [Varied("angle", first.title)]
    if said & {"move", "go", "away"}:
        return [Varied(_light_axis_at(first.title, document), first.title)]
    return [Varied("focal length", first.title)] if has_field(first, "focal length") else []


def _range_in_words(
    varied: Varied, numbers: Sequence[Number], span: Number | None, document: Document
) -> str:
    """The range that a sentence states, that of a deviation around 0, or the one in which an object
    can be moved without touching others. Places of an object are counted from where it is.
    """
    moved = varied.label in ("x", "y")
    obj = next((o for o in document.scene.objects if o.title == varied.title), None)
    at = getattr(object_centre(obj), varied.label) if moved and obj is not None else 0.0
    if span is not None:
        low, high = (float(end.replace(",", ".")) for end in (span.text, span.high))
        if moved and not low <= 0 <= high:
            return f" from {low - at:g} to {high - at:g}"
        return f" from {span.with_unit} to {span.high} {span.unit}".rstrip()
    sizes = (n for n in numbers if n.bound in ("max", "") and not n.axis)
    if (size := next((n.with_unit.lstrip("-") for n in sizes), "")) or not moved:
        return f" from -{size} to {size}" if size else ""
    if obj is None:
        return " from -10 to 10"
    others = (o for o in document.scene.optical if o is not obj)
    ways = [getattr(object_centre(o), varied.label) - at for o in others]
    low = max((w for w in ways if w < -1e-6), default=-math.inf)
    high = min((w for w in ways if w > 1e-6), default=math.inf)
    low, high = (-high if low == -math.inf else low), (-low if high == math.inf else high)
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = -12.5, 12.5
    low, high = (float(f"{_SHARE_OF_GAP * end:.2g}") for end in (low, high))
    return f" from {low:g} to {high:g}"


def words_for_measure(written: str) -> str:
    """A measure in the words that studies are written in, such as *the power at Screen*."""
    (value, *_) = read_measures(written)
    if not isinstance(value, Expression):
        return written
    measure = MEASURES[value.name]
    names = dict(zip((p.name for p in measure.parameters), value.arguments, strict=False))
    source = names.pop("source", "") if "source" in names else ""
    of = f" from {source}" if source else ""
    for question in measure.examples:
        asked = question.text_with_values(names).rstrip("?")
        for begin, noun, end in (
            ("What is the ", "the ", ""),
            ("How much power does ", "the power that ", "s"),
            ("How much power ", "the power that ", ""),
        ):
            if set(question.slots) >= set(names) and "{" not in asked and asked.startswith(begin):
                return f"{noun}{asked.removeprefix(begin)}{end}{of}"
    return written


def _light_axis_at(title: str, document: Document) -> str:
    """The coordinate, x or y, along which light reaches an object."""
    obj = object_named(document.scene, title)
    ends = [getattr(obj, name, None) for name in ("p1", "p2")]
    if None in ends or not (isinstance(obj, SphericalLens) or can_be_argument(obj, Role.LINE)):
        start = next((o for o in document.scene.objects if isinstance(o, Source)), obj)
        dx, dy = (b - a for a, b in zip(object_centre(start), object_centre(obj), strict=True))
    else:
        (x1, y1), (x2, y2) = ends  # type: ignore[misc]
        dx, dy = y2 - y1, x2 - x1
    return "xy"[abs(dy) > abs(dx)]


def default_measures(document: Document, changes: Iterable[dict[str, Any]]) -> str:
    """The measures that show the effect of changes: those of the detectors, and those of the light
    that leaves changed objects.
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
