"""The tables of the formula grammars are kept for the next start, and never needed."""

from __future__ import annotations

from pathlib import Path

import lark
import pytest

from raybench.formula import latex
from raybench.formula.parse_tables import lalr_parser


@pytest.fixture
def computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The grammars whose tables were computed, with an empty cache folder."""
    grammars: list[str] = []

    class Counted(lark.Lark):
        def __init__(self, grammar: str, **options: object) -> None:
            grammars.append(grammar)
            super().__init__(grammar, **options)

    monkeypatch.setattr(lark, "Lark", Counted)
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(tmp_path))
    return grammars


def answer(rules: str = "start: A B*\n%declare A B\n") -> object:
    """What a small grammar makes of A B B."""
    machine = lalr_parser("small", rules, lark.Transformer()).parse_interactive("")
    for kind in "ABB":
        machine.feed_token(lark.Token(kind, kind.lower()))
    return machine.feed_eof()


def test_tables_are_computed_once(computed: list[str], tmp_path: Path) -> None:
    first = answer()
    assert first == lark.Tree("start", ["a", "b", "b"])
    assert answer() == first
    assert len(computed) == 1
    assert [path.name for path in (tmp_path / "grammars").iterdir()] == ["small"]


def test_another_grammar_has_other_tables(computed: list[str]) -> None:
    answer()
    assert answer("start: A b*\nb: B\n%declare A B\n") == lark.Tree(
        "start", ["a", lark.Tree("b", ["b"]), lark.Tree("b", ["b"])]
    )
    assert len(computed) == 2


def test_damaged_tables_are_computed_again(computed: list[str], tmp_path: Path) -> None:
    first = answer()
    path = tmp_path / "grammars/small"
    whole = path.read_bytes()
    for i, damaged in enumerate(
        (b"", whole[:-1], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    ):
        path.write_bytes(damaged)
        assert answer() == first
        assert answer() == first
        assert len(computed) == 2 + i


def test_where_nothing_can_be_kept_tables_are_computed(
    computed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(tmp_path / "file"))
    assert answer() == answer()
    assert len(computed) == 2


def test_tables_that_others_could_have_written_are_not_read(
    computed: list[str], tmp_path: Path
) -> None:
    answer()
    (tmp_path / "grammars").chmod(0o777)
    answer()
    assert len(computed) == 2


def test_formulas_are_read_with_kept_tables(computed: list[str]) -> None:
    formula = r"\frac{x}{2}+\sin(x)^2-\left|y\right|"
    trees = []
    for _ in range(2):
        grammar = latex.Grammar("latex", latex.RULES, latex.KINDS, latex._builder)
        trees.append(grammar.read(latex.marks_of(formula), len(formula)))
    assert repr(trees[0]) == repr(trees[1])
    assert trees[0] == trees[1]
    assert len(computed) == 1
