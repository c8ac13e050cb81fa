"""Finds a Dask cluster at an address, and whether it can be worked with.

Dask is imported when it is needed and not before: it is the extra `distributed`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from coterie.core.errors import EngineError, ParameterError
from coterie.core.wording import counted, size_in_words

EXAMPLE = "tcp://127.0.0.1:8786"
# How long a scheduler may take to answer.
ANSWER_SECONDS = 3.0
# How long a connection may take to be closed properly.
LAST_WORDS = 1.0
# How long a process of its own may take to say what answers, its start included.
ASIDE_SECONDS = 20.0
MISSING = (
    "Working on a Dask cluster needs Dask, which is not installed here. "
    "Install it with `pip install coterie[distributed]`."
)
OURS = "coterie"
# Other versions of these may give other last digits.
LIBRARIES = ("numpy", "scipy", "scikit-learn")
_ADDRESS = re.compile(r"tcp://(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]]+):(\d{1,5})")


class Future(Protocol):
    """What is used of Dask's `Future`, which has no types of its own."""

    status: str

    def done(self) -> bool: ...
    def result(self) -> Any: ...
    def exception(self) -> BaseException: ...


class Connection(Protocol):
    """What is used of Dask's `Client`."""

    status: str

    def submit(
        self, function: Any, *given: Any, pure: bool, workers: list[str] | None
    ) -> Future: ...
    def run(self, function: Any, *given: Any, on_error: str) -> dict[str, Any]: ...
    def cancel(self, pieces: list[Future], *, force: bool) -> None: ...
    def nthreads(self) -> dict[str, int]: ...
    def scheduler_info(self) -> dict[str, Any]: ...
    def close(self, timeout: float) -> None: ...


@dataclass(frozen=True)
class ClusterInventory:
    """What a cluster has.

    Attributes
    ----------
    threads : pieces of work that it does at the same time
    memory : bytes of all workers together; 0 when they have no limit
    remarks : what a person should know before trusting its results
    """

    address: str
    workers: int
    threads: int
    memory: int
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        memory = f" and {size_in_words(self.memory)} of memory" if self.memory else ""
        has = f"{counted(self.workers, 'worker')} with {counted(self.threads, 'thread')}{memory}"
        said = f"A Dask scheduler answers at {self.address}. It has {has}."
        return " ".join((said, *self.remarks))


def parse_address(text: str) -> str:
    """Return the address of a scheduler as Dask takes it, or say how one is written.

    >>> parse_address(" tcp://127.0.0.1:8786/ ")
    'tcp://127.0.0.1:8786'
    """
    address = text.strip().rstrip("/")
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found[2]) < 1 << 16:
        raise ParameterError(
            f"The address of a Dask scheduler has the form tcp://HOST:PORT, such as {EXAMPLE}. "
            f"Got '{text}'.",
            code="invalid-address",
        )
    return address


def ask(address: str, instead: str) -> ClusterInventory:
    """Return what answers at an address; raise one sentence when it cannot be worked with.

    Parameters
    ----------
    instead : what a person does to work without a cluster, as the end of a sentence
    """
    address = parse_address(address)
    client = reach(address, instead)
    try:
        return examine(client, address, instead)
    finally:
        leave(client)


def reach(address: str, instead: str) -> Connection:
    """Return a connection to the scheduler at an address; leave it in the end."""
    try:
        import distributed
    except ImportError:
        raise EngineError(MISSING, code="missing-package") from None
    _silence_dask()
    make: Any = distributed.Client
    try:
        # First, as Dask itself would wait for ever for the greeting of something that says nothing.
        asyncio.run(_greet(address))
        client: Connection = make(address, timeout=ANSWER_SECONDS, set_as_default=False, name=OURS)
        return client
    except (
        Exception
    ) as error:  # Dask's own, the system's, and whatever a stranger's answer leads to
        raise EngineError(_no_answer(address, instead), code="dask-unreachable") from error


def _no_answer(address: str, instead: str) -> str:
    start = "Start one with `dask scheduler`"
    return f"No Dask scheduler answers at {address}. {start}, or {instead}."


async def _greet(address: str) -> None:
    import distributed.comm

    comm: Any = distributed.comm
    greeted = await asyncio.wait_for(comm.connect(address, timeout=ANSWER_SECONDS), ANSWER_SECONDS)
    greeted.abort()


def leave(client: Connection) -> None:
    """Close a connection; it may be lost already."""
    with suppress(Exception):
        client.close(timeout=LAST_WORDS)


def examine(client: Connection, address: str, instead: str) -> ClusterInventory:
    """Return what a cluster has; raise one sentence when its workers cannot do our work."""
    threads = client.nthreads()
    if not threads:
        raise EngineError(
            f"The Dask scheduler at {address} has no workers. "
            f"Start some with `dask worker {address}`, or {instead}.",
            code="dask-unreachable",
        )
    _require_ours(address, _versions(client, OURS))
    remarks = [
        f"There {name} is {_listed(found)}, here {_version(name)}: "
        "results may differ in their last digits."
        for name in LIBRARIES
        if set((found := _versions(client, name)).values()) != {_version(name)}
    ]
    known = client.scheduler_info()["workers"].values()
    memory = sum(int(worker.get("memory_limit") or 0) for worker in known)
    return ClusterInventory(address, len(threads), sum(threads.values()), memory, tuple(remarks))


def _require_ours(address: str, found: Mapping[str, str]) -> None:
    here = _version(OURS)
    wrong = {worker: there for worker, there in found.items() if there != here}
    if not wrong:
        return
    of = f"{len(wrong)} of {counted(len(found), 'worker')} of the Dask cluster at {address}"
    if not any(wrong.values()):
        what = "has no Coterie" if len(wrong) == 1 else "have no Coterie"
    else:
        what = f"{'has' if len(wrong) == 1 else 'have'} another Coterie ({_listed(wrong)})"
    raise EngineError(f"{of} {what}. Install Coterie {here} there too.", code="dask-mismatch")


def _versions(client: Connection, distribution: str) -> dict[str, str]:
    """The version of a distribution on each worker; empty where it is not installed."""
    # By a function of Python itself: one of ours could not be sent to a worker without Coterie.
    found = client.run(version, distribution, on_error="return")
    return {worker: said if isinstance(said, str) else "" for worker, said in found.items()}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _listed(found: Mapping[str, str]) -> str:
    return ", ".join(sorted(Counter(there or "none" for there in found.values())))


def _silence_dask() -> None:
    """Keep Dask from writing to the terminal: what goes wrong is said by us, in a sentence."""
    import dask

    # Data travel with the work, once: that is meant.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"})
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def ask_in_subprocess(address: str, instead: str) -> str:
    """Return what answers at an address, asked by a process of its own; for the window.

    Importing Dask would hold the window up, and its connections would stay.
    """
    address = parse_address(address)
    if getattr(sys, "frozen", False):
        raise EngineError(MISSING, code="missing-package")
    command = [sys.executable, "-X", "utf8", "-P", "-m", __name__, address, instead]
    try:
        asked = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=ASIDE_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise EngineError(_no_answer(address, instead), code="dask-unreachable") from None
    if asked.returncode:
        lines = asked.stderr.strip().splitlines()
        raise EngineError(
            lines[-1] if lines else _no_answer(address, instead), code="dask-unreachable"
        )
    return asked.stdout.strip()


def main(address: str, instead: str) -> int:
    """Print what answers at an address; return the exit code."""
    try:
        print(ask(address, instead), flush=True)
    except EngineError as error:
        print(error, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
