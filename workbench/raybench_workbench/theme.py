"""The themes, which define all colours, sizes and fonts. No widget has a style of its own.

A widget that needs another style than its class declares a role with `set_role`; the style sheet
has a rule for each role.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Template

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
FONT_FAMILY = "Open Sans"
_Role = QPalette.ColorRole


COLORS = """
             light      dark       paper
canvas       #fcfcfb    #0d1014    #ffffff
panel        #f4f5f6    #171b20    #ffffff
field        #ffffff    #0f1317    #ffffff
hover        #e8ebee    #20262d    #efefef
separator    #d8dcdf    #2b323a    #c8c8c8
grid         #eceef0    #1a2027    #ececec
text         #1e2329    #d9dee4    #000000
dim          #5c6670    #929ca7    #555555
accent       #0b63c4    #4db8ff    #0047ab
on_accent    #ffffff    #06131d    #ffffff
selected_row #d3e5f8    #1d3547    #dbe6f5
user_tint    #e2edf8    #1c2c3a    #eef3fa
error        #b3261e    #ff8078    #a31515
warning      #875500    #e6b450    #7a4d00
good         #187040    #6cc792    #146c3a
outline      #5c6873    #8f9cab    #000000    # lines of objects
glass        #244a90d0  #206fa8dc  #14203040  # bodies of index 1.5
thin         #24d07a4a  #24dc8a6f  #18804020  # bodies that are optically thinner than what surrounds them
coating      #8a3fc0    #d39bff    #7030a0    # lines along coated edges
finish       #b25e00    #ffb45c    #8a4a00    # dots along edges with a finish
mirror       #39424b    #c3ccd6    #000000
blocker      #5c4a40    #7d6f68    #3a3a3a
detector     #1c7a46    #6cc792    #146c3a
source       #8a5c00    #ffd866    #000000
decoration   #5f6973    #8a95a1    #444444
ray          #bf4a00    #ffff80    #b02a00    # light without a wavelength, at full power
extension    #8a6d00    #ff8c1a    #8a6d00    # backward extensions of rays, and virtual images
forward      #8b949d    #6d7783    #8a8a8a    # forward extensions of rays, and virtual objects
sight        #2f55d4    #5b8cff    #1f3fbf    # the observer's lines of sight
"""
"""The colours of each theme, as ``#rrggbb`` or ``#aarrggbb``."""


@dataclass(frozen=True)
class Theme:
    """A theme, which gives each colour name its colour from a column of `COLORS`."""

    name: str
    colors: Mapping[str, str] = field(compare=False)

    @property
    def is_dark(self) -> bool:
        """Whether the background is black, so that light can be added to it."""
        return self.name == "dark"

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """The theme's colour with a name; its opacity is multiplied by ``alpha``."""
        color = QColor(self.colors[name])
        color.setAlphaF(color.alphaF() * alpha)
        return color


def rgb_components(color: QColor) -> tuple[float, float, float]:
    """The red, green and blue components of a colour, from 0 to 1."""
    return color.redF(), color.greenF(), color.blueF()


def _read_themes() -> dict[str, Theme]:
    names, *rows = (line.partition("# ")[0].split() for line in COLORS.strip().splitlines())
    return {name: Theme(name, {row[0]: row[i] for row in rows}) for i, name in enumerate(names, 1)}


THEMES = _read_themes()
LIGHT, DARK, PAPER = THEMES.values()


SYSTEM = "system"
"""The choice of the light or the dark theme as the desktop has it."""


class _ThemeNotifier(QObject):
    changed = Signal(object)


_current, _chosen = DARK, DARK.name
notifier = _ThemeNotifier()
"""``notifier.changed`` is emitted with the new `Theme`, for widgets with their own painting."""


def current_theme() -> Theme:
    """The current theme."""
    return _current


def apply_theme(app: QApplication, name: str) -> Theme:
    """Apply a theme to the application: ``light``, ``dark``, ``paper`` or `SYSTEM`."""
    global _current, _chosen
    _chosen = name
    _current = THEMES.get(name) or (LIGHT if is_desktop_light(app) else DARK)
    load_fonts()
    app.setFont(text_font())
    app.setPalette(_make_palette(_current))
    sheet = _style_sheet(_current)
    if app.styleSheet() != sheet:  # each time that it is set, all widgets are styled again
        app.setStyleSheet(sheet)
        notifier.changed.emit(_current)
    return _current


def is_desktop_light(app: QApplication) -> bool:
    """Whether the desktop prefers light colours; False if that is unknown."""
    return app.styleHints().colorScheme() == Qt.ColorScheme.Light


def follow_desktop_theme(app: QApplication) -> None:
    """Apply the desktop's theme again after it has changed, if `SYSTEM` is chosen."""
    if _chosen == SYSTEM:
        apply_theme(app, SYSTEM)


def set_role(widget: QWidget, role: str) -> None:
    """Set the role of a widget, such as ``dim``, for which the style sheet has a rule; an empty
    role removes it.
    """
    if widget.property("role") == role:
        return
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def indent_number_text(box: QSpinBox | QDoubleSpinBox) -> None:
    """Indent the text of a number field as in other fields, which a style sheet cannot do."""
    box.lineEdit().setTextMargins(HALF, 0, HALF, 0)


@cache
def load_fonts() -> None:
    """Register the bundled font, so that texts look the same on every machine."""
    for face in ("Regular", "Italic", "SemiBold"):
        data = files("raybench_resources").joinpath("fonts", f"OpenSans-{face}.ttf").read_bytes()
        QFontDatabase.addApplicationFontFromData(data)


def text_font(size: int = TEXT_SIZE, *, italic: bool = False, strong: bool = False) -> QFont:
    """The program's font at a size in pixels, with digits of equal width."""
    font = QFont(FONT_FAMILY)
    font.setPixelSize(size)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setItalic(italic)
    if strong:
        font.setWeight(QFont.Weight.DemiBold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def first_installed_font(
    names: str, size: int, *, italic: bool = False, strong: bool = False
) -> QFont:
    """The first installed font of a CSS list such as ``Arial, sans-serif``. If none is installed,
    or for generic names, the program's font.
    """
    font = text_font(size, italic=italic, strong=strong)
    for name in names.split(","):
        if installed := _font_families().get(name.strip(" \"'").casefold()):
            font.setFamily(installed)
            font.setBold(strong)
            break
    return font


GENERIC_FAMILIES = ("serif", "sans serif", "sans-serif", "monospace", "cursive", "fantasy")
"""Generic families, a different font on each machine: the program's own font replaces them, so that
pictures are the same everywhere.
"""


@cache
def _font_families() -> Mapping[str, str]:
    """The families of the installed fonts by their names in lower case."""
    named = {family.casefold(): family for family in QFontDatabase.families()}
    return {name: family for name, family in named.items() if name not in GENERIC_FAMILIES}


def mono_font() -> QFont:
    """The system's monospaced font, for data."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(SMALL_SIZE)
    return font


def text_pixel_width(text: str, font: QFont | None = None) -> int:
    """The width of a text, in pixels."""
    return round(QFontMetricsF(font or text_font()).horizontalAdvance(text) + 0.5)


PALETTE = {
    "panel": (_Role.Window, _Role.AlternateBase, _Role.Button),
    "text": (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.ToolTipText),
    "field": (_Role.Base,),
    "error": (_Role.BrightText,),
    "accent": (_Role.Highlight, _Role.Link, _Role.Accent),
    "on_accent": (_Role.HighlightedText,),
    "hover": (_Role.ToolTipBase,),
    "dim": (_Role.PlaceholderText,),
    "separator": (_Role.Light, _Role.Midlight, _Role.Mid, _Role.Dark),
    "canvas": (_Role.Shadow,),
}
"""The roles of Qt's palette that have each colour."""


def _make_palette(theme: Theme) -> QPalette:
    palette = QPalette()
    for name, roles in PALETTE.items():
        for role in roles:
            palette.setColor(role, theme.color(name))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color("dim"))
    return palette


def _style_sheet(theme: Theme) -> str:
    sheet = files("raybench_resources").joinpath("theme.qss").read_text("utf-8")
    return Template(sheet).substitute(
        theme.colors, small_size=SMALL_SIZE, headline_size=HEADLINE_SIZE
    )
