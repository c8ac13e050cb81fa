"""Everything a component may use while it runs, and the controls a person has over it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from coterie.core.api.executor import Executor, ThreadExecutor, is_cancelled_remotely
from coterie.core.api.frame import MOST_ROWS_SENT, Row
from coterie.core.api.frame import Frame as Frame
from coterie.core.api.partial_affinity import Glimpse
from coterie.core.api.thinning import Thinned
from coterie.core.api.trace_recorder import TraceRecorder
from coterie.core.errors import Cancelled, DataError, PluginError
from coterie.core.io import clock
from coterie.core.model.arrays import Array, plain_values
from coterie.core.model.figures import Figure
from coterie.core.model.results import Trace

if TYPE_CHECKING:
    from coterie.core.api.components import Output
    from coterie.core.api.proposers import Proposer

T = TypeVar("T")
R = TypeVar("R")

FRAMES_PER_SECOND = 30.0


class Listener(Protocol):
    """Who hears of a run: the engine's connection, a progress bar, a test."""

    def progress(self, done: float, total: float, message: str) -> None: ...
    def frame(self, frame: Frame) -> None: ...
    def event(self, name: str, details: Mapping[str, Any]) -> None: ...


class Runs(Protocol):
    """Runs other components for one that is running."""

    def __call__(
        self, use: str, inputs: tuple[Any, ...], params: Mapping[str, Any], context: Context
    ) -> Output: ...


class NullListener:
    """A listener that ignores all it hears."""

    def progress(self, done: float, total: float, message: str) -> None: ...
    def frame(self, frame: Frame) -> None: ...
    def event(self, name: str, details: Mapping[str, Any]) -> None: ...


@dataclass
class Control:
    """The brake, the pause button and the speed of one run, safe to use from another thread."""

    cancelled: bool = False
    paused: bool = False
    seconds_per_frame: float = 0.0
    _permits: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def cancel(self) -> None:
        """Ask the run to stop at its next check."""
        with self._changed:
            self.cancelled = True
            self._changed.notify_all()

    def pause(self) -> None:
        """Hold the run at its next check; a held run costs no processor."""
        with self._changed:
            self.paused = True
            self._changed.notify_all()

    def resume(self) -> None:
        """Let a held run go on."""
        with self._changed:
            self.paused, self._permits = False, 0
            self._changed.notify_all()

    def step_once(self) -> None:
        """Hold the run, but let one more iteration pass."""
        with self._changed:
            self.paused = True
            self._permits += 1
            self._changed.notify_all()

    def set_speed(self, frames_per_second: float) -> None:
        """Slow the run down to so many iterations a second; 0 means as fast as possible."""
        with self._changed:
            self.seconds_per_frame = 1 / frames_per_second if frames_per_second > 0 else 0.0
            self._changed.notify_all()

    def pass_check(self) -> None:
        """Return when the run may go on; raise `Cancelled` when it may not."""
        if self.cancelled:
            raise Cancelled
        if self.paused:
            with self._changed:
                self._changed.wait_for(lambda: self.cancelled or not self.paused or self._permits)
            if self.cancelled:
                raise Cancelled

    def pass_frame(self) -> None:
        """Like `pass_check`, at the end of an iteration: uses up a single step, keeps the speed."""
        if self.paused:
            # Before the wait: a step asked for while waiting is meant for the next iteration.
            with self._changed:
                self._permits = max(0, self._permits - 1)
        if pace := self.seconds_per_frame:
            with self._changed:
                # A change of speed ends the wait for the old one.
                self._changed.wait_for(
                    lambda: self.cancelled or self.paused or self.seconds_per_frame != pace,
                    timeout=pace,
                )
        self.pass_check()

    @property
    def watched(self) -> bool:
        """Whether a person follows iteration by iteration, so each one must be shown."""
        return self.paused or self.seconds_per_frame > 0


class _ErrandControl(Control):
    """Of a context that was sent to a worker: only the engine there can cancel, none can hold."""

    def pass_check(self) -> None:
        """Raise `Cancelled` when the engine that sent the work has withdrawn it."""
        if is_cancelled_remotely():
            raise Cancelled


class Context:
    """Given to `compute`: progress, cancel, live frames, randomness, cores and memory.

    Parameters
    ----------
    seed : seeds `rng`; all randomness of a component comes from there
    memory : bytes that the component may use
    workers : cores that `map` may use
    crew : who does the work of `map`, unless it is threads of this process
    runs : runs other components for `run`

    Attributes
    ----------
    rng : a seeded generator: the only source of randomness
    memory : bytes that the component may use

    Examples
    --------
    >>> context = Context(seed=7)
    >>> context.check()                      # raises when the person cancelled
    >>> context.progress(1, 10, "fitting")
    >>> context.map(abs, [-1, 2])
    [1, 2]
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        memory: int = 1 << 32,
        workers: int = 1,
        listener: Listener | None = None,
        control: Control | None = None,
        crew: Executor | None = None,
        runs: Runs | None = None,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.seed = seed
        self.memory = memory
        self.workers = workers
        self.crew: Executor = crew or ThreadExecutor(workers)
        self.runs = runs
        self.checks = 0
        self._listener: Listener = listener or NullListener()
        self._control = control or Control()
        self._recorder = TraceRecorder()
        self._last_frame = float("-inf")
        self._rows_to_send: Thinned[Row] = Thinned(MOST_ROWS_SENT)
        self._done = 0.0

    def check(self) -> None:
        """Raise `Cancelled` when the person asked to stop; wait here while paused.

        Call it at least every 50 ms of your own work.
        """
        self.checks += 1
        self._control.pass_check()

    def progress(self, done: float, total: float, message: str = "") -> None:
        """Say how far the work is; never goes backwards."""
        self.check()
        if total > 0:
            self._done = min(max(self._done, float(done / total)), 1.0)
        self._listener.progress(self._done, 1.0, str(message))

    def frame(
        self,
        iteration: int,
        *,
        phase: str = "",
        shares: Array | None = None,
        labels: Array | None = None,
        coordinates: Array | None = None,
        memberships: Array | None = None,
        items: Array | None = None,
        glimpse: Glimpse | None = None,
        figure: Figure | None = None,
        **values: float,
    ) -> None:
        """Show one iteration. Cheap enough to call every time: arrays are copied only when shown.

        What is shown is also kept, thinned, as the `Trace` of the run; glimpses are not, as many
        of them would outweigh the similarities that come of them.

        Parameters
        ----------
        phase : what is being worked on, in words: "set 3"
        shares : (n,) the share of each item in the population
        labels : (n,) the label of each item
        coordinates : (n, m) where each item is; the first three axes are shown
        memberships : (n, k) how far each item has decided for each group; rows sum to one
        items : which items shares, labels and the others are of, when not of all; always the same
        glimpse : the similarities among some items
        figure : what else to draw while it runs, in the Figures view; not kept
        **values : numbers by name, such as `objective=0.5`; each is a curve, which `curves` of
            the component may name and explain
        """
        self.checks += 1
        frame = Frame(
            int(iteration),
            _numbers(values),
            str(phase),
            shares,
            labels,
            coordinates,
            items,
            glimpse,
            figure=figure,
            memberships=memberships,
        )
        self._recorder.add(frame)
        self._rows_to_send.add((frame.iteration, frame.values))
        now = clock.seconds()
        if self._control.watched or now - self._last_frame >= 1 / FRAMES_PER_SECOND:
            self._last_frame = now
            self._listener.frame(frame.to_send(self._rows_to_send.entries))
            self._rows_to_send.clear()
        self._control.pass_frame()

    def event(self, name: str, **details: Any) -> None:
        """Tell that something happened that must not be missed, such as a set peeled off.

        The details are kept and sent as JSON; numpy's numbers and arrays pass as well.
        """
        plain = json.loads(json.dumps(details, default=plain_values))
        self._recorder.mark(name, plain)
        self._listener.event(name, {"iteration": self._recorder.iteration, **plain})

    def trace(self) -> Trace | None:
        """Return what `frame` and `event` recorded so far, or None when there was nothing."""
        return self._recorder.trace()

    def run(
        self,
        use: str,
        *inputs: Any,
        params: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> Output:
        """Run another component, such as "graph/knn", and return its result with its parts.

        In an engine the result is kept under the key that a step of a recipe would have, provided
        that all inputs are kept too: the inputs of this component, and what `run` returned. It is
        never computed twice, and a recipe with the same step finds it ready.
        """
        self.check()
        if self.runs is None:
            raise PluginError(
                f"{use} cannot be run here: this context has no methods. Run the component in an "
                "engine, or give the context `runs`.",
                code="methods-needed",
            )
        nested = Context(
            seed=seed,
            memory=self.memory,
            workers=self.workers,
            control=self._control,
            crew=self.crew,
            runs=self.runs,
        )
        return self.runs(use, inputs, params or {}, nested)

    def proposers(self) -> tuple[Proposer, ...]:
        """Return the clusterers of plugins that declare themselves candidates."""
        known = getattr(self.runs, "proposers", None)
        return () if known is None else tuple(known())

    def map(self, function: Callable[[T], R], values: Iterable[T]) -> list[R]:
        """Apply `function` to each value, on all cores or the cluster, keeping the order.

        It may run in several threads at once, or on another machine: what it reports is what
        it returns, and what it changes elsewhere may be lost.
        """
        return list(self.each(function, values))

    def each(self, function: Callable[[T], R], values: Iterable[T]) -> Generator[R, None, None]:
        """As `map`, but yield each result as soon as it and those before it are there.

        For results that are too large to be kept all, or to show progress. Close it, by
        `contextlib.closing`, where it may be left before its end.
        """
        return self.crew.each(function, values, self.check)

    def __reduce__(self) -> tuple[Callable[[int, int], Context], tuple[int, int]]:
        """Go to a worker without listeners: what is reported there is lost."""
        return _sent, (self.seed, self.memory)


def _sent(seed: int, memory: int) -> Context:
    """A context as a worker has it: one core, and cancelled when the work is withdrawn."""
    return Context(seed=seed, memory=memory, control=_ErrandControl())


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in values.items()}
    except (TypeError, ValueError) as error:
        raise DataError(
            f"The values of a frame must be numbers: {error}.", code="invalid-result"
        ) from error
