"""Running studies on a Dask cluster: an executor whose tasks run in worker processes, on this
machine or on others.

An experiment is sent to each worker once, kernels are compiled once on each machine, and the tasks
of a lost worker are repeated elsewhere.
"""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from raybench.errors import RaybenchError
from raybench.system.extras import missing_package_text
from raybench.trace.trace import load_kernels

PACKAGES = ("raybench", "numpy", "numba", "llvmlite")
"""Packages whose versions have to be equal here and on the workers: they determine the numbers."""
TIMEOUT_S = 10


class ClusterError(RaybenchError):
    """A cluster cannot be used. The message gives the reason and the remedy."""


class ClusterExecutor(Executor):
    """An executor that runs tasks on the workers of a Dask client. The first argument of a task is
    sent to the workers once and stays there.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._sent: dict[int, tuple[Any, Any]] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``fn`` in a worker. The results of equal tasks are not shared, since a task may have
        side effects.
        """
        first, rest = args[0], args[1:]
        if id(first) not in self._sent:
            # the result of a task, not scattered data, so that it is recomputed if the workers that
            # held it are lost
            self._sent[id(first)] = (
                first,
                self._client.submit(_identity_task, first, pure=False, retries=3),
            )
        task = self._client.submit(
            fn, self._sent[id(first)][1], *rest, pure=False, retries=3, **kwargs
        )
        out: Future[Any] = Future()
        out.set_running_or_notify_cancel()
        task.add_done_callback(lambda done: _settle_future(out, done))
        return out

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Release the data that were sent to the workers. The cluster itself keeps running."""
        self._sent.clear()


@contextmanager
def connect_cluster(address: str) -> Iterator[ClusterExecutor]:
    """A context with an executor on a cluster. ``address`` is that of the scheduler, such as
    ``tcp://host:8786``.

    Raises ClusterError if Dask is not installed, the scheduler does not answer, there are no
    workers, or their package versions differ.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            f"{missing_package_text('Computing on a cluster needs', 'distributed', 'cluster')}."
        ) from None
    try:
        client: Any = Client(address, timeout=TIMEOUT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0] if str(error) else "no answer"
        raise ClusterError(
            f"{address}: no scheduler answers there ({why}). Start one with 'dask scheduler', and"
            " workers."
        ) from None
    try:
        _check_workers(client, address)
        yield ClusterExecutor(client)
    finally:
        with contextlib.suppress(OSError):
            client.close(timeout=TIMEOUT_S)


def prepare_worker() -> dict[str, str]:
    """Compile the kernels on this worker's machine, and return the installed versions of
    `PACKAGES`.
    """
    load_kernels()
    return package_versions()


def package_versions() -> dict[str, str]:
    """The installed versions of the packages `PACKAGES`."""
    return {name: metadata.version(name) for name in PACKAGES}


def _check_workers(client: Any, address: str) -> None:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise ClusterError(f"{address} has no workers. Start some with 'dask worker {address}'.")
    hosts = {about["host"]: worker for worker, about in sorted(workers.items())}
    try:
        client.run(
            prepare_worker, workers=list(hosts.values())
        )  # the first on each machine compiles, the others load
        by_worker = client.run(prepare_worker)
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"{address}: a worker has no module '{error.name}'. Install the same Raybench on all"
            " machines."
        ) from None
    here = package_versions()
    for worker, found in sorted(by_worker.items()):
        for name, version in found.items():
            if version != here[name]:
                raise ClusterError(
                    f"{worker} has {name} {version}, this machine {here[name]}. Install the same"
                    " version on both."
                )


def _identity_task(value: Any) -> Any:
    return value


def _settle_future(out: Future[Any], done: Any) -> None:
    if done.cancelled():
        out.set_exception(ClusterError("The cluster cancelled a task."))
    elif (error := done.exception()) is not None:
        out.set_exception(error)
    else:
        out.set_result(done.result())
