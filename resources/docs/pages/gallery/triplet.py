# %% [markdown]
# # The aberrations of a triplet
#
# Two crowns and a flint between them correct all five Seidel sums at once (H. Dennis Taylor, 1893). We
# type such a lens in, of 50 mm and f/5 for 20 degrees, look at its aberrations, check two of them by hand, and
# put the film where the whole field is sharpest.

# %%
import numpy as np

import raybench as rb
from raybench.lens.aberrations import best_focus, field_curvature
from raybench.lens.prescription import Field
from raybench.lens.seidel import seidel_sums

rows = [
    (22.01359, 3.25896, "N-SK16"),
    (-435.76044, 6.00755),
    (-22.21328, 0.99997, "F2"),
    (20.29192, 4.75041),
    (79.6836, 2.95208, "N-SK16"),
    (-18.39533, 42.20778),
]
lens = rb.LensSystem(rows, pupil=10, fields=(0, 14, 20), stop=4)
lens

# %% [markdown]
# The overview has ray fans of three fields, longitudinal aberration, field curvature, distortion, the
# spot through focus and the MTF. Each is a plot of its own too, and there are more:
# `raybench.lens.curves.LENS_PLOTS` lists them.

# %%
_ = lens.plot()
# %%
_ = lens.plot("seidel")
# %% [markdown]
# Petzval's sum needs the radii and indices alone: Σ (n' - n) / (n n' r). The fourth Seidel sum is it
# times the square of the Lagrange invariant.

# %%
system = lens.design.system
n = system.indices(system.primary_wavelength)
petzval = sum(
    (behind - before) / (before * behind * s.radius)
    for before, behind, s in zip(n[:-1], n[1:], system.surfaces, strict=True)
)
sums = seidel_sums(system)
assert np.isclose(sums.petzval.sum(), lens.first_order.invariant**2 * petzval)
print(
    f"Petzval radius {-1 / petzval:.1f} mm, {abs(1 / petzval / lens.first_order.focal_length):.2f} f"
)

# %% [markdown]
# Close to the axis, the sagittal and the tangential image follow from the sums S3 and S4: the distance
# between them is S3/(n u'²), here for a field of 2 degrees, a hundredth of 20 in the square of its tangent.

# %%
tangential, sagittal = field_curvature(system, Field(2.0))
part = (np.tan(np.radians(2)) / np.tan(np.radians(20))) ** 2
by_sums = -sums.astigmatism.sum() * part / lens.first_order.image_na**2
print(f"{tangential - sagittal:.5f} mm by rays, {by_sums:.5f} mm by Seidel's sum")
assert abs(tangential - sagittal - by_sums) < 0.1 * abs(by_sums)

# %% [markdown]
# The best focus of all fields lies behind the film. We move the film there, and look at the MTF: it is
# that of the tangential section.

# %%
shift = best_focus(system)
refocused = lens.with_values(t6=lens["t6"] + shift)
assert abs(best_focus(refocused.design.system)) < 1e-9
print(f"the film moves by {shift:.3f} mm")
_ = refocused.plot("mtf")
