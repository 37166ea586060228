"""What a client can read beside the tools: the scene, its picture and the guides, and prompts for
common tasks.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    BlobResourceContents,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
)

from raybench.agent.call.open_document import OpenDocument
from raybench.agent.turn.scene_text import scene_text
from raybench.errors import RaybenchError, in_quotes
from raybench.files.document_file import document_to_json
from raybench_workbench.mcp.protocol_server import Context

SCENE_URI = "raybench://scene"
TEXT_URI = "raybench://scene/text"
PICTURE_URI = "raybench://picture"
GUIDES_URI = "raybench://guides/"
PICTURE_WIDTH = 1024
"""Width of the picture in pixels."""

SCENE_RESOURCES = (
    Resource(
        uri=TEXT_URI,
        name="Scene in words",
        description="The objects of the open scene by name, with the fields that differ from the"
        " defaults.",
        mime_type="text/plain",
    ),
    Resource(
        uri=SCENE_URI,
        name="Scene as JSON",
        description="The open document in the format of .raybench files.",
        mime_type="application/json",
    ),
    Resource(
        uri=PICTURE_URI,
        name="Picture",
        description="The canvas with all rays.",
        mime_type="image/png",
    ),
)
"""The resources that the open document has."""

PROMPTS = {
    "describe": (
        "Describe the bench and its light",
        None,
        "Describe this optical bench: what each object does to the light, where the light goes, and"
        " how much of the power arrives where. Read raybench://scene/text first, and take every"
        " number from a tool.",
    ),
    "design": (
        "Change the bench to reach an aim",
        PromptArgument(
            name="aim", description="The aim, with its limits and what must stay.", required=True
        ),
        "Change this optical bench so that: {}\nList the requirements first, and check with a tool"
        " what they assume. Find values with what_if, sweep or optimise, make all changes that"
        " belong together in one call of change_scene, and check every limit and the path of the"
        " light afterwards. If it cannot be met, say what limits it and the best there is.",
    ),
    "stray_light": (
        "Find stray light and ghosts on a detector",
        PromptArgument(name="detector", description="The detector's name.", required=True),
        "Find the stray light and the ghosts that reach {}: their paths, strongest first, with their"
        " share of the power, and for the strongest which surface causes it and what would remove"
        " it. Check each remedy with what_if; change nothing.",
    ),
    "losses": (
        "Account for the power",
        None,
        "Account for all power that the sources emit: what arrives where, what is absorbed,"
        " reflected back or lost, as a table that adds up. Name the three largest losses and what"
        " would reduce each.",
    ),
}
"""Prompts: the title, the argument that fills {} of the text, and the text."""


async def list_resources(context: Context, _: PaginatedRequestParams | None) -> ListResourcesResult:
    """The list of resources: the open document and the guides."""
    guides = [
        Resource(
            uri=f"{GUIDES_URI}{path.name}",
            name=f"Guide: {path.read_text(encoding='utf-8').partition(chr(10))[0].strip('# ')}",
            mime_type="text/markdown",
        )
        for path in sorted(_guides_folder().iterdir(), key=lambda path: path.name)
        if path.name.endswith(".md")
    ]
    return ListResourcesResult(resources=[*SCENE_RESOURCES, *guides])


Read = Callable[[Context, ReadResourceRequestParams], Awaitable[ReadResourceResult]]
"""Reads a resource."""


def reading_handlers(read: Read) -> dict[str, Any]:
    """The request handlers for resources, read by the function ``read``, and for prompts."""
    return {
        "on_list_resources": list_resources,
        "on_read_resource": read,
        "on_list_prompts": list_prompts,
        "on_get_prompt": get_prompt,
    }


def resource_reader(opened: OpenDocument) -> Read:
    """The handler that reads the resources of an open document, and the guides."""

    async def read(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        if uri == SCENE_URI:
            data = document_to_json(opened.document)
            return _text_result(
                uri, json.dumps(data, ensure_ascii=False, indent=1), "application/json"
            )
        if uri == TEXT_URI:
            return _text_result(uri, scene_text(opened.document), "text/plain")
        if uri == PICTURE_URI:
            try:
                png = await opened.paint_canvas(PICTURE_WIDTH)
            except RaybenchError as error:
                raise MCPError(INVALID_PARAMS, str(error)) from None
            blob = base64.b64encode(png).decode()
            content = BlobResourceContents(uri=uri, blob=blob, mime_type="image/png")
            return ReadResourceResult(contents=[content])
        return read_guide(uri)

    return read


def read_guide(uri: str) -> ReadResourceResult:
    """A guide by its address. Raises MCPError with the valid addresses if there is no such guide."""
    names = {path.name: path for path in _guides_folder().iterdir() if path.name.endswith(".md")}
    name = uri.removeprefix(GUIDES_URI)
    if not uri.startswith(GUIDES_URI) or name not in names:
        known = [SCENE_URI, TEXT_URI, PICTURE_URI, *(GUIDES_URI + each for each in sorted(names))]
        raise MCPError(
            INVALID_PARAMS,
            f"There is no resource {in_quotes(uri, 80)}. There are {', '.join(known)}.",
        )
    return _text_result(uri, names[name].read_text(encoding="utf-8"), "text/markdown")


def _guides_folder() -> Traversable:
    return files("raybench_resources").joinpath("help")


def _text_result(uri: str, text: str, mime_type: str) -> ReadResourceResult:
    return ReadResourceResult(
        contents=[TextResourceContents(uri=uri, text=text, mime_type=mime_type)]
    )


async def list_prompts(context: Context, _: PaginatedRequestParams | None) -> ListPromptsResult:
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=name,
                title=title,
                description=title,
                arguments=[argument] if argument is not None else [],
            )
            for name, (title, argument, _) in PROMPTS.items()
        ]
    )


async def get_prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
    """A prompt filled with its argument. Raises MCPError for an unknown prompt or a missing
    argument.
    """
    if params.name not in PROMPTS:
        raise MCPError(
            INVALID_PARAMS,
            f"There is no prompt {in_quotes(params.name, 60)}. There are {', '.join(PROMPTS)}.",
        )
    title, argument, text = PROMPTS[params.name]
    if argument is not None:
        given = (params.arguments or {}).get(argument.name, "").strip()
        if not given:
            raise MCPError(INVALID_PARAMS, f"The prompt {params.name} needs '{argument.name}'.")
        text = text.format(given)
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=title, messages=[message])
