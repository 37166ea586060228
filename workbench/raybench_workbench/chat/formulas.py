"""Formulas in answers: LaTeX between dollar signs or \\( \\), \\[ \\] written plainly, with
letters, signs and indices of Unicode.
"""

from __future__ import annotations

import re
from string import ascii_letters

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_FORMULA = re.compile(
    r"\$\$(?P<a>.{1,1000}?)\$\$|\\\[(?P<b>.{1,1000}?)\\\]|\\\((?P<c>.{1,1000}?)\\\)|(?<![\\\w$])\$(?P<d>(?![\s\d.,]+\s)[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?![\d$])",
    re.DOTALL,
)
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}^_&]|\s+|.", re.DOTALL)
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")
_LETTERS = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι"
    " kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ"
    " omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω hbar ħ ell ℓ"
    " infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ cdot · times × div ÷ pm ± mp ∓ le ≤ leq ≤ ge ≥"
    " geq ≥ ne ≠ neq ≠ approx ≈ simeq ≃ sim ∼ equiv ≡ propto ∝ to → rightarrow → Rightarrow ⇒"
    " leftarrow ← implies ⇒ iff ⇔ circ ° degree ° angle ∠ parallel ∥ perp ⊥ ldots … dots … cdots ⋯"
    " prime ′ in ∈ langle ⟨ rangle ⟩ ll ≪ gg ≫"
)
_SIGNS = dict(zip(_LETTERS.split()[::2], _LETTERS.split()[1::2], strict=True))
_SPACED = frozenset("±∓≤≥≠≈≃∼≡∝→⇒←⇔·×÷∈≪≫")
_FUNCTIONS = frozenset(
    re.findall(
        r"\w+",
        "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log exp min max lim"
        " det arg",
    )
)
_CONTENT = frozenset(
    re.findall(
        r"\w+",
        "text mathrm mathbf mathit mathsf mathcal operatorname textrm textbf boldsymbol vec bar hat"
        " tilde overline",
    )
)
_NOTHING = frozenset(
    ("left", "right", "big", "Big", "bigg", "Bigg", "displaystyle", "limits", "nonumber")
)
_SPACES = frozenset((",", ";", ":", " ", "quad", "qquad"))
_RAISED = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True)) | {
    "−": "⁻",
    "°": "°",
    "′": "′",
    "*": "*",
}
_LOWERED = dict(
    zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
) | {"−": "₋"}
_INDICES = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ₀₁₂₃₄₅₆₇₈₉"
MAX_CHARACTERS = 50_000
"""Length up to which a text is searched for formulas."""
MAX_DEPTH = 40
"""Nesting depth of groups and arguments up to which they are read."""


def with_plain_formulas(text: str) -> str:
    """Markdown with its formulas written plainly; code stays as it is."""
    if len(text) > MAX_CHARACTERS:
        return text
    parts = _CODE.split(text)
    return "".join(part if i % 2 else _FORMULA.sub(_written, part) for i, part in enumerate(parts))


def _written(found: re.Match[str]) -> str:
    alone = found["a"] or found["b"]
    plain = _MARKUP.sub(r"\\\1", plain_formula(alone or found["c"] or found["d"] or ""))
    return f"\n\n{plain}\n\n" if alone else plain


def plain_formula(latex: str) -> str:
    """A formula in LaTeX as plain text: ``n_1 \\sin\\theta_1`` is n₁ sin θ₁. What is not known
    stays as it is.
    """
    return re.sub(r"\s+", " ", _Reader(_TOKEN.findall(latex)).whole()).strip()


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at, self._depth = tokens, 0, 0

    def whole(self) -> str:
        out = self.sequence()
        while self._at < len(self._tokens):  # after an unmatched closing brace
            self._at += 1
            out += self.sequence()
        return out

    def sequence(self) -> str:
        """Everything up to the end of the group."""
        out = ""
        while self._at < len(self._tokens) and self._tokens[self._at] != "}":
            out = _joined(out, self._item())
        return out

    def _item(self) -> str:
        """The next token with what belongs to it; alone, if it is nested too deeply."""
        token = self._next()
        if self._depth >= MAX_DEPTH:
            return token
        self._depth += 1
        item = self._read(token)
        self._depth -= 1
        return item

    def _read(self, token: str) -> str:
        if token == "{":
            return self._group()
        if token in "^_":
            table, mark = (_RAISED, "^") if token == "^" else (_LOWERED, "_")
            return _shifted(self._argument(), table, mark)
        if token == "-":
            return "−"
        if token == "&" or token.isspace():
            return " "
        return self._command(token[1:]) if token.startswith("\\") else token

    def _command(self, name: str) -> str:
        if name in _SIGNS:
            sign = _SIGNS[name]
            return f" {sign} " if sign in _SPACED else sign
        if name in _FUNCTIONS:
            return f"\x00{name}"
        if name in ("frac", "dfrac", "tfrac"):
            return f"{_bracketed(self._argument())}/{_bracketed(self._argument())}"
        if name == "sqrt":
            content = self._argument()
            return f"√{content}" if len(content) == 1 else f"√({content})"
        if name in _CONTENT:
            return self._argument()
        if name in _NOTHING or name == "!":
            return ""
        if name in _SPACES or name == "\\":
            return " "
        return name if len(name) == 1 else f"\\{name}"

    def _argument(self) -> str:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        return self._item().strip().replace("\x00", "") if self._at < len(self._tokens) else ""

    def _group(self) -> str:
        content = self.sequence()
        self._at += 1  # the closing brace
        return content

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]


def _joined(before: str, item: str) -> str:
    """A function's name stands apart from what is before and behind it, unless that is a bracket or
    an index.
    """
    stem = before.rstrip(_INDICES)
    last_word = stem[len(stem.rstrip(ascii_letters)) :]
    if (
        last_word in _FUNCTIONS
        and item
        and not item.startswith(" ")
        and item[0] not in "(" + _INDICES
    ):
        item = f" {item}"
    if item.startswith("\x00"):
        space = " " if before and before[-1] not in "( √/" else ""
        return f"{before}{space}{item[1:]}"
    return before + item.replace("\x00", "")


def _shifted(text: str, table: dict[str, str], mark: str) -> str:
    if all(c in table for c in text):
        return "".join(table[c] for c in text)
    return f"{mark}{text}" if text.isalnum() else f"{mark}({text})"


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[^\s+\-−/·×=]*", text) else f"({text})"
