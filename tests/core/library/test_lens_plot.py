import pytest
from tests.core.lens.lenses import TRIPLET

import raybench as rb
from raybench.lens.curves import lens_figure

pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")


@pytest.mark.parametrize("name", ["ray_fan", "axial_colour", "seidel", "mtf"])
def test_plot_has_the_panels_and_curves_of_its_table(name: str) -> None:
    figure = lens_figure(TRIPLET, name)
    axes = rb.LensSystem.of(TRIPLET).plot(name)
    assert len(axes) == len(figure.panels)
    drawn = axes[0]
    bars = len(drawn.containers)
    assert len(drawn.lines) + bars == len(figure.panels[0].curves)
    assert drawn.get_xlabel() == figure.panels[0].x_title


def test_a_coating_gives_arrays_and_a_plot() -> None:
    coating = rb.Coating({"index": 1.38, "quarterWaves": 1, "at": 550}, index=1.5)
    assert coating.fractions([500, 550], [0, 30, 60]).shape == (2, 3, 5)
    assert coating.fractions(550)[0] == pytest.approx(0.0141104586)
    assert [ax.get_ylabel() for ax in coating.plot(30)] == ["reflected (%)", *["power (%)"] * 2]
    assert "V-coat 633" in rb.Coating.catalogue()
