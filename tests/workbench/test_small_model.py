"""`raybench ask --tools small`: a small model is offered a dozen tools, and may call the others."""

from __future__ import annotations

import json

import pytest
from tests.messages_server import MessagesServer, say, use

from raybench_workbench.cli import main


def test_a_small_model_is_offered_a_dozen_tools(capsys: pytest.CaptureFixture[str]) -> None:
    replies = [use("spot_xml", object_name="Screen"), say("It is small.")]
    with MessagesServer(replies) as server:
        given = ["--base-url", server.url, "--model", "m", "--tools", "small", "--json"]
        assert main(["ask", "example:prism", "How large is the spot?", *given]) == 0
    offered = {tool["name"] for tool in server.requests[0]["tools"]}
    assert 8 < len(offered) <= 12
    assert "spot_xml" not in offered
    assert json.loads(capsys.readouterr().out)["tool_calls"][0]["ok"]
    assert server.requests[1]["tools"] == server.requests[0]["tools"]
