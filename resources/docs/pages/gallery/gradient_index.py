# %% [markdown]
# # Light in a gradient index
#
# A rod whose index falls from the axis as n² = n₀² (1 - g² y²) is a lens without curved surfaces:
# inside it, rays are sine waves. The equation of rays of a plane can be solved for it: a ray that
# enters level at the height h crosses the axis after π n(h) / (2 n₀ g), exactly.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.interpolate import CubicSpline

import raybench as rb

N_0, G, LENGTH, RADIUS = 1.6, 0.06, 110.0, 6.0
rod = rb.GrinGlass(
    "Rod",
    path=[(0, -RADIUS), (LENGTH, -RADIUS), (LENGTH, RADIUS), (0, RADIUS)],
    ref_index_fn=rf"{N_0}\cdot\sqrt{{1-{G**2}\cdot y^2}}",
    partial_reflect=False,
)
scene = rb.Scene(
    rb.Beam("Sun", width=10, at=(-10, 0), wavelength=633),
    rod,
    rb.Detector("Screen", height=16, at=(130, 0)),
    ray_mode_density=1.5,
)
light = scene.trace()
fig, ax = plt.subplots(figsize=(9, 2.4), layout="constrained")
light.plot(ax, names=True)

# %% [markdown]
# A ray in the rod is one curved segment; `curves` has its points. Where does each cross the axis
# first? The outer rays do so a little earlier than π / 2g: the rod has spherical aberration.

# %%
entering = light.rays.where(interaction="refract").curves
inside = [curve for curve in entering if curve[0, 0] == 0 and abs(curve[0, 1]) > 0.1]
heights = np.array([curve[0, 1] for curve in inside])
crossings = [CubicSpline(*curve.T).roots(extrapolate=False)[0] for curve in inside]

index = N_0 * np.sqrt(1 - G**2 * heights**2)
exact = np.pi * index / (2 * N_0 * G)
assert np.allclose(crossings, exact, atol=2e-3)

fig, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
h = np.linspace(-5, 5, 101)
ax.plot(np.pi / (2 * G) * np.sqrt(1 - G**2 * h**2), h, color="0.6", label="π n(h) / (2 n₀ g)")
ax.plot(crossings, heights, "o", ms=4, label="traced")
ax.axvline(np.pi / (2 * G), ls=":", color="0.6")
ax.set(xlabel="first crossing of the axis (mm)", ylabel="height of entry (mm)")
ax.legend(frameon=False)

# %% [markdown]
# Luneburg's sphere has no aberration at all: with n² = 2 - (r / R)² every parallel beam meets in one
# point of the opposite rim, from whatever direction it comes.

# %%
R = 20.0
sphere = rb.Scene(
    rb.Beam("East", width=30, at=(-40, 0), wavelength=633),
    rb.Beam("South", width=30, at=(0, 45), angle=90, wavelength=540),
    rb.CircleGrinGlass(
        "Luneburg",
        diameter=2 * R,
        ref_index_fn=rf"\sqrt{{2-\frac{{x^2+y^2}}{{{R}^2}}}}",
        partial_reflect=False,
    ),
    ray_mode_density=0.7,
)
light = sphere.trace()
fig, ax = plt.subplots(figsize=(6, 5), layout="constrained")
light.plot(ax, names=True)
ax.set(xlim=(-45, 60), ylim=(48, -48))

# %%
for source, focus in (("East", (R, 0)), ("South", (0, -R))):
    rays = light.rays.where(source=source, interaction="refract")
    ends = np.array([curve[-1] for curve in rays.curves if len(curve) > 2])
    print(f"{source}: {len(ends)} rays within {np.abs(ends - focus).max():.0e} mm of the focus")
    assert np.abs(ends - focus).max() < 0.01
