# %% [markdown]
# # The best form of a lens, with a Python function as goal
#
# A lens can be bent: its curvatures change, and its focal length hardly does. Which form has the smallest
# spot? Third-order theory knows it for a thin lens and light from far away: the shape factor
# (r₂ + r₁) / (r₂ - r₁) is 2 (n² - 1) / (n + 2) (Hecht, section 6.3). We let a search find it whose goal
# is written in Python, and draw the whole curve.

# %%
import matplotlib.pyplot as plt
import numpy as np

import raybench as rb

FOCAL_LENGTH, THICKNESS = 100.0, 1.0
scene = rb.Scene(
    rb.Beam("Sun", width=6, at=(-20, 0), wavelength=587.56),
    rb.Lens("L", r=(100, -300), thickness=THICKNESS, glass="N-BK7", diameter=10),
    rb.Detector("Film", height=20, at=(95, 0)),
    ray_mode_density=4,
)
n = scene.measure("refractive_index(L)").value
theory = 2 * (n**2 - 1) / (n + 2)
print(f"n = {n:.4f}, shape factor by theory {theory:.3f}")

# %% [markdown]
# The goal is a function of the light. It finds the size of the spot where that is smallest from the
# slopes of the rays at the film, so that the film need not be moved. The spot of spherical aberration is
# proportional to h³ / f²: times f², it depends on the form alone, whatever the focal length.


# %%
def blur(light: rb.Light) -> float:
    """The RMS size (µm) that the spot at the best focus has for a focal length of 100."""
    rays = light.at("Film", ghosts=False).rays  # without reflections inside the lens
    slope = np.tan(np.radians(-rays.direction))  # y points down
    height = rays.y2 - rays.y2.mean()
    forward = -(height @ slope) / (slope @ slope)
    focal_length = light.measure("focal_length(L)").value
    return 1000 * float(np.std(height + forward * slope)) * (focal_length / FOCAL_LENGTH) ** 2


blur(scene.trace())

# %% [markdown]
# `progress=tqdm` would show a progress bar.

# %%
found = scene.optimise({"L.r1": (25, 300)}, blur)
found

# %%
r1, r2 = found.values["L.r1"], -300
shape_factor = (r2 + r1) / (r2 - r1)
print(f"shape factor found {shape_factor:.3f}, by theory {theory:.3f}")
assert abs(shape_factor - theory) < 0.02

# %% [markdown]
# How sharp is the optimum? The same function of lenses with a focal length of 100 mm, whose radii follow
# from the lens maker's formula.

# %%
shapes = np.linspace(-0.99, 2.2, 33)
blurs = []
for q in shapes:
    form = scene.copy()
    first, second = 2 * (n - 1) * FOCAL_LENGTH / np.array([q + 1, q - 1])
    form.set("L", params={"d": THICKNESS, "r1": first, "r2": second})
    blurs.append(blur(form.trace()))

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(shapes, blurs)
ax.axvline(theory, color="0.6", ls="--", label="theory")
ax.plot(shape_factor, found.after["least blur"], "o", label="found")
ax.set(xlabel="shape factor", ylabel="spot (µm)", ylim=(0, None))
ax.legend(frameon=False)

# %% [markdown]
# The flat side towards the film (shape factor 1) is nearly as good; towards the sun (-1) it is four times
# worse.

# %%
found.apply()
fig, ax = plt.subplots(figsize=(9, 2.6), layout="constrained")
scene.trace().plot(ax, names=True)
