"""Glasses in sentences that are not in the catalogue."""

import difflib
import re

from raybench.agent.questions.objects import NOUNS
from raybench.agent.questions.sentence import Sentence
from raybench.materials.catalogue import shipped_materials
from raybench.materials.database import fold_name

_GLASS_NAME = re.compile(r"(?:[A-Z]-)?[A-Z]{1,5}\d{1,3}[A-Z]{0,3}", re.IGNORECASE)
_OF_GLASS = re.compile(
    r"\b(?:made|make|material|glass|swap|replace|change|switch|use|using|set|out of|instead)\b",
    re.IGNORECASE,
)


def find_unknown_glass(sentence: Sentence) -> tuple[str, list[str]] | None:
    """The name of a glass in a sentence that is not in the catalogue, and similar names that are."""
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
