"""The language of the window: the texts of `tr` in Qt's translation files.

The language is chosen before the modules of the window are imported, since their tables hold texts.
Commands in a terminal have none, and import no Qt for it.
`python -m tests.translations` brings the translation files up to date with the texts in the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QTranslator

SYSTEM, ENGLISH = "system", "en"
LANGUAGES: Mapping[str, str] = MappingProxyType(
    {ENGLISH: "English", "de": "Deutsch", "zh_CN": "简体中文"}
)
"""The languages by their codes, each named in itself."""
_translators: list[QTranslator] = []
"""Those of the window's texts and of Qt's own."""


def tr(text: str, **values: object) -> str:
    """A text in the language of the window, English if it has none, with its slots filled by
    ``values`` as by `str.format`. Without values it has no slots.
    """
    translated = _translators[0].translate("", text) if _translators and text else ""
    return (translated or text).format(**values) if values else translated or text


def use_language(code: str) -> None:
    """Choose the language by its code in `LANGUAGES`, or `SYSTEM` for the desktop's; another code
    chooses English.
    """
    from PySide6.QtCore import QLibraryInfo, QTranslator

    _translators.clear()
    if code == SYSTEM:
        code = desktop_language()
    if code == ENGLISH or code not in LANGUAGES:
        return
    with as_file(files("raybench_resources").joinpath("translations")) as folder:
        own = QTranslator()
        own.load(f"raybench_{code}", str(folder))
    qt = QTranslator()
    qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _translators.extend((own, qt))


def qt_translator() -> QTranslator | None:
    """The translator of Qt's own texts, such as those of its file dialogs; None for English."""
    return _translators[1] if _translators else None


def desktop_language() -> str:
    """The first language of the desktop that there is, else English."""
    from PySide6.QtCore import QLocale

    for wanted in QLocale.system().uiLanguages():
        for code in LANGUAGES:
            if wanted.replace("-", "_").startswith(code.partition("_")[0]):
                return code
    return ENGLISH
