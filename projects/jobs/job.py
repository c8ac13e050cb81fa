"""Jobs, the state of steps, and what went wrong with them: values that views show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from coterie.core.io import clock

JobState = Literal["running", "paused", "finished", "failed", "cancelled"]


class Status(StrEnum):
    """How things stand with one step or source."""

    MISSING = "missing"  # never computed
    LEFT_OUT = "left-out"  # computed before, not stored, computed again when it is needed
    FRESH = "fresh"  # computed, and nothing has changed since
    STALE = "stale"  # computed, but its parameters or inputs have changed since
    WAITING = "waiting"  # queued
    RUNNING = "running"
    FAILED = "failed"
    BROKEN = "broken"  # its plugin is not installed
    OFF = "off"  # switched off
    BLOCKED = "blocked"  # it needs a step that is switched off


@dataclass(frozen=True)
class Failure:
    """Why a step could not be computed, or other work not be done.

    Attributes
    ----------
    step : empty for other work
    title : what to call it: the step, unless it is said
    offer : methods that would help, as "kind/id"
    code : the kind of error, as listed in `core/error_codes.py`
    held : steps that were to run after it, and did not
    """

    step: str
    message: str
    traceback: str = ""
    component: str = ""
    origin: str = ""
    offer: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    title: str = ""
    code: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.step)


@dataclass(frozen=True)
class EngineJob:
    """One order at the engine.

    Attributes
    ----------
    step : the step of the recipe that it computes; empty for other work
    title : what to call it: the step, unless it is said
    """

    number: int
    step: str
    component: str
    state: JobState = "running"
    done: float = 0.0
    message: str = ""
    started: float = 0.0
    seconds: float = 0.0
    cached: bool = False
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.step)

    @property
    def active(self) -> bool:
        """Whether it has not ended."""
        return self.state in ("running", "paused")

    def elapsed(self) -> float:
        """Return the seconds since it started, or that it took."""
        return clock.seconds() - self.started if self.active else self.seconds

    def remaining(self) -> float | None:
        """Return a guess at the seconds that are left; None before there is anything to go by."""
        if not self.active or self.done <= 0.01:
            return None
        return self.elapsed() * (1 - self.done) / self.done
