# %% [markdown]
# # Tolerances of a laser collimator
#
# A laser diode in the focus of a lens gives a parallel beam. How exactly must lens and diode be
# mounted, so that the beam points where it should, within 0.1°, and diverges by less than 0.12°?

# %%
import matplotlib.pyplot as plt
import numpy as np

import raybench as rb

scene = rb.Scene(
    rb.AngleSource("Diode", at=(0, 0), emis_angle=16, wavelength=635, brightness=2),
    rb.Lens("Lens", r=(None, -25.7), thickness=4, glass="N-BK7", diameter=20, at=(50, 0)),
    rb.Detector("Wall", height=24, at=(120, 0)),
    ray_mode_density=3,
)
scene.optimise({"Lens.x": (-6, 6)}, "least divergence(Lens)").apply()
scene.trace()

# %% [markdown]
# Each deviation alone, and all in random samples. The measures are what the beam is bought for.

# %%
result = scene.tolerance(
    {"Lens.y": 0.05, "Lens.x": 0.05, "Lens.angle": 0.5, "Diode.y": 0.05, "Lens.r2": 0.1},
    ["direction(Lens)", "divergence(Lens)"],
    limits=["direction(Lens) = -0.1..0.1", "divergence(Lens) < 0.12"],
    samples=200,
)
result

# %% [markdown]
# A shift of the lens by d turns the beam by about d / f, a shift of the diode by the same with the other
# sign: these are the slopes of their lines. (Spherical aberration adds 2 %.)

# %%
focal_length = scene.measure("nominal_focal_length(Lens)").value
alone = result.sensitivities.frame("pandas").set_index("parameter")
change = alone["direction(Lens) upper"] - alone["direction(Lens) lower"]
slopes = change / (2 * alone["deviation"])
expected = np.degrees(1 / focal_length)
assert abs(abs(slopes["Lens.y"]) / expected - 1) < 0.05
assert abs(slopes["Lens.y"] + slopes["Diode.y"]) < 0.01 * expected
slopes, f"1/f = {expected:.4f} deg/mm"

# %%
samples = result.samples
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(samples["Lens.y"] - samples["Diode.y"], samples["direction(Lens)"], ".", ms=3)
left.locator_params(axis="x", nbins=5)
left.set(xlabel="lens against diode, y (mm)", ylabel="direction (deg)")
right.hist(samples["divergence(Lens)"], bins=30)
right.set(xlabel="divergence (deg)", ylabel="samples")

# %% [markdown]
# The direction follows the shift of lens against diode and little else. Would it pay to adjust the
# diode's height in every instrument, as the last step of assembly?

# %%
adjusted = scene.tolerance(
    {"Lens.y": 0.05, "Lens.x": 0.05, "Lens.angle": 0.5, "Lens.r2": 0.1},
    ["direction(Lens)", "divergence(Lens)"],
    limits=["direction(Lens) = -0.1..0.1", "divergence(Lens) < 0.12"],
    adjust={"Diode.y": (-0.2, 0.2)},
    goals="direction(Lens) = 0",
    samples=20,
)
adjusted
