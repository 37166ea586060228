"""A preview that typesets a formula while it is being typed."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from raybench.formula import FormulaError, parse_latex
from raybench.formula.tree import Node
from raybench_workbench import theme
from raybench_workbench.theme import TEXT_SIZE, text_font
from raybench_workbench.translation import tr

MAX_HEIGHT = 90
"""Largest height of the preview, in pixels; a larger formula is scaled down."""
MIN_TEXT_SIZE = 9
"""Size of the text of powers of powers, in pixels."""
MOST_NODES = 120
"""Longer formulas have no preview: it would not fit."""
GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
}
OPERATOR_SIGNS = {
    "add": " + ",
    "sub": " − ",
    "mul": "·",
    "less": " < ",
    "less_equal": " ≤ ",
    "equal": " = ",
    "mod": " mod ",
}
PRECEDENCE = {"less": 0, "less_equal": 0, "equal": 0, "add": 1, "sub": 1, "mul": 2, "mod": 2}
PRECEDENCE |= {"neg": 2, "div": 3, "pow": 4, "exp": 4, "factorial": 4}
ATOM_PRECEDENCE = 5
ENCLOSING_SIGNS = {"abs": "||", "floor": "⌊⌋", "ceil": "⌈⌉"}


class FormulaPreview(QWidget):
    """The typeset formula. It is hidden while the formula is invalid, and if typesetting adds
    nothing to the typed text.
    """

    def __init__(self, variables: tuple[str, ...]) -> None:
        super().__init__()
        self._variables = variables
        self._box: TypesetBox | None = None
        self.setAccessibleName(tr("Formula, rendered"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.notifier.changed.connect(self.update)
        self.hide()

    def show_formula(self, text: str) -> None:
        """Show a formula in LaTeX."""
        self._box = None
        try:
            tree = parse_latex(text, self._variables)
        except FormulaError:
            tree = None
        # a number or a name alone says nothing that its text does not
        if tree is not None and tree.args and tree.size <= MOST_NODES:
            self._box = formula_box(tree)
        self.setVisible(self._box is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self._box is None:
            return QSize(0, 0)
        return QSize(
            40, min(MAX_HEIGHT, math.ceil(self._box.ascent + self._box.descent) + theme.GRID)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._box is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.current_theme().color("text"), 1.1))
        room = QRectF(self.rect()).adjusted(theme.HALF, theme.HALF, -theme.HALF, -theme.HALF)
        high = self._box.ascent + self._box.descent
        scale = min(1.0, room.width() / max(self._box.width, 1.0), room.height() / max(high, 1.0))
        painter.translate(
            room.left(), room.center().y() - scale * high / 2 + scale * self._box.ascent
        )
        painter.scale(scale, scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._box.paint(painter, 0.0, 0.0)
        painter.end()


@dataclass(frozen=True)
class TypesetBox:
    """A typeset part of a formula: its width, its height above and below the baseline, and the
    function that paints it from a point on the baseline.
    """

    width: float
    ascent: float
    descent: float
    paint: Callable[[QPainter, float, float], None]


def formula_box(node: Node, size: float = TEXT_SIZE) -> TypesetBox:
    """The typeset box of a formula, given as a syntax tree."""
    op, args = node.op, node.args
    if op == "number":
        return _text_box(number_text(node.value), size)
    if op == "variable":
        return _name_box(node.name, size)
    if op == "div":
        return _fraction_box(formula_box(args[0], size), formula_box(args[1], size))
    if op == "sqrt":
        return _root_box(formula_box(args[0], size))
    if op in ("pow", "exp"):
        base = (
            _text_box("e", size, italic=True)
            if op == "exp"
            else _operand_box(args[0], ATOM_PRECEDENCE, size)
        )
        return _superscript_box(base, formula_box(args[-1], max(MIN_TEXT_SIZE, 0.72 * size)))
    if op == "neg":
        return _row_box([_text_box("−", size), _operand_box(args[0], 2, size)])
    if op in OPERATOR_SIGNS:
        level = PRECEDENCE[op]
        first = _operand_box(args[0], level, size)
        second = _operand_box(args[1], level + (op != "mul"), size)
        return _row_box([first, _text_box(OPERATOR_SIGNS[op], size), second])
    if op == "factorial":
        return _row_box([_operand_box(args[0], ATOM_PRECEDENCE, size), _text_box("!", size)])
    if op in ENCLOSING_SIGNS:
        return _bracketed_box(ENCLOSING_SIGNS[op], formula_box(args[0], size))
    name = node.name or {"log": "ln", "select": "if"}.get(op, op)
    inner: list[TypesetBox] = []
    for arg in args:
        inner += [_text_box(", ", size), formula_box(arg, size)]
    return _row_box([_text_box(name, size), _bracketed_box("()", _row_box(inner[1:]))])


def _operand_box(node: Node, level: int, size: float) -> TypesetBox:
    """The typeset box of an operand, in brackets if its operation has a lower precedence than
    ``level``.
    """
    box = formula_box(node, size)
    own = PRECEDENCE.get(node.op, ATOM_PRECEDENCE)
    if node.op == "number" and node.value < 0:
        own = PRECEDENCE["neg"]
    return _bracketed_box("()", box) if own < level else box


def number_text(value: float) -> str:
    """A number as written by hand: with powers of ten, and with the symbols π and e."""
    text = f"{value:.10g}"
    if text in ("3.141592654", "2.718281828"):
        return "π" if text.startswith("3") else "e"
    digits, _, power = text.replace("-", "−").partition("e")
    if not power:
        return digits
    raised = str(int(text.partition("e")[2]))
    return f"{digits}·10{raised.translate(str.maketrans('0123456789-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'))}"


def _name_box(name: str, size: float) -> TypesetBox:
    head, _, index = name.partition("_")
    base = _text_box(GREEK.get(head, head), size, italic=True)
    if not index:
        return base
    return _superscript_box(
        base, _text_box(index, max(MIN_TEXT_SIZE, 0.72 * size)), by=-0.25 * size
    )


def _text_box(text: str, size: float, *, italic: bool = False) -> TypesetBox:
    font = text_font(round(size), italic=italic)
    metrics = QFontMetricsF(font)
    above, below = metrics.capHeight() + 1, metrics.descent() * 0.6

    def paint(painter: QPainter, x: float, y: float) -> None:
        painter.setFont(font)
        painter.drawText(QPointF(x, y), text)

    return TypesetBox(metrics.horizontalAdvance(text), above, below, paint)


def _row_box(boxes: Sequence[TypesetBox]) -> TypesetBox:
    def paint(painter: QPainter, x: float, y: float) -> None:
        for box in boxes:
            box.paint(painter, x, y)
            x += box.width

    return TypesetBox(
        sum(b.width for b in boxes),
        max(b.ascent for b in boxes),
        max(b.descent for b in boxes),
        paint,
    )


def _fraction_box(numerator: TypesetBox, denominator: TypesetBox) -> TypesetBox:
    width, bar = max(numerator.width, denominator.width) + 6, 4.5

    def paint(painter: QPainter, x: float, y: float) -> None:
        numerator.paint(painter, x + (width - numerator.width) / 2, y - bar - 3 - numerator.descent)
        denominator.paint(
            painter, x + (width - denominator.width) / 2, y - bar + 3 + denominator.ascent
        )
        painter.drawLine(QPointF(x + 1, y - bar), QPointF(x + width - 1, y - bar))

    return TypesetBox(
        width,
        bar + 3 + numerator.descent + numerator.ascent,
        3 + denominator.ascent + denominator.descent - bar,
        paint,
    )


def _root_box(inner: TypesetBox) -> TypesetBox:
    def paint(painter: QPainter, x: float, y: float) -> None:
        top, low = y - inner.ascent - 3, y + inner.descent
        points = [(0, low - 5), (2.5, low - 6.5), (5, low), (8, top), (10 + inner.width, top)]
        painter.drawPolyline([QPointF(x + dx, py) for dx, py in points])
        inner.paint(painter, x + 9, y)

    return TypesetBox(inner.width + 12, inner.ascent + 4, inner.descent + 1, paint)


def _superscript_box(base: TypesetBox, power: TypesetBox, by: float | None = None) -> TypesetBox:
    """A box with an exponent at its upper right, raised by ``by``. A negative ``by`` makes it a
    subscript.
    """
    lift = base.ascent - 0.45 * power.ascent if by is None else by

    def paint(painter: QPainter, x: float, y: float) -> None:
        base.paint(painter, x, y)
        power.paint(painter, x + base.width + 1, y - lift)

    return TypesetBox(
        base.width + power.width + 2,
        max(base.ascent, lift + power.ascent),
        max(base.descent, power.descent - lift),
        paint,
    )


def _bracketed_box(signs: str, inner: TypesetBox) -> TypesetBox:
    """A box between two brackets of its height."""

    def paint(painter: QPainter, x: float, y: float) -> None:
        top, low = y - inner.ascent - 1, y + inner.descent + 1
        half = (top + low) / 2
        outline = {
            "()": [(2.5, top), (0.6, top + 3), (0.0, half), (0.6, low - 3), (2.5, low)],
            "||": [(0.0, top), (0.0, half), (0.0, low)],
            "⌊⌋": [(0.0, top), (0.0, low), (2.5, low)],
            "⌈⌉": [(2.5, top), (0.0, top), (0.0, low)],
        }[signs]
        for at, turn in ((x + 2, 1.0), (x + inner.width + 8, -1.0)):
            painter.drawPolyline([QPointF(at + turn * dx, py) for dx, py in outline])
        inner.paint(painter, x + 5, y)

    return TypesetBox(inner.width + 10, inner.ascent + 2, inner.descent + 2, paint)
