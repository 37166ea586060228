import pytest
from tests.core.lens.lenses import TRIPLET

from raybench.lens.curves import lens_figure
from raybench.library.lens_plot import plot_figure

pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")


@pytest.mark.parametrize("name", ["ray_fan", "axial_colour", "seidel", "mtf"])
def test_plot_has_the_panels_and_curves_of_its_table(name: str) -> None:
    figure = lens_figure(TRIPLET, name)
    page = plot_figure(figure, "Triplet")
    assert len(page.axes) == len(figure.panels)
    drawn = page.axes[0]
    bars = len(drawn.containers)
    assert len(drawn.lines) + bars == len(figure.panels[0].curves)
    assert drawn.get_xlabel() == figure.panels[0].across
