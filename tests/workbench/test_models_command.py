"""Servers by name on the command line, their models, and a server that is busy."""

from __future__ import annotations

import pytest
from tests.messages_server import MessagesServer, refuse, say

from raybench.agent.models.known_servers import KNOWN_SERVERS
from raybench_workbench.cli import main


def test_the_known_servers_are_listed_with_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [server.name for server in KNOWN_SERVERS]
    assert "GROQ_API_KEY" in next(line for line in lines if line.startswith("groq"))


def test_the_models_of_a_server_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with MessagesServer([], form="chat") as server:
        assert main(["models", f"{server.url}/v1"]) == 0
        assert capsys.readouterr().out.split() == server.models
    assert main(["models", f"{server.url}/v1"]) == 1
    assert "cannot be reached. Start the model's server" in capsys.readouterr().err
    assert main(["models", "olama"]) == 1
    assert "No server “olama” is known" in capsys.readouterr().err


def test_a_server_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["ask", "example:prism", "Why?"]
    assert main([*question, "--server", "groq", "--base-url", "http://localhost:1/v1"]) == 1
    assert "Give one of them." in capsys.readouterr().err
    assert main([*question, "--server", "groq", "--model", "m"]) == 1
    assert "No API key for Groq. Set GROQ_API_KEY" in capsys.readouterr().err


def test_ask_says_when_a_busy_server_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    busy = refuse(429, "rate_limit_error")
    with MessagesServer([busy, say("Yes.")], form="chat") as server:
        address = ["--base-url", f"{server.url}/v1", "--model", "m"]
        assert main(["ask", "example:prism", "Is it?", *address]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("Yes.\n", "Trying again in 1 s (rate limit) …\n")
