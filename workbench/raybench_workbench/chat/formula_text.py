"""Formulas in answers, converted from LaTeX to plain text with Greek letters, superscripts and
subscripts.
"""

import re

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_FORMULA = re.compile(
    r"\$\$(?P<a>.{1,1000}?)\$\$|\\\[(?P<b>.{1,1000}?)\\\]|\\\((?P<c>.{1,1000}?)\\\)|(?<![\\\w$])\$(?P<d>(?![\s\d.,]+\s)[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?![\d$])",
    re.DOTALL,
)
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
_FUNCTIONS = re.compile(
    "sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|ln|log|exp|min|max|lim|det|arg"
)
_OMITTED = re.compile(
    "left|right|[bB]igg?|displaystyle|limits|nonumber|text(rm|bf)?|math(rm|bf|it|sf|cal)"
    "|operatorname|boldsymbol|vec|bar|hat|tilde|overline|!"
)
"""Commands that are left out; the argument of one that has any stays."""
_RAISED = dict(zip("0123456789+-−=()ni°′*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ°′*", strict=True))
_LOWERED = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)
_INDICES = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ₀₁₂₃₄₅₆₇₈₉"
MAX_FORMULA_CHARACTERS = 50_000
"""Length up to which a text is searched for formulas."""
MAX_DEPTH = 40
"""Nesting depth of groups and arguments up to which they are read."""

# marks within a formula that is being read
_FRACTION, _ROOT = "\x01", "\x02"
_BEFORE, _AFTER = "\x03", "\x04"
"""Around the name of a function."""
_MARKS = "".join((_FRACTION, _ROOT, "_^"))
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?|\\(.)", re.DOTALL)
_INNER = rf"\{{([^{{}}{_MARKS}]*)\}}"
_ARGUMENT = rf"(?:{_INNER}|([^{{}}\s{_MARKS}]))"
_SHIFTED = re.compile(rf"([_^]){_ARGUMENT}")
_ROOTED = re.compile(rf"{_ROOT}{_ARGUMENT}")
_DIVIDED = re.compile(rf"{_FRACTION}{_ARGUMENT}\s*{_ARGUMENT}")
_GROUP = re.compile(rf"(?<![}}{_MARKS}]){_INNER}")
_KEPT = str.maketrans("{}_^", "\x05\x06\x07\x08")
"""Characters of the text itself, which are marks in LaTeX."""
_WRITTEN = str.maketrans(dict(zip("\x05\x06\x07\x08", "{}_^", strict=True)))
_REMOVED = str.maketrans({_FRACTION: "/", _ROOT: "√", **dict.fromkeys(f"{{}}_^{_BEFORE}{_AFTER}")})


def make_formulas_plain(text: str) -> str:
    """The Markdown text with its LaTeX formulas as plain text; code is left unchanged."""
    if len(text) > MAX_FORMULA_CHARACTERS:
        return text
    parts = _CODE.split(text)
    return "".join(
        part if i % 2 else _FORMULA.sub(_replace_formula, part) for i, part in enumerate(parts)
    )


def _replace_formula(found: re.Match[str]) -> str:
    alone = found["a"] or found["b"]
    plain = _MARKUP.sub(r"\\\1", plain_formula(alone or found["c"] or found["d"] or ""))
    return f"\n\n{plain}\n\n" if alone else plain


def plain_formula(latex: str) -> str:
    """A formula in LaTeX as plain text: ``n_1 \\sin\theta_1`` becomes n₁ sin θ₁. Unknown commands
    are left unchanged.
    """
    text = _COMMAND.sub(_replace_command, latex).replace("-", "−").replace("&", " ")
    text = re.sub(rf"(?<=[{_MARKS}])\s+", "", text)
    for _ in range(MAX_DEPTH):  # the innermost arguments first
        before = text
        text = _SHIFTED.sub(_replace_script, text)
        text = _ROOTED.sub(_replace_root, text)
        text = _DIVIDED.sub(_replace_fraction, text)
        text = _GROUP.sub(r"\1", text)
        if text == before:
            break
    text = re.sub(rf"(?<=[^( √/]){_BEFORE}", " ", text)
    text = re.sub(rf"{_AFTER}([{_INDICES}]*)(?=[^\s({_INDICES}])", r"\1 ", text)
    return " ".join(text.translate(_REMOVED).translate(_WRITTEN).split())


def _replace_command(found: re.Match[str]) -> str:
    name = found[1] or found[2]
    if name in _SIGNS:
        sign = _SIGNS[name]
        return f" {sign} " if sign in _SPACED else sign
    if _FUNCTIONS.fullmatch(name):
        return f"{_BEFORE}{name}{_AFTER}"
    if name in ("frac", "dfrac", "tfrac"):
        return _FRACTION
    if name == "sqrt":
        return _ROOT
    if _OMITTED.fullmatch(name):
        return ""
    if name in ("quad", "qquad") or name in ",;: \\\n":
        return " "
    return f"\\{name}" if found[1] and len(name) > 1 else name.translate(_KEPT)


def _replace_script(found: re.Match[str]) -> str:
    mark, text = found[1], (found[2] or found[3] or "").strip()
    table = _RAISED if mark == "^" else _LOWERED
    if all(c in table for c in text):
        return "".join(table[c] for c in text)
    return f"{mark.translate(_KEPT)}{text if text.isalnum() else f'({text})'}"


def _replace_root(found: re.Match[str]) -> str:
    content = (found[1] or found[2] or "").strip()
    return f"√{content}" if len(content) == 1 else f"√({content})"


def _replace_fraction(found: re.Match[str]) -> str:
    numerator, denominator = (
        text if re.fullmatch(r"[^\s+\-−/·×=]*", text) else f"({text})"
        for text in ((found[i] or found[i + 1] or "").strip() for i in (1, 3))
    )
    return f"{numerator}/{denominator}"
