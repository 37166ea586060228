"""Themes: the only place that defines colours, sizes and fonts. No widget has a style of its own.

A widget that needs another style than its class declares a role with `set_role`; the style sheet
has a rule for each role.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QSpinBox, QWidget

GRID = 8
"""Distances are multiples of this many pixels; half of it inside dense rows."""
HALF = GRID // 2
TEXT_SIZE = 13
SMALL_SIZE = 12
HEADLINE_SIZE = 20
ICON_SIZE = 20
ROW_HEIGHT = 24
HANDLE_SIZE = 7
"""Diameter of a handle on the canvas in pixels."""
FAMILY = "Open Sans"


@dataclass(frozen=True)
class Theme:
    """The colours of a theme, as ``#rrggbb`` or ``#aarrggbb``."""

    name: str
    dark: bool
    canvas: str
    panel: str
    field: str
    hover: str
    separator: str
    grid: str
    text: str
    dim: str
    accent: str
    on_accent: str
    selected_row: str
    user_tint: str
    error: str
    warning: str
    good: str
    outline: str
    """Lines of objects."""
    glass: str
    """Fill of glass bodies of index 1.5."""
    thin: str
    """Fill of bodies that are optically thinner than what surrounds them."""
    mirror: str
    blocker: str
    detector: str
    source: str
    decoration: str
    ray: str
    """Light without a wavelength, at full power."""
    extension: str
    """Backward extensions of rays, and virtual images."""
    forward: str
    """Forward extensions of rays, and virtual objects."""
    sight: str
    """The observer's lines of sight."""

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """One of the colours above, its opacity multiplied by ``alpha``."""
        color = QColor(getattr(self, name))
        color.setAlphaF(color.alphaF() * alpha)
        return color


DARK = Theme(
    name="dark",
    dark=True,
    canvas="#0d1014",
    panel="#171b20",
    field="#0f1317",
    hover="#20262d",
    separator="#2b323a",
    grid="#1a2027",
    text="#d9dee4",
    dim="#929ca7",
    accent="#4db8ff",
    on_accent="#06131d",
    selected_row="#1d3547",
    user_tint="#1c2c3a",
    error="#ff8078",
    warning="#e6b450",
    good="#6cc792",
    thin="#24dc8a6f",
    outline="#8f9cab",
    glass="#206fa8dc",
    mirror="#c3ccd6",
    blocker="#7d6f68",
    detector="#6cc792",
    source="#ffd866",
    decoration="#8a95a1",
    ray="#ffff80",
    extension="#ff8c1a",
    forward="#6d7783",
    sight="#5b8cff",
)
LIGHT = Theme(
    name="light",
    dark=False,
    canvas="#fcfcfb",
    panel="#f4f5f6",
    field="#ffffff",
    hover="#e8ebee",
    separator="#d8dcdf",
    grid="#eceef0",
    text="#1e2329",
    dim="#5c6670",
    accent="#0b63c4",
    on_accent="#ffffff",
    selected_row="#d3e5f8",
    user_tint="#e2edf8",
    error="#b3261e",
    warning="#875500",
    good="#187040",
    thin="#24d07a4a",
    outline="#5c6873",
    glass="#244a90d0",
    mirror="#39424b",
    blocker="#5c4a40",
    detector="#1c7a46",
    source="#8a5c00",
    decoration="#5f6973",
    ray="#bf4a00",
    extension="#8a6d00",
    forward="#8b949d",
    sight="#2f55d4",
)
PAPER = Theme(
    name="paper",
    dark=False,
    canvas="#ffffff",
    panel="#ffffff",
    field="#ffffff",
    hover="#efefef",
    separator="#c8c8c8",
    grid="#ececec",
    text="#000000",
    dim="#555555",
    accent="#0047ab",
    on_accent="#ffffff",
    selected_row="#dbe6f5",
    user_tint="#eef3fa",
    error="#a31515",
    warning="#7a4d00",
    good="#146c3a",
    thin="#18804020",
    outline="#000000",
    glass="#14203040",
    mirror="#000000",
    blocker="#3a3a3a",
    detector="#146c3a",
    source="#000000",
    decoration="#444444",
    ray="#b02a00",
    extension="#8a6d00",
    forward="#8a8a8a",
    sight="#1f3fbf",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PAPER)}


class _Notifier(QObject):
    changed = Signal(object)


_current = DARK
notifier = _Notifier()
"""``notifier.changed`` is emitted with the new `Theme`, for widgets with their own painting."""


def current_theme() -> Theme:
    """The current theme."""
    return _current


def apply_theme(app: QApplication, name: str) -> Theme:
    """Apply a theme to the application: ``light``, ``dark`` or ``paper``."""
    global _current
    _current = THEMES[name]
    load_fonts()
    app.setFont(text_font())
    app.setPalette(_make_palette(_current))
    app.setStyleSheet(_style_sheet(_current))
    notifier.changed.emit(_current)
    return _current


def set_role(widget: QWidget, role: str) -> None:
    """Set the role of a widget, one for which the style sheet below has a rule, such as ``dim``;
    empty for none.
    """
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def inset_text(box: QSpinBox | QDoubleSpinBox) -> None:
    """Let the text of a number stand as far from the border as in other fields, which no style
    sheet can.
    """
    box.lineEdit().setTextMargins(HALF, 0, HALF, 0)


_loaded = False


def load_fonts() -> None:
    """Register the bundled font, so that text is the same on every machine."""
    global _loaded
    if not _loaded:
        for face in ("Regular", "Italic", "SemiBold"):
            data = files("ttf_opensans").joinpath("ttf", f"OpenSans-{face}.ttf").read_bytes()
            QFontDatabase.addApplicationFontFromData(data)
        _loaded = True


def text_font(size: int = TEXT_SIZE, *, italic: bool = False, strong: bool = False) -> QFont:
    """The program's font at a size in pixels, with tabular figures."""
    font = QFont(FAMILY)
    font.setPixelSize(size)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setItalic(italic)
    if strong:
        font.setWeight(QFont.Weight.DemiBold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def font_named(names: str, size: int, *, italic: bool = False, strong: bool = False) -> QFont:
    """The first installed font of a list as in CSS, such as ``Arial, sans-serif``; where none is,
    as for generic names, the program's.
    """
    font = text_font(size, italic=italic, strong=strong)
    for name in names.split(","):
        if installed := _font_families().get(name.strip(" \"'").casefold()):
            font.setFamily(installed)
            font.setBold(strong)
            break
    return font


GENERIC = ("serif", "sans serif", "sans-serif", "monospace", "cursive", "fantasy")
"""Generic families, a different font on each machine: the program's own font replaces them, so that
pictures are the same everywhere.
"""


@cache
def _font_families() -> Mapping[str, str]:
    """The families of the installed fonts by their names in lower case."""
    named = {family.casefold(): family for family in QFontDatabase.families()}
    return {name: family for name, family in named.items() if name not in GENERIC}


def mono_font() -> QFont:
    """The system's monospaced font, for data."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(SMALL_SIZE)
    return font


def width_of(text: str, font: QFont | None = None) -> int:
    """The width of a text, in pixels."""
    return round(QFontMetricsF(font or text_font()).horizontalAdvance(text) + 0.5)


def _make_palette(t: Theme) -> QPalette:
    palette, role = QPalette(), QPalette.ColorRole
    for r, name in (
        (role.Window, "panel"),
        (role.WindowText, "text"),
        (role.Base, "field"),
        (role.AlternateBase, "panel"),
        (role.Text, "text"),
        (role.Button, "panel"),
        (role.ButtonText, "text"),
        (role.BrightText, "error"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "on_accent"),
        (role.ToolTipBase, "hover"),
        (role.ToolTipText, "text"),
        (role.PlaceholderText, "dim"),
        (role.Link, "accent"),
        (role.Light, "separator"),
        (role.Midlight, "separator"),
        (role.Mid, "separator"),
        (role.Dark, "separator"),
        (role.Shadow, "canvas"),
        (role.Accent, "accent"),
    ):
        palette.setColor(r, t.color(name))
    for r in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, r, t.color("dim"))
    return palette


def _style_sheet(t: Theme) -> str:
    return f"""
    QMainWindow::separator {{ background: {t.separator}; width: 1px; height: 1px; }}
    QMenuBar {{ background: transparent; padding: 0 {HALF}px; }}
    QSplitter::handle {{ background: {t.separator}; }}
    QMenuBar::item {{ padding: {HALF}px {GRID}px; background: transparent; border-radius: 3px; }}
    QMenuBar::item:selected, QMenu::item:selected {{ background: {t.hover}; color: {t.text}; }}
    QMenu {{ background: {t.panel}; border: 1px solid {t.separator}; padding: {HALF}px 0; }}
    QMenu::item {{ padding: {HALF}px {3 * GRID}px {HALF}px {3 * GRID}px; }}
    QMenu::icon {{ padding-left: {GRID}px; }}
    QMenu::item:disabled {{ color: {t.dim}; }}
    QMenu::separator {{ height: 1px; background: {t.separator}; margin: {HALF}px 0; }}
    QToolBar {{ background: transparent; border: none; padding: 0 {HALF}px; spacing: 2px; }}
    QToolBar::separator {{ background: {t.separator}; width: 1px; margin: {HALF}px {GRID}px; }}
    QToolButton {{ border: none; border-radius: 3px; padding: 3px; background: transparent; }}
    QToolButton:hover {{ background: {t.hover}; }}
    QToolButton:checked {{ background: {t.selected_row}; }}
    QToolButton[role="family"] {{ padding-right: {2 * GRID - 2}px; }}
    QToolButton::menu-button {{ border: none; border-radius: 3px; width: {GRID + HALF}px; }}
    QToolButton::menu-button:hover {{ background: {t.separator}; }}
    QDockWidget {{ titlebar-close-icon: none; titlebar-normal-icon: none; }}
    QTabWidget::pane {{ border: none; }}
    QTabBar {{ background: {t.panel}; qproperty-elideMode: ElideNone; }}
    QTabBar::tab {{ background: transparent; color: {t.dim}; font-weight: 600; font-size: {SMALL_SIZE}px; border: none;
        border-bottom: 2px solid transparent; padding: 3px {GRID}px; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom-color: {t.accent}; }}
    QTabBar::tab:hover {{ color: {t.text}; }}
    QStatusBar {{ background: {t.panel}; border-top: 1px solid {t.separator}; padding: 0 {GRID}px; }}
    QStatusBar::item {{ border: none; }}
    QAbstractItemView {{ background: {t.panel}; border: none; outline: none;
        selection-background-color: {t.selected_row}; selection-color: {t.text}; }}
    QComboBox QAbstractItemView, QListView[role="popup"] {{ border: 1px solid {t.separator}; }}
    QAbstractItemView::item {{ padding: 0 {HALF}px; }}
    QAbstractItemView::item:hover {{ background: {t.hover}; }}
    QAbstractItemView::item:selected {{ background: {t.selected_row}; color: {t.text}; }}
    QHeaderView {{ background: {t.panel}; border: none; qproperty-highlightSections: false; }}
    QHeaderView::section {{ background: {t.panel}; color: {t.dim}; border: none; border-bottom: 1px solid {t.separator};
        padding: 3px {GRID}px; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: {t.panel}; border: none; }}
    QLineEdit, QAbstractSpinBox, QPlainTextEdit {{ background: {t.field}; border: 1px solid {t.separator}; border-radius: 3px;
        padding: 2px {HALF}px; selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
    QAbstractSpinBox {{ padding: 0; min-height: 24px; max-height: 24px; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: 0; }}
    QLineEdit:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus {{ border-color: {t.accent}; }}
    QLineEdit[role="error"], QAbstractSpinBox[role="error"] {{ border-color: {t.error}; }}
    QCheckBox::indicator:unchecked {{ background: {t.field}; border: 1px solid {t.dim}; border-radius: 2px; width: 11px; height: 11px; }}
    QPushButton {{ background: {t.hover}; border: 1px solid {t.separator}; border-radius: 3px; padding: 3px {GRID}px; }}
    QPushButton:hover {{ border-color: {t.dim}; }}
    QPushButton:default {{ border-color: {t.accent}; }}
    QPushButton:disabled {{ color: {t.dim}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QPushButton[role="flat"] {{ background: transparent; border: none; color: {t.accent}; padding: 2px {HALF}px; }}
    QPushButton[role="flat"]:hover {{ background: {t.hover}; }}
    QPushButton[role="file"] {{ text-align: left; }}
    QPushButton[role="remedy"] {{ background: {t.panel}; border: none; color: {t.accent}; padding: 0 {HALF}px; }}
    QPushButton[role="remedy"]:hover {{ background: {t.hover}; }}
    QPushButton[role="status"] {{ background: transparent; border: none; color: {t.text}; padding: 2px {HALF}px; }}
    QPushButton[role="status"]:hover:enabled {{ background: {t.hover}; }}
    QPushButton[role="status"]:disabled {{ color: {t.dim}; }}
    QPushButton[role="status-warning"] {{ background: transparent; border: none; color: {t.warning}; padding: 2px {HALF}px; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {t.separator}; border-radius: 3px; min-height: 24px; min-width: 24px; margin: 2px; }}
    QScrollBar::handle:hover {{ background: {t.dim}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    QToolTip {{ background: {t.hover}; color: {t.text}; border: 1px solid {t.separator}; padding: {HALF}px; }}
    QLabel[role="dim"] {{ color: {t.dim}; }}
    QLabel[role="label"] {{ color: {t.dim}; font-size: {SMALL_SIZE}px; }}
    QLabel[role="title"] {{ color: {t.dim}; font-weight: 600; font-size: {SMALL_SIZE}px; }}
    QLabel[role="headline"] {{ font-weight: 600; font-size: {HEADLINE_SIZE}px; }}
    QLabel[role="error"] {{ color: {t.error}; }}
    QLabel[role="warning"] {{ color: {t.warning}; }}
    QLabel[role="accent"] {{ color: {t.accent}; }}
    QWidget[role="panel"] {{ background: {t.panel}; }}
    QWidget[role="bar"] {{ background: {t.panel}; border-bottom: 1px solid {t.separator}; }}
    QWidget[role="user"] {{ background: {t.user_tint}; border-radius: 4px; }}
    QWidget[role="card"] {{ background: {t.panel}; border: 1px solid {t.dim}; border-radius: 4px; }}
    QFrame[role="approval"] {{ background: {t.field}; border: 1px solid {t.separator}; border-left: 3px solid {t.accent};
        border-radius: 4px; }}
    QTextBrowser[role="message"] {{ background: transparent; border: none; padding: 0; }}
    QPushButton[role="question"] {{ background: transparent; border: 1px solid {t.separator}; border-radius: 4px; text-align: left;
        padding: {HALF}px {GRID}px; }}
    QPushButton[role="question"]:hover, QPushButton[role="question"]:focus {{ border-color: {t.accent}; }}
    QWidget[role="line"] {{ border: 1px solid transparent; border-radius: 3px; }}
    QWidget[role="line"] QLabel, QWidget[role="line"] QPushButton {{ font-size: {SMALL_SIZE}px; }}
    QWidget[role="line"]:hover {{ background: {t.hover}; }}
    QWidget[role="line"]:focus {{ border-color: {t.accent}; }}
    QPushButton[role="chip"] {{ background: {t.selected_row}; color: {t.text}; border: none; border-radius: 4px; padding: 1px {GRID}px; }}
    QPushButton[role="chip"][lit="true"] {{ background: {t.accent}; color: {t.on_accent}; }}
    QPushButton[role="chip"]:disabled {{ background: transparent; color: {t.dim}; }}
    QPushButton[role="chip"]:focus {{ border: 1px solid {t.accent}; padding: 0 {GRID - 1}px; }}
    """
