"""Which keys and headers of the environment are sent to which host."""

from __future__ import annotations

import asyncio

import pytest
from tests.messages_server import MessagesServer, say
from tests.open_prism import TOOLS, open_prism

from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.any_server import AnyServer, server_backend
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import BackendError
from raybench.agent.turn.conversation import Conversation

CHAT, MESSAGES = "sk-chat", "sk-messages"
pytestmark = pytest.mark.security


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", MESSAGES)
    monkeypatch.setenv("OPENAI_API_KEY", CHAT)


@pytest.mark.parametrize(
    ("address", "kind", "key", "root"),
    [
        ("https://api.openai.com", ChatBackend, CHAT, "https://api.openai.com/v1"),
        ("https://API.openai.com:443/v1", ChatBackend, CHAT, "https://API.openai.com:443/v1"),
        ("https://api.anthropic.com/v1", AnthropicBackend, MESSAGES, "https://api.anthropic.com"),
        ("https://a.invalid/anthropic", AnthropicBackend, "", "https://a.invalid/anthropic"),
        ("https://gate.invalid/claude", AnthropicBackend, MESSAGES, "https://gate.invalid/claude"),
        ("https://gate.invalid/v1", ChatBackend, MESSAGES, "https://gate.invalid/v1"),
        ("https://a.invalid/v1", ChatBackend, "", "https://a.invalid/v1"),
        ("https://api.groq.com./openai/v1", ChatBackend, "", "https://api.groq.com./openai/v1"),
        ("https://api.openai.com:8443/v1", ChatBackend, CHAT, "https://api.openai.com:8443/v1"),
        ("http://127.0.0.1:9/v1", ChatBackend, "", "http://127.0.0.1:9/v1"),
    ],
)
def test_a_host_gets_its_providers_key(
    address: str, kind: type, key: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://gate.invalid/claude")
    backend = server_backend("m", address)
    models = backend.models if isinstance(backend, AnyServer) else (backend,)
    first = models[0]
    assert isinstance(first, kind)
    assert isinstance(first, AnthropicBackend | ChatBackend)
    assert ({m.key for m in models}, first.base_url) == ({key}, root)  # type: ignore[union-attr]


def test_a_known_server_gets_no_key_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    groq, ollama = "https://api.groq.com/openai/v1", "http://127.0.0.1:11434/v1"
    assert {ChatBackend("m", groq).key, AnthropicBackend("m", groq).key} == {""}
    with pytest.raises(BackendError, match="No API key for Groq"):
        ChatBackend("m", groq).key_to_send()
    monkeypatch.setenv("GROQ_API_KEY", "sk-groq")
    assert ChatBackend("m", groq).key_to_send() == "sk-groq"
    assert ChatBackend("m", ollama).key == ""
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-ollama")
    assert ChatBackend("m", ollama).key == "sk-ollama"


@pytest.mark.parametrize("form", ["chat", "messages"])
def test_headers_of_the_environment_go_nowhere_else(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "private")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-Team: private\nAuthorization: Bearer private")
    with MessagesServer([say("Yes.")], form=form) as server:
        backend = server_backend("m", server.url + ("/v1" if form == "chat" else ""))

        async def go() -> str:
            conversation = Conversation(open_prism(), backend, TOOLS)
            turn = await conversation.say("Yes?")
            await conversation.close()
            return turn.answer or turn.error

        assert asyncio.run(go()) == "Yes."
    assert not server.headers[0].keys() & {"authorization", "x-api-key", "x-team"}
    assert "private" not in str(server.headers)
