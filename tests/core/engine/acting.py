"""A plugin that does whatever a test tells it to, and an engine's driver for the tests."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

import numpy as np

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import (
    ANSWERS,
    Cancel,
    EngineState,
    Estimate,
    Finished,
    Message,
    Order,
    Run,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import encode

ACTING = '''
"""Kernels that do as they are told."""
import numpy as np
from coterie.core import Clusterer, Cost, Kernel, Output, Ranker, Writer, hookimpl
from coterie.core import Affinity, Clustering, Dataset, Embedding, Model, Ranking

class _Acting:
    title = "Act"
    def compute(self, *inputs, params, context):
        names = {**globals(), "data": inputs[0], "inputs": inputs, "context": context}
        names["n"] = inputs[0].n
        names["result"] = np.ones((names["n"], names["n"]))
        exec(params.code, names)
        return names["result"]
    def estimate(self, *inputs, params):
        names = {**globals(), "data": inputs[0], "cost": Cost()}
        exec(params.estimate, names)
        return names["cost"]

def _acting(base):
    class Params(base.Params):
        """What to do."""
        code: str = "pass"
        estimate: str = "pass"
    about = {"id": "act", "Params": Params, "__doc__": "Acts.", "__module__": __name__}
    return type("Act" + base.__name__, (_Acting, base), about)

KERNEL, CLUSTERER, RANKER, WRITER = (_acting(b) for b in (Kernel, Clusterer, Ranker, Writer))

@hookimpl
def coterie_kernels():
    return [KERNEL]

@hookimpl
def coterie_clusterers():
    return [CLUSTERER]

@hookimpl
def coterie_rankers():
    return [RANKER]

@hookimpl
def coterie_writers():
    return [WRITER]
'''
KERNEL = "kernel/local:act"
DATA_KEY = "d" * 64
LONG = 60.0  # only ever waited for when something is wrong

M = TypeVar("M", bound=Message)
Ordered = TypeVar("Ordered", bound=Order)


def acting_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "acting.py").write_text(ACTING, encoding="utf-8")
    return folder


def filled_workspace(folder: Path, n: int = 5) -> Workspace:
    workspace = Workspace(folder)
    data = Dataset(title="points", features=np.arange(2.0 * n).reshape(n, 2))
    workspace.write(Artefact(DATA_KEY, encode(data)))
    return workspace


def options(plugins: Path, **changes: Any) -> EngineOptions:
    chosen: dict[str, Any] = {"plugin_folders": (plugins,), "memory": 4 << 30, "workers": 1}
    return EngineOptions(**{**chosen, **changes})


def order(kind: type[Ordered], job: int, code: str = "pass", **changes: Any) -> Ordered:
    params = {"code": dedent(code), **changes.pop("params", {})}
    return kind(**{"job": job, "use": KERNEL, "params": params, "inputs": [DATA_KEY], **changes})


class Driver:
    """Gives an engine orders and waits for what it says."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.heard: list[Message] = []
        self._numbers = itertools.count(1)

    def run(self, code: str = "pass", **changes: Any) -> int:
        """Order a run of the acting kernel and return its number."""
        job = next(self._numbers)
        self.engine.send(order(Run, job, code, **changes))
        return job

    def estimate(self, code: str = "pass") -> int:
        job = next(self._numbers)
        self.engine.send(order(Estimate, job, params={"estimate": dedent(code)}))
        return job

    def cancel(self, job: int) -> None:
        self.engine.send(Cancel(job=job))

    def wait(self, kind: type[M], that: Callable[[M], bool] = lambda _: True) -> M:
        """Return the first message of a kind, heard already or still to come."""
        until = time.monotonic() + LONG
        seen = 0
        while True:
            for message in self.heard[seen:]:
                if isinstance(message, kind) and that(message):
                    return message
            seen = len(self.heard)
            left = until - time.monotonic()
            new = self.engine.inbox.take(left) if left > 0 else None
            assert new is not None, f"no {kind.__name__}, only {self._kinds()}"
            self.heard.append(new)

    def _kinds(self) -> list[str]:
        return [type(message).__name__ for message in self.heard]

    def answer(self, job: int) -> Message:
        return self.wait(Message, lambda m: m.job == job and isinstance(m, ANSWERS))

    def answers(self, job: int) -> list[Message]:
        return [m for m in self.heard if m.job == job and isinstance(m, ANSWERS)]

    def works(self) -> Finished:
        """Run something harmless, which must succeed."""
        done = self.answer(self.run(f"result[0, 0] = {time.monotonic_ns()}"))
        assert isinstance(done, Finished)
        return done

    def ready(self) -> None:
        self.wait(EngineState, lambda m: m.state == "ready")


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process exists and is more than a corpse."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")
