"""Parsers of grammars, by lark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from raybench.system.files import NotPrivate, private_folder, user_folder

if TYPE_CHECKING:
    from lark import Lark


def make_parser(name: str, grammar: str, **options: Any) -> Lark:
    """The LALR parser of a grammar, with ``options`` of lark's. Its tables are kept in the file
    ``name`` of a private folder: to read them takes a tenth of the time of computing them.
    """
    from lark import Lark

    try:
        kept = str(private_folder(user_folder("cache") / "grammars") / name)
    except (OSError, NotPrivate):
        kept = ""  # without the file, they are computed each time
    return Lark(grammar, parser="lalr", cache=kept or False, **options)
