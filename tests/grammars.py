"""Texts that are grown from grammars: right by their form, of any depth and length, with odd
numbers and names in all places.

A grammar is written as its rules, ``name ::= way ¦ way``. In a way ``⟨name⟩`` stands for a symbol,
``⏎`` and ``␍`` for the ends of a line, ``␣`` for a blank at its begin or end, ``ε`` for nothing.
The first way leads to an end.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

Grammar = Mapping[str, tuple[str, ...]]
"""The ways to write each symbol."""
LONGEST = 20_000
"""Characters of a grown text, about."""
_SYMBOL = re.compile(r"⟨([\w ]+)⟩")
NUMBER = (
    *("1", "0", "2", "0.5", "3", "10", "90", "540", "0.1", "100000") * 6,
    *(
        "-1",
        "-0.5",
        "1e3",
        "1e-3",
        ".5",
        "5.",
        "-0",
        "1e309",
        "-1e308",
        "1e-320",
        "5e-324",
        "9" * 30,
        "9" * 400,
        "0." + "3" * 60,
    ),
    *("0x1f", "1_000", "٣", "1e", "NaN", "Infinity", "-"),
)
NAME = (
    *("Main Prism", "Screen", "Lamp") * 4,
    "prism",
    "Nobody",
    "\u202eLamp",
    "",
    "a'b",
    'a"b',
    "a > b",
    "x" * 300,
)


def rules(text: str, *parts: Grammar) -> Grammar:
    """The grammar of some rules, with what they do not define taken from other grammars."""
    found = dict[str, tuple[str, ...]]({"n": NUMBER, "name": NAME})
    for part in parts:
        found |= part
    for rule in re.split(r"\n(?=\S)", text.strip("\n")):
        name, _, ways = rule.partition(" ::= ")
        found[name] = tuple(
            way.strip("\n ")
            .replace("␣", " ")
            .replace("⏎", "\n")
            .replace("␍", "\r")
            .replace("ε", "")
            for way in ways.split("¦")
        )
    return found


def grown(grammar: Grammar, chance: random.Random, start: str = "start") -> str:
    """A text of a symbol. In some texts each symbol prefers one of its alternatives, which nests or
    repeats it deeply.
    """
    room = chance.choice((8, 30, 30, 100, 100, 400, 3_000))
    prefers = (
        {name: chance.choice(ways) for name, ways in grammar.items()}
        if chance.random() < 0.3
        else {}
    )
    waiting, done, length = [f"⟨{start}⟩"], list[str](), 0
    while waiting:
        text = waiting.pop()
        if not (symbol := _SYMBOL.search(text)):
            done.append(text)
            length += len(text)
            continue
        name, room = symbol[1], room - 1
        ways = grammar[name]
        way = (
            ways[0]
            if room < 0 or length > LONGEST
            else prefers[name]
            if prefers and chance.random() < 0.95
            else chance.choice(ways)
        )
        waiting += [text[symbol.end() :], way, text[: symbol.start()]]
    return "".join(done)


LATEX = rules(
    r"""
start ::= ⟨e⟩
e ::= x ¦ ⟨n⟩ ¦ ⟨v⟩ ¦ ⟨e⟩+⟨e⟩ ¦ ⟨e⟩-⟨e⟩ ¦ ⟨e⟩\cdot ⟨e⟩ ¦ ⟨e⟩⟨e⟩ ¦ -⟨e⟩ ¦ \frac{⟨e⟩}{⟨e⟩} ¦ ⟨e⟩/⟨e⟩ ¦ {⟨e⟩}^{⟨e⟩} ¦ ⟨v⟩^⟨n⟩ ¦
    \left(⟨e⟩\right) ¦ (⟨e⟩) ¦ \sqrt{⟨e⟩} ¦ \sqrt[⟨e⟩]{⟨e⟩} ¦ \⟨f⟩\left(⟨e⟩\right) ¦ \⟨f⟩^{⟨n⟩}{⟨e⟩} ¦ \log_{⟨e⟩}{⟨e⟩} ¦
    \operatorname{⟨w⟩}\left(⟨e⟩,⟨e⟩\right) ¦ \left|⟨e⟩\right| ¦ \lfloor ⟨e⟩\rfloor ¦ (⟨e⟩)! ¦ \max(⟨e⟩,⟨e⟩) ¦ ⟨v⟩!!! ¦ ^{^{⟨e⟩}}
v ::= x ¦ t ¦ \theta_0 ¦ \lambda ¦ P_{0} ¦ e ¦ \pi ¦ e^{⟨v⟩} ¦ π ¦ 𝑥 ¦ \infty ¦ i ¦ \text{⟨name⟩}
f ::= sin ¦ cos ¦ tan ¦ arcsin ¦ ln ¦ exp ¦ sinh ¦ operatorname{atan2} ¦ sec ¦ unknown ¦ frac
w ::= sign ¦ min ¦ gamma ¦ factorial ¦ hypot ¦ mod ¦ nthRoot ¦ random ¦ select ¦ floor ¦ ⟨name⟩
""",
)
MATHJS = rules(
    r"""
start ::= ⟨s⟩ ¦ ⟨s⟩; ⟨start⟩ ¦ ⟨s⟩⏎⟨start⟩
s ::= a = ⟨e⟩ ¦ a = ⟨e⟩ ¦ f(x) = ⟨e⟩ ¦ g(x, y) = ⟨e⟩ ¦ f(f) = f(f) ¦ g() = ⟨e⟩ ¦ x = x ¦ ⟨e⟩
e ::= x ¦ ⟨n⟩ ¦ ⟨n⟩ ¦ a ¦ ⟨e⟩ ⟨o⟩ ⟨e⟩ ¦ ⟨e⟩ ⟨o⟩ ⟨e⟩ ¦ (⟨e⟩) ¦ -⟨e⟩ ¦ not ⟨e⟩ ¦ ⟨e⟩ ? ⟨e⟩ : ⟨e⟩ ¦ ⟨e⟩! ¦ ⟨n⟩ ⟨e⟩ ¦ ⟨e⟩^⟨e⟩^⟨e⟩ ¦
    ⟨w⟩(⟨e⟩) ¦ ⟨w⟩(⟨e⟩, ⟨e⟩) ¦ f(⟨e⟩) ¦ g(⟨e⟩, ⟨e⟩) ¦ [⟨e⟩, ⟨e⟩] ¦ [⟨e⟩, ⟨e⟩][⟨e⟩] ¦ [] ¦ ⟨e⟩ and ⟨e⟩ or ⟨e⟩ xor ⟨e⟩ ¦
    ⟨e⟩ < ⟨e⟩ <= ⟨e⟩
o ::= + ¦ + ¦ - ¦ * ¦ * ¦ / ¦ / ¦ ^ ¦ % ¦ mod ¦ == ¦ != ¦ < ¦ >= ¦ and ¦ or ¦ xor ¦ - ¦ + ¦ ⟨bad⟩
bad ::= + ¦ .. ¦ = ¦ ~ ¦ << ¦ && ¦ to ¦ ** ¦ : ¦ −
w ::= sqrt ¦ sin ¦ max ¦ hypot ¦ pow ¦ gamma ¦ factorial ¦ random ¦ round ¦ nthRoot ¦ atan2 ¦ if ¦ log ¦ eval ¦ import
""",
)
PATTERN = rules(
    r"""
start ::= ⟨step⟩ ¦ ⟨step⟩ > ⟨start⟩ ¦ ⟨step⟩ -> ⟨start⟩ ¦ ⟨step⟩→⟨start⟩ ¦ ⟨start⟩ > ⟨start⟩
step ::= ⟨places⟩ ¦ ⟨places⟩ (⟨words⟩)
places ::= ⟨place⟩ ¦ ⟨place⟩ ¦ ⟨place⟩ | ⟨places⟩
place ::= * ¦ ? ¦ ⟨who⟩ ¦ ⟨who⟩:⟨edge⟩ ¦ escape ¦ ⟨who⟩:⟨edge⟩:⟨edge⟩
who ::= Screen ¦ Lamp ¦ Main Prism ¦ '⟨name⟩' ¦ "⟨name⟩" ¦ M* ¦ *i*i*i*i* ¦ ????????? ¦ [a-z]* ¦ ** ¦ ( ¦ \
edge ::= N ¦ E ¦ W ¦ S ¦ * ¦ 0 ¦ ? ¦ ⟨n⟩ ¦ '⟨name⟩'
words ::= tir ¦ refract ¦ reflect ¦ absorbed ¦ through ¦ diffract -1 ¦ diffract ⟨n⟩ ¦ ⟨words⟩ | ⟨words⟩ ¦ ⟨name⟩ ¦ ε
""",
)
MEASURE = rules(
    r"""
start ::= ⟨e⟩ ¦ ⟨e⟩ ¦ ⟨e⟩; ⟨start⟩
e ::= ⟨m⟩ ¦ ⟨n⟩ * ⟨e⟩ ¦ ⟨e⟩ + ⟨e⟩ ¦ ⟨e⟩ / ⟨e⟩ ¦ (⟨e⟩) ¦ -⟨e⟩ ¦ ⟨e⟩ - ⟨n⟩
m ::= power(⟨a⟩) ¦ ⟨f⟩(⟨a⟩) ¦ ⟨f⟩(⟨a⟩, ⟨a⟩) ¦ ⟨f⟩() ¦ ⟨f⟩(⟨a⟩, ⟨a⟩, ⟨a⟩, ⟨a⟩) ¦ path_power('⟨name⟩ > * > Screen')
f ::= power ¦ rms ¦ deviation ¦ focus ¦ width ¦ path_power ¦ mean_x ¦ edge_power ¦ power_on ¦ ⟨name⟩ ¦ transmission
a ::= Screen ¦ Lamp ¦ Main Prism ¦ '⟨name⟩' ¦ ⟨n⟩ ¦ Main Prism:N ¦ "Lamp > * > Screen" ¦ 540 nm ¦ * > *
""",
)
_PARAMETER = rules(
    r"""
p ::= ⟨who⟩.⟨field⟩ ¦ ⟨who⟩.⟨field⟩ ¦ ⟨who⟩.path[⟨n⟩].⟨field⟩ ¦ ⟨who⟩ ¦ ⟨field⟩ ¦ ⟨p⟩.⟨field⟩ ¦ ⟨p⟩[⟨n⟩]
who ::= Main Prism ¦ Screen ¦ 'Main Prism' ¦ Lamp ¦ ⟨name⟩ ¦ '⟨name⟩'
field ::= angle ¦ x ¦ y ¦ refIndex ¦ p1.x ¦ path[0].y ¦ brightness ¦ name ¦ type ¦ read ¦ __class__ ¦ ⟨n⟩ ¦ ε
unit ::= ε ¦ ␣mm ¦ ␣cm ¦ ␣deg ¦ ␣nm ¦ % ¦ ␣µm ¦ ␣parsec
""",
)
PARAMETER = rules(
    r"""
start ::= ⟨p⟩
""",
    _PARAMETER,
)
AXIS = rules(
    r"""
start ::= ⟨p⟩=⟨n⟩..⟨n⟩ ¦ ⟨p⟩=⟨n⟩..⟨n⟩:⟨n⟩ ¦ ⟨p⟩=⟨l⟩ ¦ ⟨p⟩ = ⟨n⟩⟨unit⟩..⟨n⟩⟨unit⟩
l ::= ⟨n⟩ ¦ ⟨n⟩,⟨l⟩ ¦ ⟨n⟩, ⟨n⟩,⟨l⟩
""",
    _PARAMETER,
)
LINK = rules(
    r"""
start ::= ⟨p⟩ = ⟨g⟩
g ::= ⟨n⟩ ¦ ⟨p⟩ ¦ ⟨g⟩ ⟨o⟩ ⟨g⟩ ¦ ⟨e⟩ ¦ (⟨g⟩)
""",
    MATHJS,
    _PARAMETER,
)
DEVIATION = rules(
    r"""
start ::= ⟨p⟩±⟨n⟩⟨unit⟩ ¦ ⟨p⟩ ± ⟨n⟩⟨unit⟩ ⟨way⟩ ¦ ⟨p⟩ +- ⟨n⟩ ⟨way⟩
way ::= normal ¦ uniform ¦ ε ¦ ends ¦ ⟨name⟩
""",
    _PARAMETER,
)
GOAL = rules(
    r"""
start ::= ⟨g⟩ ¦ ⟨g⟩ weight ⟨n⟩ ¦ ⟨g⟩ weight ⟨n⟩ weight ⟨n⟩
g ::= least ⟨m⟩ ¦ most |⟨e⟩| ¦ ⟨e⟩ = ⟨n⟩⟨unit⟩ ¦ ⟨e⟩ < ⟨n⟩ ¦ ⟨e⟩ >= ⟨n⟩ ¦ ⟨e⟩ = ⟨n⟩..⟨n⟩ ¦ ⟨e⟩ = ⟨n⟩ ± ⟨n⟩⟨unit⟩ ¦ ||⟨e⟩|| = ⟨n⟩
""",
    _PARAMETER,
    MEASURE,
)
SIGNATURE = rules(
    r"""
start ::= (⟨fields⟩) -> ⟨t⟩ ¦ ⟨t⟩ ¦ (⟨fields⟩)->⟨t⟩ ¦ (⟨fields⟩)
fields ::= ε ¦ ⟨field⟩ ¦ ⟨field⟩, ⟨fields⟩ ¦ ⟨field⟩, ⟨fields⟩
field ::= ⟨id⟩ ⟨t⟩ ¦ ⟨id⟩ ⟨t⟩ ¦ ⟨id⟩⏎ ⟨t⟩ ¦ ⟨id⟩
t ::= :int ¦ :string ¦ :float ¦ :bool ¦ :keyword ¦ :map ¦ :any ¦ :datetime ¦ [⟨t⟩] ¦ {⟨fields⟩} ¦ ⟨t⟩? ¦ [⟨t⟩?]? ¦ :int?? ¦ :⟨id⟩
id ::= a ¦ b ¦ c ¦ _x ¦ a-b ¦ é ¦ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ¦ class ¦ ⟨n⟩ ¦ __init__ ¦
    ⟨name⟩
""",
)
WORKER = rules(
    r"""
start ::= ---⏎⟨lines⟩---⏎⟨do⟩⏎ ¦ ---␍⏎⟨lines⟩---␍⏎⟨do⟩ ¦ ﻿---⏎⟨lines⟩---⏎⟨do⟩
do ::= Answer. ¦ # ⟨name⟩ ¦ {{⟨name⟩}} ¦ ε ¦ ---
lines ::= ε ¦ ⟨line⟩⏎⟨lines⟩ ¦ ⟨line⟩⏎⟨lines⟩ ¦ ⟨line⟩⏎⟨line⟩⏎⟨lines⟩
line ::= description: ⟨y⟩ ¦ tools: ⟨y⟩ ¦ effects: ⟨y⟩ ¦ effects: [read, edit] ¦ max_steps: ⟨y⟩ ¦ timeout_s: ⟨y⟩ ¦ model: ⟨y⟩ ¦
    signature: "(⟨fields⟩) -> ⟨t⟩" ¦ attachments: ⟨y⟩ ¦ attachments: {max_count: ⟨y⟩, suffixes: ⟨y⟩} ¦ cache: ⟨y⟩ ¦ visibility: ⟨y⟩ ¦
    name: ⟨y⟩ ¦ ⟨id⟩: ⟨y⟩ ¦ # ⟨name⟩ ¦ ? ⟨y⟩ ¦ - ⟨y⟩ ¦ <<: ⟨y⟩
y ::= a ¦ ⟨n⟩ ¦ ⟨n⟩ ¦ [⟨y⟩, ⟨y⟩] ¦ [⟨y⟩] ¦ {⟨y⟩: ⟨y⟩} ¦ '⟨name⟩' ¦ "\u202e" ¦ |⏎  ⟨name⟩ ¦ >-⏎  text ¦ &a ⟨y⟩ ¦ *a ¦
    !!python/object:os ⟨y⟩ ¦ true ¦ null ¦ ~ ¦ 2026-01-31 ¦ 2026-13-99 ¦ 1:2:3 ¦ 0o17 ¦ = ¦ no ¦ !!binary x ¦ none ¦
    2001-12-14t21:59:43.10-99:99 ¦ { ¦ [[[
""",
    SIGNATURE,
)
SVG = rules(
    r"""
start ::= <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"⟨size⟩>⟨defs⟩⟨all⟩</svg> ¦
    <?xml version='1.0' encoding='UTF-8'?><svg⟨size⟩><style>⟨css⟩</style>⟨defs⟩⟨all⟩</svg>
size ::= ε ¦ ␣width="⟨l⟩" height="⟨l⟩" viewBox="⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩" ¦ ␣viewBox="0 0 80 60" ¦
    ␣preserveAspectRatio="xMinYMax slice" width="⟨l⟩"
l ::= 80mm ¦ ⟨n⟩ ¦ ⟨n⟩mm ¦ ⟨n⟩% ¦ ⟨n⟩em ¦ ⟨n⟩in ¦ ε
defs ::= ε ¦ <defs><g id="a">⟨all⟩</g><clipPath id="c">⟨shape⟩</clipPath></defs> ¦ <symbol id="b" viewBox="⟨n⟩ 0 ⟨n⟩ 9">⟨all⟩</symbol>
all ::= ε ¦ ⟨shape⟩⟨all⟩ ¦ ⟨shape⟩⟨shape⟩⟨all⟩
shape ::= <circle r="4"/> ¦ <path d="⟨d⟩"⟨at⟩/> ¦ <path d="⟨d⟩"⟨at⟩/> ¦ <rect width="⟨n⟩" height="⟨n⟩" rx="⟨n⟩"⟨at⟩/> ¦
    <circle cx="⟨n⟩" cy="⟨n⟩" r="⟨n⟩"⟨at⟩/> ¦ <ellipse rx="⟨n⟩" ry="⟨n⟩"⟨at⟩/> ¦ <polygon points="⟨ps⟩"⟨at⟩/> ¦
    <polyline points="⟨ps⟩"/> ¦ <line x1="⟨n⟩" x2="⟨n⟩" y2="⟨l⟩"⟨at⟩/> ¦ <g⟨at⟩>⟨all⟩</g> ¦ <svg⟨size⟩⟨at⟩>⟨all⟩</svg> ¦
    <text⟨at⟩>⟨n⟩</text> ¦ <style>⟨css⟩</style> ¦ <use ⟨ref⟩⟨at⟩/> ¦ <use ⟨ref⟩ x="⟨n⟩" width="⟨l⟩"/> ¦
    <image href="file:///etc/passwd"⟨at⟩/> ¦ <a>⟨all⟩</a>
id ::= a ¦ b ¦ c ¦ d ¦ ε ¦ ../x
ref ::= href="#⟨id⟩" ¦ xlink:href="#⟨id⟩" ¦ href="x⟨id⟩" ¦ href="␣#⟨id⟩" ¦ xlink:href="#⟨id⟩" href="#⟨id⟩" ¦ a:href="#⟨id⟩" xmlns:a="a"
at ::= ε ¦ ε ¦ ␣transform="⟨tf⟩" ¦ ␣style="⟨css body⟩" ¦ ␣class="⟨id⟩ x" ¦ ␣clip-path="url(#⟨id⟩)" ¦ ␣fill="none" stroke="red" ¦
    ␣id="⟨id⟩" ¦ ␣display="none" ¦ ␣pathLength="⟨n⟩" ¦ ␣transform="⟨tf⟩" visibility="hidden" ¦ ␣mask="url(#⟨id⟩)"
tf ::= ε ¦ ⟨tf⟩ ⟨tf⟩ ¦ rotate(⟨n⟩) ¦ rotate(⟨n⟩ ⟨n⟩ ⟨n⟩) ¦ scale(⟨n⟩) ¦ scale(⟨n⟩,⟨n⟩) ¦ skewX(⟨n⟩) ¦
    matrix(⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩) ¦ translate(⟨l⟩)
d ::= M0 0L9 9 ¦ M⟨n⟩ ⟨n⟩⟨c⟩ ¦ m⟨n⟩,⟨n⟩⟨c⟩ ¦ ⟨d⟩⟨d⟩ ¦ ⟨c⟩
c ::= z ¦ L⟨n⟩ ⟨n⟩⟨c⟩ ¦ l⟨n⟩-⟨n⟩⟨c⟩ ¦ H⟨n⟩⟨c⟩ ¦ v⟨n⟩⟨c⟩ ¦ C⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩⟨c⟩ ¦ s⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩⟨c⟩ ¦ Q⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩⟨c⟩ ¦
    T⟨n⟩ ⟨n⟩⟨c⟩ ¦ A⟨n⟩ ⟨n⟩ ⟨n⟩ 0 1 ⟨n⟩ ⟨n⟩⟨c⟩ ¦ a⟨n⟩ ⟨n⟩ 0 01⟨n⟩ ⟨n⟩⟨c⟩ ¦ Z⟨c⟩ ¦ ⟨c⟩⟨c⟩ ¦ L⟨ps⟩⟨c⟩
ps ::= 0,0 9,9 ¦ ⟨n⟩,⟨n⟩ ⟨ps⟩ ¦ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨n⟩ ⟨ps⟩ ¦ ⟨n⟩
css ::= ε ¦ ⟨sel⟩{⟨css body⟩}⟨css⟩ ¦ @media x {⟨css⟩} ¦ /* ⟨css⟩ */⟨css⟩ ¦ @import url(file:///etc/passwd);⟨css⟩
sel ::= .a ¦ * ¦ #b ¦ path ¦ g > path ¦ .a,.b,⟨sel⟩ ¦ ⟨sel⟩ ⟨sel⟩
css body ::= fill:none ¦ fill:url(#⟨id⟩);⟨css body⟩ ¦ stroke:red ¦ transform:⟨tf⟩ ¦ stroke-width:⟨l⟩;⟨css body⟩ ¦ display:none ¦ : ¦
    fill:rgb(⟨n⟩,⟨n⟩,⟨n⟩)
""",
)
DXF = rules(
    r"""
start ::= ⟨head⟩⟨tables⟩⟨blocks⟩0⏎SECTION⏎2⏎ENTITIES⏎⟨all⟩0⏎ENDSEC⏎0⏎EOF⏎
head ::= ε ¦ 0⏎SECTION⏎2⏎HEADER⏎9⏎$INSUNITS⏎70⏎⟨n⟩⏎9⏎$ACADVER⏎1⏎AC1015⏎0⏎ENDSEC⏎ ¦ 0⏎SECTION⏎2⏎HEADER⏎9⏎$ACADVER⏎1⏎AC⟨n⟩⏎0⏎ENDSEC⏎
tables ::= ε ¦ 0⏎SECTION⏎2⏎TABLES⏎0⏎TABLE⏎2⏎LAYER⏎0⏎LAYER⏎2⏎⟨id⟩⏎70⏎⟨n⟩⏎62⏎⟨n⟩⏎0⏎ENDTAB⏎0⏎ENDSEC⏎
blocks ::= ε ¦ 0⏎SECTION⏎2⏎BLOCKS⏎⟨block⟩0⏎ENDSEC⏎
block ::= ε ¦ 0⏎BLOCK⏎8⏎0⏎2⏎⟨id⟩⏎70⏎0⏎10⏎⟨n⟩⏎20⏎⟨n⟩⏎⟨all⟩0⏎ENDBLK⏎⟨block⟩
id ::= A ¦ B ¦ 0 ¦ ⟨name⟩
all ::= ε ¦ ⟨one⟩⟨all⟩ ¦ ⟨one⟩⟨one⟩⟨all⟩
one ::= 0⏎LINE⏎8⏎0⏎⟨p⟩11⏎⟨n⟩⏎21⏎⟨n⟩⏎ ¦ 0⏎CIRCLE⏎8⏎⟨id⟩⏎⟨p⟩40⏎⟨n⟩⏎ ¦ 0⏎ARC⏎8⏎0⏎⟨p⟩40⏎⟨n⟩⏎50⏎⟨n⟩⏎51⏎⟨n⟩⏎⟨up⟩ ¦
    0⏎LWPOLYLINE⏎8⏎0⏎90⏎⟨n⟩⏎70⏎⟨n⟩⏎⟨ps⟩ ¦ 0⏎ELLIPSE⏎8⏎0⏎⟨p⟩11⏎⟨n⟩⏎21⏎⟨n⟩⏎40⏎⟨n⟩⏎41⏎⟨n⟩⏎42⏎⟨n⟩⏎ ¦
    0⏎SPLINE⏎8⏎0⏎70⏎8⏎71⏎⟨n⟩⏎72⏎⟨n⟩⏎73⏎⟨n⟩⏎⟨ks⟩⟨ps⟩ ¦ 0⏎INSERT⏎8⏎0⏎2⏎⟨id⟩⏎⟨p⟩41⏎⟨n⟩⏎42⏎⟨n⟩⏎50⏎⟨n⟩⏎70⏎⟨n⟩⏎71⏎⟨n⟩⏎44⏎⟨n⟩⏎ ¦
    0⏎POLYLINE⏎8⏎0⏎66⏎1⏎70⏎⟨n⟩⏎⟨vs⟩0⏎SEQEND⏎ ¦ 0⏎HELIX⏎8⏎0⏎40⏎⟨n⟩⏎41⏎⟨n⟩⏎71⏎3⏎⟨ks⟩⟨ps⟩ ¦ 0⏎TEXT⏎8⏎0⏎⟨p⟩1⏎⟨name⟩⏎ ¦
    0⏎HATCH⏎8⏎0⏎91⏎⟨n⟩⏎92⏎1⏎93⏎⟨n⟩⏎72⏎1⏎⟨p⟩
p ::= 10⏎1⏎20⏎2⏎ ¦ 10⏎⟨n⟩⏎20⏎⟨n⟩⏎30⏎⟨n⟩⏎
ps ::= ε ¦ ⟨p⟩42⏎⟨n⟩⏎⟨ps⟩ ¦ ⟨p⟩⟨ps⟩ ¦ ⟨p⟩⟨p⟩⟨p⟩⟨ps⟩
ks ::= ε ¦ 40⏎⟨n⟩⏎⟨ks⟩ ¦ 40⏎0⏎40⏎0⏎40⏎1⏎40⏎1⏎⟨ks⟩
vs ::= ε ¦ 0⏎VERTEX⏎8⏎0⏎⟨p⟩42⏎⟨n⟩⏎⟨vs⟩
up ::= ε ¦ 210⏎0⏎220⏎0⏎230⏎⟨n⟩⏎
""",
)
SQL = rules(
    r"""
start ::= ⟨q⟩ ¦ ⟨q⟩ ¦ ⟨q⟩ ¦ ⟨with⟩ ⟨q⟩ ¦ ⟨with⟩ ⟨q⟩ ¦ ⟨other⟩ ¦ ⟨q⟩; ⟨other⟩ ¦ EXPLAIN ⟨q⟩
q ::= SELECT 1 ¦ SELECT ⟨cols⟩ FROM ⟨from⟩⟨where⟩⟨group⟩⟨order⟩ ¦ SELECT ⟨cols⟩ FROM ⟨from⟩⟨where⟩⟨group⟩⟨order⟩ ¦
    SELECT DISTINCT ⟨cols⟩ FROM ⟨from⟩⟨where⟩ ¦ SELECT ⟨cols⟩ ¦ ⟨q⟩ UNION ALL ⟨q⟩ ¦ ⟨q⟩ INTERSECT ⟨q⟩ ¦ VALUES (⟨e⟩), (⟨e⟩)
with ::= WITH big(x) AS (⟨grow⟩) ¦
    WITH RECURSIVE g(x) AS (SELECT ⟨text⟩ UNION ALL SELECT x || x FROM g WHERE length(x) < ⟨far⟩), big(x) AS (SELECT max(x) FROM g) ¦
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ⟨far⟩), big(x) AS (SELECT x FROM c) ¦
    WITH a(x) AS (⟨q⟩), big(x) AS (SELECT a.x FROM a, a b) ¦ WITH big(x) AS MATERIALIZED (⟨q⟩)
grow ::= SELECT id FROM rays ¦ SELECT group_concat(id) FROM rays ¦ SELECT a.id || b.id FROM rays a, rays b
far ::= 100 ¦ 90000 ¦ 49999 ¦ 1000000
text ::= 'a' ¦ 'ab' ¦ 'aaaaaaaaab' ¦ '%a' ¦ '[a-z]*'
cols ::= * ¦ count(*) ¦ ⟨e⟩ ¦ ⟨e⟩ AS v, ⟨e⟩ ¦ ⟨cols⟩, ⟨e⟩ ¦ ⟨agg⟩ ¦ ⟨window⟩ ¦ id ¦ *, *, *
from ::= rays ¦ big ¦ objects ¦ edges ¦ crossings ¦ rays a, rays b ¦ rays r JOIN crossings c USING (row) ¦ big b, rays r ¦
    ⟨from⟩ NATURAL JOIN rays ¦ (⟨q⟩) ¦ (⟨q⟩) s, rays ¦ rays a LEFT JOIN rays b ON ⟨e⟩ ¦ big, big AS b ¦ rays a, rays b, rays c ¦
    json_each('[1,[2]]') ¦ sqlite_master ¦ pragma_function_list ¦ pragma_database_list ¦ generate_series(1, 1000000000) ¦ dbstat ¦
    fts3tokenize ¦ json_tree(big.x) ¦ temp.sqlite_schema
where ::= ε ¦ ε ¦ ␣WHERE ⟨e⟩ ¦ ␣WHERE ⟨e⟩ LIKE ⟨e⟩ ¦ ␣WHERE ⟨e⟩ GLOB ⟨e⟩ ¦ ␣WHERE ⟨e⟩ IN (⟨q⟩) ¦ ␣WHERE EXISTS (⟨q⟩)
group ::= ε ¦ ε ¦ ␣GROUP BY ⟨e⟩ ¦ ␣GROUP BY 1 HAVING ⟨agg⟩ > ⟨n⟩
order ::= ε ¦ ε ¦ ␣ORDER BY ⟨e⟩ DESC ¦ ␣ORDER BY 1 ¦ ␣LIMIT ⟨n⟩ ¦ ␣LIMIT ⟨n⟩ OFFSET ⟨n⟩ ¦ ␣ORDER BY random()
e ::= id ¦ row ¦ power ¦ x ¦ object ¦ ⟨n⟩ ¦ ⟨text⟩ ¦ NULL ¦ x'00ff' ¦ ⟨e⟩ ⟨o⟩ ⟨e⟩ ¦ ⟨e⟩ || ⟨e⟩ ¦ (⟨e⟩) ¦ -⟨e⟩ ¦ NOT ⟨e⟩ ¦ (⟨q⟩) ¦
    ⟨f⟩(⟨e⟩) ¦ ⟨f⟩(⟨e⟩) ¦ ⟨f⟩(⟨e⟩, ⟨e⟩) ¦ ⟨f⟩(⟨e⟩, ⟨e⟩, ⟨e⟩) ¦ ⟨f⟩() ¦ CASE WHEN ⟨e⟩ THEN ⟨e⟩ ELSE ⟨e⟩ END ¦ CAST(⟨e⟩ AS ⟨type⟩) ¦
    ⟨e⟩ LIKE ⟨e⟩ ESCAPE 'a' ¦ ⟨e⟩ BETWEEN ⟨e⟩ AND ⟨e⟩ ¦ ⟨e⟩ COLLATE NOCASE ¦ ⟨e⟩ -> '$' ¦ ⟨e⟩ REGEXP ⟨e⟩ ¦
    ⟨e⟩ IS NOT DISTINCT FROM ⟨e⟩
o ::= + ¦ - ¦ * ¦ / ¦ % ¦ << ¦ & ¦ = ¦ < ¦ AND ¦ OR ¦ LIKE ¦ GLOB ¦ MATCH ¦ IS
type ::= TEXT ¦ REAL ¦ INTEGER ¦ BLOB ¦ NUMERIC
f ::= length ¦ replace ¦ substr ¦ instr ¦ like ¦ glob ¦ upper ¦ round ¦ abs ¦ max ¦ min ¦ ltrim ¦ rtrim ¦ trim ¦ coalesce ¦ pow ¦
    exp ¦ ln ¦ sqrt ¦ atan2 ¦ mod ¦ typeof ¦ group_concat ¦ sum ¦ avg ¦ total ¦ iif ¦ nullif ¦ sign ¦ log ¦ floor ¦ hex ¦ printf ¦
    format ¦ zeroblob ¦ randomblob ¦ quote ¦ char ¦ unicode ¦ soundex ¦ random ¦ load_extension ¦ sqlite_version ¦ json ¦ json_array ¦
    json_extract ¦ json_group_array ¦ date ¦ strftime ¦ readfile ¦ writefile ¦ edit ¦ unhex ¦ concat ¦ concat_ws ¦ string_agg ¦
    octet_length ¦ likelihood ¦ last_insert_rowid ¦ changes ¦ sqlite_compileoption_get ¦ fts3_tokenizer ¦ matchinfo
agg ::= count(⟨e⟩) ¦ sum(⟨e⟩) ¦ group_concat(⟨e⟩, ⟨e⟩) ¦ group_concat(DISTINCT ⟨e⟩) ¦ max(⟨e⟩) ¦ avg(⟨e⟩) FILTER (WHERE ⟨e⟩)
window ::= row_number() OVER (ORDER BY ⟨e⟩) ¦
    sum(⟨e⟩) OVER (PARTITION BY ⟨e⟩ ORDER BY ⟨e⟩ ROWS BETWEEN ⟨n⟩ PRECEDING AND UNBOUNDED FOLLOWING) ¦
    group_concat(⟨e⟩) OVER (ORDER BY row RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) ¦ lag(⟨e⟩, ⟨n⟩, ⟨e⟩) OVER w ¦
    ntile(⟨n⟩) OVER () ¦ nth_value(⟨e⟩, ⟨n⟩) OVER (ORDER BY ⟨e⟩ GROUPS BETWEEN ⟨n⟩ PRECEDING AND ⟨n⟩ FOLLOWING EXCLUDE TIES)
other ::= PRAGMA table_info(rays) ¦ PRAGMA journal_mode = ⟨n⟩ ¦ PRAGMA temp_store_directory = '/tmp' ¦
    ATTACH '/tmp/raybench-sql' AS z ¦ VACUUM ¦ VACUUM INTO '/tmp/raybench-sql' ¦ CREATE TABLE t AS ⟨q⟩ ¦ CREATE TEMP TABLE t(x) ¦
    CREATE VIRTUAL TABLE t USING fts5(x) ¦ DETACH main ¦ DELETE FROM rays ¦ UPDATE rays SET power = ⟨e⟩ ¦ INSERT INTO rays(row) ⟨q⟩ ¦
    REPLACE INTO rays(row) VALUES (1) ¦ DROP TABLE rays ¦ BEGIN ¦ COMMIT ¦ ROLLBACK ¦ SAVEPOINT s ¦ REINDEX ¦ ANALYZE ¦
    ALTER TABLE rays RENAME TO r ¦ CREATE INDEX i ON rays(id) ¦ ⟨with⟩ DELETE FROM rays ¦
    CREATE TRIGGER t AFTER INSERT ON rays BEGIN SELECT 1; END ¦ CREATE VIEW v AS ⟨q⟩ ¦ SELECT load_extension('/tmp/x.so') ¦
    EXPLAIN QUERY PLAN ⟨q⟩
""",
)
