"""The language of the window: `tr` translates texts by Qt's translation files.

The language is chosen before the modules of the window are imported, because their tables contain
texts. Terminal commands are not translated, and import no Qt for it. `python -m tests.translations`
updates the translation files from the texts in the code.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import TYPE_CHECKING

from raybench.phrase import Phrase

if TYPE_CHECKING:
    from PySide6.QtCore import QLocale, QTranslator

SYSTEM, ENGLISH = "system", "en"
LANGUAGES: Mapping[str, str] = MappingProxyType(
    {ENGLISH: "English", "de": "Deutsch", "zh_CN": "简体中文"}
)
"""The languages by their codes, each named in itself."""
_translators: list[QTranslator] = []
"""Those of the window's texts and of Qt's own."""
_decimal_sign = "."
_locale_name = "C"
_DECIMAL_COMMA, _DECIMAL_POINT = (re.compile(rf"(?<=\d){sign}(?=\d)") for sign in (",", r"\."))


class _Formatter(string.Formatter):
    """`str.format` that translates phrases among the values, and writes numbers with the decimal
    sign of the language.
    """

    def format_field(self, value: object, spec: str) -> str:
        if isinstance(value, Phrase):
            return tr(value)
        text = str(super().format_field(value, spec))
        return with_decimal_sign(text) if isinstance(value, float) else text


_formatter = _Formatter()


def tr(text: str, meaning: str = "", /, **values: object) -> str:
    """A text or a phrase in the language of the window, or in English if it has no translation. Its
    slots are filled with ``values`` as by `str.format`; without values it has no slots.

    ``meaning`` distinguishes equal texts with different meanings. A word without a translation is
    translated as the same word with a capital.
    """
    if isinstance(text, Phrase):
        return tr(text.template, **text.values)
    translated = text
    if _translators and text:
        found = (_translators[0].translate("", t, meaning) for t in (text, capitalized(text)))
        translated = next(filter(None, found), text)
    return _formatter.vformat(translated, (), values) if values else translated


def capitalized(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def translate_phrase(text: str) -> str:
    """The translation of a phrase; any other text is returned unchanged."""
    return tr(text) if isinstance(text, Phrase) else text


def translated_message(error: Exception) -> str:
    """The message of an error, translated if it is a phrase."""
    told = error.args[0] if error.args else ""
    return tr(told) if isinstance(told, Phrase) else str(error)


def with_decimal_sign(text: str) -> str:
    """A text of numbers with the decimal sign of the language, from one with decimal points."""
    return _DECIMAL_POINT.sub(_decimal_sign, text)


def with_decimal_point(text: str) -> str:
    """A typed text with decimal points instead of the decimal sign of the language."""
    return _DECIMAL_COMMA.sub(".", text) if _decimal_sign == "," else text


def use_language(code: str) -> None:
    """Choose the language of the window by its code in `LANGUAGES`; `SYSTEM` means that of the
    desktop, and an unknown code means English.
    """
    from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

    global _decimal_sign, _locale_name
    _translators.clear()
    _decimal_sign, _locale_name = ".", "C"
    if code == SYSTEM:
        code = desktop_language()
    if code == ENGLISH or code not in LANGUAGES:
        return
    _decimal_sign, _locale_name = QLocale(code).decimalPoint(), code
    with as_file(files("raybench_resources").joinpath("translations")) as folder:
        own = QTranslator()
        own.load(f"raybench_{code}", str(folder))
    qt = QTranslator()
    qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _translators.extend((own, qt))


def qt_translator() -> QTranslator | None:
    """The translator of Qt's own texts, such as those of its file dialogs; None for English."""
    return _translators[1] if _translators else None


def number_locale() -> QLocale:
    """The locale in which Qt's number fields show and read numbers."""
    from PySide6.QtCore import QLocale

    return QLocale(_locale_name)


def desktop_language() -> str:
    """The first of the desktop's languages for which there is a translation, else English."""
    from PySide6.QtCore import QLocale

    for wanted in QLocale.system().uiLanguages():
        for code in LANGUAGES:
            if wanted.replace("-", "_").startswith(code.partition("_")[0]):
                return code
    return ENGLISH
