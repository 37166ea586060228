"""What is read as the claim of an answer."""

from __future__ import annotations

import pytest

from raybench.agent.eval import answer
from raybench.agent.eval.expression import InvalidExpression, evaluate_expression


@pytest.mark.parametrize(
    ("text", "quantity", "found"),
    [
        ("It is 90 mm at first.\nAnswer: ≈ 81.3 mm", "length", [81.3]),
        ("**Answer:** 81,3 mm (R2)", "length", [81.3]),
        ("Answer: about 8 cm", "length", [80]),
        ("The focus is 81.3 mm behind Lens 2.", "length", [81.3]),
        ("Answer: 40 or 80 mm", "length", [80]),
        ("Answer: 40 mm or 80 mm", "length", [40, 80]),
        ("Answer: 483 µm.", "length", [0.483]),
        ("Answer: 81.3", "length", [81.3]),
        (r"Answer: $483\,\mu\text{m}$", "length", [0.483]),
        (r"Answer: $56.2\degree$", "angle", [56.2]),
        ("Answer: 1.48·10⁻³", "share", [0.00148]),
        ("Answer: 14/40 = 35 %", "share", [0.35]),
        ("Answer: 5 orders: m = −2, −1, 0, 1, 2", "", [5]),
        ("Answer: It does not change (0°)", "angle", [0]),
        ("Answer: f = 71.56 mm at n = 1.52", "length", [71.56]),
        ("Answer: 81.3 deg", "length", []),
        ("Answer: −20.7°", "angle", [20.7]),
        ("Answer: -20.7 degrees", "direction", [-20.7]),
        ("Answer: 340°", "direction", [-20]),
        ("Answer: $20.7^\\circ$", "angle", [20.7]),
        (r"Answer: $f \approx 71.6\,\mathrm{mm}$", "length", [71.6]),
        (r"Answer: **2.5 \times 10^{-3}**", "share", [0.0025]),
        ("Answer: 0.1 rad", "angle", [5.729577951308232]),
        ("Answer: 35 %", "share", [0.35]),
        ("Answer: 0.35 of it", "share", [0.35]),
        ("Answer: 1.5e-3", "share", [0.0015]),
        ("Answer: 1.5 × 10^-3", "share", [0.0015]),
        ("Answer: 3x", "", [3]),
        ("Answer: 5 (m = -2 to 2)", "", [5]),
        ("Answer: none", "", []),
    ],
)  # fmt: skip
def test_numbers_are_read_with_their_units(text: str, quantity: str, found: list[float]) -> None:
    assert answer.read_numbers(answer.answer_line(text), quantity) == pytest.approx(found)


def test_the_last_answer_line_is_the_claim() -> None:
    assert answer.answer_line("Answer: 1 mm?\nNo, wait.\n> Answer: 2 mm") == "2 mm"


def test_a_name_inside_a_longer_one_is_not_named() -> None:
    known = ("Lens", "Field Lens", "Eye")
    assert answer.find_names("Only the field lens", known) == {"Field Lens"}
    assert answer.find_names("Field Lens, then Lens", known) == {"Field Lens", "Lens"}
    assert answer.find_names("Eyepiece", known) == set()


def test_yes_no_and_refusals_are_read_from_the_claim() -> None:
    assert answer.read_yes_or_no("Yes, by the rail") is True
    assert answer.read_yes_or_no("**No**") is False
    assert answer.read_yes_or_no("Nothing") is None
    assert answer.is_refusal("Impossible, there is one lens")
    assert answer.is_refusal("there is no such mirror")
    assert not answer.is_refusal("Singlet is the only one that is stronger")
    assert not answer.is_refusal("violet is deviated most; a single colour cannot be deviated more")
    assert not answer.is_refusal("Lens 1, not Lens 2")


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "(1).real", "[1]", "f(x=1)", "1 +", "1 / 0", "9 ** 9 ** 9", "f()()"],
)
def test_an_expression_is_arithmetic_over_named_functions_alone(text: str) -> None:
    assert evaluate_expression("2 * f(3) <= -1 + 7", {"f": lambda x: x}) is True
    with pytest.raises(InvalidExpression):
        evaluate_expression(text, {"f": lambda: 1})


def test_names_may_share_their_last_word() -> None:
    known = ["North Lamp", "Middle Lamp", "South Lamp", "Lamp"]
    assert answer.find_names("North and Middle Lamp", known) == {"North Lamp", "Middle Lamp"}
    assert answer.find_names("North Lamp, not by the lamp", known) == {"North Lamp", "Lamp"}
