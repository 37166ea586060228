"""The command ``raybench models``: the known servers, and the models of one."""

import argparse
import asyncio
import os

from raybench.agent.models.known_servers import KNOWN_SERVERS, server_named
from raybench.errors import RaybenchError


def list_models(options: argparse.Namespace) -> None:
    """Print the names of the models that a server lists, or the known servers. Raises
    RaybenchError.
    """
    if options.server is None:
        for server in KNOWN_SERVERS:
            key = f"{server.key_variable}{' (set)' * bool(os.environ.get(server.key_variable))}"
            print(f"{server.name:12} {server.address:56} {key}")
        return
    named = "://" in options.server
    address = options.server if named else server_named(options.server).address
    models = asyncio.run(_models_of_server(address))
    if not models:
        raise RaybenchError(f"{address} lists no models. Give the name of one with --model.")
    print("\n".join(models))


async def _models_of_server(address: str) -> list[str]:
    from raybench.agent.models.any_server import server_backend

    backend = server_backend("", address)
    try:
        return await backend.list_models()
    finally:
        await backend.close()
