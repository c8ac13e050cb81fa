"""How a component behaves while it runs: it stops when asked, reports its progress, cleans up."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.core.api.context import Context, Control, Frame
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.errors import Cancelled
from coterie.core.io import clock
from coterie.core.testing.subjects import SEED, Limited, Subject
from coterie.core.testing.verdicts import Check, CheckFailed, NotApplicable, require

QUICKLY = 0.2
MANY_ITEMS = 400
LONGEST_TIMED_RUN = 3.0
WAITING_COUNTS = 0.2
ATTEMPTS = 3  # a busy machine may hold up one run, hardly three


def _stops_at_once(subject: Subject) -> None:
    control = Control()
    control.cancel()
    context = Context(control=control, runs=built_in_runs())
    try:
        subject.run(subject.usual(), context)
    except Cancelled:
        return
    raise CheckFailed(_not_cancelled(context.checks))


def _require_interruptible(subject: Subject) -> None:
    if not subject.component.interruptible:
        raise NotApplicable(
            "waived: it says interruptible = False, and the window says so before it runs"
        )


def _stops_anywhere(subject: Subject) -> None:
    checks = subject.first.checks
    _require_interruptible(subject)
    require(checks >= 1, "it never calls context.check()")
    for allowed in sorted({0, checks // 2, checks - 1}):
        limited = Limited(allowed)
        try:
            subject.run(subject.usual(), limited)
        except Cancelled:
            required = allowed + 1
            require(limited.checks == required, "it went on after context.check() had raised")
        else:
            raise CheckFailed(
                f"cancelled at check {allowed + 1} of {checks}, it went on to the end"
            )


def _not_cancelled(checks: int) -> str:
    if checks:
        return "it caught what context.check() raised and went on"
    return "it never calls context.check()"


class _Timed(Context):
    """Notes the longest time between two checks; ends a run that takes long."""

    def __init__(self) -> None:
        self._mine = Control()
        super().__init__(seed=SEED, control=self._mine, runs=built_in_runs())
        self.longest = 0.0
        self._began = self._last = clock.seconds()
        self._worked = time.thread_time()

    def tick(self) -> None:
        now, worked = clock.seconds(), time.thread_time()
        # While others keep the machine busy, a run waits; so waiting counts less than working.
        waited = (now - self._last) * WAITING_COUNTS
        self.longest = max(self.longest, min(now - self._last, max(worked - self._worked, waited)))
        self._last, self._worked = now, worked
        self._mine.cancelled = now - self._began > LONGEST_TIMED_RUN

    def check(self) -> None:
        self.tick()
        super().check()

    def frame(self, *args: Any, **kwargs: Any) -> None:
        self.tick()
        super().frame(*args, **kwargs)


def _stops_quickly(subject: Subject) -> None:
    from threadpoolctl import threadpool_limits

    _require_interruptible(subject)
    longest = float("inf")
    for _ in range(ATTEMPTS):
        inputs = subject.accepted(MANY_ITEMS)
        context = _Timed()
        try:
            # Threads of a library that wait for each other on a busy machine look like work.
            with threadpool_limits(1, user_api="blas"):
                subject.run(inputs, context)
        except Cancelled:
            pass
        else:
            context.tick()
        longest = min(longest, context.longest)
        if longest <= QUICKLY:
            return
    raise CheckFailed(
        f"{1000 * longest:.0f} ms pass between two calls of context.check() on "
        f"{MANY_ITEMS} items; {1000 * QUICKLY:.0f} ms are allowed"
    )


class _Progress:
    """Keeps what a run reports."""

    def __init__(self) -> None:
        self.done: list[float] = []
        self.frames: list[Frame] = []

    def progress(self, done: float, total: float, message: str) -> None:
        self.done.append(done / total)

    def frame(self, frame: Frame) -> None:
        self.frames.append(frame)

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        json.dumps(dict(details))  # events travel as JSON


class _Honest(Context):
    """Keeps what the component says of its progress before it is put right."""

    def __init__(self, listener: _Progress) -> None:
        control = Control()
        control.seconds_per_frame = 1e-12  # as if watched, so every frame is shown
        super().__init__(seed=SEED, listener=listener, control=control, runs=built_in_runs())
        self.said: list[float] = []

    def progress(self, done: float, total: float, message: str = "") -> None:
        if total > 0:
            self.said.append(float(done / total))
        super().progress(done, total, message)


def _forward(subject: Subject) -> None:
    heard = _Progress()
    context = _Honest(heard)
    inputs = subject.accepted()
    subject.run(inputs, context)
    require(context.said == sorted(context.said), "the progress it reports goes backwards")
    require(heard.done == sorted(heard.done), "the progress it reports goes backwards")
    inside = all(-1e-9 <= done <= 1 + 1e-9 for done in context.said)
    require(inside, "it reports progress below 0 or above the total")
    iterations = [frame.iteration for frame in heard.frames]
    require(bool((np.diff(iterations) > 0).all()), "the iterations of its frames do not rise")
    items = getattr(inputs[0], "n", None)
    for frame in heard.frames:
        for name, state in (("shares", frame.shares), ("labels", frame.labels)):
            if state is not None and items is not None:
                shape = np.shape(state)
                require(shape == (items,), f"'{name}' of a frame has {shape} for {items} items")


def _leaves_nothing(subject: Subject, what: str) -> None:
    if what in subject.component.side_effects:
        raise NotApplicable(f"waived: it says '{what}' is among its side_effects")
    strays = subject.first.strays
    left = "" if strays is None else strays.left(what)
    require(not left, left)


def _leaves_global_state(subject: Subject) -> None:
    strays, waived = subject.first.strays, []
    for what in ("folder", "environment", "numpy-seed"):
        left = "" if strays is None else strays.left(what)
        if left and what in subject.component.side_effects:
            waived.append(what)
        else:
            require(not left, left)
    if waived:
        raise NotApplicable(f"waived: it says {', '.join(waived)} among its side_effects")


def _imports_quickly(subject: Subject) -> None:
    from coterie.core.testing.importing import BUDGET, measure

    if getattr(sys, "frozen", False):
        raise NotApplicable("a bundle has no interpreter to measure it in")
    module = sys.modules.get(subject.component.__module__)
    took = measure(subject.component.__module__, getattr(module, "__file__", None))
    slow = ", ".join(took.heavy)
    require(
        took.seconds <= BUDGET,
        f"importing it takes {took.seconds:.2f} s; {BUDGET:.2f} s are allowed"
        + (f" (it imports {slow})" if slow else ""),
    )


CONDUCT = (
    Check(
        "cancel-at-once",
        "a run that is cancelled stops at its first check",
        "Call context.check() or context.progress() before the work, and let what it raises pass.",
        _stops_at_once,
    ),
    Check(
        "cancel-anywhere",
        "it stops at whichever check the person cancels",
        "Catch no bare exceptions around context.check(), context.progress() and context.frame().",
        _stops_anywhere,
    ),
    Check(
        "cancel-quickly",
        "it stops within 200 ms",
        "Work by blocks of rows, and call context.check() or context.progress() after each.",
        _stops_quickly,
        timed=True,
    ),
    Check(
        "progress",
        "progress and iterations only go forward",
        "Call context.progress(done, total) with 0 ≤ done ≤ total, and count the iterations of "
        "context.frame() over the whole run.",
        _forward,
    ),
    Check(
        "no-prints",
        "it prints nothing",
        "Use context.progress(…, message) for what is going on and notes for what came of it.",
        lambda subject: _leaves_nothing(subject, "prints"),
    ),
    Check(
        "no-threads",
        "it leaves no threads or processes behind",
        "Use context.map, or close your pool before returning.",
        lambda subject: _leaves_nothing(subject, "threads"),
    ),
    Check(
        "no-files",
        "it leaves no files behind",
        "Write nothing, or into a tempfile.TemporaryDirectory().",
        lambda subject: _leaves_nothing(subject, "files"),
    ),
    Check(
        "no-global-state",
        "it leaves the working folder, the environment and numpy's global random numbers alone",
        "Pass paths and settings to what needs them, and take randomness from context.rng; where "
        "a library leaves no choice, say side_effects = ('numpy-seed',) or the like.",
        _leaves_global_state,
    ),
    Check(
        "import-time",
        "it is imported quickly",
        "Do no work at import, and import heavy libraries such as sklearn, scipy or pandas inside "
        "the functions that use them.",
        _imports_quickly,
        timed=True,
        runs=False,
    ),
)
