"""Each question starts without a scene to ask about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from raybench.analysis.agentic_tools import clear_context


@pytest.fixture(autouse=True)
def no_context() -> Iterator[None]:
    clear_context()
    yield
    clear_context()
