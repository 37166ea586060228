"""Studies on a cluster: a real scheduler and two worker processes on this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.core.study.scenes import prism_scene

from raybench.study.cluster import ClusterError, connect_cluster, package_versions
from raybench.study.sweep import Sweep
from raybench.study.tolerance import Tolerance

pytest.importorskip("distributed")


class Cluster:
    """A scheduler and worker processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        file = folder / "scheduler.json"
        self.processes = [
            self._started(
                "scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--scheduler-file",
                str(file),
            )
        ]
        deadline = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert time.monotonic() < deadline, "the scheduler did not start"
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def add_worker(self) -> subprocess.Popen[bytes]:
        worker = self._started(
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(self.folder),
        )
        self.processes.append(worker)
        return worker

    def wait_for_workers(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=90)

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def _started(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", role, *arguments]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            command, env=self.environment, cwd=self.folder, stdout=quiet, stderr=quiet
        )


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


def test_a_scheduler_without_workers_is_told(scheduler: Cluster) -> None:
    with pytest.raises(ClusterError, match="has no workers"), connect_cluster(scheduler.address):
        pass


@pytest.fixture(scope="module")
def cluster(scheduler: Cluster) -> Cluster:
    for _ in range(2):
        scheduler.add_worker()
    scheduler.wait_for_workers(2)
    return scheduler


def test_the_same_table_comes_from_a_cluster_of_two_workers_and_from_threads(
    cluster: Cluster,
) -> None:
    document = prism_scene()
    sweep = Sweep.build(document, ["Prism.angle=-5..5:45"], "deviation(Prism); escaped()")
    expected = sweep.table(list(sweep.run(threads=1))).rows
    with connect_cluster(cluster.address) as executor:
        points = list(sweep.run(executor))
    np.testing.assert_array_equal(sweep.table(points).rows, expected)


def test_a_lost_worker_does_not_change_the_table(cluster: Cluster) -> None:
    document = prism_scene()
    study = Tolerance.read(document, ["Prism.angle±1"], ["deviation(Prism)"], samples=600, seed=3)
    expected = study.table(list(study.run())).rows
    lost = cluster.add_worker()
    cluster.wait_for_workers(3)
    rows = []
    with connect_cluster(cluster.address) as executor:
        for row in study.run(executor):
            rows.append(row)
            if len(rows) == 100:
                os.kill(lost.pid, signal.SIGKILL)
    np.testing.assert_array_equal(study.table(rows).rows, expected)


def test_a_worker_with_another_version_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "raybench.study.cluster.package_versions", lambda: {**package_versions(), "numba": "0.1"}
    )
    with (
        pytest.raises(
            ClusterError, match=r"has numba .*, this machine 0\.1\. Install the same version"
        ),
        connect_cluster(cluster.address),
    ):
        pass


def test_an_address_where_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr("raybench.study.cluster.TIMEOUT_S", 1)
    for wrong in (address, "nonsense://here"):
        with (
            pytest.raises(ClusterError, match="no scheduler answers") as raised,
            connect_cluster(wrong),
        ):
            pass
        assert "\n" not in str(raised.value)
