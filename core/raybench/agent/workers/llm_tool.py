"""Prompts as tools. A model answers the prompt in one reply and cannot call tools."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from raybench.agent.call.context import ToolContext
from raybench.agent.tools.tool import InvalidTool, Tool, python_identifier
from raybench.agent.workers.worker import Worker, run_worker
from raybench.errors import RaybenchError
from raybench.schema.json_values import json_text
from raybench.schema.signature import Signature, SignatureError, parse_signature

TIME_LIMIT = 120.0
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")


class InvalidQuery(RaybenchError):
    """The prompt of a query to a model, or an option of the query, is invalid."""


@dataclass(frozen=True)
class LLMTool:
    """A prompt template. ``{{name}}`` is replaced by the value of the parameter ``name`` in the
    ``signature``. Without a ``model``, the conversation's model is used.
    """

    prompt: str
    signature: str = "() -> :string"
    description: str | None = None
    model: str = ""

    def as_tool(self, name: str) -> Tool:
        """A tool record with this name. Raises InvalidTool if the template uses a name that is not
        in the signature, or if the signature cannot be parsed.
        """
        try:
            signature = parse_signature(self.signature)
        except SignatureError as error:
            raise InvalidTool(f"{name}: its signature has a {error}.") from None
        unknown = sorted(set(_PLACEHOLDER.findall(self.prompt)) - signature.parameters.keys())
        if unknown:
            raise InvalidTool(
                f"{name}: its prompt holds {{{{{unknown[0]}}}}}, which its signature"
                f" {self.signature} does not take."
            )

        async def call_model(tool_context: ToolContext, **values: Any) -> Any:
            given = {name: values.get(python_identifier(name), "") for name in signature.parameters}
            return await open_model_form(
                name, fill_template(self.prompt, given), signature.returns, self.model, tool_context
            )

        call_model.context_parameter = "tool_context"  # type: ignore[attr-defined]
        return Tool(
            name,
            call_model,
            self.signature,
            self.description,
            type="llm",
            effect="read",
            timeout_s=TIME_LIMIT,
            needs="nothing",
        )


async def llm_query(
    tool_context: ToolContext,
    prompt: Any = None,
    signature: Any = ":string",
    llm: Any = "",
    response_template: Any = "",
    **given: Any,
) -> Any:
    """Send the template ``prompt`` to a model and return its answer. The values in ``given``
    replace the names in the template.
    """
    if not isinstance(prompt, str) or not prompt.strip():
        raise InvalidQuery("A prompt is missing. Give prompt, a text.")
    for key, value in (("llm", llm), ("response_template", response_template)):
        if not isinstance(value, str):
            raise InvalidQuery(f"'{key}' must be a text, got {value!r}.")
    if lacking := [name for name in _PLACEHOLDER.findall(prompt) if name not in given]:
        raise InvalidQuery(f"The prompt holds {{{{{lacking[0]}}}}}, which is not given.")
    returns = parse_signature(signature).returns
    answer = await open_model_form(
        "llm-query", fill_template(prompt, given), returns, llm, tool_context
    )
    return (
        fill_template(
            response_template, answer if isinstance(answer, Mapping) else {"answer": answer}
        )
        if response_template
        else answer
    )


llm_query.context_parameter = "tool_context"  # type: ignore[attr-defined]


async def open_model_form(
    name: str, prompt: str, returns: Any, model: str, context: ToolContext
) -> Any:
    """Ask a model and convert its answer to the type ``returns``. Raises ToolFailed if the answer
    still does not fit after one retry.
    """
    signature = Signature({"input": str}, returns)
    worker = Worker(
        name, "", "Answer what you are asked, and nothing else.", model, signature=signature
    )
    return await run_worker(worker, {"input": prompt}, dataclasses.replace(context, attachments=()))


def fill_template(text: str, values: Mapping[str, Any]) -> str:
    """Replace the names in a template by their values. A name without a value stays."""
    return _PLACEHOLDER.sub(
        lambda place: json_text(values[place[1]]) if place[1] in values else place[0], text
    )
