"""The evidence for an answer: facts from tool results, from the scene and from the question, and
the names of objects, edges and ray sets.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from raybench.agent.answer_check.claims import SourceCall, singular
from raybench.agent.answer_check.facts import (
    MOST_TEXT_CHARACTERS,
    SCENE_PATH,
    VARIED_ARGUMENTS,
    Fact,
    FactReader,
    RecordContext,
)
from raybench.agent.call.outcome import ToolOutcome
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene import RELATIVE
from raybench.scene.codec import fields_to_json
from raybench.scene.document import Document
from raybench.scene.labels import NO_LABELS, labelled_edges

MOST_FACTS = 5_000
"""Maximum facts that are taken from one result."""
MOST_IN_ALL = 20_000
"""Maximum facts of a conversation; then the oldest are dropped."""
MOST_WORD_CHARACTERS = 200_000
MOST_OBJECTS = 300


@dataclass
class Evidence:
    """The facts that support an answer, the names of objects, edges and ray sets, and the words of
    all sources.
    """

    facts: deque[Fact] = field(default_factory=lambda: deque(maxlen=MOST_IN_ALL))
    sets: dict[str, SourceCall | None] = field(default_factory=dict)
    words: str = ""
    calls: list[tuple[SourceCall, frozenset[str]]] = field(default_factory=list)
    """The tool calls, each with the objects that its arguments or its result name."""
    names: dict[str, str] = field(default_factory=dict)
    """The names of the objects, each with the noun of its kind."""
    sources: set[str] = field(default_factory=set)
    """The names of the light sources."""
    edges: set[str] = field(default_factory=set)
    """The labels of the edges of glass."""
    nouns: Counter[str] = field(default_factory=Counter)
    """How many objects of the scene each noun stands for."""
    pattern: re.Pattern[str] = re.compile(r"(?!)")
    """Finds the names of objects in a text, the longest first."""
    unit: str = "mm"
    power_unit: str = RELATIVE
    _scene: Document | None = None

    def add_scene(self, document: Document) -> None:
        """Add the names and fields of the objects of a scene."""
        if document is self._scene:
            return
        self._scene, self.unit, self.power_unit = document, document.unit, document.power_unit
        objects = document.scene.objects[:MOST_OBJECTS]
        for thing in (t for o in objects for t in (o, *document.scene.parts_of(o))):
            if thing.title not in self.names:
                self._add_name(thing)
        if self.names:
            longest = sorted(self.names, key=len, reverse=True)
            self.pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
        for o in objects:
            fields = fields_to_json(o, {})
            if isinstance(o, GlassBody):
                labels = document.edge_labels.get(o.key, NO_LABELS)
                self.edges.update(edge.title for edge in labelled_edges(o, labels))
                fields["n"] = o.uniform_index(None)
            texts = {k: v for k, v in fields.items() if isinstance(v, str)}
            self._add_words("\n".join(texts.values()))
            record = RecordContext(None, frozenset({o.title}), path=SCENE_PATH)
            self._add_facts(fields if o.optical else texts, "", record)
        for part in document.parts:
            owners = frozenset({document.part_name(part)})
            self._add_facts(
                part.preset.describe(self.unit), "", RecordContext(None, owners, path=SCENE_PATH)
            )
        count = len(document.scene.objects)
        self.facts.append(Fact(count, count, "count", "object"))

    def add_text(self, text: str) -> None:
        """Add the numbers, names and ray sets in a text, such as the question."""
        self._add_words(text)
        self.sets |= dict.fromkeys(re.findall(r"\bR\d+\b", text))
        self._add_facts(text[:MOST_TEXT_CHARACTERS], "", RecordContext())

    def add_outcomes(self, outcomes: Iterable[ToolOutcome]) -> None:
        """Add the results and the arguments of tool calls."""
        for outcome in outcomes:
            given, rays = outcome.arguments, outcome.rays
            call = SourceCall(outcome.tool, given, rays.name if rays is not None else "")
            named = self.owners_named_in(f"{given}\n{outcome.notes}\n{outcome.preview}")
            self.calls.append((call, named))
            owners = self.names.keys() & {v for v in given.values() if isinstance(v, str)}
            varied = self.owners_named_in(
                "\n".join(str(given[k]) for k in VARIED_ARGUMENTS & given.keys())
            )
            record = RecordContext(call, frozenset(owners), path=outcome.tool, varied=varied)
            if rays is not None and rays.name:
                self.sets[rays.name] = call
                owned = record.owners | self.owners_named_in(rays.question)
                self.facts.append(Fact(len(rays), len(rays), "count", "ray", owned, call))
            for name, value in given.items():
                self._add_facts(value, name, RecordContext())
            if outcome.ok:
                self._add_words(f"{outcome.tool}\n{outcome.notes}\n{outcome.preview}")
            self._add_facts(_summary_records(outcome.preview), "", record)
            before = len(self.facts)
            self._add_facts(outcome.display_values, outcome.tool, record)
            self._add_finding(outcome.notes, record, before)

    def add_ray_sets(self, names: Iterable[str]) -> None:
        """Add the names of ray sets from earlier turns."""
        for name in names:
            self.sets.setdefault(name, None)

    def _add_name(self, thing: SceneObject) -> None:
        self.names[thing.title] = thing.noun
        self._add_words(thing.noun)
        nouns = {singular(thing.noun.split(" ")[-1]), last_noun(thing.title), "object"}
        if isinstance(thing, Source):
            self.sources.add(thing.title)
            nouns.add("source")
        self.nouns.update(nouns)

    def _add_words(self, text: str) -> None:
        self.words = f"{self.words}\n{text[:MOST_TEXT_CHARACTERS].casefold()}"[
            -MOST_WORD_CHARACTERS:
        ]

    def _add_facts(self, values: Any, key: str, record: RecordContext) -> None:
        facts = FactReader(self.pattern, self.unit, self.power_unit).read(values, key, record)
        self.facts.extend(islice(facts, MOST_FACTS))

    def _add_finding(self, sentence: str, record: RecordContext, known: int) -> None:
        """Add the lengths and angles in the sentence of a result that are not among its values. The
        values are the facts from the index ``known`` on.
        """
        values = np.array([f.written for f in islice(self.facts, known, None)], float)
        reader = FactReader(self.pattern, self.unit, self.power_unit)
        for fact in islice(reader.read(sentence, "", record), MOST_FACTS):
            is_new = not np.any(np.abs(values - fact.written) <= 5e-3 * abs(fact.written))
            if is_new and fact.dimension in ("length", "angle"):
                self.facts.append(fact)

    def contains(self, words: str) -> bool:
        """Whether the words occur in the question or in a result, or are the name of an object."""
        words = words.casefold()
        return words in self.words or any(words == name.casefold() for name in self.names)

    def owners_named_in(self, text: str) -> frozenset[str]:
        return frozenset(self.pattern.findall(text))


def last_noun(name: str) -> str:
    """The last word of a name in lower case, without a trailing number or letter."""
    return re.split(r"[ /]", re.sub(r"(?:\W+\w|[\W\d_]+)$", "", name))[-1].lower()


def _summary_records(preview: str) -> dict[str, list[dict[str, Any]]]:
    """The records in the summary of a preview, by tag. Only the model reads the summary."""
    records: dict[str, list[dict[str, Any]]] = {}
    for summary in re.findall(r"<summary>(.*?)</summary>", preview, re.DOTALL):
        for tag, attributes in re.findall(r"<(\w+) ([^<>]*)/>", summary):
            values = dict[str, Any](re.findall(r'(\w+)="([^"]*)"', attributes))
            numbers = {k: float(v) for k, v in values.items() if re.fullmatch(r"-?[\d.]+", v)}
            records.setdefault(tag, []).append(values | numbers)
    return records
