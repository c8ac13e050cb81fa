"""What a worker of a cluster does for an engine: a function sent there, applied to values.

Functions, values and results travel as pickles: engine and workers are one person's own
(docs/security.md). Nothing here imports Dask before a worker, which has it, calls.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping
from typing import Any

from coterie.core.api.executor import remote_task
from coterie.core.catalogue.sent_modules import SentModules
from coterie.core.errors import EngineError

_loading = threading.Lock()
_sent = SentModules()


class RemoteTask:
    """A function as it travels: pickled, with the source of the drop-in plugins it may be from.

    A worker unpacks it once, however many values it is applied to.
    """

    def __init__(self, packed: bytes, sources: Mapping[str, str]) -> None:
        self._packed = packed
        self._sources = dict(sources)
        self._function: Callable[[Any], Any] | None = None

    @property
    def parts(self) -> tuple[bytes, dict[str, str]]:
        """What it is made of."""
        return self._packed, self._sources

    def __reduce__(self) -> tuple[type[RemoteTask], tuple[bytes, dict[str, str]]]:
        return RemoteTask, self.parts

    def function(self) -> Callable[[Any], Any]:
        """Return the function, ready to be called here."""
        with _loading:
            if self._function is None:
                _sent.provide(self._sources)
                _keep_to_one_thread()
                self._function = unpacked(self._packed)
            return self._function


def packed(thing: Any) -> bytes:
    """Return anything as bytes, functions and classes inside of others included."""
    try:
        import cloudpickle  # comes with Dask
    except ImportError:
        from joblib.externals import cloudpickle

    found: bytes = cloudpickle.dumps(thing, protocol=5)
    return found


def unpacked(data: bytes) -> Any:
    """Return what was packed; a worker that lacks a package of it says which."""
    try:
        return pickle.loads(data)
    except ImportError as error:
        missing = (error.name or str(error)).partition(".")[0]
        raise EngineError(
            f"A worker of the cluster does not have '{missing}', or has another version. "
            f"Install the same version there as here.",
            code="dask-mismatch",
        ) from error


def carry_out(task: RemoteTask, value: bytes) -> bytes:
    """Apply the function of a task to a packed value; for a worker."""
    with remote_task(_withdrawn()):
        return packed(task.function()(unpacked(value)))


def run_task_once(task: RemoteTask) -> bytes:
    """Call the function of a task without a value; for every worker."""
    function: Callable[..., Any] = task.function()
    with remote_task(_withdrawn()):
        return packed(function())


def _withdrawn() -> Callable[[], bool]:
    """Return a function that says whether the engine has cancelled this thread's task."""
    from distributed import get_worker

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()

    def look() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return look


def _keep_to_one_thread() -> None:
    """Keep matrix products of this process to one thread, for good.

    A worker has a thread for each core already; and products are summed in another order when they
    are divided, so results would depend on the machine.
    """
    import scipy.linalg  # noqa: F401 - it brings a BLAS of its own, which must be there to be kept
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1, user_api="blas")
