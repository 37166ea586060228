"""Studies in words, such as *How does the power at {detector} depend on the angle of {object}?*

What is varied is found in a sentence by its name, then the words for what is wanted, then the
measure in the rest. The default range is `TURN` for a rotation, and half to twice the value for a
field, of an index half to twice what it is above 1; the default deviation is that in `OFF`, and
`SHARE_OFF` for a field. The answers report them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from raybench.agent.questions.example import Example, Unclear, value_in_unit
from raybench.agent.questions.objects import objects_for_noun
from raybench.agent.questions.sentence import Number, Piece, Sentence
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
from raybench.kinds.object import SceneObject
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
_PLACES = {
    "x": ("x", "x coordinate", "x position", "horizontal position"), "y": ("y", "y coordinate", "y position", "vertical position"),
    "angle": ("angle", "rotation angle", "rotation", "orientation", "tilt", "turn", "incidence angle", "off axis"),
    "": ("position", "place", "where", "distance", "gap", "apart", "slide", "sit", "lie", "shift"),
}  # fmt: skip
"""Words for the motions of an object; along the light where they do not say which way."""
_MOST, _LEAST = (
    frozenset(canonical_words("largest maximise peak")),
    frozenset(canonical_words("smallest minimise")),
)
_SWEPT = frozenset(
    canonical_words(
        "depend sweep plot against versus vs function tabulate graph scan stop start before longer need"
    )
)
_SENSITIVE = frozenset(canonical_words("sensitive tolerance precisely accurately exactly"))
_MAKES = frozenset(canonical_words("make bring set move"))
_KEYS = _MOST | _LEAST | _SWEPT | _SENSITIVE | _MAKES - {"move"} | {"center"}
_STEPS = frozenset(canonical_words("steps values points"))
_CONVERGED = frozenset(canonical_words("converged"))
_VERBS = frozenset(
    canonical_words(
        "changing varying adjusting tuning choosing step value error within plot show report watch list measure lead yield bring has"
    )
)
_FILLING = _VERBS | frozenset(
    canonical_words(
        "how howmuch degree go what which where find point possible take must should have need start stop long longer until such move put rotate"
    )
)
"""Words of studies beside those of what is varied and measured."""
_ANCHORS = split_words(
    "on with against versus vs over changing varying adjusting tuning which what to sweep scan vary of in"
)
"""Words before what is varied, where a sentence is a study."""
_BEST = frozenset(
    canonical_words(
        "best optimise optimal sharpest sharp collimated parallel brightest weakest narrowest uniform same"
    )
)
"""Words that ask for the best of a measure."""
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
"""Reads the measures that a part of a sentence asks for."""
Reads = Callable[[Sentence], dict[str, Any] | None]
"""Reads a sentence: the arguments of its call."""


@dataclass(frozen=True)
class ParameterToVary:
    """A parameter that a sentence may ask to vary: its ``label``, the ``title`` of its object, and
    the ``pieces`` that name it. ``stated`` says that it is named where a study names its parameter;
    ``vague`` that the words only say that something moves.
    """

    label: str
    title: str
    pieces: tuple[Piece, ...]
    stated: bool
    written: Parameter | None = None
    vague: bool = False

    @property
    def text(self) -> str:
        return (
            self.written.text if self.written is not None else f"the {self.label} of {self.title}"
        )


def parameters_to_vary(sentence: Sentence) -> list[ParameterToVary]:
    """The parameters that a sentence may ask to vary: stated ones first, then those with longer
    names.
    """
    pieces, document, found = sentence.pieces, sentence.document, []
    labels = _labels_in(document)
    longest = max(map(len, labels))
    for i, piece in enumerate(pieces):
        before = next((p.typed for p in pieces[:i][::-1] if p.typed not in ("the", "a", "an")), "")
        if piece.kind == "parameter":
            found.append(ParameterToVary("", "", (piece,), before in _ANCHORS, piece.value))
        for j in range(i + 1, len(pieces) + 1):
            inside = pieces[i:j]
            words = tuple(p.word for p in inside if p.word)
            if (
                len(words) > longest
                or not (piece.word and pieces[j - 1].word)
                or any(p.kind not in ("word", "noun") for p in inside)
            ):
                break
            for label in labels.get(words, ()):
                found += _parameters_with_objects(label, i, j, sentence, before)
    return sorted(found, key=lambda v: (not v.stated, v.vague, -len(v.pieces)))


def _labels_in(document: Document) -> dict[tuple[str, ...], list[str]]:
    """The labels of all parameters that can be varied in a document, by their words."""
    labels: dict[tuple[str, ...], list[str]] = {}
    fields = {f.about for o in document.scene.optical for f in numeric_fields(o)}
    names = {
        name
        for about in fields
        for name in (
            about.label.lower(),
            *about.words,
            *{about.label.lower().split()[-1]} & _TELLING,
        )
    } - {"power"}
    for name in (*sorted(names, key=len), *(word for words in _PLACES.values() for word in words)):
        if words := canonical_words(name):
            labels.setdefault(words, []).append(name)
    return labels


def _parameters_with_objects(
    label: str, i: int, j: int, sentence: Sentence, before: str
) -> Iterator[ParameterToVary]:
    """The parameter that some pieces name, with each object that it can belong to: the one beside
    it, or the only one that has it.
    """
    pieces, document = sentence.pieces, sentence.document
    place = next((axis for axis, words in _PLACES.items() if label in words), None)
    k = j
    while k < len(pieces) and pieces[k].typed in ("of", "between", "the", "for", "my"):
        k += 1
    after = k < len(pieces) and k > j and pieces[k].kind in ("thing", "noun")
    start, end = (
        (i, k + 1)
        if after
        else (i - 1, j)
        if i and pieces[i - 1].kind in ("thing", "noun")
        else (i, j)
    )
    beside = pieces[k] if after else pieces[start] if start < i else None
    if start < i:
        before = next(
            (p.typed for p in pieces[:start][::-1] if p.typed not in ("the", "a", "an")), ""
        )
    named = [k for k, p in enumerate(pieces) if p.kind in ("thing", "noun")]
    others = [
        o
        for k in sorted(named, key=lambda k: abs(k - i))
        for o in _objects_for_piece(pieces[k], document)
    ]
    holders = (
        _objects_for_piece(beside, document) if beside else [*others, *document.scene.optical[::-1]]
    )
    stated = before in _ANCHORS and place != ""
    if beside is None:
        having = [o.title for o in document.scene.objects if has_field(o, label)]
        stated &= place is None and len(having) == 1
    else:
        stated &= len(holders) == 1
    for holder in holders:
        if place == "angle" and not isinstance(holder, System) and has_field(holder, label):
            place, label = None, find_field(holder, label).about.label.lower()  # a polarizer's axis
        if place is not None or (not isinstance(holder, System) and has_field(holder, label)):
            group = isinstance(holder, System)
            axis = (
                place if place or place is None or group else _light_axis_at(holder.title, document)
            )
            yield ParameterToVary(
                axis or ("x" if group else label),
                holder.title,
                pieces[start:end],
                stated,
                vague=place == "",
            )
            break


def _objects_for_piece(piece: Piece, document: Document) -> list[Any]:
    """The object that a name or a noun refers to; for a plural noun the last one."""
    if piece.kind == "thing":
        return [piece.value]
    found = objects_for_noun(piece.value, document)
    return found[-1:] if piece.text.endswith("s") else found


def _parameter_of(varied: ParameterToVary, document: Document) -> Parameter:
    """The parameter that a study varies. Raises Unclear."""
    from raybench.scene.parameters.parameter import parameter_text, read_parameter

    if varied.written is not None:
        return varied.written
    place = varied.label
    if place not in _PLACES:
        place = find_field(object_named(document.scene, varied.title), place).json_name
    try:
        return read_parameter(parameter_text(varied.title, place), document)
    except RaybenchError as error:
        raise Unclear(str(error)) from None


def _sentence_without_pieces(
    sentence: Sentence, pieces: Iterable[Piece], words: frozenset[str] = frozenset()
) -> Sentence:
    """A sentence without some pieces, and without the numbers and words that a study uses."""
    taken = list(pieces)
    return sentence.of_pieces(
        p for p in sentence.pieces
        if not any(p is t for t in taken) and p.kind != "number" and not (p.kind == "word" and p.word in words)
    )  # fmt: skip


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


def _count_text(sentence: Sentence, parameter: Parameter, span: Number | None) -> str:
    """The number of values in the notation of sweeps, read from *in 11 steps* or *in steps of 5*.
    Raises Unclear if the range is no multiple of the step.
    """
    pieces = sentence.pieces
    for i, piece in enumerate(pieces):
        number = piece.value
        if piece.kind != "number" or number.bound == "range":
            continue
        if pieces[i + 1 : i + 2] and pieces[i + 1].word in _STEPS:
            return f":{number.text}"
        if span is None:
            raise Unclear(f"In which range of {parameter.text}? Such as: from -5 to 5.")
        low, high, step = (
            value_in_unit(Number(text, unit), parameter.unit, sentence.document)
            for text, unit in (
                (span.text, span.unit),
                (span.high, span.unit),
                (number.text, number.unit),
            )
        )
        intervals = round((high - low) / step) if step > 0 else 0
        if intervals < 1 or abs(low + intervals * step - high) > 1e-9 * (high - low):
            raise Unclear(
                f"Steps of {step:g} do not lead from {low:g} to {high:g}. Give another step, or a number of values: in 11 steps."
            )
        return f":{intervals + 1}"
    return ""


@dataclass(frozen=True)
class Study:
    """A study that a sentence may ask for: its wording and, if the sentence is complete, its
    arguments.
    """

    tool: str
    text: str
    arguments: dict[str, Any] | None = None


def suggest_studies(sentence: Sentence, exact: Measures, near: Measures) -> Iterator[Study]:
    """The studies that a sentence may ask for, best first. ``exact`` or ``near`` reads the measure
    in the rest of the sentence. Raises Unclear if only the range is missing.
    """
    document, said = sentence.document, {p.word for p in sentence.pieces}
    typed = [p.typed for p in sentence.pieces]
    numbers = [p.value for p in sentence.pieces_of_kinds("number")]
    span = next((n for n in numbers if n.bound == "range"), None)
    values = [n for n in numbers if n is not span and not (n.bound or n.axis)]
    changes = any(word.startswith("chang") for word in typed)
    sense = "least" if said & _LEAST else "most" if said & _MOST else ""
    wanted = bool(
        sense
        or (said & _BEST and not changes)
        or {"until", "so that"} & {*typed, *map(" ".join, itertools.pairwise(typed))}
    )
    target = (
        values[0].with_unit
        if values and not wanted and said & _MAKES | {"which"} & {*typed[:1]}
        else ""
    )
    if "center" in said and (
        lines := [p.value for p in sentence.pieces_of_kinds("thing") if hasattr(p.value, "p2")]
    ):
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
            varied.stated
            or span
            or said & _SWEPT
            or any(p.kind in ("thing", "noun") for p in varied.pieces)
        ):
            continue
        rest = _sentence_without_pieces(sentence, varied.pieces, _VERBS | _KEYS)
        # every number has its place: a deviation, a number of steps, a value to reach
        most = {"tolerance": 1, "sweep": int(bool(said & _STEPS)), "optimise": int(bool(target))}[
            kind
        ]
        measures = (
            exact(rest)
            if varied.stated and "center" not in said and len(numbers) - (span is not None) <= most
            else []
        )
        if measures and (sense or kind != "optimise" or target):
            yield _complete_study(kind, varied, measures, sense, target, span, sentence)
            continue
        held = [
            p
            for p in sentence.pieces_of_kinds("thing", "noun")
            if varied.title in [o.title for o in _objects_for_piece(p, document)]
        ]
        rest = _sentence_without_pieces(
            rest,
            (*varied.pieces, *held),
            _FILLING | _BEST & {canonical_words("best")[0]},
        )
        if sense == "least" and "spot" in said:
            rest = _with_words(rest, "RMS radius")
        if not any(
            p.word and not has_little_meaning(p.word) for p in rest.pieces if p.kind == "word"
        ):
            if kind == "optimise" and not sense:
                continue
            rest = _with_words(rest, "power reaches")
        for asked in (rest, rest.of_pieces([*rest.pieces, *held])):
            for written in near(asked):
                small = written.partition("(")[0] in _SMALL
                yield Study(
                    kind,
                    _study_in_words(
                        kind,
                        words_for_measure(written),
                        varied,
                        sense or ("least" if small else "most"),
                        target,
                        span,
                        numbers,
                        document,
                    ),
                )


def _with_words(sentence: Sentence, words: str) -> Sentence:
    more = [Piece("word", word, None, word, word) for word in canonical_words(words)]
    return sentence.of_pieces([*more, *sentence.pieces])


def _study_in_words(
    kind: str,
    measure: str,
    varied: ParameterToVary,
    sense: str,
    target: str,
    span: Number | None,
    numbers: Sequence[Number],
    document: Document,
) -> str:
    """The sentence that asks for a study."""
    if kind == "tolerance":
        return f"How sensitive is {measure} to {varied.text}?"
    if target:
        return f"Which {varied.text.removeprefix('the ')} makes {measure} {target}?"
    ranged = varied.text + _range_in_words(numbers, span)
    if varied.label in ("x", "y") and " from " not in ranged:
        ranged += _free_range(varied, document)
    if kind == "sweep":
        return f"How does {measure} depend on {ranged}?"
    return f"{'Minimise' if sense == 'least' else 'Maximise'} {measure} by changing {ranged}."


def _complete_study(
    kind: str,
    varied: ParameterToVary,
    measures: list[str],
    sense: str,
    target: str,
    span: Number | None,
    sentence: Sentence,
) -> Study:
    """The study that a complete sentence asks for. Raises Unclear."""
    document, parameter = sentence.document, _parameter_of(varied, sentence.document)
    values = [p.value for p in sentence.pieces_of_kinds("number") if p.value is not span]
    if kind == "tolerance":
        off = f"{OFF[parameter.unit]:g}" if parameter.is_motion else SHARE_OFF
        for number in values:
            off = (
                number.with_unit.replace(" ", "")
                if number.unit == "%"
                else f"{value_in_unit(number, parameter.unit, document):g}"
            )
        return Study(kind, "", {"vary": [f"{parameter.text}±{off}"], "measures": measures})
    axis = _range_text(parameter, span, document, varied.written is None)
    if kind == "sweep":
        return Study(
            kind,
            "",
            {
                "axes": [axis + _count_text(sentence, parameter, span)],
                "measures": "; ".join(measures),
            },
        )
    goal = f"{sense} {measures[0]}"
    if not sense:
        row = MEASURES.get(measures[0].partition("(")[0])
        bar = "|" if row is not None and row.signed else ""
        goal = f"{bar}{measures[0]}{bar} = {target}"
    # the best may be far from where the search starts
    return Study(kind, "", {"vary": [axis], "goals": [goal], "whole_range": True})


def _likely_parameters(sentence: Sentence, span: Number | None) -> list[ParameterToVary]:
    """What a sentence may ask to vary. If it names no parameter: the wavelength for a range in nm,
    else the angle or position of its first object.
    """
    document, said = sentence.document, {p.word for p in sentence.pieces}
    varied = list({v.text: v for v in parameters_to_vary(sentence)[::-1]}.values())[:-3:-1]
    if span is not None and span.unit == "nm" and not (varied and varied[0].stated):
        sources = objects_for_noun("source", document)
        said_so = tuple(p for p in sentence.pieces if p.word == "wavelength")
        return [ParameterToVary("wavelength", o.title, said_so, False) for o in sources[:1]]
    if varied:
        return varied
    named = [
        o
        for p in sentence.pieces_of_kinds("thing", "noun")
        for o in _objects_for_piece(p, document)
    ][:1]
    if said & set(canonical_words("rotate tilt turn")):
        return [ParameterToVary("angle", o.title, (), False) for o in named]
    moved = said & {"move", "go", "away"}
    return [
        ParameterToVary(_light_axis_at(o.title, document), o.title, (), False)
        for o in named
        if moved and not isinstance(o, System)
    ]


def study_examples(measures_of: Measures, what_if_of: Reads) -> list[Example]:
    """The example questions for studies. ``measures_of`` reads the measures in a sentence,
    ``what_if_of`` a sentence that supposes a change.
    """

    def study(tool: str) -> Reads:
        def read(sentence: Sentence) -> dict[str, Any] | None:
            found = next(suggest_studies(sentence, measures_of, lambda part: []), None)
            return found.arguments if found is not None and found.tool == tool else None

        return read

    def converged(sentence: Sentence) -> dict[str, Any] | None:
        said = any(p.word in _CONVERGED for p in sentence.pieces) and not sentence.pieces_of_kinds(
            "number"
        )
        measures = measures_of(_sentence_without_pieces(sentence, (), _CONVERGED)) if said else []
        return {"measures": "; ".join(measures)} if measures else None

    at, spanned = "the angle of {object:lens}", "from {low} to {high}"
    forms: tuple[tuple[str, Reads, tuple[str, ...]], ...] = (
        ("sweep", study("sweep"), (
            f"How does the power at {{screen}} depend on {at} [stop start begin until longer threshold limit]?",
            f"How does the RMS radius on {{screen}} depend on the x of {{object:lens}} {spanned}?",
            f"Sweep {at} {spanned} and plot the power at {{screen}}.")),
        ("optimise", study("optimise"), (
            "Which angle of {object:lens} gives the most power at {screen}?",
            "Which angle of {object:lens} gives the least deviation of {object:lens} [rotate until minimal]?",
            f"Minimise the RMS radius on {{screen}} by changing the x of {{object:lens}} {spanned} [optimise best smaller tighten sharp crisp narrowest weakest couple].",
            f"Minimise the divergence after {{object:lens}} by changing the x of {{object:lens}} {spanned} [optimise best collimate afocal parallel lossless nothing shift have until].")),
        ("tolerance", study("tolerance"), (f"How sensitive is the power at {{screen}} to {at} [accurately precisely aligned pointed positioned tolerance must]?",)),
        ("what_if", what_if_of, (
            "What happens to the power at {screen} if {object:lens} is rotated by {angle}?",
            "What if {object:lens} is moved by {distance:length} to the right?",
            "What if {object:glass} is made of {material}?")),
        ("convergence_xml", converged, ("Has the power at {screen} converged [enough rays accurate reliable]?",)),
    )  # fmt: skip
    return [
        Example(tool, question, {name: slot_for_kind(kind, name) for name, kind in question.slots.items()}, reads=reads, rank=1, intent=tool)
        for tool, reads, texts in forms
        for question in map(Question, texts)
    ]  # fmt: skip


def default_measures(document: Document, changes: Sequence[dict[str, Any]]) -> str:
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


def _range_in_words(numbers: Sequence[Number], span: Number | None) -> str:
    """The range that a sentence states, or the range of a deviation around 0; empty if it states
    none.
    """
    if span is not None:
        return f" from {span.with_unit} to {span.high} {span.unit}".rstrip()
    sizes = (n for n in numbers if n.bound in ("max", "") and not n.axis)
    return next((f" from -{s} to {s}" for n in sizes for s in [n.with_unit.lstrip("-")]), "")


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


def _free_range(varied: ParameterToVary, document: Document) -> str:
    """The range, in words, in which an object can be moved without touching others."""
    obj = next((o for o in document.scene.objects if o.title == varied.title), None)
    if not isinstance(obj, SceneObject):
        return " from -10 to 10"
    at = getattr(object_centre(obj), varied.label)
    ways = [
        getattr(object_centre(o), varied.label) - at for o in document.scene.optical if o is not obj
    ]
    low = max((w for w in ways if w < -1e-6), default=-math.inf)
    high = min((w for w in ways if w > 1e-6), default=math.inf)
    low, high = (-high if low == -math.inf else low), (-low if high == math.inf else high)
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = -12.5, 12.5
    return (
        f" from {float(f'{_SHARE_OF_GAP * low:.2g}'):g} to {float(f'{_SHARE_OF_GAP * high:.2g}'):g}"
    )
