from pathlib import Path

import pytest

import raybench as rb
from raybench.errors import RaybenchError

ROWS = [(60, 4, "N-BK7"), (-60, 2.5, "N-SF5"), (-200, 97)]


def test_lens_is_changed_improved_and_written(tmp_path: Path) -> None:
    lens = rb.LensSystem(ROWS, pupil=20, fields=(0, 1))
    with pytest.raises(KeyError):
        lens["r9"]
    vary = {"c1": (-0.05, 0.05), "c2": (-0.05, 0.05), "c3": (-0.05, 0.05), "t3": (90, 110)}
    better = lens.improve(vary, {"focal length": 100, "ray heights": 0})
    glassy = better.improve(vary | {"glass1": None})
    assert glassy.merit <= better.merit
    assert "focal length 100" in better.report()
    path = tmp_path / "doublet.zmx"
    better.write(path)
    back = rb.LensSystem.open(path)
    assert back.first_order.focal_length == pytest.approx(better.first_order.focal_length)
    assert back.svg().startswith("<svg")
    assert back.scene().trace().rays.power.sum() > 0


def test_a_wrong_row_is_refused() -> None:
    with pytest.raises(rb.InvalidArgument, match="Row 2 is 7"):
        rb.LensSystem([(60, 4, "N-BK7"), 7], pupil=20)  # type: ignore[list-item]


def test_glasses_of_rows_are_written_as_in_lens_data() -> None:
    lens = rb.LensSystem([(60, 4, "1.62/36.4"), (-60, 97)], pupil=20)
    assert lens["n1"] == pytest.approx(1.62)
    with pytest.raises(rb.InvalidArgument, match="Row 1: The catalogue has no glass 'N-BK77'"):
        rb.LensSystem([(60, 4, "N-BK77"), (-60, 97)], pupil=20)


def test_what_cannot_be_done_says_why(tmp_path: Path) -> None:
    lens = rb.LensSystem(ROWS, pupil=20)
    with pytest.raises(RaybenchError, match="needs an operand"):
        _ = lens.merit
    with pytest.raises(RaybenchError, match="none"):
        lens.write(tmp_path / "none" / "lens.zmx")
    with pytest.raises(RaybenchError, match="'parsec' is no unit"):
        rb.LensSystem(ROWS, pupil=20, unit="parsec")
