"""The conditions under which a tool is offered to a language model."""

from typing import Literal

Offered = Literal["always", "usually", "window", "on demand"]
"""``always``: also to a small model. ``usually``: to others. ``window``: to others, where there is
a window. ``on demand``: a model finds it by `search_help` and calls it by name or by `call_tool`.
"""
