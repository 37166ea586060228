# %% [markdown]
# # A grating spectrometer, from frames of rays
#
# A transmission grating sends each wavelength into orders; a lens turns directions into places. All
# that is read here comes from one frame of the rays: the places of the lines, the powers of the orders,
# and whether the sodium doublet is resolved. The checks are the grating equation and the dispersion.

# %%
import matplotlib.pyplot as plt
import numpy as np
import polars as pl

import raybench as rb

LINES_PER_MM, FOCAL_LENGTH = 600.0, 200.0
LAMP = {"Hg 435.8": 435.83, "Hg 546.1": 546.07, "Na D2": 588.995, "Na D1": 589.592, "H α": 656.28}
first_order = np.degrees(np.arcsin(LINES_PER_MM * 550e-6))  # the camera looks at 550 nm
camera_axis = np.array([np.cos(np.radians(first_order)), np.sin(np.radians(first_order))])

scene = rb.Scene(
    *(rb.Beam(name, width=8, at=(-25, 0), wavelength=nm) for name, nm in LAMP.items()),
    rb.DiffractionGrating("Grating", height=14, line_density=LINES_PER_MM,
                          custom_brightness=True, brightnesses=(0.3, 0.5, 0.1)),
    rb.IdealLens("Camera", diameter=50, focal_length=FOCAL_LENGTH, at=60 * camera_axis,
                 angle=-first_order),
    rb.Detector("Sensor", height=70, at=(60 + FOCAL_LENGTH) * camera_axis, angle=-first_order),
    ray_mode_density=1,
)  # fmt: skip
light = scene.trace()
fig, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
light.plot(ax, names=True)

# %% [markdown]
# What leaves the grating, by line and order. The grating equation for light that arrives
# perpendicularly is sin θ = m λ / d.

# %%
rays = light.rays.where(interaction="diffract").to_polars()
orders = (
    rays.group_by("source", "wavelength", "diffraction_order")
    .agg(pl.col("direction").mean(), pl.col("power").sum())
    .with_columns(
        theory=(pl.col("diffraction_order") * pl.col("wavelength") * 1e-6 * LINES_PER_MM)
        .arcsin()
        .degrees(),
        direction=180 - (180 - pl.col("direction")) % 360,  # from -180 to 180
    )
    .sort("wavelength", "diffraction_order")
)
assert np.allclose(orders["direction"], -orders["theory"], atol=1e-9)  # counter-clockwise as seen
orders

# %% [markdown]
# The spectrum on the sensor. The reciprocal dispersion is d cos θ / (m f), here in nm per mm.

# %%
view = light.at("Sensor")
frame = view.rays.to_polars().with_columns(place=pl.Series(view.y))
lines = (
    frame.group_by("source", "wavelength").agg(pl.col("place").mean(), pl.col("power").sum())
    .sort("wavelength")
)  # fmt: skip
dispersion = np.gradient(lines["wavelength"].to_numpy(), lines["place"].to_numpy())
fit = np.polyfit(lines["place"], lines["wavelength"], 3)
at_middle = abs(np.polyval(np.polyder(fit), 0))
theory = 1e6 / LINES_PER_MM * np.cos(np.radians(first_order)) / FOCAL_LENGTH
print(f"{at_middle:.3f} nm/mm from the spectrum, {theory:.3f} nm/mm by the formula")
assert abs(at_middle / theory - 1) < 0.01
lines

# %%
fig, ax = plt.subplots(figsize=(8, 2.6), layout="constrained")
for name, nm, place, power in lines.iter_rows():
    ax.vlines(place, 0, power, lw=2, color=plt.cm.turbo((nm - 400) / 300))
    side = {"Na D1": "right", "Na D2": "left"}.get(name, "center")
    ax.annotate(name, (place, power), xytext=(0, 4), textcoords="offset points", ha=side)
ax.set(xlabel="place on the sensor (mm)", ylabel="power", ylim=(0, 2.4), xlim=(-18, 18))

# %% [markdown]
# Is the sodium doublet resolved? A grating resolves λ / δλ = m N, N the number of lit lines. Rays know
# nothing of diffraction, so that their lines are sharp; the measure computes the limit from the lit width.

# %%
resolving_power = light.measure("resolving_power(Grating, Na D1)")
needed = 589.3 / (589.592 - 588.995)
print(resolving_power, f"needed: {needed:.0f}", sep="\n")
assert resolving_power.value > needed
