"""Studies in free words: *At what lens position do I get most light into the guide?* is offered as
*Maximise the power at Guide by changing the x of Lens from -130 to 190.*
"""

import math
import re
from collections.abc import Callable, Iterator

from raybench.agent.questions.compound import without_verdict
from raybench.agent.questions.example import Unclear
from raybench.agent.questions.objects import objects_for_noun
from raybench.agent.questions.sentence import Number, Sentence
from raybench.agent.questions.slots import numeric_fields
from raybench.agent.questions.studies import LEAST, MOST, find_parameter
from raybench.analysis.measures.bound import fits
from raybench.analysis.measures.grammar import Expression, read_measures
from raybench.analysis.measures.measure import Role
from raybench.analysis.measures.table import MEASURES
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.changes.placing import centre_of
from raybench.scene.document import Document
from raybench.scene.names import object_named

_GOALS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), sense, measure)
    for sense, measure, words in (
        ("least", "divergence after", r"(?:(?:most|best) )?(?:collimated|collimates?|parallel|afocal)"),
        ("least", "rms radius of the spot on", r"(?:spots? (?:is|are) )?(?:sharp(?:est)?|crisp(?:est)?|tight(?:est)?)|(?:in|best) focus(?:ed)?"),
        ("least", "power escapes", r"(?:nothing|no (?:light|rays?|power)) (?:is |gets? )?(?:leaks?|escapes?|lost)(?: out)?|(?:without|no) (?:any )?(?:loss|leak)\w*|lossless"),
        ("most", "power reaches", r"(?:couples?|coupled|coupling) (?:in )?best|best (?:coupl\w+|efficien\w+)|brightest|(?:catch|collect|get)(?:es|s)? (?:everything|all(?: (?:of )?the light)?)"),
        ("least", "chromatic shift of", r"(?:brings? .* |meet .* |focus\w* .* )?(?:to|at|in) (?:the )?(?:same|one) (?:point|focus|place|spot)"),
        ("most", "uniformity at", r"(?:most )?(?:uniform|evenly?|homogeneous)"),
        ("least", r"\1", r"(reflect\w*|transmit\w*|absorb\w*) nothing"),
        ("least", r"\1", r"no (reflections?|transmission|absorption|deviation|divergence|defocus)"),
        ("least", "width of the spot on", r"narrowest|thinnest"),
        ("most", "power reaches", rf"(?:{MOST}) (?:of the )?(?:light|power|energy|rays)"),
        ("least", "power reaches", rf"(?:{LEAST}) (?:of the )?(?:light|power|energy|rays)"),
        ("least", "", rf"{LEAST}|weakest|faintest|dimmest"),
        ("most", "", MOST),
    )
)  # fmt: skip
"""What is wanted, the measure that the words for it name, and these words."""
_SWEPT = re.compile(
    r"\b(?:depend\w*|var(?:y|ies)|change when|against|versus|vs|function|before|need|starts?|stops?|longer|that still)\b|\b(?:at|for) (?:which|what) \w+ of .+ (?:does|do|will|is)\b",
    re.IGNORECASE,
)
_SENSITIVE = re.compile(
    r"\b(?:sensitive|tolerances?|how (?:accurate|precise|exact)ly)\b", re.IGNORECASE
)
_BY_CHANGING = re.compile(
    r"\bby (?:changing|varying|adjusting|tuning)\b|^(?:for )?(?:which|what)\b.*\b(?:makes?|brings?|gives?|puts?|yields?)\b",
    re.IGNORECASE,
)
_IN_THE_MIDDLE = re.compile(
    r"\b(?:in|to|at|on|onto) the (?:middle|cent(?:re|er)) of", re.IGNORECASE
)
_ACROSS = re.compile(
    r"\b(?:sideways|lateral\w*|up(?: and |/)down|height|across|vertical\w*|decent\w+|offset)\b",
    re.IGNORECASE,
)
_MOTIONS = (
    ("angle", r"tilt\w*|rotat\w*|turn\w*|orientation|direction|(?:angle of )?inciden(?:ce|t)(?: angle)?|angle"),
    ("", r"positions?|place\w*|where|put|mov\w+|shift\w*|distance|spacing|separation|gap|apart|slid\w+|lie|sit"),
)  # fmt: skip
_TELLING = frozenset(("index", "density", "wavelength", "brightness", "thickness"))
"""Last words of the names of fields that say which."""
_SHARE_OF_GAP = 0.8
"""Part of the way to its neighbours by which an object is moved."""
_FILLING = re.compile(
    r"\b(?:(?:what|which|where|at|find|that|so|until|such|do|does|should|must|i|need|have|get|to|if|when|by|changing|is|are|the|for|with|can|still|biggest|maximum|move|put|tilt|rotate|turn|goes|as|and)\b ?)+",
    re.IGNORECASE,
)


def suggest_studies(sentence: Sentence, nearest: Callable[[str], tuple[str, ...]]) -> Iterator[str]:
    """The studies that a sentence may ask for, written as questions. ``nearest``: the questions for
    a measure that are nearest to a text.
    """
    text, wanted = sentence.text.strip(" .?!"), ""
    for words, sense, measure in _GOALS:
        if found := words.search(text):
            wanted = sense
            text = f"{text[: found.start()]} {found.expand(measure)} {text[found.end() :]}"
            break
    swept = _SWEPT.search(text)
    values = [
        p.value for p in sentence.pieces_of_kinds("number") if not (p.value.bound or p.value.axis)
    ]
    target = values[0].with_unit if values and _BY_CHANGING.search(text) else ""
    if middle := _IN_THE_MIDDLE.search(text):
        text = text.replace(middle[0], "position of the spot on")
        lines = [p.value for p in sentence.pieces_of_kinds("thing") if hasattr(p.value, "p2")]
        target = f"{math.dist(lines[-1].p1, lines[-1].p2) / 2:g}" if lines else ""
    spans = any(p.value.bound == "range" for p in sentence.pieces_of_kinds("number"))
    if not (wanted or swept or spans or target or _SENSITIVE.search(text)):
        return
    for parameter, title, span in _varied_parameters(sentence):
        rest = re.sub(
            rf"\b{parameter[1]}\b(?: (?:of|between) (?:the )?)?", " ", without_verdict(text)
        )
        for piece in sentence.pieces_of_kinds("number", "thing"):
            if piece.kind == "number" or piece.value.title == title:
                rest = re.sub(re.escape(piece.text.strip()), " ", rest, flags=re.IGNORECASE)
        rest = " ".join(_FILLING.sub(" ", rest).split())
        for asked in (rest, f"{rest} {title}", f"power reaches {rest} {title}"):
            for question in nearest(asked):
                if _SENSITIVE.search(text):
                    yield f"How sensitive is {question} to the {parameter[0]} of {title}?"
                if target and not wanted:
                    yield f"Which {parameter[0]} of {title} makes {question} {target}?"
                what = f"the {parameter[0]} of {title}{span}"
                if swept or spans:
                    yield f"How does {question} depend on {what}?"
                if wanted:
                    verb = "Minimise" if wanted == "least" else "Maximise"
                    yield f"{verb} {question} by changing {what}."


def words_for_measure(written: str) -> str:
    """A measure in the words that the readers of studies understand, such as *the power at Screen*."""
    (value, *_) = read_measures(written)
    if not isinstance(value, Expression):
        return written
    measure = MEASURES[value.name]
    names = dict(zip((p.name for p in measure.parameters), value.arguments, strict=False))
    source = names.pop("source", "") if "source" in names else ""
    of = f" from {source}" if source else ""
    for question in measure.examples:
        asked = question.text_with_values(names).rstrip("?")
        for begin, noun in (("What is the ", "the "), ("How much power ", "the power that ")):
            if set(question.slots) >= set(names) and "{" not in asked and asked.startswith(begin):
                return f"{noun}{asked.removeprefix(begin)}{of}"
    return written


def _varied_parameters(sentence: Sentence) -> Iterator[tuple[tuple[str, str], str, str]]:
    """The parameters that a study may vary: each as written and as in the sentence, the title of
    its object, and its range in words, empty for the default.
    """
    document, text = sentence.document, sentence.text.lower()
    named = _object_titles_in(sentence)
    for label, said in _field_names_in(text, document):
        for title in (*named, *(o.title for o in reversed(document.scene.optical))):
            try:
                find_parameter(f"{label} of {title}", document)
            except Unclear:
                continue
            yield (label, said), title, _range_in_words(sentence, centred=False)
            break
    span = _range_in_words(sentence, centred=False)
    if span.endswith(" nm") and (sources := objects_for_noun("source", document)):
        yield ("wavelength", "wavelength"), sources[0].title, span
    for axis, words in _MOTIONS:
        found = re.search(rf"\b(?:{words})\b", text)
        if found is None or not named:
            continue
        title = _object_near_word(sentence, found.end(), named)
        if axis:
            yield (axis, re.escape(found[0])), title, _range_in_words(sentence)
            continue
        axis = _light_axis_at(title, document, across=bool(_ACROSS.search(text)))
        span = _range_in_words(sentence) or _free_range(title, axis, document)
        yield (axis, re.escape(found[0])), title, span


def _object_titles_in(sentence: Sentence) -> list[str]:
    """The titles of the objects in a sentence; a plural noun stands for the last of its objects."""
    titles = []
    for piece in sentence.pieces:
        if piece.kind == "thing" and isinstance(piece.value, SceneObject):
            titles.append(piece.value.title)
        elif piece.kind == "noun" and (things := objects_for_noun(piece.value, sentence.document)):
            titles.append(things[-1].title)
    return list(dict.fromkeys(titles))


def _field_names_in(text: str, document: Document) -> list[tuple[str, str]]:
    """The names of the fields in a text, as parameters write them and as the text writes them."""
    said = set()
    for about in {f.about for o in document.scene.optical for f in numeric_fields(o)}:
        label = about.label.lower()
        for words in (label, *about.words, *{label.split()[-1]} & _TELLING):
            if re.search(rf"\b{re.escape(words)}\b", text):
                said.add((words, re.escape(words)))
    return sorted(said, key=lambda s: -len(s[0]))


def _object_near_word(sentence: Sentence, end: int, named: list[str]) -> str:
    """The object to which a word belongs: the one just before it, as in *the lens position*, or the
    next one.
    """
    pieces = [p for p in sentence.pieces if p.kind in ("thing", "noun")]
    text = sentence.text.lower()
    for piece in pieces:
        at = text.find(piece.text.lower().strip())
        if at >= 0 and 0 <= end - at - len(piece.text.strip()) < 14 and at < end:
            return named[min(pieces.index(piece), len(named) - 1)]
    after = [i for i, p in enumerate(pieces) if text.find(p.text.lower().strip()) >= end]
    return named[min(after[0], len(named) - 1)] if after else named[0]


def _range_in_words(sentence: Sentence, centred: bool = True) -> str:
    """The range in a sentence, or the range of a deviation around 0; empty if the sentence has
    none.
    """
    for piece in sentence.pieces_of_kinds("number"):
        number: Number = piece.value
        if number.bound == "range":
            return f" from {number.with_unit} to {number.high} {number.unit}".rstrip()
        if centred and number.bound in ("max", "") and not number.axis:
            size = number.text.lstrip("-")
            return f" from -{size} {number.unit} to {size} {number.unit}".replace("  ", " ")
    return ""


def _light_axis_at(title: str, document: Document, across: bool) -> str:
    """The coordinate along which light reaches an object or, if ``across``, the other one."""
    obj = object_named(document.scene, title)
    ends = [getattr(obj, name, None) for name in ("p1", "p2")]
    if None in ends or not (isinstance(obj, SphericalLens) or fits(obj, Role.LINE)):
        start = next((o for o in document.scene.objects if isinstance(o, Source)), obj)
        dx, dy = (b - a for a, b in zip(centre_of(start), centre_of(obj), strict=True))
    else:
        (x1, y1), (x2, y2) = ends  # type: ignore[misc]
        dx, dy = y2 - y1, x2 - x1
    return "xy"[(abs(dy) > abs(dx)) != across]


def _free_range(title: str, axis: str, document: Document) -> str:
    """The range in which an object can be moved before it meets others, in words."""
    obj = object_named(document.scene, title)
    at = getattr(centre_of(obj), axis)
    others = [o for o in document.scene.optical if o is not obj]
    ways = [getattr(centre_of(o), axis) - at for o in others]
    low = max((w for w in ways if w < -1e-6), default=-math.inf)
    high = min((w for w in ways if w > 1e-6), default=math.inf)
    low, high = (
        max(low, -high) if low == -math.inf else low,
        min(high, -low) if high == math.inf else high,
    )
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = -10.0, 10.0
    low, high = (float(f"{_SHARE_OF_GAP * way:.2g}") for way in (low, high))
    return f" from {low:g} to {high:g}"
