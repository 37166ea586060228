# %% [markdown]
# # An agent in a loop
#
# The tools of a scene are functions with values, and the same tools have schemas for the frameworks of
# agents. This notebook shows the two ways to put a language model in charge: a loop of your own, and
# `scene.ask`. It runs without a network: in place of a model, a script plays the replies that one
# gives. The task: *the spot on the screen is too large; find out why and mend it*.

# %%
import json

import matplotlib.pyplot as plt

import raybench as rb

scene = rb.Scene(
    rb.Beam("Laser", width=12, at=(-30, 0), wavelength=633),
    rb.Lens("Lens", r=(51.5, None), thickness=4, glass="N-BK7", diameter=25),
    rb.Detector("Screen", height=20, at=(85, 0)),
)
before = scene.measure("rms(Screen)")
before

# %% [markdown]
# ## A loop of your own
#
# `scene.tools(format=...)` gives the definitions that the API of a provider takes.

# %%
definitions = scene.tools(format="openai")
print(len(definitions), "tools, such as")
definitions[[d["function"]["name"] for d in definitions].index("spot_xml")]

# %% [markdown]
# The loop: the model reads the conversation and calls a tool or concludes; the result of a call goes
# back as JSON. With a provider, `model` would be one call of its client. Here it is a rule that does
# what models do with this task: look, then ask what moving the screen would change.


# %%
def model(messages: list[dict]) -> dict:
    results = [m["content"] for m in messages if m["role"] == "tool"]
    if not results:
        return {"tool": "spot", "arguments": {"object_name": "Screen"}}
    if len(results) == 1:
        defocus = json.loads(results[0])["spot"][0]["defocus"]
        change = [{"move": "Screen", "dx": defocus}]
        return {"tool": "what_if", "arguments": {"changes": change, "measures": "rms(Screen)"}}
    (measure,) = json.loads(results[1])["measure"]
    return {
        "text": f"The screen stands before the focus: there, {measure['of']} is {measure['after']:.4f}."
    }


messages = [{"role": "user", "content": "The spot on Screen is too large. Why?"}]
while "tool" in (reply := model(messages)):
    answer = getattr(scene.tools, reply["tool"])(**reply["arguments"])
    print(reply["tool"], reply["arguments"], "→", answer.text)
    messages.append({"role": "tool", "content": json.dumps(answer.values, default=str)})
reply["text"]

# %% [markdown]
# ## The built-in loop
#
# `scene.ask` has the loop, with approval of changes, limits and a record. `model="..."` names a model;
# `backend` takes the place of one. In a notebook the answer can be awaited.

# %%
from raybench.agent.models.scripted import ScriptedBackend, call  # noqa: E402

script = ScriptedBackend(
    [
        [call("measure_xml", measures="defocus(Screen)")],
        [call("move_to_focus", detector_name="Screen")],
        [call("measure_xml", measures="rms(Screen)")],
        "The screen stood 14 mm before the focus. I moved it there.",
    ]
)
answer = await scene.ask(
    "The spot on Screen is too large. Mend it.", backend=script, profile="auto"
)
answer

# %% [markdown]
# The change is a step of the scene, which `undo` would take back. The check: the screen now stands where
# paraxial and marginal rays compromise, before the back focal length of the closed form.

# %%
after = scene.measure("rms(Screen)")
n = scene.measure("refractive_index(Lens)").value
back_focal_length = 51.5 / (n - 1) - 4 / n  # plano-convex, the flat side behind
screen = scene["Screen"].p1[0] - 2.0  # the lens reaches from -2 to 2
assert after.value < before.value / 10
assert 0.97 * back_focal_length < screen < back_focal_length
fig, ax = plt.subplots(figsize=(9, 2.6), layout="constrained")
scene.trace().plot(ax, names=True)
print(f"{before.number} → {after.number}; screen {screen:.2f} mm behind the lens,"
      f" back focal length {back_focal_length:.2f} mm")  # fmt: skip

# %% [markdown]
# Many questions need no model at all: sentences with a known form are understood as they are.

# %%
await scene.ask("What is the focal length of Lens?", offline=True)
