"""The words of questions: which have a meaning of their own, which mean the same, and how a
mistyped word is corrected.
"""

import re
import threading
from collections.abc import Collection
from functools import cache

import snowballstemmer


def split_words(text: str) -> frozenset[str]:
    """The words of a text, spelled as they are."""
    return frozenset(text.split())


STOP = split_words(
    "teh hte used "
    "a about actually again all also am an and any are as at be been being but by can could "
    "currently d did do does doing each every for from get gets getting give gives giving had "
    "has have hello here hey hi i in into is it its just know let like ll lot m maybe me my "
    "need now of ok okay on onto or our out over please pls plz quickly re really s simply so "
    "some tell than thanks thank that the their them then there these they thing this those to "
    "too u up us using very via want was we well were whats will with would wanna you your "
    "compute calculate value determine give got"
)
"""Words without a meaning of their own in a question."""
SOFT = split_words(
    "wich "
    "scene setup beam between display find halfway highlight light list one "
    "point possible ray see show single take took visible what where which who how whose back"
)
"""Words of little meaning: they choose between examples, but none is needed."""
_PHRASES = tuple(
    (re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])"), f" {meaning} ")
    for pattern, meaning in (
        (r"(?:is|are|was|were|do|does|did|has|have|can|could|would|will|should)n['’]?t", "not"),
        (r"cannot|can['’]t|won['’]t|never|no", "not"),
        (r"what['’]?s|whats", "what"),
        (r"where['’]?s|wheres", "where"),
        (r"(?:and )?if (?:not|so|yes|any)", ","),
        (r"(?:sends?|throws?|thrown|sent) back", "reflect"),
        (r"how many times|how often", "times"),
        (r"f[ -]?(?:number|ratio|stop)|f/?#|focal ratio", "fnumber"),
        (r"(?:by )?how many (?:mm|millimet\w+|cm|degrees|nm|nanomet\w+)", "howmuch"),
        (r"how many|number of|count of", "count"),
        (r"how much of(?: the)?(?: (?:sun)?light| power| energy)?", "power"),
        (
            r"(?:how much|(?:the )?amount of)(?= (?:[\w\ue000-\uf8ff-]+ )?(?:sunlight|light|power|energy|radiation))",
            "power",
        ),
        (r"how much(?= (?:[\w\ue000-\uf8ff]+ )?(?:(?:still|is|gets?|does|of it|actually) )*(?:lost|left|(?:in|on)?to|arriv|reach|hits?|escap|surviv|remain|com(?:es?|ing)|goe?s?"
         r"|leak|pass|transmit|through|back|lands?|out))", "power"),
        (r"(?:gets?|got|makes? it|comes?|passe?s?|lets?(?: \w+)?) through", "go through"),
        (r"how much (?:wider|broader|bigger|larger|smaller|narrower)(?!.*\b(?:look|appear|seem))", "width"),
        (r"how much (?:brighter|stronger|weaker|dimmer)", "power"),
        (r"(?:by )?how much", "howmuch"),
        (r"(?:all|every bit)(?: of)?(?: the)? (?:light|power|rays)|every ray|(?:whole|entire|full) (?:beam|bundle|light)", "allof light"),
        (r"(?:hits?|meets?|strikes?|reach(?:es)?) (?:nothing|no object)", "escape"),
        (r"gets? (?:the )?(more|most|less|least) (?:light|power)", r"power \1 reach"),
        (r"how far(?: away)?", "distance"),
        (r"how (?:large|big|small)", "large"),
        (r"how (?:strong|bright|intense)", "strong"),
        (r"how (?:wide|broad)", "width"),
        (r"comes? to (?:an? |the |its )?focus", "focus cross"),
        (r"gets? (?:to|onto|on|into)|com(?:es?|ing)(?: in)? (?:to|at)|makes? it to|ends? (?:up )?(?:on|at|in)|falls? on(?:to)?"
         r"|(?:shines?|lands?|strikes?|incident) on", "reach"),
        (r"(?:comes?|goes?|go|gets?|coming|going) out(?: of)?|(?:comes?|bounces?) off|emerg\w+ from", "leave"),
        (r"(?:shift|mov|offset|displac)\w* (?:sideways|laterally|to the side)|lateral(?:ly)? (?:shift|offset)\w*|sideways (?:shift|offset)", "displace"),
        (r"out of focus", "defocus"),
        (r"(?:put|place|bring) (?:the|it)|(?:put|place|bring) (?=[\ue000-\uf8ff])", "move"),
        (r"ends? up", "go"),
        (r"leak(?:s|ing)? out|gets? out|leaves? the (?:scene|setup|system)", "escape"),
        (r"total(?:ly)?(?: internal(?:ly)?)? reflect(?:ions?|ed|s)?|tir", "tir"),
        (r"(?:effective )?refractive ind(?:ex|ices)|ind(?:ex|ices) of refraction", "index"),
        (r"focal (?:point|spot)", "focus"),
        (r"(?:effective|measured|combined) focal length|efl", "focal length"),
        (r"numerical apertures?", "na"),
        (r"bfl|bfd|back focal (?:length|distance)|back focus", "rear focal length"),
        (r"ffl|ffd|front focal (?:length|distance)", "front focal length"),
        (r"in front of|upstream of", "before"),
        (r"get rid of|take (?:out|away)|taken (?:out|away)", "delete"),
        (r"(?:clear|free)(?: aperture| diameter)", "diameter"),
        (r"(?:counter|anti)-?\s?clockwise|ccw", "counterclockwise"),
        (r"cw", "clockwise"),
        (r"time of flight|transit time|travel time", "time"),
        (r"ray paths?|light paths?", "path"),
        (r"radiation (?:force|pressure)|light pressure", "radiation pressure"),
        (r"(?:edges?|corners?|margin) of (?:the )?field", "field"),
        (r"comes? together|converges?|meet(?= +(?:between|behind|after)\b)", "focus cross"),
    )
)  # fmt: skip
"""Phrases, and the words that they stand for."""
_OFF = re.compile(
    r"\b(?:switch|turn)(?:ed|ing|es|s)?\b((?:(?!\b(?:so|until)\b).)*?)\b(off|on(?! (?:the|its)\b))\b|\b(?:switch|turn) (on)\b"
)
_TAKE_AWAY = re.compile(r"\btake (.+?) (?:away|out)\b")
_SYNONYMS = {
    "reach": "hit strike struck arrive meet met receive illuminate", "inside": "within", "power": "energy brightness intensity flux",
    "share": "fraction percentage percent proportion portion part", "lost": "lose loss lossy", "leave": "exit emerge outgoing",
    "behind": "after beyond past", "large": "big size small tiny huge", "width": "wide broad wider widest broader", "thickness": "thick",
    "deviate": "deflect bend bent", "rotate": "turn tilted spin pivot", "move": "shift push slide nudge translate",
    "delete": "remove erase gone", "duplicate": "copy clone", "disable": "deactivate", "enable": "activate",
    "set": "adjust change alter modify swap replace exchange different tune", "add": "insert place put create", "make": "made build built",
    "undo": "revert", "material": "glasstype", "polarized": "polarised polarisation", "unpolarized": "unpolarised",
    "spolarized": "s-polarized s-polarised", "ppolarized": "p-polarized p-polarised", "irradiance": "illuminance",
    "peak": "maximum max maximal", "largest": "greatest highest biggest most maximum steepest", "smallest": "least lowest minimum minimal min",
    "mean": "average", "strongest": "brightest dominant", "weakest": "dimmest faintest darkest", "strong": "bright intense powerful", "weak": "dim faint weaker",
    "escape": "leak", "miss": "avoid", "cross": "intersect", "go": "goes went end", "distance": "far separation spacing",
    "object": "thing element component part body item surface", "color": "colour", "transmit": "transmission",
    "transmittance": "transmission transmissivity", "reflect": "bounce", "absorb": "absorption", "block": "obstruct obscure obscuration obstruction shadow shade", "emit": "emission send sent",
    "throughput": "vignetting", "focus": "focussed", "magnify": "magnification enlargement", "chromatic": "chroma", "diverge": "spread",
    "appear": "apparent seem", "rear": "back", "depend": "vary", "minimise": "minimize", "maximise": "maximize", "ghost": "flare",
    "limit": "restrict", "read": "measure", "gap": "clearance", "uniformity": "homogeneous even", "tilt": "inclination slope",
    "edge": "face side", "center": "centre middle", "stable": "stability", "height": "high tall", "deep": "depth",
    "happen": "occur", "conserve": "conservation", "source": "lamp", "normal": "perpendicular", "curvature": "curved", "times": "time", "beam": "bundle",
    "toward": "towards closer nearer", "away": "further farther", "accurate": "accuracy precise precision", "efficient": "efficiency",
    "sensitive": "sensitivity",
}  # fmt: skip
_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = threading.Lock()
"""The stemmer holds the word that it works on."""
_IRREGULAR = {
    "lenses": "lens",
    "foci": "focus",
    "focal": "focus",
    "radii": "radius",
    "indices": "index",
    "hottest": "hot",
    "visibility": "contrast",
}


@cache
def word_stem(word: str) -> str:
    """A word without its ending: both *reaches* and *reaching* become *reach*."""
    with _STEMMING:
        return str(_STEMMER.stemWord(_IRREGULAR.get(word, word)))


_CANONICAL = {
    word_stem(word): word_stem(meaning)
    for meaning, words in _SYNONYMS.items()
    for word in words.split()
}
_STOP = frozenset(map(word_stem, STOP)) | STOP
_SOFT = frozenset(map(word_stem, SOFT))


def canonical_word(word: str) -> str:
    """The one word that stands for all words of the same meaning; empty for a word without a
    meaning of its own, such as *the*.
    """
    stemmed = word_stem(word.removesuffix("'s").removesuffix("’s").strip("'’"))
    if word in STOP or stemmed in _STOP:
        return ""
    return _CANONICAL.get(stemmed, stemmed)


def has_little_meaning(word: str) -> bool:
    """Whether a canonical word means so little that a sentence need not contain it."""
    return word in _SOFT


def with_phrases_replaced(text: str) -> str:
    """The text in lower case, with known phrases replaced by single words of the same meaning."""
    text = _OFF.sub(lambda m: f"{'disable' if m[2] == 'off' else 'enable'} {m[1] or ''}", text)
    text = _TAKE_AWAY.sub(r"delete \1", text)
    for pattern, meaning in _PHRASES:
        text = pattern.sub(meaning, text)
    return text


WORD = re.compile(r"[a-zµ][a-z0-9µ'’#-]*")


def canonical_words(text: str) -> tuple[str, ...]:
    """The canonical words of a text, including those with little meaning."""
    found = (canonical_word(word) for word in WORD.findall(with_phrases_replaced(text.lower())))
    return tuple(dict.fromkeys(word for word in found if word))


def correct_word(word: str, vocabulary: Collection[str]) -> str:
    """The word of a vocabulary that a mistyped word probably stands for; the word itself if none is
    similar.
    """
    from rapidfuzz import fuzz, process

    if len(word) < 4 or word in vocabulary or not word.isalpha():
        return word
    found = process.extractOne(word, vocabulary, scorer=fuzz.ratio, score_cutoff=84)
    like = found[0] if found is not None and word[2:] != found[0] else word  # unstable, stable
    return like if abs(len(like) - len(word)) <= 2 else word


_IN_PHRASES = {w for pattern, _ in _PHRASES for w in re.findall(r"[a-z]{3,}", pattern.pattern)}
KNOWN = (
    STOP | SOFT | _SYNONYMS.keys() | split_words(" ".join(_SYNONYMS.values()))
    | split_words("switch turn") | _IN_PHRASES | {word.removesuffix("s") for word in _IN_PHRASES}
)  # fmt: skip
"""Words that are understood beside those of examples."""
ASKING = frozenset(
    map(canonical_word, ("what", "which", "where", "who", "how", "howmuch", "whose"))
)
"""Words of questions, which no request for an edit has."""
