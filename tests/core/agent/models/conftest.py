"""Requests that are sent again are not waited for."""

from __future__ import annotations

import pytest

from raybench.agent.models import server


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "FIRST_WAIT", 0.01)
