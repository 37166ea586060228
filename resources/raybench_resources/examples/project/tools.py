"""An example project. Its entry tool calls a built-in tool and a tool of the project, and lets a
worker judge the results.
"""

from __future__ import annotations

from raybench.kinds.glasses import GlassBody
from raybench.tools import ToolContext, ToolFailed, tool_context, tool_options


@tool_options(effect="read")
@tool_context
async def light_in_glasses(ctx: ToolContext) -> list[dict[str, object]]:
    """Count the rays inside each glass of the scene, and add up the power that they start with."""
    table: list[dict[str, object]] = []
    for glass in (o for o in ctx.scene.objects if isinstance(o, GlassBody)):
        rays = (await ctx.call_tool("find_rays_inside_glass_xml", glass.title))["ray"]
        power = sum(ray["brightness_total"] for ray in rays)
        table.append({"glass": glass.title, "rays": len(rays), "power": round(power, 6)})
    return table


@tool_context
async def main(ctx: ToolContext, question: str = "Is light lost between the glasses?") -> str:
    """Tell how much light is in each glass, and what a worker makes of that.

    Args:
        question: What the worker is asked about the table.
    """
    table = await ctx.call_tool("light_in_glasses")
    lines = [
        f"- {row['glass']}: {row['rays']} rays, power {row['power']:g} (relative)" for row in table
    ]
    try:
        judged = await ctx.call_tool("judge", {"question": question, "table": table})
        lines += ["", f"{judged['verdict']} {judged.get('remedy') or ''}".rstrip()]
    except ToolFailed as error:
        lines += ["", f"Without a model there is no verdict: {error}"]
    return "\n".join(lines)
