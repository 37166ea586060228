"""LALR parsers whose tables are kept in a private folder: computing them takes five to ten times as
long as loading them.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.system.cache_folder import cache_root
from raybench.system.checked_file import DamagedFile, read_checked, write_checked
from raybench.system.private_folder import NotPrivate, private_folder

if TYPE_CHECKING:
    from lark import Lark, Transformer

FOLDER = "grammars"


def lalr_parser(name: str, rules: str, transformer: Transformer[Any, Any]) -> Lark:
    """A parser of lark's for a grammar, with its tables from the file ``name`` if that was written
    for the same grammar and lark.

    The file holds numbers and texts only, and is not needed: where there is none, or it is damaged,
    the tables are computed.
    """
    from lark import Lark

    tables = _tables(name, rules)
    parser: Lark = Lark._load_from_dict(tables["data"], tables["memo"], transformer=transformer)  # type: ignore[no-untyped-call]
    return parser


def _tables(name: str, rules: str) -> dict[str, Any]:
    import lark
    import msgpack

    grammar = hashlib.sha256(f"{lark.__version__}\n{rules}".encode()).digest()
    path = _path(name)
    with contextlib.suppress(OSError, DamagedFile, ValueError):
        kept: dict[str, Any] = (
            {} if path is None else msgpack.unpackb(read_checked(path), strict_map_key=False)
        )
        if kept.get("grammar") == grammar:
            return kept
    parser = lark.Lark(rules, parser="lalr", lexer="basic", start="start")
    data, memo = parser.memo_serialize([lark.lexer.TerminalDef, lark.grammar.Rule])
    content = msgpack.packb({"grammar": grammar, "data": data, "memo": memo})
    if path is not None:
        with contextlib.suppress(OSError):
            write_checked(path, content)
    return dict(msgpack.unpackb(content, strict_map_key=False))


def _path(name: str) -> Path | None:
    try:
        return private_folder(cache_root() / FOLDER) / name
    except (OSError, NotPrivate):
        return None
