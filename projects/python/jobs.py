"""The options of a run: its seed, its progress, its cancelling, and where it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import ParameterError

EngineName = Literal["inprocess", "process"]
ProgressCall = Callable[[float, str], None]


class Cancels(Protocol):
    """What says that a run is to stop, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to stop."""


@dataclass(frozen=True)
class Job:
    """How a run is to be done, and who hears of it.

    Attributes
    ----------
    progress : called with the share that is done, from 0 to 1, and what is being done; True prints
    cancel : asked now and then whether to stop
    engine : "inprocess", or "process" for a process that may crash or be killed without harm
    """

    seed: int = 0
    progress: ProgressCall | bool | None = None
    cancel: Cancels | None = None
    engine: EngineName = "inprocess"
    options: EngineOptions = field(default_factory=EngineOptions)

    def __post_init__(self) -> None:
        if self.engine not in ("inprocess", "process"):
            raise ParameterError(
                f"The engine must be 'inprocess' or 'process'. Got {self.engine!r:.80}.",
                code="invalid-parameters",
            )
        if isinstance(self.seed, bool) or not hasattr(self.seed, "__index__") or self.seed < 0:
            raise ParameterError(
                f"The seed must be a whole number of 0 or more. Got {self.seed!r:.80}.",
                code="invalid-parameters",
            )

        if not (isinstance(self.progress, bool | None) or callable(self.progress)):
            raise ParameterError(
                "progress must be a function of the share done and a text, or True. "
                f"Got {self.progress!r:.80}.",
                code="invalid-parameters",
            )
        if self.cancel is not None and not hasattr(self.cancel, "is_set"):
            raise ParameterError(
                f"cancel must have is_set(), as a threading.Event has. Got {self.cancel!r:.80}.",
                code="invalid-parameters",
            )

    @property
    def tell(self) -> ProgressCall | None:
        """Who hears of the progress."""
        return _print if self.progress is True else (self.progress or None)

    def is_cancelled(self) -> bool:
        """Return whether the run is to stop."""
        return self.cancel is not None and self.cancel.is_set()


def _print(done: float, message: str) -> None:
    end = "\n" if done >= 1 else ""
    print(f"\r{done:4.0%} {message:60.60}", end=end, file=sys.stderr, flush=True)
