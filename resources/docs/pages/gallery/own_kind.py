# %% [markdown]
# # A kind of your own
#
# Raybench comes with a small package that adds a kind of object (a grey filter), a measure, a tool, an
# importer of files and a panel. To make an addition, copy it, change it, and `pip install` it. Here it
# is installed as it is, into a folder of its own.

# %%
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

work = Path(tempfile.mkdtemp())
with as_file(files("raybench_resources") / "addition") as template:
    shutil.copytree(template, work / "source")
pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
subprocess.run([*pip, "--target", str(work / "site"), str(work / "source")], check=True)
sys.path.insert(0, str(work / "site"))

print((work / "source/raybench_addition/grey_filter.py").read_text())

# %% [markdown]
# The entry points in its `pyproject.toml` say what it adds. Its kind is now made like any other, and
# its values are checked in the same way.

# %%
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import raybench as rb  # noqa: E402

scene = rb.Scene(
    rb.Beam("Lamp", width=6, at=(-20, 0), wavelength=500),
    rb.GreyFilter("Grey", height=10, at=(0, 0), angle=10, transmittance=0.3),
    rb.IdealLens("Lens", diameter=12, focal_length=30, at=(15, 0)),
    rb.Detector("Screen", height=10, at=(35, 0)),
)
light = scene.trace()
fig, ax = plt.subplots(figsize=(9, 2.6), layout="constrained")
light.plot(ax, names=True)

# %%
try:
    rb.GreyFilter("Grey", height=10, transmittance=1.5)
except rb.RaybenchError as error:
    print(error)

# %% [markdown]
# The check: the filter transmits its part, and two in a row the product.

# %%
assert abs(scene.measure("power(Screen) / power(Grey)").value - 0.3) < 1e-12
scene.add(rb.GreyFilter("Second", height=10, at=(6, 0), transmittance=0.5))
assert abs(scene.measure("power(Screen) / power(Grey)").value - 0.15) < 1e-12
scene.measure("power(Screen) / power(Grey)")

# %% [markdown]
# Its parameter is a place for studies, its measure `lit_length` is a measure like the others, and its tool
# answers questions.

# %%
values = np.linspace(0.1, 1, 10)
table = scene.sweep({"Grey.transmittance": values}, ["power(Screen)", "lit_length(Screen)"])
assert np.allclose(table["power(Screen)"], 0.5 * values * scene.measure("power(Grey)").value)
table.frame("pandas").round(4)

# %%
scene.tools.wavelengths("Screen")

# %%
scene.ask("Which spectral lines reach Screen?", offline=True)
