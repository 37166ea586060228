"""A pytest plugin that shows the window in the language of the environment variable
``WINDOW_LANGUAGE``. Texts that the window asks for and the language lacks fail the session.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from raybench_workbench import translation

CODE = os.environ["WINDOW_LANGUAGE"]
translation.use_language(CODE)  # before modules with texts are imported
own, of_qt = translation._translators
missing: set[str] = set()


class Recorder:
    """A translator that notes what it cannot translate."""

    def translate(self, context: str, text: str, meaning: str) -> str:
        found = own.translate(context, text, meaning)
        capitalized = own.translate(context, translation.capitalized(text), meaning)
        if not (found or capitalized) and any(map(str.isalpha, text)) and not is_name(text):
            missing.add(text)
        return found


translation._translators[:] = [Recorder(), of_qt]  # type: ignore[list-item]


def is_name(text: str) -> bool:
    """Whether a text is a name or a unit, the same in every language."""
    return text in translation.LANGUAGES.values()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if missing:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if missing:
        terminalreporter.write_line(f"{CODE} lacks: {sorted(missing)}")
