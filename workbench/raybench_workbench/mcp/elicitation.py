"""Approval by the client's person: a question of the protocol, and what its answer means."""

from __future__ import annotations

from mcp_types import ElicitRequestFormParams, ElicitResult

from raybench.agent.call.approval import Decision, Request
from raybench.errors import elided
from raybench.schema.jsonable import json_text

MOST_LINES, MOST_CHARACTERS = 20, 200
"""Lines of a question, and characters of each."""
ONCE, ALWAYS, NO = "allow once", "allow until the client disconnects", "decline"


def question(request: Request) -> ElicitRequestFormParams:
    """The form that a client shows its user: the change, values before and after, and the three
    answers.
    """
    if request.edit is not None:
        lines = ["Change the scene?", *request.edit.lines]
    else:
        lines = [f"Run {request.tool.name} ({request.tool.effect})?"]
        lines += [f"  {name} = {json_text(value)}" for name, value in request.arguments.items()]
    more = [f"and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    text = "\n".join([*(elided(line, MOST_CHARACTERS) for line in lines[:MOST_LINES]), *more])
    properties = {
        "answer": {"type": "string", "title": "Answer", "enum": [ONCE, ALWAYS, NO]},
        "reason": {
            "type": "string",
            "title": "Reason",
            "description": "Why not? The model is given the reason.",
        },
    }
    return ElicitRequestFormParams(
        message=text,
        requested_schema={"type": "object", "properties": properties, "required": ["answer"]},
    )


def decision(result: ElicitResult) -> Decision:
    """What the person answered; only an accepted form with one of the two allowing answers allows."""
    content = result.content or {}
    answer, reason = content.get("answer"), str(content.get("reason") or "")
    if result.action != "accept" or answer not in (ONCE, ALWAYS):
        return Decision(False, reason=reason)
    return Decision(True, always=answer == ALWAYS)
