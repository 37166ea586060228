# %% [markdown]
# # A bent light guide
#
# A plate of acrylic carries light around a corner by total reflection. How tight may the bend be?
# Light that enters parallel to a plate of width w escapes first along the inner edge: it meets the
# outer wall at the angle of incidence asin(R / (R + w)), where R is the inner radius of the bend, so
# that nothing leaks as long as R ≥ w / (n - 1).

# %%
import matplotlib.pyplot as plt
import numpy as np

import raybench as rb

WIDTH, NM = 6.0, 630
n = rb.Scene(rb.CircleGlass("PMMA", glass="PMMA", diameter=1)).tools.refractive_index("PMMA", NM)[
    "n"
]
least_radius = WIDTH / (n - 1)
print(f"n = {n:.4f}: the inner radius must be {least_radius:.2f} mm or more")

# %% [markdown]
# A guide that bends by a right angle. Its outline is a straight piece, the bend, and a straight piece;
# a corner that is marked `True` is a point of an arc between its neighbours. A detector at its end tells
# what arrives.


# %%
def bent_guide(radius: float, straight: float = 20.0) -> rb.Scene:
    """A guide around a quarter circle whose inner radius is given; y points down."""
    outer, s = radius + WIDTH, np.sqrt(0.5)
    outline = [
        (-straight, -outer), (0, -outer), (outer * s, -outer * s, True), (outer, 0),
        (outer, straight), (radius, straight), (radius, 0), (radius * s, -radius * s, True),
        (0, -radius), (-straight, -radius),
    ]  # fmt: skip
    return rb.Scene(
        rb.Beam("Lamp", width=0.99 * WIDTH, at=(-straight - 8, -radius - WIDTH / 2), wavelength=NM),
        rb.Glass("Guide", path=outline, glass="PMMA"),
        rb.Detector("End", p1=(radius, straight + 1), p2=(outer, straight + 1)),
        ray_mode_density=4,
        color_mode="linear",
    )


tight, wide = bent_guide(4.0), bent_guide(13.0)
fig, axes = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
for scene, ax in zip((tight, wide), axes, strict=True):
    light = scene.trace()
    light.plot(ax, names=True)
    ax.set_title(f"{light.measure('share(End)').value:.0%} arrive")

# %% [markdown]
# What arrives also depends on the angle at which the light meets the end face. What the bend loses is
# seen at the outer wall: the light that goes out there.


# %%
def leaking_share(radius: float) -> float:
    """The share of the emitted power that leaves the guide through its outer wall.

    Light that the end face reflects back into the guide is not counted.
    """
    light = bent_guide(radius).trace()
    out = light.rays.where(interaction="refract", min_power=0.02)
    at_wall = (np.abs(np.hypot(out.x1, out.y1) - radius - WIDTH) < 1e-6) & (out.y1 < -1e-6)
    return float(out.power[at_wall].sum()) / light.ledger.emitted


print(f"{leaking_share(0.9 * least_radius):.2%}, {leaking_share(1.01 * least_radius):.2%}")
assert leaking_share(0.9 * least_radius) > 0.01
assert leaking_share(1.01 * least_radius) == 0

# %% [markdown]
# Now the radius is varied. An outline is no parameter of a study, but scenes are quickly made.

# %%
radii = np.linspace(3, 16, 40)
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(radii, [100 * leaking_share(r) for r in radii], "o-", ms=3)
ax.axvline(least_radius, color="0.6", ls="--", label="w / (n - 1)")
ax.set(xlabel="inner radius of the bend (mm)", ylabel="goes out of the bend (%)", ylim=(0, None))
ax.legend(frameon=False)

# %% [markdown]
# The tools say where the light of the tight guide goes.

# %%
tight.tools.losses()
