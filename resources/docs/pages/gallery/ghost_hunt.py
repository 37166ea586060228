# %% [markdown]
# # A ghost hunt
#
# A camera shows a faint second image of a bright star. Which two surfaces make it, how bright is it,
# and what moves it off the picture? The camera is a lens, a filter of plane glass and a sensor whose
# cover glass is left out. All glass is uncoated. The colour mode `linear` follows weak light, too.

# %%
import matplotlib.pyplot as plt
import numpy as np

import raybench as rb

THICKNESS = 3.0
scene = rb.Scene(
    rb.Beam("Star", width=16, at=(-20, 0), wavelength=550),
    rb.Lens("Lens", r=(52, None), thickness=4, glass="N-BK7", diameter=22),
    rb.Glass(
        "Filter",
        path=[(0, -9), (THICKNESS, -9), (THICKNESS, 9), (0, 9)],
        at=(70, 0),
        glass="N-BK7",
    ),
    rb.Detector("Sensor", height=16, at=(98.5, 0)),
    ray_mode_density=4,
    color_mode="linear",
)
scene.optimise({"Sensor.x": (-10, 10)}, "least rms(Sensor)").apply()
light = scene.trace()
light

# %% [markdown]
# The tool for ghosts lists the paths with two reflections that arrive, the strongest first.

# %%
ghosts = scene.tools.find_ghosts("Sensor")
ghosts

# %% [markdown]
# At normal incidence each surface reflects ((n - 1) / (n + 1))², so that a path with two reflections
# carries the square of that, times the losses that all paths share.

# %%
n = scene.measure("refractive_index(Filter)").value
reflectance = ((n - 1) / (n + 1)) ** 2
direct = scene.measure('path_power("Star > Lens:W > Lens:E > Filter:W > Filter:E > Sensor")').value
inside = scene.measure(
    'path_power("Star > Lens:W > Lens:E > Filter:W > Filter:E (reflect) > Filter:W (reflect)'
    ' > Filter:E > Sensor")'
).value
print(f"inside the filter: {inside / direct:.6f} of the image; by Fresnel {reflectance**2:.6f}")
assert abs(inside / direct / reflectance**2 - 1) < 0.01

# %% [markdown]
# That the light converges changes little. Where on the sensor does it go? The direct light is a point;
# a ghost is spread out, for its path is longer. Drawn is the power per millimetre, on a scale of
# logarithms.

# %%
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")


def show_irradiance(light: rb.Light, label: str) -> None:
    at = light.at("Sensor")
    power, edges = np.histogram(at.y, bins=53, range=(-8, 8), weights=at.power)
    ax.stairs(power / np.diff(edges), edges, label=label)


scene.set_settings(ray_mode_density=25)
show_irradiance(scene.trace(), "filter upright")
tilted = scene.copy()
tilted.rotate("Filter", 12)
show_irradiance(tilted.trace(), "filter tilted by 12°")
ax.set(xlabel="place on the sensor (mm)", ylabel="power per mm", yscale="log")
ax.legend(frameon=False)

# %% [markdown]
# A tilt moves the ghost of the filter away from the image by twice the thickness: a ray that is
# reflected twice in a plate of thickness t leaves it shifted by 2 t tan θ' cos θ from the direct one.

# %%
angles = np.radians([4, 8, 12])
shifts = []
for angle in angles:
    plate = rb.Scene(
        rb.SingleRay("Star", at=(-20, 0), wavelength=550),
        rb.Glass("Filter", path=[(0, -9), (3, -9), (3, 9), (0, 9)], at=(20, 0), glass="N-BK7",
                 angle=np.degrees(angle)),
        rb.Detector("Sensor", height=30, at=(60, 0)),
        color_mode="linear",
    )  # fmt: skip
    first, second = plate.trace().at("Sensor").rays[:2].y2
    shifts.append(abs(second - first))
closed_form = 2 * THICKNESS * np.tan(np.arcsin(np.sin(angles) / n)) * np.cos(angles)
assert np.allclose(shifts, closed_form, rtol=1e-6)
np.round(shifts, 4), np.round(closed_form, 4)

# %% [markdown]
# The tilt also takes away the veil all over the sensor, which the filter and the lens make together. What
# stays is the weak ghost inside the lens. A coating helps against all: surfaces that reflect 0.5 % instead
# of 4 % leave 1/64 of every ghost.
