"""Questions to offer for a sentence that is no example: what casual ways to ask mean in the words
of the examples, the parts of a compound sentence, and a glass that is not known.
"""

import difflib
import re
from collections.abc import Iterator

from raybench.agent.questions.objects import NOUNS, SLOTS, last_on_path, things_of
from raybench.agent.questions.sentence import Sentence
from raybench.analysis.paths.path_pattern import quoted_name
from raybench.analysis.scene.objects import System
from raybench.kinds.glasses import GlassBody
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.sources import Source
from raybench.materials.catalogue import shipped_materials
from raybench.materials.database import fold_name
from raybench.scene.document import Document

_COMPARED = (
    r"compar\w*|versus|vs\.?|differen\w+|(?:than|relative to)|(?:how far )?apart|separat\w+|both"
)
_THRESHOLD = r"stops?|starts?|begins?|becomes?|no longer|first|just|until|before|when|onset|limit"
_TIR = r"tir|total(?:ly)?(?: internal(?:ly)?)? reflect\w*|critical"
_LOST = r"lost|los[es]\w*|fresnel|reflectance|reflectivity|reflect(?:s|ed|ions?)?"
_SPLITS = (
    r"(?:what|whats|where|how|which|who|when|why|is|are|does|do|did|can|will|would|tell|show|plot"
    r"|see|watch|check|find|measure|rotate|turn|tilt|move|shift|set|change|make|swap|replace"
    r"|delete|remove|switch|add|by how)"
)
_JOINT = re.compile(
    rf"\s*(?:[,;.?!:]|\s[-–—])+\s*(?:(?:and|then|but|so|or|also)\s+)*(?={_SPLITS}\b)"
    rf"|\s+(?:and|then|but)\s+(?:(?:then|also)\s+)?(?={_SPLITS}\b)",
    re.IGNORECASE,
)
_IF = re.compile(
    r"(?P<measure>.+?),? (?:if|when|once|after) (?:i |we |you )?(?P<change>.+)", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"^(?:what )?(?:if|when|suppose|say|assuming) (?:that )?(?:i |we )?", re.IGNORECASE
)
_VERDICT = re.compile(
    r"^(?:and |then )*(?:tell me |show me |does |do |is |are |will |would |how (?:much )?does )*"
    r"|\s*\b(?:still|stay|remain|(?:get|become|go|grow)s? (?:any )?(?:better|worse|larger|smaller"
    r"|up|down|bigger|higher|lower|change[ds]?|improve[ds]?|shift|move)"
    r"(?: or (?:better|worse|down|up|smaller|larger))?|change[ds]?|improves?)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:(?:the|this|that|my|our|a)\s+)?(?:(?:whole|entire|complete|combined)\s+"
    r"(?:thing|optics|[a-z]+)|telescope|system|doublet|triplet|instrument|setup|microscope"
    r"|objective lens|beam expander)\b",
    re.IGNORECASE,
)
_GLASS_NAME = re.compile(r"(?:[A-Z]-)?[A-Z]{1,5}\d{1,3}[A-Z]{0,3}", re.IGNORECASE)
_OF_GLASS = re.compile(
    r"\b(?:made|make|material|glass|swap|replace|change|switch|use|using|set|out of|instead)\b",
    re.IGNORECASE,
)

REWORDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"how long .*\b(?:light|rays?|beams?|pulses?|photons?)\b.*\btakes?|(?:travel|transit) time"
     r"|time of flight|delay", ("How long does light take along {path}?",)),
    (r"optical path|path length|path difference|opd|opl",
     ("What is the optical path length of {path}?", "How long is the path {path}?")),
    (r"how (?:far|long) (?:is|are)|distance|spacing",
     ("What is the distance from {first} to {second}?",
      "What is the distance from {first} to {second} along the axis?")),
    (rf"(?=.*\b(?:{_COMPARED})\b).*\bfoc\w+",
     ("What is the chromatic shift of {last}?",
      "What is the distance of the focus from {last} from {source}?",
      "What is the distance of the focus from {last} from {other}?")),
    (rf"(?=.*\b(?:{_COMPARED})\b)(?!.*\bfoc)",
     ("How far apart are the spots of {source} and {other} on {screen}?",
      "What is the angle between the light of {source} and of {other} after {body}?")),
    (r"(?=.*\b(?:colou?r|wavelength)s?\b).*\b(?:bend|bent|bends|deviat\w+|refract\w+|angle|steep\w*)",
     ("What is the deviation of {bending} from {source}?",
      "What is the deviation of {bending} from {other}?",
      "What is the deviation of {bending}?")),
    (r"(?=.*\b(?:colou?r|wavelength)s?\b).*\b(?:most|highest|strongest|brightest|first|least)\b",
     ("What is the spectrum at {screen}?", "Which wavelengths reach {screen}?",
      "How much power reaches {screen} from {source}?")),
    (rf"(?=.*\b(?:{_TIR})\b).*\b(?:{_THRESHOLD})\b",
     ("What is the critical angle of {glass}?", "Is there total reflection in {glass}?",
      "Which rays are near the critical angle?")),
    (rf"(?:what|which) (?:refractive )?ind\w+.*\b(?:{_THRESHOLD})\b",
     ("How does the power at {screen} depend on the refractive index of {glass}?",)),
    (rf"(?:what|which) (?:angle|rotation|tilt|orientation).*\b(?:{_THRESHOLD})\b",
     ("How does the power at {screen} depend on the angle of {body}?",)),
    (rf"(?:what|which) (?:position|place|distance|x|y)\b.*\b(?:{_THRESHOLD})\b",
     ("How does the power at {screen} depend on the x of {body}?",)),
    (rf"\b(?:{_LOST})\b.*\b(?:edge|face|side|surface|interface)",
     ("How much power arrives at edge {edge} of {body}?",
      "How much power enters through edge {edge} of {body}?",
      "What is the reflectance of {body}?")),
    (r"reflect(?:ance|ivity).*\b(?:edge|face|side)|(?:edge|face|side).*\breflect",
     ("How much power arrives at edge {edge} of {body}?",)),
    (r"\b(?:lost|los[es]\w*|absorb\w*)\b.*\b(?:bounce|reflection)",
     ("How much power is absorbed by {body}?", "What share of the light does {body} reflect?",
      "What is the largest number of reflections of one ray inside {body}?")),
    (r"\b(?:lost|los[es]\w*)\b.*\b(?:at|in|on|by)\b",
     ("How much power is absorbed by {named}?", "What is the transmittance of {named}?")),
    (r"\bspot\b",
     ("What is the RMS radius of the spot on {screen} from {coloured}?",)),
    (r"\bfocus\w*",
     ("What is the distance of the focus from {last} from {coloured}?",
      "How wide is the spot at the focus of {last} from {coloured}?")),
    (r"\bmagnif\w+.*\btelescope|\btelescope.*\bmagnif\w+",
     ("What is the angular magnification of {last}?",)),
)  # fmt: skip
"""How people ask, and the questions to offer for it, with the objects that a sentence is about:
``first`` and ``second`` that it names, the ``named`` one that changes light, ``body``, or else the
``last`` that light meets; ``bending`` is the body, or else the first that bends light; ``source``
and ``other`` are the first two sources, ``coloured`` is one that it names.
"""


def possible_questions(sentence: Sentence) -> Iterator[str]:
    """The questions that a casual way to ask may mean."""
    about = _what_it_is_about(sentence)
    for said, questions in REWORDINGS:
        if re.search(said, sentence.text, re.IGNORECASE):
            for question in questions:
                try:
                    yield question.format(**about)
                except KeyError:
                    continue


def _what_it_is_about(sentence: Sentence) -> dict[str, str]:
    """The objects of a sentence by their role in `REWORDINGS`."""
    document = sentence.document
    named = []
    for piece in sentence.pieces:
        found = [piece.thing] if piece.thing is not None else []
        if not found and piece.noun:
            found = [*things_of(piece.noun, document)]
        if len(found) == 1 and found[0] not in named:
            named.append(found[0])
    about: dict[str, str] = {}
    if len(named) > 1:
        ends = [t.title for t in named[-2:]]
        about |= {"first": ends[0], "second": ends[1]}
        about["path"] = " > * > ".join(map(quoted_name, ends))
    sources = [t for t in named if isinstance(t, Source)]
    all_sources = things_of("source", document) if len(sources) < 2 else []
    for role, source in zip(
        ("source", "other"), dict.fromkeys([*sources, *all_sources]), strict=False
    ):
        about[role] = source.title
    if sources:
        about["coloured"] = sources[0].title
    guides = [
        t.title
        for t in named
        if SLOTS["lens"].fits(t) and (isinstance(t, System) or not SLOTS["screen"].fits(t))
    ]
    last = last_on_path(SLOTS["lens"].candidates(document), document)
    if last:
        about["last"] = last
    if guides:
        about |= {"body": guides[0], "named": guides[0]}
    elif last:
        about["body"] = last
    bending = [o.title for n in ("grating", "prism") for o in things_of(n, document)]
    if first := next(iter([*guides, *bending]), last):
        about["bending"] = first
    for role, fitting in (
        ("screen", [t.title for t in named if SLOTS["screen"].fits(t)]),
        ("glass", [t.title for t in named if isinstance(t, GlassBody)]),
    ):
        if titles := fitting or SLOTS[role].candidates(document):
            about[role] = titles[0]
    if edge := next((p.edge for p in sentence.pieces if p.edge), ""):
        about["edge"] = edge
    return about


def split_comparison(sentence: Sentence) -> tuple[str, str, str] | None:
    """For a sentence that compares two objects: it without the second one, and their names."""
    named = [p for p in sentence.pieces if p.thing is not None]
    if len(named) != 2 or not re.search(rf"\b(?:{_COMPARED})\b", sentence.text, re.IGNORECASE):
        return None
    first, second = named
    assert first.thing is not None
    assert second.thing is not None
    without = re.sub(rf"\b(?:{_COMPARED})\b", " ", sentence.text, flags=re.IGNORECASE)
    without = re.sub(
        rf"\b(?:(?:and|to|with|at|in|of|on|than) )*(?:the )?{re.escape(second.text)}\b",
        " ",
        without,
    )
    return without, first.thing.title, second.thing.title


def with_last_for_whole(text: str, document: Document) -> str:
    """A sentence about a system as a whole, about the group of its lenses, or the last object that
    light meets; empty for others.
    """
    lenses = {o.key for o in document.scene.objects if isinstance(o, IdealLens | SphericalLens)}
    groups = [name for name, keys in document.groups.items() if len(keys & lenses) > 1]
    last = last_on_path(SLOTS["lens"].candidates(document), document)
    whole = groups[0] if len(groups) == 1 else last
    named = any(_WHOLE.search(o.title) for o in document.scene.objects)
    return _WHOLE.sub(whole, text) if whole and not named and _WHOLE.search(text) else ""


def parts_of(text: str) -> list[str]:
    """The parts of a compound sentence; the whole of one that is none."""
    parts = [part for part in _JOINT.split(text.strip(" .?!")) if part.strip()]
    return [_SUPPOSED.sub("", parts[0]), *parts[1:]] if len(parts) > 1 else parts


def change_and_measure(text: str) -> tuple[str, str] | None:
    """The change and the question of *question if change*."""
    match = _IF.fullmatch(text.strip(" .?!"))
    return (match["change"], match["measure"]) if match else None


def without_verdict(text: str) -> str:
    """A question without what asks whether something becomes better or worse."""
    return " ".join(_VERDICT.sub(" ", text).split())


def unknown_glass(sentence: Sentence) -> tuple[str, list[str]] | None:
    """The name of a glass in a sentence that is not in the catalogue, and the names near it."""
    if not _OF_GLASS.search(sentence.text):
        return None
    known = {fold_name(name): name for name in shipped_materials()}
    titles = {word.lower() for title in sentence.things for word in title.split()}
    for word in re.findall(r"[\w-]+", sentence.text):
        if not _GLASS_NAME.fullmatch(word) or fold_name(word) in known or word.lower() in titles:
            continue
        if word.lower() in NOUNS or re.fullmatch(r"[nsewxyr]\d+", word, re.IGNORECASE):
            continue
        holding = [name for key, name in known.items() if fold_name(word) in key]
        like = difflib.get_close_matches(fold_name(word), known, 4, 0.5)
        return word, list(dict.fromkeys([*holding, *(known[key] for key in like)]))[:4]
    return None
