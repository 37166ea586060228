"""Documentation generated from the tools that every conversation starts with: the help page
``tools.md``.
"""

from __future__ import annotations

import re

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.tools.tool import Tool

_HEAD = """\
# Tools

## How a tool is called

A language model calls tools by itself. By hand, a tool is a slash command in the chat or after `raybench ask SCENE`, with its arguments in
order: `/find_rays_inside_glass_xml "Main Prism"`. Arguments in square brackets may be left out; they then have the value shown. Those that
ask about the light are also commands, `raybench tool SCENE NAME ARGUMENTS`, and Python functions of `raybench.analysis`. Tools that only read
never ask for approval.
"""
EFFECTS = {
    "read": "Questions",
    "edit": "Changes of the scene",
    "destructive": "Changes that cannot be undone",
    "external": "Tools that reach outside the program",
}


def guide() -> str:
    """The help page as Markdown."""
    tools = sorted(agent_tools(), key=lambda tool: tool.name)
    parts = [_HEAD]
    for effect, title in EFFECTS.items():
        chosen = [tool for tool in tools if tool.effect == effect]
        if chosen:
            parts.append(f"\n## {title}\n\n" + "".join(map(_item, chosen)))
    return "".join(parts)


def _item(tool: Tool) -> str:
    text = re.sub(
        r"``([^`]*)``", r"`\1`", " ".join((tool.description or "").split("\n\n")[0].split())
    )
    return f"- `{tool.usage}`: {text}\n"
