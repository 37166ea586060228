"""The slots of example questions: what can fill a slot in a sentence, and its text in a question
that is suggested.
"""

import difflib
import math
import re
from collections.abc import Callable, Mapping
from functools import cache

from raybench.agent.questions.example import (
    LENGTHS,
    Match,
    Slot,
    Unclear,
    value_beyond_bound,
    value_in_unit,
)
from raybench.agent.questions.objects import (
    LIKELY,
    NOUNS,
    Thing,
    last_object_on_path,
    meets_light,
    nearest_to,
    objects_for_noun,
    things_by_name,
    whole_system,
    words_of_name,
)
from raybench.agent.questions.sentence import Number, Piece
from raybench.analysis.measures.bound import bind_measures, can_be_argument
from raybench.analysis.measures.measure import BundleChoice, Parameter, Role
from raybench.analysis.paths.path_pattern import quoted_name
from raybench.analysis.scene.objects import System
from raybench.errors import list_choices, list_possible_names
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.custom_surfaces import CustomSurfaceBase
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH, METRES, Description, Field, described_fields
from raybench.kinds.glasses import CircleGlass, GlassBody
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Beam, Source
from raybench.lens.in_document import lens_systems
from raybench.lens.seidel import SEIDEL_SUMS
from raybench.materials.catalogue import shipped_materials
from raybench.materials.database import searchable_name
from raybench.optics.colour import COLOURS
from raybench.presets.preset import Preset
from raybench.scene.changes.quantity import format_with_unit
from raybench.scene.changes.values import json_at_path
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.settings import Settings
from raybench.shapes.shape import Line

Values = Mapping[str, str]


class ObjectSlot(Slot):
    """A slot for an object that the function ``fits`` accepts. ``noun`` is the word for objects
    that the slot may choose if no name is given.
    """

    phase = 0

    def __init__(self, fits: Callable[[Thing], bool], noun: str = "") -> None:
        self.fits, self.noun = fits, noun
        self.asked = f"Which {noun or 'object'}"

    def candidate_titles(self, document: Document) -> list[str]:
        """The titles of the objects that the slot may choose if the sentence names none."""
        if self.noun:
            return self._titles_for_noun(self.noun, document)
        enabled = (o for o in document.scene.objects if o.key not in document.disabled)
        return [o.title for o in enabled if self.fits(o)]

    def _titles_for_noun(self, noun: str, document: Document) -> list[str]:
        """The titles of the objects that a noun stands for; *the lens* is a lens system, if any."""
        systems = lens_systems(document) if noun == "lens" else ()
        whole = things_by_name(document) if systems else {}
        fitting = [t for t in systems if t in whole and self.fits(whole[t])]
        parts = NOUNS[noun].objects_in(document) if noun in NOUNS else []
        for found in (objects_for_noun(noun, document), parts):
            fitting = fitting or [o.title for o in found if self.fits(o)]
        return fitting

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        taken = set(match.values.values())
        words = match.example.words - {p.word for p in match.left if p.kind == "word"}
        named = [p for p in match.left if p.kind == "thing" and self.fits(p.value)]
        first = [p for p in named if p.value.title not in taken and p.word not in words - {""}]
        first.sort(key=lambda p: p.spare)
        if not first and len(named) > 1:  # a name that is a word of the question, after that
            first = named[-1:]
        if first:
            piece = first[-1] if first[0].spare else first[0]
            match.drop_piece(piece)
            match.fill_slot(name, piece.value.title)
            return
        for piece in match.left if needed or self.noun else ():
            if piece.kind != "noun":
                continue
            titles = self._titles_for_noun(piece.value, match.document)
            titles = [t for t in titles if t not in taken]
            if (
                titles
                and piece.text != piece.value
                and len(titles) == self._number_of_open_slots(match)
            ):
                match.fill_slot(name, titles[0])
                if len(titles) == 1:
                    match.drop_piece(piece)
                return
            if titles and not (piece.word in words and len(titles) > 1):
                match.drop_piece(piece)
                if piece.value in LIKELY and piece.value not in words_of_name(titles[0]):
                    match.choices[name] = titles
                else:
                    self._choose_object(name, titles, match)
                return
            if not titles and needed and piece.word not in words:
                match.problem = f"There is no {piece.value} in this scene."
        titles = (
            [t for t in self.candidate_titles(match.document) if t not in taken] if needed else []
        )
        if titles:
            match.defaulted.append(name)
            each = self.noun and len(titles) == self._number_of_open_slots(match)
            self._choose_object(name, titles[:1] if each else titles, match)

    def _number_of_open_slots(self, match: Match) -> int:
        """The number of slots without a value that must have one and accept the same objects, such
        as the two mirrors of a cavity.
        """
        slots = match.example.slots
        names = match.example.needed_slots - match.given.keys()
        return sum(isinstance(s := slots[n], ObjectSlot) and s.noun == self.noun for n in names)

    def _choose_object(self, name: str, titles: list[str], match: Match) -> None:
        if len(titles) == 1:
            match.fill_slot(name, titles[0])
        else:
            match.choices[name] = titles

    def suggest_text(self, match: Match, name: str, values: Values) -> str | None:
        document = match.document
        titles = match.choices.get(name) or self.candidate_titles(document)
        named = (
            match.sentence.pieces_of_kinds("thing", "noun") if match.sentence is not None else [1]
        )
        whole = whole_system(document) if self.noun == "lens" and not named else None
        if "order" in match.given:
            return next(iter(SLOTS["grating"].candidate_titles(document)), None)
        if isinstance(whole, System) and self.fits(whole):
            return whole.title
        if not self.noun:
            arriving = {"reach", "arriv"} & match.example.words or (
                "second" in match.example.slots and name not in ("first", "second")
            )
            likely = SLOTS["screen" if arriving else "lens"].candidate_titles(document)
            mirrors = [o.title for o in objects_for_noun("flat mirror", document)]
            likely = mirrors if name in ("first", "second") and len(mirrors) > 1 else likely
            titles = [t for t in likely if t in titles] or titles
        free = [t for t in titles if t not in values.values()]
        moved = match.sentence.things.get(values.get("object", "")) if match.sentence else None
        if name == "target" and moved is not None:
            others = [o for o in document.scene.objects if SLOTS["acting"].fits(o) and o != moved]
            return next((o.title for o in nearest_to(moved, others, document)), None)
        source = match.given.get("source_name", match.given.get("source"))
        last = last_object_on_path(free, document, str(source)) if self.noun == "lens" else ""
        return last or next(iter(free), None)


_LASERS = {
    "violet": 405.0,
    "blue": 473.0,
    "green": 532.0,
    "yellow": 589.0,
    "orange": 610.0,
    "red": 650.0,
}
"""Usual wavelengths of sources of a colour, nm."""


class NumberSlot(Slot):
    """A slot for a number from ``least`` to ``most`` in a ``unit``, or for a ``whole`` number.
    ``example`` is its text in suggested questions.
    """

    value = True

    def __init__(
        self,
        unit: str,
        example: str,
        asked: str = "",
        whole: bool = False,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> None:
        self.unit, self.example, self.whole = unit, example, whole
        self.least, self.most = least, most
        self.asked = f"{asked or 'How much'}, such as {example}"

    def _accepts_number(self, number: Number, name: str) -> bool:
        if (number.bound and not name.startswith(number.bound)) or number.axis not in ("", name):
            return False
        if self.unit == "%" or number.unit == "%":
            return number.unit == self.unit
        if self.whole:
            return not number.unit and number.text.isdigit()
        if not self.least <= float(number.text.replace(",", ".")) <= self.most:
            return False
        allowed = {"deg": ("deg", "rad", "mrad"), LENGTH: LENGTHS, "nm": ("nm", "µm")}
        return not number.unit or number.unit in allowed.get(self.unit, ())

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        fitting = [
            p for p in match.left if p.kind == "number" and self._accepts_number(p.value, name)
        ]
        alone = len(fitting) == 1 and not fitting[0].value.axis
        if name in ("x", "y") and alone and not match.given.keys() & {"x", "y"}:
            return  # a place has two coordinates, or says which
        if not fitting:
            colour = next((p for p in match.left if p.typed in COLOURS), None)
            if colour is not None and self.unit == "nm" and needed:
                match.drop_piece(colour)
                match.fill_slot(name, _LASERS[colour.typed], f"{_LASERS[colour.typed]:g} nm")
            return
        piece = min(fitting, key=lambda p: not p.value.unit)
        match.drop_piece(piece)
        number: Number = piece.value
        if number.strict and "strict" in match.example.parameters:
            match.given["strict"] = True
        value = (
            float(number.text.replace(",", "."))
            if self.unit == "%"
            else int(number.text)
            if self.whole
            else value_in_unit(number, self.unit, match.document)
        )
        kind = "angle" if self.unit == "deg" else ""
        value = value_beyond_bound(number, kind, value, match.example.parameters)
        match.fill_slot(name, value, number.with_unit.replace(" deg", "°"))

    def suggest_text(self, match: Match, name: str, values: Values) -> str | None:
        return self.example.replace("mm", match.document.unit)


class TextSlot(Slot):
    """A slot for a piece of one kind. ``example`` is its text in suggested questions, or a function
    that makes it.
    """

    def __init__(
        self, kind: str, example: str | Callable[[Values, Document], str | None], asked: str = ""
    ) -> None:
        self.kind, self.example, self.asked = kind, example, asked

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        if piece := match.take_piece(self.kind):
            match.fill_slot(name, piece.value)

    def suggest_text(self, match: Match, name: str, values: Values) -> str | None:
        example = next(iter(match.choices.get(name, ())), self.example)
        return example if isinstance(example, str) else example(values, match.document)


class WordSlot(TextSlot):
    """A slot whose value a function finds among the words that the example does not contain."""

    phase = 2

    def __init__(
        self,
        taken_by: Callable[[str, Match], None],
        example: str | Callable[[Values, Document], str | None],
        asked: str = "",
        value: bool = False,
    ) -> None:
        super().__init__("", example, asked)
        self._taken_by, self.value = taken_by, value

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        self._taken_by(name, match)


def fill_no_slot(name: str, match: Match) -> None:
    """Fill no slot. It is used for examples that read their sentence as a whole."""


def _take_measures(name: str, match: Match) -> None:
    if piece := match.take_piece("measures"):
        bind_measures(piece.value, match.document)
        match.fill_slot(name, piece.value)


def object_slot_of_kinds(*kinds: type[SceneObject], noun: str = "") -> ObjectSlot:
    return ObjectSlot(lambda thing: isinstance(thing, kinds), noun)


def _can_redirect_light(thing: Thing) -> bool:
    """Whether the object can change the direction of light: it is no detector, aperture or blocker."""
    others = (Detector, Aperture, Blocker, CircleBlocker)
    absorbs = isinstance(thing, CustomSurfaceBase) and not thing.out_rays
    return meets_light(thing) and not isinstance(thing, others) and not absorbs


def edge_labels(thing: Thing | None, document: Document) -> list[str]:
    """The labels of the edges of an object."""
    if not isinstance(thing, SceneObject) or not object_edges(thing):
        return []
    return [e.title for e in labelled_edges(thing, document.edge_labels.get(thing.key, {}))]


def _suggest_edge(values: Values, document: Document) -> str | None:
    by_title = {o.title: o for o in document.scene.objects}
    for title in (*values.values(), *SLOTS["glass"].candidate_titles(document)):
        thing = by_title.get(title)
        if thing is not None and object_edges(thing):
            edge = labelled_edges(thing, document.edge_labels.get(thing.key, {}))[0]
            return f"edge {edge.short} of {title}"
    return None


def _take_body_edge(name: str, match: Match) -> None:
    edge = match.find_piece("edge")
    body = match.find_piece("thing", SLOTS["edged"].fits)
    title = body.value.title if body else ""
    if body is None and (body := match.find_piece("noun")) is not None:
        found = objects_for_noun(body.value, match.document)
        title = found[0].title if len(found) == 1 else ""
    if edge is not None and body is not None and title:
        match.drop_piece(edge)
        match.drop_piece(body)
        match.fill_slot(name, f"{title}:{edge.value}", f"edge {edge.value} of {title}")


class PathSlot(TextSlot):
    """A slot for a path: a path pattern, or the two objects at its ends."""

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        super().take_piece(name, match, needed)
        things = [p for p in match.left if p.kind == "thing"]
        leads = re.search(r"\b(?:from|to|between|through|along)\b", match.text, re.IGNORECASE)
        for noun in [p for p in match.left if p.kind == "noun" and len(things) == 1 and leads]:
            if len(found := objects_for_noun(noun.value, match.document)) == 1:
                match.drop_piece(noun)
                things.append(Piece("thing", noun.text, found[0]))
        if name not in match.given and len(things) == 2 and leads:
            if re.search(rf"\bfrom (?:the )?{re.escape(things[1].text)}", match.text):
                things.reverse()
            for piece in things:
                match.drop_piece(piece)
            match.fill_slot(name, " > * > ".join(quoted_name(p.value.title) for p in things))
        elif name not in match.given and len(things) == 1:
            source = next(iter(SLOTS["source"].candidate_titles(match.document)), "")
            by = any(p.typed in ("arm", "branch") for p in match.left)
            to = re.search(rf"\bto (?:the )?{re.escape(things[0].text)}", match.text)
            if source and (by or to) and things[0].value.title != source:
                match.drop_piece(things[0])
                last = SLOTS["detector"].candidate_titles(match.document)[:1] if by else []
                match.fill_slot(
                    name, " > * > ".join(map(quoted_name, (source, things[0].value.title, *last)))
                )


def _suggest_path_pattern(values: Values, document: Document) -> str | None:
    ends = [SLOTS[kind].candidate_titles(document) for kind in ("source", "detector")]
    return " > * > ".join(quoted_name(titles[0]) for titles in ends) if all(ends) else None


def _take_plural_noun(name: str, match: Match) -> None:
    """Fill a slot with the objects that a plural noun stands for."""
    noun = next((p for p in match.left if p.kind == "noun" and p.text.endswith("s")), None)
    if noun is not None:
        match.drop_piece(noun)
        titles = [o.title for o in objects_for_noun(noun.value, match.document)]
        match.fill_slot(name, titles, noun.text)


def _suggest_plural_noun(values: Values, document: Document) -> str | None:
    plurals = {"lens": "lenses", "mirror": "mirrors", "detector": "detectors", "source": "sources"}
    return next((plurals[noun] for noun in plurals if objects_for_noun(noun, document)), None)


def _take_sentence(name: str, match: Match) -> None:
    match.fill_slot(name, match.text)
    match.left = []


def _take_sql(name: str, match: Match) -> None:
    if re.match(r"(?:select|with)\b.*\bfrom\b", match.text, re.IGNORECASE):
        match.fill_slot(name, match.text.rstrip(";"))
        match.left = []


# --- slots of edits


_LISTED = frozenset([",", "and", "the", "a", "an", "both", "all", "also", "my", "or"])
"""Words between the names of several objects."""


def _take_objects(name: str, match: Match) -> None:
    """Take the first remaining names, up to another word. A noun stands for the only object of its
    kind or, in the plural or after *all*, for several.
    """
    titles: list[str] = []
    every = re.search(r"\b(?:all|both|every|each)\b", match.text, re.IGNORECASE)
    for piece in match.sentence.pieces if match.sentence is not None else ():
        is_object = piece.kind in ("thing", "noun")
        if titles and not is_object and piece.typed not in _LISTED and not piece.spare:
            break
        if not is_object or not any(piece is left for left in match.left):
            continue
        found = [piece.value.title] if piece.kind == "thing" else []
        if piece.kind == "noun":
            found = [o.title for o in objects_for_noun(piece.value, match.document)]
            if not found:
                raise Unclear(f"There is no {piece.value} in this scene.")
            if len(found) > 1 and not every and piece.text == piece.value:
                match.choices[name] = found
        titles += found
        match.drop_piece(piece)
    titles = list(dict.fromkeys(titles))
    if titles and name not in match.choices:
        match.fill_slot(name, titles[0] if len(titles) == 1 else titles, " and ".join(titles))


ABBREVIATED = {
    "f": "focal length",
    "n": "refractive index",
    "d": "diameter",
    "bright": "brightness",
    "thick": "thickness",
}


_OF_LENSES = tuple(
    Field(f"params.{name}", f"params.{name}", 0.0, Description("number", label, unit=LENGTH, words=words))
    for name, label, words in (
        ("r1", "First radius", ("r1", "front radius", "radius of the first surface", "radius of the front surface")),
        ("r2", "Second radius", ("r2", "back radius", "rear radius", "last radius", "radius of the second surface", "radius of the last surface")),
        ("d", "Centre thickness", ("center thickness",)),
    )
)  # fmt: skip
"""The parts of the data of a lens that are set by name."""


def _module_field(name: str) -> Field:
    """The field for a parameter of a module, such as *split ratio* for ``splitRatio``."""
    label = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).capitalize()
    return Field(f"params.{name}", f"params.{name}", 0.0, Description("number", label))


def numeric_fields(obj: SceneObject | Preset | Settings) -> list[Field]:
    """The numeric fields of an object that have an effect, and the numeric parts of the lens data."""
    kinds = ("number", "limit", "coordinate")
    without_effect = kind_row_of(obj).not_shown(obj) if isinstance(obj, SceneObject) else ()
    fields = [
        f
        for f in described_fields(type(obj))
        if f.about.kind in kinds and not f.about.unused and f.name not in without_effect
    ]
    parts = _OF_LENSES if isinstance(obj, SphericalLens) else ()
    if isinstance(obj, ModuleObj):
        parts = tuple(map(_module_field, obj.params or ()))
    return fields + [f for f in parts if json_at_path(obj, f.json_name) is not None]


def find_field(obj: SceneObject | Preset, words: str) -> Field:
    """The field of an object or preset that some words name: by its label, a part of the label, or
    its name in files. Raises Unclear.
    """
    fields = numeric_fields(obj)
    words = ABBREVIATED.get(words.lower(), words.lower())
    exact = [
        f for f in fields if words in (f.about.label.lower(), f.json_name.lower(), *f.about.words)
    ]
    part = [f for f in fields if _words_begin_label(words, f.about.label.lower())]
    if len(candidates := exact or part) == 1:
        return candidates[0]
    title = obj.label if isinstance(obj, Preset) else obj.title
    known = []
    for f in fields:
        value = json_at_path(obj, f.json_name)
        finite = isinstance(value, float) and math.isfinite(value)
        now = f" ({format_with_unit(value, f.about.unit, '').strip()})" if finite else ""
        known.append(f"{f.about.label.lower()}{now}")
    none = f"{title} has no {words} that can be set in words."
    which = f"Which {words} of {title}?" if candidates else none
    raise Unclear(f"{which} It has: {', '.join(known)}." if known else which)


def _words_begin_label(words: str, label: str) -> bool:
    """Whether each of the words is the beginning of a word in a label, such as *thick* for
    thickness.
    """
    parts = re.findall(r"\w+", label)
    return all(
        any(p == w or (len(w) > 3 and p.startswith(w)) for p in parts) for w in words.split()
    )


def has_field(obj: SceneObject, words: str) -> bool:
    """Whether the words name exactly one field of an object."""
    try:
        find_field(obj, words)
    except Unclear:
        return False
    return True


_SETTINGS = {
    "ray density": "rayModeDensity", "density": "rayModeDensity", "image density": "imageModeDensity", "ray depth": "maxRayDepth",
    "max ray depth": "maxRayDepth", "depth": "maxRayDepth", "length scale": "lengthScale", "grid size": "gridSize", "grid": "gridSize",
    "bounces": "maxRayDepth", "number of bounces": "maxRayDepth", "largest depth": "maxRayDepth",
}  # fmt: skip


def width_of_object(thing: Thing) -> float:
    """The diameter of a circle, the width of the opening of an aperture, or the length of a
    straight object or a beam; 0 for any other object.
    """
    if isinstance(thing, Aperture):
        return math.dist(thing.p3, thing.p4)
    if isinstance(thing, Beam | CircleBlocker | CircleGlass):
        return math.dist(thing.p1, thing.p2) * (1 if isinstance(thing, Beam) else 2)
    shapes = [e.shape for e in object_edges(thing)] if isinstance(thing, SceneObject) else []
    return shapes[0].length if len(shapes) == 1 and isinstance(shapes[0], Line) else 0.0


def _remaining_words(match: Match) -> str:
    """The remaining words of a sentence, spelled as the user typed them."""
    words = " ".join(p.typed for p in match.left if p.typed and p.kind != "thing")
    return re.sub(r"^(?:the |a |an )", "", words)


def _take_property(name: str, match: Match) -> None:
    """Fill a slot with the field whose full name the remaining words are."""
    words, title = _remaining_words(match), match.given.get("object")
    thing = match.sentence.things.get(str(title)) if match.sentence is not None else None
    if isinstance(thing, SceneObject) and has_field(thing, words):
        about = find_field(thing, words).about
        if words in (about.label.lower(), *about.words):
            _take_field(name, match)


def _take_field(name: str, match: Match) -> None:
    """Take the field that the remaining words name: a field of the object in the match, or of the
    only object that has it, or a setting of the scene.
    """
    words, title = _remaining_words(match), match.given.get("object")
    if not words or (title is None and "object" in match.example.slots):
        return
    parts = words.split()
    full = [" ".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)]
    full.sort(key=lambda w: -len(w))
    if title is not None:
        thing = match.sentence.things.get(title) if match.sentence is not None else None
        if not isinstance(thing, SceneObject):
            raise Unclear(f"{title} is a group. Which of its objects?")
        named = next((w for w in full if has_field(thing, w)), words)
        match.given[name] = (title, find_field(thing, named))
    elif named := next((w for w in full if w in _SETTINGS), ""):
        place = _SETTINGS[named]
        match.given[name] = (
            "",
            next(f for f in described_fields(Settings) if f.json_name == place),
        )
    else:
        having = [(o, w) for w in full for o in match.document.scene.objects if has_field(o, w)]
        titles = list(dict.fromkeys(o.title for o, _ in having))
        if len(titles) > 1:
            raise Unclear(f"Whose {words}? {list_possible_names(titles)}")
        if not titles:
            settings = [f for f in described_fields(Settings) if f.json_name in _SETTINGS.values()]
            known = list_choices([f.about.label.lower() for f in settings], "and")
            raise Unclear(
                f"Nothing here has a {words} that can be set in words. The scene's own settings are: {known}."
            )
        named = having[0][1]
        match.given[name] = (titles[0], find_field(*having[0]))
    match.values[name] = match.given[name][1].about.label.lower()
    used = named.split()
    match.left = [p for p in match.left if p.kind == "thing" or p.typed not in used]


def _suggest_field(values: Values, document: Document) -> str | None:
    if "object" not in values:
        return "ray density"
    obj = next((o for o in document.scene.objects if o.title == values["object"]), None)
    fields = described_fields(type(obj)) if obj is not None else ()
    labels = (
        f.about.label.lower() for f in fields if f.about.kind == "number" and not f.about.unused
    )
    return next((label for label in labels if obj is not None and has_field(obj, label)), None)


def _take_value(name: str, match: Match) -> None:
    """Fill a slot with a number, converted to the unit of the field."""
    if piece := match.take_piece("number"):
        match.fill_slot(name, piece.value, piece.value.with_unit)


def _suggest_larger_value(values: Values, document: Document) -> str | None:
    """The present value of the field, as the suggested value."""
    if "object" not in values:
        return "0.2"
    obj = next((o for o in document.scene.objects if o.title == values["object"]), None)
    if obj is not None and has_field(obj, values["field"]):
        about = find_field(obj, values["field"])
        now = json_at_path(obj, about.json_name)
        if isinstance(now, int | float) and math.isfinite(now):
            return format_with_unit(now, about.about.unit, document.unit).strip()
    return "10"


_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1), "upward": (0, -1), "downward": (0, 1),
         "upwards": (0, -1), "downwards": (0, 1), "higher": (0, -1), "lower": (0, 1)}  # fmt: skip


def _take_direction(name: str, match: Match) -> None:
    # "up" is no word that a question keeps
    pieces = match.sentence.pieces if match.sentence is not None else ()
    after = [*(p.typed for p in pieces[1:]), ""]
    said = [p for p, then in zip(pieces, after, strict=False) if p.typed in _WAYS and then != "to"]
    # a thing may be named so
    piece = next((p for p in said if p.kind != "thing"), None)
    named = [p for p in match.left if p.kind == "thing"]
    if piece is None and len(named) > 1:
        piece = next((p for p in said[::-1] if any(p is q for q in named)), None)
    if piece is not None:
        match.drop_piece(piece)
        way = f"to the {piece.typed}" if piece.typed in ("left", "right") else piece.typed
        match.fill_slot(name, _WAYS[piece.typed], way)


_TRADE_NAMES = {"acrylic": "PMMA", "plexiglas": "PMMA", "plexiglass": "PMMA", "perspex": "PMMA", "polycarbonate": "PC",
                "bk7": "N-BK7", "silica": "Fused silica", "quartz": "Fused silica"}  # fmt: skip


@cache
def _material_names() -> Mapping[str, str]:
    """The names of all materials in the catalogue, by their simplified spelling."""
    names = {searchable_name(name): name for name in shipped_materials()}
    trade = {
        t: names[searchable_name(name)]
        for t, name in _TRADE_NAMES.items()
        if searchable_name(name) in names
    }
    return trade | names


_GLASS_NAME = re.compile(r"(?:[a-z]-)?[a-z]{1,5}\d{1,3}[a-z]{0,3}", re.IGNORECASE)


def _take_material(name: str, match: Match) -> None:
    """Fill a slot with a material. If its name is unknown, similar names become the choices."""
    known, words = _material_names(), re.findall(r"[A-Za-z][\w-]+", match.text)[::-1]
    taken = (
        {word.lower() for title in match.sentence.things for word in title.split()}
        if match.sentence
        else set()
    )
    coded = [
        w
        for w in words
        if _GLASS_NAME.fullmatch(w)
        and w.lower() not in taken
        and not re.fullmatch(r"[nsewxyr]\d+", w)
    ]
    if written := next((w for w in words if searchable_name(w) in known), next(iter(coded), "")):
        typed = f"{written} {known.get(searchable_name(written), '')}".lower()
        match.left = [p for p in match.left if not _is_part_of_name(p, typed)]
        if searchable_name(written) in known:
            match.fill_slot(name, known[searchable_name(written)])
        else:
            holding = [title for key, title in known.items() if searchable_name(written) in key]
            like = difflib.get_close_matches(searchable_name(written), known, 4, 0.5)
            match.choices[name] = list(dict.fromkeys([*holding, *(known[key] for key in like)]))[:4]
            match.unknown = written


def _is_part_of_name(piece: Piece, typed: str) -> bool:
    """Whether a piece is part of a hyphenated name such as N-BK7."""
    if piece.kind == "number":
        return piece.value.text.lstrip("-") in typed
    return bool(piece.typed) and piece.typed.strip("-") in typed


def _take_title(name: str, match: Match) -> None:
    """Fill a slot with a new name: the words after *to*, spelled as typed."""
    text = match.text.rstrip(" .!")
    if said := re.search(r"\bto [\"'“]?(?!the\b)([\w -]+?)[\"'”]?$", text, re.IGNORECASE):
        match.fill_slot(name, said[1])
        match.left = [p for p in match.left if p.text.lower() not in said[1].lower()]


def _take_frequency(name: str, match: Match) -> None:
    """Fill a slot with a spatial frequency, in lines per scene unit."""
    piece = next(
        (p for p in match.left if p.kind == "number" and p.value.unit in ("", "/mm")), None
    )
    if piece is not None:
        match.drop_piece(piece)
        unit = METRES[match.document.unit] / METRES["mm"] if piece.value.unit else 1
        value = float(piece.value.text.replace(",", ".")) * float(unit)
        match.fill_slot(name, value, piece.text)


def _take_seidel(name: str, match: Match) -> None:
    """Fill a slot with the name of a Seidel sum."""
    words = (
        match.text.lower()
        .replace("lateral colo", "lateral_colo")
        .replace("axial colo", "axial_colo")
    )
    if said := next((s for s in SEIDEL_SUMS if s.removesuffix("ur") in words), None):
        match.fill_slot(name, said)
        match.left = [p for p in match.left if p.kind == "thing" or p.typed not in said]


def _suggest_source(values: Values, document: Document) -> str | None:
    return next(iter(SLOTS["source"].candidate_titles(document)), None)


def _suggest_titles(values: Values, document: Document) -> str | None:
    things = objects_for_noun("lens", document) or [o for o in document.scene.objects if o.optical]
    return things[0].title if things else None


SLOTS: Mapping[str, ObjectSlot] = {
    "any": ObjectSlot(lambda thing: True),
    "object": ObjectSlot(meets_light),
    "lens": ObjectSlot(_can_redirect_light, "lens"),
    "acting": ObjectSlot(_can_redirect_light),
    "edged": ObjectSlot(
        lambda t: not isinstance(t, System | Source) and bool(object_edges(t)), "prism"
    ),
    "imaged": ObjectSlot(lambda t: meets_light(t) or isinstance(t, Source), "lens"),
    "glass": object_slot_of_kinds(GlassBody, noun="glass"),
    "source": object_slot_of_kinds(Source, noun="source"),
    "detector": object_slot_of_kinds(Detector, noun="detector"),
    "screen": object_slot_of_kinds(Detector, Blocker, CircleBlocker, noun="screen"),
    "line": object_slot_of_kinds(Detector, Blocker, noun="detector"),
    "circle": ObjectSlot(lambda t: isinstance(t, CircleBlocker | CircleGlass)),
    "sized": ObjectSlot(lambda thing: width_of_object(thing) > 0),
    "aperture": object_slot_of_kinds(Aperture, noun="aperture"),
    "grating": ObjectSlot(meets_light, "grating"),
}
"""The slots for objects by their kind."""
_OTHERS: Mapping[str, Slot] = {
    "angle": NumberSlot("deg", "10°", "By what angle"),
    "length": NumberSlot(LENGTH, "10 mm", "How far"),
    "coordinate": NumberSlot(LENGTH, "0", "Where"),
    "wavelength": NumberSlot("nm", "546 nm", "What wavelength"),
    "plain": NumberSlot("", "0.1"),
    "index": NumberSlot("", "1.5"),
    "factor": NumberSlot("", "2", "By what factor"),
    "share": NumberSlot("%", "20 %", "By how many percent"),
    "count": NumberSlot("", "3", "How many", whole=True),
    "edge": TextSlot(
        "edge", lambda v, d: (e := _suggest_edge(v, d)) and e.split()[1], "Which edge"
    ),
    "path": PathSlot("path", _suggest_path_pattern),
    "order": TextSlot("order", "1"),
    "lens system": ObjectSlot(lambda thing: isinstance(thing, System), "lens"),
    "frequency": WordSlot(
        _take_frequency, "20 lines/mm", "At what spatial frequency, such as 20 lines/mm", value=True
    ),
    "seidel": WordSlot(_take_seidel, "spherical", "Which Seidel sum"),
    "name": TextSlot("name", "Pair", "Named how"),
    "ray": TextSlot("ray", "r1-0"),
    "sql": WordSlot(_take_sql, lambda v, d: None),
    "body edge": WordSlot(_take_body_edge, _suggest_edge),
    "kinds": WordSlot(_take_plural_noun, _suggest_plural_noun),
    "sentence": WordSlot(_take_sentence, "zoom"),
    "measures": WordSlot(_take_measures, lambda v, d: None),
    "glassindex": NumberSlot("", "1.62", most=9.0),
    "abbe": NumberSlot("", "36", least=9.0),
    "lenskind": WordSlot(fill_no_slot, "lens"),
    "low": WordSlot(fill_no_slot, "-5"),
    "high": WordSlot(fill_no_slot, "5"),
    "objects": WordSlot(_take_objects, _suggest_titles),
    "lamps": WordSlot(_take_objects, _suggest_source),
    "field": WordSlot(_take_field, _suggest_field),
    "value": WordSlot(_take_value, _suggest_larger_value, "To what value", value=True),
    "property": WordSlot(_take_property, lambda v, d: None),
    "way": WordSlot(_take_direction, "to the right", "Which way: left, right, up or down"),
    "material": WordSlot(_take_material, "N-BK7", "Of which glass, such as N-BK7", value=True),
    "title": WordSlot(_take_title, "Front", "Named how"),
}
_OF_PARAMETERS = {
    "object_name": "object", "glass_name": "glass", "detector_name": "detector", "source_name": "source", "aperture_name": "aperture",
    "edge_label": "edge", "hits": "object", "misses": "object", "inside": "glass", "crosses": "glass", "n1": "index", "n2": "index",
    "min_angle": "angle", "max_angle": "angle", "within": "angle", "x": "coordinate", "y": "coordinate", "width": "length",
    "height": "length", "top_n": "count", "max_paths": "count", "min_power": "plain", "max_power": "plain", "pattern": "path",
    "ray_id": "ray", "lens_name": "lens system",
}  # fmt: skip
"""The kinds of slots that do not state one, by the name of their parameter."""


def slot_for_kind(kind: str, parameter: str = "") -> Slot:
    """The slot for a kind of value; if no kind is given, the slot for the parameter."""
    kind = kind or _OF_PARAMETERS.get(parameter, parameter)
    return SLOTS.get(kind) or _OTHERS.get(kind) or SLOTS["object"]


_OF_ROLES = {
    **{Role.ORDER: "order", Role.PATTERN: "path", Role.EDGE: "body edge"},
    **{Role.LENS: "lens system", Role.NUMBER: "plain", Role.SEIDEL: "seidel"},
}


def slot_for_measure(parameter: Parameter, bundles: BundleChoice | None = None) -> Slot:
    """The slot for a parameter of a measure of some ``bundles`` at an object."""
    if parameter.role in _OF_ROLES:
        return _OTHERS[_OF_ROLES[parameter.role]]

    def takes(thing: Thing) -> bool:
        if isinstance(thing, System | ModuleObj):
            return parameter.role in (Role.SYSTEM, Role.OBJECT)
        return (
            thing.optical
            and can_be_argument(thing, parameter.role)
            and (kind is None or kind.fits(thing))
        )

    leaving = bundles not in (None, BundleChoice.ARRIVING) and parameter.role is not Role.SOURCE
    kind = SLOTS["lens"] if leaving else SLOTS["glass"] if parameter.noun == "glass" else None
    return ObjectSlot(takes, "source" if parameter.role is Role.SOURCE else parameter.noun)
