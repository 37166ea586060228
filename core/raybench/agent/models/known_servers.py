"""Well-known model servers: their addresses, and the environment variables of their keys."""

import os
from dataclasses import dataclass

from raybench.agent.models.addresses import host_of, is_local
from raybench.errors import RaybenchError


@dataclass(frozen=True)
class KnownServer:
    """A well-known server. ``name`` is its name on the command line, ``title`` in the window. The
    ``address`` decides which API is tried first: chat completions if it has a path.
    """

    name: str
    title: str
    address: str
    key_variable: str

    @property
    def needs_key(self) -> bool:
        return not is_local(self.address)


class UnknownServer(RaybenchError):
    """No known server has this name."""


KNOWN_SERVERS = tuple(
    KnownServer(*row)
    for row in (
        ("anthropic", "Anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
        ("ollama", "Ollama", "http://localhost:11434/v1", "OLLAMA_API_KEY"),
        ("lmstudio", "LM Studio", "http://localhost:1234/v1", "LM_API_TOKEN"),
        ("llamacpp", "llama.cpp", "http://localhost:8080/v1", "LLAMA_API_KEY"),
        ("vllm", "vLLM", "http://localhost:8000/v1", "VLLM_API_KEY"),
        ("litellm", "LiteLLM", "http://localhost:4000/v1", "LITELLM_API_KEY"),
        ("openai", "OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        (
            "gemini",
            "Gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
        ),
        ("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
        ("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
        ("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
        ("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY"),
        ("together", "Together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        ("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HF_TOKEN"),
    )
)


def server_named(name: str) -> KnownServer:
    """The known server with a name. Raises UnknownServer."""
    found = next((server for server in KNOWN_SERVERS if server.name == name), None)
    if found is None:
        raise UnknownServer(f"No server “{name}” is known. raybench models lists those that are.")
    return found


def known_server(address: str) -> KnownServer | None:
    """The known server at an address, whatever the path; None if there is none."""
    host = _normalized_host(address)
    return next((s for s in KNOWN_SERVERS if _normalized_host(s.address) == host), None)


def _normalized_host(address: str) -> str:
    """The host name without port and final dot. The port is kept for this computer, where it
    distinguishes servers.
    """
    host = host_of(address)
    if is_local(address):
        return f"localhost:{host.rpartition(':')[2]}"
    return host.partition(":")[0].rstrip(".")


def key_variable(address: str) -> str:
    """The environment variable of the key for a server: that of the known server, or of the
    provider whose variable ``…_BASE_URL`` names this host. Empty for other servers, since a key is
    sent only to the host that it is meant for.
    """
    if known := known_server(address):
        return known.key_variable
    meant = (
        f"{name}_API_KEY"
        for name in ("ANTHROPIC", "OPENAI")
        if host_of(os.environ.get(f"{name}_BASE_URL", "").strip()) == host_of(address)
    )
    return "" if is_local(address) else next(meant, "")


def key_in_environment(address: str) -> str:
    """The key for a server in the environment variables; empty if there is none."""
    return os.environ.get(key_variable(address), "").strip()
