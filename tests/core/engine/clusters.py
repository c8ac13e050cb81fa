"""A real Dask cluster for tests: a scheduler and workers in processes of their own, on loopback.

`python -m tests.core.engine.clusters WORKERS` starts one, prints its address and the process
numbers, and ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class TestCluster:
    """A running cluster."""

    __test__ = False  # not a class of tests
    process: subprocess.Popen[str]
    address: str
    workers: list[int]

    def kill_worker(self) -> None:
        """End a worker as a crash would; its nanny starts another."""
        os.kill(self.workers.pop(), signal.SIGKILL)

    def kill(self) -> None:
        """End all of it at once, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def cluster(workers: int = 2, **variables: str) -> Iterator[TestCluster]:
    """Start a cluster with some variables of the environment; end it whatever happens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.core.engine.clusters", str(workers)],
        cwd=ROOT,
        env=os.environ | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        yield TestCluster(process, said["address"], said["workers"])
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with process:
            process.wait()


def main(workers: int) -> None:
    """Serve until nobody listens."""
    import distributed

    start: Any = distributed.LocalCluster  # Dask is typed in part only
    connect: Any = distributed.Client
    with (
        start(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as local,
        connect(local) as client,
    ):
        pids = list(client.run(os.getpid).values())
        print(json.dumps({"address": local.scheduler_address, "workers": pids}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
