# %% [markdown]
# # A prism spectrometer and its calibration curve
#
# Light of a helium lamp goes through a prism at minimum deviation; a camera lens puts each spectral
# line at its own place on a sensor. As on a real instrument we calibrate it with known lines, and then
# read the wavelength of an unknown one. The prism's deviation is checked against the closed form.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import curve_fit

import raybench as rb

HELIUM = [447.15, 471.31, 492.19, 501.57, 587.56, 667.82, 706.52]  # nm
SIDE, FOCAL_LENGTH = 40.0, 150.0
index = rb.Scene(rb.CircleGlass("N-SF11", glass="N-SF11", diameter=1)).tools.refractive_index
n = index("N-SF11", 587.56)["n"]
deviation = 2 * np.arcsin(n / 2) - np.pi / 3  # minimum deviation, Hecht, section 5.5.1
print(f"n = {n:.5f}, minimum deviation {np.degrees(deviation):.3f} deg at 587.56 nm")

# %% [markdown]
# The light inside the prism runs level when it passes symmetrically, so that the beam comes from
# below and leaves downwards, each by half of the deviation. y points down.

# %%
half = np.degrees(deviation / 2)
along = np.array([np.cos(deviation / 2), np.sin(deviation / 2)])  # the way out
exit_point = np.array([SIDE / 4, -SIDE * np.sqrt(3) / 12])  # the middle of the right face
entry_point = exit_point * (-1, 1)


def spectrometer(lines: list[float]) -> rb.Scene:
    """The instrument in the light of some lines."""
    return rb.Scene(
        rb.EquilateralPrism("Prism", side=SIDE, material="N-SF11"),
        rb.IdealLens("Camera", diameter=40, focal_length=FOCAL_LENGTH, at=exit_point + 50 * along,
                     angle=-half),
        rb.Detector("Sensor", height=40, at=exit_point + (50 + FOCAL_LENGTH) * along, angle=-half),
        *(
            rb.Beam(f"{nm:g}", width=10, wavelength=nm, angle=half, brightness=0.3,
                    at=entry_point + 60 * along * (-1, 1))
            for nm in lines
        ),
    )  # fmt: skip


scene = spectrometer(HELIUM)
light = scene.trace()
fig, ax = plt.subplots(figsize=(9, 6), layout="constrained")
light.plot(ax, names=True)

# %%
traced = light.measure("deviation(Prism, 587.56)").value
assert abs(abs(traced) - np.degrees(deviation)) < 1e-6
light.measure("minimum_deviation(Prism, 587.56)"), light.measure("deviation(Prism, 587.56)")

# %% [markdown]
# Where each line arrives on the sensor, from its middle. A frame of the rays that arrive has it all.

# %%
frame = light.at("Sensor").rays.to_pandas()
frame["place"] = light.at("Sensor").y
places = frame[frame.power > 0.1].groupby("wavelength").place.agg(["mean", "std", "count"])
places

# %% [markdown]
# Hartmann's formula (1898) describes the dispersion of a prism with three constants:
# λ = λ₀ + c / (x₀ - x). Four lines calibrate it, the other three tell how good it is.


# %%
def hartmann(x, wavelength_0, c, x_0):
    return wavelength_0 + c / (x_0 - x)


known = places.iloc[[0, 2, 4, 6]]
constants, _ = curve_fit(hartmann, known["mean"], known.index, p0=(350, 3500, 15))
error = hartmann(places["mean"], *constants) - places.index

fig, (ax, below) = plt.subplots(
    2, figsize=(7, 5), height_ratios=(3, 1), sharex=True, layout="constrained"
)
x = np.linspace(places["mean"].min() - 1, places["mean"].max() + 1, 200)
ax.plot(x, hartmann(x, *constants), color="0.6")
ax.plot(known["mean"], known.index, "o", label="calibrated with")
others = places.drop(known.index)
ax.plot(others["mean"], others.index, "s", mfc="white", label="only checked")
ax.set_ylabel("wavelength (nm)")
ax.legend(frameon=False)
below.stem(places["mean"], error, basefmt="0.6")
below.set(xlabel="place on the sensor (mm)", ylabel="error (nm)")
print(f"largest error of the four: {abs(error[known.index]).max():.2f} nm,"
      f" of the others: {abs(error[others.index]).max():.2f} nm")  # fmt: skip

# %% [markdown]
# An unknown lamp gives a strong yellow line. What is it?

# %%
unknown = spectrometer([589.29])  # sodium, the mean of the doublet
at_sensor = unknown.trace().at("Sensor")
place = np.average(at_sensor.y, weights=at_sensor.power)
read = hartmann(place, *constants)
assert abs(read - 589.29) < 0.5
print(f"read: {read:.2f} nm; sodium: 589.29 nm")
