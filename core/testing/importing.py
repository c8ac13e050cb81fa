"""How long a module takes to be imported, measured in a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from coterie.core.errors import PluginError
from coterie.core.io.platform.processors import seconds_waited

# Every plugin counts at every start of the engine. Others' work on this machine does not.
BUDGET = 0.5
WAITING_COUNTS = 0.5  # a wait is the module's own doing, or that of a slow disk
PATIENCE = 60.0
HEAVY = ("sklearn", "scipy", "pandas", "matplotlib", "torch", "tensorflow", "numba", "rasterio")


@dataclass(frozen=True)
class ImportTime:
    """Seconds of processor time beyond what Coterie itself takes, and libraries known as heavy."""

    seconds: float
    heavy: tuple[str, ...] = ()


@cache
def measure(module: str, file: str | None) -> ImportTime:
    """Return what importing a module, or a drop-in file, costs."""
    found = [str(Path(entry).absolute()) for entry in sys.path]
    command = [sys.executable, "-P", "-m", __name__, json.dumps([module, file, found])]
    try:
        finished = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return ImportTime(PATIENCE)
    if finished.returncode:
        last = (finished.stderr.strip().splitlines() or ["it ended without a message"])[-1]
        raise PluginError(f"It cannot be imported on its own: {last}", code="invalid-plugin")
    seconds, heavy = json.loads(finished.stdout.splitlines()[-1])
    return ImportTime(float(seconds), tuple(heavy))


def main(given: str) -> None:
    """Import what is named and print the time that took, as JSON."""
    import importlib

    from coterie import core
    from coterie.core.catalogue.registry import LOCAL_PREFIX, import_file

    module, file, path = json.loads(given)
    sys.path[:] = list(dict.fromkeys([*sys.path, *path]))
    for name in core.__all__:  # what any plugin uses is there already in an engine
        getattr(core, name)
    before = set(sys.modules)
    began, held_up, worked = time.perf_counter(), _held_up(), time.process_time()
    if module.startswith(LOCAL_PREFIX) and file is not None:
        import_file(Path(file))
    else:
        importlib.import_module(module)
    waited = time.perf_counter() - began - (_held_up() - held_up)
    took = max(time.process_time() - worked, WAITING_COUNTS * waited)
    new = {name.partition(".")[0] for name in set(sys.modules) - before}
    print(json.dumps([took, sorted(new & set(HEAVY))]))


def _held_up() -> float:
    """How long others have kept this process from a processor; all its life where none can say."""
    waited = seconds_waited()
    return time.perf_counter() if waited is None else waited


if __name__ == "__main__":
    main(sys.argv[1])
