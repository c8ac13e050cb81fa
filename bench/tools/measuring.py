"""How every benchmark here speaks: repeated measurements, compared with a peer or a limit."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any


def seconds_of(action: Callable[[], object], repetitions: int = 5) -> list[float]:
    """Return the wall-clock seconds that `action` took, each time it was repeated."""
    taken = []
    for _ in range(repetitions):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return taken


def cpu_seconds_of(action: Callable[[], object], repetitions: int = 1) -> list[float]:
    """Return the processor time of this process: other programs do not count."""
    taken = []
    for _ in range(repetitions):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return taken


def report(
    what: str, measured: Sequence[float], peer: str, against: float, unit: str = "s"
) -> None:
    """Print one line: the median, its spread, the peer or limit, and the ratio to it."""
    middle = statistics.median(measured)
    spread = f"{min(measured):.3g} to {max(measured):.3g}"
    print(
        f"{what}: {middle:.3g} {unit} ({spread}); "
        f"{peer}: {against:.3g} {unit}; ratio {middle / against:.2f}",
        flush=True,
    )


def prepared_session(root: Path) -> Any:
    """Return a session of the tests, whose results are published without an engine."""
    sys.path.append(str(Path(__file__).parents[2]))
    return import_module("tests.gui.prepared").PreparedSession(root)


def resident_megabytes() -> float:
    """Return the memory of this process that no file stands behind."""
    with Path("/proc/self/status").open(encoding="ascii") as lines:
        known = dict(line.split(":", 1) for line in lines)
    return int(known["RssAnon"].split()[0]) / 1024
