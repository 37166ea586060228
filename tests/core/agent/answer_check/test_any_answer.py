"""Any text is checked without an error, and each marked part is where it says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from raybench.agent.answer_check.check import check_answer
from raybench.agent.answer_check.evidence import Evidence
from raybench.session import Session

PIECES = (
    *("1", "0.79", "1,064", "-3.5", "1e999", "2·10⁻⁵", "twice", "half", "two", "R1", "R99", "±"),
    *(
        " mm",
        " %",
        "°",
        " mW",
        " nm",
        " times",
        " more than ",
        " of the ",
        " together ",
        ". ",
        "\n",
    ),
    *("Screen", "Main Prism", "Laser 3", "the lens", "- ", "| ", "```", "$x_1$", "rays", " by 0"),
)


def prism() -> Evidence:
    evidence = Evidence()
    evidence.add_scene(Session.open("example:prism").document)
    evidence.add_text("Does Screen receive 0.79 of 3.5?")
    return evidence


KNOWN = (prism(), Evidence())


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map("".join))
def test_any_answer_is_checked(answer: str) -> None:
    for evidence in KNOWN:
        for part in check_answer(answer, evidence):
            assert answer[part.start : part.end] == part.text
