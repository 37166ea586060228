"""Parsers whose tables are kept in a file."""

from pathlib import Path

import lark.lark
import pytest

from raybench.system.grammars import make_parser

GRAMMAR = 'start: "a"+\n'


def test_tables_are_computed_once_and_again_where_the_file_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(tmp_path))
    computed: list[str] = []
    load = lark.lark.load_grammar

    def count(grammar: str, *more: object) -> object:
        computed.append(grammar)
        return load(grammar, *more)

    monkeypatch.setattr(lark.lark, "load_grammar", count)
    for _ in range(2):
        assert make_parser("letters", GRAMMAR).parse("aa").data == "start"
    assert computed == [GRAMMAR]
    file = tmp_path / "grammars" / "letters"
    file.write_bytes(file.read_bytes()[:100])
    assert make_parser("letters", GRAMMAR).parse("a").data == "start"
    make_parser("letters", GRAMMAR + "\n")
    assert len(computed) == 3, "of another grammar, too"


def test_without_a_private_folder_tables_are_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(tmp_path / "file"))
    assert make_parser("letters", GRAMMAR).parse("a").data == "start"
