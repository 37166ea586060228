"""Sentences with several parts: *rotate the prism by 5° and tell me how much reaches the screen*."""

import re
from collections.abc import Iterator

from raybench.agent.questions.objects import last_object_on_path, whole_system
from raybench.agent.questions.sentence import Sentence
from raybench.agent.questions.slots import SLOTS
from raybench.analysis.scene.objects import JOINED
from raybench.scene.document import Document

_SPLITS = (
    r"(?:what|whats|where|how|which|who|when|why|is|are|does|do|did|can|will|would|tell|show|plot"
    r"|see|watch|check|find|measure|rotate|turn|tilt|move|shift|set|change|make|swap|replace"
    r"|delete|remove|switch|add|by how)"
)
WITHOUT_QUESTION = re.compile(
    r"(?:and |then )*(?:what|see)(?: (?:if|happens?|would|will|changes?|about|then))*",
    re.IGNORECASE,
)
"""What asks for the usual measures of a change."""
_JOINT = re.compile(
    rf"\s*(?:[,;.?!:]|\s[-–—])+\s*(?:(?:and|then|but|so|or|also)\s+)*(?={_SPLITS}\b)"
    rf"|\s+(?:and|then|but)\s+(?:(?:then|also)\s+)?(?={_SPLITS}\b)",
    re.IGNORECASE,
)
_IF = re.compile(
    r"(?P<measure>.+?),? (?:if|when|once|after|that is|which is|while) (?:i |we |you )?(?P<change>.+)",
    re.IGNORECASE,
)
_WITH = re.compile(r"(?P<measure>.+?),? (?:with|for|at|in) (?P<change>.*\d.*)", re.IGNORECASE)
OFF_AXIS = re.compile(r"\b(?:off|misalign\w*|oblique\w*|field)\b", re.IGNORECASE)
"""Words for light that comes at an angle."""
_SUPPOSED = re.compile(
    r"^(?:what )?(?:if|when|suppose|say|assuming) (?:that )?(?:i |we )?", re.IGNORECASE
)
_HOW_FAR = re.compile(
    r"(?:(?:by )?how (?:far|much) )?(?:do|does|did|will|would) ((?:(?!\b(?:when|if|as)\b).)+?) (?:move|shift|go|wander|drift|jump)s?\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"^(?:and |then )*(?:tell me |show me |does |do |is |are |will |would |how (?:much )?does )*"
    r"|\s*\b(?:still|stay|remain|(?:get|become|go|grow)s? (?:any )?(?:better|worse|larger|smaller"
    r"|up|down|bigger|higher|lower|change[ds]?|improve[ds]?|shift|move)"
    r"(?: or (?:better|worse|down|up|smaller|larger))?|change[ds]?|improves?)\b",
    re.IGNORECASE,
)
_CROSSING = re.compile(
    r"(\b(?:cross|meet|converge|focus|come together)\w*\b.*?) between (?:the )?(.+?) and .+",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:(?:the|this|that|my|our|a)\s+)?(?:(?:whole|entire|complete|combined)\s+"
    r"(?!beam|bundle|light)[a-z]+|telescope|system|doublet|triplet|instrument|setup|microscope"
    r"|objective lens|beam expander|(?:both|the (?:two|three)|all(?: the)?) lenses(?: together| combined)?)\b",
    re.IGNORECASE,
)


def with_system_named(text: str, document: Document) -> str:
    """Replace words for the whole system in a sentence by the name of its group of lenses, of all
    lenses as one, or of the only lens. A crossing of light *between* two objects becomes one behind
    the first. Other sentences are returned unchanged.
    """
    text = _CROSSING.sub(r"\1 behind \2", text)
    system = whole_system(document)
    last = last_object_on_path(SLOTS["lens"].candidate_titles(document), document)
    whole = system.title if system is not None else last
    named = any(_WHOLE.search(o.title) for o in document.scene.objects)
    return _WHOLE.sub(lambda _: whole, text) if whole and not named else text


def with_pair_joined(text: str, document: Document) -> str:
    """Join two names that a sentence lists one after another into one thing, unless the sentence is
    about what lies between them.
    """
    if re.search(r"\b(?:between|from|apart|distance|parallel|angle)\b", text, re.IGNORECASE):
        return text
    titles = "|".join(map(re.escape, SLOTS["lens"].candidate_titles(document)))
    pair = re.compile(rf"\b({titles}),? and (?:the )?({titles})\b", re.IGNORECASE)
    return pair.sub(rf"\1{JOINED}\2", text) if titles else text


def sentence_parts(text: str) -> list[str]:
    """The parts of a compound sentence; a simple sentence is its only part."""
    parts = [part for part in _JOINT.split(text.strip(" .?!")) if part.strip()]
    return [_SUPPOSED.sub("", parts[0]), *parts[1:]] if len(parts) > 1 else parts


def changes_and_measures(text: str) -> Iterator[tuple[str, str]]:
    """Split a sentence into a supposed change and the question about its effect, in each possible
    way: *change and question*, *question if change*, *question with n = 1.6*.
    """
    parts = sentence_parts(text)
    if len(parts) > 1:
        yield parts[0], " and ".join(parts[1:])
    for joint in (_IF, _WITH):
        if match := joint.fullmatch(text.strip(" .?!")):
            yield match["change"], match["measure"]
    numbers = re.findall(r"(?:(?:of|for|at) )?\d+(?:[.,]\d+)?(?: ?nm\b)?", text)
    if len(numbers) == 1 and numbers[0].endswith("nm"):
        yield numbers[0], text.replace(numbers[0], "light")


def without_verdict(text: str) -> str:
    """A question without the words that ask whether something becomes better or worse, or how far
    it moves.
    """
    return " ".join(_VERDICT.sub(" ", _HOW_FAR.sub(r"position of \1", text)).split())


_COMPARED = re.compile(
    r"\b(?:compar\w*|versus|vs\.?|differen\w+|(?:than|relative to)|both)\b", re.IGNORECASE
)


def split_comparison(sentence: Sentence) -> list[str]:
    """Split a sentence that compares two objects into a sentence about each of them."""
    things = sentence.pieces_of_kinds("thing")
    if len(things) != 2 or not _COMPARED.search(sentence.text):
        return []
    parts = []
    for other in things:
        beside = rf"\b(?:(?:and|to|with|at|in|of|on|than|for) )*(?:the )?{re.escape(other.text)}\b"
        parts.append(re.sub(beside, " ", _COMPARED.sub(" ", sentence.text)))
    return parts[::-1]
