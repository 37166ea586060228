"""The examples in the documentation of the library run as they are written."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name", ["asking", "lens_system", "light", "objects", "scene", "studies", "tools"]
)
def test_examples_in_docstrings_run(name: str) -> None:
    ran = doctest.testmod(import_module(f"raybench.library.{name}"))
    assert ran.attempted > 2
    assert not ran.failed
