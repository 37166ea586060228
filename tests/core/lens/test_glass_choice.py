from raybench.lens.design import LensDesign, Solve, SolveKind, Variable
from raybench.lens.glass_choice import choose_glasses
from raybench.lens.merit import improve
from raybench.lens.operands import Operand
from raybench.lens.prescription import Aperture, ApertureKind, Field, Prescription, Surface

POOR = LensDesign(
    Prescription(
        (Surface(60.0, 5.0, "N-K5"), Surface(-60.0, 3.0, "LLF1"), Surface(-400.0, 97.0)),
        aperture=Aperture(ApertureKind.PUPIL, 20.0),
        fields=(Field(0.0),),
    ),
    solves=(Solve("c3", SolveKind.FOCAL_LENGTH, 100.0),),
    operands=(Operand("ray heights"),),
    variables=(
        Variable("c1", -0.05, 0.05),
        Variable("c2", -0.05, 0.05),
        Variable("t3", 90.0, 105.0),
        Variable("glass1"),
        Variable("glass2"),
    ),
)


def test_glasses_of_an_achromat_are_exchanged_for_better_ones() -> None:
    alone = improve(POOR)
    seen: list[float] = []
    found = choose_glasses(POOR, nearest=4, progress=lambda found: seen.append(found.merit))
    assert found.merit < 0.7 * alone.merit
    first, second = (s.glass for s in found.design.system.surfaces[:2])
    assert (first, second) != ("N-K5", "LLF1")
    assert list(found.history) == sorted(found.history, reverse=True)
    assert seen[-1] == found.merit
