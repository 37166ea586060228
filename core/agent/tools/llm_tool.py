"""A prompt as a tool: a model answers it in one reply, with no tools of its own."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.agent.call.context import ToolContext
from core.agent.tools.jsonable import json_text
from core.agent.tools.signature import Field, Primitive, Signature, SignatureError, Type, parse_signature
from core.agent.tools.tool import InvalidTool, Tool
from core.agent.workers.worker import run_worker
from core.agent.workers.worker_file import Worker
from core.errors import RaybenchError

SECONDS = 120.0
_PLACE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")


class InvalidQuery(RaybenchError):
    """A question to a model that cannot be asked; the text says what it lacks."""


@dataclass(frozen=True)
class LLMTool:
    """A prompt with ``{{name}}`` where a parameter of the compact ``signature`` goes; without a ``model`` the conversation's is asked."""

    prompt: str
    signature: str = "() -> :string"
    description: str | None = None
    model: str = ""

    def as_tool(self, name: str) -> Tool:
        """The tool; InvalidTool if the prompt asks for what the signature does not take, or the signature cannot be read."""
        try:
            signature = parse_signature(self.signature)
        except SignatureError as error:
            raise InvalidTool(f"{name}: its signature has a {error}.") from None
        unknown = sorted(set(_PLACE.findall(self.prompt)) - {f.name for f in signature.parameters})
        if unknown:
            raise InvalidTool(f"{name}: its prompt holds {{{{{unknown[0]}}}}}, which its signature {self.signature} does not take.")

        async def call(tool_context: ToolContext, **values: Any) -> Any:
            given = {f.name: values.get(f.name.replace("-", "_"), "") for f in signature.parameters}
            return await asked(name, filled(self.prompt, given), signature.returns, self.model, tool_context)

        call.context_parameter = "tool_context"  # type: ignore[attr-defined]
        return Tool(name, call, self.signature, self.description, type="llm", effect="read", timeout_s=SECONDS)


async def llm_query(tool_context: ToolContext, **given: Any) -> Any:
    """Ask a model the ``prompt``, into which all that is given besides the options is filled."""
    prompt, form, model, template = (given.pop(key, other) for key, other in _OPTIONS.items())
    if not isinstance(prompt, str) or not prompt.strip():
        raise InvalidQuery("A prompt is missing. Give prompt, a text.")
    for key, value in (("llm", model), ("response_template", template)):
        if not isinstance(value, str):
            raise InvalidQuery(f"'{key}' must be a text, got {value!r}.")
    if lacking := [name for name in _PLACE.findall(prompt) if name not in given]:
        raise InvalidQuery(f"The prompt holds {{{{{lacking[0]}}}}}, which is not given.")
    returns = parse_signature(form).returns
    answer = await asked("llm-query", filled(prompt, given), returns, model, tool_context)
    return filled(template, answer if isinstance(answer, Mapping) else {"answer": answer}) if template else answer


_OPTIONS = {"prompt": None, "signature": ":string", "llm": "", "response_template": ""}
llm_query.context_parameter = "tool_context"  # type: ignore[attr-defined]


async def asked(name: str, prompt: str, returns: Type, model: str, context: ToolContext) -> Any:
    """What a model answers to a prompt, as a value of a type; ToolFailed if it gives none, even when asked again."""
    signature = Signature((Field("input", Primitive("string")),), returns)
    worker = Worker(name, "", "Answer what you are asked, and nothing else.", model, signature=signature)
    return await run_worker(worker, {"input": prompt}, dataclasses.replace(context, attachments=()))


def filled(text: str, values: Mapping[str, Any]) -> str:
    """A text with the values in their places; a place without a value stays as it is."""
    return _PLACE.sub(lambda place: json_text(values[place[1]]) if place[1] in values else place[0], text)
