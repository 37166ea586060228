"""What is offered at the cursor."""

from __future__ import annotations

import pytest

from raybench_workbench.chat.completion import find_completions

COMMANDS = ("help", "find_rays_inside_glass_xml", "find_rays_crossing_edge_xml")
NAMES = ("Main Prism", "Mirror", "Lens", 'The "odd" one')


@pytest.mark.parametrize(
    ("before", "start", "texts"),
    [
        ("/", 0, ("/find_rays_crossing_edge_xml", "/find_rays_inside_glass_xml", "/help")),
        ("/he", 0, ("/help",)),
        ("/help", 0, ()),
        ("/EDGE", 0, ("/find_rays_crossing_edge_xml",)),
        ("/find_x M", 9, ()),
        ("/find_x Ma", 8, ('"Main Prism"',)),
        ("/find_x Main Pr", 8, ('"Main Prism"',)),
        ('/find_x "M', 8, ('"Main Prism"', "Mirror")),
        ("/find_x glass_name=Le", 19, ("Lens",)),
        ("/find_x ", 8, ('"Main Prism"', "Mirror", "Lens", "'The \"odd\" one'")),
        ('/find_x "Main Prism"', 20, ()),
        ("which rays are in mai", 18, ("Main Prism",)),
        ("which rays are in Lens", 22, ()),
        ("hello", 5, ()),
        ("", 0, ()),
    ],
)
def test_completions(before: str, start: int, texts: tuple[str, ...]) -> None:
    found = find_completions(before, COMMANDS, NAMES)
    assert found.texts == texts
    if texts:
        assert found.start == start
